"""The stages of a competition, and how rounds are paired."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from shared.rules.basis import Ruled
from shared.rules.regulations.preset.values import Positive

FirstRound = Literal["lot", "adjacent", "fold", "ends", "halves"]
"""How round 1 is paired; see `formats.swiss.first_round`."""


class Takes(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Who plays in a stage: all teams of `entries`, or those that an earlier stage leaves (`survivors`)."""

    stage: str
    who: Literal["all", "survivors"]


class Stage(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One stage of a competition.

    format: swiss; knockout, in each of the groups or zones; ladder: rounds of all that are left until so many are left
    in each zone; placement: a knock-out whose losers play on for every place; round_robin: everybody meets everybody.
    """

    format: Literal["swiss", "knockout", "ladder", "placement", "round_robin"]
    takes: Takes


class Draws(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How rounds are paired. first_round: by lot, or among the seeds by 邻近 (adjacent), 拦腰 (fold), 首尾 (ends) or
    上下半区 (halves); one_bye: at most one bye a team; no_rematch: nobody meets twice."""

    format: Ruled[Literal["swiss", "knockout", "zones_then_bracket"]]
    first_round: Ruled[FirstRound]
    no_rematch: Ruled[bool]
    one_bye: Ruled[bool]


class Knockout(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The terms of a knock-out.

    size: the bracket; byes: how they are given; keep_units_apart: as long as the numbers allow; third_place: the losers
    of the semi-finals play for third; zones: in which the first stage is played, the pairs of a team drawn into
    different ones; zone_survivors: how many go on from each, null with one stage; second_stage: what they play.
    """

    size: Ruled[Literal["power_of_two"]]
    byes: Ruled[Literal["seed_then_lot", "lot"]]
    keep_units_apart: Ruled[bool]
    third_place: Ruled[bool]
    zones: Ruled[tuple[str, ...]]
    zone_survivors: Ruled[Positive | None]
    second_stage: Ruled[Literal["placement_bracket"] | None]
