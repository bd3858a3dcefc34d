"""A disputed match and the stages of an appeal over it, each built from the one before.

Round 2, table 1: team Red (unit 红队单位) against Blue; two hands by two referees, one penalty, the match closed at
MATCH_CLOSED and its round at CLOSED. The regulation is jimei-2018: 24 hours, 500 yuan (十四)."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import msgspec

from services.appeals import ledger, model
from services.appeals.facts import Case, Hand, Penalty
from services.appeals.ledger import Deposit, Ledger, Waiver
from services.appeals.model import Appeal, Decision, Draft, Receipt
from shared.contracts.appeals import CommitteeMember
from shared.contracts.fact import Fact, MatchResult, Remedy
from shared.rules.regulations import changed, load
from shared.rules.shengji.facts import HandFact, PenaltyFact
from shared.rules.shengji.sheet import Sheet

CLOSED = datetime(2018, 11, 24, 2, 30, 0, 123456, tzinfo=UTC)
DEADLINE = datetime(2018, 11, 25, 2, 30, 0, 123456, tzinfo=UTC)
"""Exactly 24 hours after CLOSED (十四.1: 可在24小时以内)."""
MATCH_CLOSED = CLOSED - timedelta(minutes=12)
PLAYED = CLOSED - timedelta(minutes=50)
"""When hand 1 was entered; hand 2 was eight minutes later."""
PENALISED = CLOSED - timedelta(minutes=40)
MICROSECOND = timedelta(microseconds=1)
LATE = DEADLINE + MICROSECOND
EARLY = CLOSED + timedelta(hours=1)
FEE = 50_000
"""500 yuan in fen (十四.2)."""

JIMEI = load("jimei-2018")
LIFT = Remedy(kind="lift_penalty", penalty="p1")
NONE = Remedy(kind="none")
CHAIR = CommitteeMember(account="chair", unit="集美区体育局")


SHEET = Sheet(
    hands=(HandFact(number=1, dealer_seat=1, points=75), HandFact(number=2, dealer_seat=2, points=70)),
    penalties=(PenaltyFact(id="p1", code="revoke", hand=1, pair="13", points=80),),
)
"""Hand 1: the attackers hold 75, and 80 for the dealer side's revoke make it 155: they gain three levels instead of the
dealers' one (十一.7). Hand 2: 65 to 75 give the dealers one level more."""
RESULT = MatchResult(
    match="m2.1", table=1, teams=("red", "blue"), points=(0, 2), levels=("2", "6"), how="level", status="played"
)


def case(**changes: Any) -> Case:
    """The disputed match, or one that differs from it."""
    plain = Case(
        competition="cup",
        regulation="jimei-2018/1",
        preset=JIMEI,
        cancelled=None,
        match="m2.1",
        round=2,
        replaced=False,
        teams={"red": "红队单位", "blue": "蓝队单位"},
        parts={"red": ("coach", "leader", "player"), "blue": ("player",)},
        round_closed_at=CLOSED,
        match_closed_at=MATCH_CLOSED,
        posted_at=None,
        hands={
            1: Hand(dealer=1, accounts=("referee-1",), entered_at=PLAYED),
            2: Hand(dealer=2, accounts=("referee-2",), entered_at=PLAYED + timedelta(minutes=8)),
        },
        penalties={"p1": Penalty(account="referee-3", issued_at=PENALISED)},
        closers=("referee-4",),
        later={},
        sheet=SHEET,
        result=RESULT,
    )
    return msgspec.structs.replace(plain, **changes)


def under(**changes: Any) -> Case:
    """The match under a changed regulation: `under(appeals__allowed=False)`."""
    return case(preset=changed(JIMEI, {key.replace("__", "."): value for key, value in changes.items()}))


Act = Callable[[Appeal], model.Events]


def after(*acts: Act) -> Appeal:
    """The appeal after these acts."""
    state = model.APPEAL.initial("appeal/cup/a-1")
    for act in acts:
        for event in act(state):
            state = model.evolve(state, event)
    return state


def only(events: model.Events, kind: type[Fact]) -> Any:
    """The one event that was decided, of this kind."""
    [event] = events
    assert type(event) is kind
    return event


def begin(at: datetime = EARLY, asks_for: Remedy = LIFT, match: Case | None = None, waived: bool = False) -> Act:
    said = Draft(team="red", grounds="判罚有误", asks_for=asks_for)
    return lambda state: model.draft(state, match or case(), waived, said, Receipt(at=at), "leader-red")


def report(at: datetime = EARLY, bears_seal: bool = True, match: Case | None = None, waived: bool = False) -> Act:
    received = Receipt(at=at)
    return lambda state: model.receive_report(
        state, match or case(), waived, "申诉书1号", bears_seal, received, "leader-red"
    )


def lodge(deposit_at: datetime | None = EARLY, match: Case | None = None) -> Act:
    return lambda state: model.lodge(state, match or case(), deposit_at, "policy:appeal-lodging")


def accept() -> Act:
    return lambda state: model.accept(state, "committee")


def hear(*members: CommitteeMember, by: str = "committee") -> Act:
    return lambda state: model.hear(state, case(), members or (CHAIR,), by)


def decide(
    outcome: str = "upheld",
    remedy: Remedy | None = LIFT,
    match: Case | None = None,
    members: tuple[CommitteeMember, ...] = (CHAIR,),
    by: str = "committee",
    **more: Any,
) -> Act:
    decision = Decision(outcome=outcome, reason="理由", members=members, remedy=remedy, **more)  # type: ignore[arg-type]
    return lambda state: model.decide(state, match or case(), decision, by)


def withdraw() -> Act:
    return lambda state: model.withdraw(state, "和解", "leader-red")


def refuse(at: datetime = EARLY, match: Case | None = None) -> Act:
    return lambda state: model.refuse_form(state, match or case(), at, "申诉书未写明请求", "committee")


DRAFTED = (begin(),)
REPORTED = (*DRAFTED, report())
LODGED = (*REPORTED, lodge())
ACCEPTED = (*LODGED, accept())
HEARD = (*ACCEPTED, hear())
UPHELD = (*HEARD, decide())
DISMISSED = (*HEARD, decide("dismissed", None))


def books(deposit: Deposit | None = None, waiver: Waiver | None = None) -> Ledger:
    """The competition's ledger with at most one deposit and Red's waiver."""
    return Ledger(
        competition="cup",
        deposits={"a-1": deposit} if deposit else {},
        waivers={"red": waiver} if waiver else {},
    )


def paid(state: Ledger, at: datetime = EARLY, amount: int = FEE, by: str = "desk-1", **more: Any) -> model.Events:
    """The deposit is entered; `appeal` and `match` may be given."""
    appeal, match = more.get("appeal", after(*DRAFTED)), more.get("match", case())
    return ledger.receive(state, appeal, match, amount, Receipt(at=at), by)


def booked(state: Ledger, *decisions: Callable[[Ledger], model.Events]) -> Ledger:
    """The ledger after these decisions."""
    for decision in decisions:
        for event in decision(state):
            state = ledger.evolve(state, event)
    return state


RECEIVED = booked(books(), paid)
HELD = booked(RECEIVED, lambda s: ledger.confirm(s, "a-1", "desk-2"))
