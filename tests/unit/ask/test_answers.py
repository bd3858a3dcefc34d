"""What `ask` answers and refuses (RECORDS): every field is checked, and a code says what is wrong."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from shared.rules.ask import answer
from tests.unit.ask.questions import FOLLOW, KITTY, LEAD, LEVEL_CHANGE, TRICK, asked


def found(question: dict[str, Any], **changes: object) -> dict[str, Any]:
    reply = answer(asked(question, **changes))
    assert reply["ok"], reply
    return reply["answer"]  # type: ignore[no-any-return]


def code(question: object) -> str:
    reply = answer(question)
    assert not reply["ok"], reply
    assert set(reply) == {"id", "ok", "error"}
    assert reply["error"]["detail"]
    return reply["error"]["code"]  # type: ignore[no-any-return]


def test_the_example_of_the_records() -> None:
    assert answer({"id": 1, **LEVEL_CHANGE}) == {
        "id": 1,
        "ok": True,
        "answer": {
            "dealer_gain": 0,
            "attacker_gain": 1,
            "deal": "attackers",
            "dealer_level": "5",
            "attacker_level": "8",
            "won_by": None,
        },
        "basis": [{"article": "十一.7", "mark": "stated"}],
    }


@pytest.mark.parametrize("asked_id", [0, "a", None, [1, {"x": 2}], 1.5, True])
def test_the_id_comes_back_whatever_it_is(asked_id: object) -> None:
    assert answer({**LEVEL_CHANGE, "id": asked_id})["id"] == asked_id
    assert answer({"id": asked_id, "ask": "weather"})["id"] == asked_id


def test_a_question_without_id_is_answered_with_null() -> None:
    assert answer(LEVEL_CHANGE)["id"] is None


@pytest.mark.parametrize("question", [None, 5, "x", [], True])
def test_what_is_no_object_is_bad_json(question: object) -> None:
    assert code(question) == "bad_json"


@pytest.mark.parametrize("question", [LEVEL_CHANGE, LEAD, FOLLOW, TRICK, KITTY], ids=lambda question: question["ask"])
def test_every_field_but_the_optional_one_is_needed(question: dict[str, Any]) -> None:
    for field in question:
        left = {name: value for name, value in question.items() if name != field}
        if field == "won_with":
            assert answer(left)["ok"]
        else:
            assert code(left) == "missing_field"


@pytest.mark.parametrize("question", [LEVEL_CHANGE, LEAD, FOLLOW, TRICK, KITTY], ids=lambda question: question["ask"])
@pytest.mark.parametrize("value", [True, 1.5, {}, [], -1, "x y"])
def test_a_value_of_a_wrong_type_is_never_taken(question: dict[str, Any], value: object) -> None:
    for field in question:
        if field not in ("ask", "regulation"):
            assert code(asked(question, **{field: value})) in ("bad_value", "bad_card")


def test_unknown_asks_and_regulations() -> None:
    assert code({"ask": "weather", "regulation": "jimei-2018"}) == "unknown_ask"
    assert code({"ask": 5, "regulation": "jimei-2018"}) == "unknown_ask"
    assert code({"ask": "weather"}) == "unknown_ask"
    assert code({"regulation": "jimei-2018"}) == "missing_field"
    for name in ("nowhere-1999", "", "./none.yaml", "/", "jimei-2018.yaml", "a\0/b.yaml", 5, None):
        assert code(asked(LEVEL_CHANGE, regulation=name)) == "unknown_regulation"


def test_a_game_answers_its_own_questions_only() -> None:
    assert code(asked(KITTY, regulation="ahut-2018")) == "unknown_ask"
    assert code({"ask": "classify", "regulation": "jimei-2018", "level": "2", "cards": "S3"}) == "unknown_ask"


def test_a_path_of_a_yaml_preset_is_a_regulation(tmp_path: Path) -> None:
    from importlib import resources

    text = resources.files("shared.rules.regulations").joinpath("jimei-2018.yaml").read_text(encoding="utf-8")
    path = tmp_path / "own.yaml"
    path.write_text(text.replace("{above: 80, step: 20, gain: 1}", "{above: 80, step: 10, gain: 1}"), encoding="utf-8")
    assert found(LEVEL_CHANGE, regulation=str(path))["attacker_gain"] == 2
    broken = tmp_path / "broken.yaml"
    broken.write_text("name: x\n", encoding="utf-8")
    assert code(asked(LEVEL_CHANGE, regulation=str(broken))) == "bad_value"


@pytest.mark.parametrize("points", ["80", 80.0, True, None, 82, [80]])
def test_points_are_integers_and_multiples_of_five(points: object) -> None:
    assert code(asked(LEVEL_CHANGE, attacker_points=points)) == "bad_value"


def test_shandong_points_are_not_below_zero() -> None:
    assert code(asked(LEVEL_CHANGE, regulation="shandong-2023", attacker_points=-5)) == "bad_value"
    assert found(LEVEL_CHANGE, regulation="jimei-2018", attacker_points=-5)["dealer_gain"] == 5


@pytest.mark.parametrize("level", ["1", "10", "a", "", 5, None])
def test_levels(level: object) -> None:
    assert code(asked(LEVEL_CHANGE, dealer_level=level)) == "bad_value"
    assert code(asked(TRICK, level=level)) == "bad_value"


@pytest.mark.parametrize("trump", ["X", "s", "", "SH", 5, None])
def test_trumps(trump: object) -> None:
    assert code(asked(TRICK, trump=trump)) == "bad_value"


@pytest.mark.parametrize("regulation", ["jimei-2018", "zhongshan-2013", "shandong-2023"])
def test_questions_about_cards_may_be_asked_without_trumps(regulation: str) -> None:
    assert found(TRICK, trump="N", regulation=regulation)["winner"] == 3


# lead


def test_a_lead_that_is_no_throw_has_kind_and_legal_only() -> None:
    assert found(LEAD, play="SA") == {"kind": "single", "legal": True}
    assert found(LEAD, play="SQ SQ") == {"kind": "pair", "legal": True}


def test_a_failed_throw_is_legal_and_says_what_must_be_led() -> None:
    assert found(LEAD) == {
        "kind": "throw",
        "legal": True,
        "stands": False,
        "must_play": "SQ SQ",
        "beaten": ["SQ SQ"],
        "penalty_points": 20,
    }


def test_a_throw_that_the_regulation_forbids() -> None:
    forbidden = {"kind": "throw", "legal": False, "stands": False, "must_play": None, "beaten": [], "penalty_points": 0}
    assert found(LEAD, regulation="shandong-2023") == forbidden
    assert found(LEAD, play="SA SQ SQ SJ") == forbidden  # not in hand


def test_cards_of_several_suits_are_no_lead() -> None:
    assert found(LEAD, play="SA D3") == {"kind": None, "legal": False}


def test_a_lead_of_cards_not_held_is_not_legal() -> None:
    assert found(LEAD, play="S3") == {"kind": "single", "legal": False}


@pytest.mark.parametrize(
    ("others", "expected"),
    [
        (["SK SK D4 D5", "S3 S4 S5 D6"], "bad_value"),  # two hands
        ("SK SK D4 D5", "bad_value"),
        (["SK SK D4 D5", "S3 S4 S5 D6", "D7 D8 D9"], "bad_value"),  # one card short
        (["SK SK D4 D5", "S3 S4 S5 D6", "D7 D8 D9 SX"], "bad_card"),
        (["SK SK D4 D5", "S3 S4 S5 D6", "SQ D7 D8 D9"], "duplicate_card"),  # a third SQ
        (["SK SK D4 D5", "S3 S4 S5 D6", "D7 D7 D7 D8"], "duplicate_card"),
    ],
)
def test_the_others_are_three_hands_of_the_leaders_size_out_of_two_decks(others: object, expected: str) -> None:
    assert code(asked(LEAD, others=others)) == expected


def test_a_hand_is_no_larger_than_what_is_dealt() -> None:
    cards = [suit + rank for suit in "SHC" for rank in "3456789TJ"][:26]
    question = asked(FOLLOW, led="DA", hand=" ".join(cards), play="S3")
    assert code(question) == "bad_value"
    assert answer({**question, "regulation": "shandong-2023"})["ok"]  # 26 in each hand


# follow


@pytest.mark.parametrize(
    ("play", "because"),
    [
        ("S7 S7", "ok"),
        ("S7 S9", "pair_withheld"),
        ("S7 D3", "suit_withheld"),
        ("S7", "wrong_count"),
        ("C3 C4", "not_in_hand"),
        ("S7 S8", "not_in_hand"),
        ("S9 S9", "not_in_hand"),
        ("C3", "not_in_hand"),
    ],
)
def test_of_several_faults_the_first_is_named(play: str, because: str) -> None:
    assert found(FOLLOW, play=play) == {"legal": because == "ok", "because": because}


def test_what_was_led_and_what_is_held_fit_two_decks() -> None:
    assert code(asked(FOLLOW, hand="S5 S7 S7")) == "duplicate_card"
    assert code(asked(FOLLOW, led="S5 D5")) == "bad_value"  # led in several suits


# trick


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"leader": 0}, "bad_value"),
        ({"leader": 5}, "bad_value"),
        ({"leader": "1"}, "bad_value"),
        ({"leader": True}, "bad_value"),
        ({"plays": ["SA", "S3", "S4"]}, "bad_value"),
        ({"plays": ["SA", "S3", "S4", "S5", "S6"]}, "bad_value"),
        ({"plays": ["SA", "S3", "S4", ""]}, "bad_value"),
        ({"plays": ["SA", "S3", "S4", 5]}, "bad_value"),
        ({"plays": ["SA", "S3", "S4", "S5 S5"]}, "bad_value"),
        ({"plays": ["SA D3", "S3 S5", "S4 S5", "S6 S7"]}, "bad_value"),  # led in several suits
        ({"plays": ["SA", "SA", "SA", "S5"]}, "duplicate_card"),
        ({"plays": ["SA", "S3", "S4", "S1"]}, "bad_card"),
    ],
)
def test_a_trick_has_a_leader_and_four_plays(changes: dict[str, Any], expected: str) -> None:
    assert code(asked(TRICK, **changes)) == expected


@pytest.mark.parametrize("leader", [1, 2, 3, 4])
def test_the_winner_is_a_seat(leader: int) -> None:
    assert found(TRICK, leader=leader) == {"winner": (leader - 1 + 2) % 4 + 1, "points": 10 + 5}


# kitty


def test_the_kitty_goes_with_its_multiplier() -> None:
    assert found(KITTY) == {"multiplier": 4, "points": 4 * 25, "to": "attackers"}
    assert found(KITTY, regulation="zhongshan-2013", won_with="HA HA")["multiplier"] == 4
    assert found(KITTY, regulation="zhongshan-2013", won_with=None)["multiplier"] == 2
    assert found(KITTY, regulation="zhongshan-2013", won_with="SA SA")["multiplier"] == 2  # the led play itself


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"kitty": "C5 CK"}, "bad_value"),  # a kitty has eight cards
        ({"kitty": "C5 CK D3 D4 C6 C7 DT SA"}, "duplicate_card"),  # a third SA
        ({"won_with": "HA"}, "bad_value"),
        ({"won_with": "DA DA"}, "bad_value"),  # another side suit never wins
        ({"won_with": "HA DA"}, "bad_value"),
        ({"won_by": "nobody"}, "bad_value"),
        ({"won_by": 1}, "bad_value"),
        ({"led": "SA DA"}, "bad_value"),
        ({"led": "S0 SA"}, "bad_card"),
    ],
)
def test_the_fields_of_a_kitty(changes: dict[str, Any], expected: str) -> None:
    assert code(asked(KITTY, **changes)) == expected


def test_the_order_of_the_cards_and_unknown_fields_do_not_matter() -> None:
    assert found(LEAD, play="SQ SA SQ", hand="D3 SQ SA SQ", weather="fine") == found(LEAD)


def test_every_answer_names_its_articles() -> None:
    for question in (LEVEL_CHANGE, LEAD, FOLLOW, TRICK, KITTY):
        basis = answer(question)["basis"]
        assert basis
        assert all(set(row) == {"article", "mark"} and row["mark"] in ("stated", "read", "assumed") for row in basis)
