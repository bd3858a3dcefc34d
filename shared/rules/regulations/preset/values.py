"""What the sections of a regulation are written in."""

from __future__ import annotations

import datetime as dt
from typing import Annotated, Literal

from msgspec import Meta, Struct

Level = Literal["2", "3", "4", "5", "6", "7", "8", "9", "T", "J", "Q", "K", "A"]
"""A level of 升级, in rising order."""


Count = Annotated[int, Meta(ge=0)]

Positive = Annotated[int, Meta(ge=1)]

LocalTime = Annotated[dt.datetime, Meta(tz=False)]


class Span(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """From `least` to `most`, both included."""

    least: Count
    most: Count
