"""What the number of a resident identity card says by itself (GB 11643-1999: 公民身份号码)."""

from __future__ import annotations

import datetime as dt
import re

from msgspec import Struct

from shared.rules.entries.form import Sex

_FORM = re.compile(r"[1-9][0-9]{16}[0-9X]")
_WEIGHTS = (7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2)
_CHECKS = "10X98765432"


class Told(Struct, frozen=True):
    """The date of birth (None where it is no date) and the sex in a number, and whether its check character fits."""

    born: dt.date | None
    sex: Sex
    sound: bool


def resident(number: str) -> Told | None:
    """What an 18-character number tells; None for a number of another kind (passport, permit)."""
    if not _FORM.fullmatch(number):
        return None
    total = sum(int(digit) * weight for digit, weight in zip(number, _WEIGHTS, strict=False))
    sex: Sex = "male" if int(number[16]) % 2 else "female"
    return Told(_date(number[6:14]), sex, _CHECKS[total % 11] == number[17])


def _date(digits: str) -> dt.date | None:
    try:
        return dt.date(int(digits[:4]), int(digits[4:6]), int(digits[6:]))
    except ValueError:
        return None
