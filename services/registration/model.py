"""Registration, pure: what a competition and an entry are, what may happen to them, and what has."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime
from typing import Any, Literal
from zoneinfo import ZoneInfo

import msgspec

from services.registration import refusals as refuse
from services.registration.forms import unit_key
from shared.contracts.fact import Changes, Fact, Team
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
    Member,
    NamesPublished,
    PersonalDataRead,
    PersonErased,
    PlayerConsented,
)
from shared.eventsourcing.handling import Model
from shared.rules.deadlines import in_time

Events = Sequence[Fact]
Names = Literal["none", "masked", "full"]
"""What public pages show of players' names."""


# Where they are kept


def competition_stream(competition: str) -> str:
    """The stream of a competition's own facts."""
    return f"competition/{competition}"


def entry_stream(competition: str, team: str) -> str:
    """The stream of one unit's entry."""
    return f"entry/{competition}/{team}"


def import_stream(competition: str, id: str) -> str:
    """The stream of one import."""
    return f"import/{competition}/{id}"


# The facts a competition's decisions ask about


class Competition(msgspec.Struct, frozen=True, kw_only=True):
    """A competition as its stream tells it; `regulation` is empty while it was never announced. season: the year for
    which it was announced, also when it is put off into another; graces, attended: by the unit's key; rehearsal: it
    never counts."""

    id: str
    regulation: str = ""
    changes: Changes = {}
    name: str = ""
    place: str = ""
    plays_from: date | None = None
    plays_to: date | None = None
    closes_at: datetime | None = None
    season: int = 0
    zone: str = "UTC"
    rehearsal: bool = False
    opened: bool = False
    closed: bool = False
    cancelled: str | None = None
    names: Names = "none"
    graces: Mapping[str, datetime] = {}
    attended: Mapping[str, bool] = {}


class Details(msgspec.Struct, frozen=True, kw_only=True):
    """What can be amended: a competition's own name, place and dates."""

    name: str
    place: str
    plays_from: date
    plays_to: date
    entries_close: datetime


class Terms(msgspec.Struct, frozen=True, kw_only=True):
    """What an announcement takes from the regulation: its name and version, digest, changes, zone, entry article."""

    regulation: str
    digest: str
    changes: Changes
    zone: str
    rehearsal: bool = False


REHEARSAL = "【演练】"
"""What the name of a rehearsal begins with, so that every page, list and export says it."""


def named(name: str, rehearsal: bool) -> str:
    """A competition's name, marked where it is a rehearsal."""
    return REHEARSAL + name.removeprefix(REHEARSAL) if rehearsal else name


def _absent(stream: str) -> Competition:
    return Competition(id=stream.removeprefix("competition/"))


def evolve(state: Competition, event: Any) -> Competition:
    """Fold one event of a competition's stream."""
    change = msgspec.structs.replace
    match event:
        case CompetitionAnnounced():
            return change(
                state,
                regulation=event.regulation,
                changes=event.changes,
                name=event.name,
                place=event.place,
                plays_from=event.plays_from,
                plays_to=event.plays_to,
                closes_at=event.entries_close,
                season=event.plays_from.year,
                zone=event.zone,
                rehearsal=event.rehearsal,
            )
        case CompetitionAmended():
            after = msgspec.convert({**_details(state), **event.after}, Details, strict=False)
            return change(
                state,
                name=after.name,
                place=after.place,
                plays_from=after.plays_from,
                plays_to=after.plays_to,
                closes_at=after.entries_close,
            )
        case CompetitionCancelled():
            return change(state, cancelled=event.reason)
        case EntriesOpened():
            return change(state, opened=True)
        case NamesPublished():
            return change(state, names=event.names)
        case GraceGranted():
            return change(state, graces={**state.graces, unit_key(event.unit): event.until})
        case MeetingAttended():
            return change(state, attended={**state.attended, unit_key(event.unit): event.attended})
        case EntriesClosed():
            return change(state, closed=True, closes_at=min(event.closed_at, state.closes_at or event.closed_at))
    raise TypeError(f"no fold for {type(event).__name__}")


COMPETITION: Model[Competition] = Model(_absent, evolve)


# What may happen to a competition


def announce(state: Competition, terms: Terms, details: Details, by: str) -> Events:
    """A competition is announced from its regulation. Raises AlreadyAnnounced, DatesInvalid."""
    if state.regulation:
        raise refuse.AlreadyAnnounced(competition=state.id)
    _check_dates(details, terms.zone)
    return [
        CompetitionAnnounced(
            regulation=terms.regulation,
            by=by,
            competition=state.id,
            name=named(details.name, terms.rehearsal),
            regulation_digest=terms.digest,
            changes=terms.changes,
            place=details.place,
            plays_from=details.plays_from,
            plays_to=details.plays_to,
            entries_close=details.entries_close,
            zone=terms.zone,
            rehearsal=terms.rehearsal,
        )
    ]


def amend(state: Competition, changes: dict[str, Any], reason: str, now: datetime, article: str, by: str) -> Events:
    """Name, place or dates change. Once entries are open, their close only while it has not come, and to a time that
    has not: nobody's entry becomes late, or good again, by an amendment. Raises NothingToAmend, EntriesClosedAlready,
    DeadlineIsPast, DatesInvalid, and what `_standing` does."""
    closes_at = _standing(state)
    before = _details(state)
    if "name" in changes:
        changes = {**changes, "name": named(changes["name"], state.rehearsal)}
    after = {name: value for name, value in changes.items() if value != before[name]}
    if not after:
        raise refuse.NothingToAmend("")
    if "entries_close" in after and (state.closed or (state.opened and not in_time(now, closes_at))):
        raise refuse.EntriesClosedAlready(article, competition=state.id, closed_at=closes_at, zone=state.zone)
    if "entries_close" in after and state.opened and not in_time(now, after["entries_close"]):
        raise refuse.DeadlineIsPast("/entries_close", article, given=after["entries_close"], zone=state.zone)
    _check_dates(msgspec.convert({**before, **after}, Details), state.zone)
    said: dict[str, dict[str, str]] = {
        "before": msgspec.to_builtins({name: before[name] for name in after}),
        "after": msgspec.to_builtins(after),
    }
    return [CompetitionAmended(regulation=state.regulation, by=by, competition=state.id, reason=reason, **said)]


def cancel(state: Competition, reason: str, by: str) -> Events:
    """The competition is not held. Raises what `_standing` does."""
    _standing(state)
    return [CompetitionCancelled(regulation=state.regulation, by=by, competition=state.id, reason=reason)]


def open_entries(state: Competition, now: datetime, article: str, by: str) -> Events:
    """Entries may come. Raises EntriesAlreadyOpen, EntriesClosedAlready, and what `_standing` does."""
    closes_at = _standing(state)
    if state.opened and not state.closed:
        raise refuse.EntriesAlreadyOpen(competition=state.id)
    if state.closed or not in_time(now, closes_at):
        raise refuse.EntriesClosedAlready(article, competition=state.id, closed_at=closes_at, zone=state.zone)
    return [
        EntriesOpened(regulation=state.regulation, by=by, competition=state.id, closes_at=closes_at, article=article)
    ]


def close_entries(state: Competition, now: datetime, reason: str, article: str, by: str) -> Events:
    """Entries are over: from the deadline on, or earlier for a stated reason. Raises EarlyClosingNeedsReason,
    EntriesNotOpen, EntriesClosedAlready, and what `_standing` does."""
    closes_at = _standing(state)
    if not state.opened:
        raise refuse.EntriesNotOpen(competition=state.id)
    if state.closed:
        raise refuse.EntriesClosedAlready(article, competition=state.id, closed_at=closes_at, zone=state.zone)
    if in_time(now, closes_at) and not reason:
        raise refuse.EarlyClosingNeedsReason("/reason", article, closes_at=closes_at, zone=state.zone)
    return [
        EntriesClosed(
            regulation=state.regulation, by=by, competition=state.id, closed_at=now, reason=reason, article=article
        )
    ]


class Late(msgspec.Struct, frozen=True, kw_only=True):
    """Who comes late, and under what terms. unit: its key; changing: an entry that stands; changes: whether it may be
    changed after the close; meeting: whether who was at the leaders' meeting may still enter."""

    unit: str
    changing: bool
    changes: bool
    changes_article: str
    meeting: bool


def check_entries_open(state: Competition, now: datetime, article: str, late: Late | None = None) -> None:
    """Whether an entry may be made, changed or withdrawn at this instant; `late` where there may be a grace for it.
    Raises EntriesNotOpen, EntriesClosedAlready, NoChangesAfterClose, and what `_standing` does."""
    closes_at = _standing(state)
    open_ = not state.closed and in_time(now, closes_at)
    if open_ and state.opened:
        return
    if open_:
        raise refuse.EntriesNotOpen(competition=state.id)
    if late is None or not state.opened or not _has_grace(state, now, late):
        raise refuse.EntriesClosedAlready(article, competition=state.id, closed_at=closes_at, zone=state.zone)
    if late.changing and not late.changes:
        raise refuse.NoChangesAfterClose(late.changes_article, competition=state.id)


def _has_grace(state: Competition, now: datetime, late: Late) -> bool:
    """By a decision, or as the regulation lets one enter who was at the meeting while the desk has not closed."""
    until = state.graces.get(late.unit)
    if until is not None and in_time(now, until):
        return True
    return late.meeting and not state.closed and state.attended.get(late.unit, False)


def publish_names(state: Competition, names: Names, by: str) -> Events:
    """What public pages show of players' names. Raises what `_standing` does."""
    _standing(state)
    if state.names == names:
        return []
    return [NamesPublished(regulation=state.regulation, by=by, competition=state.id, names=names)]


def grant_grace(
    state: Competition, unit: str, until: datetime, reason: str, now: datetime, article: str, by: str
) -> Events:
    """A unit may enter late, by a decision. Raises GraceInvalid, EntriesNotOpen, and what `_standing` does."""
    _standing(state)
    if not state.opened:
        raise refuse.EntriesNotOpen(competition=state.id)
    assert state.plays_from is not None
    if not in_time(now, until) or until.astimezone(ZoneInfo(state.zone)).date() > state.plays_from:
        raise refuse.GraceInvalid("/until", article, given=until, plays_from=state.plays_from, zone=state.zone)
    if state.graces.get(unit_key(unit)) == until:
        return []
    return [
        GraceGranted(
            regulation=state.regulation,
            by=by,
            competition=state.id,
            unit=unit,
            until=until,
            reason=reason,
            article=article,
        )
    ]


def attend(state: Competition, units: Sequence[str], attended: bool, article: str, by: str) -> Events:
    """Units were at the leaders' meeting, or were not. Raises what `_standing` does."""
    _standing(state)
    return [
        MeetingAttended(
            regulation=state.regulation, by=by, competition=state.id, unit=unit, attended=attended, article=article
        )
        for unit in dict.fromkeys(units)
        if state.attended.get(unit_key(unit)) is not attended
    ]


def _standing(state: Competition) -> datetime:
    """When entries close, of a competition that is announced and not cancelled. Raises NoSuchCompetition,
    CompetitionIsCancelled."""
    if not state.regulation or state.closes_at is None:
        raise refuse.NoSuchCompetition(competition=state.id)
    if state.cancelled is not None:
        raise refuse.CompetitionIsCancelled(competition=state.id, reason=state.cancelled)
    return state.closes_at


def _details(state: Competition) -> dict[str, Any]:
    return {
        "name": state.name,
        "place": state.place,
        "plays_from": state.plays_from,
        "plays_to": state.plays_to,
        "entries_close": state.closes_at,
    }


def _check_dates(details: Details, zone: str) -> None:
    closing_day = details.entries_close.astimezone(ZoneInfo(zone)).date()
    if details.plays_to < details.plays_from or closing_day > details.plays_from:
        raise refuse.DatesInvalid(
            "/plays_from",
            entries_close=details.entries_close,
            plays_from=details.plays_from,
            plays_to=details.plays_to,
            zone=zone,
        )


# An entry


class Entry(msgspec.Struct, frozen=True, kw_only=True):
    """A unit's entry as its stream tells it; `team` is None while it was never made. confirmed: by what was looked
    at, in the words of EligibilityConfirmed, whether it holds."""

    team: Team | None = None
    number: int = 1
    members: tuple[Member, ...] = ()
    unit_kind: str = ""
    retirees: int | None = None
    changes: int = 0
    withdrawn: bool = False
    confirmed: Mapping[Looked, bool] = {}
    papers: Mapping[Kept, Paper] = {}
    consented: frozenset[str] = frozenset()

    @property
    def joined(self) -> frozenset[int]:
        """Which members joined by the chief referee's consent."""
        return frozenset(n for n, member in enumerate(self.members) if member.person in self.consented)

    def has(self, person: str) -> bool:
        """Whether it stands and has this person as a player."""
        players = (member.person for member in self.members if member.part == "player")
        return self.team is not None and not self.withdrawn and person in players


class Kept(msgspec.Struct, frozen=True):
    """A paper by its name and whom it is about, None for the team's own."""

    document: str
    person: str | None


class Paper(msgspec.Struct, frozen=True, kw_only=True):
    """What became of a paper: the last receipt of it, and why it does not do, where it does not."""

    received: DocumentReceived
    rejected: str | None = None


class Looked(msgspec.Struct, frozen=True):
    """What a person looked at: a rule, and what was open of it, for a person or (None) for the team."""

    person: str | None
    rule: str
    code: str


def evolve_entry(state: Entry, event: Any) -> Entry:
    """Fold one event of an entry's stream."""
    change = msgspec.structs.replace
    match event:
        case EntrySubmitted():
            return Entry(
                team=event.team,
                number=event.number,
                members=event.members,
                unit_kind=event.unit_kind,
                retirees=event.retirees,
                changes=event.change,
                confirmed=state.confirmed,
                papers=state.papers,
            )
        case EntryWithdrawn():
            return change(state, withdrawn=True)
        case ClaimLapsed():
            return state
        case PlayerConsented():
            consented = state.consented | {event.member.person}
            return change(state, members=(*state.members, event.member), consented=consented)
        case DocumentReceived():
            kept = Kept(event.document, event.person)
            return change(state, papers={**state.papers, kept: Paper(received=event)})
        case DocumentRejected():
            kept = Kept(event.document, event.person)
            paper = change(state.papers[kept], rejected=event.reason)
            return change(state, papers={**state.papers, kept: paper})
        case EligibilityConfirmed():
            looked = Looked(event.person, event.rule, event.code)
            return change(state, confirmed={**state.confirmed, looked: event.holds})
    raise TypeError(f"no fold for {type(event).__name__}")


DecideEntry = Callable[[Entry], Events]
ENTRY: Model[Entry] = Model(lambda _stream: Entry(), evolve_entry)


class Form(msgspec.Struct, frozen=True, kw_only=True):
    """An entry form as sent, its persons sealed."""

    team: Team
    members: tuple[Member, ...]
    number: int = 1
    unit_kind: str = ""
    retirees: int | None = None


class Articles(msgspec.Struct, frozen=True, kw_only=True):
    """The articles an entry rests on: until when it may come, and how many teams a unit may enter."""

    entries_close: str
    teams_per_unit: str


def submit(state: Entry, competition: Competition, form: Form, articles: Articles, by: str) -> Events:
    """A unit enters its team, anew after a withdrawal. Raises UnitAlreadyEntered."""
    if state.team is not None and not state.withdrawn:
        raise refuse.UnitAlreadyEntered(articles.teams_per_unit, unit=form.team.unit, team=form.team.id)
    change = 0 if state.team is None else state.changes + 1
    return [_submitted(competition, form, change, articles.entries_close, by)]


def change(state: Entry, competition: Competition, form: Form, articles: Articles, by: str) -> Events:
    """A unit replaces its entry. Raises NoSuchEntry, EntryIsWithdrawn."""
    check_entered(state, competition.id, form.team.id)
    return [_submitted(competition, form, state.changes + 1, articles.entries_close, by)]


def withdraw(state: Entry, competition: Competition, team: str, reason: str, by: str) -> Events:
    """A unit takes its entry back. Raises NoSuchEntry, EntryIsWithdrawn."""
    check_entered(state, competition.id, team)
    return [
        EntryWithdrawn(regulation=competition.regulation, by=by, competition=competition.id, team=team, reason=reason)
    ]


def refuse_entry(state: Entry, competition: Competition, team: str, article: str, reason: str, by: str) -> Events:
    """The organiser does not take an entry that is not in order, also after the close. Raises NoSuchEntry,
    EntryIsWithdrawn, and what `_standing` does."""
    _standing(competition)
    check_entered(state, competition.id, team)
    return [
        EntryWithdrawn(
            regulation=competition.regulation,
            by=by,
            competition=competition.id,
            team=team,
            reason=reason,
            refused_by_article=article,
        )
    ]


def lapse_claim(state: Entry, competition: Competition, team: str, person: str, by: str) -> Events:
    """An entry that claimed a person was never finished; one that has the person stays as it is."""
    if state.has(person):
        return []
    return [ClaimLapsed(regulation=competition.regulation, by=by, competition=competition.id, team=team, person=person)]


class Confirmation(msgspec.Struct, frozen=True, kw_only=True):
    """What somebody says of a check that is open, and the article it is about."""

    looked: Looked
    holds: bool
    reason: str
    article: str


def confirm(state: Entry, competition: Competition, said: Confirmation, by: str) -> Events:
    """Somebody looked at what the form does not tell. Said before, it changes nothing. Raises NoSuchEntry,
    EntryIsWithdrawn, and what `_standing` does."""
    _standing(competition)
    if state.confirmed.get(said.looked) is said.holds:
        return []
    return [
        EligibilityConfirmed(
            regulation=competition.regulation,
            by=by,
            competition=competition.id,
            team=state.team.id if state.team else "",
            person=said.looked.person,
            rule=said.looked.rule,
            code=said.looked.code,
            holds=said.holds,
            reason=said.reason,
            article=said.article,
        )
    ]


def consent(state: Entry, competition: Competition, member: Member, reason: str, article: str, by: str) -> Events:
    """The chief referee lets one play who is not on the form. Raises what `_standing` does."""
    _standing(competition)
    return [
        PlayerConsented(
            regulation=competition.regulation,
            by=by,
            competition=competition.id,
            team=state.team.id if state.team else "",
            member=member,
            reason=reason,
            article=article,
        )
    ]


class Receipt(msgspec.Struct, frozen=True, kw_only=True):
    """A paper as it reached the desk; how, media, size and sha256 as DocumentReceived has them."""

    kept: Kept
    how: Literal["paper", "file"]
    seal: bool
    article: str
    received_at: datetime
    reason: str = ""
    media: str = ""
    size: int = 0
    sha256: str = ""


def receive(state: Entry, competition: Competition, receipt: Receipt, now: datetime, by: str) -> Events:
    """A paper reached the desk; the same file again changes nothing. Raises NoSuchEntry, EntryIsWithdrawn,
    ReceivedLater, EarlierReceiptNeedsReason, and what `_standing` does."""
    _standing(competition)
    if receipt.received_at > now:
        raise refuse.ReceivedLater("/received_at", given=receipt.received_at, zone=competition.zone)
    if receipt.received_at < now and not receipt.reason:
        raise refuse.EarlierReceiptNeedsReason("/reason")
    before = state.papers.get(receipt.kept)
    if before is not None and before.rejected is None and receipt.sha256 and receipt.sha256 == before.received.sha256:
        return []
    return [
        DocumentReceived(
            regulation=competition.regulation,
            by=by,
            competition=competition.id,
            team=state.team.id if state.team else "",
            person=receipt.kept.person,
            document=receipt.kept.document,
            how=receipt.how,
            seal=receipt.seal,
            media=receipt.media,
            size=receipt.size,
            sha256=receipt.sha256,
            received_at=receipt.received_at,
            reason=receipt.reason,
            article=receipt.article,
        )
    ]


def reject(state: Entry, competition: Competition, kept: Kept, reason: str, by: str) -> Events:
    """A paper does not do. Raises DocumentNotReceived, and what `_standing` does."""
    _standing(competition)
    paper = state.papers.get(kept)
    if paper is None or paper.rejected is not None:
        raise refuse.DocumentNotReceived("/document", document=kept.document)
    return [
        DocumentRejected(
            regulation=competition.regulation,
            by=by,
            competition=competition.id,
            team=state.team.id if state.team else "",
            person=kept.person,
            document=kept.document,
            reason=reason,
            article=paper.received.article,
        )
    ]


def check_entered(state: Entry, competition: str, team: str) -> Team:
    """The team of an entry that stands. Raises NoSuchEntry, EntryIsWithdrawn."""
    if state.team is None:
        raise refuse.NoSuchEntry(competition=competition, team=team)
    if state.withdrawn:
        raise refuse.EntryIsWithdrawn(team=team)
    return state.team


def _submitted(competition: Competition, form: Form, change: int, article: str, by: str) -> EntrySubmitted:
    return EntrySubmitted(
        regulation=competition.regulation,
        by=by,
        competition=competition.id,
        team=form.team,
        members=form.members,
        change=change,
        article=article,
        number=form.number,
        unit_kind=form.unit_kind,
        retirees=form.retirees,
    )


# An import


class Import(msgspec.Struct, frozen=True, kw_only=True):
    """An import as its stream tells it; no teams while it was never made."""

    teams: tuple[str, ...] = ()
    reversed: bool = False


def evolve_import(state: Import, event: Any) -> Import:
    """Fold one event of an import's stream."""
    match event:
        case EntriesImported():
            return Import(teams=event.teams)
        case ImportReversed():
            return msgspec.structs.replace(state, reversed=True)
    raise TypeError(f"no fold for {type(event).__name__}")


IMPORT: Model[Import] = Model(lambda _stream: Import(), evolve_import)


def imported(competition: Competition, id: str, forms: Sequence[Form], article: str, by: str) -> Events:
    """Entries were read from a sheet."""
    return [
        EntriesImported(
            regulation=competition.regulation,
            by=by,
            competition=competition.id,
            id=id,
            teams=tuple(form.team.id for form in forms),
            persons=sum(len(form.members) for form in forms),
            article=article,
        )
    ]


def check_reversible(state: Import, competition: str, id: str) -> None:
    """Whether an import can be taken back. Raises NoSuchImport, ImportReversedAlready."""
    if not state.teams:
        raise refuse.NoSuchImport(competition=competition, id=id)
    if state.reversed:
        raise refuse.ImportReversedAlready(id=id)


def reverse(state: Import, competition: Competition, id: str, kept: Sequence[str], reason: str, by: str) -> Events:
    """An import is taken back, but for entries that were changed since. Raises what `check_reversible` does."""
    check_reversible(state, competition.id, id)
    return [
        ImportReversed(
            regulation=competition.regulation,
            by=by,
            competition=competition.id,
            id=id,
            teams=tuple(team for team in state.teams if team not in kept),
            kept=tuple(kept),
            reason=reason,
        )
    ]


# A person's erasure


class Erasure(msgspec.Struct, frozen=True, kw_only=True):
    """What was decided about erasing a person; nobody asked while requested_by is empty."""

    requested_by: str = ""
    reason: str = ""
    erased: bool = False


def evolve_erasure(state: Erasure, event: Any) -> Erasure:
    """Fold one event of a person's stream."""
    match event:
        case ErasureRequested():
            return Erasure(requested_by=event.by, reason=event.reason)
        case PersonErased():
            return msgspec.structs.replace(state, erased=True)
    raise TypeError(f"no fold for {type(event).__name__}")


DecideErasure = Callable[[Erasure], Events]
ERASURE: Model[Erasure] = Model(lambda _stream: Erasure(), evolve_erasure)


def person_stream(person: str) -> str:
    """The stream of what was decided about a person."""
    return f"person/{person}"


def request_erasure(state: Erasure, competition: Competition, person: str, reason: str, by: str) -> Events:
    """A person asks to be erased, and somebody enters it. Raises PersonIsErased, ErasureRequestedAlready."""
    if state.erased:
        raise refuse.PersonIsErased(person=person)
    if state.requested_by:
        raise refuse.ErasureRequestedAlready(by=state.requested_by)
    return [
        ErasureRequested(
            regulation=competition.regulation, by=by, competition=competition.id, person=person, reason=reason
        )
    ]


def check_erasable(state: Erasure, person: str, by: str) -> None:
    """Whether this account may confirm. Raises ErasureNotRequested, PersonIsErased, SecondPersonNeeded."""
    if state.erased:
        raise refuse.PersonIsErased(person=person)
    if not state.requested_by:
        raise refuse.ErasureNotRequested(person=person)
    if state.requested_by == by:
        raise refuse.SecondPersonNeeded(by=by)


def erase(state: Erasure, competition: Competition, person: str, persons: Sequence[str], by: str) -> Events:
    """Another person has confirmed it, and the keys are gone. Raises what `check_erasable` does."""
    check_erasable(state, person, by)
    return [
        PersonErased(
            regulation=competition.regulation,
            by=by,
            competition=competition.id,
            person=person,
            persons=tuple(persons),
            requested_by=state.requested_by,
            reason=state.reason,
        )
    ]


# Access to personal data


class Access(msgspec.Struct, frozen=True):
    """How often one account read personal data of a competition."""

    times: int = 0


def evolve_access(state: Access, event: Any) -> Access:
    """Fold one event of an account's accesses."""
    match event:
        case PersonalDataRead():
            return Access(state.times + 1)
    raise TypeError(f"no fold for {type(event).__name__}")


ACCESS: Model[Access] = Model(lambda _stream: Access(), evolve_access)


def access_stream(competition: str, who: str) -> str:
    """The stream of one account's accesses in a competition; `who` names the account without saying it."""
    return f"access/{competition}/{who}"
