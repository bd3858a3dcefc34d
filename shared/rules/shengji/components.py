"""What cards of one suit are made of: singles, pairs and tractors (RULINGS, Common 3)."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from typing import Literal, NamedTuple

from shared.rules.shengji.order import Order

Kind = Literal["single", "pair", "tractor"]


class Component(NamedTuple):
    """pairs: 0 for a single, 1 for a pair, the number of pairs of a tractor; rank: of its highest card; cards: the
    highest first, equal ones by suit S H C D."""

    pairs: int
    rank: int
    cards: tuple[int, ...]

    @property
    def kind(self) -> Kind:
        """single, pair or tractor."""
        return "single" if self.pairs == 0 else "pair" if self.pairs == 1 else "tractor"


def decompose(order: Order, cards: Iterable[int]) -> tuple[Component, ...]:
    """The components of cards of one suit, the largest kind first, then the higher, then by suit S H C D.

    Tractors are as long as they can be. Of several pairs on one step (off-suit level pairs) the first by suit S H C D
    is the one that a tractor takes. The order of the cards does not matter.
    """
    singles, pairs = _singles_and_pairs(order, cards)
    found = [Component(0, order.rank[card], (card,)) for card in singles]
    ladder: dict[int, int] = {}
    for card in pairs:
        if order.step[card] in ladder:
            found.append(Component(1, order.rank[card], (card, card)))
        else:
            ladder[order.step[card]] = card
    for run in runs(ladder):
        taken = [ladder[step] for step in reversed(run)]
        found.append(Component(len(run), order.rank[taken[0]], tuple(card for one in taken for card in (one, one))))
    return tuple(sorted(found, key=lambda part: (-part.pairs, order.place[part.cards[0]])))


def runs(steps: Iterable[int]) -> list[list[int]]:
    """The steps in runs of neighbours, each as long as it can be, rising."""
    ordered = sorted(steps)
    return [[step for _, step in run] for _, run in groupby(enumerate(ordered), lambda at: at[1] - at[0])]


def _singles_and_pairs(order: Order, cards: Iterable[int]) -> tuple[list[int], list[int]]:
    """The cards that have no twin, and one of each two that have, both the highest first."""
    singles: list[int] = []
    pairs: list[int] = []
    for card in order.sorted(cards):
        if singles and singles[-1] == card:
            pairs.append(singles.pop())
        else:
            singles.append(card)
    return singles, pairs
