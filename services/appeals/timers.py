"""What the appeals desk does when instants pass: windows close, incomplete drafts lapse, late decisions are flagged,
and appeals end with a competition that is cancelled."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime

from services.appeals.commands import Appeals
from services.appeals.ledger import Closing
from services.appeals.projections import WATCHED, AgendaRow, Item, agendas
from shared.eventsourcing.clock import from_micros, to_micros
from shared.eventsourcing.generations import Reader
from shared.eventsourcing.handling import Command, Outcome
from shared.eventsourcing.timers import Due, Found, Timer

DEADLINES = "appeal-deadlines"


def deadlines(reader: Reader, desk: Appeals) -> Timer:
    """The timer of the desk, over its read model."""

    def find(now: datetime, limit: int) -> Found:
        """Of competitions on whose agenda something is due, in order of it; where none is, one agenda is read."""
        first = _first(reader, 1)
        if not first or not _is_due(first[0], now):
            return Found(next_at=from_micros(first[0].due_at) if first else None)
        rows = [row for row in _first(reader, limit) if _is_due(row, now)]
        return Found([due for row in rows for due in _due(row, now, desk)][:limit])

    return Timer(DEADLINES, find)


def _first(reader: Reader, limit: int) -> list[AgendaRow]:
    """The agendas on which something falls due first."""
    return reader.find(agendas, {"watched": WATCHED}, "due_at", limit=limit)


def _is_due(row: AgendaRow, now: datetime) -> bool:
    """Whether something is due on an agenda."""
    return row.due_at < to_micros(now)


def _due(row: AgendaRow, now: datetime, desk: Appeals) -> Iterator[Due]:
    """What is due of an agenda: what falls due after an instant is not due at it."""
    for item in row.items():
        if item.at < now:
            yield Due(key=_key(row.id, item), act=_act(row.id, item, desk))


def _key(competition: str, item: Item) -> str:
    """What names an item for ever: the window of one closing of a round, one draft, one date of one appeal."""
    told = {
        "window": (item.round, item.round_closed_at),
        "draft": (item.appeal,),
        "decision": (item.appeal, item.at),
        "void": (item.appeal,),
    }
    parts = (part.isoformat() if isinstance(part, datetime) else str(part) for part in told[item.kind])
    return "/".join((item.kind, competition, *parts))


def _act(competition: str, item: Item, desk: Appeals) -> Callable[[Command], Outcome]:
    def act(command: Command) -> Outcome:
        if item.kind == "draft":
            return desk.lapse(command, competition, item.appeal)
        if item.kind == "void":
            return desk.void(command, competition, item.appeal)
        if item.kind == "decision":
            return desk.flag_overdue(command, competition, item.appeal, item.at)
        assert item.round_closed_at is not None, "a window is of a closed round"
        assert item.closes is not None, "and runs"
        closing = Closing(
            round=item.round,
            closing=item.closing,
            round_closed_at=item.round_closed_at,
            closes=item.closes,
            waived=item.waived,
        )
        return desk.close_window(command, competition, closing)

    return act
