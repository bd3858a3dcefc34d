"""What a breach costs, and until when it can be charged."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from shared.rules.basis import Ruled
from shared.rules.regulations.preset.values import Count, Positive, Span

Effect = Literal[
    "deal_lost",
    "deal_or_level",
    "random_card_back",
    "put_right",
    "cards_drawn",
    "penalty_card",
    "warning",
    "reshuffle",
]
"""What a penalty costs besides points: deal_lost 倒庄; deal_or_level 对手上庄，已坐庄的升一级; random_card_back
抽回一张; put_right 改正; cards_drawn 抽牌; penalty_card 罚张; warning 警告; reshuffle 重洗. Only the first two change
the sum of a hand."""


class LevelsPer(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The other side also gains a level for each full `points` of the attackers, at most `most`."""

    points: Positive
    most: Positive


class Halves(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Match points in half points, from `least` to `most`."""

    least: Positive
    most: Positive


class Charge(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The price of a penalty.

    formula: `points` once an occasion, or for each card counted; `referee`: a warning, or match points within `halves`
    as the referee enters them, with a compensation to the opponents where `compensation` allows one. counts: which
    cards of a wrong play a price per card counts, all of them or those that are wrong or missing; leeway: the points
    that the referee may set in place of `points`, once an occasion or a card, null where the article leaves no room;
    offender: who can do it, the dealer side alone where it is about the cards that it buries.
    """

    formula: Literal["fixed", "per_card", "referee"]
    points: Count
    effects: tuple[Effect, ...] = ()
    levels_per: LevelsPer | None = None
    halves: Halves | None = None
    compensation: bool = False
    counts: Literal["play", "wrong"] = "play"
    leeway: Span | None = None
    offender: Literal["any", "dealers"] = "any"


class Claims(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Until when a breach can be charged, and what its points are taken from.

    penalty_sign: the hand's points, against the offender, or the match points; moved_deal `points_decide`: when a
    penalty moves the deal the hand is played out and its corrected points give levels, `nobody_gains`: they give none;
    below_zero: whether match points may go below zero.
    """

    until: Ruled[Literal["next_hand_drawn"]]
    penalty_sign: Ruled[Literal["against_offender", "match_points"]]
    moved_deal: Ruled[Literal["nobody_gains", "points_decide"]]
    below_zero: Ruled[bool]
    later_hands: Ruled[Literal["stand_as_played"]]
