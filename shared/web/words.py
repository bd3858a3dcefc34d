"""What a text of a body must be, once for all services."""

from __future__ import annotations

import marshmallow as ma


def words(most: int) -> ma.validate.And:
    """A validator for a text of 1 to `most` characters that are not all white space."""
    return ma.validate.And(ma.validate.Length(1, most), ma.validate.Regexp(r"^\s*\S", error="Only white space."))
