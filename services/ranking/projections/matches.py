"""One row per match: its facts, of which the levels are summed that a table shows while its round is open."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from services.ranking.projections.folding import Folds, Telling
from shared.contracts.fact import FinishFacts, HandFacts, MatchResult, Remedy
from shared.contracts.match import (
    FinishCorrected,
    FinishVersionKept,
    HandCorrected,
    HandFinished,
    HandPlayed,
    HandVersionChosen,
    HandVersionKept,
    MatchClosed,
    MatchForfeited,
    MatchOpened,
    MatchReopened,
    PenaltyIssued,
    PenaltyLifted,
    RulingApplied,
)
from shared.eventsourcing.projector import View
from shared.rules.guandan.charges import Charge, summed
from shared.rules.guandan.levels import read_stage
from shared.rules.guandan.matches import GuandanHand
from shared.rules.regulations.preset import Level, Preset
from shared.rules.regulations.reference import resolve_any
from shared.rules.shengji.facts import Pair, PenaltyFact
from shared.rules.shengji.match import resum
from shared.rules.shengji.remedies import with_remedies
from shared.rules.shengji.sheet import Sheet, hand_fact


class MatchRow(Telling, msgspec.Struct, kw_only=True):
    """A match. `result` stands from its closing until it is reopened, `opening` is how often that happened."""

    teams: list[str] = []
    regulation: str = ""
    changes: dict[str, Any] = {}
    level_stage: str | None = None
    hands: list[HandFacts] = []
    conflicts: list[int] = []
    finishes: list[FinishFacts] = []
    penalties: list[PenaltyFact] = []
    rulings: list[Remedy] = []
    opening: int = 0
    result: MatchResult | None = None


class Sum(msgspec.Struct, frozen=True, kw_only=True):
    """What hands, penalties and rulings make: levels in the order of the teams, and the team that has won."""

    levels: tuple[str, ...]
    won_by: str | None


def sum_of(row: MatchRow) -> Sum | None:
    """Summed anew from all facts as they are; None for a match that was not opened. It is for those who look: a match
    is shown more rarely than hands are entered."""
    if not row.regulation:
        return None
    preset = resolve_any(row.regulation, row.changes)
    if not isinstance(preset, Preset):
        finished = [GuandanHand(number=number, finish=one.finish) for number, one in enumerate(row.finishes, 1)]
        found = summed(preset, read_stage(row.level_stage), finished, [_charge(one) for one in row.penalties])
        return _sum(row, found.levels, found.won_by)
    hands = tuple(hand_fact(number, facts) for number, facts in enumerate(row.hands, 1))
    sheet = with_remedies(preset, Sheet(hands=hands, penalties=tuple(row.penalties)), row.rulings)
    played = resum(preset, sheet.hands, sheet.penalties)
    return _sum(row, played.levels, played.won_by)


def _sum(row: MatchRow, levels: Mapping[Pair, Level], won_by: Pair | None) -> Sum:
    winner = None if won_by is None else row.teams[0 if won_by == "13" else 1]
    return Sum(levels=(levels["13"], levels["24"]), won_by=winner)


def _charge(penalty: PenaltyFact) -> Charge:
    return Charge(
        code=penalty.code, hand=penalty.hand, pair=penalty.pair, effects=penalty.effects, lifted=penalty.lifted
    )


def match_key(competition: str, match: str) -> str:
    """The id of a match's row."""
    return f"{competition}/{match}"


matches: View[MatchRow] = View("matches", MatchRow)
match: Folds[MatchRow] = Folds(matches, key=lambda event: match_key(event.competition, event.match))


@match.on(MatchOpened)
def opened(row: MatchRow, event: MatchOpened) -> None:
    row.teams = [team.id for team in event.teams]
    row.regulation, row.changes = event.regulation, dict(event.changes)
    row.level_stage = event.level_stage


@match.on(HandPlayed)
def played(row: MatchRow, event: HandPlayed) -> None:
    row.hands.append(event.facts)


@match.on(HandCorrected)
def corrected(row: MatchRow, event: HandCorrected) -> None:
    row.hands[event.hand - 1] = event.after


@match.on(HandVersionKept, FinishVersionKept)
def in_conflict(row: MatchRow, event: HandVersionKept | FinishVersionKept) -> None:
    row.conflicts = sorted({*row.conflicts, event.hand})


@match.on(HandVersionChosen)
def chosen(row: MatchRow, event: HandVersionChosen) -> None:
    row.conflicts = [hand for hand in row.conflicts if hand != event.hand]


@match.on(HandFinished)
def finished(row: MatchRow, event: HandFinished) -> None:
    row.finishes.append(event.facts)


@match.on(FinishCorrected)
def finish_corrected(row: MatchRow, event: FinishCorrected) -> None:
    row.finishes[event.hand - 1] = event.after


@match.on(PenaltyIssued)
def issued(row: MatchRow, event: PenaltyIssued) -> None:
    fields = msgspec.to_builtins(event)
    wanted = {name: fields[name] for name in ("code", "hand", "pair", "points", "effects", "lost", "compensation")}
    row.penalties.append(msgspec.convert(wanted | {"id": event.penalty}, PenaltyFact))


@match.on(PenaltyLifted)
def lifted(row: MatchRow, event: PenaltyLifted) -> None:
    row.penalties = _without(row.penalties, event.penalty)


@match.on(MatchClosed, MatchForfeited)
def over(row: MatchRow, event: MatchClosed | MatchForfeited) -> None:
    row.result, row.opening = event.result, event.opening


@match.on(MatchReopened)
def reopened(row: MatchRow, event: MatchReopened) -> None:
    row.result, row.opening, row.rulings = None, event.opening, list(event.rulings)
    if event.replay:
        row.hands, row.finishes, row.conflicts, row.penalties = [], [], [], []


@match.on(RulingApplied)
def ruled(row: MatchRow, event: RulingApplied) -> None:
    row.rulings = [] if event.remedy.kind == "replay_match" else [*row.rulings, event.remedy]


def _without(penalties: list[PenaltyFact], id: str | None) -> list[PenaltyFact]:
    return [msgspec.structs.replace(one, lifted=True) if one.id == id else one for one in penalties]
