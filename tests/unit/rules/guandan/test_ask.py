"""The questions about 掼蛋, by their handlers: fields, answers, errors, bases (RECORDS)."""

from __future__ import annotations

from typing import Any

import pytest

from shared.rules.errors import RuleError
from shared.rules.guandan.ask import HANDLERS
from shared.rules.regulations import GuandanPreset


def ask(preset: GuandanPreset, what: str, **fields: Any) -> dict[str, Any]:
    return HANDLERS[what](preset, fields)[0]


def marks(preset: GuandanPreset, what: str, **fields: Any) -> set[str]:
    return {basis.mark for basis in HANDLERS[what](preset, fields)[1]}


def test_classify(ahut: GuandanPreset) -> None:
    answer = ask(ahut, "classify", level="5", cards="S2 C3 H4 C5 H5")
    straight = {"kind": "straight", "size": 5}
    assert answer == {"readings": [straight | {"rank": "6"}, straight | {"rank": "5"}]}
    assert ask(ahut, "classify", level="5", cards="D5 HA") == {"readings": []}


def test_compare_with_declared_readings(ahut: GuandanPreset) -> None:
    fields = {"level": "5", "first": "S6 C9 H8 HT H5", "second": "S6 C8 H9 H5 H5"}
    reading = {"kind": "straight", "rank": "T"}
    assert ask(ahut, "compare", **fields, second_reading=reading) == {"winner": "neither"}
    assert ask(ahut, "compare", **fields, first_reading=None) == {"winner": "neither"}
    with pytest.raises(RuleError) as refused:
        ask(ahut, "compare", **fields, second_reading={"kind": "straight", "rank": "K"})
    assert (refused.value.code, refused.value.field) == ("bad_value", "second_reading")


def test_beats_tells_by_which_reading(ahut: GuandanPreset) -> None:
    answer = ask(ahut, "beats", level="5", led="C3 D2 H2 S3 D3 C2", play="S2 S3 S4 S5 H5")
    assert answer == {"beats": True, "reading": {"kind": "straight_flush", "rank": "5", "size": 5}}
    assert ask(ahut, "beats", level="5", led="LJ", play="H5 C7") == {"beats": False, "reading": None}


def test_level_change(ahut: GuandanPreset) -> None:
    answer = ask(
        ahut,
        "level_change",
        finish=[3, 1],
        levels={"13": "J", "24": "J"},
        own="24",
        stage="group",
        a_failures={"13": 0, "24": 0},
    )
    assert answer == {
        "gain": {"13": 3, "24": 0},
        "levels": {"13": "A", "24": "J"},
        "own": "13",
        "a_failures": {"13": 0, "24": 0},
        "won_by": None,
    }


QUESTIONS: dict[str, dict[str, Any]] = {
    "classify": {"level": "5", "cards": "S3"},
    "compare": {"level": "5", "first": "S3", "second": "S4"},
    "beats": {"level": "5", "led": "S3", "play": "S4"},
    "level_change": {
        "finish": [3, 1],
        "levels": {"13": "J", "24": "J"},
        "own": "24",
        "stage": "group",
        "a_failures": {"13": 0, "24": 0},
    },
}


@pytest.mark.parametrize(("what", "field"), [(what, field) for what, fields in QUESTIONS.items() for field in fields])
def test_a_missing_field_is_named(ahut: GuandanPreset, what: str, field: str) -> None:
    with pytest.raises(RuleError) as refused:
        ask(ahut, what, **{name: value for name, value in QUESTIONS[what].items() if name != field})
    assert (refused.value.code, refused.value.field) == ("missing_field", field)


@pytest.mark.parametrize("what", ["classify", "compare", "beats"])
@pytest.mark.parametrize(
    ("value", "code"),
    [("S1", "bad_card"), ("S3  S4", "bad_card"), ("S3 S3 S3", "duplicate_card"), (7, "bad_value"), ("", "bad_value")],
)
def test_wrong_cards_are_refused(ahut: GuandanPreset, what: str, value: object, code: str) -> None:
    field = list(QUESTIONS[what])[-1]
    with pytest.raises(RuleError) as refused:
        ask(ahut, what, **(QUESTIONS[what] | {field: value}))
    assert (refused.value.code, refused.value.field) == (code, field)


@pytest.mark.parametrize("level", ["1", "10", "", None, 5, ["5"]])
def test_a_wrong_level_is_refused(ahut: GuandanPreset, level: object) -> None:
    with pytest.raises(RuleError) as refused:
        ask(ahut, "classify", level=level, cards="S3")
    assert (refused.value.code, refused.value.field) == ("bad_value", "level")


def test_a_third_copy_counts_in_each_play_alone(ahut: GuandanPreset) -> None:
    assert ask(ahut, "compare", level="5", first="S3 S3", second="S3 S3") == {"winner": "neither"}


def test_an_answer_says_when_it_rests_on_what_the_text_leaves_open(ahut: GuandanPreset) -> None:
    assert marks(ahut, "classify", level="5", cards="S3") == {"stated"}
    assert "assumed" in marks(ahut, "classify", level="5", cards="H5")  # a wild alone
    assert "assumed" in marks(ahut, "classify", level="5", cards="S3 D3 C3 BJ BJ")
    assert "read" in marks(ahut, "classify", level="5", cards="S6 S7 S8 S9 ST")  # no plain straight


@pytest.mark.parametrize("junk", ["S3 D5", "S3 S4 S5", "LJ BJ"])
def test_cards_that_are_no_play_compare_with_nothing(ahut: GuandanPreset, junk: str) -> None:
    """只有当牌型相同和总张数相同的牌，才可比较大小 (二.2); even four jokers beat plays only."""
    jokers = "LJ LJ BJ BJ"
    assert ask(ahut, "classify", level="9", cards=junk) == {"readings": []}
    for first, second in ((junk, "S3"), (jokers, junk), (junk, junk)):
        assert ask(ahut, "compare", level="9", first=first, second=second) == {"winner": "neither"}
    assert ask(ahut, "beats", level="9", led="S3", play=junk) == {"beats": False, "reading": None}
    assert ask(ahut, "beats", level="9", led=junk, play=jokers) == {"beats": False, "reading": None}
    with pytest.raises(RuleError) as refused:
        ask(ahut, "compare", level="9", first=junk, second="S3", first_reading={"kind": "pair", "rank": "3"})
    assert (refused.value.code, refused.value.field) == ("bad_value", "first_reading")
