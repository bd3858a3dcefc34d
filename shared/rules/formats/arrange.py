"""Who is drawn into which part and which seat: byes spread evenly, and teams of one unit kept apart.

Seats are a power of two, neighbours meeting, then the winners of neighbours; a *block* of 2, 4, 8, … seats is what
sends one team on. Two teams meet the later the larger the smallest block that holds both.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Mapping, Sequence
from heapq import heapify, heappop, heappush
from itertools import combinations

from msgspec import Struct

from shared.rules.formats.draws import shuffle

Seats = tuple[str | None, ...]


class Entrant(Struct, frozen=True):
    """A team in a draw; seed: its place among the seeded, 1 the strongest."""

    team: str
    unit: str = ""
    seed: int | None = None


class NotKept(Struct, frozen=True, kw_only=True):
    """Teams of one unit that stand in one block: `block` seats, of which one goes on; 0 where they share a part."""

    unit: str
    teams: tuple[str, ...]
    part: str
    block: int


def parts_of(
    entrants: Sequence[Entrant], parts: Sequence[str], seed: bytes, label: str, apart: bool
) -> dict[str, tuple[Entrant, ...]]:
    """The entrants in parts (zones, groups) of sizes that differ by one at most.

    apart: each unit too is spread over the parts as evenly as it goes; the parts in their order take one team in turn,
    first of the unit whose lot is best. Otherwise the lots alone say who is where.
    """
    order = _by_lot(entrants, seed, label)
    if apart:
        units = shuffle(seed, f"{label} units", {_key(one) for one in order})
        place = {unit: n for n, unit in enumerate(units)}
        order = sorted(order, key=lambda one: place[_key(one)])
    return {part: tuple(order[n :: len(parts)]) for n, part in enumerate(parts)}


def seats_of(entrants: Sequence[Entrant], seed: bytes, label: str, apart: bool) -> Seats:
    """The entrants in a bracket of the least power of two of seats.

    Ranked by seed, then by lot, 1 meets the last, 2 the last but one, and so on, as in a bracket of seeds: so the first
    have the byes, spread evenly over the blocks. apart: teams without a seed change seats so that the units are spread
    over the halves, then over the halves of each, as evenly as it goes. Without seeds no other way to fill the seats
    keeps units better apart; with them, none keeps the halves better (`closeness`).
    """
    ranked = [*sorted((one for one in entrants if one.seed is not None), key=_seed), *_by_lot(entrants, seed, label)]
    ranked = list(dict.fromkeys(ranked))
    size = 1 << max(len(ranked) - 1, 0).bit_length()
    order = _standard(size)
    seats = [ranked[rank - 1] if rank <= len(ranked) else None for rank in order]
    if apart:
        pinned = {n: one for n, one in enumerate(seats) if one is not None and one.seed is not None}
        free = [n for n, one in enumerate(seats) if one is not None and one.seed is None]
        movable = [one for one in ranked if one.seed is None]
        seats = [None] * size
        _spread(seats, 0, size, pinned, free, movable)
    return tuple(one.team if one is not None else None for one in seats)


def not_kept(seats: Seats, part: str, units: Mapping[str, str]) -> list[NotKept]:
    """Where teams of one unit stand closer than the number of the unit's teams in this bracket alone demands.

    Of m teams some two share a block of size / 2^j seats exactly when m > 2^j; a smaller block that holds two is told.
    """
    teams: dict[str, list[int]] = {}
    for seat, team in enumerate(seats):
        if team is not None and units.get(team):
            teams.setdefault(units[team], []).append(seat)
    told = []
    for unit, places in teams.items():
        needed = len(seats) >> (len(places) - 1).bit_length() - 1 if len(places) > 1 else 0
        for one, two in combinations(places, 2):
            if (block := 1 << (one ^ two).bit_length()) < needed or block == 2:
                told.append(NotKept(unit=unit, teams=(str(seats[one]), str(seats[two])), part=part, block=block))
    return told


def closeness(seats: Seats, units: Mapping[str, str]) -> tuple[int, ...]:
    """How many pairs of one unit share a block of half the seats, of a quarter, … of two: what a draw keeps least, the
    first that differs deciding."""
    seated = [(seat, units[team]) for seat, team in enumerate(seats) if team is not None and units.get(team)]
    blocks = [(one ^ two).bit_length() for (one, unit), (two, other) in combinations(seated, 2) if unit == other]
    depth = (len(seats) - 1).bit_length()
    return tuple(sum(1 for block in blocks if block <= level) for level in range(depth - 1, 0, -1))


def _spread(
    seats: list[Entrant | None],
    start: int,
    size: int,
    pinned: Mapping[int, Entrant],
    free: Sequence[int],
    movable: Sequence[Entrant],
) -> None:
    """Put the movable teams, given in the order of lots, on the free seats of a block, halving units and block."""
    if size == 1:
        seats[start] = pinned.get(start) or (movable[0] if movable else None)
        return
    middle = start + size // 2
    left_free = [seat for seat in free if seat < middle]
    held = [[_key(one) for seat, one in pinned.items() if low <= seat < low + size // 2] for low in (start, middle)]
    left = _left(movable, held[0], held[1], len(left_free))
    going_left = {one.team for one in left}
    right = [one for one in movable if one.team not in going_left]
    _spread(seats, start, size // 2, pinned, left_free, left)
    _spread(seats, middle, size // 2, pinned, [seat for seat in free if seat >= middle], right)


def _left(movable: Sequence[Entrant], left: Sequence[str], right: Sequence[str], room: int) -> list[Entrant]:
    """Which of the movable teams go to the left half, so many as it has room for.

    One after another, each of the unit whose step costs least: a step to the left makes a pair with each of the unit
    there, and one less with each left over on the right. The sum of these is convex in each unit, so the least steps
    make the least sum. Of equal steps the better lot's unit.
    """
    waiting: dict[str, deque[Entrant]] = {}
    for one in movable:
        waiting.setdefault(_key(one), deque()).append(one)
    there, over = Counter(left), Counter(right)
    steps = [(there[unit] - over[unit] - len(waiting[unit]) + 1, lot, unit) for lot, unit in enumerate(waiting)]
    heapify(steps)
    chosen: list[Entrant] = []
    for _ in range(room):
        cost, lot, unit = heappop(steps)
        chosen.append(waiting[unit].popleft())
        if waiting[unit]:
            heappush(steps, (cost + 2, lot, unit))
    return chosen


def _by_lot(entrants: Sequence[Entrant], seed: bytes, label: str) -> list[Entrant]:
    named = {one.team: one for one in entrants}
    return [named[team] for team in shuffle(seed, label, named)]


def _seed(one: Entrant) -> int:
    return one.seed or 0


def _key(one: Entrant) -> str:
    """The unit; a team without one stands for itself."""
    return one.unit or f"\n{one.team}"


def _standard(size: int) -> list[int]:
    """The ranks in the order of seats: 1 and 2 in different halves, 1 to 4 in different quarters, and so on."""
    order = [1]
    while len(order) < size:
        order = [rank for one in order for rank in (one, 2 * len(order) + 1 - one)]
    return order
