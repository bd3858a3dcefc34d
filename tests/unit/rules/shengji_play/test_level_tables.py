"""Levels from points: zhongshan-2013 七（一）3, shandong-2023 八.8. jimei-2018 has `test_levels.py`."""

from __future__ import annotations

import pytest

from shared.rules.basis import Basis
from shared.rules.errors import RuleError
from shared.rules.regulations import Preset, changed
from shared.rules.shengji.levels import LEVELS, level_change


def gains(preset: Preset, points: int) -> tuple[int, int, str]:
    change = level_change(preset, points, "2", "2")
    return change.dealer_gain, change.attacker_gain, change.deal


# 80分下台，40分小光，0分大光: 小光 and 大光 give the dealer side one more each, and exactly 40 is 小光's edge (+1)
@pytest.mark.parametrize(
    ("points", "gain"), [(-50, 3), (0, 3), (5, 2), (35, 2), (40, 1), (75, 1)]
)  # fmt: skip
def test_zhongshan_dealers(zhongshan: Preset, points: int, gain: int) -> None:
    assert gains(zhongshan, points) == (gain, 0, "dealers")


# 80分下台；每增加40分升一级，以此类推: no cap
@pytest.mark.parametrize("points", [80, 115, 120, 155, 160, 200, 240, 400, 1000])
def test_zhongshan_attackers(zhongshan: Preset, points: int) -> None:
    assert gains(zhongshan, points) == (0, (points - 80) // 40, "attackers")


def test_zhongshan_attackers_at_a_have_their_gain_and_stay(zhongshan: Preset) -> None:
    change = level_change(zhongshan, 200, "5", "A")
    assert (change.attacker_gain, change.attacker_level, change.won_by) == (3, "A", None)


def test_zhongshan_a_dealer_at_a_who_gains_has_passed_it(zhongshan: Preset) -> None:
    change = level_change(zhongshan, 75, "A", "5")
    assert (change.dealer_level, change.won_by) == ("A", "dealers")
    assert Basis("七（一）3", "assumed") in change.basis


def test_zhongshan_levels_stop_at_a(zhongshan: Preset) -> None:
    assert level_change(zhongshan, 0, "Q", "2").dealer_level == "A"
    assert level_change(zhongshan, 80 + 40 * 20, "2", "9").attacker_level == "A"


# d are the dealer side's points: 得200分连升三级；160分以上连升二级；大于120分升一级；小于等于120分轮换庄家；
# 小于等于80分抓分方升二级；等于0分升三级；此后抓分方每多得40分再加一级
@pytest.mark.parametrize(
    ("d", "dealers", "attackers"),
    [
        *((200, 3, 0), (195, 2, 0), (160, 2, 0), (155, 1, 0), (125, 1, 0), (120, 0, 0), (85, 0, 0)),
        *((80, 0, 2), (5, 0, 2), (0, 0, 3), (-35, 0, 3), (-40, 0, 4), (-75, 0, 4), (-80, 0, 5), (-400, 0, 13)),
    ],
)
def test_shandong_by_the_dealers_points(shandong: Preset, d: int, dealers: int, attackers: int) -> None:
    side = "dealers" if d > 120 else "attackers"
    assert gains(shandong, 200 - d) == (dealers, attackers, side)


@pytest.mark.parametrize(("start", "points", "end"), [("K", 0, "3"), ("A", 75, "2"), ("Q", 40, "A")])
def test_shandong_dealers_wrap_after_a(shandong: Preset, start: str, points: int, end: str) -> None:
    change = level_change(shandong, points, start, "2")
    assert (change.dealer_level, change.won_by) == (end, None)


def test_shandong_attackers_wrap_as_far_as_their_points_go(shandong: Preset) -> None:
    for gain in range(4, 40):
        change = level_change(shandong, 200 + 40 * (gain - 3), "2", "5")
        assert (change.attacker_gain, change.attacker_level) == (gain, LEVELS[(LEVELS.index("5") + gain) % 13])


def test_points_without_bound_are_answered_at_once(shandong: Preset, zhongshan: Preset) -> None:
    assert level_change(shandong, 200 + 40 * (13 * 10**15 + 1), "2", "5").attacker_level == LEVELS[3 + 3 + 1]
    assert level_change(zhongshan, 40 * 10**15, "2", "5").attacker_level == "A"


def test_wrapping_rests_on_an_assumption(shandong: Preset) -> None:
    assert Basis("八.12", "assumed") in level_change(shandong, 0, "K", "2").basis
    assert level_change(shandong, 0, "2", "2").basis == (Basis("八.8", "read"),)


def test_a_step_may_give_more_than_one_level_and_a_cap_bounds_it(shandong: Preset) -> None:
    own = changed(shandong, {"levels.beyond": {"above": 200, "step": 40, "gain": 2}, "levels.attacker_cap": 7})
    assert [gains(own, points)[1] for points in (200, 239 - 4, 240, 280, 320)] == [3, 3, 3 + 2, 3 + 4, 7]


def test_shandong_has_no_points_below_zero(shandong: Preset) -> None:  # fouls cost match points, 八.14
    with pytest.raises(RuleError) as refused:
        level_change(shandong, -5, "2", "2")
    assert (refused.value.code, refused.value.article) == ("bad_value", "八.14")
