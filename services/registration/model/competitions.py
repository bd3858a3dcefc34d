"""A competition, pure: what its own stream tells, what may happen to it, and what has."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, datetime
from typing import Any, Literal
from zoneinfo import ZoneInfo

import msgspec

from services.registration import refusals as refuse
from services.registration.forms import unit_key
from shared.contracts.fact import Changes, Fact
from shared.contracts.registration import (
    CompetitionAmended,
    CompetitionAnnounced,
    CompetitionCancelled,
    EntriesClosed,
    EntriesOpened,
    GraceGranted,
    MeetingAttended,
    NamesPublished,
)
from shared.eventsourcing.handling import Model
from shared.rules.deadlines import in_time

Events = Sequence[Fact]
Names = Literal["none", "masked", "full"]
"""What public pages show of players' names."""


def competition_stream(competition: str) -> str:
    """The stream of a competition's own facts."""
    return f"competition/{competition}"


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
