"""What a text of a body must be, once for all services."""

from __future__ import annotations

from collections.abc import Callable

import marshmallow as ma


def words(most: int) -> list[Callable[[str], object]]:
    """The validators of a text of 1 to `most` characters of which a person sees at least one."""
    return [ma.validate.Length(1, most), ma.validate.Regexp(r"^\s*\S", error=BLANK), visible]


def visible(text: str) -> None:
    """Raises ValidationError for a text of white space and invisible characters alone."""
    if not any(c.isprintable() and not c.isspace() for c in text):
        raise ma.ValidationError(BLANK)


BLANK = "Only white space."
