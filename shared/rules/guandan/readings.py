"""What cards can be read as under a level, wild cards included, and which reading beats which.

A *strength* is an integer: tier x 256 + kind x 16 + place of the deciding rank. Tier 0 holds the kinds that compare
only among themselves; above it one tier each for bombs by size, straight flushes and the joker bomb (二.2). A table of
all readings by encoded cards is made once a level: from every natural play none, one or two cards are replaced by
wilds. After that a play is read with one look-up.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import combinations_with_replacement

from msgspec import Struct

from shared.rules.cards import SUITS
from shared.rules.errors import refused
from shared.rules.guandan.cards import (
    KEY,
    LEVELS,
    RANK_NAMES,
    SMALL_JOKER,
    SUIT_SHIFT,
    WILD,
    position,
    rank_weight,
    weights,
)
from shared.rules.guandan.patterns import MOST_NATURAL, MOST_WILD, Pattern, patterns
from shared.rules.regulations.guandan import GuandanPlays, PlayKind
from shared.rules.regulations.preset import Level

FIRST_BOMB = 1 << 8
"""Strengths from here on are bombs, which beat whatever is weaker."""

_KINDS: tuple[PlayKind, ...] = ("single", "pair", "triple", "full_house", "straight", "tube", "plate")
"""Kinds that do not compare, in the reverse of the order in which they are listed."""

Strengths = tuple[int, ...]
"""Strengths of readings, strongest first; empty: no play."""


class Reading(Struct, frozen=True):
    """What cards are taken for. rank: the deciding rank's name, BJ or LJ for jokers; size: cards."""

    kind: PlayKind
    rank: str
    size: int


def beats(play: int, led: int) -> bool:
    """Whether a strength beats another one: a bomb whatever is weaker, else only its own kind. Equal never beats."""
    return play > led and (play >= FIRST_BOMB or play >> 4 == led >> 4)


def weakest_beating(strengths: Strengths, led: int) -> int | None:
    """The weakest of these that beats the led strength, None when none does."""
    for strength in reversed(strengths):
        if beats(strength, led):
            return strength
    return None


class Readings:
    """All readings under one level. Look up through `table`, which makes each once."""

    def __init__(self, plays: GuandanPlays, level: Level):
        self.plays, self.level = plays, level
        self.weights = weights(level)
        self._tiers = _tiers(plays)
        self._level_order = frozenset(plays.level_order.value)
        self._names: dict[int, Reading] = {}
        self._plain: dict[int, Strengths] = {}
        self._suited: dict[int, Strengths] = {}
        self._fill(plays)

    def encode(self, cards: Iterable[str]) -> int:
        """The cards as one integer; see `cards`. Raises KeyError for what is no card."""
        return sum(map(self.weights.__getitem__, cards))

    def strengths(self, encoded: int) -> Strengths:
        """The readings of encoded cards (at most two copies of each), strongest first."""
        key = encoded & KEY
        if encoded >> SUIT_SHIFT in _ONE_SUIT:
            suited = self._suited.get(key)
            if suited is not None:
                return suited
        return self._plain.get(key, ())

    def by_key(self) -> Iterable[tuple[int, Strengths]]:
        """Every play as encoded cards without suits, with its readings when its suits are mixed."""
        return self._plain.items()

    def reading(self, strength: int) -> Reading:
        """The reading that has a strength."""
        return self._names[strength]

    def _fill(self, plays: GuandanPlays) -> None:
        plain: dict[int, set[int]] = defaultdict(set)
        flush: dict[int, set[int]] = defaultdict(set)
        for pattern in patterns(plays):
            strength = self._strength(pattern)
            self._names[strength] = Reading(pattern.kind, RANK_NAMES[pattern.rank], pattern.size)
            for key in _keys(pattern, self.level):
                (flush if pattern.kind == "straight_flush" else plain)[key].add(strength)
        only = plays.suited_straight.value == "flush_only"
        for key, found in flush.items():
            natural = key < WILD
            self._suited[key] = _strongest_first(found if natural and only else found | plain[key])
        self._plain = {key: _strongest_first(found) for key, found in plain.items()}

    def _strength(self, pattern: Pattern) -> int:
        kind = pattern.kind
        natural = kind not in self._level_order
        place = pattern.rank if natural else position(pattern.rank, self.level)
        if kind in _KINDS:
            return (_KINDS.index(kind) + 1) << 4 | place
        return self._tiers[kind, pattern.size] << 8 | place


_AT_HAND: dict[tuple[int, Level], Readings] = {}
"""Tables by the identity of the plays, which each keeps alive: a regulation is long to hash."""


def table(plays: GuandanPlays, level: Level) -> Readings:
    """The readings of a regulation under a level, made once."""
    found = _AT_HAND.get((id(plays), level))
    if found is not None and found.plays is plays:
        return found
    if len(_AT_HAND) >= 64:
        _AT_HAND.clear()
    found = _AT_HAND[id(plays), level] = Readings(plays, level)
    return found


def read_reading(given: object, strengths: Strengths, readings: Readings, field: str) -> int:
    """The strength of a reading given as {kind, rank, size?}, which the cards must have.

    Raises RuleError `bad_value` for a reading that is none or that the cards do not have, `missing_field` without kind
    or rank.
    """
    if not isinstance(given, dict):
        raise refused(field, f"is {given!r}, not an object", "不是对象")
    for name in ("kind", "rank"):
        if name not in given:
            raise refused(f"{field}.{name}", "is missing", "缺失", "missing_field")
    for strength in strengths:
        had = readings.reading(strength)
        if had.kind == given["kind"] and had.rank == given["rank"] and given.get("size", had.size) == had.size:
            return strength
    raise refused(field, f"is {given!r}, which the cards cannot be", f"为 {given}，这些牌不能如此组成")


def _tiers(plays: GuandanPlays) -> dict[tuple[PlayKind, int], int]:
    """Tier by kind and size: bombs by size, the straight flush after the largest that it beats, the joker bomb."""
    sizes = range(plays.bomb_from.value, MOST_NATURAL + MOST_WILD + 1)
    order: list[tuple[PlayKind, int]] = [("bomb", size) for size in sizes]
    order.insert(
        sum(size <= plays.straight_flush_over.value for size in sizes), ("straight_flush", plays.straight.value)
    )
    order.append(("joker_bomb", 4))
    return {what: tier for tier, what in enumerate(order, 1)}


def _keys(pattern: Pattern, level: Level) -> Iterator[int]:
    """The encoded cards, without suits, that can be read as a pattern.

    A wild stands for any card but a joker; wilds without another card are the level's alone.
    """
    whole = sum(count * rank_weight(rank) for rank, count in pattern.ranks.items())
    replaceable = [rank for rank in pattern.ranks if rank < SMALL_JOKER]
    for wilds in range(MOST_WILD + 1):
        for gone in combinations_with_replacement(replaceable, wilds):
            if any(gone.count(rank) > pattern.ranks[rank] for rank in gone):
                continue
            left = whole - sum(map(rank_weight, gone))
            if left or RANK_NAMES[pattern.rank] == level:
                yield left + wilds * WILD


def _strongest_first(found: Iterable[int]) -> Strengths:
    return tuple(sorted(found, reverse=True))


_ONE_SUIT = frozenset(n << (4 * suit) for n in range(1, len(LEVELS)) for suit in range(len(SUITS)))
"""The suits of cards that are all of one suit."""
