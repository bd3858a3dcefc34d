"""What must be given to a lead: jimei-2018 十一.4, zhongshan-2013 七（一）6, shandong-2023 八.5."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shared.rules.cards import read_cards
from shared.rules.regulations import Preset, changed, load
from shared.rules.shengji.follow import Because, follow, follow_basis
from shared.rules.shengji.hand import Hand
from shared.rules.shengji.led import lead
from shared.rules.shengji.order import order
from tests.unit.rules.cards.draws import LEVELS, TRUMPS, codes, pack, suit_cards
from tests.unit.rules.cards.naive import Cards, Rules
from tests.unit.rules.shengji_play.naive_play import legal_plays

ALL = ["jimei-2018", "zhongshan-2013", "shandong-2023"]
TRACTOR_DUTY = ["zhongshan-2013", "shandong-2023"]


def because(regulation: str, led: str, hand: str, play: str, trump: str = "H", level: str = "2") -> str:
    preset = load(regulation)
    orders = order(preset, trump, level)
    format_led = lead(orders, read_cards(led, "led"))
    assert format_led is not None
    return follow(preset.follow, format_led, Hand(orders, read_cards(hand, "hand")), read_cards(play, "play"))


@pytest.mark.parametrize("regulation", ALL)
@pytest.mark.parametrize(
    ("led", "hand", "play", "expected"),
    [
        ("SA", "S3 D4", "S3", "ok"),
        ("SA", "S3 D4", "D4", "suit_withheld"),
        ("SA", "D4 H3", "H3", "ok"),  # 可用主牌来毙
        ("SA", "D4 H3", "D4", "ok"),
        ("SA", "D4", "C4", "not_in_hand"),
        ("SA", "S3 S4", "S3 S4", "wrong_count"),
        ("S5 S5", "S3 S3", "S3", "wrong_count"),
        ("S5 S5", "S3 S3 S4", "S3 S4", "pair_withheld"),  # 有对子必须按首家出牌对子数跟牌
        ("S5 S5", "S3 S3 S4", "S3 S3", "ok"),
        ("S5 S5", "S3 S4 D7 D7", "S3 S4", "ok"),  # no pair of the suit
        ("S5 S5", "S3 D7 D7 D8", "D7 D7", "suit_withheld"),
        ("S5 S5", "S3 D7 D7", "S3 D7", "ok"),
        ("S5 S5", "S3 S3 S4 D9", "S4 D9", "suit_withheld"),  # suit before pair
        ("SA SK SQ", "S3 S3 S4 S5", "S3 S4 S5", "ok"),  # a throw of singles asks for no pair
        ("SA SA SK", "S3 S3 S4 S5", "S3 S4 S5", "pair_withheld"),
        ("SA SA SK", "S3 S3 S4 S5", "S3 S3 S5", "ok"),
        ("SA SA SQ SQ", "S3 S3 S5 S5 S7", "S3 S3 S5 S7", "pair_withheld"),  # two pairs led, two held
        ("H3 H3", "LJ BJ S2 S2 D2", "LJ BJ", "pair_withheld"),  # trumps are one suit
        ("H3 H3", "LJ BJ S2 D2", "S2 D2", "ok"),  # two different level cards are no pair
    ],
)
def test_suit_and_pairs(regulation: str, led: str, hand: str, play: str, expected: str) -> None:
    assert because(regulation, led, hand, play) == expected


TRACTORS = [
    ("S3 S3 S4 S4", "S7 S7 S8 S8 SJ", "S7 S7 S8 S8", "ok", "ok"),
    ("S3 S3 S4 S4", "S7 S7 S8 S8 SJ SQ", "S7 S7 SJ SQ", "tractor_withheld", "pair_withheld"),
    ("S3 S3 S4 S4", "S7 S7 S8 S8 ST ST", "S7 S7 ST ST", "tractor_withheld", "ok"),
    ("S3 S3 S4 S4", "S7 S7 S9 S9 ST SJ", "S7 S7 S9 S9", "ok", "ok"),  # 无拖拉机牌时，有对必须出对
    ("S3 S3 S4 S4", "S7 S7 S9 ST SJ", "S9 ST SJ S7", "pair_withheld", "pair_withheld"),
    # a longer tractor answers with any two of its pairs
    ("S3 S3 S4 S4", "S7 S7 S8 S8 S9 S9", "S8 S8 S9 S9", "ok", "ok"),
    ("S3 S3 S4 S4", "S7 S7 S8 S8 S9 S9", "S7 S7 S9 S9", "tractor_withheld", "ok"),
    # three pairs led: the longest shorter one, then a pair of the player's own choice
    ("S3 S3 S4 S4 S5 S5", "S7 S7 S8 S8 SJ SJ SK SK", "S7 S7 S8 S8 SK SK", "ok", "ok"),
    ("S3 S3 S4 S4 S5 S5", "S7 S7 S8 S8 SJ SJ SA SA", "S7 S7 SJ SJ SA SA", "tractor_withheld", "ok"),
    ("S3 S3 S4 S4 S5 S5", "S7 S7 S8 S8 SJ SJ SA SA", "S7 S7 S8 S8 SJ SA", "pair_withheld", "pair_withheld"),
    # four pairs led: two and two again among what is left
    ("S3 S3 S4 S4 S5 S5 S6 S6", "S8 S8 S9 S9 SJ SJ SQ SQ SA SA", "S8 S8 S9 S9 SJ SJ SQ SQ", "ok", "ok"),
    ("S3 S3 S4 S4 S5 S5 S6 S6", "S8 S8 S9 S9 SJ SJ SQ SQ SA SA", "S8 S8 S9 S9 SJ SJ SA SA", "tractor_withheld", "ok"),
]


@pytest.mark.parametrize("regulation", TRACTOR_DUTY)
@pytest.mark.parametrize(("led", "hand", "play", "expected", "_jimei"), TRACTORS)
def test_tractors_where_they_are_asked_for(
    regulation: str, led: str, hand: str, play: str, expected: str, _jimei: str
) -> None:
    assert because(regulation, led, hand, play) == expected


@pytest.mark.parametrize(("led", "hand", "play", "_other", "expected"), TRACTORS)
def test_jimei_asks_for_pairs_only(led: str, hand: str, play: str, _other: str, expected: str) -> None:
    assert because("jimei-2018", led, hand, play) == expected


def test_either_off_suit_level_pair_completes_a_tractor() -> None:
    hand = "SA SA H2 H2 D2 D2 S5"
    for pair in ("H2 H2", "D2 D2"):
        assert because("zhongshan-2013", "S7 S7 S8 S8", hand, f"SA SA {pair}", trump="S") == "ok"
    assert because("zhongshan-2013", "S7 S7 S8 S8", hand, "H2 H2 D2 D2", trump="S") == "tractor_withheld"


def test_without_a_trump_suit_four_level_pairs_are_equal_and_no_tractor() -> None:
    hand = "S2 S2 H2 H2 C2 C2 D2 D2 S5"
    assert because("zhongshan-2013", "LJ LJ BJ BJ", hand, "S2 S2 D2 D2", trump="N") == "ok"
    assert because("zhongshan-2013", "LJ LJ BJ BJ", hand, "S2 S2 D2 C2", trump="N") == "pair_withheld"


TWO_TRACTORS = "H3 H3 H4 H4 H5 H5 H7 H7 H8 H8"
TWO_RUNS = "H9 H9 HT HT HQ HQ HK HK S2 S2 C2 C2 LJ LJ H6 HJ"


@pytest.mark.parametrize(
    ("play", "expected"),
    [
        ("H9 H9 HT HT HQ HQ HK HK S2 S2", "ok"),  # two for the longer one and any pair, two for the shorter one
        ("H9 H9 HT HT HQ HQ S2 S2 C2 C2", "ok"),  # the odd pair of the longer one breaks the other run: player's choice
        ("HQ HQ HK HK H9 H9 C2 C2 LJ LJ", "ok"),
        ("H9 H9 HT HT S2 S2 C2 C2 LJ LJ", "tractor_withheld"),  # nothing broke the other run
        ("H9 H9 HQ HQ S2 S2 C2 C2 LJ LJ", "tractor_withheld"),
        ("H9 H9 HT HT HQ HQ S2 S2 H6 HJ", "pair_withheld"),
    ],
)
def test_a_throw_of_two_tractors_goes_component_by_component(play: str, expected: str) -> None:
    assert because("zhongshan-2013", TWO_TRACTORS, TWO_RUNS, play) == expected


@pytest.mark.parametrize(
    ("play", "expected"),
    [
        ("H9 H9 HT HT HJ HJ HK HK HA HA", "ok"),
        ("H9 H9 HT HT HK HK HA HA LJ LJ", "tractor_withheld"),  # two of the three for the longer one
    ],
)
def test_each_led_tractor_is_answered_by_one_of_its_own_length(play: str, expected: str) -> None:
    hand = "H9 H9 HT HT HJ HJ HK HK HA HA LJ LJ H6 HQ"
    assert because("zhongshan-2013", TWO_TRACTORS, hand, play) == expected


@pytest.mark.parametrize(
    ("play", "expected"),
    [
        # two for the longer one and an off-suit level pair; the other one is still a tractor with the aces
        ("DT DT DJ DJ H5 H5 C5 C5 D7 D7", "tractor_withheld"),
        ("DT DT DJ DJ H5 H5 C5 C5 DA DA", "ok"),
        ("DT DT DJ DJ DA DA C5 C5 D7 D7", "ok"),  # the odd pair of the longer one breaks it: player's choice
    ],
)
def test_of_two_off_suit_level_pairs_the_one_left_makes_the_tractor(play: str, expected: str) -> None:
    led, hand = "D2 D2 D3 D3 D4 D4 S5 S5 D5 D5", "D7 D7 DT DT DJ DJ DA DA H5 H5 C5 C5 D6 D8"
    assert because("zhongshan-2013", led, hand, play, trump="D", level="5") == expected


@pytest.mark.parametrize(
    ("led", "because_of", "articles"),
    [
        ("SA", "ok", {"七（一）6"}),
        ("SA", "suit_withheld", {"七（一）6"}),  # 则在出牌时必须先出首家出的花色
        ("SA SA", "wrong_count", {"七（一）8"}),  # 出多牌、出少牌者,每张都扣10分
        ("S3 S3 S4 S4", "tractor_withheld", {"七（一）6"}),
        ("S3 S3", "pair_withheld", {"七（一）6"}),
    ],
)
def test_the_basis_is_the_duty_that_decides(led: str, because_of: Because, articles: set[str]) -> None:
    preset = changed(load("zhongshan-2013"), {"follow.pairs": "as_many_as_led"})
    format_led = lead(order(preset, "H", "2"), read_cards(led, "led"))
    assert format_led is not None
    hand = Hand(order(preset, "H", "2"), read_cards("S7 S7 S8 S8 SK", "hand"))
    found = follow_basis(preset, format_led, hand, because_of)
    duty: dict[str, Any] = {
        "tractor_withheld": preset.follow.tractors,
        "pair_withheld": preset.follow.pairs,
        "suit_withheld": preset.follow.suit,
        "wrong_count": preset.conduct.count,
    }
    assert {basis.article for basis in found} == articles
    assert because_of == "ok" or found == (duty[because_of].basis,)
    marks = [basis.mark for basis in follow_basis(load("jimei-2018"), format_led, hand, because_of)]
    expected = {
        "ok": ["read", "assumed"],
        "tractor_withheld": ["read"],
        "pair_withheld": ["stated"],
        "suit_withheld": ["read"],
        "wrong_count": ["stated"],
    }
    assert marks == expected[because_of]


@pytest.mark.parametrize(
    ("hand", "chosen"),
    [
        ("SA SA H2 H2 C2 C2 D2 D2", True),  # trumps are spades: three pairs that are equal, any with the aces
        ("SA SA H2 H2 C2 C2 S3", True),
        ("SA SA H2 H2 S5 S5 S3", False),
        ("SA SA SK SK S5 S5 S3", False),
    ],
)
def test_which_of_equal_level_pairs_is_in_a_tractor_is_no_word_of_the_article(hand: str, chosen: bool) -> None:
    """必须出拖拉机 is stated; that any of several off-suit level pairs will do is not (RULINGS, Common 3 and 7)."""
    trumps, held = load("zhongshan-2013"), read_cards(hand, "hand")
    led = lead(order(trumps, "S", "2"), read_cards("S9 S9 ST ST", "led"))
    assert led is not None
    for because_of in ("ok", "tractor_withheld", "pair_withheld"):
        found = follow_basis(trumps, led, Hand(order(trumps, "S", "2"), held), because_of)  # type: ignore[arg-type]
        assert (trumps.tractors.level_pairs.basis in found) == chosen
    jimei = load("jimei-2018")  # no duty to follow with a tractor, so nothing to choose
    assert jimei.tractors.level_pairs.basis not in follow_basis(jimei, led, Hand(order(jimei, "S", "2"), held), "ok")


@st.composite
def situations(draw: st.DrawFn) -> tuple[str, str, Cards, Cards]:
    """A lead of one suit, and a hand of that suit and a few other cards."""
    trump, level = draw(TRUMPS), draw(LEVELS)
    suit = draw(st.sampled_from([suit for suit in "SHCDN" if suit != trump]))
    cards = suit_cards(trump, level, suit)
    led = draw(pack(cards, 1, 6))
    own = draw(pack(cards, 0, 8))
    others = suit_cards(trump, level, draw(st.sampled_from([s for s in "SHCD" if s not in (trump, suit)])))
    return trump, level, led, (*own, *others[: draw(st.integers(0, 2))])


@settings(max_examples=300)
@given(situations(), st.sampled_from(ALL))
def test_a_play_is_legal_exactly_when_trying_everything_finds_it(
    drawn: tuple[str, str, Cards, Cards], regulation: str
) -> None:
    trump, level, led, hand = drawn
    preset = load(regulation)
    orders, rules = order(preset, trump, level), Rules(trump, level)
    legal = legal_plays(rules, led, hand, tractors=regulation in TRACTOR_DUTY)
    format_led, held = lead(orders, codes(led)), Hand(orders, codes(hand))
    assert format_led is not None
    for play in {tuple(sorted(play)) for play in combinations(hand, len(led))}:
        assert (follow(preset.follow, format_led, held, codes(play)) == "ok") == (play in legal), play


@st.composite
def tractor_situations(draw: st.DrawFn) -> tuple[str, str, Cards, Cards]:
    """Nothing but pairs on nine neighbouring steps: a lead of two to four, a hand of five or six and a single."""
    trump, level = draw(TRUMPS), draw(LEVELS)
    cards = suit_cards(trump, level, draw(st.sampled_from([suit for suit in "SHCDN" if suit != trump])))
    start = draw(st.integers(0, max(len(cards) - 9, 0)))
    window = cards[start : start + 9]
    led = draw(st.permutations(window))[: draw(st.integers(2, 4))]
    own = draw(st.permutations(window))[: draw(st.integers(5, 6))]
    single = [card for card in window if card not in own][:1]
    return trump, level, _twice(led), (*_twice(own), *single)


def _twice(cards: list[str]) -> Cards:
    return tuple(card for card in cards for _ in (0, 1))


@settings(max_examples=150)
@given(tractor_situations())
def test_tractors_are_owed_exactly_when_trying_everything_finds_them(drawn: tuple[str, str, Cards, Cards]) -> None:
    trump, level, led, hand = drawn
    preset = load("zhongshan-2013")
    orders = order(preset, trump, level)
    legal = legal_plays(Rules(trump, level), led, hand, tractors=True)
    format_led, held = lead(orders, codes(led)), Hand(orders, codes(hand))
    assert format_led is not None
    for play in {tuple(sorted(play)) for play in combinations(hand, len(led))}:
        assert (follow(preset.follow, format_led, held, codes(play)) == "ok") == (play in legal), play


@settings(max_examples=100)
@given(situations(), st.sampled_from(ALL))
def test_some_play_is_always_legal(drawn: tuple[str, str, Cards, Cards], regulation: str) -> None:
    trump, level, led, hand = drawn
    if len(hand) < len(led):
        return
    preset = load(regulation)
    orders = order(preset, trump, level)
    format_led, held = lead(orders, codes(led)), Hand(orders, codes(hand))
    assert format_led is not None
    assert any(follow(preset.follow, format_led, held, codes(play)) == "ok" for play in combinations(hand, len(led)))


def test_a_preset_may_ask_for_nothing_but_the_suit() -> None:
    free: Preset = changed(load("jimei-2018"), {"follow.pairs": "none"})
    orders = order(free, "H", "2")
    led = lead(orders, read_cards("S5 S5", "led"))
    assert led is not None
    hand = Hand(orders, read_cards("S7 S7 S9 SJ", "hand"))
    assert follow(free.follow, led, hand, read_cards("S9 SJ", "play")) == "ok"
