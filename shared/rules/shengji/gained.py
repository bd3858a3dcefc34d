"""Matches in which each level gained is a point (shandong-2023 八.12 and 八.13)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction

from shared.rules.regulations.preset import Preset
from shared.rules.shengji.facts import Pair
from shared.rules.shengji.match import MatchSummary
from shared.rules.shengji.referee import RefereePrice

_OTHER: dict[Pair, Pair] = {"13": "24", "24": "13"}


def gained(tables: Sequence[MatchSummary], fouls: Iterable[tuple[Pair, RefereePrice]] = ()) -> dict[Pair, Fraction]:
    """The match points of both teams, whose pairs sit alike at every table.

    tables: each table's hands; fouls: who offended, and how the referee priced it. Totals may be below zero.
    """
    points = {pair: Fraction(0) for pair in _OTHER}
    for row in [row for table in tables for row in table.rows if row.counted]:
        points[row.dealer_pair] += row.dealer_gain
        points[_OTHER[row.dealer_pair]] += row.attacker_gain
    for pair, foul in fouls:
        points[pair] -= Fraction(foul.lost, 2)
        points[_OTHER[pair]] += Fraction(foul.compensation, 2)
    return points


def hands_left(preset: Preset, tables: Sequence[MatchSummary], points: dict[Pair, Fraction]) -> int:
    """How many hands are still to be played at the table that has most left; 0 when the match is over.

    With equal points after the last hand one more is played until decided (assumed). 0 for a match that ends by time.
    """
    due = preset.match.hands.value
    if due is None:
        return 0
    left = max((max(due - len(table.rows), 0) for table in tables), default=due)
    if left or preset.match.equal.value != "extra_hand":
        return left
    return 1 if points["13"] == points["24"] else 0
