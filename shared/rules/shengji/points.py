"""Cards with points (jimei-2018 十一.5, shandong-2023 八.8)."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from shared.rules.cards import CARDS
from shared.rules.regulations.preset import Preset


def card_points(preset: Preset) -> tuple[int, ...]:
    """The points of each card, by code."""
    return _by_code(tuple(preset.cards.points.value.items()))


def points_of(points: tuple[int, ...], cards: Iterable[int]) -> int:
    """The points of these cards together; points: by code, as `card_points` gives them."""
    return sum([points[card] for card in cards])


@lru_cache(maxsize=32)
def _by_code(points: tuple[tuple[str, int], ...]) -> tuple[int, ...]:
    worth = dict(points)
    return tuple(worth.get(card[1], 0) if card[0] in "SHCD" else 0 for card in CARDS)
