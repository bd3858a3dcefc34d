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
from shared.eventsourcing.clock import to_micros
from shared.eventsourcing.projector import View
from shared.eventsourcing.records import Envelope
from shared.rules.entries.team import fielded


class Finding(msgspec.Struct, frozen=True, array_like=True):
    """What somebody looked at: a rule, and what was open of it, of a person or (None) of the team."""

    person: str | None
    rule: str
    code: str


class Entrant(msgspec.Struct, frozen=True, kw_only=True):
    """An entry. `fielded`: by event of the roster, how many pairs or players; `failed`: what was found not to hold."""

    team: str = ""
    name: str = ""
    unit: str = ""
    fielded: dict[str, int] = {}
    persons: tuple[str, ...] = ()
    failed: tuple[Finding, ...] = ()
    withdrawn: bool = False
    refused: bool = False

    @property
    def broken(self) -> bool:
        """Whether it was refused, or a rule does not hold of it or of somebody in it."""
        return self.refused or any(one.person is None or one.person in self.persons for one in self.failed)


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


def _becomes(row: EntrantRow, competition: str, at: Envelope, **changes: Any) -> None:
    """From this event on the entry is so."""
    row.competition = competition
    entrant = msgspec.structs.replace(row.now, **changes)
    row.states.append(Since(at.position, to_micros(at.recorded_at), entrant))


@entrants.on(EntrySubmitted, keys=lambda e, _: [entrant_key(e.competition, e.team.id)])
def entered(row: EntrantRow, event: EntrySubmitted, at: Envelope) -> None:
    _becomes(
        row,
        event.competition,
        at,
        team=event.team.id,
        name=event.team.name,
        unit=event.team.unit,
        fielded=fielded((member.event, member.pair) for member in event.members if _plays(member)),
        persons=tuple(member.person for member in event.members),
        withdrawn=False,
        refused=False,
    )


def _plays(member: Member) -> bool:
    return member.part == "player" and not member.substitute


@entrants.on(PlayerConsented, keys=lambda e, _: [entrant_key(e.competition, e.team)])
def let_in(row: EntrantRow, event: PlayerConsented, at: Envelope) -> None:
    _becomes(row, event.competition, at, persons=(*row.now.persons, event.member.person))


@entrants.on(EntryWithdrawn, keys=lambda e, _: [entrant_key(e.competition, e.team)])
def withdrawn(row: EntrantRow, event: EntryWithdrawn, at: Envelope) -> None:
    _becomes(row, event.competition, at, withdrawn=True, refused=bool(event.refused_by_article))


@entrants.on(EligibilityConfirmed, keys=lambda e, _: [entrant_key(e.competition, e.team)])
def looked_at(row: EntrantRow, event: EligibilityConfirmed, at: Envelope) -> None:
    found = Finding(event.person, event.rule, event.code)
    failed = tuple(one for one in row.now.failed if one != found)
    _becomes(row, event.competition, at, failed=failed if event.holds else (*failed, found))
