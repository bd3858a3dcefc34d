"""One thing wrong in a record is one irregularity, whatever follows from it at the table or in the record."""

from __future__ import annotations

import copy
import random
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from shared.rules.regulations import load
from shared.rules.shengji.random_hands import random_hand
from shared.rules.shengji.replay import replay

REGULATIONS = ("jimei-2018", "zhongshan-2013", "shandong-2023")
Record = dict[str, Any]
seeds = st.integers(0, 2**32)


def hands(record: Record) -> dict[str, list[str]]:
    return {seat: cards.split(" ") for seat, cards in record["dealt"].items()}


def put(record: Record, dealt: dict[str, list[str]], kitty: list[str] | None = None) -> Record:
    """The record with these hands, and this kitty as dealt."""
    record["dealt"] = {seat: " ".join(cards) for seat, cards in dealt.items()}
    if kitty is not None:
        record["kitty_dealt"] = " ".join(kitty)
    return record


def others(record: Record) -> list[str]:
    """The seats that do not deal."""
    return [seat for seat in "1234" if int(seat) != record["dealer"]]


def drawn(chance: random.Random, cards: list[str]) -> str:
    return cards.pop(chance.randrange(len(cards)))


def buried_of_another_hand(record: Record, chance: random.Random) -> Record:
    """The kitty has a card that another seat was dealt, in place of one that then appears nowhere."""
    dealt, kitty = hands(record), record["kitty"].split(" ")
    own = {*dealt[str(record["dealer"])], *record["kitty_dealt"].split(" ")}
    strange = [card for seat in others(record) for card in dealt[seat] if card not in own]
    assume(strange)
    kitty[chance.randrange(len(kitty))] = chance.choice(strange)
    return record | {"kitty": " ".join(kitty)}


def buried_one_short(record: Record, chance: random.Random) -> Record:
    """A card that is neither in the kitty nor ever played."""
    kitty = record["kitty"].split(" ")
    drawn(chance, kitty)
    return record | {"kitty": " ".join(kitty)}


def dealt_across(record: Record, chance: random.Random) -> Record:
    """24 and 26 cards, put right: the card is played by whom it was due (多牌方给少牌方任意抽取)."""
    dealt = hands(record)
    giver, taker = chance.sample("1234", 2)
    dealt[taker].append(drawn(chance, dealt[giver]))
    return put(record, dealt)


def dealt_from_the_kitty(record: Record, chance: random.Random) -> Record:
    """26 cards and a kitty one short, put right before the dealer buries."""
    dealt, kitty = hands(record), record["kitty_dealt"].split(" ")
    dealt[chance.choice(others(record))].append(drawn(chance, kitty))
    return put(record, dealt, kitty)


def dealt_to_the_kitty(record: Record, chance: random.Random) -> Record:
    """24 cards and a kitty of one too many, put right."""
    dealt, kitty = hands(record), record["kitty_dealt"].split(" ")
    kitty.append(drawn(chance, dealt[chance.choice(others(record))]))
    return put(record, dealt, kitty)


def taken_down_exchanged(record: Record, chance: random.Random) -> Record:
    """Two cards of two hands, each played by the other seat."""
    dealt = hands(record)
    one, two = chance.sample("1234", 2)
    first, second = drawn(chance, dealt[one]), drawn(chance, dealt[two])
    assume(first not in dealt[two] and second not in dealt[one] and first != second)
    dealt[one].append(second)
    dealt[two].append(first)
    return put(record, dealt)


def taken_down_exchanged_with_the_kitty(record: Record, chance: random.Random) -> Record:
    dealt, kitty = hands(record), record["kitty_dealt"].split(" ")
    seat = chance.choice(others(record))
    first, second = drawn(chance, dealt[seat]), drawn(chance, kitty)
    assume(first not in kitty and first not in dealt[str(record["dealer"])] and second not in dealt[seat])
    assume(first != second)
    dealt[seat].append(second)
    kitty.append(first)
    return put(record, dealt, kitty)


def singles(record: Record) -> list[Record]:
    return [trick for trick in record["tricks"] if " " not in trick["plays"][0]]


def seat_of(trick: Record, number: int) -> int:
    return int((trick["leader"] - 1 + number) % 4 + 1)


def answered_with_a_card_of_another_hand(record: Record, chance: random.Random) -> Record:
    """An answer to a single; whether the card stays or goes back, and so who won, the record does not say."""
    trick, number = chance.choice(singles(record)), chance.randrange(1, 4)
    at = record["tricks"].index(trick)
    rest: dict[int, list[str]] = {1: [], 2: [], 3: [], 4: []}
    for index, later in enumerate(record["tricks"][at:]):
        for place, cards in enumerate(later["plays"]):
            if index or place >= number:
                rest[seat_of(later, place)] += cards.split(" ")
    seat = seat_of(trick, number)
    strange = [card for other in rest if other != seat for card in rest[other] if card not in rest[seat]]
    assume(strange)
    trick["plays"][number] = chance.choice(strange)
    return record


def answered_with_a_card_too_many(record: Record, chance: random.Random) -> Record:
    """The card that the seat would have played in the last trick goes out with an earlier one."""
    last = record["tricks"][-1]
    assume(last in singles(record))
    trick, number = chance.choice([one for one in singles(record) if one is not last]), chance.randrange(1, 4)
    place = (seat_of(trick, number) - last["leader"]) % 4
    assume(place)
    trick["plays"][number] += " " + last["plays"].pop(place)
    return record


WRONG: list[tuple[Callable[[Record, random.Random], Record], str]] = [
    (buried_of_another_hand, "card_not_held"),
    (buried_one_short, "kitty_size"),
    (dealt_across, "hand_size"),
    (dealt_from_the_kitty, "hand_size"),
    (dealt_to_the_kitty, "hand_size"),
    (taken_down_exchanged, "card_not_held"),
    (taken_down_exchanged_with_the_kitty, "card_not_held"),
    (answered_with_a_card_of_another_hand, "card_not_held"),
    (answered_with_a_card_too_many, "wrong_count"),
]


@pytest.mark.parametrize("regulation", REGULATIONS)
@pytest.mark.parametrize(("wrong", "code"), WRONG, ids=lambda one: getattr(one, "__name__", one))
@given(seed=seeds)
@settings(max_examples=25, deadline=None)
def test_one_thing_wrong_is_one_irregularity(
    regulation: str, wrong: Callable[[Record, random.Random], Record], code: str, seed: int
) -> None:
    preset = load(regulation)
    record = wrong(copy.deepcopy(random_hand(preset, seed).record), random.Random(seed))
    hand = replay(preset, record)
    assert [breach.code for breach in hand.irregularities] == [code]
    assert hand.complete


@pytest.mark.parametrize("regulation", REGULATIONS)
@given(seed=seeds)
@settings(max_examples=25, deadline=None)
def test_a_revoke_that_shows_is_found_beside_a_miscount(regulation: str, seed: int) -> None:
    """A seat that may be left with a card is not above the rules: what its plays show it is charged for."""
    preset = load(regulation)
    hands_ = (random_hand(preset, seed + step, "revoke") for step in range(100))
    drawn_ = next(one for one in hands_ if one.breach and one.breach.seat == one.record["dealer"])
    assert drawn_.breach is not None
    record = drawn_.record
    kitty = record["kitty"].split(" ")
    hand = replay(preset, record | {"kitty": " ".join(kitty[1:])})
    found = [(breach.code, breach.trick) for breach in hand.irregularities]
    assert sorted(found) == sorted([("kitty_size", 1), ("revoke", drawn_.breach.trick)])


def test_who_showed_a_card_and_then_the_other_one_has_shown_the_pair() -> None:
    """S2 alone overturns nothing after H2; with its twin it does (加固), and nothing was wrong."""
    record = random_hand(load("zhongshan-2013"), 3).record
    shown = [{"seat": 1, "cards": "H2"}, {"seat": 2, "cards": "S2"}, {"seat": 2, "cards": "S2"}]
    plain = {name: value for name, value in record.items() if name not in ("dealt", "kitty_dealt")}
    levels = {"levels": {"13": "2", "24": "2"}}
    hand = replay(load("zhongshan-2013"), plain | levels | {"declarations": shown, "tricks": []})
    assert hand.irregularities == ()
    hand = replay(load("zhongshan-2013"), plain | levels | {"declarations": shown[:2], "tricks": []})
    assert [(breach.code, breach.seat) for breach in hand.irregularities] == [("illegal_declaration", 2)]
