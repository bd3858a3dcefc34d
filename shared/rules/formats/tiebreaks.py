"""What parts teams in the standings, each rule a small value: what answers call it, its name, and how it parts a group.

| code               | name     | parts a group by                                                    | in          |
|--------------------|----------|----------------------------------------------------------------------|-------------|
| `total`            | 总得分   | P + S / (M/2) - R, higher first (jimei 十二（名次）)                   | `total`     |
| `points`           | 积分     | match points, higher first                                            |             |
| `direct_win`       | 直胜     | the one who beat all the others of the group, before the rest         |             |
| `cumulative`       | 累进分   | the sum of the running totals; 去首累进分 with `cut_rounds: 1`         | `counts`    |
| `buchholz`         | 对手分   | the sum of the opponents' points, with cuts                           | `opponents` |
| `sonneborn_berger` | 小分     | the opponents' points times what was won from them, with cuts         | `opponents` |
| `wins`             | 胜场     | matches won                                                           | `counts`    |
| `level_difference` | 级差     | own levels less the opponents'                                        | `counts`    |
| `levels_gained`    | 升级数   | own levels above the first                                            | `counts`    |
| `fouls`            | 犯规     | fouls recorded, fewer first                                           | `counts`    |
| `second_mover`     | 后手局   | matches as the second mover, more first                               | `counts`    |
| `lot`              | 抽签     | the lots drawn, lower first, once every team of the group has one     |             |

What a bye, a forfeit and a withdrawn opponent count in each is said by its terms in the preset
(`regulations/tie_break_terms.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Set
from fractions import Fraction
from functools import lru_cache
from typing import Any, TypeAlias

from msgspec import Struct

from shared.rules.basis import Text
from shared.rules.formats import counts, opponents
from shared.rules.formats.history import Field
from shared.rules.formats.total import total_score
from shared.rules.regulations import tie_break_terms as terms
from shared.rules.regulations.preset import Preset
from shared.rules.regulations.tie_break_terms import TieBreakTerms, terms_of

Group = tuple[str, ...]
"""Teams that are equal in everything compared before, in order of id."""

Part: TypeAlias = Callable[[Group], tuple[Group, ...]]
"""A group in parts, best first; one part when the rule cannot tell the teams apart."""

Value: TypeAlias = int | Fraction


class Compared(Struct, frozen=True):
    """A rule over one field. values: what it gives each team; None where it has nothing but an order."""

    part: Part
    values: Mapping[str, Value] | None = None


class TieBreak(Struct, frozen=True):
    """One rule. code: what answers call it; over: the rule over a field."""

    code: str
    name: Text
    over: Callable[[Field], Compared]


def rules_of(preset: Preset) -> list[TieBreak]:
    """What is compared, in order: 总得分 or the points, then the list of the preset."""
    listed = [tie_break(terms_of(named)) for named in preset.standings.tie_breaks.value]
    role = preset.standings.total_score.role.value
    if role == "primary":
        return [TOTAL, *listed]
    placed = role == "unused" or TOTAL in listed
    return [POINTS, *listed] if placed else [POINTS, TOTAL, *listed]


@lru_cache(maxsize=256)
def tie_break(named: TieBreakTerms) -> TieBreak:
    """The rule of these terms."""
    if isinstance(named, terms.Total):
        return TOTAL
    if isinstance(named, terms.Points):
        return POINTS
    if isinstance(named, terms.Lot):
        return TieBreak(named.called, Text("抽签", "lot"), _lot)
    if isinstance(named, terms.DirectWin):
        return TieBreak(named.called, Text("直胜", "direct win"), lambda field: _direct_win(field, named))
    name, values, higher_first = _SUMS[type(named)]
    return TieBreak(named.called, _in_full(name, named), _over(lambda field: values(field, named), higher_first))


def beaten(field: Field, team: str, forfeits: bool = True) -> frozenset[str]:
    """Whom the team beat in their matches with each other, all of them taken together (直胜)."""
    return frozenset(opponent for opponent, margin in field.margins(team, forfeits).items() if margin > 0)


def _over(values: Callable[[Field], Mapping[str, Value]], higher_first: bool = True) -> Callable[[Field], Compared]:
    def over(field: Field) -> Compared:
        found = values(field)
        return Compared(lambda group: _by(found, group, higher_first), found)

    return over


def _by(values: Mapping[str, Value], group: Group, higher_first: bool) -> tuple[Group, ...]:
    parts: dict[Value, list[str]] = {}
    for team in group:
        parts.setdefault(values[team], []).append(team)
    return tuple(tuple(parts[value]) for value in sorted(parts, reverse=higher_first))


def _direct_win(field: Field, named: terms.DirectWin) -> Compared:
    """Only one who beat all the others is lifted out; of two, that is the winner of their match."""
    won: dict[str, Set[str]] = {}

    def beats(team: str) -> Set[str]:
        if team not in won:
            won[team] = beaten(field, team, named.forfeit == "counts")
        return won[team]

    def part(group: Group) -> tuple[Group, ...]:
        members = frozenset(group)
        for team in group:
            if len(beats(team) & members) == len(group) - 1:
                return (team,), tuple(other for other in group if other != team)
        return (group,)

    return Compared(part)


def _lot(field: Field) -> Compared:
    lots = field.competition.lots

    def part(group: Group) -> tuple[Group, ...]:
        return _by(lots, group, False) if all(team in lots for team in group) else (group,)

    return Compared(part)


def _in_full(name: Text, named: TieBreakTerms) -> Text:
    """The name with what is left out."""
    if isinstance(named, terms.Cumulative) and named.cut_rounds:
        first = "首" if named.cut_rounds == 1 else f"前{named.cut_rounds}轮"
        return Text(f"去{first}{name.zh}", f"{name.en} from round {named.cut_rounds + 1}")
    if not isinstance(named, opponents.Terms) or not (named.cut_lowest or named.cut_highest):
        return name
    low, high = named.cut_lowest, named.cut_highest
    zh = (f"{low}低" if low else "") + (f"{high}高" if high else "")
    en = f"median {low}" if low == high else " ".join([f"cut {low}"] * bool(low) + [f"cut {high} highest"] * bool(high))
    return Text(f"{name.zh}（去{zh}）", f"{name.en} {en}")


TOTAL = TieBreak(
    "total",
    Text("总得分", "total score"),
    _over(lambda field: {team: total_score(field, team).value for team in field.outcomes}),
)
POINTS = TieBreak("points", Text("积分", "match points"), _over(lambda field: field.points))

_SUMS: dict[type[TieBreakTerms], tuple[Text, Callable[[Field, Any], Mapping[str, Value]], bool]] = {
    terms.Cumulative: (Text("累进分", "cumulative score"), counts.cumulative, True),
    terms.Buchholz: (Text("对手分", "Buchholz"), opponents.buchholz, True),
    terms.SonnebornBerger: (Text("小分", "Sonneborn-Berger"), opponents.sonneborn_berger, True),
    terms.Wins: (Text("胜场", "wins"), counts.wins, True),
    terms.LevelDifference: (Text("级差", "level difference"), counts.level_difference, True),
    terms.LevelsGained: (Text("升级数", "levels gained"), counts.levels_gained, True),
    terms.Fouls: (Text("犯规", "fouls"), counts.fouls, False),
    terms.SecondMover: (Text("后手局", "second-mover matches"), counts.second_mover, True),
}
"""The rules that compare a number for each team: their name, the numbers, and whether the higher is first."""
