"""Every play made of natural cards (ahut-2018 二.1), by rank only; suits are the business of `readings`."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from shared.rules.cards import COPIES, SUITS
from shared.rules.guandan.cards import BIG_JOKER, LEVELS, SMALL_JOKER
from shared.rules.regulations.guandan import GuandanPlays, PlayKind

MOST_NATURAL = COPIES * len(SUITS)
"""Cards of one rank in the decks."""

MOST_WILD = COPIES
"""Wild cards in the decks."""

_ACE = len(LEVELS) - 1


class Pattern(Struct, frozen=True):
    """One play. rank: the deciding rank as a number; ranks: how many cards of each rank it is made of."""

    kind: PlayKind
    rank: int
    ranks: dict[int, int]

    @property
    def size(self) -> int:
        """How many cards it has."""
        return sum(self.ranks.values())


def patterns(plays: GuandanPlays) -> Iterator[Pattern]:
    """All plays of the regulation; a bomb longer than the natural cards of a rank needs wilds."""
    yield from _of_one_rank(plays)
    yield from _full_houses(plays)
    yield from _runs(plays)
    yield Pattern("joker_bomb", BIG_JOKER, {SMALL_JOKER: COPIES, BIG_JOKER: COPIES})


def _of_one_rank(plays: GuandanPlays) -> Iterator[Pattern]:
    for rank in range(BIG_JOKER + 1):
        yield Pattern("single", rank, {rank: 1})
        yield Pattern("pair", rank, {rank: 2})
    for rank in range(SMALL_JOKER):
        yield Pattern("triple", rank, {rank: 3})
        for size in range(plays.bomb_from.value, MOST_NATURAL + MOST_WILD + 1):
            yield Pattern("bomb", rank, {rank: size})


def _full_houses(plays: GuandanPlays) -> Iterator[Pattern]:
    pairs = BIG_JOKER + 1 if plays.full_house_joker_pair.value else SMALL_JOKER
    for rank in range(SMALL_JOKER):
        for pair in range(pairs):
            if pair != rank:
                yield Pattern("full_house", rank, {rank: 3, pair: 2})


def _runs(plays: GuandanPlays) -> Iterator[Pattern]:
    low = plays.ace.value == "high_or_low"
    for ranks in windows(plays.straight.value, low):
        yield Pattern("straight", ranks[-1], dict.fromkeys(ranks, 1))
        yield Pattern("straight_flush", ranks[-1], dict.fromkeys(ranks, 1))
    for ranks in windows(plays.tube.value, low):
        yield Pattern("tube", ranks[-1], dict.fromkeys(ranks, 2))
    for ranks in windows(plays.plate.value, low):
        yield Pattern("plate", ranks[-1], dict.fromkeys(ranks, 3))


def windows(length: int, ace_low: bool) -> Iterator[tuple[int, ...]]:
    """Consecutive ranks in natural order, the highest last; the ace below the two where it may be low, never both."""
    if ace_low:
        yield (_ACE, *range(length - 1))
    for first in range(SMALL_JOKER - length + 1):
        yield tuple(range(first, first + length))
