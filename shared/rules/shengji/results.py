"""The match points of a match: by level when time is called, by passing the top, without play.

jimei-2018 十.2, zhongshan-2013 七（一）2.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from shared.rules.basis import Basis, gather
from shared.rules.regulations.preset import Level, Preset
from shared.rules.shengji.facts import PAIRS, PenaltyFact, other, pair_of
from shared.rules.shengji.levels import height
from shared.rules.shengji.match import MatchSummary

Ended = Literal["time", "played"]
"""time: time was called; played: the match ended because a pair had passed the top."""

How = Literal["passed_a", "level", "equal", "next_dealer", "levels_gained", "forfeit", "double_absence", "awarded"]


class MatchResult(Struct, frozen=True, kw_only=True):
    """points and levels: of team one (pair 13), then team two; levels None without play; how: what decided it."""

    points: tuple[int, int]
    levels: tuple[Level, Level] | None
    how: How
    basis: tuple[Basis, ...]


def result(preset: Preset, summary: MatchSummary, ended: Ended) -> MatchResult:
    """The result of a match that is over.

    Who passed the top wins; else the higher level wins. Equal levels are a draw (十.2), or won by the side that is to
    deal next (zhongshan-2013 七（一）2, read: 做庄者为胜出). When a correction takes away
    the win by which the match was `played`, the levels then reached decide (assumed). An unfinished hand is not among
    the facts (`unfinished_hand: discard`).
    """
    one, two = summary.levels["13"], summary.levels["24"]
    if summary.won_by is not None:
        lead = 1 if summary.won_by == "13" else -1
        return _decided(preset, lead, "passed_a", (one, two), [preset.levels.past_top.basis])
    bases = [preset.match.win_taken_away.basis] if ended == "played" else []
    lead = height(one) - height(two)
    if lead:
        return _decided(preset, lead, "level", (one, two), bases)
    equal = preset.match.equal
    if equal.value == "next_dealer_wins" and summary.next_dealer is not None:
        lead = 1 if pair_of(summary.next_dealer) == "13" else -1
        return _decided(preset, lead, "next_dealer", (one, two), [*bases, equal.basis])
    drawn = preset.match.points.draw
    return MatchResult(
        points=(drawn.value, drawn.value), levels=(one, two), how="equal", basis=gather([drawn.basis, *bases])
    )


def levels_gained(preset: Preset, summary: MatchSummary, penalties: Sequence[PenaltyFact]) -> MatchResult:
    """What a table scored, in half points: a point for each level gained, less what fouls cost.

    shandong-2023 八.12, 14. Points may be below zero where the regulation lets them (`claims.below_zero`).
    """
    halves = dict.fromkeys(PAIRS, 0)
    for row in summary.rows:
        halves[row.dealer_pair] += 2 * row.dealer_gain
        halves[other(row.dealer_pair)] += 2 * row.attacker_gain
    for penalty in penalties:
        if not penalty.lifted:
            halves[penalty.pair] -= penalty.lost
            halves[other(penalty.pair)] += penalty.compensation
    least = None if preset.claims.below_zero.value else 0
    one, two = (points if least is None else max(points, least) for points in halves.values())
    return MatchResult(
        points=(one, two),
        levels=(summary.levels["13"], summary.levels["24"]),
        how="levels_gained",
        basis=gather([preset.match.scores.basis, preset.claims.below_zero.basis]),
    )


def forfeit(preset: Preset, absent: Literal[1, 2]) -> MatchResult:
    """One team did not come: a win for the other. absent: 1 for team one, 2 for team two."""
    return _decided(preset, -1 if absent == 1 else 1, "forfeit", None, [preset.match.forfeit.basis])


def awarded(preset: Preset, winner: Literal[1, 2]) -> MatchResult:
    """A match given to one of its teams by decision, whatever was played (RULINGS, Appeals 5)."""
    return replace(forfeit(preset, 2 if winner == 1 else 1), how="awarded")


def double_absence(preset: Preset) -> MatchResult:
    """Neither team came (RULINGS jimei 6)."""
    each = preset.match.points.double_absence
    return MatchResult(points=(each.value, each.value), levels=None, how="double_absence", basis=(each.basis,))


def bye_points(preset: Preset) -> int:
    """The match points of a bye (十二（名次）.1)."""
    return preset.match.points.bye.value


def _decided(
    preset: Preset, lead: int, how: How, levels: tuple[Level, Level] | None, bases: list[Basis]
) -> MatchResult:
    win, loss = preset.match.points.win, preset.match.points.loss
    points = (win.value, loss.value) if lead > 0 else (loss.value, win.value)
    return MatchResult(points=points, levels=levels, how=how, basis=gather([win.basis, *bases]))
