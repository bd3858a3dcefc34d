"""Each tie-break that a preset may name (RULINGS, Standings).

And what a bye, a forfeit and a withdrawn opponent count in it.
"""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from shared.rules.errors import BadRegulation
from shared.rules.formats.competition import Competition, PlayedMatch, Round
from shared.rules.formats.standings import name_of, standings
from shared.rules.regulations import Preset, changed
from tests.unit.rules.tables import competition, round_of

# Points: A 2+2+1 = 5, B 0+2+0 = 2, C 2+0+2 = 4, D 0+0+1 = 1
FOUR = competition(
    "A B C D",
    round_of(1, "A-B 2:0, C-D 2:0"),
    round_of(2, "A-C 2:0, D-B 0:2"),
    round_of(3, "A-D 1:1, B-C 0:2"),
)
# A bye for everybody but D, whose opponent did not come in round 2. Points: A 2+2+2 = 6, B 0+2+2 = 4, C 2+0+0 = 2, D 0
BYES = competition(
    "A B C D",
    round_of(1, "A-B 2:0", bye="C", absent="D"),
    round_of(2, "A-D 2:0 forfeit", bye="B", absent="C"),
    round_of(3, "B-C 2:0", bye="A", absent="D"),
)


def compared(jimei: Preset, named: Any, table: Competition) -> dict[str, int | str]:
    """What a tie-break gives each team."""
    own = changed(jimei, {"standings.tie_breaks": [named]})
    return {row.team: next(iter(row.tie_breaks.values()), row.cumulative) for row in standings(own, table)}


def order(jimei: Preset, named: list[Any], table: Competition) -> list[tuple[int | None, str, str | None]]:
    """Places by these tie-breaks after the points, without 总得分."""
    own = changed(jimei, {"standings.tie_breaks": named, "standings.total_score.role": "unused"})
    return [(row.rank, row.team, row.decided_by) for row in standings(own, table)]


def test_the_cumulative_score_without_the_first_round(jimei: Preset) -> None:  # 去首累进分
    # running totals: A 2 4 5, B 0 2 2, C 2 2 4, D 0 0 1
    assert compared(jimei, {"code": "cumulative", "cut_rounds": 1}, FOUR) == {
        "A": 4 + 5,
        "B": 2 + 2,
        "C": 2 + 4,
        "D": 1,
    }


def test_w_w_w_w_l_without_the_first_is_26(jimei: Preset) -> None:  # RULINGS: 2+4+6+8+8 = 28
    five = competition("A B", *(round_of(n, "A-B 2:0") for n in range(1, 5)), round_of(5, "A-B 0:2"))
    assert compared(jimei, {"code": "cumulative", "cut_rounds": 1}, five)["A"] == 28 - 2


@pytest.mark.parametrize(
    ("terms", "a", "b"),
    [
        ({}, 2 + 4 + 6, 0 + 2 + 4),
        ({"bye": "nothing"}, 2 + 4 + 4, 0 + 0 + 2),
        ({"forfeit": "nothing"}, 2 + 2 + 4, 0 + 2 + 4),
    ],
)
def test_what_a_bye_and_a_forfeit_count_in_the_cumulative_score(jimei: Preset, terms: Any, a: int, b: int) -> None:
    own = changed(jimei, {"standings.tie_breaks": [{"code": "cumulative", **terms}]})
    running = {row.team: row.cumulative for row in standings(own, BYES)}
    assert (running["A"], running["B"]) == (a, b)


def test_buchholz_is_the_sum_of_the_opponents_points(jimei: Preset) -> None:  # 对手分
    # each met the three others: 12 points in all less one's own
    assert compared(jimei, "buchholz", FOUR) == {"A": 2 + 4 + 1, "B": 5 + 1 + 4, "C": 1 + 5 + 2, "D": 4 + 2 + 5}


@pytest.mark.parametrize(
    ("cuts", "name", "a", "b"),
    [
        ({"cut_lowest": 1}, "buchholz_cut_1", 2 + 4, 5 + 4),
        ({"cut_lowest": 2}, "buchholz_cut_2", 4, 5),
        ({"cut_lowest": 1, "cut_highest": 1}, "buchholz_median_1", 2, 4),
        ({"cut_highest": 1}, "buchholz_cut_highest_1", 2 + 1, 1 + 4),
        ({"cut_lowest": 2, "cut_highest": 2}, "buchholz_median_2", 0, 0),
        ({"cut_lowest": 9}, "buchholz_cut_9", 0, 0),
    ],
)
def test_buchholz_with_cuts(jimei: Preset, cuts: Any, name: str, a: int, b: int) -> None:
    own = changed(jimei, {"standings.tie_breaks": [{"code": "buchholz", **cuts}]})
    found = {row.team: row.tie_breaks[name] for row in standings(own, FOUR)}
    assert (found["A"], found["B"]) == (a, b)


@pytest.mark.parametrize(("rule", "counts"), [("0", 0), ("own", 6), ("lowest_with_points", 2)])
def test_what_the_opponent_missing_in_a_bye_counts(jimei: Preset, rule: str, counts: int) -> None:
    # A met B (4), had D's forfeit (0 as played) and a bye; the lowest with points is C's 2
    assert compared(jimei, {"code": "buchholz", "bye": rule}, BYES)["A"] == 4 + 0 + counts


@pytest.mark.parametrize(("rule", "a", "d"), [("as_played", 0, 6), ("as_bye", 2, 2), ("nothing", 0, 0)])
def test_what_a_forfeited_match_counts(jimei: Preset, rule: str, a: int, d: int) -> None:
    # D, who has no points, forfeited to A, who has 6; a bye counts C's 2
    found = compared(jimei, {"code": "buchholz", "forfeit": rule}, BYES)
    assert (found["A"], found["D"]) == (4 + a + 2, d)


@pytest.mark.parametrize(("rule", "counts"), [("0", 0), ("own", 2), ("lowest_with_points", 2)])
def test_what_an_absence_counts(jimei: Preset, rule: str, counts: int) -> None:
    # C had a bye (lowest with points 2), was absent, and met B (4)
    assert compared(jimei, {"code": "buchholz", "absent": rule}, BYES)["C"] == 2 + counts + 4


@pytest.mark.parametrize(("rule", "counts"), [("as_they_stand", 4), ("draws", 4 + 1 + 1), ("nothing", 0)])
def test_what_an_opponent_that_withdrew_counts(jimei: Preset, rule: str, counts: int) -> None:
    # B won from A and C and went; A then met C (2+2 in the end) and D (0)
    table = competition(
        "A B C D",
        round_of(1, "B-A 2:0, C-D 2:0"),
        round_of(2, "B-C 2:0, A-D 2:0"),
        round_of(3, "A-C 0:2", bye="D", absent="B"),
        round_of(4, "A-D 2:0", bye="C", absent="B"),
        withdrawn=("B",),
    )
    terms = {"code": "buchholz", "withdrawn": rule}
    assert compared(jimei, terms, table)["A"] == counts + 2 + (2 + 2 + 2) + 2  # B, D, C, D


def test_the_rounds_that_a_team_missed_may_be_cut_first(jimei: Preset) -> None:
    # C: a bye counting 2, an absence counting its own 2, and B's 4; nothing parts bye and absence but who missed it
    low = {"code": "buchholz", "bye": "0", "absent": "own", "cut_lowest": 1}
    assert compared(jimei, low, BYES)["C"] == 2 + 4
    assert compared(jimei, {**low, "cut_first": "missed"}, BYES)["C"] == 0 + 4


def test_sonneborn_berger_takes_the_points_won_from_each_opponent(jimei: Preset) -> None:  # 小分
    # A beat B (2) and C (4), drew with D (1); B beat D; C beat D and B; D drew with A (5)
    assert compared(jimei, "sonneborn_berger", FOUR) == {
        "A": 2 * 2 + 2 * 4 + 1 * 1,
        "B": 2 * 1,
        "C": 2 * 1 + 2 * 2,
        "D": 1 * 5,
    }


def test_of_opponents_with_equal_points_the_one_from_whom_less_was_won_is_cut(jimei: Preset) -> None:
    # A beat B and lost to C, who end with 2 each: cutting the lowest leaves B
    table = competition("A B C D", round_of(1, "A-B 2:0, C-D 0:2"), round_of(2, "A-C 0:2, B-D 2:0"))
    assert compared(jimei, {"code": "sonneborn_berger", "cut_lowest": 1}, table)["A"] == 2 * 2


def test_wins(jimei: Preset) -> None:  # 胜场
    assert compared(jimei, "wins", FOUR) == {"A": 2, "B": 1, "C": 2, "D": 0}


@pytest.mark.parametrize(("terms", "a"), [({}, 2), ({"bye": "counts"}, 3), ({"forfeit": "nothing"}, 1)])
def test_whether_a_bye_or_a_forfeit_is_a_win(jimei: Preset, terms: Any, a: int) -> None:
    assert compared(jimei, {"code": "wins", **terms}, BYES)["A"] == a


def test_a_match_with_a_team_that_withdrew_may_count_for_nothing(jimei: Preset) -> None:
    gone = replace(FOUR, withdrawn=("B",))
    assert compared(jimei, {"code": "wins", "withdrawn": "nothing"}, gone) == {"A": 1, "B": 1, "C": 1, "D": 0}


def played(number: int, teams: tuple[str, str], points: tuple[int, int], **more: Any) -> Round:
    return Round(
        number=number, matches=(PlayedMatch(table=1, teams=teams, points=points, **{"status": "played", **more}),)
    )


LEVELS = Competition(
    teams=FOUR.teams[:2],
    rounds=(
        played(1, ("A", "B"), (2, 0), levels=("A", "T")),
        played(2, ("B", "A"), (2, 0), levels=("5", "3"), status="forfeit"),
        played(3, ("A", "B"), (0, 2)),
        played(4, ("B", "A"), (1, 1), fouls=(3, 1)),
    ),
)


def test_the_level_difference(jimei: Preset) -> None:  # 级差: A over T is four levels (J Q K A), 5 over 3 two
    assert compared(jimei, "level_difference", LEVELS) == {"A": 4 - 2, "B": -4 + 2}
    assert compared(jimei, {"code": "level_difference", "forfeit": "nothing"}, LEVELS) == {"A": 4, "B": -4}


def test_the_levels_gained(jimei: Preset) -> None:  # from level 2: A is twelve, T eight, 5 three, 3 one
    assert compared(jimei, "levels_gained", LEVELS) == {"A": 12 + 1, "B": 8 + 3}


def test_fewer_fouls_are_first(jimei: Preset) -> None:
    assert compared(jimei, "fouls", LEVELS) == {"A": 1, "B": 3}
    even = replace(LEVELS, rounds=(replace(LEVELS.rounds[3], number=1),))
    assert order(jimei, ["fouls"], even) == [(1, "A", None), (2, "B", "fouls")]


def test_more_matches_as_the_second_mover_are_first(jimei: Preset) -> None:  # 后手局
    # A is second in rounds 2 and 4, of which 2 was forfeited
    assert compared(jimei, "second_mover", LEVELS) == {"A": 1, "B": 2}
    assert compared(jimei, {"code": "second_mover", "forfeit": "counts"}, LEVELS) == {"A": 2, "B": 2}


def test_a_forfeited_match_may_be_no_direct_win(jimei: Preset) -> None:
    table = competition("A B", round_of(1, "A-B 2:0"), round_of(2, "A-B 0:2 forfeit"), round_of(3, "A-B 1:1"))
    assert order(jimei, [{"code": "direct_win", "forfeit": "nothing"}], table) == [
        (1, "A", None),
        (2, "B", "direct_win"),
    ]
    assert order(jimei, ["direct_win"], table) == [(1, "A", None), (1, "B", "shared")]


# Points: D and F 3, A (won, lost), B and E (two draws each) 2, C 0. Opponents: A 0+3, B 3+2, E 3+2
WON_OR_DRAWN = competition(
    "A B C D E F", round_of(1, "A-C 2:0, B-D 1:1, E-F 1:1"), round_of(2, "A-F 0:2, B-E 1:1, C-D 0:2")
)


@pytest.mark.parametrize(
    ("listed", "first", "by"),
    [
        (["wins", "buchholz"], "A", "wins"),
        (["buchholz", "wins"], "B", "buchholz"),
        (["cumulative", "wins"], "A", "cumulative"),
    ],
)
def test_tie_breaks_are_compared_in_the_order_of_the_list(jimei: Preset, listed: Any, first: str, by: str) -> None:
    # 累进分: A 2+2, B and E 1+2
    places = [place for place in order(jimei, listed, WON_OR_DRAWN) if place[1] in "ABE"]
    assert places[0][1] == first
    assert by in [decided for _, _, decided in places]


def test_the_total_score_may_stand_anywhere_in_the_list(jimei: Preset) -> None:
    # with the points equal the total score goes by the opponents, which would put B and E before A
    for listed, order_of in ((["wins", "total"], "ABE"), (["total", "wins"], "BEA"), (["wins"], "BEA")):
        own = changed(jimei, {"standings.total_score.role": "tie_break", "standings.tie_breaks": listed})
        assert "".join(row.team for row in standings(own, WON_OR_DRAWN) if row.team in "ABE") == order_of


def test_the_name_may_be_the_organisers_own(jimei: Preset) -> None:
    own = changed(jimei, {"standings.tie_breaks": ["buchholz", {"code": "buchholz", "bye": "0", "name": "strict"}]})
    assert standings(own, FOUR)[0].tie_breaks.keys() == {"buchholz", "strict"}


@pytest.mark.parametrize(
    ("named", "problem"),
    [
        (["wins", "wins"], "twice"),
        ([{"code": "buchholz", "bye": "0"}, "buchholz"], "twice"),
        ([{"code": "wins", "name": "rank"}], "name"),
        ([{"code": "wins", "name": "Siege 1"}], "standings.tie_breaks"),
        ([{"code": "buchholz", "cut": 1}], "cut"),
        ([{"code": "buchholz", "cut_lowest": -1}], ">= 0"),
        ([{"code": "elo"}], "elo"),
        (["elo"], "elo"),
        ([{}], "code"),
    ],
)
def test_what_a_preset_cannot_say_is_refused(jimei: Preset, named: Any, problem: str) -> None:
    with pytest.raises(BadRegulation) as refused:
        changed(jimei, {"standings.tie_breaks": named})
    assert problem in refused.value.said.en


def test_each_has_a_name_in_both_languages(jimei: Preset) -> None:
    own = changed(
        jimei,
        {"standings.tie_breaks": [{"code": "cumulative", "cut_rounds": 1}, {"code": "buchholz", "cut_lowest": 2}]},
    )
    assert (name_of(own, "cumulative_cut_1").zh, name_of(own, "buchholz_cut_2").zh) == ("去首累进分", "对手分（去2低）")
    assert name_of(own, "lot_needed").en == "lot needed"


def test_an_open_match_counts_in_nobodys_tie_break(jimei: Preset) -> None:
    table = competition("A B C D", round_of(1, "A-B unfinished, C-D 2:0"), round_of(2, "A-C 2:0, B-D 2:0"))
    assert compared(jimei, "buchholz", table) == {"A": 2, "B": 0, "C": 0 + 2, "D": 2 + 2}
