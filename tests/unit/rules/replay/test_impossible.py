"""What is no record, or an impossible one, is an error that names the place; everything else is replayed."""

from __future__ import annotations

from typing import Any

import pytest

from shared.rules.errors import RuleError
from shared.rules.regulations import load
from shared.rules.shengji.random_hands import random_hand
from shared.rules.shengji.replay import replay
from tests.unit.rules.replay.records import breaches, record, replayed

FINE = ["H5", "H7", "HK", "H4"]


@pytest.mark.parametrize(
    ("more", "code", "place"),
    [
        ({"format": "pailu-hand/2"}, "bad_value", "format"),
        ({"dealer": 5}, "bad_value", "dealer"),
        ({"levels": {"13": "2"}}, "missing_field", "levels.24"),
        ({"levels": {"13": "2", "24": "10"}}, "bad_value", "levels.24"),
        ({"trump": "X"}, "bad_value", "trump"),
        ({"trump": "N"}, "bad_value", "trump"),
        ({"dealt": {"1": "H5"}}, "missing_field", "dealt.2"),
        ({"kitty": "H5 XX"}, "bad_card", "kitty"),
        ({"tricks": [{"leader": 1, "plays": FINE}, {"leader": 0, "plays": FINE}]}, "bad_value", "tricks[1].leader"),
        ({"tricks": [{"leader": 1, "plays": ["H5", 7]}]}, "bad_value", "tricks[0].plays[1]"),
        ({"tricks": [{"leader": 1, "plays": ["H5", {"seat": 2}]}]}, "missing_field", "tricks[0].plays[1].cards"),
        ({"tricks": [{"leader": 1}]}, "missing_field", "tricks[0].plays"),
        ({"tricks": [{"leader": 1, "plays": ["H5", "H1"]}]}, "bad_card", "tricks[0].plays[1]"),
        ({"tricks": [{"leader": 1, "plays": [*FINE, "H6"]}]}, "bad_value", "tricks[0].plays[4]"),
        ({"tricks": [{"leader": 1, "plays": FINE[:3]}, {"leader": 3, "plays": FINE}]}, "bad_value", "tricks[0]"),
        ({"tricks": [{"leader": 1, "plays": ["H5", "H5", "H5", "H4"]}]}, "duplicate_card", "tricks[0].plays[2]"),
        ({"tricks": [{"leader": 1, "plays": [""]}]}, "bad_value", "tricks[0].plays[0]"),
        (
            {"tricks": [{"leader": 1, "plays": ["H5", {"cards": "H6", "seat": 1}]}]},
            "bad_value",
            "tricks[0].plays[1]",
        ),
        ({"incidents": [{"code": "sneezing", "seat": 1}]}, "bad_value", "incidents[0].code"),
        ({"incidents": [{"seat": 1}]}, "missing_field", "incidents[0].code"),
        ({"incidents": [{"code": "signalling", "seat": 1, "cards": "H1"}]}, "bad_card", "incidents[0].cards"),
        ({"tricks": [{"leader": 1, "plays": [{"cards": "H5", "attempted": ""}]}]}, "bad_value", "tricks[0].plays[0]"),
    ],
)
def test_what_is_no_record_names_the_place(more: dict[str, Any], code: str, place: str) -> None:
    with pytest.raises(RuleError) as caught:
        replay(load("jimei-2018"), {**record([(1, FINE)]), **more})
    assert (caught.value.code, caught.value.field) == (code, place)


@pytest.mark.parametrize("missing", ["format", "regulation", "dealer", "levels", "trump", "tricks"])
def test_what_is_required_is_missed_by_its_name(missing: str) -> None:
    whole = record([(1, FINE)])
    del whole[missing]
    with pytest.raises(RuleError) as caught:
        replay(load("jimei-2018"), whole)
    assert (caught.value.code, caught.value.field) == ("missing_field", missing)


@pytest.mark.parametrize("tree", [None, 3, [], "x"])
def test_what_is_no_object_is_no_record(tree: object) -> None:
    with pytest.raises(RuleError) as caught:
        replay(load("jimei-2018"), tree)
    assert caught.value.code == "bad_value"


def test_a_play_after_the_hands_end_is_impossible() -> None:
    preset = load("jimei-2018")
    drawn = random_hand(preset, 3).record
    last = len(drawn["tricks"])
    drawn["tricks"].append({"leader": 1, "plays": ["H5"]})
    with pytest.raises(RuleError) as caught:
        replay(preset, drawn)
    assert caught.value.field == f"tricks[{last}].plays[0]"


def test_a_card_that_nobody_holds_is_impossible() -> None:
    preset = load("jimei-2018")
    drawn = random_hand(preset, 3).record
    buried = drawn["kitty"].split(" ")
    gone = next(card for card in buried if buried.count(card) == 2 or (drawn["kitty"] and _all_played(drawn, card)))
    number = len(drawn["tricks"]) - 1
    drawn["tricks"][number]["plays"][2] = gone
    with pytest.raises(RuleError) as caught:
        replay(preset, drawn)
    assert (caught.value.code, caught.value.field) == ("bad_value", f"tricks[{number}].plays[2]")


def _all_played(drawn: dict[str, Any], card: str) -> bool:
    return not any(card in play.split(" ") for play in drawn["tricks"][-1]["plays"])


def test_a_109th_card_is_impossible() -> None:
    preset = load("jimei-2018")
    drawn = random_hand(preset, 3).record
    first = drawn["dealt"]["1"].split(" ")[0]
    drawn["kitty_dealt"] = " ".join([first, first, first])
    with pytest.raises(RuleError) as caught:
        replay(preset, drawn)
    assert caught.value.code == "duplicate_card"


def test_cards_of_several_suits_keep_the_lead_and_bind_nobody() -> None:
    hand = replayed("jimei-2018", [(1, ["H5 C6", "D3 D4", "S3 S4", "D9 DT"]), (1, ["H6", "H7", "H8", "H9"])])
    assert breaches(hand) == [("illegal_lead", 1, 1)]
    assert hand.tricks[0].winner == 1


def test_play_that_goes_on_from_an_act_out_of_turn_is_one_breach() -> None:
    on = [{"cards": "H4", "seat": 4}, {"cards": "HK", "seat": 2}]
    hand = replayed("jimei-2018", [(1, ["H5", {"cards": "H7", "seat": 3}, *on])])
    assert breaches(hand) == [("out_of_turn", 3, 1)]
    assert hand.tricks[0].winner == 2


def test_a_trick_that_is_not_finished_has_no_winner() -> None:
    hand = replayed("jimei-2018", [(1, ["H5", "H7"])])
    assert [(trick.winner, trick.points, trick.attacker_points) for trick in hand.tricks] == [(None, 5, 0)]
