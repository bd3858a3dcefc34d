"""A led play: its suit and the format that the others answer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from shared.rules.shengji.components import Component, decompose
from shared.rules.shengji.order import Order

LeadKind = Literal["single", "pair", "tractor", "throw"]


class Led:
    """A play of one suit as it was led.

    suit: 0 to 3, or TRUMPS; size: cards; components: the largest kind first; pairs: in all of them together; tractors:
    their lengths in pairs, the longest first.
    """

    __slots__ = ("components", "pairs", "size", "suit", "tractors")

    def __init__(self, suit: int, components: tuple[Component, ...], size: int) -> None:
        self.suit, self.components, self.size = suit, components, size
        self.pairs = sum(part.pairs for part in components)
        self.tractors = tuple(part.pairs for part in components if part.pairs > 1)

    @property
    def kind(self) -> LeadKind:
        """What the play is; a throw has several components."""
        return self.components[0].kind if len(self.components) == 1 else "throw"


def lead(order: Order, cards: Sequence[int]) -> Led | None:
    """The play as a lead, None for cards of several suits. cards: at least one."""
    card = cards[0]
    if len(cards) == 1:
        return Led(order.suit[card], (Component(0, order.rank[card], (card,)),), 1)
    if len(cards) == 2 and card == cards[1]:
        return Led(order.suit[card], (Component(1, order.rank[card], (card, card)),), 2)
    suit = order.suit_of(cards)
    return None if suit is None else Led(suit, decompose(order, cards), len(cards))
