"""From recorded facts to a match's result: the one way, at closing, at a ruling and on every page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, cast

from services.match import refusals as refuse
from services.match.model.boards import game_outcome
from services.match.model.seated import Seated
from shared.contracts.fact import GameFacts, MatchResult, Remedy
from shared.rules.errors import RuleError
from shared.rules.regulations.preset import Preset
from shared.rules.shengji import results
from shared.rules.shengji.match import MatchSummary, resum
from shared.rules.shengji.remedies import award, with_remedies
from shared.rules.shengji.sheet import Sheet


def summary(preset: Preset, sheet: Sheet, hand: int | None = None) -> MatchSummary:
    """The match re-summed; `hand` is the one that was entered or corrected, the last where it is left out. Raises
    HandIsImpossible."""
    try:
        return resum(preset, sheet.hands, sheet.penalties)
    except RuleError as error:
        raise refuse.HandIsImpossible(
            _pointer(error.field), error.article, hand=hand or len(sheet.hands), reason=error.said
        ) from error


def _pointer(field: str | None) -> str:
    """The place in a hand's entry of a field of the rules. A penalty on a pair that cannot have it is the dealer's
    fault there: the rest of the hand does not name pairs."""
    names = {"number": "hand", "dealer_seat": "dealer", "pair": "dealer"}
    return "/" + names.get(field or "hand", field or "hand").replace(".", "/")


def outcome(
    preset: Preset, seated: Seated, sheet: Sheet, rulings: Sequence[Remedy], games: Sequence[GameFacts] = ()
) -> MatchResult:
    """The result of a match that is over, from its facts and the rulings on it, the last award deciding; of a match at
    a board its last game decides."""
    winner = award(rulings)
    if winner is not None:
        return awarded(preset, seated, winner)
    if games:
        return game_outcome(preset, seated, games[-1])
    ruled = with_rulings(preset, seated, sheet, rulings)
    summed = summary(preset, ruled)
    if preset.match.scores.value == "levels_gained":
        return _result(seated, results.levels_gained(preset, summed, ruled.penalties), "played")
    ended: Literal["played", "time"] = "played" if summed.won_by else "time"
    found = results.result(preset, summed, ended)
    return _result(seated, found, "played")


def awarded(preset: Preset, seated: Seated, winner: str) -> MatchResult:
    """A match given to one of its teams by decision."""
    return _result(seated, results.awarded(preset, 1 if seated.teams[0] == winner else 2), "forfeit")


def forfeited(preset: Preset, seated: Seated, absent: Sequence[str]) -> MatchResult:
    """A match that one or both teams did not play."""
    if set(absent) >= set(seated.teams):
        return _result(seated, results.double_absence(preset), "forfeit")
    side: Literal[1, 2] = 1 if absent[0] == seated.teams[0] else 2
    return _result(seated, results.forfeit(preset, side), "forfeit")


def with_rulings(preset: Preset, seated: Seated, sheet: Sheet, rulings: Sequence[Remedy]) -> Sheet:
    """The facts as the rulings leave them. Raises RemedyImpossible."""
    try:
        return with_remedies(preset, sheet, rulings)
    except RuleError as error:
        raise refuse.RemedyImpossible(
            f"/remedy/{error.field or 'kind'}", error.article, match=seated.match, reason=error.said
        ) from error


def _result(seated: Seated, found: results.MatchResult, status: Literal["played", "forfeit"]) -> MatchResult:
    return MatchResult(
        match=seated.match,
        table=seated.table,
        teams=seated.teams,
        points=found.points,
        levels=cast(Any, found.levels),
        how=found.how,
        status=status,
    )
