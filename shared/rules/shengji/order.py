"""The order of the cards under a trump suit and a level (RULINGS, Common 2 and 3; shandong-2023 八.1).

Big joker, little joker, level card of the trump suit, the other level cards (equal), the trump suit, then the other
suits each by itself. Without a trump suit all four level cards are equal and only jokers stand above them.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from shared.rules.cards import CARDS, LITTLE_JOKER, RANK_OF, RANKS, SUIT_OF, SUITS
from shared.rules.regulations.preset import Preset

TRUMPS = 4
"""The suit of trumps beside the side suits 0 to 3 (S H C D)."""


class Order:
    """What each card is worth; every table is indexed by card code.

    suit: 0 to 3 for a card of a side suit, TRUMPS for a trump; rank: higher beats lower inside a suit, equal cards of
    different suits have the same; step: pairs on neighbouring steps make a tractor; power: as rank, with every trump
    above every side suit; place: 0 for the first card of a list that has the highest first; members: the cards of each
    suit, highest first.
    """

    __slots__ = ("level", "members", "place", "power", "rank", "step", "suit", "trump")

    def __init__(self, trump: str, level: str, skip_level: bool, joined: bool) -> None:
        self.trump, self.level = trump, level
        main, at = SUITS.find(trump), RANKS.index(level)
        codes = range(len(CARDS))
        trumps = [c >= LITTLE_JOKER or RANK_OF[c] == at or SUIT_OF[c] == main for c in codes]
        self.suit = tuple(TRUMPS if trumps[c] else SUIT_OF[c] for c in codes)
        self.rank = tuple(_rank(c, main, at) for c in codes)
        self.power = tuple(self.rank[c] + (_APART if trumps[c] else 0) for c in codes)
        steps = _steps(main, at, skip_level, joined)
        self.step = tuple(steps[rank] for rank in self.rank)
        listed = sorted(codes, key=lambda c: (-trumps[c], self.suit[c], -self.rank[c], c))
        self.place = tuple(listed.index(code) for code in codes)
        self.members = tuple(tuple(c for c in listed if self.suit[c] == suit) for suit in range(TRUMPS + 1))

    def sorted(self, cards: Iterable[int]) -> list[int]:
        """The cards highest first: trumps, then spades, hearts, clubs, diamonds; equal ones by suit S H C D."""
        return sorted(cards, key=self.place.__getitem__)

    def suit_of(self, cards: Iterable[int]) -> int | None:
        """The suit that all the cards have; None for cards of several suits."""
        suits = {self.suit[card] for card in cards}
        return suits.pop() if len(suits) == 1 else None


def order(preset: Preset, trump: str, level: str) -> Order:
    """The order under a trump suit (S H C D, N for none) and a level, as `read_trump` and `read_level` give them."""
    terms = preset.tractors
    return _order(trump, level, terms.skip_level.value, terms.ladder.value == "joined")


@lru_cache(maxsize=4 * 65)
def _order(trump: str, level: str, skip_level: bool, joined: bool) -> Order:
    return Order(trump, level, skip_level, joined)


_OFF_SUIT, _MAIN, _LITTLE, _BIG = 13, 14, 15, 16
"""Ranks above those of a suit (0 to 12): level cards that are not of the trump suit, the one that is, the jokers."""

_APART = 100
"""More than any rank, and apart by this much two steps are never neighbours."""


def _rank(code: int, main: int, at: int) -> int:
    if code >= LITTLE_JOKER:
        return _LITTLE if code == LITTLE_JOKER else _BIG
    if RANK_OF[code] == at:
        return _MAIN if SUIT_OF[code] == main else _OFF_SUIT
    return RANK_OF[code]


def _steps(main: int, at: int, skip_level: bool, joined: bool) -> list[int]:
    """The step of each rank: the level's place in a suit closed up (隔拖), and above the trump suit's highest card the
    ladder of level pairs and jokers, joined to it or each step cut off from the others."""
    steps = [rank - (skip_level and rank > at) for rank in range(len(RANKS))]
    highest = steps[-1] if at != len(RANKS) - 1 else steps[-2]
    stride = 1 if joined else _APART
    off_suit = highest + stride
    with_main = off_suit + (stride if main >= 0 else 0)
    return [*steps, off_suit, with_main, with_main + stride, with_main + 2 * stride]
