"""What every event says, and the values that several services speak of."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

Pair = Literal["13", "24"]


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


class HandFacts(msgspec.Struct, frozen=True, kw_only=True):
    """A hand as it was played: who dealt as they sat, the attackers' points with kitty and without penalties, the
    trump suit and the levels as played where the referee entered them."""

    dealer: int
    points: int
    trump: str | None = None
    levels: dict[str, str] | None = None


class Remedy(msgspec.Struct, frozen=True, kw_only=True):
    """What a decision does to a match. Which fields are set depends on `kind`: correct_hand (hand, facts), annul_hand
    (hand), impose_penalty (hand, pair, code, cards), lift_penalty (penalty), award_match (team), replay_match,
    disqualify_team (team), none."""

    kind: Literal[
        "correct_hand",
        "annul_hand",
        "impose_penalty",
        "lift_penalty",
        "award_match",
        "replay_match",
        "disqualify_team",
        "none",
    ]
    hand: int | None = None
    facts: HandFacts | None = None
    penalty: str | None = None
    pair: Pair | None = None
    code: str | None = None
    cards: int | None = None
    team: str | None = None


class LaterRounds(msgspec.Struct, frozen=True, kw_only=True):
    """What happens to later rounds that rest on a changed match: they stand, or are played again from a round on."""

    choice: Literal["let_stand", "replay_from"]
    round: int | None = None


Changes = dict[str, Any]
"""Regulation values that the organiser set otherwise, by dotted key."""
