"""Places: jimei-2018 十二（名次）.2, 总得分 then 直胜、累进分、抽签."""

from __future__ import annotations

import pytest

from shared.rules.errors import BadCompetition, RuleError
from shared.rules.formats.standings import Row, basis, lots_needed, standings
from shared.rules.regulations import Preset, changed
from tests.unit.rules.tables import competition, round_of


def places(rows: list[Row]) -> list[tuple[int | None, str, str | None]]:
    return [(row.rank, row.team, row.decided_by) for row in rows]


def test_the_total_score_is_the_primary_key(jimei: Preset) -> None:
    # points A 4, B 2, C 2, D 0; totals: A 4+(2+2)/2-2=4, B and C 2+(4+0)/2-2=2, D 0+(2+2)/2-2=0
    table = competition("A B C D", round_of(1, "A-B 2:0, C-D 2:0"), round_of(2, "A-C 2:0, B-D 2:0"))
    rows = standings(jimei, table)
    assert [(row.team, row.total.fraction) for row in rows] == [("A", "4/1"), ("C", "2/1"), ("B", "2/1"), ("D", "0/1")]


def test_with_the_total_score_as_a_tie_break_points_come_first(jimei: Preset) -> None:
    # after one round every total is 1: A 2+0-1, B 0+2-1
    own = changed(jimei, {"standings.total_score.role": "tie_break"})
    assert places(standings(own, competition("B A", round_of(1, "A-B 2:0")))) == [(1, "A", None), (2, "B", "points")]


def test_cumulative_score_parts_those_who_never_met(jimei: Preset) -> None:
    # as above, B 0 then 2: 0 + 2 = 2; C 2 then 2: 2 + 2 = 4
    table = competition("A B C D", round_of(1, "A-B 2:0, C-D 2:0"), round_of(2, "A-C 2:0, B-D 2:0"))
    assert places(standings(jimei, table)) == [
        (1, "A", None),
        (2, "C", "total"),
        (3, "B", "cumulative"),
        (4, "D", "total"),
    ]


def test_the_cumulative_score_sums_the_running_totals(jimei: Preset) -> None:  # RULINGS: W W W W L is 28
    rounds = [round_of(n, "A-B 2:0") for n in range(1, 5)] + [round_of(5, "A-B 0:2")]
    first = standings(jimei, competition("A B", *rounds))[0]
    assert first.cumulative == 2 + 4 + 6 + 8 + 8


def test_a_bye_and_a_forfeit_count_in_the_cumulative_score(jimei: Preset) -> None:
    table = competition("A B C", round_of(1, "A-B 2:0 forfeit", bye="C"), round_of(2, "A-C 1:1", bye="B"))
    assert {row.team: row.cumulative for row in standings(jimei, table)} == {"A": 2 + 3, "B": 0 + 2, "C": 2 + 3}


# Where everyone met everyone, S is the sum of all points less one's own, so equal points are equal totals.


def test_of_two_tied_teams_the_winner_of_their_match_is_first(jimei: Preset) -> None:
    table = competition(
        "A B C D",
        round_of(1, "B-A 2:0, C-D 2:0"),
        round_of(2, "A-C 2:0, D-B 2:0"),
        round_of(3, "D-A 2:0, C-B 2:0"),
    )
    # points C 4, D 4, A 2, B 2; C beat D, B beat A
    assert places(standings(jimei, table)) == [
        (1, "C", None),
        (2, "D", "direct_win"),
        (3, "B", "total"),
        (4, "A", "direct_win"),
    ]


def test_in_a_ring_of_three_nobody_is_lifted_out(jimei: Preset) -> None:
    table = competition(
        "A B C D",
        round_of(1, "A-B 0:2, C-D 0:2"),
        round_of(2, "A-C 2:0, B-D 0:2"),
        round_of(3, "A-D 2:0, B-C 2:0"),
    )
    # points A 4, B 4, D 4, C 0; B beat A, D beat B, A beat D; 累进分 A 0,2,4 = 6, B 2,2,4 = 8, D 2,4,4 = 10
    rows = standings(jimei, table)
    assert places(rows)[:3] == [(1, "D", None), (2, "B", "cumulative"), (3, "A", "cumulative")]
    assert {row.team: row.direct_win for row in rows} == {"A": 1, "B": 1, "C": 0, "D": 1}


def test_two_who_drew_with_each_other_and_are_equal_in_all_need_a_lot(jimei: Preset) -> None:
    table = competition(
        "A B C D",
        round_of(1, "B-A 2:0, C-D 2:0"),
        round_of(2, "A-C 2:0, D-B 2:0"),
        round_of(3, "A-D 1:1, B-C 1:1"),
    )
    # 3 points each in a ring of four; 累进分 B and C 2,2,3 = 7, A and D 0,2,3 = 5
    assert places(standings(jimei, table)) == [
        (1, "B", None),
        (1, "C", "lot_needed"),
        (3, "A", "cumulative"),
        (3, "D", "lot_needed"),
    ]


# A beat B and C, B beat C, and each has 4 points: A 4+0, B 2+2, C 0+4 against the other three; F 10, E 5, D 3
THREE_TIED = competition(
    "A B C D E F",
    round_of(1, "A-F 0:2, B-E 0:2, C-D 2:0"),
    round_of(2, "A-E 0:2, F-D 2:0, B-C 2:0"),
    round_of(3, "A-D 0:2, E-C 0:2, F-B 2:0"),
    round_of(4, "A-C 2:0, D-B 0:2, E-F 0:2"),
    round_of(5, "A-B 2:0, C-F 0:2, D-E 1:1"),
)
# 累进分: B 0,2,2,4,4 = 12; C 2,2,4,4,4 = 16


def test_one_who_beat_all_the_others_is_lifted_out_and_the_rest_are_compared_from_the_start(jimei: Preset) -> None:
    assert places(standings(jimei, THREE_TIED)) == [
        (1, "F", None),
        (2, "E", "total"),
        (3, "A", "total"),
        (4, "B", "direct_win"),
        (5, "C", "direct_win"),  # B beat C, which counts now that they are two
        (6, "D", "total"),
    ]


def test_the_organiser_may_have_the_rest_compared_from_the_next_tie_break(jimei: Preset) -> None:
    own = changed(jimei, {"standings.regroup": "continue"})
    assert places(standings(own, THREE_TIED))[2:5] == [
        (3, "A", "total"),
        (4, "C", "direct_win"),
        (5, "B", "cumulative"),
    ]


def test_lots_part_only_when_every_team_of_the_group_has_one(jimei: Preset) -> None:
    drawn = round_of(1, "A-B 1:1, C-D 1:1")
    some = standings(jimei, competition("A B C D", drawn, lots={"A": 1, "B": 2, "C": 3}))
    assert [row.rank for row in some] == [1, 1, 1, 1]
    every = standings(jimei, competition("A B C D", drawn, lots={"A": 4, "B": 2, "C": 3, "D": 1}))
    assert places(every) == [(1, "D", None), (2, "B", "lot"), (3, "C", "lot"), (4, "A", "lot")]


def test_lots_are_needed_exactly_for_the_teams_they_must_part(jimei: Preset) -> None:
    rows = standings(jimei, competition("A B C D E F", round_of(1, "A-B 2:0, C-D 2:0, E-F 1:1")))
    # 总得分 after one round, M/2 = 1: A and C 2+0-1 = 1, E and F 1+1-1 = 1, B and D 0+2-1 = 1: all tied; nobody beat
    # all; 累进分 2, 1, 0 parts three pairs
    assert lots_needed(rows) == [("A", "C"), ("E", "F"), ("B", "D")]
    assert [row.rank for row in rows] == [1, 1, 3, 3, 5, 5]
    assert [row.decided_by for row in rows] == [
        None,
        "lot_needed",
        "cumulative",
        "lot_needed",
        "cumulative",
        "lot_needed",
    ]


def test_recorded_lots_do_nothing_for_teams_that_are_not_tied(jimei: Preset) -> None:
    table = round_of(1, "A-B 2:0, C-D 2:0"), round_of(2, "A-C 2:0, B-D 2:0")
    without = standings(jimei, competition("A B C D", *table))
    assert standings(jimei, competition("A B C D", *table, lots={"D": 1, "A": 2, "B": 3, "C": 4})) == without


def test_a_round_in_progress_does_not_count_and_makes_the_standings_provisional(jimei: Preset) -> None:
    first = round_of(1, "A-B 2:0, C-D 2:0")
    running = standings(jimei, competition("A B C D", first, round_of(2, "A-C 2:0, B-D unfinished")))
    after_one = standings(jimei, competition("A B C D", first))
    assert {row.provisional for row in running} == {True}
    assert [(row.team, row.points, row.total) for row in running] == [
        (row.team, row.points, row.total) for row in after_one
    ]


def test_standings_after_a_round_take_no_later_one(jimei: Preset) -> None:
    first = round_of(1, "A-B 2:0, C-D 2:0")
    table = competition("A B C D", first, round_of(2, "A-C 2:0, B-D unfinished"))
    assert standings(jimei, table, after_round=1) == standings(jimei, competition("A B C D", first))


def test_a_match_played_again_in_an_earlier_round_counts_for_nobody_meanwhile(jimei: Preset) -> None:
    table = competition("A B C D", round_of(1, "A-B unfinished, C-D 2:0"), round_of(2, "A-C 2:0, B-D 2:0"))
    rows = {row.team: row for row in standings(jimei, table)}
    assert {team: row.points for team, row in rows.items()} == {"A": 2, "B": 2, "C": 2, "D": 0}
    assert rows["A"].total.working.startswith("2 + 2÷")  # only C's 2
    assert rows["A"].provisional


def test_a_cancelled_match_gives_nothing_and_is_not_waited_for(jimei: Preset) -> None:
    rows = {row.team: row for row in standings(jimei, competition("A B", round_of(1, "A-B 2:0 cancelled")))}
    assert (rows["A"].points, rows["A"].direct_win, rows["A"].provisional) == (0, 0, False)


def test_a_forfeit_is_a_win_in_direct_win(jimei: Preset) -> None:
    table = competition("A B", round_of(1, "B-A 2:0 forfeit"), round_of(2, "A-B 1:1"), round_of(3, "A-B 2:0"))
    # points A 0+1+2, B 2+1+0; in their matches with each other 3:3, so not decided; 累进分 A 0,1,3 = 4, B 2,3,3 = 8
    assert places(standings(jimei, table)) == [(1, "B", None), (2, "A", "cumulative")]


def test_withdrawn_teams_stay_in_their_place(jimei: Preset) -> None:
    first = round_of(1, "A-B 2:0, C-D 2:0"), round_of(2, "A-C 2:0, B-D 2:0")
    assert standings(jimei, competition("A B C D", *first, withdrawn=("A",))) == standings(
        jimei, competition("A B C D", *first)
    )


def test_a_disqualified_team_stands_last_and_its_opponents_keep_their_points(jimei: Preset) -> None:  # 七.7
    rounds = round_of(1, "A-B 2:0, C-D 2:0"), round_of(2, "A-C 2:0, B-D 2:0")
    rows = standings(jimei, competition("A B C D", *rounds, disqualified=("A",)))
    assert [(row.rank, row.team, row.points) for row in rows] == [(1, "C", 2), (2, "B", 2), (3, "D", 0), (None, "A", 4)]
    assert rows[0].total.fraction == "2/1"


def test_without_lots_in_the_list_places_are_shared(jimei: Preset) -> None:
    own = changed(jimei, {"standings.tie_breaks": ["direct_win", "cumulative"]})
    rows = standings(own, competition("A B", round_of(1, "A-B 1:1")))
    assert places(rows) == [(1, "A", None), (1, "B", "shared")]
    assert lots_needed(rows) == []


def test_the_standings_rest_on_the_articles(jimei: Preset) -> None:
    assert {(each.article, each.mark) for each in basis(jimei)} == {
        ("十二（名次）.2", "read"),
        ("十二（名次）.2", "stated"),
        ("十二（名次）.2", "assumed"),
    }


@pytest.mark.parametrize("after_round", [-1, 2])
def test_a_round_that_there_is_not_is_refused(jimei: Preset, after_round: int) -> None:
    with pytest.raises(RuleError, match="not among"):
        standings(jimei, competition("A B", round_of(1, "A-B 1:1")), after_round)


def test_a_competition_that_contradicts_itself_is_refused(jimei: Preset) -> None:
    with pytest.raises(BadCompetition):
        standings(jimei, competition("A B", round_of(1, "A-C 1:1")))
