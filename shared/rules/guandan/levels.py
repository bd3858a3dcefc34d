"""Levels gained by the order of going out, A, and the failures of the final (ahut-2018 二.5)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, get_args

from msgspec import Struct

from shared.rules.basis import Basis, gather
from shared.rules.errors import refused
from shared.rules.guandan.cards import LEVELS, read_level
from shared.rules.regulations.guandan import GuandanLevels, GuandanPreset, Place, Stage
from shared.rules.regulations.preset import Level
from shared.rules.verdict import Term

Pair = Literal["13", "24"]
PAIRS: tuple[Pair, Pair] = ("13", "24")
PLACES: tuple[Place, ...] = get_args(Place)
STAGES: tuple[Stage, ...] = get_args(Stage)


class GuandanChange(Struct, frozen=True, kw_only=True):
    """What one hand changes.

    gain: by pair, what the partner's place gives (3, 2 or 1; 0 for the losers), before the stop at A; levels: by pair,
    after the hand; own: the pair whose level is played next; a_failures: by pair, counted where the stage counts them;
    won_by: the pair that passed A; terms: how the levels add up, each of a pair.
    """

    gain: dict[Pair, int]
    levels: dict[Pair, Level]
    own: Pair
    a_failures: dict[Pair, int]
    won_by: Pair | None
    basis: tuple[Basis, ...]
    terms: tuple[Term, ...] = ()


def pair_of(seat: int) -> Pair:
    """The pair that sits in a seat."""
    return "13" if seat % 2 else "24"


def partner_of(seat: int) -> int:
    """The seat opposite."""
    return (seat + 1) % 4 + 1


def level_change(
    preset: GuandanPreset,
    finish: Sequence[int],
    levels: Mapping[Pair, Level] | Mapping[str, str],
    own: str,
    stage: str,
    a_failures: Mapping[Pair, int] | Mapping[str, int],
) -> GuandanChange:
    """What a hand changes in which the seats went out in this order.

    finish: four seats, or the first two when they are partners; own: the pair whose level was played; a_failures: by
    pair, of the match so far. Raises RuleError `bad_value` or `missing_field` for anything else.
    """
    order = read_finish(finish)
    before, played = read_levels(levels), read_pair(own, "own")
    failed = read_failures(preset.levels, a_failures, read_stage(stage))
    return _change(preset.levels, order, before, played, read_stage(stage), failed)


def partners_place(finish: Sequence[int]) -> Place:
    """The place of the partner of the first to go out."""
    return PLACES[finish.index(partner_of(finish[0])) - 1]


def _change(
    rules: GuandanLevels,
    finish: Sequence[int],
    levels: dict[Pair, Level],
    own: Pair,
    stage: Stage,
    failures: dict[Pair, int],
) -> GuandanChange:
    winner, place = pair_of(finish[0]), partners_place(finish)
    gain = rules.gains.value[place]
    top = rules.must_play.value
    passed = own == winner and levels[own] == top and place in rules.pass_with.value
    climb, stopped = _climb(levels[winner], gain, top)
    after = {**levels, winner: climb}
    bases = [rules.gains.basis, *([rules.stop.basis] if stopped else [])]
    terms = [Term(who=winner, levels=gain, why="table", basis=rules.gains.basis)]
    if stopped and not passed:
        lost = gain - (LEVELS.index(climb) - LEVELS.index(levels[winner]))
        terms.append(Term(who=winner, levels=-lost, why="stop", basis=rules.stop.basis))
    if levels[own] == top:
        bases.append(rules.pass_with.basis)
    if levels[own] == top and not passed:
        failures = _failed(rules, after, own, stage, failures, bases)
        back = LEVELS.index(after[own]) - LEVELS.index(top)
        if back:
            terms.append(Term(who=own, levels=back, why="failures", basis=rules.failures.basis))
    return GuandanChange(
        gain={pair: gain if pair == winner else 0 for pair in PAIRS},
        levels=after,
        own=winner,
        a_failures=failures,
        won_by=winner if passed else None,
        basis=gather(bases),
        terms=tuple(terms),
    )


def _climb(level: Level, gain: int, top: Level) -> tuple[Level, bool]:
    """The level after a gain, and whether the top stopped it short."""
    start, end = LEVELS.index(level), LEVELS.index(top)
    reached = start + gain
    if start <= end < reached:
        return top, True
    return LEVELS[min(reached, len(LEVELS) - 1)], False


def _failed(
    rules: GuandanLevels,
    levels: dict[Pair, Level],
    own: Pair,
    stage: Stage,
    failures: dict[Pair, int],
    bases: list[Basis],
) -> dict[Pair, int]:
    """The failures after one more at the top, where the stage counts them; at the limit the pair goes back."""
    terms = rules.failures.value
    if stage not in terms.stages:
        return failures
    bases += [rules.failures.basis, rules.failures_counted.basis]
    count = failures[own] + 1
    if count >= terms.limit:
        levels[own] = terms.back_to
        count = 0
    return {**failures, own: count}


def read_finish(value: object) -> tuple[int, ...]:
    """The order of going out. Raises RuleError `bad_value`."""
    if not isinstance(value, list | tuple) or not all(type(seat) is int and 1 <= seat <= 4 for seat in value):
        raise refused("finish", f"is {value!r}, not a list of seats 1 to 4", "不是座位 1 至 4 的列表")
    seats = tuple(value)
    if len(set(seats)) != len(seats):
        raise refused("finish", f"is {value!r}, a seat twice", f"为 {value}，有座位重复")
    if len(seats) == 4 or (len(seats) == 2 and seats[1] == partner_of(seats[0])):
        return seats
    problem = f"is {value!r}; it has four seats, or the first two when they are partners"
    raise refused("finish", problem, f"为 {value}；应为四个座位，仅当前两名为对家时可只写两个")


def read_pair(value: object, field: str) -> Pair:
    """The pair that a value names. Raises RuleError `bad_value`."""
    for pair in PAIRS:
        if pair == value:
            return pair
    raise refused(field, f'is {value!r}; pairs are "13" and "24"', f"为 {value}；应为 13 或 24")


def read_stage(value: object) -> Stage:
    """The stage that a value names. Raises RuleError `bad_value`."""
    if value in STAGES:
        return value
    known = ", ".join(STAGES)
    raise refused("stage", f"is {value!r}; stages are {known}", f"为 {value}；应为 {known}")


def read_levels(value: object) -> dict[Pair, Level]:
    """Levels by pair. Raises RuleError `bad_value` or `missing_field`."""
    given = by_pair(value, "levels")
    return {pair: read_level(given[pair], f"levels.{pair}") for pair in PAIRS}


def read_failures(rules: GuandanLevels, value: object, stage: Stage) -> dict[Pair, int]:
    """Failures at the top by pair, each below the limit where the stage counts them. Raises RuleError."""
    given = by_pair(value, "a_failures")
    limit = rules.failures.value.limit
    counts: dict[Pair, int] = {}
    for pair in PAIRS:
        count, field = given[pair], f"a_failures.{pair}"
        if not isinstance(count, int) or isinstance(count, bool) or count < 0:
            raise refused(field, f"is {count!r}, not a count", f"为 {count}，不是次数")
        if count >= limit and stage in rules.failures.value.stages:
            problem = f"is {count}; at {limit} a pair goes back and counts from 0 again"
            raise refused(field, problem, f"为 {count}；满 {limit} 次即退回，次数归零")
        counts[pair] = count
    return counts


def by_pair(value: object, field: str) -> dict[str, object]:
    """An object with exactly the two pairs. Raises RuleError `bad_value` or `missing_field`."""
    if not isinstance(value, Mapping):
        raise refused(field, f"is {value!r}, not an object by pair", "不是按对给出的对象")
    for pair in PAIRS:
        if pair not in value:
            raise refused(f"{field}.{pair}", "is missing", "缺失", "missing_field")
    if len(value) != len(PAIRS):
        raise refused(field, 'has other keys than "13" and "24"', "只能有 13 和 24 两项")
    return dict(value)
