"""An appeal's life: drafted, lodged, accepted or refused, heard, decided, withdrawn (RULINGS “Appeals” 1, 3)."""

from __future__ import annotations

from datetime import datetime

import pytest

from services.appeals import model
from services.appeals import refusals as refuse
from shared.contracts.appeals import (
    AppealAccepted,
    AppealFiled,
    AppealHeard,
    AppealRefused,
    AppealWithdrawn,
)
from tests.unit.appeals.desk import (
    ACCEPTED,
    CHAIR,
    DEADLINE,
    DISMISSED,
    DRAFTED,
    EARLY,
    FEE,
    HEARD,
    LATE,
    LODGED,
    MICROSECOND,
    REPORTED,
    UPHELD,
    Act,
    accept,
    after,
    case,
    decide,
    hear,
    lodge,
    only,
    report,
    under,
    withdraw,
)
from tests.unit.appeals.desk import (
    refuse as refuse_form,
)

# Lodging


@pytest.mark.parametrize(("report_at", "deposit_at"), [(EARLY, DEADLINE), (DEADLINE, EARLY), (DEADLINE, DEADLINE)])
def test_it_is_lodged_when_report_and_deposit_are_both_in_time(report_at: datetime, deposit_at: datetime) -> None:
    filed = only(lodge(deposit_at)(after(*DRAFTED, report(at=report_at))), AppealFiled)
    assert (filed.report_received_at, filed.deposit_received_at) == (report_at, deposit_at)
    assert (filed.deadline, filed.deposit_fen, filed.article) == (DEADLINE, FEE, "十四.2")


def test_it_is_not_lodged_while_one_is_missing() -> None:
    assert lodge(None)(after(*REPORTED)) == []
    assert lodge()(after(*DRAFTED)) == []


def test_an_unsealed_report_does_not_lodge_it() -> None:
    assert lodge()(after(*DRAFTED, report(bears_seal=False))) == []


def test_money_one_microsecond_late_does_not_lodge_it_and_it_is_refused() -> None:
    refused = only(lodge(DEADLINE + MICROSECOND)(after(*REPORTED)), AppealRefused)
    assert refused.article == "十四.1"


def test_it_is_lodged_once() -> None:
    assert lodge()(after(*LODGED)) == []


@pytest.mark.parametrize("end", [(*REPORTED, withdraw()), (*LODGED, refuse_form()), UPHELD])
def test_what_is_over_is_not_lodged(end: tuple[Act, ...]) -> None:
    assert lodge()(after(*end)) == []


def test_it_is_lodged_during_the_round_with_no_deadline_yet() -> None:
    filed = only(lodge(match=case(round_closed_at=None))(after(*REPORTED)), AppealFiled)
    assert filed.deadline is None


def test_where_the_deposit_is_due_with_the_report_a_later_one_does_not_lodge_it() -> None:
    with_report = under(appeals__deposit_due="with_report")
    assert only(lodge(EARLY, with_report)(after(*REPORTED)), AppealFiled)
    assert only(lodge(EARLY + MICROSECOND, with_report)(after(*REPORTED)), AppealRefused).article == "十四.2"


def test_where_no_deposit_is_asked_the_report_lodges_it() -> None:
    filed = only(lodge(None, under(appeals__deposit_fen=0))(after(*REPORTED)), AppealFiled)
    assert (filed.deposit_fen, filed.deposit_received_at) == (0, EARLY)


# Form


def test_a_lodged_appeal_is_accepted_once() -> None:
    assert only(accept()(after(*LODGED)), AppealAccepted)
    with pytest.raises(refuse.AlreadyAccepted):
        accept()(after(*ACCEPTED))


def test_a_draft_is_not_accepted() -> None:
    with pytest.raises(refuse.NotLodgedYet):
        accept()(after(*DRAFTED))


def test_a_lodged_appeal_is_refused_for_form_with_the_article() -> None:
    assert only(refuse_form()(after(*LODGED)), AppealRefused).article == "十四.2"


def test_an_accepted_appeal_is_not_refused_for_form() -> None:
    with pytest.raises(refuse.AlreadyAccepted):
        refuse_form()(after(*ACCEPTED))


def test_a_draft_is_refused_only_once_its_window_has_closed() -> None:
    with pytest.raises(refuse.StillInTime):
        refuse_form(at=DEADLINE)(after(*DRAFTED))
    assert only(refuse_form(at=LATE)(after(*DRAFTED)), AppealRefused)


def test_a_draft_over_a_round_still_open_is_not_refused() -> None:
    with pytest.raises(refuse.StillInTime):
        refuse_form(at=LATE, match=case(round_closed_at=None))(after(*DRAFTED))


def test_a_draft_over_a_match_that_was_paired_anew_is_refused() -> None:
    assert only(refuse_form(match=case(replaced=True, round_closed_at=None))(after(*DRAFTED)), AppealRefused)


# Withdrawal


@pytest.mark.parametrize(
    ("past", "accepted"), [(DRAFTED, False), (REPORTED, False), (LODGED, False), (ACCEPTED, True), (HEARD, True)]
)
def test_it_is_withdrawn_at_any_time_before_the_decision(past: tuple[Act, ...], accepted: bool) -> None:
    assert only(withdraw()(after(*past)), AppealWithdrawn).accepted is accepted


def test_the_desk_enters_a_withdrawal_from_the_teams_paper() -> None:
    [event] = model.withdraw(after(*LODGED), "和解", "desk-1", "撤诉书1号")
    assert (event.by, event.reference) == ("desk-1", "撤诉书1号")  # type: ignore[attr-defined]


# Hearing


def test_it_is_heard_once_accepted_and_may_be_heard_again() -> None:
    assert only(hear()(after(*ACCEPTED)), AppealHeard).members == (CHAIR,)
    assert only(hear()(after(*HEARD)), AppealHeard)


def test_it_is_not_heard_before() -> None:
    with pytest.raises(refuse.NotLodgedYet):
        hear()(after(*DRAFTED))
    with pytest.raises(refuse.NotAcceptedYet):
        hear()(after(*LODGED))


# What is over is over

ACTS: dict[str, Act] = {
    "report": report(),
    "accept": accept(),
    "refuse": refuse_form(),
    "withdraw": withdraw(),
    "hear": hear(),
    "decide": decide(),
}


@pytest.mark.parametrize("name", ACTS)
@pytest.mark.parametrize("end", [(*LODGED, withdraw()), (*LODGED, refuse_form())], ids=["withdrawn", "refused"])
def test_nothing_happens_to_an_appeal_that_is_over(end: tuple[Act, ...], name: str) -> None:
    with pytest.raises(refuse.AppealIsOver):
        ACTS[name](after(*end))


@pytest.mark.parametrize("name", ACTS)
@pytest.mark.parametrize("end", [UPHELD, DISMISSED], ids=["upheld", "dismissed"])
def test_nothing_happens_to_an_appeal_that_is_decided(end: tuple[Act, ...], name: str) -> None:
    with pytest.raises(refuse.AlreadyDecided):
        ACTS[name](after(*end))


@pytest.mark.parametrize("name", ACTS)
def test_nothing_happens_to_an_appeal_that_was_never_begun(name: str) -> None:
    with pytest.raises(refuse.NoSuchAppeal):
        ACTS[name](after())


def test_an_unknown_event_is_not_passed_over() -> None:
    with pytest.raises(TypeError):
        after(lambda _: [CHAIR])  # type: ignore[list-item]
