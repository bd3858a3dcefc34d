"""Strategies that draw cards with many pairs and runs among them."""

from __future__ import annotations

from hypothesis import strategies as st

from shared.rules.cards import CODES
from tests.unit.rules.cards.naive import RANKS, ladder, suit_of

TRUMPS = st.sampled_from("SHCDN")
LEVELS = st.sampled_from(RANKS)


def codes(cards: tuple[str, ...] | list[str]) -> list[int]:
    return [CODES[card] for card in cards]


def suit_cards(trump: str, level: str, suit: str) -> list[str]:
    """All cards of a suit ("N" for trumps), each once, the lowest first."""
    return [card for step in ladder(trump, level, suit) for card in step if suit_of(trump, level, card) == suit]


@st.composite
def pack(draw: st.DrawFn, cards: list[str], least: int, most: int) -> tuple[str, ...]:
    """So many cards out of a narrow part of these, each twice at most."""
    start = draw(st.integers(0, max(len(cards) - 6, 0)))
    narrow = cards[start : start + 6]
    both = [card for card in narrow for _ in (0, 1)]
    size = draw(st.integers(min(least, len(both)), min(most, len(both))))
    return tuple(draw(st.permutations(both))[:size])
