"""What happens around the table of a match: devices, who has come, who sits where; and when a match that both pairs
have to confirm is overdue."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import msgspec

from services.match.model.seated import SIDES
from services.match.projections.matches import match_key
from shared.contracts import match as contracts
from shared.eventsourcing.clock import to_micros
from shared.eventsourcing.projector import View
from shared.eventsourcing.records import Envelope
from shared.rules.regulations.reference import resolve_any

UNSIGNED = "unsigned"


class TableRow(msgspec.Struct, kw_only=True):
    """A table for one match. `version` is that of its stream."""

    id: str
    version: int = 0
    claims: list[dict[str, str]] = []
    checked_in: dict[str, str] = {}
    line_ups: dict[str, dict[str, int]] = {}
    substitutions: list[dict[str, Any]] = []


class SigningRow(msgspec.Struct, kw_only=True):
    """A match that is closed and not confirmed by both pairs: while `watched` is UNSIGNED, that is overdue after the
    instant `due_at` (µs)."""

    id: str
    watched: str = ""
    due_at: int = 0
    competition: str = ""
    match: str = ""
    minutes: int = 0
    opening: int = 0
    confirmed: list[str] = []


tables: View[TableRow] = View("tables", TableRow)
signings: View[SigningRow] = View("signings", SigningRow, indexes=(("watched", "due_at"),))


def _match(event: Any, _: Envelope) -> list[str]:
    return [match_key(event.competition, event.match)]


@tables.on(contracts.TableClaimed, keys=_match)
def claimed(row: TableRow, event: contracts.TableClaimed, at: Envelope) -> None:
    row.claims.append({"device": event.device, "by": event.by})
    row.version = at.version


@tables.on(contracts.TableReleased, keys=_match)
def released(row: TableRow, event: contracts.TableReleased, at: Envelope) -> None:
    row.claims = [claim for claim in row.claims if claim["device"] != event.device]
    row.version = at.version


@tables.on(contracts.TeamCheckedIn, keys=_match)
def checked_in(row: TableRow, event: contracts.TeamCheckedIn, at: Envelope) -> None:
    row.checked_in[event.team] = msgspec.to_builtins(event.checked_in_at)
    row.version = at.version


@tables.on(contracts.LineUpGiven, keys=_match)
def lined_up(row: TableRow, event: contracts.LineUpGiven, at: Envelope) -> None:
    row.line_ups[event.team] = event.seats
    row.version = at.version


@tables.on(contracts.PlayerSubstituted, keys=_match)
def substituted(row: TableRow, event: contracts.PlayerSubstituted, at: Envelope) -> None:
    told = msgspec.to_builtins(event)
    row.line_ups[event.team] = {**row.line_ups[event.team], str(event.seat): event.came}
    row.substitutions.append({name: told[name] for name in ("team", "seat", "left", "came", "hand", "reason", "by")})
    row.version = at.version


@signings.on(contracts.MatchOpened, keys=_match)
def opened(row: SigningRow, event: contracts.MatchOpened, _: Envelope) -> None:
    minutes = resolve_any(event.regulation, event.changes).match.confirm_minutes
    row.competition, row.match, row.minutes = event.competition, event.match, minutes.value if minutes else 0


@signings.on(contracts.MatchClosed, keys=_match)
def closed(row: SigningRow, event: contracts.MatchClosed, _: Envelope) -> None:
    """Nobody confirms a match that a ruling awarded; one that does not say when it was closed is overdue at no time."""
    row.opening = event.opening
    if row.minutes and event.ended != "ruling" and event.closed_at is not None:
        row.due_at = to_micros(event.closed_at + timedelta(minutes=row.minutes))
        row.watched = UNSIGNED if len(row.confirmed) < len(SIDES) else ""


@signings.on(contracts.MatchConfirmed, keys=_match)
def confirmed(row: SigningRow, event: contracts.MatchConfirmed, _: Envelope) -> None:
    row.confirmed = sorted({*row.confirmed, event.pair})
    if len(row.confirmed) == len(SIDES):
        row.watched = ""


@signings.on(contracts.MatchReopened, keys=_match)
@signings.on(contracts.ConfirmationOverdue, keys=_match)
def not_waited_for(row: SigningRow, _event: Any, _: Envelope) -> None:
    row.watched = ""


def _unsigned(row: SigningRow, _event: Any, _: Envelope) -> bool:
    """Few hands come after a confirmation."""
    changes = bool(row.confirmed)
    row.confirmed = []
    return changes


for _event in (
    contracts.HandPlayed,
    contracts.HandCorrected,
    contracts.HandVersionKept,
    contracts.HandFinished,
    contracts.FinishVersionKept,
    contracts.FinishCorrected,
    contracts.GamePlayed,
    contracts.GameCorrected,
    contracts.PenaltyIssued,
    contracts.PenaltyLifted,
):
    signings.on(_event, keys=_match)(_unsigned)
