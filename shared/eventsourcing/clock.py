"""Time as a port, so that no decision, step or test depends on the machine's clock."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Protocol

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MICROSECOND = timedelta(microseconds=1)


class Clock(Protocol):
    """The one source of time of a process."""

    def now(self) -> datetime:
        """The present instant, aware, UTC, to the microsecond."""
        ...


class SystemClock:
    """The machine's clock."""

    def now(self) -> datetime:
        return datetime.now(UTC)


class ManualClock:
    """A clock that moves only when told to; for tests and simulation."""

    def __init__(self, start: datetime) -> None:
        self._now = start

    def now(self) -> datetime:
        return self._now

    def advance(self, by: timedelta) -> None:
        self._now += by

    def set(self, to: datetime) -> None:
        self._now = to


def to_micros(instant: datetime) -> int:
    """Whole microseconds since 1970-01-01T00:00Z, exactly (a BSON date would lose three digits)."""
    return (instant - EPOCH) // MICROSECOND


def from_micros(micros: int) -> datetime:
    """The instant `to_micros` gave."""
    return EPOCH + timedelta(microseconds=micros)
