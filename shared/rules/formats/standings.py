"""The standings: one function for every page, export and API."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Literal

from msgspec import Struct

from shared.rules.basis import Basis, gather
from shared.rules.formats.competition import Competition
from shared.rules.formats.history import Field, field_of
from shared.rules.formats.tiebreaks import POINTS, TIE_BREAKS, TOTAL, Group, TieBreak, beaten, cumulative
from shared.rules.formats.total import shown, total_score
from shared.rules.regulations.preset import Preset

DecidedBy = Literal["total", "points", "direct_win", "cumulative", "lot", "lot_needed", "shared"]


class TotalShown(Struct, frozen=True):
    """总得分 as people read it: fraction "25/3", shown "8.333", working "8 + 38÷(12/2) − 6 = 25/3 = 8.333"."""

    fraction: str
    shown: str
    working: str


class Row(Struct, frozen=True, kw_only=True):
    """One team's line.

    rank: shared ranks leave the next ones out (1 2 2 4), None for a disqualified team, which stands last; direct_win:
    how many of the teams with the same 总得分 this team beat; cumulative: 累进分; decided_by: what
    parts the team from the one above, None for the first, `lot_needed` for every team but the first of a group that
    shares a rank until lots are drawn, `shared` where the regulation draws none; provisional: a match that these
    standings wait for is open.
    """

    rank: int | None
    team: str
    points: int
    total: TotalShown
    direct_win: int
    cumulative: int
    decided_by: DecidedBy | None
    provisional: bool


def standings(preset: Preset, competition: Competition, after_round: int | None = None) -> list[Row]:
    """The standings after the finished rounds, or after the first `after_round`, best first.

    Teams that share a rank stand in order of id. Points are match points. Withdrawn teams stay in their place.
    Raises BadCompetition, and RuleError `bad_value` for a round that there is not. jimei-2018: 十二（名次）.
    """
    field = field_of(preset, competition, after_round)
    ranked = tuple(sorted(set(competition.ids) - set(competition.disqualified)))
    tied, rows, place = _tied(field, ranked), [], 1
    for block in _blocks(field, _rules(preset), ranked):
        for index, team in enumerate(block.teams):
            by = block.by if index == 0 else _undecided(preset)
            rows.append(_row(field, team, place, by, tied))
        place += len(block.teams)
    rows += [_row(field, team, None, None, {}) for team in sorted(competition.disqualified)]
    return rows


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


class _Block(Struct, frozen=True):
    """Teams that nothing parts, and what parts them from the block above."""

    teams: Group
    by: DecidedBy | None


def _rules(preset: Preset) -> list[TieBreak]:
    first = [TOTAL] if preset.standings.total_score.role.value == "primary" else [POINTS, TOTAL]
    return [*first, *(TIE_BREAKS[code] for code in preset.standings.tie_breaks.value)]


def _blocks(field: Field, rules: Sequence[TieBreak], group: Group) -> Iterator[_Block]:
    """The group in blocks, best first. A part still tied is compared again from the start of the rules (restart)."""
    restart = field.preset.standings.regroup.value == "restart"
    waiting: list[tuple[Group, int, DecidedBy | None]] = [(group, 0, None)] if group else []
    while waiting:
        teams, start, by = waiting.pop()
        parted = _first_parting(field, rules[start:], teams)
        if parted is None:
            yield _Block(teams, by)
            continue
        index, parts = parted
        code: DecidedBy = rules[start + index].code  # type: ignore[assignment]
        again = 0 if restart else start + index + 1
        below = [(part, again, code) for part in parts[1:]]
        waiting += [*reversed(below), (parts[0], again, by)]


def _first_parting(field: Field, rules: Sequence[TieBreak], group: Group) -> tuple[int, tuple[Group, ...]] | None:
    """The index of the first rule that parts the group, and the parts."""
    if len(group) == 1:
        return None
    for index, rule in enumerate(rules):
        parts = rule.part(field, group)
        if len(parts) > 1:
            return index, parts
    return None


def _undecided(preset: Preset) -> DecidedBy:
    return "lot_needed" if "lot" in preset.standings.tie_breaks.value else "shared"


def _tied(field: Field, ranked: Group) -> dict[Fraction, set[str]]:
    """The teams by total score."""
    tied: dict[Fraction, set[str]] = {}
    for team in ranked:
        tied.setdefault(total_score(field, team).value, set()).add(team)
    return tied


def _row(
    field: Field, team: str, rank: int | None, by: DecidedBy | None, tied: Mapping[Fraction, Collection[str]]
) -> Row:
    total = total_score(field, team)
    return Row(
        rank=rank,
        team=team,
        points=field.points[team],
        total=TotalShown(total.fraction, shown(total.value), total.working),
        direct_win=beaten(field, team, tied.get(total.value, ())),
        cumulative=cumulative(field, team),
        decided_by=by,
        provisional=field.provisional,
    )
