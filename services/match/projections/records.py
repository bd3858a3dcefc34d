"""The card records of a match's hands. A row is named by the hash of its record, as the hand's own row names it, so
that one which no longer holds, after a correction or a replay, is found by nobody."""

from __future__ import annotations

from typing import Any

import msgspec

from shared.contracts import match as contracts
from shared.eventsourcing.projector import View
from shared.eventsourcing.records import Envelope


class HandRecordRow(msgspec.Struct, kw_only=True):
    """A record as it was handed in, by whom, and the breaches that were found in it then."""

    id: str
    competition: str = ""
    match: str = ""
    hand: int = 0
    hash: str = ""
    by: str = ""
    record: dict[str, Any] = {}
    findings: list[dict[str, Any]] = []


def record_key(competition: str, match: str, hash: str) -> str:
    """The id of a record's row."""
    return f"{competition}/{match}/{hash}"


records: View[HandRecordRow] = View("records", HandRecordRow)


@records.on(contracts.HandRecordKept, keys=lambda event, _: [record_key(event.competition, event.match, event.hash)])
def record_kept(row: HandRecordRow, event: contracts.HandRecordKept, _: Envelope) -> None:
    row.competition, row.match, row.hand = event.competition, event.match, event.hand
    row.hash, row.by, row.record = event.hash, event.by, event.record
    row.findings = msgspec.to_builtins(event.findings)
