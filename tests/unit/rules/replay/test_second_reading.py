"""Whole hands, legal and with one breach, against a second reading of the articles: every trick, the kitty, the price,
the points and the levels."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shared.rules.regulations import load
from shared.rules.shengji.random_hands import breaches, random_hand
from shared.rules.shengji.replay import replay
from tests.unit.rules.replay import second_reading as second

FOUND = (
    "revoke",
    "wrong_follow",
    "failed_throw",
    "illegal_throw",
    "illegal_lead",
    "out_of_turn",
    "wrong_count",
    "kitty_size",
    "hand_size",
)
REGULATIONS = ("jimei-2018", "zhongshan-2013", "shandong-2023")
CASES = [(name, code) for name in REGULATIONS for code in (None, *FOUND) if code in (None, *breaches(load(name)))]


@pytest.mark.parametrize(("regulation", "code"), CASES)
@given(seed=st.integers(0, 2**32))
@settings(max_examples=15, deadline=None)
def test_a_second_reading_finds_the_same(regulation: str, code: str | None, seed: int) -> None:
    preset = load(regulation)
    record = random_hand(preset, seed, code).record
    hand = replay(preset, record)
    again = second.summed(regulation, record)
    assert [(trick.winner, trick.points) for trick in hand.tricks] == again.tricks
    assert hand.kitty is not None
    assert (hand.kitty.multiplier, hand.kitty.points, hand.kitty.to) == again.kitty
    points = again.card_points + (again.kitty[1] if again.kitty[2] == "attackers" else 0)
    moved, seat = False, record["dealer"]
    for breach in hand.irregularities:
        seat = breach.seat
        price = second.priced(regulation, record, breach.code, seat, breach.trick, breach.withheld)
        assert (breach.penalty_points, breach.also) == (price.points, price.also)
        points += price.points if second.dealer_side(record, seat) else -price.points
        moved = price.moves
    assert hand.attacker_points == points
    change = hand.level_change
    assert change is not None
    expected = second.levels(regulation, record, points, code or "", seat, moved)
    assert (change.dealer_gain, change.attacker_gain, change.deal) == expected
