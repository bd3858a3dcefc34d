"""Standings from events: what counts, what does not, and what a later event changes. The rules themselves are tested
in tests/unit/rules; every expected value here is derived by hand from RULINGS, total = P + S/(M/2) - R."""

from __future__ import annotations

import msgspec
import pytest

from shared.contracts.fact import Remedy
from shared.contracts.match import PenaltyLifted, TeamWithdrawn
from tests.support.ranking_events import Hall, Story, match_id

# A 9 points, its opponents C 7, D 4, L 6, P 5, M 8, H 0 together 30; B 8, its opponents F 8, M 8, N 8, D 4, K 4, L 6
# together 38; C 7, its opponents A 9, I 7, K 4, O 7, L 6, F 8 together 41.
WORKED = (
    "D-N 0:2, G-L 0:2, F-B 1:1, H-P 0:2, J-E 1:1, M-I 1:1, C-A 0:2, O-K 1:1",
    "H-N 0:2, L-O 1:1, A-D 1:1, B-M 2:0, I-C 1:1, P-F 0:2, G-J 2:0, E-K 0:2",
    "O-H 2:0, C-K 1:1, G-I 1:1, A-L 2:0, E-P 1:1, B-N 1:1, J-F 0:2, M-D 2:0",
    "P-A 0:2, D-B 1:1, E-F 1:1, H-I 0:2, K-M 0:2, N-G 0:2, J-L 0:2, C-O 1:1",
    "E-G 1:1, F-O 2:0, I-N 0:2, H-J 0:2, C-L 2:0, B-K 2:0, A-M 0:2, P-D 2:0",
    "B-L 1:1, E-M 1:1, K-I 0:2, J-N 1:1, F-C 0:2, A-H 2:0, G-D 0:2, P-O 0:2",
)


def four() -> Story:
    return Story().announced().drawn("A B C D")


def three_rounds() -> Story:
    """Everyone meets everyone. Points A 6, B 4, C 2, D 0; S is always the 12 points of all less one's own."""
    return (
        four()
        .round(1, "A-B 2:0, C-D 2:0", planned=3)
        .round(2, "A-C 2:0, B-D 2:0", planned=3)
        .round(3, "A-D 2:0, B-C 2:0", planned=3)
    )


def test_the_worked_example_of_the_rulings() -> None:
    story = Story().announced().drawn("A B C D E F G H I J K L M N O P")
    for number, sheet in enumerate(WORKED, 1):
        story.round(number, sheet, planned=6)
    rows = {row["team"]: row for row in Hall.of(story).get("standings")["rows"]}
    assert {team: (rows[team]["points"], rows[team]["total"]) for team in "ABC"} == {
        "A": (9, {"fraction": "8/1", "shown": "8.000", "working": "9 + 30÷(12/2) − 6 = 8.000"}),
        "B": (8, {"fraction": "25/3", "shown": "8.333", "working": "8 + 38÷(12/2) − 6 = 25/3 = 8.333"}),
        "C": (7, {"fraction": "47/6", "shown": "7.833", "working": "7 + 41÷(12/2) − 6 = 47/6 = 7.833"}),
    }
    assert [row for row in rows if row in "ABC"] == ["B", "A", "C"]


def test_a_row_says_who_where_and_what_decided() -> None:
    answer = Hall.of(three_rounds()).get("standings")
    assert answer["rows"][1] == {
        "part": "",
        "rank": 2,
        "team": "B",
        "name": "Team B",
        "unit": "Unit B",
        "points": 4,
        "total": {"fraction": "11/3", "shown": "3.667", "working": "4 + 8÷(6/2) − 3 = 11/3 = 3.667"},
        "direct_win": 0,
        "cumulative": 0 + 2 + 4,
        "tie_breaks": {},
        "decided_by": "total",
        "decided_by_name": "total score",
        "withdrawn": False,
        "disqualified": False,
        "cancelled": False,
    }
    assert (answer["name"], answer["regulation"]) == ("集美升级赛", "jimei-2018/1")
    assert (answer["after_round"], answer["rounds_planned"]) == (3, 3)
    assert {"article": "十二（名次）.2", "mark": "read", "changed": False} in answer["basis"]


def test_the_deciding_tie_break_is_named_in_chinese_by_default() -> None:
    hall = Hall.of(three_rounds())
    assert [row["decided_by_name"] for row in hall.get("standings", language="zh")["rows"]] == [None, *["总得分"] * 3]


def test_direct_win_and_cumulative_score_part_equal_totals() -> None:
    story = (
        four()
        .round(1, "B-A 2:0, C-D 2:0", planned=3)
        .round(2, "A-C 2:0, D-B 2:0", planned=3)
        .round(3, "D-A 2:0, C-B 2:0", planned=3)
    )
    # points C 4, D 4, A 2, B 2; C beat D, B beat A
    assert [(team, by) for _, team, _, by in Hall.of(story).places()] == [
        ("C", None),
        ("D", "direct_win"),
        ("B", "total"),
        ("A", "direct_win"),
    ]


def test_before_the_draw_there_is_nobody() -> None:
    answer = Hall.of(Story().announced()).get("standings")
    assert (answer["rows"], answer["after_round"], answer["rounds_planned"]) == ([], 0, 0)


def test_before_the_first_closing_everybody_shares_the_first_place() -> None:
    hall = Hall.of(four().paired(1, "A-B, C-D"))
    assert [(rank, team, total) for rank, team, total, _ in hall.places()] == [(1, t, "0/1") for t in "ABCD"]


def test_a_round_counts_when_it_is_closed_and_not_before() -> None:
    story = four().round(1, "A-B 2:0, C-D 1:1")
    hall = Hall.of(story)
    before = hall.places()
    hall.hear(story.paired(2, "A-C, B-D").log)
    assert hall.places() == before
    hall.hear(story.closed(2, "A-C 2:0, B-D 2:0").log)
    # points A 4, B 2, C 1, D 1; S: A 3, B 5, C 5, D 3; totals P + S/2 - 2
    assert hall.places() == [
        (1, "A", "7/2", None),
        (2, "B", "5/2", "total"),
        (3, "C", "3/2", "total"),
        (4, "D", "1/2", "total"),
    ]


def test_standings_after_an_earlier_round() -> None:
    hall = Hall.of(three_rounds())
    # A and C won, and met A: B, C: D; totals 2 + 0/1 - 1 = 1 for the winners, 0 + 2/1 - 1 = 1 for the losers
    assert hall.get("standings", round=1)["after_round"] == 1
    assert {(team, total) for _, team, total, _ in hall.places(round=1)} == {(t, "1/1") for t in "ABCD"}
    assert hall.get("standings", round=0)["after_round"] == 0
    assert hall.places(round=3) == hall.places()


def test_a_round_that_is_not_closed_has_no_standings() -> None:
    hall = Hall.of(four().round(1, "A-B 2:0, C-D 1:1").paired(2, "A-C, B-D"))
    problem = hall.get("standings", round=2, status=404)
    assert problem["type"].endswith("/round-not-closed")
    assert problem["detail"] == "Round 2 has no standings; 1 rounds are closed."
    assert hall.get("standings", round=2, status=404, language="zh")["title"] == "该轮尚未结束"
    assert hall.get("crosstable", round=2, status=404)["type"].endswith("/round-not-closed")


def test_bye_absence_and_forfeits() -> None:
    story = (
        Story()
        .announced()
        .drawn("A B C D E F")
        .round(1, "A-B 2:0 forfeit, C-D 0:0 forfeit", bye="E", absent="F", planned=2)
        .round(2, "A-E 2:0, B-C 1:1", bye="F", absent="D", planned=2)
    )
    # points A 4, E 2 (bye), F 2 (bye), B 1, C 1, D 0; a bye counts the lowest that has points, 1;
    # S: A 1+2, E 1+4, F 1, B 4+1, C 0+1, D 1; totals P + S/2 - 2
    assert {team: total for _, team, total, _ in Hall.of(story).places()} == {
        "A": "7/2",
        "E": "5/2",
        "F": "1/2",
        "B": "3/2",
        "C": "-1/2",
        "D": "-3/2",
    }


def test_a_team_that_withdrew_stays_in_its_place_and_is_marked() -> None:
    story = four().round(1, "A-B 2:0, C-D 2:0")
    story.tell(TeamWithdrawn, team="B", from_round=2, reason="ill")
    story.round(2, "A-C 2:0", bye="D")
    rows = {row["team"]: row for row in Hall.of(story).get("standings")["rows"]}
    assert [team for team, row in rows.items() if row["withdrawn"]] == ["B"]
    assert rows["B"]["total"]["fraction"] == "0/1"  # 0 + 4/2 - 2: A's points as they stand
    assert rows["D"]["total"]["fraction"] == "2/1"  # 2 + (2 + 2)/2 - 2: C's points, and the lowest for the bye


def test_a_cancelled_match_is_no_meeting() -> None:
    story = four().round(1, "A-B 2:0, C-D 0:0 cancelled")
    assert {team: total for _, team, total, _ in Hall.of(story).places()} == {
        "A": "1/1",
        "B": "1/1",
        "C": "-1/1",
        "D": "-1/1",
    }


def test_a_ruling_replaces_the_result_from_its_event_on() -> None:
    story = three_rounds()
    hall = Hall.of(story)
    assert [team for _, team, _, _ in hall.places()] == ["A", "B", "C", "D"]
    story.ruling(3, 1, "A-D 0:2 forfeit", Remedy(kind="award_match", team="D"))
    hall.hear(story.log)
    # A 4, B 4, C 2, D 2; A beat B, C beat D
    assert hall.places() == [
        (1, "A", "11/3", None),
        (2, "B", "11/3", "direct_win"),
        (3, "C", "7/3", "total"),
        (4, "D", "7/3", "direct_win"),
    ]
    [outcome] = [o for row in hall.get("crosstable")["rows"] if row["team"] == "D" for o in row["outcomes"][2:]]
    assert (outcome["kind"], outcome["points"]) == ("forfeit", 2)


def test_a_ruling_on_an_open_match_counts_with_the_closing() -> None:
    story = four().paired(1, "A-B, C-D")
    story.ruling(1, 1, "A-B 0:2 forfeit")
    hall = Hall.of(story)
    assert hall.get("standings")["after_round"] == 0
    hall.hear(story.closed(1, "A-B 0:2 forfeit, C-D 1:1").log)
    assert hall.get("standings")["rows"][0]["team"] == "B"


def test_a_ruling_closes_no_round() -> None:
    story = Story().announced().drawn("A B").paired(1, "A-B")
    story.ruling(1, 1, "A-B 0:2 forfeit")
    assert Hall.of(story).get("standings")["after_round"] == 0


def test_a_round_without_a_match_counts_when_it_is_closed() -> None:
    story = Story().announced().drawn("A B").paired(1, "", bye="A", absent="B")
    hall = Hall.of(story)
    assert hall.get("standings")["after_round"] == 0
    hall.hear(story.closed(1, "", bye="A", absent="B").log)
    assert {row["team"]: row["points"] for row in hall.get("standings")["rows"]} == {"A": 2, "B": 0}


def test_an_absent_team_that_was_paired_forfeits() -> None:
    story = Story().announced().drawn("A B").paired(1, "A-B").closed(1, "A-B 2:0 forfeit", absent="B")
    [_, row] = Hall.of(story).get("crosstable")["rows"]
    assert [outcome["kind"] for outcome in row["outcomes"]] == ["forfeit"]


def test_a_round_paired_anew_takes_the_place_of_the_one_before() -> None:
    story = three_rounds().paired(2, "A-D, B-C", planned=3)
    hall = Hall.of(story)
    assert hall.get("standings")["after_round"] == 1
    [item] = hall.client.get("/competitions").get_json()["items"]
    assert (item["rounds_closed"], item["status"]) == (1, "in_play")
    hall.hear(story.closed(2, "A-D 2:0, B-C 2:0").log)
    assert {row["team"]: row["points"] for row in hall.get("standings")["rows"]} == {"A": 4, "B": 2, "C": 2, "D": 0}


def test_a_reopened_last_round_does_not_count_until_it_is_closed_again() -> None:
    story = four().round(1, "A-B 2:0, C-D 1:1").round(2, "A-C 2:0, B-D 2:0")
    hall = Hall.of(story)
    after_one = hall.places(round=1)
    story.reopened(2, 1)
    hall.hear(story.log)
    assert hall.get("standings")["after_round"] == 1
    assert hall.places() == after_one
    hall.hear(story.closed(2, "A-C 0:2, B-D 2:0").log)
    # points C 3, A 2, B 2, D 1; S: C 1+2, A 2+3, B 2+1, D 3+2
    assert {team: total for _, team, total, _ in hall.places()} == {"A": "5/2", "B": "3/2", "C": "5/2", "D": "3/2"}


def test_an_earlier_round_reopened_for_a_match_counts_without_it() -> None:
    story = four().round(1, "A-B 2:0, C-D 1:1").round(2, "A-C 2:0, B-D 2:0")
    story.reopened(1, 1)
    answer = Hall.of(story).get("standings")
    assert answer["after_round"] == 2
    assert {row["team"]: row["points"] for row in answer["rows"]} == {"A": 2, "B": 2, "C": 1, "D": 1}


def test_a_match_to_be_played_again_has_no_result() -> None:
    story = four().round(1, "A-B 2:0, C-D 1:1").round(2, "A-C 2:0, B-D 2:0")
    story.ruling(2, 2, None, Remedy(kind="replay_match"))
    hall = Hall.of(story)
    assert hall.get("standings")["after_round"] == 1
    hall.hear(story.closed(2, "A-C 2:0, B-D 0:2").log)
    assert {row["team"]: row["points"] for row in hall.get("standings")["rows"]} == {"A": 4, "B": 0, "C": 1, "D": 3}


def test_rounds_that_a_ruling_has_played_again_fall_and_are_paired_anew() -> None:
    story = three_rounds()
    story.ruling(1, 1, "A-B 0:2 forfeit", replay_from=2)
    hall = Hall.of(story)
    answer = hall.get("standings")
    assert answer["after_round"] == 1
    assert {row["team"]: row["points"] for row in answer["rows"]} == {"A": 0, "B": 2, "C": 2, "D": 0}
    assert hall.get("standings", round=2, status=404)["type"].endswith("/round-not-closed")
    hall.hear(story.paired(2, "B-C, A-D").log)
    assert [one["match"] for one in hall.get("standings")["in_progress"]] == ["r2x2t1", "r2x2t2"]
    hall.hear(story.closed(2, "B-C 2:0, A-D 1:1").log)
    assert {row["team"]: row["points"] for row in hall.get("standings")["rows"]} == {"A": 1, "B": 4, "C": 2, "D": 1}


def test_a_disqualified_team_has_no_rank_and_results_against_it_stand() -> None:
    story = three_rounds()
    story.ruling(3, 1, "A-D 2:0", Remedy(kind="disqualify_team", team="A"))
    rows = Hall.of(story).get("standings")["rows"]
    assert [(row["rank"], row["team"]) for row in rows] == [(1, "B"), (2, "C"), (3, "D"), (None, "A")]
    assert [row["disqualified"] for row in rows] == [False, False, False, True]
    assert rows[0]["total"]["fraction"] == "11/3"


@pytest.mark.parametrize("order", ["A B", "B A"])
def test_a_lot_parts_what_nothing_else_parts(order: str) -> None:
    # one round, a draw at each table: all totals 1 + 1/1 - 1 = 1, nobody beat anybody
    story = Story().announced().drawn("A B").round(1, "A-B 1:1", planned=1)
    hall = Hall.of(story)
    assert hall.places() == [(1, "A", "1/1", None), (1, "B", "1/1", "lot_needed")]
    story.lot(order)
    hall.hear(story.log)
    first, second = order.split()
    assert hall.places() == [(1, first, "1/1", None), (2, second, "1/1", "lot")]


def test_lots_of_two_draws_do_not_compare() -> None:
    # everyone drew with everyone: a lot between A and B and one between C and D part no group of four
    story = four().round(1, "A-B 1:1, C-D 1:1", planned=1)
    story.lot("B A")
    story.lot("C D")
    hall = Hall.of(story)
    assert [rank for rank, *_ in hall.places()] == [1, 1, 1, 1]
    story.lot("D C B A")
    hall.hear(story.log)
    assert [team for _, team, _, _ in hall.places()] == ["D", "C", "B", "A"]
    story.lot("A B C D")
    hall.hear(story.log)
    assert [team for _, team, _, _ in hall.places()] == ["D", "C", "B", "A"]  # never drawn again


def test_the_organisers_changes_count() -> None:
    story = Story().announced(**{"standings.total_score.role": "tie_break"}).drawn("A B C D")
    story.round(1, "A-B 2:0, C-D 2:0")
    answer = Hall.of(story).get("standings")
    assert [row["decided_by"] for row in answer["rows"]] == [None, "lot_needed", "points", "lot_needed"]
    assert any(basis["changed"] for basis in answer["basis"])


def test_the_crosstable_shows_every_round_and_the_running_points() -> None:
    story = Story().announced().drawn("A B C").round(1, "A-B 2:0", bye="C").round(2, "A-C 1:1", absent="B")
    answer = Hall.of(story).get("crosstable")
    rows = {row["team"]: row for row in answer["rows"]}
    assert [row["team"] for row in answer["rows"]] == [row[1] for row in Hall.of(story).places()]
    assert {team: row["running"] for team, row in rows.items()} == {"A": [2, 3], "B": [0, 0], "C": [2, 3]}
    played = {"kind": "played", "table": 1, "fouls": 0, "second": False}  # A is named first, so it moves first
    assert rows["A"]["outcomes"] == [
        {"round": 1, "points": 2, "opponent": "B", "opponent_points": 0, "levels": ["5", "3"], **played},
        {"round": 2, "points": 1, "opponent": "C", "opponent_points": 1, "levels": ["3", "5"], **played},
    ]
    assert [outcome["kind"] for outcome in rows["B"]["outcomes"]] == ["played", "absent"]
    assert rows["C"]["outcomes"][0]["kind"] == "bye"
    assert [row["running"] for row in Hall.of(story).get("crosstable", round=1)["rows"]] == [[2], [2], [0]]


def test_an_event_about_a_round_that_was_never_paired_is_held() -> None:
    story = four().closed(1, "A-B 2:0, C-D 1:1")
    hall = Hall(story.clock)
    with pytest.raises(AssertionError, match="round 1 of 0"):
        hall.hear(story.log)
    assert hall.get("standings")["rows"][0]["team"] == "A"  # what came before is still shown


def test_competitions_never_mix() -> None:
    one, two = Story("c1"), Story("c2")
    one.announced().drawn("A B").round(1, "A-B 2:0")
    hall = Hall.of(one)
    before = hall.get("standings")
    two.announced().drawn("A B").round(1, "A-B 0:2")
    # the second competition's events come after the first's in the same topics
    counts = {service: sum(e.service == service for e in one.log) for service in ("registration", "match")}
    hall.hear([msgspec.structs.replace(e, position=e.position + counts[e.service]) for e in two.log])
    assert hall.get("standings") == before
    assert [row["team"] for row in hall.get("standings", "c2")["rows"]] == ["B", "A"]


def test_nobody_knows_a_competition_that_was_not_announced() -> None:
    story = Story().drawn("A B")
    hall = Hall.of(story)
    for what in ("standings", "crosstable", "places"):
        assert hall.get(what, status=404)["type"].endswith("/no-such-competition")
    assert hall.client.get("/competitions").get_json()["items"] == []


def test_penalties_are_fouls_until_they_are_lifted() -> None:
    story = Story().announced(**{"standings.tie_breaks": ["fouls", "lot"]}).drawn("A B")
    story.paired(1, "A-B", planned=1)
    story.penalty(match_id(1, 1, 1), "p1", 1, "13", "signalling", 20)
    assert Hall.of(story).get("standings")["rows"][0]["tie_breaks"] == {"fouls": 0}, "nothing counts before the close"
    story.closed(1, "A-B 1:1", last=True)
    rows = Hall.of(story).get("standings")["rows"]
    assert [(row["team"], row["tie_breaks"]["fouls"], row["decided_by"]) for row in rows] == [
        ("B", 0, None),
        ("A", 1, "fouls"),
    ]
    story.tell(PenaltyLifted, match=match_id(1, 1, 1), penalty="p1", reason="r")
    assert [row["rank"] for row in Hall.of(story).get("standings")["rows"]] == [1, 1]
