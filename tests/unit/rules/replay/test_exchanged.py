"""Two cards of a seat exchanged in a legal hand: the replay finds what an independent reading of the duty finds.

At that seat, in those tricks, and nothing else.
"""

from __future__ import annotations

import copy
from typing import Any

import pytest
from hypothesis import assume, event, given, settings
from hypothesis import strategies as st

from shared.rules.regulations import load
from shared.rules.shengji.random_hands import random_hand
from shared.rules.shengji.replay import replay
from tests.unit.rules.cards.naive import Cards, Rules
from tests.unit.rules.replay.records import breaches
from tests.unit.rules.shengji_play.naive_play import legal_plays, trick_winner

ALL = ["jimei-2018", "zhongshan-2013", "shandong-2023"]
TRACTOR_DUTY = ("zhongshan-2013", "shandong-2023")
SEATS = (1, 2, 3, 4)


def place(trick: dict[str, Any], seat: int) -> int:
    """Where the seat's play stands in a trick of four."""
    return (seat - trick["leader"]) % 4


def cards(trick: dict[str, Any], seat: int) -> Cards:
    return tuple(trick["plays"][place(trick, seat)].split(" "))


def illegal(record: dict[str, Any], rules: Rules, seat: int, tractors: bool) -> list[int]:
    """The tricks, from 1, in which the seat did not give what its hand must."""
    found = []
    held = [card for trick in record["tricks"] for card in cards(trick, seat)]
    for number, trick in enumerate(record["tricks"], 1):
        played, led = cards(trick, seat), cards(trick, trick["leader"])
        if seat != trick["leader"] and tuple(sorted(played)) not in legal_plays(rules, led, tuple(held), tractors):
            found.append(number)
        for card in played:
            held.remove(card)
    return found


def winners(record: dict[str, Any], rules: Rules) -> list[int]:
    return [trick_winner(rules, [tuple(play.split(" ")) for play in trick["plays"]]) for trick in record["tricks"]]


@pytest.mark.parametrize("regulation", ALL)
@given(seed=st.integers(0, 2**32), data=st.data())
@settings(max_examples=30, deadline=None)
def test_exchanged_cards_are_found_where_they_break_the_duty(regulation: str, seed: int, data: st.DataObject) -> None:
    preset = load(regulation)
    record = random_hand(preset, seed).record
    rules = Rules(record["trump"], record["levels"]["13" if record["dealer"] % 2 else "24"])
    seat = data.draw(st.sampled_from(SEATS))
    single = [
        index
        for index, trick in enumerate(record["tricks"])
        if trick["leader"] != seat and len(cards(trick, trick["leader"])) == 1
    ]
    assume(len(single) > 1)
    one, two = data.draw(st.lists(st.sampled_from(single), min_size=2, max_size=2, unique=True))
    changed = copy.deepcopy(record)
    for index, other in ((one, two), (two, one)):
        trick, source = changed["tricks"][index], record["tricks"][other]
        trick["plays"][place(trick, seat)] = source["plays"][place(source, seat)]
    assume(winners(changed, rules) == winners(record, rules))  # else it is another hand
    expected = illegal(changed, rules, seat, regulation in TRACTOR_DUTY)
    event(f"{len(expected)} broken")
    last = len(changed["tricks"])
    codes = [("wrong_follow" if number == last else "revoke", seat, number) for number in expected]
    assert breaches(replay(preset, changed)) == codes
