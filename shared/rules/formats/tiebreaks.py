"""What parts teams in the standings, each rule a small value: a code, a name and one function.

| code       | name     | article          | parts a group by                                                  |
|------------|----------|------------------|-------------------------------------------------------------------|
| total      | 总得分   | jimei 十二（名次） | P + S / (M/2) - R, higher first                                   |
| points     | 积分     | jimei 十二（名次） | match points, higher first (where 总得分 is only a tie-break)     |
| direct_win | 直胜     | jimei 十二（名次） | the one who beat all the others of the group, before the rest     |
| cumulative | 累进分   | jimei 十二（名次） | the sum of the running totals after each round, higher first      |
| lot        | 抽签     | jimei 十二（名次） | the lots drawn, lower first, once every team of the group has one |

Not here yet, as no regulation in use names them: 对手分, 小分, wins, 级差, levels gained, fouls, 去首累进分.
"""

from __future__ import annotations

from collections.abc import Callable, Collection

from msgspec import Struct

from shared.rules.basis import Text
from shared.rules.formats.history import Field
from shared.rules.formats.total import total_score

Group = tuple[str, ...]
"""Teams that are equal in everything compared before, in order of id."""


class TieBreak(Struct, frozen=True):
    """One rule. part: the group in parts, best first; one part when the rule cannot tell the teams apart."""

    code: str
    name: Text
    part: Callable[[Field, Group], tuple[Group, ...]]


def beaten(field: Field, team: str, group: Collection[str]) -> int:
    """How many of the group the team beat in their matches with each other (直胜)."""
    return sum(1 for opponent, margin in field.margins(team).items() if margin > 0 and opponent in group)


def cumulative(field: Field, team: str) -> int:
    """累进分: W W W W L gives 2 + 4 + 6 + 8 + 8 = 28."""
    return sum(field.running(team))


def _by_value(value: Callable[[Field, str], object]) -> Callable[[Field, Group], tuple[Group, ...]]:
    def part(field: Field, group: Group) -> tuple[Group, ...]:
        parts: dict[object, list[str]] = {}
        for team in group:
            parts.setdefault(value(field, team), []).append(team)
        return tuple(tuple(parts[key]) for key in sorted(parts, reverse=True))  # type: ignore[type-var]

    return part


def _part_by_direct_win(field: Field, group: Group) -> tuple[Group, ...]:
    """Only one who beat all the others is lifted out; of two, that is the winner of their match."""
    members = frozenset(group)
    for team in group:
        if len(group) > 1 and beaten(field, team, members) == len(group) - 1:
            return (team,), tuple(other for other in group if other != team)
    return (group,)


def _part_by_lot(field: Field, group: Group) -> tuple[Group, ...]:
    lots = field.competition.lots
    if any(team not in lots for team in group):
        return (group,)
    drawn = sorted({lots[team] for team in group})
    return tuple(tuple(team for team in group if lots[team] == lot) for lot in drawn)


TOTAL = TieBreak("total", Text("总得分", "total score"), _by_value(lambda field, team: total_score(field, team).value))
POINTS = TieBreak("points", Text("积分", "match points"), _by_value(lambda field, team: field.points[team]))
DIRECT_WIN = TieBreak("direct_win", Text("直胜", "direct win"), _part_by_direct_win)
CUMULATIVE = TieBreak("cumulative", Text("累进分", "cumulative score"), _by_value(cumulative))
LOT = TieBreak("lot", Text("抽签", "lot"), _part_by_lot)

TIE_BREAKS = {rule.code: rule for rule in (TOTAL, POINTS, DIRECT_WIN, CUMULATIVE, LOT)}
"""Every rule by its code."""
