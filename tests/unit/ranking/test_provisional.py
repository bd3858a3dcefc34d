"""While a window is open or an appeal undecided, standings say that they are provisional, and why."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from shared.contracts import appeals, match
from shared.contracts.fact import Remedy
from shared.contracts.registration import CompetitionCancelled
from tests.support.ranking_events import MINUTE, Hall, Story

DAY = timedelta(hours=24)
MICROSECOND = timedelta(microseconds=1)


def finished() -> Story:
    """One round of one, closed; the totals need no lot."""
    return Story().announced().drawn("A B").round(1, "A-B 2:0", planned=1)


def closed_at(story: Story) -> datetime:
    return story.log[-1].recorded_at


def reason(answer: Any, code: str) -> Any:
    [found] = [one for one in answer["reasons"] if one["code"] == code]
    return found


def test_a_window_is_open_to_the_microsecond() -> None:
    story = finished()
    until = closed_at(story) + DAY
    hall = Hall.of(story)
    story.clock.set(until)
    answer = hall.get("standings")
    assert reason(answer, "appeal_window_open") == {
        "code": "appeal_window_open",
        "text": "appeals over round 1 are in time until 2018-10-02 09:03:00+08:00, inclusive",
        "round": 1,
        "appeal": None,
        "teams": [],
        "until": "2018-10-02T01:03:00Z",
    }
    story.clock.advance(MICROSECOND)
    assert "appeal_window_open" not in hall.reasons()


def test_a_reason_is_said_in_the_readers_language() -> None:
    found = reason(Hall.of(finished()).get("standings", language="zh"), "appeal_window_open")
    assert found["text"] == "第 1 轮的申诉期至 2018-10-02 09:03:00+08:00（含）"


def test_a_window_runs_from_the_latest_closing() -> None:
    story = finished()
    story.clock.advance(timedelta(hours=20))
    story.reopened(1, 1)
    hall = Hall.of(story)
    assert "appeal_window_open" not in hall.reasons()  # the round is open itself
    hall.hear(story.closed(1, "A-B 2:0").log)
    again = closed_at(story)
    story.clock.set(again + DAY)
    assert "appeal_window_open" in hall.reasons()
    story.clock.advance(MICROSECOND)
    assert "appeal_window_open" not in hall.reasons()


def test_waivers_of_all_teams_close_the_window_early() -> None:
    story = finished()
    known = closed_at(story)
    hall = Hall.of(story.waived("A", known))
    assert "appeal_window_open" in hall.reasons()
    hall.hear(story.waived("B").log)  # of no round
    assert "appeal_window_open" in hall.reasons()
    hall.hear(story.waived("B", known).log)
    assert "appeal_window_open" not in hall.reasons()


def test_a_waiver_is_of_the_closing_its_team_knew() -> None:
    story = finished()
    story.waived("A B", closed_at(story))
    story.reopened(1, 1)
    story.closed(1, "A-B 1:1")
    assert "appeal_window_open" in Hall.of(story).reasons()
    story.waived("A B", closed_at(story))
    assert "appeal_window_open" not in Hall.of(story).reasons()


def test_a_waiver_of_fewer_rounds_leaves_the_others_waived() -> None:
    story = finished_two()
    first, second = (e.recorded_at for e in story.log if e.type == "RoundClosed")
    story.waived("A B", first, second).waived("A B", first)
    assert "appeal_window_open" not in Hall.of(story).reasons()


def test_a_team_that_withdrew_must_waive_too() -> None:
    # RULINGS, Appeals 8: waivers of *all* teams; it may still appeal over a match that it played
    story = finished()
    story.waived("A", closed_at(story))
    story.tell(match.TeamWithdrawn, team="B", from_round=2, reason="r")
    assert "appeal_window_open" in Hall.of(story).reasons()


def test_a_regulation_without_appeals_has_no_window() -> None:
    story = Story().announced(**{"appeals.allowed": False}).drawn("A B").round(1, "A-B 2:0", planned=1)
    assert Hall.of(story).reasons() == ["places_not_declared"]


def test_an_undecided_appeal() -> None:
    story = finished()
    story.clock.advance(DAY)
    story.filed(1)
    hall = Hall.of(story)
    found = reason(hall.get("standings"), "appeal_undecided")
    assert (found["appeal"], found["round"], found["until"]) == ("a1", 1, None)
    story.tell(appeals.AppealAccepted, appeal="a1")
    hall.hear(story.log)
    assert "appeal_undecided" in hall.reasons()
    story.dismissed(1)
    hall.hear(story.log)
    assert "appeal_undecided" not in hall.reasons()


def test_an_appeal_taken_back_or_refused_is_settled() -> None:
    story = finished()
    story.filed(1, appeal="a1")
    story.filed(1, appeal="a2")
    story.tell(appeals.AppealWithdrawn, appeal="a1", accepted=False, reason="r")
    story.tell(appeals.AppealRefused, appeal="a2", reason="r", article="十四")
    assert "appeal_undecided" not in Hall.of(story).reasons()


def test_an_upheld_appeal_waits_for_its_ruling() -> None:
    remedy = Remedy(kind="award_match", team="B")
    story = finished()
    story.filed(1)
    story.upheld(1, remedy)
    hall = Hall.of(story)
    assert "ruling_pending" in hall.reasons()
    story.ruling(1, 1, "A-B 0:2 forfeit", remedy)
    hall.hear(story.log)
    assert "ruling_pending" not in hall.reasons()


def test_an_upheld_appeal_that_changes_nothing_waits_for_nothing() -> None:
    story = finished()
    story.filed(1)
    story.upheld(1, Remedy(kind="none"))
    assert "ruling_pending" not in Hall.of(story).reasons()


def test_rounds_in_play_reopened_and_to_come() -> None:
    story = Story().announced()
    hall = Hall.of(story)
    assert hall.reasons() == ["not_drawn", "places_not_declared"]
    hall.hear(story.drawn("A B").log)
    assert hall.reasons() == ["places_not_declared"]
    hall.hear(story.paired(1, "A-B", planned=2).log)
    assert hall.reasons() == ["round_in_play", "rounds_to_play", "places_not_declared"]
    hall.hear(story.closed(1, "A-B 2:0").log)
    assert hall.reasons() == ["rounds_to_play", "appeal_window_open", "places_not_declared"]
    assert reason(hall.get("standings"), "rounds_to_play")["text"] == "1 of 2 rounds are closed"
    story.reopened(1, 1)
    hall.hear(story.log)
    assert hall.reasons() == ["round_reopened", "rounds_to_play", "places_not_declared"]


def test_standings_after_an_earlier_round_name_only_what_concerns_it() -> None:
    story = finished_two()
    story.filed(2)
    hall = Hall.of(story)
    assert hall.reasons() == ["appeal_undecided", "appeal_window_open", "appeal_window_open", "places_not_declared"]
    assert hall.reasons(round=1) == ["appeal_window_open", "places_not_declared"]


def finished_two() -> Story:
    return Story().announced().drawn("A B").round(1, "A-B 2:0", planned=2).round(2, "A-B 2:0", planned=2)


def test_a_lot_is_asked_for_after_the_last_round_and_exactly_for_the_teams_it_must_part() -> None:
    story = Story().announced().drawn("A B C D").round(1, "A-B 1:1, C-D 1:1", planned=2)
    hall = Hall.of(story)
    assert "lot_needed" not in hall.reasons()
    # A 3, B 1, C 3, D 1: A drew with B and beat D, C drew with D and beat B
    hall.hear(story.round(2, "A-D 2:0, C-B 2:0", planned=2).log)
    asked = [one["teams"] for one in hall.get("standings")["reasons"] if one["code"] == "lot_needed"]
    assert asked == [["A", "C"], ["B", "D"]]
    story.lot("C A")
    hall.hear(story.log)
    asked = [one["teams"] for one in hall.get("standings")["reasons"] if one["code"] == "lot_needed"]
    assert asked == [["B", "D"]]


def test_declared_places_are_final() -> None:
    story = finished()
    hall = Hall.of(story)
    story.clock.advance(DAY)
    assert hall.reasons() == ["places_not_declared"]
    story.proposed("A B", 1)
    hall.hear(story.log)
    assert hall.reasons() == ["places_not_declared"]
    story.declared("A B")
    hall.hear(story.log)
    answer = hall.get("standings")
    assert (answer["provisional"], answer["reasons"]) == (False, [])


def test_what_is_decided_after_the_declaration_is_told() -> None:
    story = finished()
    story.proposed("A B", 1)
    story.declared("A B")
    story.clock.advance(DAY)
    story.ruling(1, 1, "A-B 0:2 forfeit")
    hall = Hall.of(story)
    assert hall.reasons() == ["changed_since"]
    answer = hall.get("places")
    assert (answer["status"], answer["changed_since"]) == ("declared", True)


def test_a_cancelled_competition() -> None:
    story = finished()
    story.tell(CompetitionCancelled, reason="flood")
    assert "competition_cancelled" in Hall.of(story).reasons()


def test_the_places_name_the_two_people_and_the_awards() -> None:
    story = finished()
    hall = Hall.of(story)
    nothing = hall.get("places")
    assert (nothing["status"], nothing["places"], nothing["places_awarded"]) == ("none", [], 1)
    story.proposed("A B", 1)
    hall.hear(story.log)
    assert (hall.get("places")["status"], hall.get("places")["declared_by"]) == ("proposed", None)
    story.declared("A B")
    hall.hear(story.log)
    answer = hall.get("places")
    assert (answer["status"], answer["proposed_by"], answer["declared_by"]) == ("declared", "first", "second")
    assert (answer["after_round"], answer["article"]) == (1, "十三")
    assert answer["places"][0] == {
        "rank": 1,
        "team": "A",
        "name": "Team A",
        "unit": "Unit A",
        "points": 0,
        "total": "0.000",
        "decided_by": None,
        "award": 1,
        "part": "",
    }


def test_the_list_tells_how_far_each_competition_is() -> None:
    story = Story()
    hall = Hall(story.clock)

    def listed() -> tuple[str, int, int, int]:
        hall.hear(story.log)
        [item] = hall.client.get("/competitions").get_json()["items"]
        return item["status"], item["teams"], item["rounds_closed"], item["rounds_planned"]

    story.announced()
    assert listed() == ("announced", 0, 0, 0)
    story.drawn("A B")
    assert listed() == ("drawn", 2, 0, 0)
    story.paired(1, "A-B", planned=2)
    assert listed() == ("in_play", 2, 0, 2)
    story.closed(1, "A-B 2:0")
    assert listed() == ("in_play", 2, 1, 2)
    story.round(2, "A-B 2:0", planned=2)
    assert listed() == ("finished", 2, 2, 2)
    story.reopened(2, 1)
    assert listed() == ("in_play", 2, 1, 2)
    story.closed(2, "A-B 2:0", last=True)
    story.ruling(1, 1, "A-B 0:2 forfeit", replay_from=2)
    assert listed() == ("in_play", 2, 1, 2)
    story.round(2, "A-B 2:0", planned=2)
    story.proposed("A B", 2)
    assert listed() == ("proposed", 2, 2, 2)
    story.declared("A B")
    assert listed() == ("declared", 2, 2, 2)
    story.tell(CompetitionCancelled, reason="fraud")
    assert listed() == ("cancelled", 2, 2, 2)
    assert story.clock.now() > story.log[0].recorded_at + MINUTE


def test_where_windows_run_from_the_posting_of_results_that_is_waited_for() -> None:
    story = Story().announced(**{"appeals.window_from": "result_posted"}).drawn("A B").round(1, "A-B 2:0", planned=1)
    story.clock.advance(3 * DAY)
    hall = Hall.of(story)
    found = reason(hall.get("standings"), "results_not_posted")
    assert (found["round"], found["until"]) == (1, None)
    posted_at = story.clock.now()
    story.tell(match.ResultsPosted, round=1, closing=1, posted_at=posted_at)
    hall.hear(story.log)
    assert datetime.fromisoformat(reason(hall.get("standings"), "appeal_window_open")["until"]) == posted_at + DAY
    story.clock.set(posted_at + DAY + MICROSECOND)
    assert not {"appeal_window_open", "results_not_posted"} & set(hall.reasons())
