"""One row per match: its facts, and the levels that they make. What a table shows while its round is open."""

from __future__ import annotations

from typing import Any

import msgspec

from services.ranking.projections.folding import Folds, Placed
from shared.contracts.fact import HandFacts, MatchResult, Remedy
from shared.contracts.match import (
    HandCorrected,
    HandPlayed,
    MatchClosed,
    MatchForfeited,
    MatchOpened,
    MatchReopened,
    PenaltyIssued,
    PenaltyLifted,
    RulingApplied,
)
from shared.eventsourcing.projector import View
from shared.rules.regulations.preset import Preset
from shared.rules.regulations.reference import resolve
from shared.rules.shengji.facts import HandFact, PenaltyFact
from shared.rules.shengji.match import resum
from shared.rules.shengji.penalties import price


class MatchRow(Placed, msgspec.Struct, kw_only=True):
    """A match. `levels` and `won_by` are re-summed from hands, penalties and rulings, in the order of `teams`;
    `result` stands from its closing until it is reopened, `opening` is how often that happened."""

    teams: list[str] = []
    regulation: str = ""
    changes: dict[str, Any] = {}
    hands: list[HandFacts] = []
    penalties: list[PenaltyFact] = []
    rulings: list[Remedy] = []
    levels: list[str] = []
    won_by: str | None = None
    opening: int = 0
    result: MatchResult | None = None


def match_key(competition: str, match: str) -> str:
    """The id of a match's row."""
    return f"{competition}/{match}"


matches: View[MatchRow] = View("matches", MatchRow)
match: Folds[MatchRow] = Folds(matches, key=lambda event: match_key(event.competition, event.match))


@match.on(MatchOpened)
def opened(row: MatchRow, event: MatchOpened) -> None:
    row.teams = [team.id for team in event.teams]
    row.regulation, row.changes = event.regulation, dict(event.changes)
    _resum(row)


@match.on(HandPlayed)
def played(row: MatchRow, event: HandPlayed) -> None:
    row.hands.append(event.facts)
    _resum(row)


@match.on(HandCorrected)
def corrected(row: MatchRow, event: HandCorrected) -> None:
    row.hands[event.hand - 1] = event.after
    _resum(row)


@match.on(PenaltyIssued)
def issued(row: MatchRow, event: PenaltyIssued) -> None:
    fields = msgspec.to_builtins(event)
    wanted = {name: fields[name] for name in ("code", "hand", "pair", "points", "effects")}
    row.penalties.append(msgspec.convert(wanted | {"id": event.penalty}, PenaltyFact))
    _resum(row)


@match.on(PenaltyLifted)
def lifted(row: MatchRow, event: PenaltyLifted) -> None:
    row.penalties = _without(row.penalties, event.penalty)
    _resum(row)


@match.on(MatchClosed, MatchForfeited)
def over(row: MatchRow, event: MatchClosed | MatchForfeited) -> None:
    row.result, row.opening = event.result, event.opening


@match.on(MatchReopened)
def reopened(row: MatchRow, event: MatchReopened) -> None:
    row.result, row.opening, row.rulings = None, event.opening, list(event.rulings)
    if event.replay:
        row.hands, row.penalties = [], []
    _resum(row)


@match.on(RulingApplied)
def ruled(row: MatchRow, event: RulingApplied) -> None:
    row.rulings = [] if event.remedy.kind == "replay_match" else [*row.rulings, event.remedy]
    _resum(row)


def _resum(row: MatchRow) -> None:
    """The levels that all facts make as they now are; a match that was not opened has none."""
    if not row.regulation:
        return
    preset = resolve(row.regulation, row.changes)
    hands = [
        HandFact(number=number, dealer_seat=facts.dealer, points=facts.points, trump=facts.trump, levels=facts.levels)
        for number, facts in enumerate(row.hands, 1)
    ]
    penalties = list(row.penalties)
    for number, remedy in enumerate(row.rulings, 1):
        hands, penalties = _with_ruling(preset, hands, penalties, remedy, f"ruling-{number}")
    summed = resum(preset, hands, penalties)
    row.levels = [summed.levels["13"], summed.levels["24"]]
    row.won_by = None if summed.won_by is None else row.teams[0 if summed.won_by == "13" else 1]


def _with_ruling(
    preset: Preset, hands: list[HandFact], penalties: list[PenaltyFact], remedy: Remedy, name: str
) -> tuple[list[HandFact], list[PenaltyFact]]:
    """The facts as a ruling leaves them; one that concerns no hand and no penalty leaves them as they are."""
    if remedy.kind == "correct_hand" and remedy.facts is not None:
        facts = remedy.facts
        change = {"dealer_seat": facts.dealer, "points": facts.points, "trump": facts.trump, "levels": facts.levels}
        return _with_hand(hands, remedy.hand, change), penalties
    if remedy.kind == "annul_hand":
        return _with_hand(hands, remedy.hand, {"annulled": True}), penalties
    if remedy.kind == "lift_penalty":
        return hands, _without(penalties, remedy.penalty)
    if remedy.kind == "impose_penalty" and remedy.hand is not None and remedy.pair is not None:
        priced = price(preset, remedy.code or "", remedy.cards)
        imposed = PenaltyFact(
            id=name,
            code=priced.code,
            hand=remedy.hand,
            pair=remedy.pair,
            points=priced.points,
            effects=priced.effects,
        )
        return hands, [*penalties, imposed]
    return hands, penalties


def _with_hand(hands: list[HandFact], number: int | None, change: dict[str, Any]) -> list[HandFact]:
    return [msgspec.structs.replace(hand, **change) if hand.number == number else hand for hand in hands]


def _without(penalties: list[PenaltyFact], id: str | None) -> list[PenaltyFact]:
    return [msgspec.structs.replace(one, lifted=True) if one.id == id else one for one in penalties]
