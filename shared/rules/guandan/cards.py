"""Cards of two decks and their encoding (ahut-2018 二.1).

A card is its token: suit S H C D and rank 2 to A, or LJ, BJ. A set of cards is encoded as one integer, the sum of its
cards' weights, so that two sets are equal exactly when their integers are (up to fifteen cards of a rank or suit):

| bits   | meaning                                                       |
|--------|---------------------------------------------------------------|
| 0-59   | four bits a rank: how many cards of it, wilds left out          |
| 60-63  | how many wilds                                                |
| 64-79  | four bits a suit S H C D: how many cards of it, wilds left out |

A wild is the heart of the level (逢人配), so the weights depend on the level.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import get_args

from shared.rules import cards
from shared.rules.cards import CARDS, SUITS
from shared.rules.errors import refused
from shared.rules.regulations.preset import Level

LEVELS: tuple[Level, ...] = get_args(Level)
"""The levels in rising order, which are also the ranks in natural order."""

SMALL_JOKER, BIG_JOKER = 13, 14
"""The jokers' ranks as numbers, above 0 for 2 to 12 for A."""

RANK_NAMES: tuple[str, ...] = (*LEVELS, "LJ", "BJ")
"""Names of ranks by number."""

RANK_OF: dict[str, int] = dict(zip(CARDS, cards.RANK_OF, strict=True))
"""Every card's rank as a number: the tokens that there are."""

WILD = 1 << 60
KEY = (1 << 64) - 1
SUIT_SHIFT = 64


def rank_weight(rank: int) -> int:
    """The weight of a rank alone."""
    return 1 << (4 * rank)


@lru_cache(maxsize=len(LEVELS))
def weights(level: Level) -> dict[str, int]:
    """The weight of every card under a level."""
    table = {card: rank_weight(rank) for card, rank in RANK_OF.items()}
    for card, rank in RANK_OF.items():
        if rank < SMALL_JOKER:
            table[card] += 1 << (SUIT_SHIFT + 4 * SUITS.index(card[0]))
    table[f"H{level}"] = WILD
    return table


def read_level(value: object, field: str) -> Level:
    """The level that a value names. Raises RuleError `bad_value`."""
    for level in LEVELS:
        if level == value:
            return level
    known = " ".join(LEVELS)
    raise refused(field, f"is {value!r}; levels are {known}", f"为 {value}；级数为 {known}")


def read_cards(text: object, field: str) -> list[str]:
    """The cards of a text, as tokens. Raises as `shared.rules.cards.read_cards`."""
    return [CARDS[code] for code in cards.read_cards(text, field)]


def position(rank: int, level: Level) -> int:
    """A rank's place in the level order, from 0: ranks but the level, the level, small joker, big joker (二.3)."""
    at = LEVELS.index(level)
    if rank >= SMALL_JOKER:
        return rank
    if rank == at:
        return SMALL_JOKER - 1
    return rank - 1 if rank > at else rank


def written(tokens: Iterable[str], level: Level) -> str:
    """The cards as a text, highest first; equal ranks by suit S H C D."""
    ordered = sorted(tokens, key=lambda card: (-position(RANK_OF[card], level), SUITS.find(card[0])))
    return " ".join(ordered)
