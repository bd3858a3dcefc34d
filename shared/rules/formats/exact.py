"""Numbers as files and answers have them (RECORDS): an integer, or a fraction in lowest terms as a string."""

from __future__ import annotations

from fractions import Fraction


def exact(value: int | Fraction) -> int | str:
    """25/3 is "25/3", 8/1 is 8."""
    return value.numerator if value.denominator == 1 else f"{value.numerator}/{value.denominator}"
