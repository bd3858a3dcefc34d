"""What a decision does to a match and to the standings, pure: asked before the committee decides, and after."""

from __future__ import annotations

from typing import Any, Literal, cast

import msgspec

from services.appeals.facts import Case
from services.appeals.play import Play, evolve, table
from shared.contracts.fact import LaterRounds, MatchResult, Remedy
from shared.contracts.match import RulingApplied
from shared.rules.board.results import without_game
from shared.rules.formats.stages import CARDS
from shared.rules.formats.standings import Row
from shared.rules.regulations.preset import Preset
from shared.rules.shengji import results
from shared.rules.shengji.match import resum
from shared.rules.shengji.remedies import award, leaves_result, with_remedies


class Effect(msgspec.Struct, frozen=True, kw_only=True):
    """A ruling, applied or supposed (None: nothing changes), and the standings before and after it."""

    ruling: RulingApplied | None
    before: tuple[Row, ...]
    after: tuple[Row, ...]


def effect(preset: Preset, play: Play, ruling: RulingApplied | None) -> Effect:
    """The standings of a competition before and after a ruling on it. Raises BadCompetition."""
    before = tuple(table(preset, play))
    after = before if ruling is None else tuple(table(preset, evolve(play, ruling)))
    return Effect(ruling=ruling, before=before, after=after)


def suppose(case: Case, play: Play, appeal: str, remedy: Remedy, later: LaterRounds | None) -> RulingApplied:
    """The ruling that match would make of a remedy for this match as it stands. `check_remedy` comes first. Raises
    RuleError for facts that cannot be."""
    before = play.result(case.match) or case.result
    return RulingApplied(
        regulation=case.regulation,
        by="",
        competition=case.competition,
        round=case.round,
        match=case.match,
        remedy=remedy,
        before=before,
        after=_after(case, before, remedy),
        appeal=appeal,
        reason="",
        article="",
        later=later,
    )


def _after(case: Case, before: MatchResult | None, remedy: Remedy) -> MatchResult | None:
    if remedy.kind == "replay_match":
        return None
    if before is None or leaves_result(remedy, before.how):
        return before
    remedies = (*case.rulings, remedy)
    winner = award(remedies)
    if winner is not None:
        return _awarded(case, before, 1 if before.teams[0] == winner else 2)
    if case.event != CARDS:
        return before
    sheet = with_remedies(case.preset, case.sheet, remedies)
    summed = resum(case.preset, sheet.hands, sheet.penalties)
    if case.preset.match.scores.value == "levels_gained":
        return _result(before, results.levels_gained(case.preset, summed, sheet.penalties), "played")
    return _result(before, results.result(case.preset, summed, "played" if summed.won_by else "time"), "played")


def _awarded(case: Case, before: MatchResult, winner: Literal[1, 2]) -> MatchResult:
    """The match given to one of its teams."""
    if case.event == CARDS:
        return _result(before, results.awarded(case.preset, winner), "forfeit")
    points = without_game(case.preset, case.event, winner)
    return msgspec.structs.replace(before, points=points, levels=None, how="awarded", status="forfeit")


def _result(before: MatchResult, found: results.MatchResult, status: Literal["played", "forfeit"]) -> MatchResult:
    return msgspec.structs.replace(
        before, points=found.points, levels=cast(Any, found.levels), how=found.how, status=status
    )
