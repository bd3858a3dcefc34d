"""A match of two tables (shandong-2023 八.12, 13, 14): levels gained are points, fouls cost halves."""

from __future__ import annotations

import pytest

from shared.rules.errors import RuleError
from shared.rules.formats.table_match import Foul, shown, table_match
from shared.rules.regulations import Preset, changed, load
from shared.rules.shengji.facts import HandFact

SHANDONG = load("shandong-2023")
NOTHING = 100
"""Attackers' points at which the dealer side holds 100: the deal passes and nobody gains (八.8)."""
ONE = 60
"""The dealer side holds 140: up one."""


def table(*hands: tuple[int, int]) -> list[HandFact]:
    """Hands as (dealer, attackers' points)."""
    return [HandFact(number=n, dealer_seat=dealer, points=points) for n, (dealer, points) in enumerate(hands, 1)]


def twelve(*first: tuple[int, int]) -> list[HandFact]:
    return table(*first, *[(1, NOTHING)] * (12 - len(first)))


def test_the_points_of_both_tables_are_added() -> None:
    found = table_match(SHANDONG, [twelve((1, ONE), (1, ONE)), twelve((2, ONE))])
    assert found.halves == (4, 2)
    assert (found.winner, found.due) == (0, None)


def test_a_match_is_not_decided_before_both_tables_have_played_twelve() -> None:  # 每轮打 12 副牌
    found = table_match(SHANDONG, [twelve((1, ONE)), twelve()[:11]])
    assert (found.winner, found.due) == (None, 12)


def test_equal_points_are_played_on_one_more_hand_until_decided() -> None:
    equal = [twelve((1, ONE)), twelve((2, ONE))]
    assert table_match(SHANDONG, equal).due == 13
    still = [table(*[(1, ONE)], *[(1, NOTHING)] * 12), table(*[(2, ONE)], *[(1, NOTHING)] * 12)]
    assert table_match(SHANDONG, still).due == 14
    decided = [still[0], table((2, ONE), *[(1, NOTHING)] * 11, (2, ONE))]
    assert table_match(SHANDONG, decided).winner == 1


def test_the_attackers_gain_points_too() -> None:
    """The dealer side holds 0: the attackers gain three (八.8)."""
    assert table_match(SHANDONG, [twelve((1, 200)), twelve()]).halves == (0, 6)


def test_a_foul_costs_halves_and_may_give_the_opponents_some() -> None:  # 八.14
    fouls = [Foul(code="peeking", pair="13", halves=3, compensation=1), Foul(code="signalling", pair="24", halves=0)]
    found = table_match(SHANDONG, [twelve(), twelve()], fouls)
    assert found.halves == (-3, 1)
    assert found.winner == 1
    assert [shown(each) for each in found.halves] == ["-1.5", "0.5"]


@pytest.mark.parametrize(
    "foul",
    [
        Foul(code="peeking", pair="13", halves=9),  # more than 4 points
        Foul(code="coughing", pair="13", halves=1),
        Foul(code="peeking", pair="13", halves=1, compensation=9),
    ],
)
def test_a_foul_outside_its_range_is_refused(foul: Foul) -> None:
    with pytest.raises(RuleError):
        table_match(SHANDONG, [twelve(), twelve()], [foul])


@pytest.mark.parametrize(
    "tables",
    [
        [twelve()],
        [table(*[(1, NOTHING)] * 14), twelve()],
        [table((1, ONE), *[(1, NOTHING)] * 12), twelve()],  # decided after twelve
    ],
)
def test_hands_that_are_not_due_are_refused(tables: list[list[HandFact]]) -> None:
    with pytest.raises(RuleError, match="the match has"):
        table_match(SHANDONG, tables)


def test_one_table_where_the_regulation_says_so() -> None:
    one = changed(SHANDONG, {"match.tables": 1})
    assert isinstance(one, Preset)
    assert table_match(one, [twelve((1, ONE))]).winner == 0
