"""The order of the cards (RULINGS, Common 2; shandong-2023 八.1: 大王、小王、X主、X；其他A到2)."""

from __future__ import annotations

from itertools import combinations, pairwise

import pytest

from shared.rules.cards import CARDS, CODES
from shared.rules.regulations import load
from shared.rules.shengji.order import TRUMPS, Order, order
from tests.unit.rules.cards.naive import RANKS, Rules

EVERY = [(trump, level) for trump in "SHCDN" for level in RANKS]


def of(trump: str, level: str) -> Order:
    return order(load("shandong-2023"), trump, level)


def higher(orders: Order, first: str, second: str) -> bool:
    one, two = CODES[first], CODES[second]
    return orders.power[one] > orders.power[two]


@pytest.mark.parametrize(
    "rising",
    [["H2", "H3", "HA", "S7", "H7", "LJ", "BJ"], ["H6", "H8", "D7", "H7"], ["SA", "H2"], ["HK", "HA", "C7", "LJ"]],
)
def test_hearts_at_seven(rising: list[str]) -> None:
    assert all(higher(of("H", "7"), second, first) for first, second in combinations(rising, 2))


def test_the_other_level_cards_are_equal() -> None:
    assert len({of("H", "7").rank[CODES[card]] for card in ("S7", "C7", "D7")}) == 1


def test_without_trumps_all_level_cards_are_equal_and_the_only_trumps_beside_the_jokers() -> None:
    orders = of("N", "7")
    assert len({orders.rank[CODES[card]] for card in ("S7", "H7", "C7", "D7")}) == 1
    assert {CARDS[card] for card in orders.members[TRUMPS]} == {"S7", "H7", "C7", "D7", "LJ", "BJ"}


@pytest.mark.parametrize(("trump", "level"), EVERY)
def test_every_card_has_one_suit_and_the_order_in_it_is_total_but_for_level_cards(trump: str, level: str) -> None:
    orders, rules = of(trump, level), Rules(trump, level)
    for one, two in combinations(CARDS, 2):
        first, second = CODES[one], CODES[two]
        same_suit = orders.suit[first] == orders.suit[second]
        assert same_suit == (rules.suit(one) == rules.suit(two))
        if same_suit:
            assert (orders.rank[first] > orders.rank[second]) == (rules.steps[one] > rules.steps[two])
            equal = orders.rank[first] == orders.rank[second]
            assert not equal or one[1] == two[1] == level


@pytest.mark.parametrize(("trump", "level"), EVERY)
def test_a_list_shows_trumps_first_and_no_lower_card_before_a_higher(trump: str, level: str) -> None:
    orders = of(trump, level)
    shown = orders.sorted(range(54))
    assert shown == orders.sorted(reversed(range(54)))
    suits = [orders.suit[card] for card in shown]
    assert suits == sorted(suits, key=lambda suit: (suit != TRUMPS, suit))
    for first, second in pairwise(shown):
        if orders.suit[first] == orders.suit[second]:
            assert (-orders.rank[first], first) < (-orders.rank[second], second)
