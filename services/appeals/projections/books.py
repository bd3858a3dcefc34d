"""The deposit ledger of a competition, and the waivers of its teams."""

from __future__ import annotations

from typing import Any

import msgspec

from services.appeals.ledger import Waiver, book, postings
from services.appeals.projections.fields import Fields, plain
from shared.contracts.appeals import (
    AppealWindowClosed,
    DepositConfirmed,
    DepositForfeited,
    DepositReceived,
    DepositRefunded,
    WaiverReceived,
)
from shared.eventsourcing.projector import View
from shared.eventsourcing.records import Envelope


class LedgerRow(msgspec.Struct, kw_only=True):
    """A competition's books: every entry with its postings, every account's balance, the waivers by team, and the
    windows that were recorded as closed, by round. `version` is the ledger stream's."""

    id: str
    version: int = 0
    entries: list[Fields] = []
    accounts: dict[str, int] = {}
    moved: dict[str, int] = {}
    waivers: dict[str, Fields] = {}
    windows: dict[str, Fields] = {}

    def waiver(self, team: str) -> Waiver:
        """What a team waived."""
        return msgspec.convert(self.waivers.get(team, {}), Waiver)


ledgers: View[LedgerRow] = View("ledgers", LedgerRow)

_ENTRY: dict[type, str] = {
    DepositReceived: "received",
    DepositConfirmed: "confirmed",
    DepositRefunded: "refunded",
    DepositForfeited: "forfeited",
}


@ledgers.on(DepositReceived)
@ledgers.on(DepositConfirmed)
@ledgers.on(DepositRefunded)
@ledgers.on(DepositForfeited)
def booked(row: LedgerRow, event: Any, at: Envelope) -> None:
    kind, facts = _ENTRY[type(event)], plain(event)
    entry = postings(event)
    row.entries.append(
        {"number": at.version, "at": plain(at.received_at), "kind": kind, "postings": plain(entry)}
        | {name: facts[name] for name in ("appeal", "amount_fen", "by")}
        | {name: facts.get(name) for name in ("received_at", "officer", "reason", "article")}
    )
    book(row.accounts, entry)
    row.moved[kind] = row.moved.get(kind, 0) + event.amount_fen
    row.version = at.version


@ledgers.on(WaiverReceived)
def waived(row: LedgerRow, event: WaiverReceived, at: Envelope) -> None:
    row.waivers[event.team] = plain(row.waiver(event.team).and_then(event.closed_at))
    row.version = at.version


@ledgers.on(AppealWindowClosed)
def window_closed(row: LedgerRow, event: AppealWindowClosed, at: Envelope) -> None:
    facts = plain(event)
    said = ("closing", "round_closed_at", "closes", "waived")
    row.windows[str(event.round)] = {name: facts[name] for name in said} | {"recorded_at": plain(at.received_at)}
    row.version = at.version
