"""Results of the engine as JSON objects with the fields of RECORDS."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from shared.rules.shengji.irregularities import Irregularity
from shared.rules.shengji.kitty import KittyCredit
from shared.rules.shengji.levels import LevelChange
from shared.rules.shengji.replay import Replayed


def replayed_told(replayed: Replayed) -> dict[str, Any]:
    """A replayed hand: the answer of `replay`."""
    kitty, change = replayed.kitty, replayed.level_change
    return {
        "complete": replayed.complete,
        "tricks": [
            {"winner": trick.winner, "points": trick.points, "attacker_points": trick.attacker_points}
            for trick in replayed.tricks
        ],
        "kitty": None if kitty is None else credit_told(kitty),
        "irregularities": [irregularity_told(breach) for breach in replayed.irregularities],
        "attacker_points": replayed.attacker_points,
        "level_change": None if change is None else change_told(change),
    }


def irregularity_told(breach: Irregularity) -> dict[str, Any]:
    """A breach; `withheld`, `lost` and `compensation` only where there are any, `changed` only where the organiser
    changed its price."""
    told: dict[str, Any] = {
        "code": breach.code,
        "seat": breach.seat,
        "trick": breach.trick,
        "discovered_at": breach.discovered_at,
        "cards": breach.cards,
        "article": breach.article,
        "mark": breach.mark,
        "penalty_points": breach.penalty_points,
        "also": list(breach.also),
    }
    if breach.changed:
        told["changed"] = True
    if breach.withheld is not None:
        told["withheld"] = breach.withheld
    if breach.lost:
        told["lost"] = points_told(breach.lost)
    if breach.compensation:
        told["compensation"] = points_told(breach.compensation)
    return told


def points_told(halves: int) -> int | str:
    """Half match points as match points: an integer, or a fraction as text."""
    points = Fraction(halves, 2)
    return points.numerator if points.denominator == 1 else str(points)


def credit_told(credit: KittyCredit) -> dict[str, Any]:
    """What the kitty brought."""
    return {"multiplier": credit.multiplier, "points": credit.points, "to": credit.to}


def change_told(change: LevelChange) -> dict[str, Any]:
    """A change of levels."""
    return {
        "dealer_gain": change.dealer_gain,
        "attacker_gain": change.attacker_gain,
        "deal": change.deal,
        "dealer_level": change.dealer_level,
        "attacker_level": change.attacker_level,
        "won_by": change.won_by,
    }
