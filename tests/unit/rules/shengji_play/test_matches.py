"""How matches end and what fouls cost: zhongshan-2013 七（一）2, shandong-2023 八.12 to 八.14."""

from __future__ import annotations

from fractions import Fraction

import pytest

from shared.rules.errors import RuleError, UnknownPenalty
from shared.rules.regulations import Preset
from shared.rules.shengji.facts import HandFact
from shared.rules.shengji.gained import gained, hands_left
from shared.rules.shengji.match import MatchSummary, resum
from shared.rules.shengji.penalties import price
from shared.rules.shengji.referee import price_by_referee
from shared.rules.shengji.results import result


def played(preset: Preset, *points: int, dealers: tuple[int, ...] = ()) -> MatchSummary:
    """A match of hands with these attackers' points, seat 1 dealing where nothing else is said."""
    seats = dealers or (1,) * len(points)
    facts = [HandFact(number=n, dealer_seat=s, points=p) for n, (p, s) in enumerate(zip(points, seats, strict=True), 1)]
    return resum(preset, facts)


def test_zhongshan_equal_levels_are_won_by_the_side_that_is_to_deal_next(zhongshan: Preset) -> None:  # 做庄者为胜出
    ended = result(zhongshan, played(zhongshan, 80), "time")  # the deal passes from seat 1 to seat 2
    assert (ended.points, ended.how, ended.levels) == ((0, 1), "next_dealer", ("2", "2"))
    assert ("七（一）2", "read") in {(basis.article, basis.mark) for basis in ended.basis}


def test_zhongshan_the_higher_level_wins(zhongshan: Preset) -> None:  # 级高者为胜出
    ended = result(zhongshan, played(zhongshan, 0), "time")
    assert (ended.points, ended.how) == ((1, 0), "level")


def test_shandong_each_level_is_a_point(shandong: Preset) -> None:  # 每升一级得一分
    tables = [played(shandong, 0, 120), played(shandong, 200, 75, dealers=(2, 1))]
    # table one: dealers 13 +3, attackers 24 +2; table two: attackers 13 +3, dealers 13 +1
    assert gained(tables) == {"13": 3 + 3 + 1, "24": 2}


def test_shandong_fouls_take_half_points_and_compensate(shandong: Preset) -> None:
    foul = price_by_referee(shandong, "peeking", lost="7/2", compensation="1/2")
    assert gained([played(shandong, 80)], [("13", foul)]) == {"13": Fraction(-7, 2), "24": Fraction(1, 2)}


@pytest.mark.parametrize("lost", [0, "1/2", 1, "3/2", "4", 4])
def test_a_foul_costs_a_warning_or_half_a_point_to_four(shandong: Preset, lost: object) -> None:
    foul = price_by_referee(shandong, "revoke", lost=lost)
    assert (foul.lost, foul.warning) == (int(Fraction(str(lost)) * 2), lost == 0)
    assert foul.article == "八.14(6)"


@pytest.mark.parametrize("lost", ["1/4", "9/2", 5, -1, "-1/2", 0.5, True, None, "half", "1/0", "1e0", "1e-999999999"])
def test_other_prices_are_refused(shandong: Preset, lost: object) -> None:
    with pytest.raises(RuleError) as refused:
        price_by_referee(shandong, "revoke", lost=lost)
    assert (refused.value.code, refused.value.field) == ("bad_value", "lost")


def test_a_warning_is_not_compensated_and_a_compensation_has_the_same_range(shandong: Preset) -> None:
    for lost, compensation in ((0, 1), (1, "9/2"), (1, "1/3")):
        with pytest.raises(RuleError) as refused:
            price_by_referee(shandong, "revoke", lost=lost, compensation=compensation)
        assert refused.value.field == "compensation"


def test_who_prices_what(shandong: Preset, jimei: Preset) -> None:
    with pytest.raises(RuleError, match="priced by the referee"):
        price(shandong, "revoke")
    with pytest.raises(RuleError, match="priced by the regulation"):
        price_by_referee(jimei, "revoke", lost=1)
    with pytest.raises(UnknownPenalty):
        price_by_referee(shandong, "coughing")


# 每轮打12副牌，按得分淘汰; equal points: one more hand until decided
@pytest.mark.parametrize(
    ("hands", "points", "left"), [(0, (0, 0), 12), (11, (3, 3), 1), (12, (3, 1), 0), (12, (3, 3), 1), (13, (3, 3), 1)]
)
def test_shandong_plays_twelve_hands_and_on_until_decided(
    shandong: Preset, hands: int, points: tuple[int, int], left: int
) -> None:
    tables = [played(shandong, *[80] * 12), played(shandong, *[80] * hands)]
    by_pair = {"13": Fraction(points[0]), "24": Fraction(points[1])}
    assert hands_left(shandong, tables, by_pair) == left  # type: ignore[arg-type]


def test_a_match_by_the_clock_has_no_number_of_hands(zhongshan: Preset) -> None:
    assert hands_left(zhongshan, [played(zhongshan, 80)], {"13": Fraction(0), "24": Fraction(0)}) == 0
