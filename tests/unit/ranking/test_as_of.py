"""Standings as of an earlier moment are the same folds over an earlier part of the log."""

from __future__ import annotations

import sys
from datetime import timedelta
from typing import Any

import msgspec
import pytest

from services.ranking.projections import stretch_key
from shared.contracts.registration import CompetitionAmended
from shared.eventsourcing.records import Envelope
from tests.support.ranking_events import MINUTE, Hall, Story, hand

WHATS = ("standings", "crosstable", "places")


def season() -> Story:
    """Two rounds with everything that changes standings: hands, an appeal, a ruling, a lot, places."""
    story = Story().announced().drawn("A B C D").paired(1, "A-B, C-D", planned=2)
    name = story.opened(1, 1, "A-B")
    story.hand(name, 1, hand(65))
    story.closed(1, "A-B 2:0, C-D 1:1")
    story.filed(1)
    story.tell(CompetitionAmended, before={"name": "集美升级赛"}, after={"name": "海沧升级赛"}, reason="moved")
    story.ruling(1, 1, "A-B 1:1")
    story.dismissed(1)
    story.paired(2, "A-C, B-D", planned=2)
    name = story.opened(2, 2, "B-D")
    story.hand(name, 1, hand(0))
    story.closed(2, "A-C 1:1, B-D 1:1", last=True)
    story.lot("D C B A")
    story.waived("A B C D", *(e.recorded_at for e in story.log if e.type == "RoundClosed"))
    story.proposed("D C B A", 2)
    story.declared("D C B A")
    return story


def position(event: Envelope) -> str:
    return f"{event.service}:{event.position}"


def without(answer: Any, *names: str) -> Any:
    return {name: value for name, value in answer.items() if name not in names}


@pytest.mark.parametrize("what", WHATS)
def test_now_is_as_of_the_last_event_at_every_point_of_a_season(what: str) -> None:
    story = season()
    hall = Hall(story.clock)
    for event in story.log:
        story.clock.set(event.recorded_at)
        hall.hear([event])
        now = hall.get(what)
        assert without(hall.get(what, as_of=position(event)), "as_of") == without(now, "as_of")
        assert without(hall.get(what, as_of=event.recorded_at.isoformat()), "as_of") == without(now, "as_of")


@pytest.mark.parametrize("what", WHATS)
def test_what_comes_later_changes_no_earlier_answer(what: str) -> None:
    story = season()
    hall, answers = Hall(story.clock), []
    for event in story.log:
        story.clock.set(event.recorded_at)
        hall.hear([event])
        answers.append(hall.get(what, as_of=position(event)))
    story.clock.advance(timedelta(days=30))
    for event, answer in zip(story.log, answers, strict=True):
        assert hall.get(what, as_of=position(event)) == answer


def test_a_later_correction_does_not_change_an_earlier_answer() -> None:
    story = Story().announced().drawn("A B").round(1, "A-B 2:0", planned=1)
    closing = story.log[-1]
    hall = Hall.of(story)
    before = hall.places()
    story.ruling(1, 1, "A-B 0:2 forfeit")
    hall.hear(story.log)
    assert [team for _, team, _, _ in hall.places()] == ["B", "A"]
    assert hall.places(as_of=position(closing)) == before
    assert hall.places(as_of=(closing.recorded_at + MINUTE / 2).isoformat()) == before


def test_a_time_counts_to_the_microsecond() -> None:
    story = Story().announced().drawn("A B").round(1, "A-B 2:0", planned=1)
    at = story.log[-1].recorded_at
    hall = Hall.of(story)
    assert hall.get("standings", as_of=at.isoformat())["after_round"] == 1
    assert hall.get("standings", as_of=(at - timedelta(microseconds=1)).isoformat())["after_round"] == 0


def test_a_position_parts_events_of_one_instant() -> None:
    story = Story().announced().drawn("A B").paired(1, "A-B", planned=1)
    story.clock.set(story.log[-1].recorded_at)
    story.closed(1, "A-B 2:0")
    hall = Hall.of(story)
    paired, closed = story.log[-2:]
    assert hall.get("standings", as_of=position(paired))["after_round"] == 0
    assert hall.get("standings", as_of=position(closed))["after_round"] == 1
    assert hall.get("standings", as_of=closed.recorded_at.isoformat())["after_round"] == 1


def test_windows_are_those_of_that_moment() -> None:
    story = Story().announced().drawn("A B").round(1, "A-B 2:0", planned=1)
    at = story.log[-1].recorded_at
    hall = Hall.of(story)
    story.clock.advance(timedelta(days=3))
    assert "appeal_window_open" not in hall.reasons()
    end = at + timedelta(hours=24)
    assert "appeal_window_open" in hall.reasons(as_of=end.isoformat())
    assert "appeal_window_open" not in hall.reasons(as_of=(end + timedelta(microseconds=1)).isoformat())


def test_the_tables_of_that_moment() -> None:
    story = season()
    hall = Hall.of(story)
    played = next(event for event in story.log if event.type == "HandPlayed")
    [one, two] = hall.get("standings", as_of=position(played))["in_progress"]
    assert (one["hands"], one["levels"], two["hands"]) == (1, ["3", "2"], 0)


def test_the_name_of_that_moment() -> None:
    story = season()
    hall = Hall.of(story)
    assert hall.get("standings")["name"] == "海沧升级赛"
    assert hall.get("standings", as_of="match:1")["name"] == "集美升级赛"


def test_a_round_and_a_moment_together() -> None:
    story = season()
    hall = Hall.of(story)
    first = next(event for event in story.log if event.type == "RoundClosed")
    then = hall.get("standings", as_of=position(first), round=1)
    now = hall.get("standings", round=1)
    assert {row["team"]: row["points"] for row in then["rows"]} == {"A": 2, "B": 0, "C": 1, "D": 1}
    assert {row["team"]: row["points"] for row in now["rows"]} == {"A": 1, "B": 1, "C": 1, "D": 1}


@pytest.mark.parametrize(
    "as_of",
    ["", "yesterday", "2018-10-01T10:00:00", "match:0", "match:-1", "match:x", "ranking:1", "2018-13-01T00:00:00Z",
     "0001-01-01T00:00:00+23:59", "match:1 ", "9" * 65],
)  # fmt: skip
def test_what_is_no_moment_is_refused(as_of: str) -> None:
    hall = Hall.of(season())
    problem = hall.get("standings", as_of=as_of, status=422)
    assert [error["pointer"] for error in problem["errors"]] == ["/query/as_of"]


def test_a_time_to_come_is_refused() -> None:
    story = season()
    hall = Hall.of(story)
    assert hall.get("standings", as_of=story.clock.now().isoformat())["rows"]
    later = story.clock.now() + timedelta(microseconds=1)
    problem = hall.get("standings", as_of=later.isoformat(), status=422)
    assert problem["type"].endswith("/as-of-in-future")


def test_a_position_that_has_not_come_is_not_found() -> None:
    hall = Hall.of(season())
    problem = hall.get("standings", as_of="appeals:99", status=404, language="zh")
    assert (problem["title"], problem["type"].rpartition("/")[2]) == ("没有这个位置", "no-such-position")


def test_a_position_of_another_competition_is_none_of_this_one() -> None:
    story = Story().announced()
    other = Story("c2", story.clock)
    other.log = list(story.log)  # one topic has both
    other.announced()
    hall = Hall.of(story)
    hall.hear([msgspec.structs.replace(other.log[-1], previous=0)])
    assert hall.get("standings", "c2", as_of="registration:2")["as_of"] == "registration:2"
    problem = hall.get("standings", as_of="registration:2", status=404)
    assert problem["type"].endswith("/no-such-position")


@pytest.mark.parametrize("together", [1, 2, 5])
def test_a_time_is_found_in_whichever_row_it_stands(monkeypatch: pytest.MonkeyPatch, together: int) -> None:
    story = season()
    hall = Hall.of(story)
    answers = [hall.get("standings", as_of=position(event)) for event in story.log]
    monkeypatch.setattr(sys.modules[stretch_key.__module__], "TOGETHER", together)
    hall = Hall.of(story)
    assert [hall.get("standings", as_of=position(event)) for event in story.log] == answers


def test_before_the_announcement_there_was_no_competition() -> None:
    story = season()
    before = story.log[0].recorded_at - timedelta(microseconds=1)
    problem = Hall.of(story).get("standings", as_of=before.isoformat(), status=404)
    assert problem["type"].endswith("/not-announced-then")


def test_a_moment_of_an_unknown_competition_is_not_found() -> None:
    hall = Hall.of(season())
    assert hall.get("standings", "c9", as_of="match:1", status=404)["type"].endswith("/no-such-competition")


@pytest.mark.parametrize("zone", ["Z", "+00:00", " 00:00"])
def test_a_zone_may_come_as_a_query_string_leaves_it(zone: str) -> None:
    story = season()
    at = story.log[5].recorded_at.isoformat().removesuffix("+00:00")
    assert Hall.of(story).get("standings", as_of=at + zone)["after_round"] == 1
