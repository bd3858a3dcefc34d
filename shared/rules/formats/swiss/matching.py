"""The cheapest way to pair teams: one maximum-weight matching, exact however large the field.

Who of a large group of equal points meets whom within it costs nothing, so the matching need not see the whole group.
Let nobody be blocked (met before, or banned) from more than d teams. In any cheapest pairing at most k = 4d + 3 of a
group meet somebody outside it: of 2d + 2 that float the same way two could meet each other, and their opponents too,
which costs less; 2d + 1 may float up, as many down, and one may have the bye. Any of those may be exchanged, at no
cost, for another of the group that is not blocked from the opponent. So let a *core* of every group have 6d + 5 teams,
among them the k + 1 with fewest byes: all that meet somebody outside may stand in it (k + d + 1 leave one unblocked),
and what is left of it, 2d + 2 at least, can be paired within itself, as can the rest of the group: of m teams of which
nobody is blocked from m/2 or more, all can be paired (G. A. Dirac, 1952). The cheapest pairing of the cores is thus, in
costs 1 to 5, the cheapest of all; the rest of each group meets among itself, the nearest lots in blocks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

import rustworkx

from shared.rules.errors import PairingRefused
from shared.rules.formats.swiss.costs import Costs
from shared.rules.formats.swiss.sheet import Sheet

Pairs = list[tuple[int, int]]

WHOLE = 150
"""Up to so many teams the matching sees all of them, so that costs 6 to 8 too are the least of all."""
_BLOCK = 16


def cheapest(sheet: Sheet) -> Pairs:
    """The pairs of the cheapest pairing, each with the lower index first; the missing opponent is the higher.

    Raises PairingRefused `pairing_impossible` when every way has a banned pair.
    """
    core, rest = (set(range(len(sheet.teams))), []) if len(sheet.teams) <= WHOLE else cores(sheet)
    nodes = sorted(core) + ([sheet.bye] if sheet.odd else [])
    pairs = _match(sheet, nodes, lambda one, two: two == sheet.bye or two not in sheet.banned[one])
    if pairs is None:
        raise PairingRefused(
            "pairing_impossible",
            f"every pairing of these {len(sheet.teams)} teams has a forbidden pair",
            f"这 {len(sheet.teams)} 队无论怎样编排都有被禁止的对阵",
        )
    for block in rest:
        within = _match(sheet, block, lambda one, two: two not in sheet.blocked(one))
        assert within is not None, "a block is large enough for Dirac's theorem"
        pairs += within
    return sorted(pairs)


def cores(sheet: Sheet) -> tuple[set[int], list[list[int]]]:
    """The teams that the matching must see, and the others in blocks that are paired within themselves."""
    most = sheet.most_blocked
    core: set[int] = set()
    blocks: list[list[int]] = []
    for group in _groups(sheet):
        size = 6 * most + 5
        size += (len(group) - size) % 2
        if len(group) < size + 2 * most + 2:
            core.update(group)
            continue
        chosen = sorted(group, key=lambda team: (sheet.byes[team], -team))[:size]
        core.update(chosen)
        blocks += _blocks(sorted(set(group) - set(chosen)), max(2 * most + 2, _BLOCK))
    return core, blocks


def _groups(sheet: Sheet) -> Iterable[list[int]]:
    groups: dict[int, list[int]] = {}
    for team, points in enumerate(sheet.points):
        groups.setdefault(points, []).append(team)
    return groups.values()


def _blocks(teams: list[int], size: int) -> Iterator[list[int]]:
    """Neighbours by so many (an even number), the last block taking what is left over."""
    count = max(1, len(teams) // size)
    for number in range(count):
        yield teams[number * size : (number + 1) * size if number < count - 1 else None]


def _match(sheet: Sheet, nodes: Sequence[int], may: Callable[[int, int], bool]) -> Pairs | None:
    """The cheapest pairs of all the nodes (rising), None when they cannot all be paired."""
    costs = Costs(sheet, nodes)
    edges = [
        (i, j, -costs.of(one, two))
        for i, one in enumerate(nodes)
        for j, two in enumerate(nodes[i + 1 :], i + 1)
        if may(one, two)
    ]
    graph: rustworkx.PyGraph[int, int] = rustworkx.PyGraph()
    graph.add_nodes_from(nodes)
    graph.add_edges_from(edges)
    matched = rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=int)
    if 2 * len(matched) != len(nodes):
        return None
    return [(nodes[min(pair)], nodes[max(pair)]) for pair in matched]
