"""Singles, pairs and tractors (RULINGS, Common 3; zhongshan-2013 七（一）7: 隔拖, 打10时可有牌型JJ99)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.rules.cards import read_cards, write_cards
from shared.rules.regulations import changed, load
from shared.rules.shengji.components import decompose
from shared.rules.shengji.led import lead
from shared.rules.shengji.order import order
from tests.unit.rules.cards.draws import LEVELS, TRUMPS, codes, pack, suit_cards
from tests.unit.rules.cards.naive import Cards, Rules

ZHONGSHAN = load("zhongshan-2013")


def parts(trump: str, level: str, cards: str) -> list[str]:
    """The components as text, "/" between them."""
    orders = order(ZHONGSHAN, trump, level)
    return [write_cards(part.cards) for part in decompose(orders, read_cards(cards, "cards"))]


@pytest.mark.parametrize(
    ("trump", "level", "cards", "expected"),
    [
        ("H", "T", "S9 SJ S9 SJ", ["SJ SJ S9 S9"]),  # 以打10为例，可有牌型JJ99
        ("H", "2", "S9 S9 SJ SJ", ["SJ SJ", "S9 S9"]),
        ("H", "2", "S3 S3 S4 S4 S5 S5 S7", ["S5 S5 S4 S4 S3 S3", "S7"]),
        ("H", "2", "SA SA S3 S3", ["SA SA", "S3 S3"]),  # nothing wraps
        ("S", "A", "SK SK HA HA", ["HA HA SK SK"]),  # K tops the suit at level A
        ("S", "A", "SK SK SA SA", ["SA SA", "SK SK"]),  # the off-suit level pair lies between
        ("S", "2", "SA SA H2 H2 S2 S2 LJ LJ BJ BJ", ["BJ BJ LJ LJ S2 S2 H2 H2 SA SA"]),
        ("S", "2", "H2 H2 D2 D2", ["H2 H2", "D2 D2"]),  # equal, so no tractor
        ("S", "2", "SA SA D2 D2 H2 H2", ["H2 H2 SA SA", "D2 D2"]),  # the first by S H C D
        ("S", "2", "D2 D2 C2 C2 S2 S2", ["S2 S2 C2 C2", "D2 D2"]),
        ("N", "5", "D5 D5 LJ LJ BJ BJ", ["BJ BJ LJ LJ D5 D5"]),  # without trumps: level pair, small, big jokers
        ("N", "5", "D5 D5 S5 S5 LJ LJ", ["LJ LJ S5 S5", "D5 D5"]),
        ("S", "2", "S2 S2 BJ BJ", ["BJ BJ", "S2 S2"]),
        ("S", "2", "H2 D2 C2", ["H2", "C2", "D2"]),
    ],
)
def test_cards_of_one_suit(trump: str, level: str, cards: str, expected: list[str]) -> None:
    assert parts(trump, level, cards) == expected


@pytest.mark.parametrize("regulation", ["jimei-2018", "zhongshan-2013", "shandong-2023"])
def test_a_tractor_skips_the_level(regulation: str) -> None:  # 主副牌都可以隔拖; 其他A、K……2（X在外）
    found = decompose(order(load(regulation), "H", "T"), read_cards("S9 S9 SJ SJ", "cards"))
    assert [write_cards(part.cards) for part in found] == ["SJ SJ S9 S9"]


def test_pairs_beside_the_level_are_apart_where_the_regulation_says_so() -> None:
    strict = changed(ZHONGSHAN, {"tractors.skip_level": False})
    cards = read_cards("S9 SJ S9 SJ", "cards")
    assert [part.kind for part in decompose(order(strict, "H", "T"), cards)] == ["pair", "pair"]


def test_the_ladder_above_the_trump_suit_can_be_cut_off() -> None:
    short = changed(ZHONGSHAN, {"tractors.ladder": "suit_only"})
    cards = read_cards("SA SA H2 H2 S2 S2 LJ LJ", "cards")
    assert {part.kind for part in decompose(order(short, "S", "2"), cards)} == {"pair"}
    assert lead(order(short, "S", "2"), read_cards("SK SK SA SA", "cards")).kind == "tractor"  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("cards", "kind"),
    [("S3", "single"), ("S3 S3", "pair"), ("S3 S3 S4 S4", "tractor"), ("S3 S4", "throw"), ("S3 S3 S5", "throw")],
)
def test_what_a_lead_is(cards: str, kind: str) -> None:
    led = lead(order(ZHONGSHAN, "H", "2"), read_cards(cards, "cards"))
    assert led is not None
    assert led.kind == kind


@pytest.mark.parametrize("cards", ["S3 H3", "S3 S3 LJ", "SA D2"])
def test_cards_of_several_suits_are_no_lead(cards: str) -> None:
    assert lead(order(ZHONGSHAN, "H", "2"), read_cards(cards, "cards")) is None


@st.composite
def one_suit(draw: st.DrawFn) -> tuple[str, str, Cards]:
    trump, level = draw(TRUMPS), draw(LEVELS)
    suit = draw(st.sampled_from([suit for suit in "SHCDN" if suit != trump]))
    return trump, level, draw(pack(suit_cards(trump, level, suit), 1, 9))


@given(one_suit(), st.randoms(use_true_random=False))
def test_the_order_of_the_cards_does_not_matter(drawn: tuple[str, str, Cards], random: object) -> None:
    trump, level, cards = drawn
    orders = order(ZHONGSHAN, trump, level)
    mixed = list(cards)
    random.shuffle(mixed)  # type: ignore[attr-defined]
    assert decompose(orders, codes(mixed)) == decompose(orders, codes(cards))


@given(one_suit())
def test_every_card_is_in_one_component_and_none_can_be_longer(drawn: tuple[str, str, Cards]) -> None:
    trump, level, cards = drawn
    found = decompose(order(ZHONGSHAN, trump, level), codes(cards))
    assert sorted(card for part in found for card in part.cards) == sorted(codes(cards))
    lengths = [part.pairs for part in found]
    best = _fewest(Rules(trump, level), cards)
    assert (len(lengths), lengths) == (len(best), best)


def _fewest(rules: Rules, cards: Cards) -> list[int]:
    """By brute force: the fewest components, then the longest ones."""
    pairs = len(cards) - len(set(cards))
    options = sorted(_partitions(pairs), key=lambda lengths: (len(lengths), [-length for length in lengths]))
    singles = [0] * (len(cards) - 2 * pairs)
    return next([*o, *singles] for o in options if next(rules.divisions(cards, [*o, *singles]), None) is not None)


def _partitions(total: int, most: int | None = None) -> list[list[int]]:
    """The ways to write a number of pairs as falling lengths."""
    if total == 0:
        return [[]]
    most = total if most is None else most
    return [[n, *rest] for n in range(min(most, total), 0, -1) for rest in _partitions(total - n, n)]


SWAPPED = str.maketrans("SHCD", "HSDC")


@given(one_suit())
def test_renaming_suits_renames_the_components(drawn: tuple[str, str, Cards]) -> None:
    trump, level, cards = drawn
    found = decompose(order(ZHONGSHAN, trump, level), codes(cards))
    renamed = tuple(card if card in ("LJ", "BJ") else card.translate(SWAPPED) for card in cards)
    other = decompose(order(ZHONGSHAN, trump.translate(SWAPPED), level), codes(renamed))
    assert [(part.pairs, part.rank) for part in found] == [(part.pairs, part.rank) for part in other]
