"""A competition as standings and pairings read it, the values of the file `pailu-competition/1` (RECORDS)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

from shared.rules.errors import BadCompetition
from shared.rules.formats.reading import fields_of
from shared.rules.formats.stages import CARDS
from shared.rules.regulations.preset import Level

FORMAT = "pailu-competition/1"

Status = Literal["played", "forfeit", "unfinished", "cancelled"]
"""played and forfeit count alike; unfinished counts in nothing yet; cancelled never counts and is no meeting."""

Points = Annotated[int, Meta(ge=0)]
Number = Annotated[int, Meta(ge=1)]
TeamId = Annotated[str, Meta(min_length=1)]


class Team(Struct, frozen=True, forbid_unknown_fields=True):
    """A team that entered; seed: its place among the seeded, 1 the strongest."""

    id: TeamId
    name: str = ""
    unit: str = ""
    seed: Number | None = None


class Order(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Who fixed or forbade a pair, and why."""

    teams: tuple[TeamId, TeamId]
    by: str
    why: str


class HallDraw(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A stage as its lots fell in the hall: by part the teams in order (null: a bye in a bracket), and who saw it."""

    parts: dict[str, tuple[TeamId | None, ...]]
    witness: str


class PlayedMatch(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A match of a round; points, levels and fouls stand in the order of teams, of which the second moves second.

    levels None: not entered, or not played; fouls None: none recorded.
    """

    table: Number
    teams: tuple[TeamId, TeamId]
    points: tuple[Points, Points] | None = None
    levels: tuple[Level, Level] | None = None
    status: Status
    fouls: tuple[Points, Points] | None = None


class Round(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A round as paired. A team that is in no match, bye or absence of it took no part (late, withdrawn).

    half_byes: asked to be left out for the points of a draw, which other programs know; no regulation here grants it.
    """

    number: Number
    matches: tuple[PlayedMatch, ...]
    byes: tuple[TeamId, ...] = ()
    absent: tuple[TeamId, ...] = ()
    half_byes: tuple[TeamId, ...] = ()


class Competition(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """All that standings and the next pairing rest on.

    withdrawn: not paired again; absent, fixed: for the round to be paired; forbidden: never; lots: drawn, lower first;
    disqualified: result cancelled, opponents' points against it stand (jimei-2018 七.7); orders: who fixed or forbade
    which of the pairs, and why; draws: the stages drawn in the hall, the others being drawn from the seed; event: one
    of the boards, where it is not the cards.
    """

    teams: tuple[Team, ...]
    rounds: tuple[Round, ...] = ()
    withdrawn: tuple[TeamId, ...] = ()
    absent: tuple[TeamId, ...] = ()
    fixed: tuple[tuple[TeamId, TeamId], ...] = ()
    forbidden: tuple[tuple[TeamId, TeamId], ...] = ()
    lots: dict[TeamId, Number] = {}
    disqualified: tuple[TeamId, ...] = ()
    regulation: str = ""
    name: str = ""
    seed: str = ""
    orders: tuple[Order, ...] = ()
    draws: dict[str, HallDraw] = {}
    event: str = CARDS

    @property
    def ids(self) -> tuple[str, ...]:
        """The teams' ids in the order of the file."""
        return tuple(team.id for team in self.teams)


def from_file(data: object) -> Competition:
    """The competition in a decoded file. Raises BadCompetition naming the place."""
    competition = fields_of(data, FORMAT, ("regulation", "teams", "rounds"), Competition, BadCompetition)
    check(competition)
    return competition


def to_file(competition: Competition) -> dict[str, Any]:
    """The file of a competition as plain JSON, which `from_file` reads back the same.

    It has what RECORDS names, and of the rest what says something.
    """
    data: dict[str, Any] = msgspec.to_builtins(competition)
    _leave_out(data, competition, ("disqualified", "orders", "draws", "event"))
    for team, row in zip(competition.teams, data["teams"], strict=True):
        _leave_out(row, team, ("seed",))
    for round_, row in zip(competition.rounds, data["rounds"], strict=True):
        _leave_out(row, round_, ("half_byes",))
        for match, cells in zip(round_.matches, row["matches"], strict=True):
            _leave_out(cells, match, ("points", "levels", "fouls"))
    return {"format": FORMAT, **{name: data.pop(name) for name in ("regulation", "name", "seed")}, **data}


def _leave_out(data: dict[str, Any], of: Struct, names: Iterable[str]) -> None:
    """Drop these fields where they have their default."""
    defaults = {field.name: field.default for field in msgspec.structs.fields(of)}
    for name in names:
        if getattr(of, name) == defaults[name] or not getattr(of, name):
            del data[name]


def check(competition: Competition) -> None:
    """Refuse a competition that contradicts itself. Raises BadCompetition naming the place."""
    known: set[str] = set()
    for index, team in enumerate(competition.teams):
        if team.id in known:
            raise BadCompetition(f"teams[{index}].id", f"{team.id!r} is given twice")
        known.add(team.id)
    for index, round_ in enumerate(competition.rounds):
        _check_round(round_, index, known)
    for place, team_id in _named(competition):
        if team_id not in known:
            raise BadCompetition(place, f"{team_id!r} is no team of this competition")
    for place, pairs in (("fixed", competition.fixed), ("forbidden", competition.forbidden)):
        for index, (one, two) in enumerate(pairs):
            if one == two:
                raise BadCompetition(f"{place}[{index}]", f"pairs {one!r} with itself")
    _check_orders(competition)
    if re.fullmatch(r"(?:[0-9a-fA-F]{2})*", competition.seed) is None:
        raise BadCompetition("seed", f"{competition.seed!r} is not hexadecimal")


def _check_orders(competition: Competition) -> None:
    """Every order is of a pair that is fixed or forbidden, and no two teams share a seed."""
    ordered = {frozenset(pair) for pair in (*competition.fixed, *competition.forbidden)}
    for index, order in enumerate(competition.orders):
        if frozenset(order.teams) not in ordered:
            raise BadCompetition(f"orders[{index}].teams", "are neither fixed nor forbidden")
    seeds: set[int] = set()
    for index, team in enumerate(competition.teams):
        if team.seed in seeds:
            raise BadCompetition(f"teams[{index}].seed", f"seed {team.seed} is given twice")
        seeds |= {team.seed} if team.seed is not None else set()


def _check_round(round_: Round, index: int, known: set[str]) -> None:
    here = f"rounds[{index}]"
    if round_.number != index + 1:
        raise BadCompetition(f"{here}.number", f"is {round_.number} where round {index + 1} belongs")
    seen: set[str] = set()
    tables: set[int] = set()
    for place, team in _seated(round_, here):
        if team not in known:
            raise BadCompetition(place, f"{team!r} is no team of this competition")
        if team in seen:
            raise BadCompetition(place, f"{team!r} stands in the round twice")
        seen.add(team)
    for number, match in enumerate(round_.matches):
        if match.table in tables:
            raise BadCompetition(f"{here}.matches[{number}].table", f"table {match.table} is given twice")
        tables.add(match.table)
        if match.points is None and match.status in ("played", "forfeit"):
            raise BadCompetition(f"{here}.matches[{number}].points", f"are missing from a match that is {match.status}")


def _seated(round_: Round, here: str) -> Iterator[tuple[str, str]]:
    for index, match in enumerate(round_.matches):
        for side, team in enumerate(match.teams):
            yield f"{here}.matches[{index}].teams[{side}]", team
    yield from _listed(f"{here}.byes", round_.byes)
    yield from _listed(f"{here}.absent", round_.absent)
    yield from _listed(f"{here}.half_byes", round_.half_byes)


def _named(competition: Competition) -> Iterator[tuple[str, str]]:
    yield from _listed("withdrawn", competition.withdrawn)
    yield from _listed("absent", competition.absent)
    yield from _listed("disqualified", competition.disqualified)
    for name, pairs in (("fixed", competition.fixed), ("forbidden", competition.forbidden)):
        for index, pair in enumerate(pairs):
            yield from _listed(f"{name}[{index}]", pair)
    yield from ((f"lots.{team}", team) for team in competition.lots)
    for stage, draw in competition.draws.items():
        for part, seats in draw.parts.items():
            yield from _listed(f"draws.{stage}.parts.{part}", [team for team in seats if team is not None])


def _listed(place: str, teams: Iterable[str]) -> Iterator[tuple[str, str]]:
    return ((f"{place}[{index}]", team) for index, team in enumerate(teams))
