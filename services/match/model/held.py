"""Entries that a device made, and perhaps held back: each says which table it is of, so that none is counted at another
one, and when it was made by a clock that nobody trusts."""

from __future__ import annotations

from typing import Any

import msgspec

from services.match import refusals as refuse
from services.match.model.matches import Events
from services.match.model.seated import Seat
from shared.contracts.fact import Held


def check_held(held: Held, seat: Seat, there: str | None) -> None:
    """Whether an entry is of the match it was sent to. `there` is the match at the table that it names, None where
    there is none. Raises EntryOfAnotherCompetition, EntryOfAnotherTable, EntryUnderAnotherRegulation."""
    if held.competition != seat.competition:
        raise refuse.EntryOfAnotherCompetition(right=held.competition, competition=seat.competition)
    if (held.round, held.table) != (seat.round, seat.seated.table):
        refusal = refuse.EntryOfAnotherTable(
            match=seat.seated.match,
            round=seat.round,
            table=seat.seated.table,
            of_round=held.round,
            of_table=held.table,
            right=there or "-",
        )
        refusal.members = {"right": {"round": held.round, "table": held.table, "match": there}}
        raise refusal
    if held.regulation != seat.regulation:
        raise refuse.EntryUnderAnotherRegulation(given=held.regulation, regulation=seat.regulation)


def with_held(events: Events, held: Held | None) -> Events:
    """The events, with what the device said of the entry in those that keep it."""
    if held is None:
        return events
    return [_with(event, held) for event in events]


def _with(event: Any, held: Held) -> Any:
    return msgspec.structs.replace(event, held=held) if "held" in event.__struct_fields__ else event
