"""Miscounts of the kitty and of a hand, and what they do to the levels."""

from __future__ import annotations

from typing import Any

import pytest

from shared.rules.regulations import load
from shared.rules.shengji.random_hands import random_hand
from shared.rules.shengji.replay import Replayed, replay
from tests.unit.rules.replay.records import Tricks, breaches, replayed

SEEDS = range(12)


def miscounted(regulation: str, seed: int, **more: Any) -> Replayed:
    preset = load(regulation)
    return replay(preset, {**random_hand(preset, seed, "kitty_size").record, **more})


@pytest.mark.parametrize("seed", SEEDS)
def test_jimei_the_dealer_falls_and_nobody_gains(seed: int) -> None:
    hand = miscounted("jimei-2018", seed)
    (breach,) = hand.irregularities
    assert (breach.article, breach.penalty_points, breach.also) == ("十一.8④", 0, ("deal_lost",))
    change = hand.level_change
    assert change is not None
    assert (change.dealer_gain, change.attacker_gain, change.deal) == (0, 0, "attackers")


@pytest.mark.parametrize("seed", SEEDS)
def test_jimei_attackers_who_play_on_take_20_and_the_points_decide(seed: int) -> None:
    plain = miscounted("jimei-2018", seed)
    entered = {"code": "kitty_size_played_on", "seat": plain.record.dealer, "after_trick": 1}
    hand = miscounted("jimei-2018", seed, incidents=[entered])
    (breach,) = hand.irregularities
    assert (breach.code, breach.penalty_points) == ("kitty_size", 20)
    assert hand.attacker_points == plain.attacker_points + 20


def test_jimei_before_the_dealer_leads_it_is_put_right() -> None:
    (breach,) = miscounted("jimei-2018", 1, tricks=[]).irregularities
    assert (breach.code, breach.penalty_points, breach.also) == ("kitty_size", 0, ())


@pytest.mark.parametrize("seed", SEEDS)
def test_zhongshan_the_attackers_deal_and_gain_a_level_for_each_40_points_at_most_3(seed: int) -> None:
    hand = miscounted("zhongshan-2013", seed)
    change = hand.level_change
    assert change is not None
    assert (change.deal, change.dealer_gain) == ("attackers", 0)
    assert change.attacker_gain == min(hand.attacker_points // 40, 3)


def dealt(sizes: dict[int, int]) -> dict[str, Any]:
    """A hand in which seats got so many cards, the rest lying in the kitty."""
    drawn = random_hand(load("jimei-2018"), 5).record
    cards = " ".join([*drawn["dealt"].values(), drawn["kitty_dealt"]]).split(" ")
    hands, at = {}, 0
    for seat in (1, 2, 3, 4):
        size = sizes.get(seat, 25)
        hands[str(seat)] = " ".join(cards[at : at + size])
        at += size
    return {**drawn, "dealt": hands, "kitty_dealt": " ".join(cards[at:]), "tricks": [], "kitty": None}


@pytest.mark.parametrize(
    ("sizes", "seats", "points"),
    [
        ({2: 26}, [2], 20),
        ({3: 24}, [3], 20),
        ({1: 26, 3: 24}, [1], 20),
        ({1: 26, 2: 24}, [1], 0),
        ({2: 24, 4: 27}, [4], 20),
        ({1: 26, 2: 24, 3: 24}, [1, 2], 40),
        ({2: 27, 3: 24, 4: 24}, [2, 2], 20),  # one drawn by the partner, one by an opponent: no hand is alone
        ({2: 27, 1: 24, 3: 24}, [2, 2], 0),
        ({1: 26, 3: 26, 2: 23}, [1, 3], 0),
    ],
)
def test_jimei_hands_of_a_wrong_size(sizes: dict[int, int], seats: list[int], points: int) -> None:
    """单方多牌或少牌皆罚20分; 同家 20; between opponents the cards are only drawn."""
    hand = replay(load("jimei-2018"), {**dealt(sizes), "declarations": []})
    assert [breach.code for breach in hand.irregularities] == ["hand_size"] * len(seats)
    assert [breach.seat for breach in hand.irregularities] == seats
    assert sum(breach.penalty_points for breach in hand.irregularities) == points


@pytest.mark.parametrize(("size", "also"), [(26, ("cards_drawn",)), (24, ())])
def test_jimei_only_a_single_hand_with_too_many_is_drawn_from(size: int, also: tuple[str, ...]) -> None:
    """单方多牌……让他方任意抽掉多余牌张，单方少牌……则打到无牌为止，单方多牌或少牌皆罚20分 (十一.8⑤)."""
    (breach,) = replay(load("jimei-2018"), {**dealt({3: size}), "declarations": []}).irregularities
    assert (breach.penalty_points, breach.also) == (20, also)


def test_jimei_a_wrong_kitty_beside_right_hands_is_dealt_again() -> None:
    record = {**dealt({}), "declarations": []}
    record["kitty_dealt"] = record["kitty_dealt"][3:]
    (breach,) = replay(load("jimei-2018"), record).irregularities
    assert (breach.code, breach.article, breach.also) == ("kitty_size", "十一.1", ("reshuffle",))


FIRST: Tricks = [(1, ["H5", "H7", "HK", "H4"])]


@pytest.mark.parametrize(
    ("regulation", "shown", "wrong"),
    [
        ("zhongshan-2013", [(1, "S2"), (2, "C2 C2"), (1, "S2 S2")], []),
        ("zhongshan-2013", [(1, "S2"), (2, "C2 C2"), (3, "D2 D2")], [3]),
        ("zhongshan-2013", [(1, "S2"), (2, "LJ LJ"), (3, "BJ BJ")], []),
        ("zhongshan-2013", [(1, "S2"), (1, "H2 H2")], [1]),
        ("zhongshan-2013", [(1, "S2"), (1, "S2")], []),
        ("zhongshan-2013", [(1, "H9")], [1]),
        ("jimei-2018", [(1, "S2"), (2, "LJ LJ")], [2]),
        ("jimei-2018", [(1, "S2"), (1, "S2 S2")], []),
        ("shandong-2023", [(1, "SA"), (2, "HA HA"), (3, "S2"), (4, "H2 H2")], []),
        ("shandong-2023", [(1, "S2"), (1, "S2 S2")], [1]),
        ("jimei-2018", [(1, "SA")], [1]),
        ("shandong-2023", [(1, "LJ LJ")], [1]),
    ],
)
def test_showings_are_judged(regulation: str, shown: list[tuple[int, str]], wrong: list[int]) -> None:
    declarations = [{"seat": seat, "cards": cards} for seat, cards in shown]
    hand = replayed(regulation, FIRST, declarations=declarations)
    assert breaches(hand) == [("illegal_declaration", seat, 1) for seat in wrong]


def test_a_showing_of_cards_that_were_not_dealt_is_found() -> None:
    drawn = random_hand(load("zhongshan-2013"), 5).record
    level = drawn["levels"]["13" if drawn["dealer"] % 2 else "24"]
    lacking = next(seat for seat in "1234" if drawn["dealt"][seat].split(" ").count(f"S{level}") < 2)
    shown = [{"seat": int(lacking), "cards": f"S{level} S{level}"}]
    hand = replay(load("zhongshan-2013"), {**drawn, "declarations": shown})
    assert breaches(hand) == [("illegal_declaration", int(lacking), 1)]


@pytest.mark.parametrize(("number", "field"), [(0, "attempted"), (0, "corrected"), (1, "corrected"), (3, "corrected")])
def test_a_card_taken_back_that_was_not_in_the_hand_is_found(number: int, field: str) -> None:
    drawn = random_hand(load("jimei-2018"), 8).record
    trick = drawn["tricks"][0]
    seat = (trick["leader"] - 1 + number) % 4 + 1
    own = {*drawn["dealt"][str(seat)].split(" "), *drawn["kitty_dealt"].split(" ")}
    strange = next(card for other in "1234" for card in drawn["dealt"][other].split(" ") if card not in own)
    stood = trick["plays"][number]
    trick["plays"][number] = {"cards": stood, field: f"{stood} {strange}"}
    (breach,) = replay(load("jimei-2018"), drawn).irregularities
    assert (breach.code, breach.seat, breach.trick, breach.cards) == ("card_not_held", seat, 1, strange)
