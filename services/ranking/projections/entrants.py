"""The teams that entered a competition whose team totals are made: one row an entry. Of persons it has the ids without
meaning alone, by which what was found of somebody is of the entry while that person is in it."""

from __future__ import annotations

import msgspec

from shared.contracts.registration import (
    EligibilityConfirmed,
    EntrySubmitted,
    EntryWithdrawn,
    Member,
    PlayerConsented,
)
from shared.eventsourcing.projector import View
from shared.eventsourcing.records import Envelope
from shared.rules.entries.team import fielded


class Finding(msgspec.Struct, frozen=True, array_like=True):
    """What somebody looked at: a rule, and what was open of it, of a person or (None) of the team."""

    person: str | None
    rule: str
    code: str


class EntrantRow(msgspec.Struct, kw_only=True):
    """An entry. `fielded`: by event of the roster, how many pairs or players; `failed`: what was found not to hold."""

    id: str
    competition: str = ""
    team: str = ""
    name: str = ""
    unit: str = ""
    fielded: dict[str, int] = {}
    persons: list[str] = []
    failed: list[Finding] = []
    withdrawn: bool = False
    refused: bool = False

    @property
    def broken(self) -> bool:
        """Whether it was refused, or a rule does not hold of it or of somebody in it."""
        return self.refused or any(one.person is None or one.person in self.persons for one in self.failed)


def entrant_key(competition: str, team: str) -> str:
    """The id of an entry's row."""
    return f"{competition}/{team}"


entrants: View[EntrantRow] = View("entrants", EntrantRow, indexes=(("competition", "_id"),))


@entrants.on(EntrySubmitted, keys=lambda e, _: [entrant_key(e.competition, e.team.id)])
def entered(row: EntrantRow, event: EntrySubmitted, _at: Envelope) -> None:
    row.competition, row.team, row.name, row.unit = event.competition, event.team.id, event.team.name, event.team.unit
    row.fielded = fielded((member.event, member.pair) for member in event.members if _plays(member))
    row.persons = [member.person for member in event.members]
    row.withdrawn = row.refused = False


def _plays(member: Member) -> bool:
    return member.part == "player" and not member.substitute


@entrants.on(PlayerConsented, keys=lambda e, _: [entrant_key(e.competition, e.team)])
def let_in(row: EntrantRow, event: PlayerConsented, _at: Envelope) -> None:
    row.persons.append(event.member.person)


@entrants.on(EntryWithdrawn, keys=lambda e, _: [entrant_key(e.competition, e.team)])
def withdrawn(row: EntrantRow, event: EntryWithdrawn, _at: Envelope) -> None:
    row.withdrawn, row.refused = True, bool(event.refused_by_article)


@entrants.on(EligibilityConfirmed, keys=lambda e, _: [entrant_key(e.competition, e.team)])
def looked_at(row: EntrantRow, event: EligibilityConfirmed, _at: Envelope) -> None:
    found = Finding(event.person, event.rule, event.code)
    row.failed = [one for one in row.failed if one != found]
    if not event.holds:
        row.failed.append(found)
