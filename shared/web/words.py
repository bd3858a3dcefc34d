"""What a text of a body must be, once for all services."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date

import marshmallow as ma

from shared.web.problems import BOTH

Validators = list[Callable[[str], object]]

BLANK = "Only white space."
CONTROL = f"含有控制字符。{BOTH}Holds a control character."
_CONTROL = re.compile("[\0-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")
"""What moves a terminal's cursor or colours it, breaks a line, or turns the direction of what follows."""
_BREAKS = re.compile("[\t\n\r]")

_SEEN = ma.validate.Regexp(r"^\s*\S", error=BLANK)


def words(most: int) -> Validators:
    """The validators of a text on one line, of 1 to `most` characters of which a person sees at least one."""
    return [ma.validate.Length(1, most), _SEEN, visible, plain]


def lines(most: int, least: int = 1) -> Validators:
    """The validators of a text of one or several lines, of at most `most` characters; with `least` 0 of none too."""
    seen: Validators = [_SEEN, visible] if least else []
    return [ma.validate.Length(least, most), *seen, lambda text: plain(_BREAKS.sub("", text))]


def visible(text: str) -> None:
    """Raises ValidationError for a text of white space and invisible characters alone."""
    if not any(c.isprintable() and not c.isspace() for c in text):
        raise ma.ValidationError(BLANK)


def plain(text: str) -> None:
    """Raises ValidationError for a text that does not read as it is written: it would forge what stands beside it on
    a screen, in a print-out or in a log."""
    if _CONTROL.search(text):
        raise ma.ValidationError(CONTROL)


def in_calendar(value: date) -> None:
    """A year that a competition may be held, or a person born, in."""
    if not 1900 <= value.year <= 2999:
        raise ma.ValidationError(f"年份应在 1900 至 2999 之间。{BOTH}The year must be from 1900 to 2999.")
