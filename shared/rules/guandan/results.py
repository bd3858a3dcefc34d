"""The result of a match as a bracket takes it: who goes on (ahut-2018 二.5, 四.1). A knock-out counts no points: the
winner has 1 and the loser 0."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from shared.rules.basis import Basis
from shared.rules.guandan.levels import PAIRS, Pair
from shared.rules.guandan.matches import GuandanSummary, How
from shared.rules.guandan.matches import result as decided
from shared.rules.regulations.guandan import GuandanPreset
from shared.rules.regulations.preset import Level


class MatchResult(Struct, frozen=True, kw_only=True):
    """points and levels: of team one (pair 13), then team two, levels None without play; points are equal where nobody
    has won; how: what decided it."""

    points: tuple[int, int]
    levels: tuple[Level, Level] | None
    how: Literal[How, "forfeit", "double_absence", "awarded"]
    basis: tuple[Basis, ...]


def result(preset: GuandanPreset, summary: GuandanSummary, minutes: int | None) -> MatchResult:
    """The result of a match of so many minutes, None for an untimed one, as it stands."""
    found = decided(preset, minutes, summary)
    one, two = (summary.levels[pair] for pair in PAIRS)
    return MatchResult(points=_points(found.winner), levels=(one, two), how=found.how, basis=found.basis)


def forfeit(preset: GuandanPreset, absent: Literal[1, 2]) -> MatchResult:
    """One pair did not come, or too late. absent: 1 for team one, 2 for team two."""
    winner = PAIRS[1] if absent == 1 else PAIRS[0]
    return MatchResult(points=_points(winner), levels=None, how="forfeit", basis=(preset.match.late_minutes.basis,))


def awarded(preset: GuandanPreset, winner: Literal[1, 2]) -> MatchResult:
    """A match given to one of its teams by decision, whatever was played."""
    return replace(forfeit(preset, 2 if winner == 1 else 1), how="awarded")


def double_absence(preset: GuandanPreset) -> MatchResult:
    """Neither pair came: nobody goes on."""
    return MatchResult(points=_points(None), levels=None, how="double_absence", basis=(preset.match.both_late.basis,))


def _points(winner: Pair | None) -> tuple[int, int]:
    one, two = (int(winner == pair) for pair in PAIRS)
    return one, two
