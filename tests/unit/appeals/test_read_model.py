"""The read model: the same rows whatever the order of the topics, and what it makes of them."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from services.appeals.commands import ReadModelBehind
from services.appeals.projections import PROJECTION
from services.appeals.records import deadlines, missing, next_step
from shared.contracts.fact import HandFacts, LaterRounds, Remedy
from shared.contracts.match import (
    HandCorrected,
    MatchReopened,
    PenaltyLifted,
    ResultsPosted,
    RoundReopened,
    RulingApplied,
)
from shared.contracts.registration import CompetitionCancelled
from shared.eventsourcing.memory import MemoryDocuments
from shared.eventsourcing.projector import Projector, digest
from shared.eventsourcing.records import Envelope
from tests.support.events import CODEC, interleaved
from tests.unit.appeals.desk import CLOSED, DEADLINE, EARLY, JIMEI, MICROSECOND
from tests.unit.appeals.service import CUP, LIFT, NAMES, Desk

STAND = LaterRounds(choice="let_stand")


def a_long_story() -> Desk:
    desk = Desk()
    appeal = desk.heard()
    desk.decide(appeal, "upheld", remedy=LIFT, later=STAND)
    desk.settle()
    desk.rounds(ruling(desk, LIFT, STAND, appeal), desk.closed(2, CLOSED + timedelta(hours=2)))
    desk.use.waive(desk.by("leader-x", "leader"), CUP, ("x",), 1, "")
    desk.topics.say(
        "registration", f"competition/{CUP}", desk.fact(CompetitionCancelled, by="organiser", reason="台风")
    )
    desk.settle()
    return desk


def ruling(desk: Desk, remedy: Remedy, later: LaterRounds | None = None, appeal: str = "a") -> Any:
    return desk.fact(
        RulingApplied,
        round=1,
        match="m1.1",
        remedy=remedy,
        before=None,
        after=None,
        appeal=appeal,
        reason="裁决",
        article="十四",
        later=later,
    )


def topic(desk: Desk, service: str) -> list[Envelope]:
    return desk.log.subscribe("copy", [service]).poll(1000)


STORY = a_long_story()
TOPICS = [topic(STORY, service) for service in PROJECTION.services]
LENGTH = sum(len(events) for events in TOPICS)


def rows(events: list[Envelope]) -> tuple[str, int]:
    documents = MemoryDocuments()
    projector = Projector(PROJECTION, 1, documents, CODEC)
    for event in events:
        projector(event.competition, [event])
    return digest(PROJECTION, 1, documents)


EXPECTED = rows([event for events in TOPICS for event in events])


@settings(max_examples=60)
@given(st.lists(st.integers(0, 5), min_size=LENGTH, max_size=LENGTH))
def test_any_interleaving_of_the_topics_ends_in_the_same_rows(choices: list[int]) -> None:
    assert rows(interleaved(TOPICS, choices)) == EXPECTED


def test_the_live_rows_are_those() -> None:
    runner = STORY.engine.projection
    assert runner.digest(runner.pointer().live) == EXPECTED
    assert LENGTH > 25
    assert EXPECTED[1] > 8


# What is missing, and what comes next


def state_of(desk: Desk, appeal: str) -> tuple[list[str], str]:
    desk.settle()
    row = desk.row(appeal)
    case = desk.use.records.case(CUP, row.match)
    closes = case.closes(LIFT)
    state = "closed" if closes and desk.clock.now() > closes else "open"
    lacks = missing(row, JIMEI)
    return lacks, next_step(row, lacks, state)["code"]


def test_the_leader_sees_what_is_missing_and_what_comes_next() -> None:
    desk = Desk()
    appeal = desk.begin()
    assert state_of(desk, appeal) == (["report", "deposit"], "report")
    desk.use.report(desk.by("leader", "leader"), CUP, appeal, "1号", False, _now())
    assert state_of(desk, appeal) == (["seal", "deposit"], "seal")
    desk.report(appeal)
    assert state_of(desk, appeal) == (["deposit"], "deposit")
    desk.pay(appeal)
    assert state_of(desk, appeal) == (["confirmation"], "confirmation")
    desk.confirm(appeal)
    assert state_of(desk, appeal) == ([], "accept")
    desk.use.accept(desk.by("committee", "committee"), CUP, appeal)
    assert state_of(desk, appeal) == ([], "hear")
    desk.withdraw(appeal)
    assert state_of(desk, appeal) == ([], "none")


def test_where_the_deposit_is_due_with_the_report_one_alone_leads_nowhere_and_says_so() -> None:
    desk = Desk()
    appeal = desk.begin()
    desk.report(appeal)
    desk.settle()
    due = next_step(desk.row(appeal), ["deposit"], "open", "with_report")
    assert due["code"] == "deposit_with_report"
    assert "begin anew" in due["en"]


def test_a_team_entered_only_later_in_the_topics_is_waited_for() -> None:
    desk = Desk()
    desk.settle()
    case = desk.use.records.case(CUP, "m1.1")
    assert case.parts == {"red": [], "blue": []}
    documents, runner = desk.ports.documents, desk.engine.projection
    collection = runner.projection.collection(runner.pointer().live, "teams")
    documents.delete(collection, [f"{CUP}/red"])
    with pytest.raises(ReadModelBehind):
        desk.use.draft(desk.by("leader", "leader"), CUP, "m1.1", ("red",), "判罚有误", LIFT, _now())


def test_a_draft_that_was_not_completed_in_time_has_lapsed() -> None:
    desk = Desk()
    appeal = desk.begin()
    desk.clock.set(DEADLINE)
    desk.pay(appeal)
    assert state_of(desk, appeal)[1] == "report"
    desk.clock.advance(MICROSECOND)
    assert state_of(desk, appeal)[1] == "lapsed"


def _now() -> Any:
    from services.appeals.commands import Said

    return Said()


# Deadlines


def rounds_of(desk: Desk) -> dict[int, dict[str, Any]]:
    desk.settle()
    return {entry["round"]: entry for entry in deadlines(desk.use.records, CUP, desk.clock.now())["rounds"]}


def test_every_round_has_its_window() -> None:
    desk = Desk()
    first, second = rounds_of(desk).values()
    assert (first["state"], first["opens"], first["closes"]) == (
        "open",
        "2018-11-24T02:30:00.123456Z",
        "2018-11-25T02:30:00.123456Z",
    )
    assert first["can_appeal"] == sorted(NAMES)
    assert (second["state"], second["closes"], second["can_appeal"]) == ("not_running", None, sorted(NAMES))
    desk.clock.set(DEADLINE)
    assert rounds_of(desk)[1]["state"] == "open"
    desk.clock.advance(MICROSECOND)
    assert rounds_of(desk)[1]["state"] == "closed"
    assert rounds_of(desk)[1]["can_appeal"] == []


def test_a_reopened_round_has_no_deadline_and_then_a_new_one() -> None:
    desk = Desk()
    desk.rounds(desk.fact(RoundReopened, round=1, matches=("m1.1",), reason="重新计分"))
    assert rounds_of(desk)[1]["state"] == "not_running"
    desk.rounds(desk.closed(1, CLOSED + timedelta(hours=3), closing=2))
    assert rounds_of(desk)[1]["closes"] == "2018-11-25T05:30:00.123456Z"


def test_waivers_of_all_teams_close_a_window_early() -> None:
    desk = Desk()
    desk.settle()
    for team in ("red", "blue", "x"):
        desk.use.waive(desk.by(team, "leader"), CUP, (team,), 1, "")
    assert rounds_of(desk)[1]["state"] == "open"
    assert rounds_of(desk)[1]["can_appeal"] == ["y"]
    desk.use.waive(desk.by("y", "leader"), CUP, ("y",), 1, "")
    assert rounds_of(desk)[1]["state"] == "waived"
    desk.rounds(desk.closed(1, CLOSED + timedelta(minutes=1), closing=2))
    assert rounds_of(desk)[1]["state"] == "open"


def test_lodged_appeals_are_named_until_they_are_decided_and_drafts_are_not() -> None:
    desk = Desk()
    draft = desk.begin()
    appeal = desk.lodged()
    assert rounds_of(desk)[1]["undecided"] == [appeal]
    assert draft != appeal
    desk.withdraw(appeal)
    assert rounds_of(desk)[1]["undecided"] == []


# What match says later


def test_a_case_has_every_instant_from_which_its_window_may_run() -> None:
    desk = Desk()
    told = CLOSED - timedelta(hours=2)  # hands, penalty and the match's close, as the log was told them
    desk.settle()
    case = desk.use.records.case(CUP, "m1.1")
    assert (case.hands[1].entered_at, case.penalties["p1"].issued_at, case.match_closed_at) == (told, told, told)
    assert (case.round_closed_at, case.posted_at) == (CLOSED, None)
    corrected_at = desk.clock.now()
    after = HandFacts(dealer=1, points=80)
    correction = desk.fact(
        HandCorrected, match="m1.1", hand=1, before=HandFacts(dealer=1, points=85), after=after, reason="误记"
    )
    desk.topics.say("match", f"match/{CUP}/m1.1", correction)
    desk.rounds(desk.fact(ResultsPosted, round=1, closing=1, posted_at=EARLY))
    desk.settle()
    case = desk.use.records.case(CUP, "m1.1")
    assert (case.hands[1].entered_at, case.posted_at) == (corrected_at, EARLY)


def test_results_must_be_posted_again_when_their_round_is_closed_again() -> None:
    desk = Desk()
    desk.rounds(desk.fact(ResultsPosted, round=1, closing=1, posted_at=EARLY))
    desk.rounds(desk.fact(RoundReopened, round=1, matches=("m1.1",), reason="重新计分"))
    desk.rounds(desk.closed(1, CLOSED + timedelta(hours=3), closing=2))
    desk.settle()
    assert desk.use.records.case(CUP, "m1.1").posted_at is None


def test_a_round_paired_anew_takes_the_place_of_the_old_one_and_of_later_ones() -> None:
    desk = Desk()
    desk.rounds(desk.paired(1, ("red", "x"), ("blue", "y"), attempt=2))
    desk.settle()
    assert desk.use.records.case(CUP, "m1.1").replaced
    assert not desk.use.records.case(CUP, "m1.1.2").replaced
    assert list(rounds_of(desk)) == [1]


def test_a_replay_from_a_round_undoes_it_and_those_after() -> None:
    desk = Desk()
    desk.rounds(ruling(desk, LIFT, LaterRounds(choice="replay_from", round=2)))
    desk.settle()
    assert desk.use.records.case(CUP, "m2.1").replaced
    assert desk.use.records.case(CUP, "m1.1").later == {}


def test_a_match_that_is_to_be_replayed_opens_its_round_and_its_old_hands_are_void() -> None:
    desk = Desk()
    desk.rounds(ruling(desk, Remedy(kind="replay_match")))
    desk.topics.say(
        "match", f"match/{CUP}/m1.1", desk.fact(MatchReopened, match="m1.1", opening=1, replay=True, rulings=())
    )
    desk.settle()
    case = desk.use.records.case(CUP, "m1.1")
    assert (case.opens(LIFT), dict(case.hands), dict(case.penalties)) == (None, {}, {})
    assert desk.use.records.match(CUP, "m1.1").hands[0]["void"]


def test_corrections_liftings_and_rulings_are_seen_in_the_match() -> None:
    desk = Desk()
    after = HandFacts(dealer=1, points=80)
    desk.topics.say(
        "match",
        f"match/{CUP}/m1.1",
        desk.fact(
            HandCorrected,
            by="chief",
            match="m1.1",
            hand=1,
            before=HandFacts(dealer=1, points=85),
            after=after,
            reason="误记",
        ),
        desk.fact(PenaltyLifted, match="m1.1", penalty="p1", reason="误判"),
    )
    desk.rounds(ruling(desk, Remedy(kind="annul_hand", hand=1)))
    desk.settle()
    case = desk.use.records.case(CUP, "m1.1")
    assert case.hands[1].accounts == ("referee", "chief")
    assert case.hands[1].annulled
    assert case.penalties["p1"].lifted
    assert desk.use.records.match(CUP, "m1.1").hands[0]["facts"]["points"] == 80
