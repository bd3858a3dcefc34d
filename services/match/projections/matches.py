"""A match with its hands, penalties, rulings and running score."""

from __future__ import annotations

from typing import Any, cast

import msgspec

from services.match.model import facts, finish_sums
from services.match.model.seated import SIDES, Seated
from shared.contracts import match as contracts
from shared.contracts.fact import FinishFacts, HandFacts, Remedy
from shared.contracts.refusal import Refusal
from shared.eventsourcing.projector import View
from shared.eventsourcing.records import Envelope
from shared.rules.guandan.matches import GuandanSummary
from shared.rules.regulations.preset import Preset
from shared.rules.regulations.reference import resolve_any
from shared.rules.shengji.facts import PenaltyFact
from shared.rules.shengji.sheet import Sheet, hand_fact


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
    level_stage: str | None = None
    teams: list[dict[str, str]] = []
    status: str = "paired"
    hands: list[dict[str, Any]] = []
    conflicts: list[int] = []
    games: list[dict[str, Any]] = []
    penalties: list[dict[str, Any]] = []
    rulings: list[dict[str, Any]] = []
    score: list[dict[str, Any]] = []
    levels: dict[str, str] = {}
    won_by: str | None = None
    next_dealer: int | None = None
    result: dict[str, Any] | None = None
    closed_at: str | None = None
    confirmed: dict[str, dict[str, Any]] = {}
    overdue: bool = False
    unfinished: dict[str, Any] | None = None
    incidents: list[dict[str, Any]] = []

    def counters(self) -> dict[str, dict[str, int]]:
        """By pair and code, how often a penalty was issued in this match and not lifted, warnings among them."""
        found: dict[str, dict[str, int]] = {side: {} for side in SIDES}
        for penalty in self.penalties:
            if penalty["lifted"] is None:
                of = found[penalty["pair"]]
                of[penalty["code"]] = of.get(penalty["code"], 0) + penalty["occasions"]
        return found

    def in_force(self) -> list[Remedy]:
        """The rulings on what is played now: a replay leaves none of those before it."""
        remedies = [msgspec.convert(ruling["remedy"], Remedy) for ruling in self.rulings]
        replays = [n for n, remedy in enumerate(remedies, 1) if remedy.kind == "replay_match"]
        return remedies[replays[-1] if replays else 0 :]

    def in_conflict(self) -> list[dict[str, Any]]:
        """The hands in conflict, each with its versions and which of them counts meanwhile."""
        found = []
        for number in self.conflicts:
            hand = self.hands[number - 1]
            counts = (hand["facts"], hand["record"])
            versions = [{**one, "counts": (one["facts"], one["record"]) == counts} for one in hand["versions"]]
            found.append({"hand": number, "versions": versions})
        return found


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
    row.level_stage, row.status, row.version = event.level_stage, "open", at.version
    _resum(row)


@matches.on(contracts.HandFinished, keys=_match)
@matches.on(contracts.HandPlayed, keys=_match)
def hand_played(row: MatchRow, event: contracts.HandPlayed | contracts.HandFinished, at: Envelope) -> None:
    entered = {"hand": event.hand, "facts": msgspec.to_builtins(event.facts), "by": event.by, "record": event.record}
    row.hands.append(entered | {"held": msgspec.to_builtins(event.held), "corrections": [], "versions": []})
    _versioned(row, event, event.facts)
    _entered(row, at)
    _resum(row)


@matches.on(contracts.HandRecordKept, keys=_match)
def record_kept(row: MatchRow, _event: contracts.HandRecordKept, at: Envelope) -> None:
    row.version = at.version


@matches.on(contracts.FinishCorrected, keys=_match)
@matches.on(contracts.HandCorrected, keys=_match)
def hand_corrected(row: MatchRow, event: contracts.HandCorrected | contracts.FinishCorrected, at: Envelope) -> None:
    hand = row.hands[event.hand - 1]
    before, after = msgspec.to_builtins(event.before), msgspec.to_builtins(event.after)
    hand["facts"], hand["record"] = after, event.record
    hand["corrections"].append({"before": before, "after": after, "reason": event.reason, "by": event.by})
    _versioned(row, event, event.after)
    _entered(row, at)
    _resum(row)


@matches.on(contracts.FinishVersionKept, keys=_match)
@matches.on(contracts.HandVersionKept, keys=_match)
def version_kept(row: MatchRow, event: contracts.HandVersionKept | contracts.FinishVersionKept, at: Envelope) -> None:
    _versioned(row, event, event.facts)
    row.conflicts = sorted({*row.conflicts, event.hand})
    _entered(row, at)


@matches.on(contracts.HandVersionChosen, keys=_match)
def version_chosen(row: MatchRow, event: contracts.HandVersionChosen, at: Envelope) -> None:
    row.conflicts = [hand for hand in row.conflicts if hand != event.hand]
    row.hands[event.hand - 1]["chosen"] = {"version": event.version, "reason": event.reason, "by": event.by}
    row.version = at.version


@matches.on(contracts.GamePlayed, keys=_match)
def game_played(row: MatchRow, event: contracts.GamePlayed, at: Envelope) -> None:
    row.games.append({"game": event.game, "facts": msgspec.to_builtins(event.facts), "by": event.by, "corrections": []})
    _entered(row, at)


@matches.on(contracts.GameCorrected, keys=_match)
def game_corrected(row: MatchRow, event: contracts.GameCorrected, at: Envelope) -> None:
    game = row.games[event.game - 1]
    before, after = msgspec.to_builtins(event.before), msgspec.to_builtins(event.after)
    game["facts"] = after
    game["corrections"].append({"before": before, "after": after, "reason": event.reason, "by": event.by})
    _entered(row, at)


@matches.on(contracts.PenaltyIssued, keys=_match)
def penalty_issued(row: MatchRow, event: contracts.PenaltyIssued, at: Envelope) -> None:
    facts_of = msgspec.to_builtins(event)
    kept = ("penalty", "hand", "claimed_during", "pair", "team", "code", "name", "cards", "occasions", "points")
    also = ("effects", "article", "mark", "reason", "tariff", "lost", "compensation", "by")
    row.penalties.append({name: facts_of[name] for name in (*kept, *also)} | {"lifted": None})
    _entered(row, at)
    _resum(row)


@matches.on(contracts.PenaltyLifted, keys=_match)
def penalty_lifted(row: MatchRow, event: contracts.PenaltyLifted, at: Envelope) -> None:
    for penalty in row.penalties:
        if penalty["penalty"] == event.penalty:
            penalty["lifted"] = {"reason": event.reason, "by": event.by}
    _entered(row, at)
    _resum(row)


@matches.on(contracts.UnfinishedHandNoted, keys=_match)
def unfinished_noted(row: MatchRow, event: contracts.UnfinishedHandNoted, at: Envelope) -> None:
    told = msgspec.to_builtins(event)
    row.unfinished = {name: told[name] for name in ("hand", "phase", "counts", "article", "by", "reason")}
    row.version = at.version


@matches.on(contracts.IncidentNoted, keys=_match)
def incident_noted(row: MatchRow, event: contracts.IncidentNoted, at: Envelope) -> None:
    told = msgspec.to_builtins(event)
    row.incidents.append({name: told[name] for name in ("incident", "hand", "pair", "what", "by", "held")})
    row.version = at.version


@matches.on(contracts.MatchConfirmed, keys=_match)
def match_confirmed(row: MatchRow, event: contracts.MatchConfirmed, at: Envelope) -> None:
    told = msgspec.to_builtins(event)
    row.confirmed[event.pair] = {name: told[name] for name in ("team", "by", "for_pair", "reason", "hands", "levels")}
    row.overdue = row.overdue and len(row.confirmed) < len(SIDES)
    row.version = at.version


@matches.on(contracts.ConfirmationOverdue, keys=_match)
def confirmation_overdue(row: MatchRow, _event: contracts.ConfirmationOverdue, at: Envelope) -> None:
    row.overdue, row.version = True, at.version


@matches.on(contracts.MatchForfeited, keys=_match)
def match_forfeited(row: MatchRow, event: contracts.MatchForfeited, at: Envelope) -> None:
    row.status, row.result, row.version = "forfeited", msgspec.to_builtins(event.result), at.version


@matches.on(contracts.MatchClosed, keys=_match)
def match_closed(row: MatchRow, event: contracts.MatchClosed, at: Envelope) -> None:
    row.status, row.result, row.version = "closed", msgspec.to_builtins(event.result), at.version
    row.closed_at, row.overdue = msgspec.to_builtins(event.closed_at), False


@matches.on(contracts.MatchReopened, keys=_match)
def match_reopened(row: MatchRow, event: contracts.MatchReopened, at: Envelope) -> None:
    row.status, row.result, row.version = "open", None, at.version
    row.closed_at, row.overdue = None, False
    if event.replay:
        row.confirmed, row.incidents, row.unfinished = {}, [], None
        row.hands, row.conflicts, row.games, row.penalties = [], [], [], []
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


@matches.on(contracts.TimeCallLifted, keys=lambda e, _: [match_key(e.competition, name) for name in e.matches])
def time_call_lifted(row: MatchRow, _event: contracts.TimeCallLifted, _: Envelope) -> None:
    row.unfinished = None


@matches.on(contracts.RoundReopened, keys=lambda e, _: [match_key(e.competition, name) for name in e.matches])
def match_round_reopened(row: MatchRow, _event: contracts.RoundReopened, _: Envelope) -> None:
    row.status = "reopened"


@matches.on(contracts.ExtraHandOrdered, keys=lambda e, _: [match_key(e.competition, name) for name in e.matches])
def match_goes_on(row: MatchRow, _event: contracts.ExtraHandOrdered, _: Envelope) -> None:
    row.status, row.result = "reopened", None


@matches.on(contracts.RoundClosed, keys=lambda e, _: [match_key(e.competition, result.match) for result in e.results])
def match_counted(row: MatchRow, event: contracts.RoundClosed, _: Envelope) -> None:
    """What the round counts is the result: a ruling may have come while the match was being closed."""
    row.result = next(
        msgspec.to_builtins(result) for result in event.results if match_key(event.competition, result.match) == row.id
    )


def _entered(row: MatchRow, at: Envelope) -> None:
    """What a pair has confirmed is not what is entered any more."""
    row.version, row.confirmed = at.version, {}


def _versioned(
    row: MatchRow,
    event: contracts.HandPlayed
    | contracts.HandFinished
    | contracts.HandVersionKept
    | contracts.FinishVersionKept
    | contracts.HandCorrected
    | contracts.FinishCorrected,
    facts_: HandFacts | FinishFacts,
) -> None:
    """What was recorded of a hand now is among its versions, once."""
    versions = row.hands[event.hand - 1]["versions"]
    said = {"facts": msgspec.to_builtins(facts_), "record": event.record}
    if said not in [{name: one[name] for name in said} for one in versions]:
        held = msgspec.to_builtins(event.held)
        versions.append({"version": len(versions) + 1, **said, "by": event.by, "held": held})


def _resum(row: MatchRow) -> None:
    """The running score from the facts and rulings, by the same rules that close the match."""
    preset = resolve_any(row.regulation, row.changes)
    penalties = tuple(_penalty(p) for p in row.penalties)
    if isinstance(preset, Preset):
        _resum_points(row, preset, penalties)
        return
    finishes = [msgspec.convert(hand["facts"], FinishFacts) for hand in row.hands]
    found = finish_sums.summary(preset, row.level_stage, finishes, penalties)
    row.score = [_finished(number, found) for number in range(1, len(finishes) + 1)]
    row.levels, row.won_by = cast("dict[str, str]", found.levels), found.won_by


def _finished(number: int, found: GuandanSummary) -> dict[str, Any]:
    """What a hand of 掼蛋 has changed."""
    change = found.changes[number - 1]
    return {
        "hand": number,
        "own": change.own if change else None,
        "gain": dict(change.gain) if change else {},
        "levels": dict(change.levels) if change else {},
        "a_failures": dict(change.a_failures) if change else {},
        "counted": change is not None,
    }


def _resum_points(row: MatchRow, preset: Preset, penalties: tuple[PenaltyFact, ...]) -> None:
    """Where a ruling does not fit the facts any more, it is left out: closing the match will refuse until it does."""
    sheet = Sheet(
        hands=tuple(hand_fact(h["hand"], msgspec.convert(h["facts"], HandFacts)) for h in row.hands),
        penalties=penalties,
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
            "lost": stored.get("lost", 0),
            "compensation": stored.get("compensation", 0),
        },
        PenaltyFact,
    )
