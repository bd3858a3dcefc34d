"""One match: what ends it, and the match points it gives."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from shared.rules.basis import Ruled
from shared.rules.regulations.preset.values import Count, Level, Positive


class MatchPoints(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Match points a team gets."""

    win: Ruled[Count]
    draw: Ruled[Count]
    loss: Ruled[Count]
    bye: Ruled[Count]
    double_absence: Ruled[Count]


class RoundsBand(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """rounds are played when at most up_to teams entered; up_to null: any number."""

    up_to: Positive | None
    rounds: Positive


class Match(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One match.

    ends: by the clock after `minutes`, or after `hands` hands at each of `tables` tables, the other being null;
    unfinished_hand: what becomes of a hand when time is called, and hand_begun from what on it is one; scores: match
    points by who is ahead, or a point for each level gained; equal: a draw, a win for the side that is to deal next, or
    one more hand until decided; rounds null: the format decides; play_seconds: how long a play may take, null or left
    out without such a limit; confirm_minutes: how long after its closing both pairs have to confirm a match, left out
    where nobody waits for it.
    """

    ends: Ruled[Literal["time", "hands"]]
    minutes: Ruled[Positive | None]
    hands: Ruled[Positive | None]
    tables: Ruled[Literal[1, 2]]
    start_level: Ruled[Level]
    unfinished_hand: Ruled[Literal["discard", "finish"]]
    hand_begun: Ruled[Literal["first_card_drawn", "play_or_burying"]]
    scores: Ruled[Literal["by_result", "levels_gained"]]
    equal: Ruled[Literal["draw", "next_dealer_wins", "extra_hand"]]
    points: MatchPoints
    forfeit: Ruled[Literal["win_and_loss"]]
    win_taken_away: Ruled[Literal["levels_reached"]]
    rounds: Ruled[tuple[RoundsBand, ...] | None]
    play_seconds: Ruled[Positive | None] | None = None
    confirm_minutes: Ruled[Positive] | None = None
