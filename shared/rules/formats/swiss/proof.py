"""The proof that teams cannot all be paired within a rule: a barrier, found by growing alternating trees.

J. Edmonds, "Paths, trees, and flowers" (1965): from a largest matching, trees are grown from the teams it leaves alone.
Teams at even depth and those of odd cycles (blossoms, shrunk to their base) are outer, the others reached are inner.
As no tree can be joined to another, the inner teams are a barrier: without them the outer ones fall into groups of odd
size that cannot meet each other, more groups than inner teams.
"""

from __future__ import annotations

from collections.abc import Sequence

import rustworkx

from shared.rules.formats.swiss.paired import Barrier
from shared.rules.formats.swiss.sheet import Sheet


def against_no_rematch(sheet: Sheet) -> Barrier | None:
    """Why somebody must meet again, whoever has the bye; None where nobody must."""
    return _barrier(sheet, _neighbours(sheet, rematches=False, bye_again=True))


def against_one_bye(sheet: Sheet) -> Barrier | None:
    """Why the bye must go to a team that had one, or somebody must meet again (after that: whoever meets again); None
    where a pairing gives it to another."""
    return _barrier(sheet, _neighbours(sheet, rematches=False, bye_again=False))


def against_one_bye_at_all(sheet: Sheet) -> Barrier | None:
    """Why the bye must go to a team that had one, even if teams meet again; None where a pairing gives it to another"""
    return _barrier(sheet, _neighbours(sheet, rematches=True, bye_again=False))


def _neighbours(sheet: Sheet, rematches: bool, bye_again: bool) -> list[set[int]]:
    """By team, whom it can meet within the rules; the missing opponent stands last."""
    everyone = set(range(len(sheet.teams)))
    may = [everyone - {team} - (sheet.banned[team] if rematches else sheet.blocked(team)) for team in sorted(everyone)]
    if sheet.odd:
        takers = everyone if bye_again else {team for team in everyone if not sheet.byes[team]}
        for team in takers:
            may[team].add(sheet.bye)
        may.append(takers)
    return may


def _barrier(sheet: Sheet, may: Sequence[set[int]]) -> Barrier | None:
    mates = _largest_matching(may)
    if len(mates) == len(may):
        return None
    forest = _Forest(may, mates)
    forest.grow()
    groups = _components(may, {team for team in range(len(may)) if forest.is_outer(team)})
    names = [*sheet.teams, None]
    return Barrier(
        without=tuple(names[team] for team in range(len(may)) if forest.is_inner(team)),
        groups=tuple(tuple(names[team] for team in group) for group in groups),
    )


def _largest_matching(may: Sequence[set[int]]) -> dict[int, int]:
    graph: rustworkx.PyGraph[int, int] = rustworkx.PyGraph()
    graph.add_nodes_from(list(range(len(may))))
    graph.add_edges_from([(one, two, 1) for one, others in enumerate(may) for two in others if one < two])
    matched = rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=int)
    return {one: two for pair in matched for one, two in (pair, pair[::-1])}


def _components(may: Sequence[set[int]], among: set[int]) -> list[list[int]]:
    left, groups = set(among), []
    while left:
        reached, waiting = set(), [min(left)]
        while waiting:
            team = waiting.pop()
            if team not in reached:
                reached.add(team)
                waiting += may[team] & left - reached
        left -= reached
        groups.append(sorted(reached))
    return groups


class _Forest:
    """Alternating trees over a largest matching."""

    def __init__(self, may: Sequence[set[int]], mates: dict[int, int]):
        self._may, self._mates = may, mates
        self._base = list(range(len(may)))
        self._parent: dict[int, int] = {}
        """Of a team first reached as inner: the outer team it was reached from."""
        self._outer = {team for team in range(len(may)) if team not in mates}
        self._waiting = sorted(self._outer)

    def is_outer(self, team: int) -> bool:
        return team in self._outer

    def is_inner(self, team: int) -> bool:
        return team in self._parent and team not in self._outer

    def grow(self) -> None:
        """Until nothing more is reached."""
        while self._waiting:
            team = self._waiting.pop()
            for other in sorted(self._may[team]):
                if self._base[team] == self._base[other] or self._mates.get(team) == other:
                    continue
                if other in self._outer:
                    self._shrink(team, other)
                elif other not in self._parent:
                    self._parent[other] = team
                    self._reach(self._mates[other])

    def _reach(self, team: int) -> None:
        if team not in self._outer:
            self._outer.add(team)
            self._waiting.append(team)

    def _shrink(self, one: int, two: int) -> None:
        """An odd cycle through both: its teams become outer, with the base where their ways to the root part."""
        way = self._to_root(one)
        base = next(team for team in self._to_root(two) if team in set(way))
        cycle = {base}
        for team in (one, two):
            while self._base[team] != base:
                inner = self._mates[self._base[team]]
                cycle |= {self._base[team], self._base[inner]}
                self._reach(inner)
                team = self._parent[inner]
        self._base = [base if old in cycle else old for old in self._base]

    def _to_root(self, team: int) -> list[int]:
        """The bases on the way from an outer team to the root of its tree."""
        way = [self._base[team]]
        while way[-1] in self._mates:
            way.append(self._base[self._parent[self._mates[way[-1]]]])
        return way
