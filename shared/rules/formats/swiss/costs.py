"""What a pair costs: one exact integer in which an earlier cost outweighs all the later ones together.

1. meetings repeated: a pair costs the number of times it met              (no_rematch)
2. second byes: a team that had a bye costs one for another                (one_bye)
3. the points of the team with the bye, so that it goes to the lowest group that can take it   (lowest_bye)
4. the sum of the differences in points within the pairs, so that teams of the same points meet and least float
5. the sum of the squares of these differences, so that two short floats are better than a long one  (least_floats)
6. round 1 by halves: a pair out of one half
7. the squared distance in the order in which neighbours meet
8. a lot for every pair, drawn from the seed, so that one pairing is the best and anyone finds the same

That repeating a meeting is worse than a second bye, and costs 5 to 8, are our choice where the text is silent.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from shared.rules.formats.draws import keys
from shared.rules.formats.swiss.sheet import Sheet

_MOST_BITS = 120
"""The matching adds and doubles weights in 128 bits."""
_LOT_BITS = 40
"""Of the lot of a pair; fewer in a field so large that the other costs need the room."""

RULES = 5
"""How many of the costs, from the first on, are rules; the others only choose among pairings equal in these."""


class Costs:
    """The costs of pairs among some of a sheet's teams (`nodes`, rising; the last may be the missing opponent)."""

    def __init__(self, sheet: Sheet, nodes: Sequence[int]):
        self._sheet = sheet
        self._key = keys(sheet.seed, sheet.label)
        self._place = {node: place for place, node in enumerate(nodes)}
        room = self._room([node for node in nodes if node != sheet.bye], len(nodes))
        bits = [most.bit_length() for most in room]
        pairs = (len(nodes) // 2).bit_length()
        self._lot = max(0, min(_LOT_BITS, _MOST_BITS - sum(bits) - pairs))
        self._shifts = [*bits[1:], self._lot + pairs]
        assert sum(bits) + self._lot + pairs <= _MOST_BITS, "too many teams for exact weights"

    def of(self, one: int, two: int) -> int:
        """The cost of a pair as one integer; two may be the missing opponent."""
        total = 0
        for cost, shift in zip(self._list(one, two), self._shifts, strict=True):
            total = total + cost << shift
        return total + self._drawn(one, two)

    def _list(self, one: int, two: int) -> tuple[int, ...]:
        sheet, distance = self._sheet, self._place[one] - self._place[two]
        if two == sheet.bye:
            return 0, sheet.byes[one], sheet.points[one], 0, 0, 0, distance * distance
        apart = abs(sheet.points[one] - sheet.points[two])
        same_half = int(sheet.halves and (one - two) % 2 == 0)
        return sheet.met[one].get(two, 0), 0, 0, apart, apart * apart, same_half, distance * distance

    def _drawn(self, one: int, two: int) -> int:
        if not self._lot:
            return 0
        first, second = self._sheet.teams[one], self._sheet.teams[two] if two != self._sheet.bye else ""
        pair = f"{first}\n{second}" if first < second else f"{second}\n{first}"
        return int.from_bytes(self._key(pair)[:8], "big") >> 64 - self._lot

    def _room(self, teams: Sequence[int], nodes: int) -> tuple[int, ...]:
        """The most that each cost can sum to."""
        sheet, pairs = self._sheet, nodes // 2
        points = [sheet.points[team] for team in teams]
        widest = max(points, default=0) - min(points, default=0)
        met = max((times for team in teams for times in sheet.met[team].values()), default=0)
        return (
            pairs * met,
            max((sheet.byes[team] for team in teams), default=0),
            max(points, default=0),
            pairs * widest,
            pairs * widest * widest,
            pairs if sheet.halves else 0,
            pairs * nodes * nodes,
        )


def measure(sheet: Sheet, pairs: Iterable[tuple[int, int]]) -> tuple[int, ...]:
    """What the rules cost in all, in their order; two pairings equal in it keep the rules equally well."""
    sums = [0] * RULES
    for one, two in pairs:
        if two == sheet.bye:
            sums[1] += sheet.byes[one]
            sums[2] += sheet.points[one]
        else:
            apart = abs(sheet.points[one] - sheet.points[two])
            sums[0] += sheet.met[one].get(two, 0)
            sums[3] += apart
            sums[4] += apart * apart
    return tuple(sums)
