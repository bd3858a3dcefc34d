"""One unit's entry: its form, its papers, what somebody looked at, and who was let in."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any, Literal

import msgspec

from services.registration import refusals as refuse
from services.registration.model.competitions import Competition, Events, _standing
from shared.contracts.fact import Team
from shared.contracts.registration import (
    ClaimLapsed,
    DocumentReceived,
    DocumentRejected,
    EligibilityConfirmed,
    EntrySubmitted,
    EntryWithdrawn,
    Member,
    PlayerConsented,
)
from shared.eventsourcing.handling import Model


def entry_stream(competition: str, team: str) -> str:
    """The stream of one unit's entry."""
    return f"entry/{competition}/{team}"


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
