"""What the desk does by itself: lodge what is complete, settle what has ended, each exactly once."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest

from services.appeals import ledger
from services.appeals.commands import ReadModelBehind, ledger_stream
from shared.contracts.appeals import AppealFiled, AppealRefused, DepositForfeited, DepositReceived, DepositRefunded
from shared.contracts.fact import LaterRounds
from shared.contracts.match import RoundReopened
from tests.unit.appeals.desk import CLOSED, DEADLINE, EARLY, FEE, MICROSECOND
from tests.unit.appeals.service import CUP, LIFT, Desk

pytestmark = pytest.mark.over("memory", "kafka")

STAND = LaterRounds(choice="let_stand")


def test_when_the_report_comes_second_it_lodges() -> None:
    desk = Desk()
    appeal = desk.begin()
    desk.pay(appeal)
    desk.confirm(appeal)
    desk.settle()
    assert desk.said(AppealFiled) == []
    desk.report(appeal)
    desk.settle()
    [filed] = desk.said(AppealFiled)
    assert (filed.appeal, filed.deadline, filed.by) == (appeal, DEADLINE, "policy:appeal-lodging")


def test_when_the_deposit_comes_second_its_confirmation_lodges() -> None:
    desk = Desk()
    appeal = desk.begin()
    desk.report(appeal)
    desk.pay(appeal)
    desk.settle()
    assert desk.said(AppealFiled) == []
    desk.confirm(appeal)
    desk.settle()
    assert len(desk.said(AppealFiled)) == 1


def test_when_both_came_before_either_was_seen_it_is_lodged_once() -> None:
    desk = Desk()
    desk.lodged()
    assert len(desk.said(AppealFiled)) == 1


def test_what_was_received_in_time_is_lodged_however_late_it_is_confirmed_and_seen() -> None:
    desk = Desk()
    appeal = desk.begin()
    desk.clock.set(DEADLINE)
    desk.report(appeal)
    desk.pay(appeal)
    desk.clock.advance(timedelta(days=10))
    desk.confirm(appeal)
    desk.settle()
    [filed] = desk.said(AppealFiled)
    assert filed.report_received_at == filed.deposit_received_at == DEADLINE


def test_what_a_changed_deadline_makes_late_is_refused_and_the_money_goes_back() -> None:
    """A round closed anew has a later window; here the read model hears of it only after the money was taken."""
    desk = Desk()
    appeal = desk.begin()
    desk.rounds(desk.fact(RoundReopened, round=1, matches=("m1.1",), reason="重新计分"))
    desk.settle()
    desk.clock.set(DEADLINE + MICROSECOND)
    desk.report(appeal)
    desk.pay(appeal)
    desk.rounds(desk.closed(1, CLOSED, closing=2))
    desk.confirm(appeal)
    desk.settle()
    [refused] = desk.said(AppealRefused)
    assert refused.article == "十四.1"
    assert desk.said(AppealFiled) == []
    assert desk.said(DepositRefunded)[0].amount_fen == FEE


ENDS: list[tuple[str, Callable[[Desk, str], None], type]] = [
    ("upheld", lambda d, a: d.decide(a, "upheld", remedy=LIFT, later=STAND), DepositRefunded),
    ("partly upheld", lambda d, a: d.decide(a, "partly_upheld", remedy=LIFT, later=STAND), DepositRefunded),
    ("dismissed", lambda d, a: d.decide(a, "dismissed"), DepositForfeited),
    ("withdrawn", lambda d, a: d.withdraw(a), DepositForfeited),
]


@pytest.mark.parametrize(("end", "event"), [row[1:] for row in ENDS], ids=[row[0] for row in ENDS])
def test_the_deposit_is_settled_when_the_appeal_ends(end: Callable[[Desk, str], None], event: type) -> None:
    desk = Desk()
    appeal = desk.heard()
    end(desk, appeal)
    desk.settle()
    [settled] = [*desk.said(DepositRefunded), *desk.said(DepositForfeited)]
    assert type(settled) is event
    assert (settled.amount_fen, settled.by, settled.article) == (FEE, "policy:appeal-deposits", "十四.2")


def test_a_refusal_for_form_gives_the_money_back() -> None:
    desk = Desk()
    appeal = desk.lodged()
    desk.use.refuse(desk.by("committee", "committee"), CUP, appeal, "无请求")
    desk.settle()
    assert desk.said(DepositRefunded)[0].reason == "refused_form"


def test_money_that_nobody_confirmed_goes_back_when_the_draft_is_withdrawn() -> None:
    desk = Desk()
    appeal = desk.begin()
    desk.pay(appeal)
    desk.withdraw(appeal)
    desk.settle()
    assert desk.said(DepositRefunded)[0].source == "received"


def test_money_that_was_entered_while_the_appeal_ended_goes_back_too() -> None:
    """The ledger is another stream: an entry may have been decided just before the withdrawal was there."""
    desk = Desk()
    appeal = desk.begin()
    desk.withdraw(appeal)
    desk.settle()
    late = DepositReceived(
        regulation="jimei-2018/1",
        by="desk-1",
        competition=CUP,
        appeal=appeal,
        amount_fen=FEE,
        received_at=EARLY,
        reason="",
        article="十四.2",
    )
    desk.engine.commands.execute(desk.by("desk-1"), ledger_stream(CUP), CUP, ledger.LEDGER, lambda _: [late])
    desk.settle()
    assert len(desk.said(DepositRefunded)) == 1


def test_everything_delivered_again_changes_nothing() -> None:
    desk = Desk()
    appeal = desk.heard()
    desk.decide(appeal, "upheld", remedy=LIFT, later=STAND)
    desk.settle()
    before, ledger_before = desk.published(), desk.use.records.ledger(CUP)
    for _ in range(2):
        for policy in desk.engine.policies:
            policy.drop()
        desk.settle()
    assert desk.published() == before
    assert desk.use.records.ledger(CUP) == ledger_before
    assert desk.kinds().count("AppealFiled") == desk.kinds().count("DepositRefunded") == 1


def test_lodging_waits_for_a_read_model_that_is_behind() -> None:
    desk = Desk()
    appeal = desk.begin()
    desk.report(appeal)
    desk.pay(appeal)
    desk.confirm(appeal)
    documents = desk.ports.documents
    pointer = desk.engine.projection.pointer()
    for view in desk.engine.projection.projection.views:
        while documents.drop(desk.engine.projection.projection.collection(pointer.live, view)):
            pass
    desk.engine.relay.step()
    lodging = desk.engine.steps()["appeals.policy.appeal-lodging"]
    with pytest.raises(ReadModelBehind):
        lodging()
    assert desk.engine.held() == []
    desk.engine.projection.consumer(pointer.live).drop()
    desk.settle()
    assert len(desk.said(AppealFiled)) == 1


def test_one_appeal_is_nobody_elses() -> None:
    desk = Desk()
    first = desk.begin()
    desk.pay(first)
    desk.confirm(first)
    second = desk.begin()
    assert first != second
    desk.report(second)
    desk.settle()
    assert desk.said(AppealFiled) == []
    assert desk.row(second).deposit is None
