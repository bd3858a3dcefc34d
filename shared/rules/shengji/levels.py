"""Levels gained from the attackers' points of one hand.

jimei-2018 十一.7, zhongshan-2013 七（一）3, shandong-2023 八.8.

The table, its caps, the levels that must be played and what lies past the top are data of the preset.
"""

from __future__ import annotations

from typing import Literal, cast, get_args

from msgspec import Struct

from shared.rules.basis import Basis, gather
from shared.rules.errors import RuleError
from shared.rules.regulations.preset import Level, LevelTable, Preset
from shared.rules.verdict import Term

LEVELS: tuple[Level, ...] = ("2", "3", "4", "5", "6", "7", "8", "9", "T", "J", "Q", "K", "A")
"""The levels in rising order."""

Side = Literal["dealers", "attackers"]


class LevelChange(Struct, frozen=True, kw_only=True):
    """What one hand changes.

    dealer_gain, attacker_gain: what the table gives after its cap; deal: the side that has the deal next;
    dealer_level, attacker_level: the new levels of the sides as they sat, stopped where a level must be played;
    won_by: the side that passed the top, None when nobody did; terms: how the levels add up, each of a side.
    """

    dealer_gain: int
    attacker_gain: int
    deal: Side
    dealer_level: Level
    attacker_level: Level
    won_by: Side | None
    basis: tuple[Basis, ...]
    terms: tuple[Term, ...] = ()


class Climb(Struct, frozen=True):
    """Where a climb ends, whether it passed the top, what stopped or let it pass, and the levels lost by a stop."""

    level: Level
    passed: bool
    bases: tuple[Basis, ...]
    lost: int = 0


def height(level: Level) -> int:
    """The level's place in rising order, from 0."""
    return LEVELS.index(level)


def read_level(value: object, field: str) -> Level:
    """The level that a value names. Raises RuleError `bad_value`."""
    if value not in get_args(Level):
        known = " ".join(LEVELS)
        raise RuleError(f"{field} is {value!r}; levels are {known}", f"{field} 为 {value}；级数为 {known}", field=field)
    return cast(Level, value)


def level_change(preset: Preset, attacker_points: int, dealer_level: str, attacker_level: str) -> LevelChange:
    """What a hand with these points changes.

    attacker_points hold kitty and penalties already, so they may be below zero where penalties take points. Raises
    RuleError `bad_value` for points that are no multiple of the card values or below the least, and for unknown levels.
    jimei-2018: 十一.7; zhongshan-2013: 七（一）3; shandong-2023: 八.8.
    """
    points = _read_points(preset, attacker_points)
    dealers, attackers = read_level(dealer_level, "dealer_level"), read_level(attacker_level, "attacker_level")
    if points <= preset.levels.dealer_bands.value[-1].up_to:
        return _deal_kept(preset.levels, points, dealers, attackers)
    return _deal_lost(preset.levels, points, dealers, attackers)


def deal_lost(dealer_level: Level, attacker_level: Level, code: str, basis: Basis) -> LevelChange:
    """The dealer falls by a penalty before the hand is decided: the deal goes over and nobody gains (jimei 十一.8④).
    code: of the penalty; basis: what it rests on."""
    return LevelChange(
        dealer_gain=0,
        attacker_gain=0,
        deal="attackers",
        dealer_level=dealer_level,
        attacker_level=attacker_level,
        won_by=None,
        basis=(basis,),
        terms=(Term(who="dealers", levels=0, why="penalty", basis=basis, penalty=code),),
    )


def _read_points(preset: Preset, points: object) -> int:
    step = preset.levels.point_step
    if not isinstance(points, int) or isinstance(points, bool):
        raise RuleError(
            f"attacker_points is {points!r}, not an integer", f"防家得分 {points} 不是整数", field="attacker_points"
        )
    if points % step.value:
        detail = f"attacker_points is {points}, no multiple of {step.value}"
        zh = f"防家得分 {points} 不是 {step.value} 的倍数"
        raise RuleError(detail, zh, article=step.article, field="attacker_points")
    least = preset.levels.points_from
    if least.value is not None and points < least.value:
        detail = f"attacker_points is {points}; penalties take no points here, so the least is {least.value}"
        zh = f"防家得分 {points} 不成立；本规程罚分不扣牌分，至少为 {least.value}"
        raise RuleError(detail, zh, article=least.article, field="attacker_points")
    return points


def _deal_kept(table: LevelTable, points: int, dealers: Level, attackers: Level) -> LevelChange:
    gain = next(band.gain for band in table.dealer_bands.value if points <= band.up_to)
    cap = table.dealer_cap
    capped = gain if cap.value is None else min(gain, cap.value)
    risen = climb(table, dealers, capped, dealing=True)
    terms = [Term(who="dealers", levels=gain, why="table", basis=table.dealer_bands.basis)]
    if capped < gain:
        terms.append(Term(who="dealers", levels=capped - gain, why="cap", basis=cap.basis))
    return LevelChange(
        dealer_gain=capped,
        attacker_gain=0,
        deal="dealers",
        dealer_level=risen.level,
        attacker_level=attackers,
        won_by="dealers" if risen.passed else None,
        basis=gather([table.dealer_bands.basis, *([cap.basis] if capped < gain else []), *risen.bases]),
        terms=(*terms, *stopped("dealers", risen)),
    )


def _deal_lost(table: LevelTable, points: int, dealers: Level, attackers: Level) -> LevelChange:
    gain, bases, terms = _attacker_gain(table, points)
    at_top = table.attackers_at_must_play
    if gain and attackers in table.must_play.value and at_top.value == "none":
        terms = [*terms, Term(who="attackers", levels=-gain, why="must_play", basis=at_top.basis)]
        gain, bases = 0, [*bases, at_top.basis]
    risen = climb(table, attackers, gain, dealing=False)
    return LevelChange(
        dealer_gain=0,
        attacker_gain=gain,
        deal="attackers",
        dealer_level=dealers,
        attacker_level=risen.level,
        won_by=None,
        basis=gather([*bases, *risen.bases]),
        terms=(*terms, *stopped("attackers", risen)),
    )


def stopped(side: Side, risen: Climb) -> tuple[Term, ...]:
    """The term of the levels that a stop took from a climb, if it took any."""
    if not risen.lost or risen.passed:
        return ()
    return (Term(who=side, levels=-risen.lost, why="stop", basis=risen.bases[-1]),)


def _attacker_gain(table: LevelTable, points: int) -> tuple[int, list[Basis], list[Term]]:
    """Levels after the cap, the values they rest on, and their sum."""
    gain = next(band.gain for band in reversed(table.attacker_bands.value) if points >= band.points)
    bases = [table.attacker_bands.basis]
    beyond, cap = table.beyond.value, table.attacker_cap.value
    if beyond is not None and points >= beyond.above + beyond.step:
        gain += (points - beyond.above) // beyond.step * beyond.gain
        bases.append(table.beyond.basis)
    terms = [Term(who="attackers", levels=gain, why="table", basis=bases[-1])]
    if cap is not None and gain > cap:
        terms.append(Term(who="attackers", levels=cap - gain, why="cap", basis=table.attacker_cap.basis))
        gain = cap
        bases.append(table.attacker_cap.basis)
    return gain, bases, terms


def climb(table: LevelTable, start: Level, gain: int, dealing: bool) -> Climb:
    """Level by level, since a climb stops where a level must be played and only a dealer goes past the top."""
    level, bases, round_ = start, [], len(LEVELS)
    for left in reversed(range(gain if gain < 2 * round_ else round_ + gain % round_)):
        if level == LEVELS[-1]:
            if table.past_top.value == "win":
                return Climb(level, dealing, ((table.past_top if dealing else table.must_play).basis,), left + 1)
            bases = [table.past_top.basis]
        level = LEVELS[(height(level) + 1) % round_]
        if level in table.must_play.value:
            return Climb(level, False, (*bases, table.must_play.basis) if left else tuple(bases), left)
    return Climb(level, False, tuple(bases))
