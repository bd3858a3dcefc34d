"""The plays that a hand can make, as how many cards of each rank and how many wilds they take.

A demand is packed five bits a rank (the wilds last), so that a hand covers it when no field of `hand - demand` borrows
from its guard bit.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from msgspec import Struct

from shared.rules.cards import SUITS
from shared.rules.guandan.cards import BIG_JOKER, KEY, RANK_OF, SMALL_JOKER
from shared.rules.guandan.patterns import MOST_WILD, windows
from shared.rules.guandan.readings import FIRST_BOMB, Readings, Strengths, weakest_beating

_WILD_FIELD = BIG_JOKER + 1
_GUARD = sum(1 << (5 * field + 4) for field in range(_WILD_FIELD + 1))


class Move(Struct, frozen=True):
    """A play by rank. ranks: how many cards of each; wilds; strengths: its readings when its suits are mixed."""

    ranks: tuple[tuple[int, int], ...]
    wilds: int
    strengths: Strengths

    @property
    def size(self) -> int:
        """How many cards it takes."""
        return self.wilds + sum(count for _, count in self.ranks)


class Moves:
    """All moves under a level, found once and matched with hands."""

    def __init__(self, readings: Readings):
        self.readings = readings
        self._all: list[tuple[int, Move]] = []
        self._by_kind: defaultdict[int, list[tuple[int, Move]]] = defaultdict(list)
        for key, strengths in readings.by_key():
            self._add(key, strengths)
        ace_low = readings.plays.ace.value == "high_or_low"
        self._straights = list(windows(readings.plays.straight.value, ace_low))

    def _add(self, key: int, strengths: Strengths) -> None:
        counts = [(key >> (4 * field)) & 15 for field in range(_WILD_FIELD + 1)]
        demand = sum(count << (5 * field) for field, count in enumerate(counts))
        ranks = tuple((rank, count) for rank, count in enumerate(counts[:_WILD_FIELD]) if count)
        entry = (demand, Move(ranks, counts[_WILD_FIELD], strengths))
        self._all.append(entry)
        for kind in {strength >> 4 if strength < FIRST_BOMB else FIRST_BOMB for strength in strengths}:
            self._by_kind[kind].append(entry)

    def fitting(self, hand: Sequence[str], standing: int | None) -> list[Move]:
        """The moves of a hand that lead (standing None) or beat a strength, suits left out of account."""
        have = self._demand(hand) | _GUARD
        if standing is None:
            return [move for demand, move in self._all if (have - demand) & _GUARD == _GUARD]
        kind = self._by_kind[standing >> 4] if standing < FIRST_BOMB else []
        return [
            move
            for demand, move in [*kind, *self._by_kind[FIRST_BOMB]]
            if (have - demand) & _GUARD == _GUARD and weakest_beating(move.strengths, standing) is not None
        ]

    def flushes(self, hand: Sequence[str]) -> Iterator[list[str]]:
        """The straight flushes of a hand as cards, each window and suit once, wilds where a card is missing."""
        wild = f"H{self.readings.level}"
        wilds = [wild] * hand.count(wild)
        held = set(hand) - {wild}
        for suit in SUITS:
            by_rank = {RANK_OF[card]: card for card in held if card[0] == suit and RANK_OF[card] < SMALL_JOKER}
            for window in self._straights:
                found = [by_rank[rank] for rank in window if rank in by_rank]
                missing = len(window) - len(found)
                if missing <= min(len(wilds), MOST_WILD) and found:
                    yield found + wilds[:missing]

    def _demand(self, hand: Sequence[str]) -> int:
        encoded = self.readings.encode(hand) & KEY
        return sum(((encoded >> (4 * field)) & 15) << (5 * field) for field in range(_WILD_FIELD + 1))


def by_rank(hand: Sequence[str], wild: str) -> dict[int, list[str]]:
    """The cards of a hand by rank, wilds left out."""
    ranks: dict[int, list[str]] = {}
    for card in hand:
        if card != wild:
            ranks.setdefault(RANK_OF[card], []).append(card)
    return ranks
