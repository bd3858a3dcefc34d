"""From recorded facts to a match's result: the one way, at closing, at a ruling and on every page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, cast

import msgspec

from services.match import refusals as refuse
from services.match.model import finish_sums
from services.match.model.boards import game_outcome, without_game
from services.match.model.seated import Seat, Seated
from shared.contracts.fact import FinishFacts, GameFacts, MatchResult, Remedy
from shared.rules.errors import RuleError
from shared.rules.formats.stages import CARDS
from shared.rules.guandan import results as guandan
from shared.rules.regulations.preset import Preset
from shared.rules.regulations.schema import AnyPreset
from shared.rules.shengji import results
from shared.rules.shengji.match import MatchSummary, resum
from shared.rules.shengji.remedies import award, with_remedies
from shared.rules.shengji.sheet import Sheet


class Played(msgspec.Struct, frozen=True, kw_only=True):
    """What was entered of a match: hands and penalties, of 掼蛋 the orders of going out, at a board the games."""

    sheet: Sheet = Sheet()
    finishes: tuple[FinishFacts, ...] = ()
    games: tuple[GameFacts, ...] = ()


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


def is_won(preset: AnyPreset, seat: Seat, played: Played) -> bool:
    """Whether the match is won, whatever the clock says. Raises HandIsImpossible, RemedyImpossible."""
    if not isinstance(preset, Preset):
        return finish_sums.summary(preset, seat.level_stage, played.finishes, played.sheet.penalties).won_by is not None
    ruled = with_rulings(preset, seat.seated, played.sheet, seat.rulings)
    return bool(played.games) or summary(preset, ruled).won_by is not None


def outcome(preset: AnyPreset, seat: Seat, played: Played) -> MatchResult:
    """The result of a match that is over, from its facts and the rulings on it, the last award deciding; of a match at
    a board its last game decides."""
    winner = award(seat.rulings)
    if winner is not None:
        return awarded(preset, seat, winner)
    if not isinstance(preset, Preset):
        summed = finish_sums.summary(preset, seat.level_stage, played.finishes, played.sheet.penalties)
        return _result(seat.seated, guandan.result(preset, summed, seat.minutes), "played")
    if played.games:
        return game_outcome(preset, seat.seated, played.games[-1])
    return _of_points(preset, seat, with_rulings(preset, seat.seated, played.sheet, seat.rulings))


def _of_points(preset: Preset, seat: Seat, sheet: Sheet) -> MatchResult:
    """A match of hands whose points were counted."""
    summed = summary(preset, sheet)
    if preset.match.scores.value == "levels_gained":
        return _result(seat.seated, results.levels_gained(preset, summed, sheet.penalties), "played")
    ended: Literal["played", "time"] = "played" if summed.won_by else "time"
    return _result(seat.seated, results.result(preset, summed, ended), "played")


def awarded(preset: AnyPreset, seat: Seat, winner: str) -> MatchResult:
    """A match given to one of its teams by decision."""
    seated = seat.seated
    side: Literal[1, 2] = 1 if seated.teams[0] == winner else 2
    if isinstance(preset, Preset) and seat.event != CARDS:
        return without_game(preset, seat, side, "awarded")
    if isinstance(preset, Preset):
        return _result(seated, results.awarded(preset, side), "forfeit")
    return _result(seated, guandan.awarded(preset, side), "forfeit")


def forfeited(preset: AnyPreset, seat: Seat, absent: Sequence[str]) -> MatchResult:
    """A match that one or both teams did not play."""
    seated = seat.seated
    side: Literal[1, 2] = 1 if absent[0] == seated.teams[0] else 2
    both = set(absent) >= set(seated.teams)
    if isinstance(preset, Preset) and seat.event != CARDS:
        winner: Literal[1, 2] = 2 if side == 1 else 1
        return without_game(preset, seat, None if both else winner, "double_absence" if both else "forfeit")
    if isinstance(preset, Preset):
        found = results.double_absence(preset) if both else results.forfeit(preset, side)
        return _result(seated, found, "forfeit")
    given = guandan.double_absence(preset) if both else guandan.forfeit(preset, side)
    return _result(seated, given, "forfeit")


def bye_points(preset: AnyPreset, event: str) -> int:
    """The match points of a bye; none are counted where there is only a bracket, or where everybody rests once."""
    return results.bye_points(preset) if isinstance(preset, Preset) and event == CARDS else 0


def with_rulings(preset: Preset, seated: Seated, sheet: Sheet, rulings: Sequence[Remedy]) -> Sheet:
    """The facts as the rulings leave them. Raises RemedyImpossible."""
    try:
        return with_remedies(preset, sheet, rulings)
    except RuleError as error:
        raise refuse.RemedyImpossible(
            f"/remedy/{error.field or 'kind'}", error.article, match=seated.match, reason=error.said
        ) from error


def _result(
    seated: Seated, found: results.MatchResult | guandan.MatchResult, status: Literal["played", "forfeit"]
) -> MatchResult:
    return MatchResult(
        match=seated.match,
        table=seated.table,
        teams=seated.teams,
        points=found.points,
        levels=cast(Any, found.levels),
        how=found.how,
        status=status,
    )
