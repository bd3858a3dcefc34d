"""总得分: jimei-2018 十二（名次）.2, read as P + S / (M/2) - R, with RULINGS' worked examples."""

from __future__ import annotations

from fractions import Fraction

import pytest

from shared.rules.formats.history import Field, Outcome
from shared.rules.formats.standings import standings
from shared.rules.formats.total import shown, total_score
from shared.rules.regulations import Preset, changed
from tests.unit.rules.tables import competition, round_of


def field(preset: Preset, points: int, opponents: list[int]) -> Field:
    """A field in which team X has these points and met opponents who now have theirs."""
    names = [f"O{n}" for n in range(len(opponents))]
    met = tuple(
        Outcome(round=n, kind="played", points=0, opponent=name, opponent_points=0) for n, name in enumerate(names, 1)
    )
    every = {"X": points, **dict(zip(names, opponents, strict=True))}
    return Field(
        regulation=preset,
        competition=competition(""),
        rounds=len(opponents),
        outcomes={"X": met},
        points=every,
        lowest=min(value for value in every.values() if value),
        highest=max(every.values()),
        provisional=False,
    )


@pytest.mark.parametrize(
    ("points", "opponents", "exact", "decimal"),
    [
        (9, [5, 5, 5, 5, 5, 5], Fraction(8), "8.000"),  # RULINGS: R = 6, P 9, S 30
        (8, [7, 7, 6, 6, 6, 6], Fraction(25, 3), "8.333"),  # P 8, S 38
        (7, [7, 7, 7, 7, 7, 6], Fraction(47, 6), "7.833"),  # P 7, S 41
    ],
)
def test_the_worked_examples(jimei: Preset, points: int, opponents: list[int], exact: Fraction, decimal: str) -> None:
    total = total_score(field(jimei, points, opponents), "X")
    assert total.value == exact
    assert shown(total.value) == decimal


def test_the_working_shows_the_sum_in_the_regulations_form(jimei: Preset) -> None:
    total = total_score(field(jimei, 8, [7, 7, 6, 6, 6, 6]), "X")
    assert total.fraction == "25/3"
    assert total.working == "8 + 38÷(12/2) − 6 = 25/3 = 8.333"


@pytest.mark.parametrize(
    ("value", "decimal"),
    [
        (Fraction(0), "0.000"),
        (Fraction(1, 2000), "0.001"),  # a half goes away from zero
        (Fraction(-1, 2000), "-0.001"),
        (Fraction(1, 2001), "0.000"),
        (Fraction(-1, 3000), "0.000"),  # never "-0.000"
        (Fraction(-5, 3), "-1.667"),
        (Fraction(19999, 2000), "10.000"),
    ],
)
def test_three_decimals_are_rounded_exactly(value: Fraction, decimal: str) -> None:
    assert shown(value) == decimal


def total(preset: Preset, table: object, team: str) -> Fraction:
    return Fraction(next(row for row in standings(preset, table) if row.team == team).total.fraction)  # type: ignore[arg-type]


BYE = competition("A B C", round_of(1, "A-B 2:0", bye="C"), round_of(2, "A-C 1:1", bye="B"))
# points: A 3, B 2, C 3; R = 2, M/2 = 2


def test_the_opponent_missing_in_a_bye_counts_the_lowest_points_of_any_team_that_has_points(jimei: Preset) -> None:
    assert total(jimei, BYE, "C") == 3 + Fraction(2 + 3, 2) - 2  # bye: B's 2, then A's 3


def test_a_team_without_points_is_not_the_lowest(jimei: Preset) -> None:
    table = competition("A B C D E", round_of(1, "A-B 2:0, C-D 1:1", bye="E"))
    assert total(jimei, table, "E") == 2 + Fraction(1, 1) - 1  # B has none; the lowest with points is 1


@pytest.mark.parametrize(("rule", "missing"), [("0", 0), ("own", 3), ("lowest_with_points", 2)])
def test_the_organiser_may_choose_what_a_bye_counts(jimei: Preset, rule: str, missing: int) -> None:
    own = changed(jimei, {"standings.total_score.bye_opponent_points": rule})
    assert total(own, BYE, "C") == 3 + Fraction(missing + 3, 2) - 2


def test_a_forfeited_match_counts_the_opponent_as_a_played_one(jimei: Preset) -> None:
    played = competition("A B C D", round_of(1, "A-B 2:0, C-D 1:1"), round_of(2, "A-C 2:0, B-D 2:0"))
    forfeited = competition("A B C D", round_of(1, "A-B 2:0 forfeit, C-D 1:1"), round_of(2, "A-C 2:0, B-D 2:0"))
    assert [r.total for r in standings(jimei, forfeited)] == [r.total for r in standings(jimei, played)]


def test_an_absence_counts_no_opponent(jimei: Preset) -> None:
    table = competition("A B C", round_of(1, "A-B 2:0", absent="C"), round_of(2, "A-C 2:0", bye="B"))
    assert total(jimei, table, "C") == 0 + Fraction(0 + 4, 2) - 2


def test_a_team_that_came_late_gets_nothing_for_the_rounds_before(jimei: Preset) -> None:
    table = competition("A B C D", round_of(1, "A-B 2:0"), round_of(2, "A-C 2:0, B-D 1:1"))
    late = next(row for row in standings(jimei, table) if row.team == "D")
    assert (late.points, late.cumulative) == (1, 0 + 1)
    assert Fraction(late.total.fraction) == 1 + Fraction(1, 2) - 2  # only B's 1 counts


def test_a_double_absence_gives_no_points_and_counts_both_opponents(jimei: Preset) -> None:
    table = competition("A B C D", round_of(1, "A-B 0:0 forfeit, C-D 2:0"), round_of(2, "A-C 2:0, B-D 2:0"))
    assert total(jimei, table, "A") == 2 + Fraction(2 + 2, 2) - 2


def test_most_points_may_be_those_actually_reached(jimei: Preset) -> None:
    own = changed(jimei, {"standings.total_score.max_points": "actual"})
    assert total(own, BYE, "A") == 3 + Fraction(2 * (2 + 3), 3) - 2  # M = 3


def test_before_the_first_round_everyone_has_zero(jimei: Preset) -> None:
    rows = standings(jimei, competition("A B"))
    assert [(row.rank, row.total.fraction, row.total.working) for row in rows] == [(1, "0/1", "0.000")] * 2
