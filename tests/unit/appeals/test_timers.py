"""What happens by itself when time passes: windows close, incomplete drafts lapse, late decisions are flagged, each
once (RULINGS “Appeals” 1, 7, 8)."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from services.appeals.commands import Said
from services.appeals.model import Decision
from shared.contracts.appeals import (
    AppealFiled,
    AppealRefused,
    AppealUpheld,
    AppealWindowClosed,
    DecisionOverdue,
    DepositRefunded,
)
from shared.contracts.fact import LaterRounds
from shared.contracts.match import ResultsPosted, RoundReopened
from shared.contracts.registration import CompetitionCancelled
from shared.eventsourcing.memory import MemoryDocuments
from shared.eventsourcing.timers import LOOK
from tests.unit.appeals.desk import CLOSED, DEADLINE, EARLY, FEE, MICROSECOND
from tests.unit.appeals.service import CHAIR, CUP, LIFT, NAMES, Desk

DAY = timedelta(hours=24)


def at(desk: Desk, instant: Any) -> Desk:
    """The desk at an instant, everything having run."""
    desk.clock.set(instant)
    desk.settle()
    return desk


# Windows


def test_a_window_closes_a_microsecond_after_its_last_instant() -> None:
    desk = at(Desk(), DEADLINE)
    assert desk.said(AppealWindowClosed) == []
    at(desk, DEADLINE + LOOK)
    [closed] = desk.said(AppealWindowClosed)
    assert (closed.round, closed.closing, closed.round_closed_at, closed.closes) == (1, 1, CLOSED, DEADLINE)
    assert (closed.waived, closed.article, closed.by) == (False, "十四.1", "policy:appeal-deadlines")
    assert desk.use.records.ledger(CUP).windows["1"]["closes"] == "2018-11-25T02:30:00.123456Z"


def test_it_closes_to_the_microsecond() -> None:
    assert at(Desk(), DEADLINE + MICROSECOND).said(AppealWindowClosed)


def test_it_closes_once_however_often_time_goes_on() -> None:
    desk = Desk()
    for days in range(1, 5):
        at(desk, DEADLINE + timedelta(days=days))
    assert len(desk.said(AppealWindowClosed)) == 1


def test_a_round_closed_anew_has_a_window_of_its_own() -> None:
    desk = at(Desk(), DEADLINE + LOOK)
    again = DEADLINE + timedelta(hours=1)
    desk.clock.set(again)
    desk.rounds(
        desk.fact(RoundReopened, round=1, matches=("m1.1",), reason="重新计分"),
        desk.closed(1, again, closing=2),
    )
    at(desk, again + DAY)
    assert len(desk.said(AppealWindowClosed)) == 1
    at(desk, again + DAY + LOOK)
    assert [(c.closing, c.round_closed_at) for c in desk.said(AppealWindowClosed)] == [(1, CLOSED), (2, again)]


def test_a_round_that_is_open_again_has_none() -> None:
    desk = Desk()
    desk.rounds(desk.fact(RoundReopened, round=1, matches=("m1.1",), reason="重新计分"))
    assert at(desk, DEADLINE + DAY).said(AppealWindowClosed) == []


def test_waivers_of_all_teams_close_it_at_once() -> None:
    desk = Desk()
    desk.settle()
    for team in NAMES:
        assert desk.said(AppealWindowClosed) == []
        desk.use.waive(desk.by(team, "leader"), CUP, (team,), 1, "")
        desk.clock.advance(LOOK)
        desk.settle()
    [closed] = desk.said(AppealWindowClosed)
    assert (closed.waived, closed.closes) == (True, DEADLINE)


def test_where_it_runs_from_the_posting_of_results_it_waits_for_that() -> None:
    desk = at(Desk(appeals__window_from="result_posted"), DEADLINE + DAY)
    assert desk.said(AppealWindowClosed) == []
    posted = desk.clock.now()
    desk.rounds(desk.fact(ResultsPosted, round=1, closing=1, posted_at=posted))
    at(desk, posted + DAY + LOOK)
    assert desk.said(AppealWindowClosed)[0].closes == posted + DAY


def cancelled(desk: Desk) -> None:
    event = desk.fact(CompetitionCancelled, by="organiser", reason="台风")
    desk.topics.say("registration", f"competition/{CUP}", event)


@pytest.mark.parametrize(
    ("make", "then"),
    [(lambda: Desk(appeals__allowed=False), lambda _: None), (Desk, cancelled)],
    ids=["no appeals", "cancelled"],
)
def test_where_there_are_no_appeals_nothing_falls_due(make: Callable[[], Desk], then: Callable[[Desk], None]) -> None:
    desk = make()
    then(desk)
    assert at(desk, DEADLINE + 5 * DAY).published() == []


# Drafts


def test_a_draft_that_is_incomplete_lapses_once_papers_can_be_entered_no_more() -> None:
    desk = Desk()
    appeal = desk.begin()
    desk.pay(appeal)
    desk.confirm(appeal)
    at(desk, DEADLINE + DAY)  # 24 hours to enter papers that were handed over in time (assumed)
    assert desk.said(AppealRefused) == []
    at(desk, DEADLINE + DAY + LOOK)
    [refused] = desk.said(AppealRefused)
    assert (refused.appeal, refused.article, refused.by) == (appeal, "十四.1", "policy:appeal-deadlines")
    assert desk.said(DepositRefunded)[0].amount_fen == FEE
    assert desk.row(appeal).status == "refused"


def test_a_paper_handed_over_in_time_is_entered_while_the_draft_has_not_lapsed() -> None:
    desk = Desk()
    appeal = desk.begin()
    desk.pay(appeal)
    desk.confirm(appeal)
    at(desk, DEADLINE + DAY)
    paper = Said(received_at=DEADLINE, officer="officer-lin", reason="停电后补登")
    desk.use.report(desk.by("desk-1"), CUP, appeal, "1号", True, paper)
    at(desk, DEADLINE + 2 * DAY)
    assert len(desk.said(AppealFiled)) == 1
    assert desk.said(AppealRefused) == []


def test_one_that_waits_for_a_confirmation_alone_does_not_lapse() -> None:
    desk = Desk()
    appeal = desk.begin()
    desk.report(appeal)
    desk.pay(appeal)
    at(desk, DEADLINE + 10 * DAY)
    assert desk.said(AppealRefused) == []
    desk.confirm(appeal)
    desk.settle()
    assert len(desk.said(AppealFiled)) == 1


def test_a_report_without_the_seal_completes_nothing() -> None:
    desk = Desk()
    appeal = desk.begin()
    desk.use.report(desk.by("leader", "leader"), CUP, appeal, "1号", False, Said())
    desk.pay(appeal)
    at(desk, DEADLINE + DAY + LOOK)
    assert len(desk.said(AppealRefused)) == 1


def test_a_draft_over_a_round_still_open_does_not_lapse() -> None:
    desk = Desk()
    desk.rounds(desk.fact(RoundReopened, round=1, matches=("m1.1",), reason="重新计分"))
    desk.begin()
    assert at(desk, DEADLINE + 5 * DAY).said(AppealRefused) == []


# Decisions


def test_a_decision_is_overdue_a_microsecond_after_its_date_and_that_is_said_once() -> None:
    desk = Desk()
    appeal = desk.lodged()
    at(desk, EARLY + DAY)  # 24 hours from lodging (assumed)
    assert desk.said(DecisionOverdue) == []
    for days in range(1, 4):
        at(desk, EARLY + days * DAY + MICROSECOND)
    [overdue] = desk.said(DecisionOverdue)
    assert (overdue.appeal, overdue.due_at, overdue.article) == (appeal, EARLY + DAY, "十四.1")
    assert desk.row(appeal).overdue


def test_a_committee_that_is_late_loses_nobodys_appeal() -> None:
    desk = Desk()
    appeal = desk.heard()
    at(desk, EARLY + 3 * DAY)
    desk.decide(appeal, "upheld", remedy=LIFT, later=LaterRounds(choice="let_stand"))
    desk.settle()
    assert len(desk.said(AppealUpheld)) == 1
    assert (desk.row(appeal).status, desk.row(appeal).overdue) == ("upheld", False)


def test_what_was_decided_in_time_is_never_overdue() -> None:
    desk = Desk()
    desk.decide(desk.heard(), "dismissed")
    assert at(desk, EARLY + 3 * DAY).said(DecisionOverdue) == []


def test_an_organiser_may_let_decisions_never_be_overdue() -> None:
    desk = Desk(appeals__decide_hours=None)
    desk.lodged()
    assert at(desk, EARLY + 30 * DAY).said(DecisionOverdue) == []


# Once, whatever happens to processes, clocks and read models


def everything(desk: Desk) -> list[str]:
    desk.lodged()
    desk.begin()
    at(desk, DEADLINE + DAY + LOOK)
    return desk.kinds()


def test_restarts_clocks_put_back_and_a_rebuild_repeat_nothing() -> None:
    desk = Desk()
    kinds = everything(desk)
    assert [kinds.count(k) for k in ("AppealWindowClosed", "AppealRefused", "DecisionOverdue")] == [1, 1, 1]
    for moved in (timedelta(days=-2), timedelta(days=1), timedelta(days=400), timedelta(days=-1000), timedelta()):
        desk.clock.advance(moved)
        desk.restart()
        desk.engine.projection.rebuild()
        desk.settle()
    assert desk.kinds() == kinds


def test_down_while_all_of_it_fell_due_it_is_made_up_for_in_order() -> None:
    desk = Desk()
    desk.lodged()
    desk.begin()
    desk.clock.set(DEADLINE + 30 * DAY)
    desk.restart()
    desk.settle()
    late = [event.type for event in desk.published() if event.role == "policy"]
    assert late == ["AppealFiled", "AppealWindowClosed", "DecisionOverdue", "AppealRefused"]


class Counting(MemoryDocuments):
    """Counts the agendas that reads give."""

    agendas = 0

    def find(self, collection: str, *given: Any, **more: Any) -> Any:
        found = super().find(collection, *given, **more)
        self.agendas += len(found) if collection.endswith(".agendas") else 0
        return found


def test_idle_it_reads_one_agenda_however_many_competitions_there_are() -> None:
    desk = Desk()
    desk.settle()
    documents, collection = desk.ports.documents, desk.engine.projection.projection.collection(1, "agendas")
    [(_, row)] = documents.get(collection, [CUP]).items()
    counting = Counting()
    counting.put(collection, [(0, {**row, "_id": f"{CUP}-{n}", "revision": 1}) for n in range(50)])
    desk.ports.documents = counting
    desk.restart()
    timer = desk.engine.steps()["appeals.timer.appeal-deadlines"]
    assert timer() == 0
    assert counting.agendas == 1


@pytest.mark.parametrize("stage", ["drafted", "lodged", "heard"])
def test_with_a_cancelled_competition_its_appeals_end_and_their_deposits_go_back(stage: str) -> None:
    desk = Desk()
    if stage == "drafted":
        appeal = desk.begin()
        desk.pay(appeal)
    else:
        appeal = desk.lodged()
    if stage == "heard":
        desk.use.accept(desk.by("committee", "committee"), CUP, appeal)
        desk.use.hear(desk.by("committee", "committee"), CUP, appeal, (CHAIR,))
    desk.settle()
    cancelled(desk)
    at(desk, desk.clock.now() + LOOK)
    row = desk.row(appeal)
    assert (row.status, row.open) == ("refused", False)
    assert row.ended is not None
    assert "台风" in row.ended["reason"]
    assert row.deposit is not None
    assert row.deposit["status"] == "refunded"


def test_what_was_decided_before_it_was_cancelled_stays_decided() -> None:
    desk = Desk()
    appeal = desk.lodged()
    desk.use.accept(desk.by("committee", "committee"), CUP, appeal)
    desk.use.hear(desk.by("committee", "committee"), CUP, appeal, (CHAIR,))
    decision = Decision(outcome="dismissed", reason="无据", members=(CHAIR,))
    desk.use.decide(desk.by("committee", "committee"), CUP, appeal, decision)
    desk.settle()
    cancelled(desk)
    at(desk, desk.clock.now() + LOOK)
    assert desk.row(appeal).status == "dismissed"
