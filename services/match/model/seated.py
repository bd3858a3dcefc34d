"""How the two teams of a match sit, and what its round says of it."""

from __future__ import annotations

import msgspec

from shared.contracts.fact import Changes, Remedy, Team
from shared.rules.formats.stages import CARDS
from shared.rules.shengji.facts import Pair

SIDES: tuple[Pair, Pair] = ("13", "24")
"""The pairs as the two teams of a match sit."""


class Seated(msgspec.Struct, frozen=True, kw_only=True):
    """A match as the pairing seats it: the first team as pair 13."""

    match: str
    table: int
    teams: tuple[str, str]


class Seat(msgspec.Struct, frozen=True, kw_only=True):
    """What the rounds stream says of a match: who sits where, how often its round was reopened for it, whether that
    was to play it again, the rulings on it, whether time was called since it began, whether somebody must win, which
    event it is of (the cards, or one of the boards), and how many hands beyond the regulation's number were ordered;
    `minutes` is how long it is played, None where the clock does not end it, `level_stage` what the level rules of 掼蛋
    ask; `call` counts the time calls of its round that were lifted, and the one that holds or is to come."""

    competition: str
    regulation: str
    changes: Changes
    round: int
    seated: Seated
    teams: tuple[Team, Team]
    opening: int
    replay: bool
    rulings: tuple[Remedy, ...]
    time_called: bool
    decisive: bool = False
    event: str = CARDS
    extra_hands: int = 0
    minutes: int | None = None
    level_stage: str | None = None
    call: int = 1
