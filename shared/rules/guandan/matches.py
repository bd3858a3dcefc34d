"""A match summed from its hands, and its result by stage and time (ahut-2018 二.5, 四.1).

Nothing is kept from an earlier sum. Later hands stand as played after a correction; hands after a win count nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from msgspec import Struct

from shared.rules.basis import Basis, gather
from shared.rules.errors import refused
from shared.rules.guandan.cards import LEVELS
from shared.rules.guandan.levels import PAIRS, GuandanChange, Pair, level_change
from shared.rules.regulations.guandan import GuandanPreset, Stage, StageRound, WonBy
from shared.rules.regulations.preset import Level


class GuandanHand(Struct, frozen=True, kw_only=True):
    """One hand as played.

    number: from 1, without gaps; finish: seats in order of going out; extra: levels given to a pair after the hand by a
    penalty of its opponents; annulled: by a ruling, so that it counts nothing and keeps its number.
    """

    number: int
    finish: tuple[int, ...]
    extra: dict[Pair, int] = {}
    annulled: bool = False


class GuandanSummary(Struct, frozen=True, kw_only=True):
    """A match as its hands make it.

    changes: by hand, None for one that counts nothing; levels, a_failures: by pair; own: whose level is played next,
    None before the first hand that counts; won_by: the pair that passed A, or whose opponents lost by the penalty
    lost_by, in hand won_in; reached: by pair, the hand after which it came to its level, 0 for the start.
    """

    changes: tuple[GuandanChange | None, ...]
    levels: dict[Pair, Level]
    a_failures: dict[Pair, int]
    own: Pair | None
    won_by: Pair | None
    won_in: int | None
    reached: dict[Pair, int]
    basis: tuple[Basis, ...]
    lost_by: str | None = None


How = Literal[WonBy, "penalty", "undecided"]


class GuandanResult(Struct, frozen=True, kw_only=True):
    """How a match ended. winner None: nothing decides it yet, and `how` is `undecided`."""

    winner: Pair | None
    how: How
    basis: tuple[Basis, ...]


def resum(preset: GuandanPreset, stage: Stage, hands: Sequence[GuandanHand]) -> GuandanSummary:
    """The match that these hands make, in order of number.

    In the first hand both pairs play the level they start from. Raises RuleError `bad_value` for numbers with a gap or
    a finish that cannot be.
    """
    start = preset.match.start_level
    now = GuandanSummary(
        changes=(),
        levels=dict.fromkeys(PAIRS, start.value),
        a_failures=dict.fromkeys(PAIRS, 0),
        own=None,
        won_by=None,
        won_in=None,
        reached=dict.fromkeys(PAIRS, 0),
        basis=(start.basis,),
    )
    for number, hand in enumerate(hands, 1):
        if hand.number != number:
            raise refused("number", f"is {hand.number} where hand {number} belongs", f"为 {hand.number}，应为 {number}")
        now = _after(preset, stage, now, hand)
    return now


def _after(preset: GuandanPreset, stage: Stage, now: GuandanSummary, hand: GuandanHand) -> GuandanSummary:
    if hand.annulled or now.won_by is not None:
        return _with_change(now, None)
    change = level_change(preset, hand.finish, now.levels, now.own or PAIRS[0], stage, now.a_failures)
    levels = {pair: raised(preset, change.levels[pair], hand.extra.get(pair, 0)) for pair in PAIRS}
    reached = {pair: hand.number if levels[pair] != now.levels[pair] else now.reached[pair] for pair in PAIRS}
    return GuandanSummary(
        changes=(*now.changes, change),
        levels=levels,
        a_failures=change.a_failures,
        own=change.own,
        won_by=change.won_by,
        won_in=hand.number if change.won_by else None,
        reached=reached,
        basis=gather([*now.basis, *change.basis]),
    )


def _with_change(now: GuandanSummary, change: GuandanChange | None) -> GuandanSummary:
    return GuandanSummary(
        changes=(*now.changes, change),
        levels=now.levels,
        a_failures=now.a_failures,
        own=now.own,
        won_by=now.won_by,
        won_in=now.won_in,
        reached=now.reached,
        basis=now.basis,
    )


def raised(preset: GuandanPreset, level: Level, by: int) -> Level:
    """A level after so many more by penalty; it stops at A too."""
    top = LEVELS.index(preset.levels.must_play.value)
    at = LEVELS.index(level)
    return LEVELS[max(at, min(at + by, top))]


def result(preset: GuandanPreset, minutes: int | None, summary: GuandanSummary) -> GuandanResult:
    """The result of a match of so many minutes, None for an untimed one, as it stands.

    A pair that passed A has won, or whose opponents lost by a penalty. A timed match whose time is over goes to the
    higher level, and at equal levels to the pair that came to it first; without a hand played nothing decides. An
    untimed one is undecided until A is passed.
    """
    order = preset.match.timed_order
    if summary.lost_by is not None:
        penalty = preset.penalties[summary.lost_by].basis
        return GuandanResult(winner=summary.won_by, how="penalty", basis=(penalty,))
    if summary.won_by is not None:
        return GuandanResult(winner=summary.won_by, how="passed_top", basis=(preset.levels.pass_with.basis,))
    if minutes is None:
        return GuandanResult(winner=None, how="undecided", basis=(preset.draws.rounds.basis,))
    heights = {pair: LEVELS.index(summary.levels[pair]) for pair in PAIRS}
    first = {pair: -summary.reached[pair] for pair in PAIRS}
    measures: dict[WonBy, dict[Pair, int]] = {"level": heights, "reached_first": first}
    for how in order.value:
        one, two = (measures.get(how, {}).get(pair, 0) for pair in PAIRS)
        if one != two:
            return GuandanResult(winner=PAIRS[0] if one > two else PAIRS[1], how=how, basis=(order.basis,))
    return GuandanResult(winner=None, how="undecided", basis=(order.basis,))


def stage_round(preset: GuandanPreset, teams: int) -> StageRound:
    """The round in which this many pairs of a group are left. Raises RuleError `bad_value` for another number."""
    for known in preset.draws.rounds.value:
        if known.teams == teams:
            return known
    numbers = ", ".join(str(known.teams) for known in preset.draws.rounds.value)
    raise refused("teams", f"is {teams!r}; rounds are of {numbers}", f"为 {teams}；各轮为 {numbers}")


Lateness = Literal["none", "forfeit", "double_forfeit"]


def lateness(preset: GuandanPreset, minutes_late: dict[Pair, int]) -> tuple[Lateness, Pair | None]:
    """What lateness costs, and the pair that advances by it.

    `late_minutes` or more forfeit (四.1: 迟到15分钟以上, which has the number in it). Both late: a double forfeit, and
    the next opponent advances. A pair that is not named came in time.
    """
    late = [pair for pair in PAIRS if minutes_late.get(pair, -1) >= preset.match.late_minutes.value]
    if len(late) == len(PAIRS):
        return "double_forfeit", None
    if late:
        return "forfeit", PAIRS[1] if late[0] == PAIRS[0] else PAIRS[0]
    return "none", None
