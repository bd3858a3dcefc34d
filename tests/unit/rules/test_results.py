"""Match points: jimei-2018 十.2 and 十二（名次）.1."""

from __future__ import annotations

from shared.rules.basis import Basis
from shared.rules.regulations import Preset, changed
from shared.rules.shengji.facts import HandFact
from shared.rules.shengji.match import MatchSummary, resum
from shared.rules.shengji.results import bye_points, double_absence, forfeit, result


def summed(preset: Preset, *rows: tuple[int, int]) -> MatchSummary:
    return resum(preset, [HandFact(number=n, dealer_seat=seat, points=s) for n, (seat, s) in enumerate(rows, 1)])


def test_when_time_is_called_the_higher_level_wins(jimei: Preset) -> None:  # 以级数多者为胜方，胜方得2分，负方得0分
    outcome = result(jimei, summed(jimei, (1, 40)), "time")
    assert (outcome.points, outcome.levels, outcome.how) == ((2, 0), ("5", "2"), "level")
    assert outcome.basis == (Basis("十.2", "stated"),)


def test_it_may_be_team_two_that_wins(jimei: Preset) -> None:
    assert result(jimei, summed(jimei, (2, 40)), "time").points == (0, 2)


def test_ten_is_lower_than_the_court_cards(jimei: Preset) -> None:
    # 13: 2 -> 7 -> T; 24: 2 -> 7 -> J
    outcome = result(jimei, summed(jimei, (1, 0), (3, 40), (2, 0), (4, 20)), "time")
    assert (outcome.levels, outcome.points) == (("T", "J"), (0, 2))


def test_level_at_time_is_a_draw(jimei: Preset) -> None:  # 平级各得1分
    outcome = result(jimei, summed(jimei, (1, 40), (2, 40)), "time")
    assert (outcome.points, outcome.how) == ((1, 1), "equal")


def test_a_match_without_a_finished_hand_is_a_draw(jimei: Preset) -> None:
    assert result(jimei, summed(jimei), "time").points == (1, 1)


def test_who_passes_a_wins_although_both_stand_at_a(jimei: Preset) -> None:
    summary = summed(jimei, (1, 0), (3, 0), (1, 0), (2, 0), (4, 0), (2, 0), (4, 75))
    outcome = result(jimei, summary, "played")
    assert (outcome.levels, outcome.points, outcome.how) == (("A", "A"), (0, 2), "passed_a")
    assert Basis("十一.7", "assumed") in outcome.basis


def test_a_win_that_a_correction_took_away_is_decided_by_the_levels_reached(jimei: Preset) -> None:
    outcome = result(jimei, summed(jimei, (1, 0), (3, 0), (1, 0), (3, 85)), "played")
    assert (outcome.points, outcome.how) == ((2, 0), "level")
    assert Basis("十.2", "assumed") in outcome.basis


def test_a_forfeit_is_a_win_for_the_team_that_came(jimei: Preset) -> None:
    assert forfeit(jimei, absent=1).points == (0, 2)
    assert forfeit(jimei, absent=2).points == (2, 0)
    assert forfeit(jimei, absent=2).basis == (Basis("十.2", "stated"), Basis("十.2", "assumed"))


def test_when_neither_comes_neither_gets_a_point(jimei: Preset) -> None:
    assert double_absence(jimei).points == (0, 0)


def test_a_bye_gives_two_points(jimei: Preset) -> None:  # 轮空选手计得2分
    assert bye_points(jimei) == 2


def test_the_points_are_the_presets(jimei: Preset) -> None:
    own = changed(jimei, {"match.points.win": 3})
    outcome = result(own, summed(own, (1, 40)), "time")
    assert (outcome.points, outcome.basis[0].changed) == ((3, 0), True)
