"""What every event says, and the values that several services speak of."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from shared.rules.guandan.sheet import FinishFacts as FinishFacts
from shared.rules.regulations.preset import Way
from shared.rules.shengji.facts import Pair as Pair
from shared.rules.shengji.remedies import Remedy as Remedy
from shared.rules.shengji.sheet import HandFacts as HandFacts


class Fact(msgspec.Struct, frozen=True, kw_only=True):
    """An event. `regulation` is the preset it was decided under, as `name/version`; `by` is the account that did it,
    as its token names it (or `policy:…`)."""

    regulation: str
    by: str


class Team(msgspec.Struct, frozen=True):
    """A team as everyone may know it: id (unique in its competition), name and unit."""

    id: str
    name: str
    unit: str


class MatchResult(msgspec.Struct, frozen=True, kw_only=True):
    """What a match came to: `teams` in seating order (the first sits 1 and 3), match points of each, levels reached
    (None where none was played), `how` it was decided, and the status that standings count it by."""

    match: str
    table: int
    teams: tuple[str, str]
    points: tuple[int, int]
    levels: tuple[str, str] | None
    how: str
    status: Literal["played", "forfeit", "unfinished", "cancelled"]


class GameFacts(msgspec.Struct, frozen=True, kw_only=True):
    """A board game as it was played: the event, the team whose player had the colour that moves first, who won (None: a
    draw), how it ended, the seconds left to each where the clocks were noted, why it was adjudicated."""

    event: str
    first: str
    winner: str | None
    how: Way
    clocks: dict[str, int] | None = None
    note: str = ""


class Held(msgspec.Struct, frozen=True, kw_only=True):
    """What an entry that a device made, and perhaps held back for hours, says of itself: the table it is of and the
    regulation it was made under, which device, and when by that device's clock. The clock is recorded as it was said
    and never trusted."""

    competition: str
    round: int
    table: int
    regulation: str
    device: str = ""
    at: str = ""


class LaterRounds(msgspec.Struct, frozen=True, kw_only=True):
    """What happens to later rounds that rest on a changed match: they stand, or are played again from a round on."""

    choice: Literal["let_stand", "replay_from"]
    round: int | None = None


Changes = dict[str, Any]
"""Regulation values that the organiser set otherwise, by dotted key."""
