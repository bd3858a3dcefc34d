"""A decision from outside the table becomes a ruling: once, naming what it changes."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from services.match import refusals as refuse
from services.match.model import facts
from services.match.model.matches import Match, Seat
from services.match.model.rounds import Rounds, round_of, seat_of
from shared.contracts.fact import Fact, LaterRounds, MatchResult, Remedy
from shared.contracts.match import RulingApplied
from shared.rules.regulations.preset import Preset


class Decision(msgspec.Struct, frozen=True, kw_only=True):
    """What an appeal's decision asks for."""

    match: str
    remedy: Remedy
    later: LaterRounds | None
    appeal: str
    reason: str
    article: str


def apply(state: Rounds, preset: Preset, played: Match, decision: Decision, by: str) -> Sequence[Fact]:
    """The ruling, with the result before and after (None while the match is not over). `played` is the match's stream.

    Raises NoSuchMatch, RemedyImpossible."""
    seat = seat_of(state, decision.match)
    _check(state, seat, decision)
    before = round_of(state, seat.round).results.get(decision.match) or played.closed
    after = _after(preset, seat, played, before, decision.remedy)
    return [
        RulingApplied(
            regulation=state.regulation,
            by=by,
            competition=state.competition,
            round=seat.round,
            match=decision.match,
            remedy=decision.remedy,
            before=before,
            after=after,
            appeal=decision.appeal,
            reason=decision.reason,
            article=decision.article,
            later=decision.later,
        )
    ]


def _after(preset: Preset, seat: Seat, played: Match, before: MatchResult | None, remedy: Remedy) -> MatchResult | None:
    rulings = (*seat.rulings, remedy)
    facts.with_rulings(preset, seat.seated, played.sheet, rulings)
    if remedy.kind == "replay_match":
        return None
    if before is None or remedy.kind in ("none", "disqualify_team"):
        return before
    if before.how in ("forfeit", "double_absence") and remedy.kind != "award_match":
        return before
    return facts.outcome(preset, seat.seated, played.sheet, rulings)


def _check(state: Rounds, seat: Seat, decision: Decision) -> None:
    """Raises RemedyImpossible for a team that is not in the match, or rounds that were not played."""
    remedy, later = decision.remedy, decision.later
    if remedy.kind in ("award_match", "disqualify_team") and remedy.team not in seat.seated.teams:
        raise refuse.RemedyImpossible("/remedy/team", match=decision.match, reason=f"team {remedy.team} is not in it")
    if later is not None and later.choice == "replay_from":
        first = later.round or 0
        if not seat.round < first <= len(state.rounds):
            raise refuse.RemedyImpossible("/later/round", match=decision.match, reason=f"no later round {later.round}")
