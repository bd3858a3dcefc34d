"""Who wins a trick (RULINGS, Common 2 and 6), by table and against a second evaluator."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shared.rules.cards import read_cards
from shared.rules.regulations import load
from shared.rules.shengji.led import lead
from shared.rules.shengji.order import order
from shared.rules.shengji.points import card_points, points_of
from shared.rules.shengji.trick import winner
from tests.unit.rules.cards.draws import LEVELS, TRUMPS, codes, pack, suit_cards
from tests.unit.rules.cards.naive import Cards, Rules
from tests.unit.rules.shengji_play.naive_play import trick_winner

PRESET = load("zhongshan-2013")


def winning(plays: list[str], trump: str = "H", level: str = "2") -> int:
    """The index of the winning play."""
    orders = order(PRESET, trump, level)
    cards = [read_cards(play, "plays") for play in plays]
    led = lead(orders, cards[0])
    assert led is not None
    return winner(orders, led, cards)


@pytest.mark.parametrize(
    ("plays", "expected"),
    [
        (["S5", "SA", "SA", "SK"], 1),  # of two aces the first
        (["S5", "DA", "H3", "CA"], 2),  # any trump, no other suit
        (["S5", "H3", "H4", "H4"], 2),
        (["H9", "S2", "D2", "H2"], 3),  # the main level card over the others
        (["H9", "S2", "D2", "C2"], 1),  # the others are equal
        (["H9", "LJ", "BJ", "BJ"], 2),
        (["S5 S5", "SA SK", "S6 S6", "S7 S8"], 2),
        (["S5 S5", "H3 H4", "D9 D9", "HA HA"], 3),  # two different trumps are no pair
        (["S5 S5", "S2 S2", "D2 D2", "HA HA"], 1),  # equal level pairs
        (["S5 S5 S6 S6", "S8 S8 S9 S9", "SJ SJ SK SK", "H3 H3 H4 H4"], 3),
        (["S5 S5 S6 S6", "S8 S8 S9 S9", "SJ SJ SK SK", "H3 H3 H5 H5"], 1),  # two pairs are no tractor
        (["S5 S5 S6 S6", "S2 S2 D2 D2", "S7 S7 S9 S9", "C3 C3 C4 C4"], 0),  # equal level pairs are no tractor
        (["S5 S5 S6 S6", "HA HA D2 D2", "LJ LJ H2 H2", "C3 C3 C4 C4"], 2),  # the ladder of trumps
    ],
)
def test_singles_pairs_and_tractors(plays: list[str], expected: int) -> None:
    assert winning(plays) == expected


@pytest.mark.parametrize(
    ("plays", "expected"),
    [
        (["SA SA SK", "H3 H3 H9", "H4 H4 H5", "C3 C4 C5"], 2),  # the pair decides: 44 over 33
        (["SA SA SK", "H3 H3 BJ", "H4 H4 H5", "C3 C4 C5"], 2),
        (["SA SA SK", "H3 H4 H5", "C3 C4 C5", "C6 C7 C8"], 0),  # no pair among the trumps
        (["SA SK", "H3 HT", "HT H9", "HJ HJ"], 3),  # a pair may be split
        (["SA SK", "H3 HT", "HT H9", "DA DK"], 1),  # equal highest, the first
        (["SA SA SK SK SQ", "H5 H5 H6 H6 H3", "H7 H7 H8 H8 H4", "C3 C4 C5 C6 C7"], 2),
        (["SA SA S9 S9 S4 S4", "H5 H5 H6 H6 H7 H7", "H3 H3 H4 H4 HA HA", "C3 C3 C4 C4 C5 C5"], 2),  # three pairs led
        (["SA SA SK SK S9 S9", "H5 H5 H6 H6 H7 H7", "H3 H3 H4 H4 HA HA", "C3 C3 C4 C4 C5 C5"], 1),  # 6-7 over 3-4
        (["SA SA SK SK S4", "H5 H5 H6 H6 H7", "H4 H4 H5 H7 H7", "C3 C4 C6 C7 C8"], 1),
        (["SA SA SK SK S9 S4", "H5 H5 H6 H6 H7 H7", "H6 H8 H8 H9 H9 HT", "C3 C4 C6 C7 C8 C9"], 2),  # a longer one split
        (
            ["SK SK SQ SQ S9 S9", "HA HA S2 S2 D2 D2", "H3 H3 H4 H4 H6 H6", "C3 C3 C4 C4 C5 C5"],
            1,
        ),  # A-2 and a pair of 2
    ],
)
def test_ruffs_of_throws(plays: list[str], expected: int) -> None:
    assert winning(plays) == expected


def pairs(text: str, suit: str = "H") -> str:
    """Both copies of these ranks of a suit."""
    return " ".join(f"{suit}{rank} {suit}{rank}" for rank in text.replace(" ", ""))


@pytest.mark.parametrize(
    ("led", "ruffs", "expected"),
    [
        ("AK 98", ["56 89", "34 9T"], 2),  # the higher of the two tractors decides: T over 9
        ("AK 98", ["34 78", "3456"], 1),  # four in a row are two tractors, 6 the higher
        ("AK 98", ["345 9", "34 67"], 2),  # three in a row and a pair are one tractor only
        ("AKQ 98", ["345 89", "34 678"], 2),  # the longer one decides: 8 over 5
        ("AKQ 98", ["34567", "34 789"], 2),  # five in a row divide both ways, at best 7 on top
        ("AKQ 98", ["34567", "345 89"], 1),
        ("AKQ 98", ["3456 9", "345 89"], 2),  # four in a row and a pair do not divide
        ("AKQ 98 6", ["3456 9T", "34567 J"], 2),  # of four in a row the upper three: 6; of five: 7
        ("AKQ T9 76", ["345 9TJQ", "456 89 JQ"], 2),  # the four must be two tractors, so that 5 decides
    ],
)
def test_ruffs_of_several_tractors_in_their_best_division(led: str, ruffs: list[str], expected: int) -> None:
    plays = [pairs(led, "S"), *(pairs(ruff) for ruff in ruffs)]
    discard = pairs("3456789TJQKA", "C")[: len(plays[0])]
    assert winning([*plays, discard]) == expected


def test_a_play_of_another_size_never_wins() -> None:
    assert winning(["S5", "SA SA", "S6", "S4"]) == 2


@pytest.mark.parametrize("regulation", ["jimei-2018", "zhongshan-2013", "shandong-2023"])
def test_fives_tens_and_kings_have_points_and_the_pack_has_200(regulation: str) -> None:
    points = card_points(load(regulation))
    assert points_of(points, read_cards("S5 HT DK SA LJ", "cards")) == 5 + 10 + 10
    assert 2 * sum(points) == 200  # 全手牌共200分


@st.composite
def tricks(draw: st.DrawFn) -> tuple[str, str, list[Cards]]:
    """Four plays of one size, of the led suit, of trumps or of anything, from a narrow part of the pack."""
    trump, level = draw(TRUMPS), draw(LEVELS)
    suits = [suit for suit in "SHCDN" if suit != trump]
    suit = draw(st.sampled_from(suits))
    led = draw(pack(suit_cards(trump, level, suit), 1, 6))
    plays = [led]
    for _ in range(3):
        own = draw(st.sampled_from([suit, "N", *suits]))
        cards = draw(pack(suit_cards(trump, level, own), len(led), len(led)))
        plays.append(cards if len(cards) == len(led) else led)
    return trump, level, plays


@settings(max_examples=600)
@given(tricks())
def test_the_winner_is_what_a_second_evaluator_finds(drawn: tuple[str, str, list[Cards]]) -> None:
    trump, level, plays = drawn
    orders = order(PRESET, trump, level)
    led = lead(orders, codes(plays[0]))
    assert led is not None
    assert winner(orders, led, [codes(play) for play in plays]) == trick_winner(Rules(trump, level), plays)
