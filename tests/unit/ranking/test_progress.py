"""The tables of the open round: a hand that was posted is seen in the standings' answer and moves no place."""

from __future__ import annotations

from typing import Any

from shared.contracts import match
from shared.contracts.fact import Remedy
from tests.support.ranking_events import Hall, Story, hand


def playing() -> tuple[Story, str]:
    story = Story().announced().drawn("A B C D").paired(1, "A-B, C-D")
    return story, story.opened(1, 1, "A-B")


def first_table(hall: Hall, **query: Any) -> Any:
    return hall.get("standings", **query)["in_progress"][0]


def test_a_hand_is_seen_at_once_and_moves_no_place() -> None:
    story, name = playing()
    hall = Hall.of(story)
    before = hall.places()
    assert first_table(hall) == {
        "match": "r1t1",
        "round": 1,
        "table": 1,
        "teams": ["A", "B"],
        "hands": 0,
        "levels": ["2", "2"],
        "won_by": None,
        "state": "not_started",
        "points": None,
        "conflicts": [],
    }
    story.hand(name, 1, hand(65))  # 65: the dealer side, seat 1, gains one level
    hall.hear(story.log)
    table = first_table(hall)
    assert (table["hands"], table["levels"], table["state"]) == (1, ["3", "2"], "playing")
    assert hall.places() == before


def test_levels_are_summed_anew_from_all_facts() -> None:
    story, name = playing()
    hall = Hall.of(story)

    def levels() -> list[str]:
        hall.hear(story.log)
        levels: list[str] = first_table(hall)["levels"]
        return levels

    story.hand(name, 1, hand(65))
    story.hand(name, 2, hand(100, dealer=1))  # the attackers gain one
    assert levels() == ["3", "3"]
    story.tell(match.HandCorrected, match=name, hand=1, before=hand(65), after=hand(45), reason="misread")
    assert levels() == ["4", "3"]  # 45: two
    story.penalty(name, "p1", 2, "24", "signalling", 20)  # the attackers' 100 become 80: the dealer falls, nobody gains
    assert levels() == ["4", "2"]
    story.tell(match.PenaltyLifted, match=name, penalty="p1", reason="wrong pair")
    assert levels() == ["4", "3"]


def test_a_match_that_is_over_shows_its_points_until_its_round_is_closed() -> None:
    story, name = playing()
    story.hand(name, 1, hand(0))  # five levels
    story.tell(
        match.MatchClosed,
        match=name,
        opening=0,
        ended="time",
        hands=1,
        result=story.result(1, 1, "A-B 2:0"),
        article="十.2",
    )
    hall = Hall.of(story)
    assert (first_table(hall)["state"], first_table(hall)["points"]) == ("over", [2, 0])
    assert hall.get("standings")["after_round"] == 0
    hall.hear(story.closed(1, "A-B 2:0, C-D 1:1").log)
    assert hall.get("standings")["in_progress"] == []
    assert hall.get("standings")["after_round"] == 1


def test_passing_a_shows_who_won() -> None:
    story, name = playing()
    for number, points in enumerate([0, 0, 40, 65], 1):  # 2 → 7 → Q → A (three, stopped at A), then past it
        story.hand(name, number, hand(points))
    table = first_table(Hall.of(story))
    assert (table["levels"], table["won_by"]) == (["A", "2"], "A")


def test_a_reopened_round_shows_the_matches_it_is_open_for() -> None:
    story, name = playing()
    story.hand(name, 1, hand(0))
    result = story.result(1, 1, "A-B 2:0")
    over = {"match": name, "ended": "time", "hands": 1, "result": result, "article": "十.2"}
    story.tell(match.MatchClosed, opening=0, **over)
    story.closed(1, "A-B 2:0, C-D 1:1")
    story.reopened(1, 1)
    hall = Hall.of(story)
    [table] = hall.get("standings")["in_progress"]
    assert (table["match"], table["state"], table["points"]) == (name, "playing", None)  # its old closing is void
    story.tell(match.MatchReopened, match=name, opening=1, replay=False, rulings=())
    story.tell(match.MatchClosed, opening=1, **over)
    hall.hear(story.log)
    [table] = hall.get("standings")["in_progress"]
    assert (table["state"], table["points"]) == ("over", [2, 0])


def test_rulings_count_in_the_levels() -> None:
    story, name = playing()
    hall = Hall.of(story)

    def ruled(**remedy: Any) -> list[str]:
        story.ruling(1, 1, None, Remedy(**remedy))
        hall.hear(story.log)
        levels: list[str] = first_table(hall)["levels"]
        return levels

    story.hand(name, 1, hand(65))
    story.hand(name, 2, hand(100, dealer=1))
    story.penalty(name, "p1", 1, "24", "signalling", 20)  # 65 become 45
    hall.hear(story.log)
    assert first_table(hall)["levels"] == ["4", "3"]
    assert ruled(kind="lift_penalty", penalty="p1") == ["3", "3"]
    assert ruled(kind="impose_penalty", hand=1, pair="13", code="revoke") == ["2", "6"]  # 145 and 100: three and one
    assert ruled(kind="annul_hand", hand=1) == ["2", "3"]
    assert ruled(kind="correct_hand", hand=2, facts=hand(0, dealer=1)) == ["7", "2"]
    assert ruled(kind="award_match", team="B") == ["7", "2"]


def test_a_match_to_be_played_again_starts_at_nothing() -> None:
    story, name = playing()
    story.hand(name, 1, hand(0))
    over = {"match": name, "ended": "time", "hands": 1, "result": story.result(1, 1, "A-B 2:0"), "article": "十.2"}
    story.tell(match.MatchClosed, opening=0, **over)
    story.closed(1, "A-B 2:0, C-D 1:1")
    story.ruling(1, 1, None, Remedy(kind="replay_match"))
    hall = Hall.of(story)
    [table] = hall.get("standings")["in_progress"]
    assert (table["hands"], table["levels"], table["state"]) == (0, ["2", "2"], "not_started")
    story.tell(match.MatchReopened, match=name, opening=1, replay=True, rulings=())
    story.hand(name, 1, hand(65))
    hall.hear(story.log)
    [table] = hall.get("standings")["in_progress"]
    assert (table["hands"], table["levels"], table["state"]) == (1, ["3", "2"], "playing")


def test_a_match_that_was_played_again_may_be_reopened_like_any_other() -> None:
    story, name = playing()
    story.closed(1, "A-B 2:0, C-D 1:1")
    story.ruling(1, 1, None, Remedy(kind="replay_match"))
    story.tell(match.MatchReopened, match=name, opening=1, replay=True, rulings=())
    story.hand(name, 1, hand(65))
    story.closed(1, "A-B 2:0, C-D 1:1")
    story.reopened(1, 1)
    [table] = Hall.of(story).get("standings")["in_progress"]
    assert (table["hands"], table["levels"]) == (1, ["3", "2"])


def test_rulings_stand_when_their_match_is_reopened() -> None:
    story, name = playing()
    story.hand(name, 1, hand(65))
    story.closed(1, "A-B 2:0, C-D 1:1")
    remedy = Remedy(kind="correct_hand", hand=1, facts=hand(0))
    story.ruling(1, 1, "A-B 2:0", remedy)
    story.reopened(1, 1)
    story.tell(match.MatchReopened, match=name, opening=1, replay=False, rulings=(remedy,))
    [table] = Hall.of(story).get("standings")["in_progress"]
    assert table["levels"] == ["7", "2"]


def test_levels_start_where_the_organiser_lets_them() -> None:
    story = Story().announced(**{"match.start_level": "5"}).drawn("A B C D").paired(1, "A-B, C-D")
    name = story.opened(1, 2, "C-D", **{"match.start_level": "5"})
    story.hand(name, 1, hand(65))
    tables = Hall.of(story).get("standings")["in_progress"]
    assert [table["levels"] for table in tables] == [["5", "5"], ["6", "5"]]


def test_an_earlier_round_asked_for_shows_no_tables() -> None:
    story, _ = playing()
    assert Hall.of(story).get("standings", round=0)["in_progress"] == []


def test_the_answer_says_what_it_rests_on() -> None:
    story, name = playing()
    hall = Hall.of(story)
    assert hall.get("standings")["rests_on"] == {"registration": 1, "match": 3, "appeals": 0}
    story.hand(name, 1, hand(65))
    story.filed(1)
    hall.hear(story.log)
    assert hall.get("standings")["rests_on"] == {"registration": 1, "match": 4, "appeals": 1}
