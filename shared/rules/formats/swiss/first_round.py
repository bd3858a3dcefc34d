"""Round 1, in which all have the same points: who is to meet whom, as an order in which neighbours meet.

| method   | name     | of 1 … 8 meet                                                           |
|----------|----------|-------------------------------------------------------------------------|
| lot      | 抽签     | 1-2, 3-4, 5-6, 7-8 of the lots                                          |
| adjacent | 邻近     | 1-2, 3-4, 5-6, 7-8 of the seeds                                         |
| fold     | 拦腰     | 1-5, 2-6, 3-7, 4-8 of the seeds                                         |
| ends     | 首尾     | 1-8, 2-7, 3-6, 4-5 of the seeds                                         |
| halves   | 上下半区 | the upper half of the seeds against the lower, by lot within each half  |

Seeds come before teams without one, and these follow in the order of lots; of an odd number the last has the bye.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

from shared.rules.formats.competition import Competition
from shared.rules.regulations.preset import FirstRound


def meeting_order(method: FirstRound, competition: Competition, lots: Sequence[str]) -> list[str]:
    """The teams, given in the order of lots, in the order in which neighbours are to meet."""
    if method == "lot":
        return list(lots)
    ranked = by_seed(competition, lots)
    if method == "adjacent":
        return ranked
    half = len(ranked) // 2
    upper, lower, last = ranked[:half], ranked[half : 2 * half], ranked[2 * half :]
    if method == "ends":
        lower = lower[::-1]
    if method == "halves":
        upper, lower = ([team for team in lots if team in set(part)] for part in (upper, lower))
    return [*chain.from_iterable(zip(upper, lower, strict=True)), *last]


def by_seed(competition: Competition, lots: Sequence[str]) -> list[str]:
    """The teams with a seed by it, then the others in the order of lots."""
    seeds = {team.id: team.seed for team in competition.teams if team.seed is not None}
    place = {team: place for place, team in enumerate(lots)}
    return sorted(lots, key=lambda team: (team not in seeds, seeds.get(team, 0), place[team]))
