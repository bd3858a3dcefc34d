"""Cards: their notation and their codes (RECORDS, Notation).

A card is an integer code from 0 to 53: suit times 13 plus rank, suits in the order S H C D, ranks from 2 to A, then the
little and the big joker. The two copies of a card have the same code. Codes rise with rank inside a suit, so a sorted
list of codes has equal cards side by side and equal ranks in the order S H C D.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from shared.rules.errors import RuleError

SUITS = "SHCD"
RANKS = "23456789TJQKA"
LITTLE_JOKER, BIG_JOKER = 52, 53
CARDS: tuple[str, ...] = (*(suit + rank for suit in SUITS for rank in RANKS), "LJ", "BJ")
"""The card of each code."""

CODES: dict[str, int] = {card: code for code, card in enumerate(CARDS)}
SUIT_OF: tuple[int, ...] = (*(code // 13 for code in range(52)), 4, 4)
"""By code: 0 to 3 for S H C D, 4 for a joker."""

RANK_OF: tuple[int, ...] = (*(code % 13 for code in range(52)), 13, 14)
"""By code: 0 for a 2 to 12 for an A, 13 and 14 for the jokers."""

COPIES = 2
"""Copies of each card in the pack: two decks."""


def read_cards(value: object, field: str) -> list[int]:
    """The codes of cards written with one space between them, in the order given.

    Raises RuleError: `bad_value` for what is no text or names no card, `bad_card` for what is no card,
    `duplicate_card` for more copies of a card than the pack has.
    """
    if not isinstance(value, str):
        detail = f"{field} is {value!r}, not cards as text such as 'SA S3'"
        raise RuleError(detail, f"{field} 不是牌的文字，如 SA S3", field=field)
    if not value:
        raise RuleError(f"{field} names no card", f"{field} 没有牌", field=field)
    try:
        cards = [CODES[name] for name in value.split(" ")]
    except KeyError as error:
        name = error.args[0]
        detail = f"{field}: {name!r} is no card; a card is S H C D with 2 to 9 T J Q K A, or LJ, BJ"
        raise RuleError(detail, f"{field}：{name!r} 不是一张牌", code="bad_card", field=field) from None
    if len(cards) > COPIES:
        check_copies(cards, field)
    return cards


def check_copies(cards: Iterable[int], field: str) -> None:
    """Raise RuleError `duplicate_card` when a card is there more often than the pack has it."""
    ordered = sorted(cards)
    for code, later in zip(ordered, ordered[COPIES:], strict=False):
        if code == later:
            name = CARDS[code]
            detail = f"{field}: {name} is there more than {COPIES} times, and two decks have {COPIES}"
            raise RuleError(detail, f"{field}：{name} 超过 {COPIES} 张", code="duplicate_card", field=field)


def write_cards(cards: Sequence[int]) -> str:
    """The cards as text, in the order given; `Order.sorted` puts the highest first."""
    return " ".join([CARDS[code] for code in cards])
