"""Cells as they are written and read, so that no text becomes a formula in anybody's spreadsheet."""

from __future__ import annotations

import unicodedata

FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")
"""What a cell begins with that a spreadsheet may take for a formula, or that hides such a beginning."""
GUARD = "'"


def neutral(text: str) -> str:
    """The text with a guard before it where a spreadsheet might run it. Wide forms count as their plain ones."""
    return GUARD + text if _begins(text) else text


def original(text: str) -> str:
    """The text that `neutral` was given."""
    return text[1:] if text.startswith(GUARD) and _begins(text[1:]) else text


def _begins(text: str) -> bool:
    if text.startswith(GUARD):
        return _begins(text[1:])  # so that a text that has a guard of its own gets another and keeps it
    plain = unicodedata.normalize("NFKC", text[:1])
    return text.startswith(FORMULA) or text.lstrip(" ").startswith(FORMULA) or plain.startswith(FORMULA)
