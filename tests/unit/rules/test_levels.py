"""Levels from points: jimei-2018 十一.7."""

from __future__ import annotations

import pytest

from shared.rules.basis import Basis
from shared.rules.errors import RuleError
from shared.rules.regulations import Preset, changed
from shared.rules.shengji.levels import LEVELS, level_change


@pytest.mark.parametrize("points", [65, 70, 75])
def test_65_to_75_the_dealer_gains_one(jimei: Preset, points: int) -> None:  # 防家得65-75分，庄家升一级
    assert level_change(jimei, points, "2", "2").dealer_gain == 1


@pytest.mark.parametrize("points", [45, 50, 55, 60])
def test_45_to_60_the_dealer_gains_two(jimei: Preset, points: int) -> None:  # 防家得45-60分，庄家升两级
    assert level_change(jimei, points, "2", "2").dealer_gain == 2


@pytest.mark.parametrize("points", [25, 30, 35, 40])
def test_25_to_40_the_dealer_gains_three(jimei: Preset, points: int) -> None:  # 防家得25-40分，庄家升三级
    assert level_change(jimei, points, "2", "2").dealer_gain == 3


@pytest.mark.parametrize("points", [5, 10, 15, 20])
def test_5_to_20_the_dealer_gains_four(jimei: Preset, points: int) -> None:  # 防家得5-20分，庄家升四级
    assert level_change(jimei, points, "2", "2").dealer_gain == 4


@pytest.mark.parametrize("points", [0, -5, -80, -200])
def test_zero_or_less_the_dealer_gains_five(jimei: Preset, points: int) -> None:  # 零分或负分时庄家升五级
    change = level_change(jimei, points, "2", "2")
    assert (change.dealer_gain, change.deal, change.dealer_level, change.attacker_level) == (5, "dealers", "7", "2")


@pytest.mark.parametrize("points", [80, 85, 90, 95])
def test_from_80_the_dealer_falls_and_nobody_gains(jimei: Preset, points: int) -> None:  # 得80分庄家倒庄
    change = level_change(jimei, points, "5", "7")
    assert (change.deal, change.dealer_gain, change.attacker_gain) == ("attackers", 0, 0)
    assert (change.dealer_level, change.attacker_level) == ("5", "7")


# 超过80分后每增加20分防家升一级: 80 + 20 x gain, and not before the next 20 are full
@pytest.mark.parametrize("gain", [1, 2, 3, 4, 5])
def test_each_full_20_above_80_gives_the_attackers_one(jimei: Preset, gain: int) -> None:
    assert level_change(jimei, 80 + 20 * gain, "2", "2").attacker_gain == gain
    assert level_change(jimei, 80 + 20 * gain - 5, "2", "2").attacker_gain == gain - 1


@pytest.mark.parametrize("points", [180, 195, 200, 395, 1000])
def test_five_levels_are_the_cap(jimei: Preset, points: int) -> None:  # 升级以5级封顶
    assert level_change(jimei, points, "2", "2").attacker_gain == 5


@pytest.mark.parametrize("points", [80, 100, 180, 400])
def test_attackers_at_a_gain_nothing(jimei: Preset, points: int) -> None:  # 防家必打级（A）该局不升级
    change = level_change(jimei, points, "K", "A")
    assert (change.attacker_gain, change.attacker_level, change.deal, change.won_by) == (0, "A", "attackers", None)


@pytest.mark.parametrize("level", ["9", "T", "J", "Q", "K"])
def test_a_climb_stops_at_a(jimei: Preset, level: str) -> None:  # 必打级（A）
    dealing = level_change(jimei, 0, level, "2")
    attacking = level_change(jimei, 180, "2", level)
    assert (dealing.dealer_level, dealing.won_by, dealing.dealer_gain) == ("A", None, 5)
    assert (attacking.attacker_level, attacking.won_by, attacking.attacker_gain) == ("A", None, 5)


@pytest.mark.parametrize("points", [75, 60, 0])
def test_a_dealer_at_a_who_gains_has_passed_and_wins(jimei: Preset, points: int) -> None:
    change = level_change(jimei, points, "A", "A")
    assert (change.won_by, change.dealer_level) == ("dealers", "A")


def test_a_dealer_at_a_who_falls_stays_at_a(jimei: Preset) -> None:
    change = level_change(jimei, 80, "A", "3")
    assert (change.won_by, change.dealer_level, change.deal) == (None, "A", "attackers")


def test_the_example_of_the_records(jimei: Preset) -> None:
    change = level_change(jimei, 100, "5", "7")
    assert (change.dealer_gain, change.attacker_gain, change.deal) == (0, 1, "attackers")
    assert (change.dealer_level, change.attacker_level, change.won_by) == ("5", "8", None)
    assert change.basis == (Basis("十一.7", "stated"),)


def test_the_basis_names_the_reading_of_a_and_the_assumption_about_passing_it(jimei: Preset) -> None:
    assert Basis("十一.7", "read") in level_change(jimei, 100, "2", "A").basis
    assert Basis("十一.7", "assumed") in level_change(jimei, 0, "A", "2").basis


def test_any_points_have_exactly_one_outcome(jimei: Preset) -> None:
    for points in range(-200, 500, 5):
        change = level_change(jimei, points, "2", "2")
        assert (change.dealer_gain > 0) == (change.deal == "dealers")
        assert not (change.dealer_gain and change.attacker_gain)


@pytest.mark.parametrize("points", [1, 82, -3, "80", 80.0, True, None])
def test_points_that_no_cards_can_give_are_refused(jimei: Preset, points: object) -> None:
    with pytest.raises(RuleError) as refused:
        level_change(jimei, points, "2", "2")  # type: ignore[arg-type]
    assert refused.value.code == "bad_value"


@pytest.mark.parametrize("level", ["1", "10", "a", "", 2, None])
def test_an_unknown_level_is_refused(jimei: Preset, level: object) -> None:
    with pytest.raises(RuleError) as refused:
        level_change(jimei, 80, "2", level)  # type: ignore[arg-type]
    assert (refused.value.code, refused.value.field) == ("bad_value", "attacker_level")


def test_past_the_top_levels_may_wrap_instead(jimei: Preset) -> None:
    wrapping = changed(jimei, {"levels.past_top": "wrap", "levels.must_play": []})
    change = level_change(wrapping, 0, "K", "2")  # K A 2 3 4 5
    assert (change.dealer_level, change.won_by) == ("5", None)


def test_the_cap_bounds_the_dealer_side_too(jimei: Preset) -> None:  # 升级以5级封顶
    own = changed(jimei, {"levels.dealer_cap": 3})
    assert [level_change(own, points, "2", "2").dealer_gain for points in (0, 20, 40, 60)] == [3, 3, 3, 2]


def test_other_bands_are_data_and_need_no_code(jimei: Preset) -> None:
    """zhongshan-2013: the deal falls at 80, from 120 the attackers gain one per 40, no cap, A not barred to them."""
    other = changed(
        jimei,
        {
            "levels.dealer_bands": [{"up_to": 0, "gain": 3}, {"up_to": 35, "gain": 2}, {"up_to": 75, "gain": 1}],
            "levels.beyond": {"above": 80, "step": 40, "gain": 1},
            "levels.dealer_cap": None,
            "levels.attacker_cap": None,
            "levels.attackers_at_must_play": "table",
        },
    )
    gains = {points: level_change(other, points, "2", "2").attacker_gain for points in (80, 115, 120, 160, 400)}
    assert gains == {80: 0, 115: 0, 120: 1, 160: 2, 400: 8}
    at_a = level_change(other, 160, "2", "A")
    assert (at_a.attacker_gain, at_a.attacker_level, at_a.won_by) == (2, "A", None)
    assert Basis("十一.7", "assumed") not in at_a.basis  # nobody passed A


def test_levels_rise_from_2_to_a() -> None:
    assert "".join(LEVELS) == "23456789TJQKA"


# What an answer rests on is named where it decided, and only there


def owned(preset: Preset, points: int, own: dict[str, object], levels: tuple[str, str] = ("2", "2")) -> bool:
    """Whether the answer rests on what an organiser set otherwise."""
    return any(basis.changed for basis in level_change(changed(preset, own), points, *levels).basis)


@pytest.mark.parametrize(("points", "rests"), [(95, False), (105, True), (180, True)])
def test_what_lies_beyond_the_bands_is_named_from_its_first_step_on(jimei: Preset, points: int, rests: bool) -> None:
    assert owned(jimei, points, {"levels.beyond.step": 25}) is rests


@pytest.mark.parametrize(("points", "rests"), [(120, False), (140, False), (160, True)])
def test_a_cap_is_named_where_it_took_something_away(jimei: Preset, points: int, rests: bool) -> None:
    assert owned(jimei, points, {"levels.attacker_cap": 3}) is rests  # 140 points: 3 levels, no more than the cap


@pytest.mark.parametrize(("points", "rests"), [(45, False), (25, False), (20, True)])
def test_a_dealers_cap_is_named_where_it_took_something_away(jimei: Preset, points: int, rests: bool) -> None:
    assert owned(jimei, points, {"levels.dealer_cap": 3}) is rests


@pytest.mark.parametrize(("points", "rests"), [(65, False), (45, True)])
def test_a_level_that_must_be_played_is_named_where_it_stopped_a_climb(jimei: Preset, points: int, rests: bool) -> None:
    own: dict[str, object] = {"levels.must_play": ["T", "A"]}
    assert owned(jimei, points, own, ("9", "2")) is rests  # one level ends at 10, two would have gone on
