"""The rules of cards written a second time, slowly and from the words alone, as an oracle for the engine.

Cards are texts here. A suit's ladder is the list of its steps, each the list of cards on it, the lowest first (RULINGS,
Common 2 and 3): the level is left out of a suit, and trumps go on from the trump suit through the other level cards,
the main level card, the little and the big joker.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations

RANKS = "23456789TJQKA"
Cards = tuple[str, ...]


def ladder(trump: str, level: str, suit: str) -> list[list[str]]:
    """The steps of a suit; suit "N" for trumps."""
    plain = [[suit + rank] for rank in RANKS if rank != level]
    if suit != "N":
        return plain
    if trump == "N":
        return [[s + level for s in "SHCD"], ["LJ"], ["BJ"]]
    plain = [[trump + rank] for rank in RANKS if rank != level]
    return [*plain, [s + level for s in "SHCD" if s != trump], [trump + level], ["LJ"], ["BJ"]]


def suit_of(trump: str, level: str, card: str) -> str:
    """S H C D, or "N" for a trump."""
    return "N" if card in ("LJ", "BJ") or card[1] == level or card[0] == trump else card[0]


class Rules:
    """The rules under one trump suit and level."""

    def __init__(self, trump: str, level: str) -> None:
        self.trump, self.level = trump, level
        self.steps = {
            card: step for suit in "SHCDN" for step, cards in enumerate(ladder(trump, level, suit)) for card in cards
            if suit_of(trump, level, card) == suit
        }  # fmt: skip

    def suit(self, card: str) -> str:
        return suit_of(self.trump, self.level, card)

    def tractors(self, cards: Cards, length: int) -> Iterator[Cards]:
        """Every choice of so many consecutive pairs; length 1 gives the pairs."""
        pairs = [card for card, count in Counter(cards).items() if count == 2]
        for chosen in combinations(sorted(pairs, key=lambda card: self.steps[card]), length):
            steps = [self.steps[card] for card in chosen]
            if steps == list(range(steps[0], steps[0] + length)):
                yield tuple(card for card in chosen for _ in (0, 1))

    def parts(self, cards: Cards, pairs: int) -> list[Cards]:
        """Every component of a kind in the cards: pairs 0 for singles."""
        if pairs == 0:
            return [(card,) for card in dict.fromkeys(cards)]
        return list(self.tractors(cards, pairs))

    def top(self, part: Cards) -> int:
        """The step of a component's highest card."""
        return max(self.steps[card] for card in part)

    def divisions(self, cards: Cards, lengths: Sequence[int], level_used: bool = False) -> Iterator[list[Cards]]:
        """Every way to lay the cards out as components of these lengths (0 for a single), all cards used.

        Of the level pairs on one step only one can be in a tractor.
        """
        if not lengths:
            if not cards:
                yield []
            return
        for part in self.parts(cards, lengths[0]):
            level_pair = lengths[0] > 1 and any(len(self.step_mates(card)) > 1 for card in part)
            if level_pair and level_used:
                continue
            for rest in self.divisions(without(cards, part), lengths[1:], level_used or level_pair):
                yield [part, *rest]

    def step_mates(self, card: str) -> list[str]:
        return next(step for step in ladder(self.trump, self.level, self.suit(card)) if card in step)


def without(cards: Cards, taken: Cards) -> Cards:
    left = list(cards)
    for card in taken:
        left.remove(card)
    return tuple(left)
