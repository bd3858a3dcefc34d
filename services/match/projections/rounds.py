"""A round as paired, and as it came out."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import msgspec

from shared.contracts import match as contracts
from shared.eventsourcing.projector import View
from shared.eventsourcing.records import Envelope


class RoundRow(msgspec.Struct, kw_only=True):
    """A round as paired, and as it came out. `untimed` are the matches to be played again that began after time was
    last called."""

    id: str
    competition: str = ""
    number: int = 0
    attempt: int = 0
    status: str = ""
    stage: str = ""
    tables: list[dict[str, Any]] = []
    bye: str | None = None
    byes: list[str] = []
    by_hand: str = ""
    absent: list[str] = []
    gave_up: list[str] = []
    why: list[dict[str, str]] = []
    started_at: str | None = None
    minutes: int | None = None
    paused_at: str | None = None
    ends_at: str | None = None
    unfinished_hand: str = ""
    time_called_at: str | None = None
    untimed: list[str] = []
    closings: int = 0
    closed_at: str | None = None
    posted_at: str | None = None
    results: dict[str, dict[str, Any]] = {}

    def is_out_of_time(self, table: dict[str, Any]) -> bool:
        """Whether time was called for a table since its match began; a game of a bracket says how long it is."""
        untimed = bool(table["game"]) and table["minutes"] is None
        return self.time_called_at is not None and table["match"] not in self.untimed and not untimed


def round_key(competition: str, number: int) -> str:
    """The id of a round's row."""
    return f"{competition}/{number}"


rounds: View[RoundRow] = View("rounds", RoundRow, indexes=(("competition", "number"),))


def _round(event: Any, _: Envelope) -> list[str]:
    return [round_key(event.competition, event.round)]


@rounds.on(contracts.RoundPaired, keys=_round)
def round_paired(row: RoundRow, event: contracts.RoundPaired, _: Envelope) -> None:
    row.competition, row.number, row.attempt, row.status = event.competition, event.round, event.attempt, "open"
    row.tables = msgspec.to_builtins(event.matches)
    row.stage, row.by_hand = event.stage, event.by_hand
    row.bye, row.absent = event.bye, list(event.absent)
    row.byes = list(event.byes) or [team for team in (event.bye,) if team is not None]
    row.gave_up, row.why = list(event.gave_up), msgspec.to_builtins(event.why)
    row.time_called_at, row.closed_at, row.posted_at, row.closings, row.results = None, None, None, 0, {}
    row.untimed = []
    row.started_at, row.minutes, row.paused_at, row.ends_at, row.unfinished_hand = None, None, None, None, ""


@rounds.on(contracts.RoundStarted, keys=_round)
def started(row: RoundRow, event: contracts.RoundStarted, _: Envelope) -> None:
    row.paused_at = None
    row.started_at, row.minutes = msgspec.to_builtins(event.started_at), event.minutes
    if event.minutes is not None:
        row.ends_at = msgspec.to_builtins(event.started_at + timedelta(minutes=event.minutes))


@rounds.on(contracts.RoundPaused, keys=_round)
def paused(row: RoundRow, event: contracts.RoundPaused, _: Envelope) -> None:
    row.paused_at = msgspec.to_builtins(event.paused_at)


@rounds.on(contracts.RoundResumed, keys=_round)
def resumed(row: RoundRow, event: contracts.RoundResumed, _: Envelope) -> None:
    row.paused_at, row.ends_at = None, msgspec.to_builtins(event.ends_at)


@rounds.on(contracts.TimeCalled, keys=_round)
def round_time_called(row: RoundRow, event: contracts.TimeCalled, _: Envelope) -> None:
    row.time_called_at, row.unfinished_hand = msgspec.to_builtins(event.called_at), event.unfinished_hand
    row.untimed = []


@rounds.on(contracts.TimeCallLifted, keys=_round)
def time_call_lifted(row: RoundRow, _event: contracts.TimeCallLifted, _: Envelope) -> None:
    row.time_called_at, row.unfinished_hand = None, ""


@rounds.on(contracts.RoundClosed, keys=_round)
def closed(row: RoundRow, event: contracts.RoundClosed, _: Envelope) -> None:
    row.status, row.closings, row.closed_at = "closed", event.closing, msgspec.to_builtins(event.closed_at)
    row.posted_at = None
    row.results = {result.match: msgspec.to_builtins(result) for result in event.results}


@rounds.on(contracts.ResultsPosted, keys=_round)
def posted(row: RoundRow, event: contracts.ResultsPosted, _: Envelope) -> None:
    row.posted_at = msgspec.to_builtins(event.posted_at)


@rounds.on(contracts.RoundReopened, keys=_round)
def reopened(row: RoundRow, event: contracts.RoundReopened, _: Envelope) -> None:
    row.status, row.closed_at = "reopened", None
    for name in event.matches:
        row.results.pop(name, None)


@rounds.on(contracts.RulingApplied, keys=_round)
def round_ruled(row: RoundRow, event: contracts.RulingApplied, _: Envelope) -> None:
    if event.remedy.kind == "replay_match":
        row.status, row.closed_at = "reopened", None
        row.untimed = sorted({*row.untimed, event.match})
        row.results.pop(event.match, None)
    elif event.after is not None:
        row.results[event.match] = msgspec.to_builtins(event.after)
