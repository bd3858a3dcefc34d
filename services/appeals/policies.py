"""What the appeals desk does by itself: lodge what is complete, settle what has ended. Both follow this service's own
events and decide only on the times in them."""

from __future__ import annotations

from typing import Any

from services.appeals.commands import Appeals
from shared.contracts.appeals import (
    AppealDismissed,
    AppealPartlyUpheld,
    AppealRefused,
    AppealUpheld,
    AppealWithdrawn,
    DepositConfirmed,
    DepositReceived,
    ReportReceived,
)
from shared.eventsourcing.handling import Command
from shared.eventsourcing.policy import Policy
from shared.eventsourcing.records import Envelope

LODGING = "appeal-lodging"
DEPOSITS = "appeal-deposits"

ENDINGS = (AppealRefused, AppealWithdrawn, AppealUpheld, AppealPartlyUpheld, AppealDismissed)


def lodge_when_complete(policy: Policy, desk: Appeals) -> None:
    """Report and confirmed deposit come in any order; whichever comes second lodges the appeal."""

    def lodge(event: Any, _at: Envelope, command: Command) -> None:
        desk.lodge(command, event.competition, event.appeal)

    for event in (ReportReceived, DepositConfirmed):
        policy.on(event, lodge)


def settle_when_ended(policy: Policy, desk: Appeals) -> None:
    """When an appeal ends its deposit goes where the regulation sends it; money that was entered while the appeal
    ended goes the same way."""

    def settle(event: Any, _at: Envelope, command: Command) -> None:
        desk.settle(command, event.competition, event.appeal)

    for event in (*ENDINGS, DepositReceived, DepositConfirmed):
        policy.on(event, settle)
