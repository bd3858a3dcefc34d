"""The deposit and its ledger: jimei-2018 十四.2, RULINGS “Appeals” 2, 4 and 9."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.appeals import ledger
from services.appeals import refusals as refuse
from services.appeals.ledger import Ledger, Waiver, balances, confirm, postings, settle
from services.appeals.model import Appeal, deposit_goes
from shared.contracts.appeals import (
    DepositConfirmed,
    DepositForfeited,
    DepositReceived,
    DepositRefunded,
    WaiverReceived,
)
from shared.rules.appeals import DepositDecision
from shared.rules.basis import Basis
from shared.rules.regulations import changed
from tests.unit.appeals.desk import (
    ACCEPTED,
    CLOSED,
    DEADLINE,
    DISMISSED,
    DRAFTED,
    EARLY,
    FEE,
    HEARD,
    HELD,
    JIMEI,
    LATE,
    LODGED,
    MICROSECOND,
    RECEIVED,
    REPORTED,
    UPHELD,
    Act,
    after,
    booked,
    books,
    case,
    decide,
    lodge,
    only,
    paid,
    under,
    withdraw,
)
from tests.unit.appeals.desk import (
    refuse as refuse_form,
)

BACK = DepositDecision("refunded", Basis("十四.2", "stated"))
KEPT = DepositDecision("kept", Basis("十四.2", "stated"))


# Receiving and confirming


def test_500_yuan_are_received_up_to_the_last_instant() -> None:
    received = only(paid(books(), at=DEADLINE), DepositReceived)
    assert (received.amount_fen, received.received_at, received.by, received.article) == (
        FEE,
        DEADLINE,
        "desk-1",
        "十四.2",
    )


def test_one_microsecond_later_no_money_is_taken() -> None:
    with pytest.raises(refuse.WindowClosed) as refused:
        paid(books(), at=LATE)
    assert refused.value.article == "十四.1"


@pytest.mark.parametrize("amount", [FEE - 1, FEE + 1, 500])
def test_neither_more_nor_less(amount: int) -> None:
    with pytest.raises(refuse.WrongAmount) as refused:
        paid(books(), amount=amount)
    assert (refused.value.article, refused.value.params["due_fen"]) == ("十四.2", FEE)


def test_where_none_is_asked_none_is_taken() -> None:
    with pytest.raises(refuse.NoDepositAsked):
        paid(books(), match=under(appeals__deposit_fen=0))


def test_where_there_are_no_appeals_none_is_taken() -> None:
    with pytest.raises(refuse.AppealsNotAllowed):
        paid(books(), match=under(appeals__allowed=False))


@pytest.mark.parametrize("there", [RECEIVED, HELD])
def test_it_is_taken_once(there: Ledger) -> None:
    with pytest.raises(refuse.DepositAlreadyReceived):
        paid(there)


def test_where_it_is_due_with_the_report_it_may_come_before_but_not_after() -> None:
    match = under(appeals__deposit_due="with_report")
    reported = after(*REPORTED)
    assert paid(books(), at=EARLY, match=match, appeal=reported)
    with pytest.raises(refuse.DepositAfterReport):
        paid(books(), at=EARLY + MICROSECOND, match=match, appeal=reported)


def test_an_appeal_that_is_over_or_lodged_takes_none() -> None:
    with pytest.raises(refuse.AppealIsOver):
        paid(books(), appeal=after(*DRAFTED, withdraw()))
    with pytest.raises(refuse.AlreadyLodged):
        paid(books(), appeal=after(*LODGED))


def test_who_waived_pays_nothing() -> None:
    with pytest.raises(refuse.AppealsWaived):
        paid(books(waiver=Waiver(closed_at=(CLOSED, CLOSED))))


def test_another_person_confirms_it_with_the_entrys_time() -> None:
    confirmed = only(confirm(RECEIVED, "a-1", "desk-2"), DepositConfirmed)
    assert (confirmed.amount_fen, confirmed.received_at) == (FEE, EARLY)


def test_who_entered_it_cannot_confirm_it() -> None:
    with pytest.raises(refuse.SecondPersonNeeded):
        confirm(RECEIVED, "a-1", "desk-1")


def test_there_must_be_something_to_confirm() -> None:
    with pytest.raises(refuse.NoDeposit):
        confirm(books(), "a-1", "desk-2")


def test_it_is_confirmed_once() -> None:
    with pytest.raises(refuse.DepositAlreadyConfirmed):
        confirm(HELD, "a-1", "desk-3")


def test_what_went_back_is_not_confirmed() -> None:
    refunded = booked(RECEIVED, lambda s: settle(s, "a-1", BACK, "", "policy"))
    with pytest.raises(refuse.DepositIsSettled):
        confirm(refunded, "a-1", "desk-2")


def test_it_counts_only_once_confirmed() -> None:
    assert RECEIVED.confirmed_at("a-1") is None
    assert HELD.confirmed_at("a-1") == EARLY


# How it ends

ENDS: list[tuple[str, tuple[Act, ...], str]] = [
    ("upheld", UPHELD, "refunded"),  # 胜诉，退还申诉费
    ("dismissed", DISMISSED, "kept"),  # 败诉，不退还申诉费
    ("partly upheld", (*HEARD, decide("partly_upheld")), "refunded"),
    ("withdrawn before acceptance", (*LODGED, withdraw()), "refunded"),
    ("withdrawn after acceptance", (*ACCEPTED, withdraw()), "kept"),
    ("refused for form", (*LODGED, refuse_form()), "refunded"),
    ("draft withdrawn", (*DRAFTED, withdraw()), "refunded"),
    ("never lodged", (*DRAFTED, refuse_form(at=LATE)), "refunded"),
    ("lodged too late", (*REPORTED, lodge(LATE)), "refunded"),
]


@pytest.mark.parametrize(("past", "outcome"), [row[1:] for row in ENDS], ids=[row[0] for row in ENDS])
def test_the_deposit_goes_as_the_appeal_ends(past: tuple[Act, ...], outcome: str) -> None:
    ended = after(*past)
    assert ended.outcome
    goes = deposit_goes(ended, ended.outcome, JIMEI)
    assert goes.outcome == outcome
    [event] = settle(HELD, "a-1", goes, "why", "policy")
    assert type(event) is (DepositRefunded if outcome == "refunded" else DepositForfeited)
    assert (event.amount_fen, event.article) == (FEE, "十四.2")


def test_money_for_an_appeal_that_never_stood_goes_back_whatever_a_refusal_costs() -> None:
    harsh = changed(JIMEI, {"appeals.deposit.refused_form": "kept"})
    for past, outcome in (((*LODGED, refuse_form()), "kept"), ((*REPORTED, lodge(LATE)), "refunded")):
        assert deposit_goes(after(*past), "refused_form", harsh).outcome == outcome


@pytest.mark.parametrize("past", [DRAFTED, LODGED, ACCEPTED, HEARD])
def test_until_then_it_stays(past: tuple[Act, ...]) -> None:
    assert after(*past).outcome is None


def test_it_is_settled_once() -> None:
    settled = booked(HELD, lambda s: settle(s, "a-1", KEPT, "", "policy"))
    assert settle(settled, "a-1", KEPT, "", "policy") == []
    assert settle(settled, "a-1", BACK, "", "policy") == []


def test_what_was_never_paid_is_not_settled() -> None:
    assert settle(books(), "a-1", BACK, "", "policy") == []


def test_money_that_nobody_confirmed_goes_back_out_of_where_it_stands() -> None:
    assert only(settle(RECEIVED, "a-1", KEPT, "", "policy"), DepositRefunded).source == "received"
    assert only(settle(HELD, "a-1", BACK, "", "policy"), DepositRefunded).source == "held"


# The books


def test_the_books_of_a_refund_and_of_a_forfeit() -> None:
    def story(appeal: str, end: DepositDecision) -> list[Any]:
        state, events = books(), list[Any]()
        opened = msgspec.structs.replace(after(*DRAFTED), id=appeal)
        for decision in (
            lambda s: paid(s, appeal=opened),
            lambda s: confirm(s, appeal, "desk-2"),
            lambda s: settle(s, appeal, end, "", "policy"),
        ):
            events += decision(state)
            state = booked(state, decision)
        return events

    events = story("a-1", BACK) + story("a-2", KEPT)
    assert balances(events[:2]) == {"cash": FEE, "received:a-1": 0, "held:a-1": -FEE}
    assert balances(events) == {
        "cash": FEE,
        "received:a-1": 0,
        "held:a-1": 0,
        "received:a-2": 0,
        "held:a-2": 0,
        "forfeited": -FEE,
    }


ACTIONS = st.lists(
    st.tuples(
        st.sampled_from(["receive", "confirm", "back", "keep"]),
        st.sampled_from(["a-1", "a-2", "a-3"]),
        st.sampled_from(["desk-1", "desk-2"]),
    ),
    max_size=40,
)


@given(ACTIONS)
def test_all_accounts_are_zero_together_whatever_the_desk_does(actions: list[tuple[str, str, str]]) -> None:
    state, log, appeal = books(), list[Any](), after(*DRAFTED)
    for action, name, by in actions:
        this = msgspec.structs.replace(appeal, id=name)
        try:
            events = _act(state, action, this, by)
        except (refuse.Refused, refuse.NotFound, refuse.NotAllowed):
            continue
        for event in events:
            assert sum(posting.fen for posting in postings(event)) == 0
            assert len(postings(event)) == 2
            state = ledger.evolve(state, event)
            log.append(event)
        accounts = balances(log)
        assert sum(accounts.values()) == 0
        _check_books(state, accounts, log)


def _act(state: Ledger, action: str, appeal: Appeal, by: str) -> Any:
    match action:
        case "receive":
            return paid(state, appeal=appeal, by=by)
        case "confirm":
            return confirm(state, appeal.id, by)
    return settle(state, appeal.id, BACK if action == "back" else KEPT, "", by)


def _check_books(state: Ledger, accounts: dict[str, int], log: list[Any]) -> None:
    """The accounts agree with a second count: by deposit where it stands, and of cash by what came and went."""
    for name, deposit in state.deposits.items():
        for account in ("received", "held"):
            owed = -deposit.amount_fen if deposit.stands == account else 0
            assert accounts.get(f"{account}:{name}", 0) == owed
    came = sum(e.amount_fen for e in log if isinstance(e, DepositReceived))
    went = sum(e.amount_fen for e in log if isinstance(e, DepositRefunded))
    kept = sum(e.amount_fen for e in log if isinstance(e, DepositForfeited))
    assert accounts.get("cash", 0) == came - went
    assert accounts.get("forfeited", 0) == -kept
    ends = [e.appeal for e in log if isinstance(e, DepositRefunded | DepositForfeited)]
    assert len(ends) == len(set(ends))


def test_a_waiver_moves_no_money() -> None:
    waiver = WaiverReceived(
        regulation="", by="", competition="cup", team="red", through_round=1, closed_at=(CLOSED,), reference=""
    )
    assert postings(waiver) == ()
    assert case().round == 2
