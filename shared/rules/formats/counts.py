"""Tie-breaks added up over a team's own rounds: 累进分, wins, 级差, levels gained, fouls, second-mover matches."""

from __future__ import annotations

from collections.abc import Callable
from itertools import accumulate
from typing import TypeAlias

from shared.rules.formats.history import Field, Outcome
from shared.rules.regulations.tie_break_terms import (
    Cumulative,
    Fouls,
    LevelDifference,
    LevelsGained,
    SecondMover,
    Wins,
)
from shared.rules.shengji.levels import height

Terms: TypeAlias = Wins | LevelDifference | LevelsGained | Fouls | SecondMover


def cumulative(field: Field, terms: Cumulative) -> dict[str, int]:
    """累进分 of every team: W W W W L gives 2 + 4 + 6 + 8 + 8 = 28; 去首累进分 leaves the first total out."""

    def points(outcome: Outcome) -> int:
        left_out = (outcome.without_opponent and terms.bye == "nothing") or (
            outcome.kind == "forfeit" and terms.forfeit == "nothing"
        )
        return 0 if left_out else outcome.points

    return {
        team: sum(list(accumulate(points(outcome) for outcome in row))[terms.cut_rounds :])
        for team, row in field.outcomes.items()
    }


def wins(field: Field, terms: Wins) -> dict[str, int]:
    """胜场 of every team."""
    by_bye = {
        team: sum(1 for outcome in row if outcome.kind == "bye") if terms.bye == "counts" else 0
        for team, row in field.outcomes.items()
    }
    won = _sum(field, terms, lambda outcome: outcome.points > (outcome.opponent_points or 0))
    return {team: won[team] + by_bye[team] for team in won}


def level_difference(field: Field, terms: LevelDifference) -> dict[str, int]:
    """级差 of every team: own levels less the opponents', where they were entered."""
    return _sum(
        field, terms, lambda outcome: height(outcome.levels[0]) - height(outcome.levels[1]) if outcome.levels else 0
    )


def levels_gained(field: Field, terms: LevelsGained) -> dict[str, int]:
    """The levels of every team above the one at which a match starts, where they were entered."""
    start = height(field.preset.match.start_level.value)
    return _sum(field, terms, lambda outcome: height(outcome.levels[0]) - start if outcome.levels else 0)


def fouls(field: Field, terms: Fouls) -> dict[str, int]:
    """犯规 of every team."""
    return _sum(field, terms, lambda outcome: outcome.fouls)


def second_mover(field: Field, terms: SecondMover) -> dict[str, int]:
    """后手局 of every team."""
    return _sum(field, terms, lambda outcome: outcome.second)


def _sum(field: Field, terms: Terms, amount: Callable[[Outcome], int]) -> dict[str, int]:
    """The amount added over the matches that count."""
    withdrawn = frozenset(field.competition.withdrawn) if terms.withdrawn == "nothing" else frozenset()
    kinds = ("played", "forfeit") if terms.forfeit == "counts" else ("played",)
    return {
        team: sum(amount(outcome) for outcome in row if outcome.kind in kinds and outcome.opponent not in withdrawn)
        for team, row in field.outcomes.items()
    }
