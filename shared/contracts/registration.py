"""Events of registration. Streams: `competition/<id>`, `entry/<competition>/<team>`."""

from __future__ import annotations

from datetime import date, datetime
from typing import Literal

import msgspec

from shared.contracts.fact import Changes, Fact, Team


class Member(msgspec.Struct, frozen=True, kw_only=True):
    """A person of a team: an id without meaning, the part they play, and their personal fields (name, birth date,
    phone …) encrypted with a key of their own. Erase the key and the person is gone; every hash still holds."""

    person: str
    part: Literal["player", "leader", "coach"]
    sealed: str


class CompetitionAnnounced(Fact, frozen=True, kw_only=True):
    """A competition is announced from a regulation. `changes` are the regulation's values that the organiser set
    otherwise; all else is as the preset with this digest has it. Dates are this competition's own."""

    competition: str
    name: str
    regulation_digest: str
    changes: Changes
    place: str
    plays_from: date
    plays_to: date
    entries_close: datetime
    zone: str


class CompetitionAmended(Fact, frozen=True, kw_only=True):
    """Name, place or dates were changed: the fields before and after, and why."""

    competition: str
    before: dict[str, str]
    after: dict[str, str]
    reason: str


class CompetitionCancelled(Fact, frozen=True, kw_only=True):
    """The competition will not be held, or not be finished."""

    competition: str
    reason: str


class EntriesOpened(Fact, frozen=True, kw_only=True):
    """Units may enter until `closes_at`, that instant included."""

    competition: str
    closes_at: datetime
    article: str


class EntrySubmitted(Fact, frozen=True, kw_only=True):
    """A unit enters a team, or changes its entry (`change` counts from 0)."""

    competition: str
    team: Team
    members: tuple[Member, ...]
    change: int
    article: str


class EntryWithdrawn(Fact, frozen=True, kw_only=True):
    """A unit takes its entry back before entries close."""

    competition: str
    team: str
    reason: str


class EntriesClosed(Fact, frozen=True, kw_only=True):
    """No entry is taken or changed from here on. `reason` says why, where that was before the deadline."""

    competition: str
    closed_at: datetime
    reason: str
    article: str


EVENTS: tuple[type[Fact], ...] = (
    CompetitionAnnounced,
    CompetitionAmended,
    CompetitionCancelled,
    EntriesOpened,
    EntrySubmitted,
    EntryWithdrawn,
    EntriesClosed,
)
