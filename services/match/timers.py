"""What match does when instants pass: a match that both pairs have not confirmed in time is flagged."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from services.match.commands import Matches
from services.match.projections import UNSIGNED, SigningRow, signings
from shared.eventsourcing.clock import from_micros, to_micros
from shared.eventsourcing.generations import Reader
from shared.eventsourcing.handling import Command, Outcome
from shared.eventsourcing.timers import Due, Found, Timer

CONFIRMATIONS = "match-confirmations"


def confirmations(reader: Reader, use_cases: Matches) -> Timer:
    """The timer of unconfirmed matches, over the read model."""

    def find(now: datetime, limit: int) -> Found:
        """The matches that are overdue, the earliest first; where none is, one row is read."""
        first = _first(reader, 1)
        if not first or first[0].due_at >= to_micros(now):
            return Found(next_at=from_micros(first[0].due_at) if first else None)
        rows = [row for row in _first(reader, limit) if row.due_at < to_micros(now)]
        return Found([Due(key=f"{row.id}/{row.opening}/{row.due_at}", act=_act(row, use_cases)) for row in rows])

    return Timer(CONFIRMATIONS, find)


def _first(reader: Reader, limit: int) -> list[SigningRow]:
    return reader.find(signings, {"watched": UNSIGNED}, "due_at", limit=limit)


def _act(row: SigningRow, use_cases: Matches) -> Callable[[Command], Outcome]:
    def act(command: Command) -> Outcome:
        return use_cases.flag_unconfirmed(command, row.competition, row.match, row.opening, from_micros(row.due_at))

    return act
