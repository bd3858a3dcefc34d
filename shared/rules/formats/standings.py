"""The standings: one function for every page, export and API."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import TypeAlias, TypeVar

from msgspec import Struct

from shared.rules.basis import Basis, Text, gather
from shared.rules.formats.bracket_standings import bracket_rows, has_brackets
from shared.rules.formats.competition import Competition, PlayedMatch
from shared.rules.formats.counts import cumulative
from shared.rules.formats.exact import exact
from shared.rules.formats.history import Field, field_of
from shared.rules.formats.row import Row, TotalShown
from shared.rules.formats.stages import CARDS
from shared.rules.formats.tiebreaks import Compared, Group, beaten, rules_of
from shared.rules.formats.total import shown, total_score
from shared.rules.regulations.preset import Preset, terms_of_event
from shared.rules.regulations.schema import AnyPreset
from shared.rules.regulations.tie_break_terms import Cumulative, DirectWin, terms_of

T = TypeVar("T", Cumulative, DirectWin)

__all__ = ["Row", "TotalShown", "basis", "lots_needed", "name_of", "standings"]


def standings(preset: AnyPreset, competition: Competition, after_round: int | None = None) -> list[Row]:
    """The standings after the finished rounds, or after the first `after_round`, best first, part by part.

    Teams that share a rank stand in order of id. Points are match points. Withdrawn teams stay in their place; at a
    board nobody takes one who came to no game, so far as that is certain (assumed).
    Raises BadCompetition, and RuleError `bad_value` for a round that there is not. jimei-2018: 十二（名次）.
    """
    if not isinstance(preset, Preset) or _by_bracket(preset, competition):
        return bracket_rows(preset, competition, after_round)
    field = field_of(preset, competition, after_round)
    unranked = set(competition.disqualified) | _never_came(competition, field.rounds)
    ranked = tuple(sorted(set(competition.ids) - unranked))
    compared = [(rule.code, rule.over(field)) for rule in rules_of(preset)]
    line = _lines(field, compared, ranked)
    rows: list[Row] = []
    for block in _blocks(compared, ranked, restart=preset.standings.regroup.value == "restart"):
        rank = len(rows) + 1
        for index, team in enumerate(block.teams):
            rows.append(line(team, rank, block.by if index == 0 else _undecided(preset)))
    return rows + [line(team, None, None) for team in sorted(unranked)]


def lots_needed(rows: Sequence[Row]) -> list[tuple[str, ...]]:
    """The groups of teams that lots must part, best first, each in order of id."""
    groups: dict[int | None, list[str]] = {}
    for row in rows:
        groups.setdefault(row.rank, []).append(row.team)
    waiting = {row.rank for row in rows if row.decided_by == "lot_needed"}
    return [tuple(teams) for rank, teams in groups.items() if rank in waiting]


def basis(preset: AnyPreset, event: str = CARDS) -> tuple[Basis, ...]:
    """The articles that the order of the standings of an event rests on."""
    if not isinstance(preset, Preset):
        return gather([preset.draws.format.basis, preset.draws.groups.basis])
    if event != CARDS and preset.boards is not None:
        boards = terms_of_event(preset.boards, event)
        points = (boards.points.win, boards.points.draw, boards.points.loss)
        return gather([boards.format.basis, boards.round_robin_up_to.basis, *(rule.basis for rule in points)])
    terms = preset.standings
    if terms.total.value == "bracket":
        third = [preset.knockout.third_place.basis] if preset.knockout else []
        return gather([terms.total.basis, *third])
    score = terms.total_score
    rules = (terms.total, score.role, score.max_points, score.bye_opponent_points)
    return gather([*(rule.basis for rule in rules), terms.tie_breaks.basis, terms.regroup.basis, terms.forfeits.basis])


def name_of(preset: AnyPreset, decided_by: str) -> Text:
    """What a person calls a `decided_by`."""
    if decided_by in _OTHERS or not isinstance(preset, Preset):
        return _OTHERS[decided_by]
    return next(rule.name for rule in rules_of(preset) if rule.code == decided_by)


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


def _never_came(competition: Competition, rounds: int) -> set[str]:
    """Who played no game at a board, and won none, of its own doing: it left before any was due, or in one of them
    neither came (both have a forfeit's equal points). A loss by forfeit alone may be a match awarded to the other."""
    if competition.event == CARDS:
        return set()
    due: dict[str, list[PlayedMatch]] = {team: [] for team in competition.ids}
    for round_ in competition.rounds[:rounds]:
        for match in round_.matches:
            for team in match.teams:
                due[team].append(match)
    absent = {team for team, matches in due.items() if any(map(_deserted, matches)) and not _came(team, matches)}
    seated = {team for round_ in competition.rounds for match in round_.matches for team in match.teams}
    return absent | (set(competition.withdrawn) - seated)


def _deserted(match: PlayedMatch) -> bool:
    return match.status == "forfeit" and match.points is not None and match.points[0] == match.points[1]


def _came(team: str, matches: Sequence[PlayedMatch]) -> bool:
    """Whether the team played a game, or won one that it did not."""
    won = (match.points is not None and match.points[match.teams.index(team)] > min(match.points) for match in matches)
    return any(match.status == "played" for match in matches) or any(won)


def _by_bracket(preset: Preset, competition: Competition) -> bool:
    return preset.standings.total.value == "bracket" and has_brackets(preset, competition)


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
    return "lot_needed" if "lot" in (terms_of(named).code for named in preset.standings.tie_breaks.value) else "shared"


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
