"""The teams that entered a competition whose team totals are made: one row an entry, with what it was after each of
its events, a few. Of persons it has the ids without meaning alone, by which what was found of somebody is of the entry
while that person is in it; the events themselves have personal fields, and are not kept to be told again."""

from __future__ import annotations

from typing import Any

import msgspec

from shared.contracts.registration import (
    EligibilityConfirmed,
    EntrySubmitted,
    EntryWithdrawn,
    Member,
    PlayerConsented,
)
from shared.contracts.soundness import Soundness, Told, after
from shared.eventsourcing.clock import to_micros
from shared.eventsourcing.projector import View
from shared.eventsourcing.records import Envelope
from shared.rules.entries.team import fielded


class Entrant(Soundness, msgspec.Struct, frozen=True, kw_only=True):
    """An entry. `fielded`: by event of the roster, how many pairs or players."""

    team: str = ""
    name: str = ""
    unit: str = ""
    fielded: dict[str, int] = {}
    withdrawn: bool = False


class Since(msgspec.Struct, frozen=True, array_like=True):
    """What an entry was from an event of registration on; `recorded_at` is in µs."""

    position: int
    recorded_at: int
    entrant: Entrant


class EntrantRow(msgspec.Struct, kw_only=True):
    """An entry through its events."""

    id: str
    competition: str = ""
    states: list[Since] = []

    @property
    def now(self) -> Entrant:
        return self.states[-1].entrant if self.states else Entrant()


def entrant_key(competition: str, team: str) -> str:
    """The id of an entry's row."""
    return f"{competition}/{team}"


entrants: View[EntrantRow] = View("entrants", EntrantRow, indexes=(("competition", "_id"),))


def _becomes(row: EntrantRow, event: Told, at: Envelope, **changes: Any) -> None:
    """From this event on the entry is so."""
    row.competition = event.competition
    entrant = msgspec.structs.replace(after(row.now, event), **changes)
    row.states.append(Since(at.position, to_micros(at.recorded_at), entrant))


@entrants.on(EntrySubmitted, keys=lambda e, _: [entrant_key(e.competition, e.team.id)])
def entered(row: EntrantRow, event: EntrySubmitted, at: Envelope) -> None:
    _becomes(
        row,
        event,
        at,
        team=event.team.id,
        name=event.team.name,
        unit=event.team.unit,
        fielded=fielded((member.event, member.pair) for member in event.members if _plays(member)),
        withdrawn=False,
    )


def _plays(member: Member) -> bool:
    return member.part == "player" and not member.substitute


@entrants.on(EntryWithdrawn, keys=lambda e, _: [entrant_key(e.competition, e.team)])
def withdrawn(row: EntrantRow, event: EntryWithdrawn, at: Envelope) -> None:
    _becomes(row, event, at, withdrawn=True)


@entrants.on(PlayerConsented, keys=lambda e, _: [entrant_key(e.competition, e.team)])
def let_in(row: EntrantRow, event: PlayerConsented, at: Envelope) -> None:
    _becomes(row, event, at)


@entrants.on(EligibilityConfirmed, keys=lambda e, _: [entrant_key(e.competition, e.team)])
def looked_at(row: EntrantRow, event: EligibilityConfirmed, at: Envelope) -> None:
    _becomes(row, event, at)
