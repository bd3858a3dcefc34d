"""Registration's read model: competitions and entries."""

from __future__ import annotations

from typing import Any

import msgspec

from services.registration.credential_rows import credentials
from shared.contracts.registration import (
    ClaimLapsed,
    CompetitionAmended,
    CompetitionAnnounced,
    CompetitionCancelled,
    DocumentReceived,
    DocumentRejected,
    EligibilityConfirmed,
    EntriesClosed,
    EntriesImported,
    EntriesOpened,
    EntrySubmitted,
    EntryWithdrawn,
    ErasureRequested,
    GraceGranted,
    ImportReversed,
    MeetingAttended,
    NamesPublished,
    PersonalDataRead,
    PersonErased,
    PlayerConsented,
)
from shared.eventsourcing.projector import Projection, View
from shared.eventsourcing.records import Envelope
from shared.web.credentials import revoked


class CompetitionRow(msgspec.Struct, kw_only=True):
    """A competition as everyone may see it. `version` is its stream's."""

    id: str
    version: int = 0
    name: str = ""
    regulation: str = ""
    regulation_digest: str = ""
    changes: dict[str, Any] = {}
    place: str = ""
    zone: str = ""
    plays_from: str = ""
    plays_to: str = ""
    entries_close: str = ""
    status: str = ""
    cancelled_because: str | None = None
    names: str = "none"
    graces: dict[str, str] = {}
    attended: dict[str, bool] = {}
    rehearsal: bool = False
    listed: str = "competitions"


competitions: View[CompetitionRow] = View("competitions", CompetitionRow, indexes=(("listed", "_id"),))


@competitions.on(CompetitionAnnounced)
def announced(row: CompetitionRow, event: CompetitionAnnounced, at: Envelope) -> None:
    facts = msgspec.to_builtins(event)
    for name in ("name", "regulation", "regulation_digest", "changes", "place", "zone"):
        setattr(row, name, facts[name])
    row.plays_from, row.plays_to, row.entries_close = facts["plays_from"], facts["plays_to"], facts["entries_close"]
    row.status, row.version, row.rehearsal = "announced", at.version, event.rehearsal


@competitions.on(CompetitionAmended)
def amended(row: CompetitionRow, event: CompetitionAmended, at: Envelope) -> None:
    for name, value in event.after.items():
        setattr(row, name, value)
    row.version = at.version


@competitions.on(CompetitionCancelled)
def cancelled(row: CompetitionRow, event: CompetitionCancelled, at: Envelope) -> None:
    row.status, row.cancelled_because, row.version = "cancelled", event.reason, at.version


@competitions.on(EntriesOpened)
def opened(row: CompetitionRow, _event: EntriesOpened, at: Envelope) -> None:
    row.status, row.version = "entries_open", at.version


@competitions.on(EntriesClosed)
def closed(row: CompetitionRow, _event: EntriesClosed, at: Envelope) -> None:
    row.status, row.version = "entries_closed", at.version


@competitions.on(NamesPublished)
def names_published(row: CompetitionRow, event: NamesPublished, at: Envelope) -> None:
    row.names, row.version = event.names, at.version


@competitions.on(GraceGranted)
def grace_granted(row: CompetitionRow, event: GraceGranted, at: Envelope) -> None:
    row.graces[event.unit], row.version = msgspec.to_builtins(event.until), at.version


@competitions.on(MeetingAttended)
def attended(row: CompetitionRow, event: MeetingAttended, at: Envelope) -> None:
    row.attended[event.unit], row.version = event.attended, at.version


class EntryRow(msgspec.Struct, kw_only=True):
    """A team's entry; its members stay sealed here. `consented`: the persons who joined by the chief referee's consent;
    `version` is its stream's."""

    id: str
    version: int = 0
    competition: str = ""
    team: str = ""
    name: str = ""
    unit: str = ""
    number: int = 1
    unit_kind: str = ""
    retirees: int | None = None
    members: list[dict[str, Any]] = []
    consented: list[str] = []
    changes: int = 0
    submitted_at: str = ""
    status: str = ""


def entry_key(competition: str, team: str) -> str:
    """The id of an entry's row."""
    return f"{competition}/{team}"


entries: View[EntryRow] = View("entries", EntryRow, indexes=(("competition", "team"),))


@entries.on(EntrySubmitted, keys=lambda e, _: [entry_key(e.competition, e.team.id)])
def submitted(row: EntryRow, event: EntrySubmitted, at: Envelope) -> None:
    row.competition, row.team = event.competition, event.team.id
    row.name, row.unit = event.team.name, event.team.unit
    row.members, row.consented = msgspec.to_builtins(event.members), []
    row.number, row.unit_kind, row.retirees = event.number, event.unit_kind, event.retirees
    row.changes, row.version = event.change, at.version
    row.submitted_at = msgspec.to_builtins(at.received_at)
    row.status = "entered"


@entries.on(EntryWithdrawn, keys=lambda e, _: [entry_key(e.competition, e.team)])
def withdrawn(row: EntryRow, event: EntryWithdrawn, at: Envelope) -> None:
    row.status, row.version = "refused" if event.refused_by_article else "withdrawn", at.version


@entries.on(PlayerConsented, keys=lambda e, _: [entry_key(e.competition, e.team)])
def consented(row: EntryRow, event: PlayerConsented, at: Envelope) -> None:
    row.members.append(msgspec.to_builtins(event.member))
    row.consented.append(event.member.person)
    row.version = at.version


def _moved_on(row: EntryRow, _event: Any, at: Envelope) -> None:
    row.version = at.version


for _kind in (EligibilityConfirmed, ClaimLapsed, DocumentReceived, DocumentRejected):
    entries.on(_kind, keys=lambda e, _: [entry_key(e.competition, e.team)])(_moved_on)


class ImportRow(msgspec.Struct, kw_only=True):
    """An import of entries."""

    id: str
    version: int = 0
    competition: str = ""
    entries: int = 0
    persons: int = 0
    by: str = ""
    imported_at: str = ""
    reversed: bool = False
    kept: list[str] = []


imports: View[ImportRow] = View("imports", ImportRow, indexes=(("competition", "_id"),))


@imports.on(EntriesImported, keys=lambda e, _: [e.id])
def imported(row: ImportRow, event: EntriesImported, at: Envelope) -> None:
    row.competition, row.entries, row.persons, row.by = event.competition, len(event.teams), event.persons, event.by
    row.imported_at, row.version = msgspec.to_builtins(at.received_at), at.version


@imports.on(ImportReversed, keys=lambda e, _: [e.id])
def import_reversed(row: ImportRow, event: ImportReversed, at: Envelope) -> None:
    row.reversed, row.kept, row.version = True, list(event.kept), at.version


class PersonRow(msgspec.Struct, kw_only=True):
    """In which entries a person was ever named, and what became of the person's data; by its id without meaning."""

    id: str
    entries: list[list[str]] = []
    requested_by: str = ""
    erased: bool = False


persons: View[PersonRow] = View("persons", PersonRow)


@persons.on(EntrySubmitted, keys=lambda e, _: [member.person for member in e.members])
def named(row: PersonRow, event: EntrySubmitted, _at: Envelope) -> None:
    _named_in(row, event.competition, event.team.id)


@persons.on(PlayerConsented, keys=lambda e, _: [e.member.person])
def joined(row: PersonRow, event: PlayerConsented, _at: Envelope) -> None:
    _named_in(row, event.competition, event.team)


def _named_in(row: PersonRow, competition: str, team: str) -> None:
    if [competition, team] not in row.entries:
        row.entries.append([competition, team])


@persons.on(ErasureRequested, keys=lambda e, _: [e.person])
def erasure_requested(row: PersonRow, event: ErasureRequested, _at: Envelope) -> None:
    row.requested_by = event.by


@persons.on(PersonErased, keys=lambda e, _: [*e.persons])
def erased(row: PersonRow, _event: PersonErased, _at: Envelope) -> None:
    row.erased = True


class AccessRow(msgspec.Struct, kw_only=True):
    """One access to personal data, in the order in which they were recorded."""

    id: str
    competition: str = ""
    order: str = ""
    by: str = ""
    role: str = ""
    at: str = ""
    what: str = ""
    team: str | None = None
    document: str = ""
    persons: int = 0


accesses: View[AccessRow] = View("accesses", AccessRow, indexes=(("competition", "order"),))


@accesses.on(PersonalDataRead, keys=lambda _, at: [at.id])
def accessed(row: AccessRow, event: PersonalDataRead, at: Envelope) -> None:
    row.competition, row.order = event.competition, f"{at.position:012}"
    row.by, row.role, row.at = event.by, at.role, msgspec.to_builtins(at.received_at)
    row.what, row.team, row.document, row.persons = event.what, event.team, event.document, event.persons


VIEWS: list[View[Any]] = [competitions, entries, imports, persons, accesses, credentials, revoked]
PROJECTION = Projection("registration", 9, ["registration"], VIEWS)
