"""The deposit ledger of a competition, pure: deposits and waivers, and the books in double entry.

Accounts, in fen: `cash` is the desk's money; `received:<appeal>` and `held:<appeal>` are owed to the team until the
deposit is settled; `forfeited` is the organiser's. Every event moves one amount from one account to another, so all
accounts together are always zero."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, Literal

import msgspec

from services.appeals import refusals as refuse
from services.appeals.facts import Case, check_allowed
from services.appeals.model import Appeal, Receipt, check_can_receive
from shared.contracts.appeals import (
    AppealWindowClosed,
    DepositAccount,
    DepositConfirmed,
    DepositForfeited,
    DepositReceived,
    DepositRefunded,
    WaiverReceived,
)
from shared.contracts.fact import Fact
from shared.eventsourcing.handling import Model
from shared.rules.appeals import DepositDecision
from shared.rules.regulations.preset import Preset

Events = Sequence[Fact]

CASH = "cash"
FORFEITED = "forfeited"


class Deposit(msgspec.Struct, frozen=True, kw_only=True):
    """An appeal's deposit: where it stands, who entered and who confirmed it."""

    regulation: str
    amount_fen: int
    received_at: datetime
    entered_by: str
    stands: DepositAccount | Literal["settled"] = "received"
    confirmed_by: str = ""


class Waiver(msgspec.Struct, frozen=True, kw_only=True):
    """What a team waived: the first rounds, each as it was closed then."""

    closed_at: tuple[datetime, ...] = ()

    @property
    def through_round(self) -> int:
        return len(self.closed_at)

    def covers(self, round: int, closed_at: datetime | None) -> bool:
        """Whether appeals over this closing of a round are waived."""
        return round <= self.through_round and self.closed_at[round - 1] == closed_at

    def and_then(self, closed_at: tuple[datetime, ...]) -> Waiver:
        """This waiver and a later one: where both speak of a round, the later one says which closing it knew."""
        return Waiver(closed_at=(*closed_at, *self.closed_at[len(closed_at) :]))


class Ledger(msgspec.Struct, frozen=True, kw_only=True):
    """A competition's deposits by appeal and waivers by team, as its ledger stream tells them; and by round which
    closing of it was the last whose window has closed."""

    competition: str
    deposits: Mapping[str, Deposit] = {}
    waivers: Mapping[str, Waiver] = {}
    windows: Mapping[int, datetime] = {}

    def waived(self, team: str, case: Case) -> bool:
        """Whether a team has waived appeals over the round of a match as it was closed last."""
        return team in self.waivers and self.waivers[team].covers(case.round, case.round_closed_at)

    def confirmed_at(self, appeal: str) -> datetime | None:
        """When the deposit was received that another person has confirmed, None where there is none."""
        deposit = self.deposits.get(appeal)
        return deposit.received_at if deposit and deposit.confirmed_by else None


def evolve(state: Ledger, event: Any) -> Ledger:
    """Fold one event of a ledger's stream."""
    match event:
        case DepositReceived():
            deposit = Deposit(
                regulation=event.regulation,
                amount_fen=event.amount_fen,
                received_at=event.received_at,
                entered_by=event.by,
            )
            return _with(state, event.appeal, deposit)
        case DepositConfirmed():
            return _change(state, event.appeal, stands="held", confirmed_by=event.by)
        case DepositRefunded() | DepositForfeited():
            return _change(state, event.appeal, stands="settled")
        case WaiverReceived():
            before = state.waivers.get(event.team, Waiver())
            waiver = before.and_then(event.closed_at)
            return msgspec.structs.replace(state, waivers={**state.waivers, event.team: waiver})
        case AppealWindowClosed():
            windows = {**state.windows, event.round: event.round_closed_at}
            return msgspec.structs.replace(state, windows=windows)
    raise TypeError(f"no fold for {type(event).__name__}")


LEDGER: Model[Ledger] = Model(lambda stream: Ledger(competition=stream.removeprefix("ledger/")), evolve)


def _with(state: Ledger, appeal: str, deposit: Deposit) -> Ledger:
    return msgspec.structs.replace(state, deposits={**state.deposits, appeal: deposit})


def _change(state: Ledger, appeal: str, **fields: Any) -> Ledger:
    return _with(state, appeal, msgspec.structs.replace(state.deposits[appeal], **fields))


# Deposits


def receive(state: Ledger, appeal: Appeal, case: Case, amount_fen: int, received: Receipt, by: str) -> Events:
    """Money is handed over and entered; out of time none is taken. Raises NoDepositAsked, WrongAmount,
    DepositAlreadyReceived, DepositAfterReport, and what `check_can_receive` does."""
    terms = case.preset.appeals
    check_can_receive(appeal, case, state.waived(appeal.team, case), received.at)
    if terms.deposit_fen.value == 0:
        raise refuse.NoDepositAsked(terms.deposit_fen.article)
    if amount_fen != terms.deposit_fen.value:
        raise refuse.WrongAmount(
            "/amount_fen",
            terms.deposit_fen.article,
            due=_yuan(terms.deposit_fen.value),
            due_fen=terms.deposit_fen.value,
            amount=_yuan(amount_fen),
        )
    if (there := state.deposits.get(appeal.id)) is not None:
        raise refuse.DepositAlreadyReceived(appeal=appeal.id, by=there.entered_by)
    if terms.deposit_due.value == "with_report" and appeal.report_at and received.at > appeal.report_at:
        raise refuse.DepositAfterReport(
            terms.deposit_due.article, report_at=appeal.report_at, zone=case.preset.zone.value
        )
    return [
        DepositReceived(
            regulation=case.regulation,
            by=by,
            competition=state.competition,
            appeal=appeal.id,
            amount_fen=amount_fen,
            received_at=received.at,
            reason=received.reason,
            article=terms.deposit_fen.article,
            officer=received.officer,
        )
    ]


def confirm(state: Ledger, appeal: str, by: str) -> Events:
    """Another person confirms that the money is there. Raises NoDeposit, DepositIsSettled, DepositAlreadyConfirmed,
    SecondPersonNeeded."""
    deposit = state.deposits.get(appeal)
    if deposit is None:
        raise refuse.NoDeposit(appeal=appeal)
    if deposit.stands == "settled":
        raise refuse.DepositIsSettled(appeal=appeal)
    if deposit.confirmed_by:
        raise refuse.DepositAlreadyConfirmed(appeal=appeal, by=deposit.confirmed_by)
    if deposit.entered_by == by:
        raise refuse.SecondPersonNeeded(by=by)
    return [
        DepositConfirmed(
            regulation=deposit.regulation,
            by=by,
            competition=state.competition,
            appeal=appeal,
            amount_fen=deposit.amount_fen,
            received_at=deposit.received_at,
        )
    ]


def settle(state: Ledger, appeal: str, goes: DepositDecision, reason: str, by: str) -> Events:
    """The deposit goes where the end of the appeal sends it, once; what nobody confirmed goes back. Nothing where
    there is no deposit or it is settled."""
    deposit = state.deposits.get(appeal)
    if deposit is None or deposit.stands == "settled":
        return []
    said: dict[str, Any] = {
        "regulation": deposit.regulation,
        "by": by,
        "competition": state.competition,
        "appeal": appeal,
        "amount_fen": deposit.amount_fen,
        "reason": reason,
        "article": goes.basis.article,
    }
    if goes.outcome == "refunded" or deposit.stands == "received":
        return [DepositRefunded(**said, source=deposit.stands)]
    return [DepositForfeited(**said)]


# Waivers


class Waive(msgspec.Struct, frozen=True, kw_only=True):
    """What teams give up; `closed` maps every round that is closed to when it was closed last."""

    teams: tuple[str, ...]
    through_round: int
    reference: str
    closed: Mapping[int, datetime]


def waive(state: Ledger, regulation: str, preset: Preset, waiver: Waive, by: str) -> Events:
    """Teams waive appeals over closed rounds. Raises AppealsNotAllowed, RoundNotClosed, and AlreadyWaived where all
    have."""
    check_allowed(preset)
    numbers = range(1, waiver.through_round + 1)
    for number in numbers:
        if number not in waiver.closed:
            raise refuse.RoundNotClosed(preset.appeals.window_from.article, round=number)
    there = {team: state.waivers.get(team, Waiver()) for team in waiver.teams}
    giving_up = [t for t in waiver.teams if not all(there[t].covers(n, waiver.closed[n]) for n in numbers)]
    if not giving_up:
        raise refuse.AlreadyWaived(team=", ".join(waiver.teams), round=waiver.through_round)
    return [
        WaiverReceived(
            regulation=regulation,
            by=by,
            competition=state.competition,
            team=team,
            through_round=waiver.through_round,
            closed_at=tuple(waiver.closed[number] for number in numbers),
            reference=waiver.reference,
        )
        for team in giving_up
    ]


# Windows


class Closing(msgspec.Struct, frozen=True, kw_only=True):
    """A window that has closed: of which closing of a round, and its last instant; `waived`: by all teams before it."""

    round: int
    closing: int
    round_closed_at: datetime
    closes: datetime
    waived: bool = False


def close_window(state: Ledger, regulation: str, preset: Preset, closing: Closing, by: str) -> Events:
    """The window over a round has closed: once for each time that the round was closed."""
    if state.windows.get(closing.round) == closing.round_closed_at:
        return []
    return [
        AppealWindowClosed(
            regulation=regulation,
            by=by,
            competition=state.competition,
            round=closing.round,
            closing=closing.closing,
            round_closed_at=closing.round_closed_at,
            closes=closing.closes,
            waived=closing.waived,
            article=preset.appeals.window_hours.article,
        )
    ]


# The books


class Posting(msgspec.Struct, frozen=True):
    """An amount in fen added to an account."""

    account: str
    fen: int


def postings(event: Any) -> tuple[Posting, ...]:
    """What an event enters in the books: one account is given what another gives; nothing for other events."""
    match event:
        case DepositReceived():
            return _moved(event.amount_fen, f"received:{event.appeal}", CASH)
        case DepositConfirmed():
            return _moved(event.amount_fen, f"held:{event.appeal}", f"received:{event.appeal}")
        case DepositRefunded():
            return _moved(event.amount_fen, CASH, f"{event.source}:{event.appeal}")
        case DepositForfeited():
            return _moved(event.amount_fen, FORFEITED, f"held:{event.appeal}")
    return ()


def balances(events: Iterable[Any]) -> dict[str, int]:
    """Every account's balance after these events."""
    books: dict[str, int] = {}
    for event in events:
        book(books, postings(event))
    return books


def book(books: dict[str, int], entry: Iterable[Posting]) -> None:
    """Add an entry to the books in place."""
    for posting in entry:
        books[posting.account] = books.get(posting.account, 0) + posting.fen


def _moved(fen: int, giving: str, receiving: str) -> tuple[Posting, ...]:
    return (Posting(receiving, fen), Posting(giving, -fen))


def _yuan(fen: int) -> str:
    whole, rest = divmod(fen, 100)
    return f"{whole}.{rest:02}" if rest else str(whole)
