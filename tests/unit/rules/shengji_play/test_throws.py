"""Throws: jimei-2018 十一.8③, zhongshan-2013 七（一）8; RULINGS, Common 5."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shared.rules.cards import CARDS, read_cards, write_cards
from shared.rules.regulations import changed, load
from shared.rules.shengji.hand import Hand
from shared.rules.shengji.led import lead
from shared.rules.shengji.order import order
from shared.rules.shengji.throws import check_throw, throw_points
from tests.unit.rules.cards.draws import LEVELS, TRUMPS, codes, pack, suit_cards
from tests.unit.rules.cards.naive import Cards, Rules
from tests.unit.rules.shengji_play.naive_play import is_beaten

JIMEI, ZHONGSHAN = load("jimei-2018"), load("zhongshan-2013")


def thrown(play: str, others: list[str], trump: str = "H", level: str = "2") -> tuple[str | None, set[str], int, int]:
    """What must be played, the beaten components, and the penalty points of jimei and of zhongshan."""
    orders = order(JIMEI, trump, level)
    led = lead(orders, read_cards(play, "play"))
    assert led is not None
    throw = check_throw(orders, led, [Hand(orders, read_cards(other, "others")) for other in others])
    must = None if throw.must_play is None else write_cards(throw.must_play.cards)
    beaten = {write_cards(part.cards) for part in throw.beaten}
    return must, beaten, throw_points(JIMEI, led, throw), throw_points(ZHONGSHAN, led, throw)


# 甩错牌，按甩牌被卡总张数乘以10作为罚分 / 甩牌者拿回多少张就扣×10分
@pytest.mark.parametrize(
    ("play", "others", "expected"),
    [
        ("SA SK", ["SQ", "S3", "D4"], (None, set(), 0, 0)),
        ("SA SQ", ["SK", "S3", "D4"], ("SQ", {"SQ"}, 10 * 1, 10 * (2 - 1))),
        ("SA SQ", ["D4", "SK", "S3"], ("SQ", {"SQ"}, 10, 10)),  # the partner's cards count too
        ("SA SK", ["SK", "D4", "D5"], (None, set(), 0, 0)),  # equal does not beat
        ("SA SQ", ["H3", "HA", "LJ"], (None, set(), 0, 0)),  # trumps do not
        ("SJ S9", ["SK", "S3", "D4"], ("S9", {"SJ", "S9"}, 10 * 2, 10 * (2 - 1))),  # of two singles the lower
        ("SQ SQ S9", ["SK SK", "ST D3", "D4 D5"], ("S9", {"SQ SQ", "S9"}, 10 * 3, 10 * (3 - 1))),  # single before pair
        ("SQ SQ SA", ["SK SK", "ST D3", "D4 D5"], ("SQ SQ", {"SQ SQ"}, 10 * 2, 10 * (3 - 2))),
        ("SQ SQ SA", ["SK SJ", "SK D3", "D4 D5"], (None, set(), 0, 0)),  # nobody has both kings
        ("S5 S5 S6 S6 SA", ["S8 S8 S9 S9", "SK D3", "D4 D5"], ("S6 S6 S5 S5", {"S6 S6 S5 S5"}, 40, 10)),
        ("S5 S5 S6 S6 SA", ["S8 S8 ST ST", "SK D3", "D4 D5"], (None, set(), 0, 0)),  # two pairs beat no tractor
        ("S5 S5 S6 S6 SA", ["S8 S8 S9 S9 ST ST", "SK", "D4"], ("S6 S6 S5 S5", {"S6 S6 S5 S5"}, 40, 10)),  # a longer one
        # pair before tractor, the shorter tractor first
        ("S3 S3 S4 S4 S7 S7", ["S8 S8 S9 S9", "D3", "D4"], ("S7 S7", {"S7 S7", "S4 S4 S3 S3"}, 60, 40)),
        ("S3 S3 S4 S4 S5 S5 S8 S8 S9 S9", ["SJ SJ SQ SQ SK SK", "D3", "D4"],
         ("S9 S9 S8 S8", {"S9 S9 S8 S8", "S5 S5 S4 S4 S3 S3"}, 100, 60)),
    ],
)  # fmt: skip
def test_what_must_be_led_instead(
    play: str, others: list[str], expected: tuple[str | None, set[str], int, int]
) -> None:
    assert thrown(play, others) == expected


def test_equal_level_cards_are_parted_by_suit() -> None:  # S H C D
    must, beaten, *_ = thrown("D2 C2", ["LJ", "H3", "H4"], trump="H", level="2")
    assert (must, beaten) == ("C2", {"C2", "D2"})


@pytest.mark.parametrize(
    ("regulation", "allowed"),
    [("jimei-2018", True), ("zhongshan-2013", True), ("shandong-2023", False)],  # 八.6: 不准同花色甩牌
)
def test_where_throws_are_allowed(regulation: str, allowed: bool) -> None:
    assert load(regulation).throws.allowed.value is allowed


def test_another_off_suit_level_pair_begins_a_higher_tractor() -> None:
    """At level 2 with hearts as trumps the ladder goes on A, off-suit 2, main 2: D2 and H2 beat A and S2."""
    must, *_ = thrown("BJ HA HA S2 S2", ["D2 D2 H2 H2 H3", "H4 H5 H6 H7 H8", "H4 H5 H6 H7 H8"], trump="H", level="2")
    assert must == "S2 S2 HA HA"


def test_a_regulation_may_price_no_failed_throw() -> None:
    shandong = changed(load("shandong-2023"), {"throws.allowed": True})
    orders = order(shandong, "H", "2")
    led = lead(orders, read_cards("SA SQ", "play"))
    assert led is not None
    throw = check_throw(orders, led, [Hand(orders, read_cards("SK", "others"))])
    assert (throw.stands, throw_points(shandong, led, throw)) == (False, 0)


@st.composite
def throws(draw: st.DrawFn) -> tuple[str, str, Cards, list[Cards]]:
    trump, level = draw(TRUMPS), draw(LEVELS)
    suit = draw(st.sampled_from([suit for suit in "SHCDN" if suit != trump]))
    cards = suit_cards(trump, level, suit)
    return trump, level, draw(pack(cards, 2, 7)), [draw(pack(cards, 0, 7)) for _ in range(3)]


@settings(max_examples=300)
@given(throws())
def test_beaten_is_what_trying_everything_finds(drawn: tuple[str, str, Cards, list[Cards]]) -> None:
    trump, level, play, others = drawn
    orders, rules = order(JIMEI, trump, level), Rules(trump, level)
    led = lead(orders, codes(play))
    assert led is not None
    throw = check_throw(orders, led, [Hand(orders, codes(other)) for other in others])
    found = [part for part in led.components if any(is_beaten(rules, _texts(part.cards), other) for other in others)]
    assert sorted(throw.beaten) == sorted(found)
    assert throw.stands == (not found)
    if found:
        keys = [(part.pairs, part.rank, _suits(part.cards[0])) for part in found]
        assert throw.must_play == found[keys.index(min(keys))]


def _texts(cards: tuple[int, ...]) -> Cards:
    return tuple(CARDS[card] for card in cards)


def _suits(card: int) -> int:
    return "SHCDLB".index(CARDS[card][0])
