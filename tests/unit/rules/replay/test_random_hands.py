"""Hands drawn at random: a legal one has no irregularity, one breach is found where it is, and nothing else is."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shared.rules.errors import UnknownBreach
from shared.rules.regulations import load
from shared.rules.shengji.random_hands import breaches, random_hand
from shared.rules.shengji.replay import replay
from tests.unit.rules.replay.records import REGULATIONS
from tests.unit.rules.replay.records import breaches as found_in

seeds = st.integers(0, 2**32)
WORTH = {"5": 5, "T": 10, "K": 10}


def worth(cards: str) -> int:
    return sum(WORTH.get(card[1], 0) for card in cards.split(" ") if card[0] in "SHCD")


@pytest.mark.parametrize("regulation", REGULATIONS)
@given(seed=seeds)
@settings(max_examples=60, deadline=None)
def test_a_legal_hand_has_no_irregularity_and_its_points_are_the_packs(regulation: str, seed: int) -> None:
    preset = load(regulation)
    drawn = random_hand(preset, seed).record
    hand = replay(preset, drawn)
    assert hand.complete
    assert hand.irregularities == ()
    assert sum(trick.points for trick in hand.tricks) + worth(drawn["kitty"]) == 200
    assert hand.tricks[-1].attacker_points == hand.card_points
    assert hand.level_change is not None
    kitty = hand.kitty
    assert kitty is not None
    won = "dealers" if hand.tricks[-1].winner in (drawn["dealer"], (drawn["dealer"] + 1) % 4 + 1) else "attackers"
    assert (kitty.to, kitty.points) == (won, worth(drawn["kitty"]) * kitty.multiplier)
    assert hand.attacker_points == hand.card_points + (kitty.points if won == "attackers" else 0)


@pytest.mark.parametrize("regulation", REGULATIONS)
@given(seed=seeds)
@settings(max_examples=25, deadline=None)
def test_without_the_deal_the_plays_tell_the_same(regulation: str, seed: int) -> None:
    preset = load(regulation)
    drawn = random_hand(preset, seed).record
    whole = replay(preset, drawn)
    for left_out in (
        ("dealt",),
        ("dealt", "kitty_dealt"),
        ("dealt", "kitty_dealt", "kitty"),
        ("kitty",),
        ("kitty_dealt",),
    ):
        hand = replay(preset, {name: value for name, value in drawn.items() if name not in left_out})
        assert hand.irregularities == ()
        assert (hand.attacker_points, hand.level_change, hand.tricks) == (
            whole.attacker_points,
            whole.level_change,
            whole.tricks,
        )


@given(seed=seeds, stop=st.integers(0, 20))
@settings(max_examples=60, deadline=None)
def test_a_record_that_stops_early_is_not_complete_and_clean(seed: int, stop: int) -> None:
    preset = load("zhongshan-2013")
    drawn = random_hand(preset, seed).record
    cut = {**drawn, "tricks": drawn["tricks"][: min(stop, len(drawn["tricks"]) - 1)]}
    for record in (cut, {name: value for name, value in cut.items() if name != "kitty"}):
        hand = replay(preset, record)
        assert (hand.complete, hand.kitty, hand.level_change) == (False, None, None)
        assert hand.irregularities == ()


@given(seed=seeds)
@settings(max_examples=40, deadline=None)
def test_the_order_of_cards_in_the_record_does_not_matter(seed: int) -> None:
    preset = load("jimei-2018")
    drawn = random_hand(preset, seed).record
    mixed = random.Random(seed)

    def shuffled(text: str) -> str:
        cards = text.split(" ")
        mixed.shuffle(cards)
        return " ".join(cards)

    other = {
        **drawn,
        "dealt": {seat: shuffled(cards) for seat, cards in drawn["dealt"].items()},
        "kitty": shuffled(drawn["kitty"]),
        "tricks": [
            {"leader": trick["leader"], "plays": [shuffled(play) for play in trick["plays"]]}
            for trick in drawn["tricks"]
        ],
    }
    one, two = replay(preset, drawn), replay(preset, other)
    assert (one.tricks, one.kitty, one.level_change) == (two.tricks, two.kitty, two.level_change)


CASES = [(regulation, code) for regulation in REGULATIONS for code in breaches(load(regulation))]


@pytest.mark.parametrize(("regulation", "code"), CASES)
@given(seed=seeds)
@settings(max_examples=12, deadline=None)
def test_one_breach_is_found_at_its_seat_and_trick_and_nothing_else_is(regulation: str, code: str, seed: int) -> None:
    preset = load(regulation)
    drawn = random_hand(preset, seed, code)
    hand = replay(preset, drawn.record)
    assert drawn.breach is not None
    assert found_in(hand) == [(code, drawn.breach.seat, drawn.breach.trick)]
    assert hand.complete


PLAYED = ("revoke", "wrong_follow", "failed_throw", "illegal_throw", "illegal_lead", "out_of_turn", "wrong_count")


@pytest.mark.parametrize(("regulation", "code"), [case for case in CASES if case[1] in (*PLAYED, "kitty_size")])
@given(seed=seeds)
@settings(max_examples=12, deadline=None)
def test_what_the_plays_show_is_found_without_the_deal(regulation: str, code: str, seed: int) -> None:
    """Where a seat has run out of cards before the others, those who still have some play the last tricks."""
    preset = load(regulation)
    drawn = random_hand(preset, seed, code)
    hand = replay(preset, {name: value for name, value in drawn.record.items() if name != "dealt"})
    assert drawn.breach is not None
    assert found_in(hand) == [(code, drawn.breach.seat, drawn.breach.trick)]
    assert hand.complete


@given(seed=seeds, regulation=st.sampled_from(REGULATIONS))
@settings(max_examples=60, deadline=None)
def test_a_revoke_is_seen_in_a_later_trick_of_a_whole_hand(seed: int, regulation: str) -> None:
    preset = load(regulation)
    (breach,) = replay(preset, random_hand(preset, seed, "revoke").record).irregularities
    assert breach.discovered_at is not None
    assert breach.discovered_at > breach.trick
    assert breach.withheld in ("suit", "pair", "tractor")


def test_the_same_seed_gives_the_same_hand() -> None:
    preset = load("jimei-2018")
    assert random_hand(preset, 7).record == random_hand(preset, 7).record != random_hand(preset, 8).record


def test_a_breach_that_there_is_not_is_refused() -> None:
    with pytest.raises(UnknownBreach, match="illegal_throw"):
        random_hand(load("jimei-2018"), 1, "illegal_throw")
