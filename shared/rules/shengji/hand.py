"""The cards that a player holds, counted."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from shared.rules.cards import CARDS
from shared.rules.shengji.order import TRUMPS, Order


class Hand:
    """A hand under an order. counts: by card code; suits: cards of each suit, trumps last; size: cards in all."""

    __slots__ = ("counts", "order", "size", "suits")

    def __init__(self, order: Order, cards: Iterable[int]) -> None:
        self.order = order
        self.counts = [0] * len(CARDS)
        self.suits = [0] * (TRUMPS + 1)
        self.size = 0
        for card in cards:
            self.counts[card] += 1
            self.suits[order.suit[card]] += 1
            self.size += 1

    def holds(self, cards: Sequence[int]) -> bool:
        """Whether the hand has all these cards, each as often as it is named."""
        counts = self.counts
        return all(counts[card] >= cards.count(card) for card in cards)

    def remove(self, cards: Iterable[int]) -> None:
        """Take cards out that the hand holds."""
        for card in cards:
            self.counts[card] -= 1
            self.suits[self.order.suit[card]] -= 1
            self.size -= 1

    def add(self, card: int) -> None:
        """Put a card into the hand."""
        self.counts[card] += 1
        self.suits[self.order.suit[card]] += 1
        self.size += 1

    def cards(self) -> list[int]:
        """Every card, by code."""
        return [card for card, count in enumerate(self.counts) for _ in range(count)]

    def pairs(self, suit: int) -> list[int]:
        """One card of each pair in the suit, highest first."""
        counts = self.counts
        return [card for card in self.order.members[suit] if counts[card] > 1]

    def highest(self, suit: int) -> int | None:
        """The rank of the highest card of the suit, None without one."""
        counts = self.counts
        return next((self.order.rank[card] for card in self.order.members[suit] if counts[card]), None)
