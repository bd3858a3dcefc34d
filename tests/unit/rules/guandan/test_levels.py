"""Levels: ahut-2018 二.5, and the rulings ahut 1 and 2."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shared.rules.basis import Basis
from shared.rules.errors import RuleError
from shared.rules.guandan.levels import GuandanChange, level_change
from shared.rules.regulations import GuandanPreset, changed

NONE = {"13": 0, "24": 0}


def change(
    preset: GuandanPreset,
    finish: list[int],
    levels: tuple[str, str] = ("5", "5"),
    own: str = "13",
    stage: str = "group",
    failures: tuple[int, int] = (0, 0),
) -> GuandanChange:
    """levels and failures: of pair 13, then pair 24."""
    return level_change(
        preset,
        finish,
        dict(zip(("13", "24"), levels, strict=True)),
        own,
        stage,
        dict(zip(("13", "24"), failures, strict=True)),
    )


@pytest.mark.parametrize(
    ("finish", "gain"),
    [
        ([1, 3, 2, 4], 3),  # 双下(双带)，赢家升3级
        ([1, 3], 3),
        ([1, 2, 3, 4], 2),  # 对手有一家是下游，赢家升2级
        ([1, 4, 3, 2], 2),
        ([1, 2, 4, 3], 1),  # 赢家自己对门是下游，赢家升1级
        ([1, 4, 2, 3], 1),
    ],
)
def test_the_partners_place_gives_the_gain(ahut: GuandanPreset, finish: list[int], gain: int) -> None:
    found = change(ahut, finish)
    assert found.gain == {"13": gain, "24": 0}
    assert found.levels == {"13": str(5 + gain), "24": "5"}
    assert (found.own, found.won_by) == ("13", None)


@pytest.mark.parametrize("finish", list(permutations((1, 2, 3, 4))))
def test_every_order_of_going_out_has_one_winner(ahut: GuandanPreset, finish: tuple[int, ...]) -> None:
    found = change(ahut, list(finish))
    winner = "13" if finish[0] in (1, 3) else "24"
    assert found.own == winner
    assert [pair for pair, gain in found.gain.items() if gain] == [winner]


@pytest.mark.parametrize("level", ["J", "Q", "K", "A"])
def test_a_climb_stops_at_a_and_the_gain_is_shown_whole(ahut: GuandanPreset, level: str) -> None:  # A必打
    found = change(ahut, [1, 3], (level, "5"), own="24")
    assert (found.levels["13"], found.gain["13"], found.won_by) == ("A", 3, None)
    assert (Basis("二.5", "read") in found.basis) == (level != "J")  # J + 3 is A without being stopped


@pytest.mark.parametrize(
    ("finish", "won"),
    [
        ([1, 3], True),  # 头游+二游
        ([1, 2, 3, 4], True),  # 头游+三游方为胜出
        ([1, 2, 4, 3], False),  # first with last
        ([2, 1, 3, 4], False),
        ([2, 4], False),
    ],
)
@pytest.mark.parametrize("stage", ["group", "last8", "final"])
def test_a_is_passed_in_a_hand_of_ones_own(ahut: GuandanPreset, finish: list[int], won: bool, stage: str) -> None:
    found = change(ahut, finish, ("A", "5"), own="13", stage=stage)
    assert found.won_by == ("13" if won else None)
    assert found.levels["13"] == "A"


def test_a_is_not_passed_in_the_opponents_hand(ahut: GuandanPreset) -> None:
    found = change(ahut, [1, 3], ("A", "A"), own="24")
    assert (found.won_by, found.own) == (None, "13")


@pytest.mark.parametrize("finish", [[1, 2, 4, 3], [2, 1, 3, 4], [2, 4]])
def test_only_the_final_counts_failures_at_a(ahut: GuandanPreset, finish: list[int]) -> None:
    for stage, count in (("group", 1), ("last8", 1), ("final", 2)):
        assert change(ahut, finish, ("A", "5"), stage=stage, failures=(1, 0)).a_failures["13"] == count


def test_the_third_failure_in_the_final_leads_back_to_two(ahut: GuandanPreset) -> None:  # A三牌不过返回2继续比赛
    lost = change(ahut, [2, 1, 4, 3], ("A", "K"), stage="final", failures=(2, 1))
    assert (lost.levels, lost.a_failures) == ({"13": "2", "24": "A"}, {"13": 0, "24": 1})
    first_with_last = change(ahut, [1, 2, 4, 3], ("A", "K"), stage="final", failures=(2, 1))
    assert (first_with_last.levels, first_with_last.own) == ({"13": "2", "24": "K"}, "13")
    elsewhere = change(ahut, [2, 1, 4, 3], ("A", "K"), stage="last8", failures=(2, 1))
    assert elsewhere.levels["13"] == "A"  # A未打过不降级


def test_an_opponents_hand_at_a_is_no_failure(ahut: GuandanPreset) -> None:
    assert change(ahut, [2, 4], ("A", "K"), own="24", stage="final").a_failures == NONE


def test_gains_and_the_limit_are_data(ahut: GuandanPreset) -> None:
    own = changed(ahut, {"levels.gains.second": 4, "levels.failures.limit": 2, "levels.failures.back_to": "T"})
    assert change(own, [1, 3]).gain["13"] == 4
    assert change(own, [2, 4], ("A", "K"), stage="final", failures=(1, 0)).levels["13"] == "T"


GOOD: dict[str, Any] = {
    "finish": [1, 2, 3, 4],
    "levels": {"13": "5", "24": "5"},
    "own": "13",
    "stage": "group",
    "a_failures": NONE,
}


@pytest.mark.parametrize(
    ("field", "value", "code", "at"),
    [
        ("finish", [1, 2], "bad_value", "finish"),  # may be left out only when partners are first and second
        ("finish", [1, 3, 2], "bad_value", "finish"),
        ("finish", [], "bad_value", "finish"),
        ("finish", [1, 1, 2, 3], "bad_value", "finish"),
        ("finish", [1, 2, 3, 5], "bad_value", "finish"),
        ("finish", [0, 1, 2, 3], "bad_value", "finish"),
        ("finish", [1, 2, 3, "4"], "bad_value", "finish"),
        ("finish", [True, 2, 3, 4], "bad_value", "finish"),
        ("finish", "1234", "bad_value", "finish"),
        ("levels", {"13": "5"}, "missing_field", "levels.24"),
        ("levels", {"13": "5", "24": "10"}, "bad_value", "levels.24"),
        ("levels", {"13": "5", "24": "5", "12": "5"}, "bad_value", "levels"),
        ("levels", ["5", "5"], "bad_value", "levels"),
        ("own", "12", "bad_value", "own"),
        ("own", 13, "bad_value", "own"),
        ("stage", "semi", "bad_value", "stage"),
        ("stage", ["group"], "bad_value", "stage"),
        ("a_failures", {"13": -1, "24": 0}, "bad_value", "a_failures.13"),
        ("a_failures", {"13": True, "24": 0}, "bad_value", "a_failures.13"),
        ("a_failures", {"13": 0}, "missing_field", "a_failures.24"),
        ("a_failures", None, "bad_value", "a_failures"),
    ],
)
def test_a_wrong_field_is_refused_by_name(ahut: GuandanPreset, field: str, value: Any, code: str, at: str) -> None:
    with pytest.raises(RuleError) as refused:
        level_change(ahut, **(GOOD | {field: value}))
    assert (refused.value.code, refused.value.field) == (code, at)
    assert refused.value.said.zh != refused.value.said.en


def test_a_count_that_the_final_would_have_ended_is_refused(ahut: GuandanPreset) -> None:
    with pytest.raises(RuleError, match="back"):
        change(ahut, [1, 3], stage="final", failures=(3, 0))


# A second reading of 二.5, over everything that can be asked

LEVELS = "23456789TJQKA"
FINISHES = st.sampled_from([*permutations((1, 2, 3, 4)), (1, 3), (3, 1), (2, 4), (4, 2)])
PLAYED = st.sampled_from(LEVELS)
FAILED = st.tuples(st.integers(0, 2), st.integers(0, 2))


@given(FINISHES, PLAYED, PLAYED, st.sampled_from(["13", "24"]), st.sampled_from(["group", "last8", "final"]), FAILED)
@settings(max_examples=500)
def test_a_second_reading_of_the_article_says_the_same(
    ahut: GuandanPreset, finish: tuple[int, ...], one: str, two: str, own: str, stage: str, failed: tuple[int, int]
) -> None:
    order = [*finish, *(seat for seat in (1, 2, 3, 4) if seat not in finish)]
    first = "13" if order[0] in (1, 3) else "24"
    partner = next(place for place in (1, 2, 3) if (order[0] - order[place]) % 2 == 0)
    levels, failures = {"13": one, "24": two}, dict(zip(("13", "24"), failed, strict=True))
    passed = levels[first] == "A" and own == first and partner < 3  # 头游+二游或头游+三游方为胜出
    risen = {**levels, first: LEVELS[min(LEVELS.index(levels[first]) + 4 - partner, 12)]}  # A必打
    if stage == "final" and levels[own] == "A" and not passed:  # A三牌不过返回2
        failures[own] = (failures[own] + 1) % 3
        risen[own] = risen[own] if failures[own] else "2"
    found = change(ahut, list(finish), (one, two), own, stage, failed)
    assert (found.levels, found.own, found.a_failures) == (risen, first, failures)
    assert found.gain == {"13": 0, "24": 0, first: 4 - partner}  # 升3级, 2级, 1级
    assert found.won_by == (first if passed else None)


@pytest.mark.parametrize(("levels", "rests"), [(("A", "5"), True), (("K", "A"), False)])
def test_what_passes_the_top_is_named_in_a_hand_of_ones_own_there(
    ahut: GuandanPreset, levels: tuple[str, str], rests: bool
) -> None:
    own = changed(ahut, {"levels.pass_with": ["second"]})
    assert any(basis.changed for basis in change(own, [1, 3], levels).basis) is rests


def test_a_pair_past_the_level_that_must_be_played_climbs_to_the_ace_and_no_further(ahut: GuandanPreset) -> None:
    own = changed(ahut, {"levels.must_play": "T"})
    assert change(own, [1, 3], ("K", "5")).levels == {"13": "A", "24": "5"}


@pytest.mark.parametrize(("stage", "rests"), [("final", True), ("last8", False)])
def test_the_failures_are_named_where_they_are_counted(ahut: GuandanPreset, stage: str, rests: bool) -> None:
    own = changed(ahut, {"levels.failures": {"stages": ["final"], "limit": 2, "back_to": "2"}})
    found = change(own, [2, 1, 3, 4], ("A", "5"), stage=stage)
    assert any(basis.changed for basis in found.basis) is rests
    assert found.a_failures == {"13": int(rests), "24": 0}
