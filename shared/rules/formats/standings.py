"""The standings: one function for every page, export and API."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import TypeAlias, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from shared.rules.basis import Basis, Text, gather
from shared.rules.errors import BadCompetition, DrawRefused
from shared.rules.formats.competition import Competition
from shared.rules.formats.counts import cumulative
from shared.rules.formats.course import course, places
from shared.rules.formats.course.values import gone
from shared.rules.formats.elimination import knocked_out
from shared.rules.formats.exact import exact
from shared.rules.formats.history import Field, field_of, finished
from shared.rules.formats.tiebreaks import Compared, Group, beaten, rules_of
from shared.rules.formats.total import shown, total_score
from shared.rules.regulations.preset import Preset
from shared.rules.regulations.tie_break_terms import Cumulative, DirectWin, terms_of

T = TypeVar("T", Cumulative, DirectWin)


class TotalShown(Struct, frozen=True):
    """总得分 as people read it: fraction "25/3", shown "8.333", working "8 + 38÷(12/2) − 6 = 25/3 = 8.333"."""

    fraction: str
    shown: str
    working: str


class Row(Struct, frozen=True, kw_only=True):
    """One team's line.

    rank: shared ranks leave the next ones out (1 2 2 4), None for a disqualified team, which stands last; direct_win:
    how many of the teams with the same 总得分 this team beat; cumulative: 累进分; tie_breaks: the other numbers that
    the regulation compares, by their names, integers or fractions "25/3"; decided_by: the name of what parts the team
    from the one above, None for the first, `lot_needed` for every team but the first of a group that shares a rank
    until lots are drawn, `shared` where the regulation draws none, `bracket` in a knock-out; provisional: a match that
    these standings wait for is open.
    """

    rank: int | None
    team: str
    points: int
    total: TotalShown
    direct_win: int
    cumulative: int
    tie_breaks: Mapping[str, int | str]
    decided_by: str | None
    provisional: bool


def standings(preset: Preset, competition: Competition, after_round: int | None = None) -> list[Row]:
    """The standings after the finished rounds, or after the first `after_round`, best first.

    Teams that share a rank stand in order of id. Points are match points. Withdrawn teams stay in their place.
    Raises BadCompetition, and RuleError `bad_value` for a round that there is not. jimei-2018: 十二（名次）.
    """
    field = field_of(preset, competition, after_round)
    ranked = tuple(sorted(set(competition.ids) - set(competition.disqualified)))
    compared = [(rule.code, rule.over(field)) for rule in rules_of(preset)]
    line = _lines(field, compared, ranked)
    rows: list[Row] = []
    for block in _places(field, compared, ranked, after_round):
        rank = len(rows) + 1
        for index, team in enumerate(block.teams):
            rows.append(line(team, rank, block.by if index == 0 else _undecided(preset)))
    return rows + [line(team, None, None) for team in sorted(competition.disqualified)]


def lots_needed(rows: Sequence[Row]) -> list[tuple[str, ...]]:
    """The groups of teams that lots must part, best first, each in order of id."""
    groups: dict[int | None, list[str]] = {}
    for row in rows:
        groups.setdefault(row.rank, []).append(row.team)
    waiting = {row.rank for row in rows if row.decided_by == "lot_needed"}
    return [tuple(teams) for rank, teams in groups.items() if rank in waiting]


def basis(preset: Preset) -> tuple[Basis, ...]:
    """The articles that the order of the standings rests on."""
    terms = preset.standings
    score = terms.total_score
    rules = (terms.total, score.role, score.max_points, score.bye_opponent_points)
    return gather([*(rule.basis for rule in rules), terms.tie_breaks.basis, terms.regroup.basis, terms.forfeits.basis])


def name_of(preset: Preset, decided_by: str) -> Text:
    """What a person calls a `decided_by`."""
    return _OTHERS.get(decided_by) or next(rule.name for rule in rules_of(preset) if rule.code == decided_by)


_OTHERS = {
    "lot_needed": Text("待抽签", "lot needed"),
    "shared": Text("并列", "shared"),
    "bracket": Text("淘汰赛", "knock-out"),
}

Rules: TypeAlias = Sequence[tuple[str, Compared]]
"""What is compared, in order, each by its name."""


class _Block(Struct, frozen=True):
    """Teams that nothing parts, and what parts them from the block above."""

    teams: Group
    by: str | None


def _places(field: Field, rules: Rules, ranked: Group, after_round: int | None) -> Iterator[_Block]:
    if field.preset.standings.total.value == "bracket":
        placed = [tuple(team for team in group if team in ranked) for group in _of_bracket(field, after_round)]
        return (_Block(group, "bracket" if index else None) for index, group in enumerate(filter(None, placed)))
    return _blocks(rules, ranked, restart=field.preset.standings.regroup.value == "restart")


def _of_bracket(field: Field, after_round: int | None) -> list[Group]:
    """The teams as the stages of the regulation place them, those still in first; where the rounds do not follow from
    the draw, as who lost to whom alone places them."""
    counted = finished(field.competition, after_round)[0]
    left = gone(field.competition, len(counted))
    withdrawn = tuple(team for team in field.competition.withdrawn if team in left)
    played = replace(field.competition, rounds=tuple(counted), withdrawn=withdrawn, fixed=())
    try:
        placed = places(course(field.preset, played), played)
    except (BadCompetition, DrawRefused):
        return knocked_out(sorted(field.competition.ids), counted)
    ranks: dict[int, list[str]] = {}
    for row in placed:
        ranks.setdefault(row.rank, []).append(row.team)
    still_in = sorted(set(field.competition.ids) - {row.team for row in placed})
    return [tuple(still_in), *(tuple(sorted(ranks[rank])) for rank in sorted(ranks))]


def _blocks(rules: Rules, group: Group, restart: bool) -> Iterator[_Block]:
    """The group in blocks, best first. A part still tied is compared again from the start of the rules (restart)."""
    waiting: list[tuple[Group, int, str | None]] = [(group, 0, None)] if group else []
    while waiting:
        teams, start, by = waiting.pop()
        parted = _first_parting(rules[start:], teams)
        if parted is None:
            yield _Block(teams, by)
            continue
        index, parts = parted
        again = 0 if restart else start + index + 1
        below = [(part, again, rules[start + index][0]) for part in parts[1:]]
        waiting += [*reversed(below), (parts[0], again, by)]


def _first_parting(rules: Rules, group: Group) -> tuple[int, tuple[Group, ...]] | None:
    """The index of the first rule that parts the group, and the parts."""
    if len(group) == 1:
        return None
    for index, (_, rule) in enumerate(rules):
        parts = rule.part(group)
        if len(parts) > 1:
            return index, parts
    return None


def _undecided(preset: Preset) -> str:
    listed = (terms_of(named).code for named in preset.standings.tie_breaks.value)
    bracket = preset.standings.total.value == "bracket"
    return "lot_needed" if "lot" in listed and not bracket else "shared"


def _lines(field: Field, rules: Rules, ranked: Group) -> Callable[[str, int | None, str | None], Row]:
    """What makes a team's line of its rank and of what parts it from the one above."""
    totals = {team: total_score(field, team) for team in field.outcomes}
    tied: dict[Fraction, set[str]] = {}
    for team in ranked:
        tied.setdefault(totals[team].value, set()).add(team)
    values = {name: rule.values for name, rule in rules if rule.values is not None}
    running = cumulative(field, _listed(field.preset, Cumulative()))
    others = {name: values[name] for name in values if name not in ("total", "points", "cumulative")}
    forfeits = _listed(field.preset, DirectWin()).forfeit == "counts"

    def line(team: str, rank: int | None, by: str | None) -> Row:
        total = totals[team]
        return Row(
            rank=rank,
            team=team,
            points=field.points[team],
            total=TotalShown(total.fraction, shown(total.value), total.working),
            direct_win=len(beaten(field, team, forfeits) & tied[total.value]) if rank is not None else 0,
            cumulative=running[team],
            tie_breaks={name: exact(found[team]) for name, found in others.items()},
            decided_by=by,
            provisional=field.provisional,
        )

    return line


def _listed(preset: Preset, default: T) -> T:
    """The terms by which the preset compares what it calls as the default does."""
    named = (terms_of(one) for one in preset.standings.tie_breaks.value)
    return next((one for one in named if isinstance(one, type(default)) and one.called == default.called), default)
