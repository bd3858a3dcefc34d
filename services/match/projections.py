"""Match's read model: what it knows of a competition, its rounds, its matches."""

from __future__ import annotations

from datetime import datetime
from typing import Any, cast

import msgspec

from services.match.model import facts
from services.match.model.facts import SIDES, Seated
from services.match.model.places import Appealed
from services.match.model.rounds import Entered
from shared.contracts import appeals, registration
from shared.contracts import match as contracts
from shared.contracts.fact import HandFacts, Remedy, Team
from shared.contracts.refusal import Refusal
from shared.eventsourcing.projector import Projection, View
from shared.eventsourcing.records import Envelope
from shared.rules.regulations.reference import resolve
from shared.rules.shengji.facts import PenaltyFact
from shared.rules.shengji.sheet import Sheet, hand_fact

UNDECIDED = ("filed", "accepted", "heard")


class CompetitionRow(msgspec.Struct, kw_only=True):
    """A competition: what registration said of it, how its appeals stand, and how far its rounds are."""

    id: str
    version: int = 0
    regulation: str = ""
    changes: dict[str, Any] = {}
    name: str = ""
    entries_close: str = ""
    zone: str = "UTC"
    entries_closed: bool = False
    cancelled: bool = False
    teams: dict[str, dict[str, str]] = {}
    withdrawn_entries: list[str] = []
    appeals: dict[str, str] = {}
    deposits: list[str] = []
    ruled: list[str] = []
    waived: dict[str, list[str]] = {}
    commitment: str = ""
    seed: str = ""
    drawn: list[dict[str, Any]] = []
    withdrawn: dict[str, int] = {}
    absent: list[dict[str, Any]] = []
    rounds_planned: int = 0
    rounds: list[dict[str, Any]] = []
    lots: list[list[str]] = []
    proposed: dict[str, Any] | None = None
    declared: dict[str, Any] | None = None

    def entered(self) -> Entered:
        """As the decisions take it; a team whose entry was withdrawn is not in it."""
        teams = [msgspec.convert(team, Team) for id, team in self.teams.items() if id not in self.withdrawn_entries]
        return Entered(
            regulation=self.regulation,
            changes=self.changes,
            closes_at=datetime.fromisoformat(self.entries_close),
            zone=self.zone,
            entries_closed=self.entries_closed,
            cancelled=self.cancelled,
            teams=tuple(sorted(teams, key=lambda team: team.id)),
        )

    def undecided(self) -> list[str]:
        """Appeals that are lodged and not at their end, and those whose deposit was handed over but not confirmed yet:
        the time of entry counts, so such a one may still be in time."""
        lodged = {appeal for appeal, status in self.appeals.items() if status in UNDECIDED}
        return sorted(lodged | (set(self.deposits) - set(self.appeals)))

    def appealed(self) -> Appealed:
        """As the declaration of places takes it."""
        waived = {team: [datetime.fromisoformat(at) for at in closings] for team, closings in self.waived.items()}
        return Appealed(undecided=tuple(self.undecided()), ruled=tuple(self.ruled), waived=waived)


competitions: View[CompetitionRow] = View("competitions", CompetitionRow)


@competitions.on(registration.CompetitionAnnounced)
def announced(row: CompetitionRow, event: registration.CompetitionAnnounced, _: Envelope) -> None:
    row.regulation, row.changes, row.name = event.regulation, event.changes, event.name
    row.entries_close, row.zone = event.entries_close.isoformat(), event.zone


@competitions.on(registration.CompetitionAmended)
def amended(row: CompetitionRow, event: registration.CompetitionAmended, _: Envelope) -> None:
    row.name = event.after.get("name", row.name)
    row.entries_close = event.after.get("entries_close", row.entries_close)


@competitions.on(registration.CompetitionCancelled)
def cancelled(row: CompetitionRow, _event: registration.CompetitionCancelled, _: Envelope) -> None:
    row.cancelled = True


@competitions.on(registration.EntrySubmitted)
def entered(row: CompetitionRow, event: registration.EntrySubmitted, _: Envelope) -> None:
    row.teams[event.team.id] = msgspec.to_builtins(event.team)
    row.withdrawn_entries = [team for team in row.withdrawn_entries if team != event.team.id]


@competitions.on(registration.EntryWithdrawn)
def entry_withdrawn(row: CompetitionRow, event: registration.EntryWithdrawn, _: Envelope) -> None:
    row.withdrawn_entries.append(event.team)


@competitions.on(registration.EntriesClosed)
def entries_closed(row: CompetitionRow, _event: registration.EntriesClosed, _: Envelope) -> None:
    row.entries_closed = True


def _appeal(status: str) -> Any:
    def fold(row: CompetitionRow, event: Any, _: Envelope) -> None:
        row.appeals[event.appeal] = status

    return fold


for _event, _status in (
    (appeals.AppealFiled, "filed"),
    (appeals.AppealAccepted, "accepted"),
    (appeals.AppealHeard, "heard"),
    (appeals.AppealRefused, "refused"),
    (appeals.AppealWithdrawn, "withdrawn"),
    (appeals.AppealDismissed, "decided"),
):
    competitions.on(_event)(_appeal(_status))


@competitions.on(appeals.AppealPartlyUpheld)
@competitions.on(appeals.AppealUpheld)
def upheld(row: CompetitionRow, event: appeals.AppealUpheld | appeals.AppealPartlyUpheld, _: Envelope) -> None:
    row.appeals[event.appeal] = "decided"
    if event.remedy.kind != "none":
        row.ruled = sorted({*row.ruled, event.appeal})


@competitions.on(appeals.DepositReceived)
def deposited(row: CompetitionRow, event: appeals.DepositReceived, _: Envelope) -> None:
    row.deposits = sorted({*row.deposits, event.appeal})


@competitions.on(appeals.DepositRefunded)
def refunded(row: CompetitionRow, event: appeals.DepositRefunded, _: Envelope) -> None:
    row.deposits = [appeal for appeal in row.deposits if appeal != event.appeal]


@competitions.on(appeals.WaiverReceived)
def waived(row: CompetitionRow, event: appeals.WaiverReceived, _: Envelope) -> None:
    closings: list[str] = msgspec.to_builtins(event.closed_at)
    row.waived[event.team] = [*closings, *row.waived.get(event.team, [])[len(closings) :]]


@competitions.on(contracts.SeedCommitted)
def seed_committed(row: CompetitionRow, event: contracts.SeedCommitted, at: Envelope) -> None:
    row.commitment, row.version = event.commitment, at.version


@competitions.on(contracts.DrawMade)
def drawn(row: CompetitionRow, event: contracts.DrawMade, at: Envelope) -> None:
    row.seed, row.drawn, row.version = event.seed, msgspec.to_builtins(event.teams), at.version


@competitions.on(contracts.RoundPaired)
def paired(row: CompetitionRow, event: contracts.RoundPaired, at: Envelope) -> None:
    row.rounds_planned, row.version = event.rounds_planned, at.version
    row.rounds = [r for r in row.rounds if r["number"] < event.round]
    row.rounds.append({"number": event.round, "attempt": event.attempt, "status": "open", "closed_at": None})


@competitions.on(contracts.TeamAbsent)
def absent(row: CompetitionRow, event: contracts.TeamAbsent, at: Envelope) -> None:
    row.absent.append({"team": event.team, "round": event.round, "reason": event.reason})
    row.version = at.version


@competitions.on(contracts.TeamWithdrawn)
def team_withdrawn(row: CompetitionRow, event: contracts.TeamWithdrawn, at: Envelope) -> None:
    row.withdrawn[event.team], row.version = event.from_round, at.version


@competitions.on(contracts.RoundClosed)
def round_closed(row: CompetitionRow, event: contracts.RoundClosed, at: Envelope) -> None:
    _set_round(row, event.round, "closed", msgspec.to_builtins(event.closed_at))
    row.version = at.version


@competitions.on(contracts.RoundReopened)
def round_reopened(row: CompetitionRow, event: contracts.RoundReopened, at: Envelope) -> None:
    _set_round(row, event.round, "reopened", None)
    row.version = at.version


@competitions.on(contracts.TimeCalled)
@competitions.on(contracts.ResultsPosted)
def took_its_course(row: CompetitionRow, _event: contracts.TimeCalled | contracts.ResultsPosted, at: Envelope) -> None:
    row.version = at.version


@competitions.on(contracts.RulingApplied)
def ruled(row: CompetitionRow, event: contracts.RulingApplied, at: Envelope) -> None:
    row.version = at.version
    if event.remedy.kind == "replay_match":
        _set_round(row, event.round, "reopened", None)
    if event.later and event.later.choice == "replay_from" and event.later.round:
        row.rounds = [r for r in row.rounds if r["number"] < (event.later.round or 0)]


@competitions.on(contracts.LotDrawn)
def lot_drawn(row: CompetitionRow, event: contracts.LotDrawn, at: Envelope) -> None:
    row.lots.append(list(event.order))
    row.version = at.version


@competitions.on(contracts.PlacesProposed)
def proposed(row: CompetitionRow, event: contracts.PlacesProposed, at: Envelope) -> None:
    row.proposed, row.version = msgspec.to_builtins(event), at.version


@competitions.on(contracts.PlacesDeclared)
def declared(row: CompetitionRow, event: contracts.PlacesDeclared, at: Envelope) -> None:
    row.declared, row.version = msgspec.to_builtins(event), at.version


def _set_round(row: CompetitionRow, number: int, status: str, closed_at: str | None) -> None:
    for current in row.rounds:
        if current["number"] == number:
            current["status"], current["closed_at"] = status, closed_at


class RoundRow(msgspec.Struct, kw_only=True):
    """A round as paired, and as it came out."""

    id: str
    competition: str = ""
    number: int = 0
    attempt: int = 0
    status: str = ""
    tables: list[dict[str, Any]] = []
    bye: str | None = None
    absent: list[str] = []
    gave_up: list[str] = []
    why: list[dict[str, str]] = []
    time_called_at: str | None = None
    closings: int = 0
    closed_at: str | None = None
    posted_at: str | None = None
    results: dict[str, dict[str, Any]] = {}


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
    row.bye, row.absent = event.bye, list(event.absent)
    row.gave_up, row.why = list(event.gave_up), msgspec.to_builtins(event.why)
    row.time_called_at, row.closed_at, row.posted_at, row.closings, row.results = None, None, None, 0, {}


@rounds.on(contracts.TimeCalled, keys=_round)
def round_time_called(row: RoundRow, event: contracts.TimeCalled, _: Envelope) -> None:
    row.time_called_at = msgspec.to_builtins(event.called_at)


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
        row.results.pop(event.match, None)
    elif event.after is not None:
        row.results[event.match] = msgspec.to_builtins(event.after)


class MatchRow(msgspec.Struct, kw_only=True):
    """A match: who plays, its hands with the running score, its penalties, rulings and result. `version` is that of
    its own stream, 0 while nothing was entered."""

    id: str
    version: int = 0
    competition: str = ""
    match: str = ""
    round: int = 0
    table: int = 0
    regulation: str = ""
    changes: dict[str, Any] = {}
    teams: list[dict[str, str]] = []
    status: str = "paired"
    hands: list[dict[str, Any]] = []
    penalties: list[dict[str, Any]] = []
    rulings: list[dict[str, Any]] = []
    score: list[dict[str, Any]] = []
    levels: dict[str, str] = {}
    won_by: str | None = None
    next_dealer: int | None = None
    result: dict[str, Any] | None = None

    def in_force(self) -> list[Remedy]:
        """The rulings on what is played now: a replay leaves none of those before it."""
        remedies = [msgspec.convert(ruling["remedy"], Remedy) for ruling in self.rulings]
        replays = [n for n, remedy in enumerate(remedies, 1) if remedy.kind == "replay_match"]
        return remedies[replays[-1] if replays else 0 :]


def match_key(competition: str, name: str) -> str:
    """The id of a match's row."""
    return f"{competition}/{name}"


matches: View[MatchRow] = View("matches", MatchRow, indexes=(("competition", "match"),))


def _match(event: Any, _: Envelope) -> list[str]:
    return [match_key(event.competition, event.match)]


@matches.on(contracts.MatchOpened, keys=_match)
def opened(row: MatchRow, event: contracts.MatchOpened, at: Envelope) -> None:
    row.competition, row.match, row.round, row.table = event.competition, event.match, event.round, event.table
    row.regulation, row.changes, row.teams = event.regulation, event.changes, msgspec.to_builtins(event.teams)
    row.status, row.version = "open", at.version
    _resum(row)


@matches.on(contracts.HandPlayed, keys=_match)
def hand_played(row: MatchRow, event: contracts.HandPlayed, at: Envelope) -> None:
    row.hands.append({"hand": event.hand, "facts": msgspec.to_builtins(event.facts), "by": event.by, "corrections": []})
    row.version = at.version
    _resum(row)


@matches.on(contracts.HandCorrected, keys=_match)
def hand_corrected(row: MatchRow, event: contracts.HandCorrected, at: Envelope) -> None:
    hand = row.hands[event.hand - 1]
    before, after = msgspec.to_builtins(event.before), msgspec.to_builtins(event.after)
    hand["facts"] = after
    hand["corrections"].append({"before": before, "after": after, "reason": event.reason, "by": event.by})
    row.version = at.version
    _resum(row)


@matches.on(contracts.PenaltyIssued, keys=_match)
def penalty_issued(row: MatchRow, event: contracts.PenaltyIssued, at: Envelope) -> None:
    facts_of = msgspec.to_builtins(event)
    kept = ("penalty", "hand", "claimed_during", "pair", "team", "code", "name", "cards", "occasions", "points")
    also = ("effects", "article", "mark", "reason", "by")
    row.penalties.append({name: facts_of[name] for name in (*kept, *also)} | {"lifted": None})
    row.version = at.version
    _resum(row)


@matches.on(contracts.PenaltyLifted, keys=_match)
def penalty_lifted(row: MatchRow, event: contracts.PenaltyLifted, at: Envelope) -> None:
    for penalty in row.penalties:
        if penalty["penalty"] == event.penalty:
            penalty["lifted"] = {"reason": event.reason, "by": event.by}
    row.version = at.version
    _resum(row)


@matches.on(contracts.MatchForfeited, keys=_match)
def match_forfeited(row: MatchRow, event: contracts.MatchForfeited, at: Envelope) -> None:
    row.status, row.result, row.version = "forfeited", msgspec.to_builtins(event.result), at.version


@matches.on(contracts.MatchClosed, keys=_match)
def match_closed(row: MatchRow, event: contracts.MatchClosed, at: Envelope) -> None:
    row.status, row.result, row.version = "closed", msgspec.to_builtins(event.result), at.version


@matches.on(contracts.MatchReopened, keys=_match)
def match_reopened(row: MatchRow, event: contracts.MatchReopened, at: Envelope) -> None:
    row.status, row.result, row.version = "open", None, at.version
    if event.replay:
        row.hands, row.penalties = [], []
    _resum(row)


@matches.on(contracts.RulingApplied, keys=_match)
def match_ruled(row: MatchRow, event: contracts.RulingApplied, _: Envelope) -> None:
    ruling = msgspec.to_builtins(event)
    row.rulings.append({name: ruling[name] for name in ("remedy", "before", "after", "appeal", "reason", "article")})
    if event.remedy.kind == "replay_match":
        row.status, row.result = "reopened", None
    elif event.after is not None:
        row.result = ruling["after"]
    if row.teams:
        _resum(row)


@matches.on(contracts.RoundReopened, keys=lambda e, _: [match_key(e.competition, name) for name in e.matches])
def match_round_reopened(row: MatchRow, _event: contracts.RoundReopened, _: Envelope) -> None:
    row.status = "reopened"


@matches.on(contracts.RoundClosed, keys=lambda e, _: [match_key(e.competition, result.match) for result in e.results])
def match_counted(row: MatchRow, event: contracts.RoundClosed, _: Envelope) -> None:
    """What the round counts is the result: a ruling may have come while the match was being closed."""
    row.result = next(
        msgspec.to_builtins(result) for result in event.results if match_key(event.competition, result.match) == row.id
    )


def _resum(row: MatchRow) -> None:
    """The running score from the facts and rulings, by the same rules that close the match. Where a ruling does not
    fit the facts any more, it is left out: closing the match will refuse until it does."""
    preset = resolve(row.regulation, row.changes)
    sheet = Sheet(
        hands=tuple(hand_fact(h["hand"], msgspec.convert(h["facts"], HandFacts)) for h in row.hands),
        penalties=tuple(_penalty(p) for p in row.penalties),
    )
    seated = Seated(match=row.match, table=row.table, teams=(row.teams[0]["id"], row.teams[1]["id"]))
    try:
        found = facts.summary(preset, facts.with_rulings(preset, seated, sheet, row.in_force()))
    except Refusal:
        found = facts.summary(preset, sheet)
    row.score = [
        {
            "hand": hand.number,
            "dealer": hand.dealer_seat,
            "due_dealer": hand.due_dealer,
            "points": hand.points,
            "penalty_points": hand.penalty_points,
            "attacker_points": hand.attacker_points,
            "gain": {hand.dealer_pair: hand.dealer_gain, _other(hand.dealer_pair): hand.attacker_gain},
            "levels": dict(hand.levels_after),
            "counted": hand.counted,
        }
        for hand in found.rows
    ]
    row.levels = cast("dict[str, str]", found.levels)
    row.won_by, row.next_dealer = found.won_by, found.next_dealer


def _other(pair: str) -> str:
    return SIDES[1] if pair == SIDES[0] else SIDES[0]


def _penalty(stored: dict[str, Any]) -> PenaltyFact:
    return msgspec.convert(
        {
            "id": stored["penalty"],
            "code": stored["code"],
            "hand": stored["hand"],
            "pair": stored["pair"],
            "points": stored["points"],
            "lifted": stored["lifted"] is not None,
            "effects": stored["effects"],
        },
        PenaltyFact,
    )


PROJECTION = Projection("match", 4, ["registration", "match", "appeals"], [competitions, rounds, matches])
