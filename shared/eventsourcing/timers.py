"""Timers: an instant passes and becomes a command of one's own, exactly once.

What falls due, and when, is read from the service's read model each time: so a timer has no memory that a restart could
lose, nor one that a clock put forward or back could spoil. What makes it fire once is the command's id, which names
what fell due; when it fired is in the event that the command led to."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta

import msgspec
import structlog

from shared.eventsourcing.clock import Clock
from shared.eventsourcing.errors import NotNow
from shared.eventsourcing.handling import Command, Outcome

log = structlog.get_logger("pailu.timer")

BATCH = 100
"""How much that is due one step deals with."""
LOOK = timedelta(seconds=1)
"""How long a timer does not look again after it found nothing to do, unless what it then knew of falls due."""
FIRST_WAIT, LONGEST_WAIT = timedelta(seconds=1), timedelta(minutes=5)


class Due(msgspec.Struct, frozen=True, kw_only=True):
    """Something has fallen due: `key` names it for ever, so that no other that falls due, even of the same thing at
    another time, has the same; `act` decides on it under the command it is given, and does nothing where it turns
    out not to be so any more."""

    key: str
    act: Callable[[Command], Outcome]


class Found(msgspec.Struct, frozen=True):
    """What is due and not dealt with yet, the earliest first; and after which instant something will be, as far as is
    known now."""

    due: Sequence[Due] = ()
    next_at: datetime | None = None


Find = Callable[[datetime, int], Found]
"""What is due at an instant, at most so much."""


class Timer:
    """What one service does when instants pass."""

    def __init__(self, name: str, find: Find) -> None:
        self.name = name
        self.find = find


class TimerRunner:
    """Runs a timer. A step looks once at most every LOOK, by a clock that may be put back; what cannot be done is tried
    again after a growing wait, and keeps nothing else."""

    def __init__(self, timer: Timer, clock: Clock, batch: int = BATCH) -> None:
        self.name = f"timer.{timer.name}"
        self._timer = timer
        self._clock = clock
        self._batch = batch
        self._looked: datetime | None = None
        self._next_at: datetime | None = None
        self._failed: dict[str, tuple[datetime, timedelta]] = {}

    def step(self) -> int:
        """Deal with what is due; how much became a command. Raises NotNow when the store is away or what the decision
        rests on has not arrived: the next step begins again."""
        now = self._clock.now()
        if self._rests(now):
            return 0
        found = self._timer.find(now, self._batch + len(self._failed))
        self._failed = {due.key: self._failed[due.key] for due in found.due if due.key in self._failed}
        fired = sum(self._fire(due, now) for due in found.due if not self._waits(due.key, now))
        self._looked, self._next_at = (None, None) if fired else (now, found.next_at)
        return fired

    def _rests(self, now: datetime) -> bool:
        """Whether it has looked a moment ago, by a clock that was not put back, and nothing has fallen due since."""
        if self._looked is None or not timedelta() <= now - self._looked < LOOK:
            return False
        return self._next_at is None or now <= self._next_at

    def _waits(self, key: str, now: datetime) -> bool:
        """Whether it failed a while ago. A clock that was put back ends the wait."""
        if key not in self._failed:
            return False
        since, wait = self._failed[key]
        return timedelta() <= now - since < wait

    def _fire(self, due: Due, now: datetime) -> int:
        try:
            outcome = due.act(self._command(due.key, now))
        except NotNow:
            raise
        except Exception as error:
            _, wait = self._failed.get(due.key, (now, FIRST_WAIT / 2))
            self._failed[due.key] = (now, min(2 * wait, LONGEST_WAIT))
            log.warning("timer failed", timer=self.name, due=due.key, error=f"{type(error).__name__}: {error}")
            return 0
        self._failed.pop(due.key, None)
        return 1 if outcome.events and not outcome.replayed else 0

    def _command(self, key: str, now: datetime) -> Command:
        return Command(
            id=f"{self.name}:{key}",
            fingerprint=key,
            actor=f"policy:{self._timer.name}",
            role="policy",
            received_at=now,
            correlation=f"{self.name}:{key}",
            causation=f"{self.name}:{key}",
        )
