"""A match of hands at several tables, points added (shandong-2023 八.12, 13, 14).

A level gained is a point. Team one sits as pair 13 at every table: its first pair meets the other's first at table 1,
the second the second at table 2. Fouls cost match points in halves, with a compensation where the referee gives one.
Points are counted in halves: 1 is half a point.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from msgspec import Struct

from shared.rules.basis import Basis, gather
from shared.rules.errors import RuleError
from shared.rules.regulations.preset import Preset
from shared.rules.shengji.facts import PAIRS, HandFact, Pair
from shared.rules.shengji.match import MatchSummary, resum

HALF = 2
"""Half points in a point."""


class Foul(Struct, frozen=True, kw_only=True):
    """A foul as the referee priced it, in half points; 0 is a warning. compensation: what the opponents get."""

    code: str
    pair: Pair
    halves: int
    compensation: int = 0


class TableMatch(Struct, frozen=True, kw_only=True):
    """A match as its tables make it. halves: of team one, then team two; due: the hand that every table is still to
    play, None when the match is decided; winner: the index of the team that won."""

    tables: tuple[MatchSummary, ...]
    halves: tuple[int, int]
    due: int | None
    winner: Literal[0, 1] | None
    basis: tuple[Basis, ...]


def table_match(preset: Preset, tables: Sequence[Sequence[HandFact]], fouls: Sequence[Foul] = ()) -> TableMatch:
    """The match from the hands of its tables and the fouls.

    Every table plays `match.hands` hands; while the points are then equal, each plays one more (the regulation names
    one hand and not the table: assumed). Raises RuleError `bad_value` for a number of tables that the regulation has
    not, for a table that is two hands ahead, a hand after the match was decided, a foul outside its range, and what
    `shengji.match.resum` refuses.
    """
    terms = preset.match
    if len(tables) != terms.tables.value:
        raise _refused(f"{len(tables)} tables where there are {terms.tables.value}", f"应为 {terms.tables.value} 桌")
    for foul in fouls:
        _check(preset, foul)
    played = tuple(resum(preset, hands) for hands in tables)
    complete, longest = min(map(len, tables)), max(map(len, tables))
    planned = terms.hands.value or 0
    decided = next((n for n in range(planned, complete + 1) if _lead(_counted(played, n, fouls))), None)
    if decided is not None and longest > decided:
        raise _refused(f"hand {decided + 1} comes after the decision", f"第 {decided + 1} 副在胜负已分之后")
    if decided is None and longest > max(planned, complete + 1):
        raise _refused(f"hand {complete + 2} is not due at any table", f"第 {complete + 2} 副尚未到")
    halves = _counted(played, longest, fouls)
    lead = _lead(halves)
    return TableMatch(
        tables=played,
        halves=halves,
        due=complete + 1 if decided is None else None,
        winner=None if decided is None else 0 if lead > 0 else 1,
        basis=gather([terms.tables.basis, terms.scores.basis, terms.equal.basis]),
    )


def shown(halves: int) -> str:
    """Half points as people read them: 7 is "3.5", -1 is "-0.5"."""
    sign = "-" if halves < 0 else ""
    return f"{sign}{abs(halves) // HALF}" + (".5" if halves % HALF else "")


def _counted(tables: Sequence[MatchSummary], hands: int, fouls: Sequence[Foul]) -> tuple[int, int]:
    points = dict.fromkeys(PAIRS, 0)
    for summary in tables:
        for row in summary.rows[:hands]:
            attackers = PAIRS[1] if row.dealer_pair == PAIRS[0] else PAIRS[0]
            points[row.dealer_pair] += HALF * row.dealer_gain
            points[attackers] += HALF * row.attacker_gain
    for foul in fouls:
        other = PAIRS[1] if foul.pair == PAIRS[0] else PAIRS[0]
        points[foul.pair] -= foul.halves
        points[other] += foul.compensation
    return points[PAIRS[0]], points[PAIRS[1]]


def _lead(halves: tuple[int, int]) -> int:
    return halves[0] - halves[1]


def _check(preset: Preset, foul: Foul) -> None:
    row = preset.penalties.get(foul.code)
    if row is None or row.value.halves is None:
        raise _refused(f"{foul.code!r} costs no match points", f"{foul.code} 不扣场分")
    span, charge = row.value.halves, row.value
    if foul.halves and not span.least <= foul.halves <= span.most:
        least, most = shown(span.least), shown(span.most)
        detail = f"{foul.code} costs a warning or {least} to {most} points, not {shown(foul.halves)}"
        raise RuleError(detail, f"应为警告或 {least} 至 {most} 分", article=row.article, field="halves")
    if foul.compensation and not (charge.compensation and 0 < foul.compensation <= span.most):
        detail = f"{foul.code} allows no compensation of {shown(foul.compensation)} points"
        raise RuleError(detail, "补偿分不成立", article=row.article, field="compensation")


def _refused(en: str, zh: str) -> RuleError:
    return RuleError(f"the match has {en}", f"本场：{zh}", field="tables")
