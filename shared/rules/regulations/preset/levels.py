"""Levels gained from the attackers' points."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from shared.rules.basis import Ruled
from shared.rules.regulations.preset.values import Count, Level, Positive


class DealerBand(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The dealer side gains `gain` levels when the attackers hold at most `up_to` points."""

    up_to: int
    gain: Positive


class AttackerBand(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The deal falls and the attackers gain `gain` levels from `points` points on."""

    points: int
    gain: Count


class Beyond(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """And `gain` more for each full `step` points above `above`."""

    above: int
    step: Positive
    gain: Positive


class LevelTable(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Levels gained from the attackers' points, and what bounds them.

    must_play: levels at which a climb stops; attackers_at_must_play `none`: a side standing there gains only as dealer;
    past_top: what a dealer at the top who gains does; caps null: no cap; point_step: points are its multiples;
    points_from: the least that attackers can hold, null where penalties take points.
    """

    dealer_bands: Ruled[tuple[DealerBand, ...]]
    attacker_bands: Ruled[tuple[AttackerBand, ...]]
    beyond: Ruled[Beyond | None]
    dealer_cap: Ruled[Positive | None]
    attacker_cap: Ruled[Positive | None]
    must_play: Ruled[tuple[Level, ...]]
    attackers_at_must_play: Ruled[Literal["none", "table"]]
    past_top: Ruled[Literal["win", "wrap"]]
    point_step: Ruled[Positive]
    points_from: Ruled[int | None]
