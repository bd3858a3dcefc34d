"""A match and its result: ahut-2018 二.4, 二.5, 四.1."""

from __future__ import annotations

import pytest

from shared.rules.errors import RuleError
from shared.rules.guandan.deal import next_deal
from shared.rules.guandan.levels import Pair
from shared.rules.guandan.matches import (
    GuandanHand,
    GuandanSummary,
    lateness,
    result,
    resum,
    stage_round,
)
from shared.rules.regulations import GuandanPreset
from shared.rules.regulations.guandan import Stage

UP3, UP2, UP1 = (1, 3), (1, 2, 3, 4), (1, 2, 4, 3)
"""Pair 13 gains 3, 2, 1."""
DOWN3, DOWN2, DOWN1 = (2, 4), (2, 1, 4, 3), (2, 1, 3, 4)
"""Pair 24 gains 3, 2, 1."""


def summed(preset: GuandanPreset, *finishes: tuple[int, ...], stage: Stage = "group") -> GuandanSummary:
    return resum(preset, stage, [GuandanHand(number=n, finish=finish) for n, finish in enumerate(finishes, 1)])


def test_levels_rise_hand_by_hand(ahut: GuandanPreset) -> None:
    found = summed(ahut, UP3, UP2, DOWN1)
    assert found.levels == {"13": "7", "24": "3"}  # 2 + 3 + 2, 2 + 1
    assert (found.own, found.reached, found.won_by) == ("24", {"13": 2, "24": 3}, None)


def test_four_threes_reach_a_and_a_fifth_passes_it(ahut: GuandanPreset) -> None:  # 2 5 8 J A
    assert summed(ahut, UP3, UP3, UP3, UP3).levels["13"] == "A"
    found = summed(ahut, UP3, UP3, UP3, UP3, UP2)
    assert (found.won_by, found.won_in) == ("13", 5)
    later = summed(ahut, UP3, UP3, UP3, UP3, UP2, DOWN3)
    assert (later.levels, later.changes[-1]) == (found.levels, None)  # hands after a win count nothing


def test_in_the_final_three_failures_send_back(ahut: GuandanPreset) -> None:
    to_a = (UP3, UP3, UP3, UP3)
    thrice = summed(ahut, *to_a, UP1, UP1, UP1, stage="final")
    assert (thrice.levels["13"], thrice.a_failures["13"], thrice.won_by) == ("2", 0, None)
    assert summed(ahut, *to_a, UP1, UP1, UP1, stage="last8").levels["13"] == "A"
    # cumulative: a hand that the opponents own lies between
    between = summed(ahut, *to_a, UP1, DOWN1, UP3, UP1, stage="final")  # UP1 fails, DOWN1 fails, UP3 is not 13's own
    assert between.levels["13"] == "2"


def test_an_annulled_hand_counts_nothing_and_keeps_its_number(ahut: GuandanPreset) -> None:
    hands = [
        GuandanHand(number=1, finish=UP3, annulled=True),
        GuandanHand(number=2, finish=DOWN2),
    ]
    assert resum(ahut, "group", hands).levels == {"13": "2", "24": "4"}


def test_a_level_given_by_penalty_stops_at_a(ahut: GuandanPreset) -> None:
    hands = [GuandanHand(number=1, finish=UP3, extra={"24": 1})]
    assert resum(ahut, "group", hands).levels == {"13": "5", "24": "3"}
    far = [GuandanHand(number=1, finish=UP3, extra={"13": 20})]
    assert resum(ahut, "group", far).levels["13"] == "A"


def test_a_gap_in_the_numbers_is_refused(ahut: GuandanPreset) -> None:
    with pytest.raises(RuleError):
        resum(ahut, "group", [GuandanHand(number=2, finish=UP3)])


@pytest.mark.parametrize(
    ("finishes", "winner", "how"),
    [
        ((UP3, UP3, UP3, UP3, UP2), "13", "passed_top"),  # 一方首先过A，则为胜利方
        ((UP3, DOWN2), "13", "level"),  # 以分数领先者取胜
        ((UP3, DOWN3), "13", "reached_first"),  # 同时打8，则先打8的队伍获胜
        ((DOWN2, UP1, UP1), "24", "reached_first"),
        ((), None, "undecided"),
    ],
)
def test_when_time_is_called(
    ahut: GuandanPreset, finishes: tuple[tuple[int, ...], ...], winner: str | None, how: str
) -> None:
    found = result(ahut, stage_round(ahut, 32).minutes, summed(ahut, *finishes))
    assert (found.winner, found.how) == (winner, how)


def test_from_the_last_eight_on_a_must_be_passed(ahut: GuandanPreset) -> None:  # 必须过A才能胜出
    for teams in (8, 4, 2):
        assert result(ahut, stage_round(ahut, teams).minutes, summed(ahut, UP3, UP3)).how == "undecided"
        passed = summed(ahut, UP3, UP3, UP3, UP3, UP3)
        assert result(ahut, stage_round(ahut, teams).minutes, passed).winner == "13"


def test_a_round_of_another_number_is_refused(ahut: GuandanPreset) -> None:
    with pytest.raises(RuleError, match="32, 16, 8, 4, 2"):
        stage_round(ahut, 64)


@pytest.mark.parametrize(
    ("late", "what", "advances"),
    [
        ({"13": 14, "24": 0}, "none", None),
        ({"13": 15, "24": 0}, "forfeit", "24"),  # 四.1: 迟到15分钟以上, and 以上 includes the number
        ({"24": 16}, "forfeit", "13"),
        ({"13": 15, "24": 16}, "double_forfeit", None),
        ({"13": 14, "24": 15}, "forfeit", "13"),
    ],
)
def test_lateness(ahut: GuandanPreset, late: dict[Pair, int], what: str, advances: str | None) -> None:
    assert lateness(ahut, late) == (what, advances)


@pytest.mark.parametrize(
    ("finish", "draws"),
    [
        ((1, 2, 3, 4), 4),  # 下游先抓牌
        ((2, 3, 4, 1), 1),
        ((1, 3), 2),  # the winner's next opponent
        ((4, 2), 1),
    ],
)
def test_the_next_hand(ahut: GuandanPreset, finish: tuple[int, ...], draws: int) -> None:
    found = next_deal(ahut, finish)
    assert (found.turns_card, found.leads, found.draws_first) == (finish[0], finish[0], draws)
