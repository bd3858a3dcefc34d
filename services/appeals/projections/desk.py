"""Appeals as their streams and the ledger tell them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from services.appeals.projections.fields import Fields, plain
from shared.contracts.appeals import (
    AppealAccepted,
    AppealDismissed,
    AppealDrafted,
    AppealFiled,
    AppealHeard,
    AppealPartlyUpheld,
    AppealRefused,
    AppealUpheld,
    AppealWithdrawn,
    CommitteeNamed,
    DecisionOverdue,
    DepositConfirmed,
    DepositForfeited,
    DepositReceived,
    DepositRefunded,
    EvidenceFiled,
    EvidenceStruck,
    ReportReceived,
)
from shared.contracts.match import RulingSetAside, SetAsideProposed
from shared.eventsourcing.projector import View
from shared.eventsourcing.records import Envelope


class AppealRow(msgspec.Struct, kw_only=True):
    """An appeal as its stream and the ledger tell it. `version` is its stream's; `order` sorts by when it was begun;
    `listed` is its competition once it is lodged, for what everyone may see; `open` while it is neither decided nor
    over; `overdue` since it was not decided by its date."""

    id: str
    version: int = 0
    competition: str = ""
    appeal: str = ""
    match: str = ""
    round: int = 0
    team: str = ""
    grounds: str = ""
    asks_for: Fields = {}
    begun_at: str = ""
    begun_by: str = ""
    appellant: str | None = None
    officer: str = ""
    order: str = ""
    listed: str = ""
    open: bool = True
    status: str = ""
    reports: list[Fields] = []
    deposit: Fields | None = None
    filed: Fields | None = None
    accepted: Fields | None = None
    committee: Fields | None = None
    evidence: list[Fields] = []
    hearings: list[Fields] = []
    overdue: bool = False
    ended: Fields | None = None
    set_aside: Fields | None = None


def appeal_key(competition: str, appeal: str) -> str:
    """The id of an appeal's row."""
    return f"{competition}/{appeal}"


def _of_appeal(event: Any, _at: Envelope) -> Iterable[str]:
    return (appeal_key(event.competition, event.appeal),)


appeals: View[AppealRow] = View(
    "appeals",
    AppealRow,
    indexes=(
        ("listed", "order"),
        ("competition", "order"),
        ("competition", "team", "order"),
        ("competition", "open", "order"),
    ),
)


@appeals.on(AppealDrafted, keys=_of_appeal)
def drafted(row: AppealRow, event: AppealDrafted, at: Envelope) -> None:
    facts = plain(event)
    for name in ("competition", "appeal", "match", "round", "team", "grounds", "asks_for", "begun_at"):
        setattr(row, name, facts[name])
    row.appellant, row.officer = event.appellant, event.officer
    row.order, row.begun_by = f"{plain(at.received_at)}/{event.appeal}", event.by
    row.status, row.version = "drafted", at.version


@appeals.on(ReportReceived, keys=_of_appeal)
def report_received(row: AppealRow, event: ReportReceived, at: Envelope) -> None:
    facts = plain(event)
    said = ("reference", "bears_seal", "received_at", "on_paper", "officer", "reason", "by")
    row.reports.append({name: facts[name] for name in said})
    row.version = at.version


@appeals.on(AppealFiled, keys=_of_appeal)
def filed(row: AppealRow, event: AppealFiled, at: Envelope) -> None:
    facts = plain(event)
    said = ("report_received_at", "deposit_received_at", "deposit_fen", "deadline", "article")
    row.filed = {name: facts[name] for name in said} | {"lodged_at": plain(at.received_at)}
    row.listed, row.status, row.version = event.competition, "lodged", at.version


@appeals.on(AppealAccepted, keys=_of_appeal)
def accepted(row: AppealRow, event: AppealAccepted, at: Envelope) -> None:
    row.accepted = {"by": event.by, "at": plain(at.received_at)}
    row.status, row.version = "accepted", at.version


@appeals.on(CommitteeNamed, keys=_of_appeal)
def committee_named(row: AppealRow, event: CommitteeNamed, at: Envelope) -> None:
    facts = plain(event)
    said = ("members", "quorum", "decide_by", "reason", "by")
    row.committee = {name: facts[name] for name in said} | {"at": plain(at.received_at)}
    row.version = at.version


@appeals.on(EvidenceFiled, keys=_of_appeal)
def evidence_filed(row: AppealRow, event: EvidenceFiled, at: Envelope) -> None:
    facts = plain(event)
    said = ("evidence", "side", "title", "event", "media", "size", "sha256", "by")
    row.evidence.append({name: facts[name] for name in said} | {"at": plain(at.received_at), "struck": None})
    row.version = at.version


@appeals.on(EvidenceStruck, keys=_of_appeal)
def evidence_struck(row: AppealRow, event: EvidenceStruck, at: Envelope) -> None:
    for one in row.evidence:
        if one["evidence"] == event.evidence:
            one["struck"] = event.reason
    row.version = at.version


@appeals.on(AppealHeard, keys=_of_appeal)
def heard(row: AppealRow, event: AppealHeard, at: Envelope) -> None:
    facts = plain(event)
    row.hearings.append(
        {name: facts[name] for name in ("members", "together_with", "by")} | {"at": plain(at.received_at)}
    )
    row.status, row.version = "heard", at.version


@appeals.on(DecisionOverdue, keys=_of_appeal)
def overdue(row: AppealRow, _event: DecisionOverdue, at: Envelope) -> None:
    row.overdue, row.version = True, at.version


_STATUS: dict[type, str] = {
    AppealRefused: "refused",
    AppealWithdrawn: "withdrawn",
    AppealUpheld: "upheld",
    AppealPartlyUpheld: "partly_upheld",
    AppealDismissed: "dismissed",
}


@appeals.on(AppealRefused, keys=_of_appeal)
@appeals.on(AppealWithdrawn, keys=_of_appeal)
@appeals.on(AppealUpheld, keys=_of_appeal)
@appeals.on(AppealPartlyUpheld, keys=_of_appeal)
@appeals.on(AppealDismissed, keys=_of_appeal)
def ended(row: AppealRow, event: Any, at: Envelope) -> None:
    facts = plain(event)
    said = ("reason", "article", "members", "remedy", "later")
    row.ended = {name: facts.get(name) for name in said} | {"by": event.by, "at": plain(at.received_at)}
    row.open, row.overdue, row.status, row.version = False, False, _STATUS[type(event)], at.version


@appeals.on(DepositReceived, keys=_of_appeal)
def deposit_received(row: AppealRow, event: DepositReceived, _at: Envelope) -> None:
    facts = plain(event)
    row.deposit = {
        "status": "received",
        "amount_fen": event.amount_fen,
        "received_at": facts["received_at"],
        "officer": event.officer,
        "entered_by": event.by,
        "confirmed_by": None,
    }


@appeals.on(DepositConfirmed, keys=_of_appeal)
def deposit_confirmed(row: AppealRow, event: DepositConfirmed, _at: Envelope) -> None:
    row.deposit = {**(row.deposit or {}), "status": "held", "confirmed_by": event.by}


@appeals.on(DepositRefunded, keys=_of_appeal)
def deposit_refunded(row: AppealRow, _event: DepositRefunded, _at: Envelope) -> None:
    row.deposit = {**(row.deposit or {}), "status": "refunded"}


@appeals.on(DepositForfeited, keys=_of_appeal)
def deposit_forfeited(row: AppealRow, _event: DepositForfeited, _at: Envelope) -> None:
    row.deposit = {**(row.deposit or {}), "status": "forfeited"}


@appeals.on(SetAsideProposed, keys=_of_appeal)
@appeals.on(RulingSetAside, keys=_of_appeal)
def set_aside(row: AppealRow, event: SetAsideProposed | RulingSetAside, at: Envelope) -> None:
    facts = plain(event)
    confirmed = isinstance(event, RulingSetAside)
    row.set_aside = {name: facts[name] for name in ("refusal", "refused", "reason")} | {
        "proposed_by": facts.get("proposed_by", event.by),
        "confirmed_by": event.by if confirmed else None,
        "at": plain(at.received_at),
    }
