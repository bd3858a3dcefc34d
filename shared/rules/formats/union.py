"""What the union teams did in each event, the values of the file `pailu-union/1` (RECORDS)."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from shared.rules.errors import BadUnion
from shared.rules.formats.competition import TeamId
from shared.rules.formats.reading import fields_of

FORMAT = "pailu-union/1"

Place = Annotated[tuple[TeamId, ...], Meta(min_length=1)]
"""The teams of a place; several share the places that they cover."""


class UnionTeam(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A union team. entered_in_full: with every pair and player; played_everything: was absent from nothing;
    cancelled: its results and money are (zhongshan-2013 四)."""

    id: TeamId
    name: str = ""
    entered_in_full: bool
    played_everything: bool
    cancelled: bool = False


class UnionResults(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The teams, and the places of each event from the first on; a team stands there for each pair or player."""

    teams: tuple[UnionTeam, ...]
    placings: dict[str, tuple[Place, ...]]
    regulation: str = ""
    name: str = ""


def from_file(data: object) -> UnionResults:
    """The results in a decoded file. Raises BadUnion naming the place."""
    results = fields_of(data, FORMAT, ("regulation",), UnionResults, BadUnion)
    check(results)
    return results


def to_file(results: UnionResults) -> dict[str, Any]:
    """The file of results as plain JSON, which `from_file` reads back the same."""
    return {"format": FORMAT, **msgspec.to_builtins(results)}


def check(results: UnionResults) -> None:
    """Refuse results that contradict themselves. Raises BadUnion naming the place."""
    known: set[str] = set()
    for index, team in enumerate(results.teams):
        if team.id in known:
            raise BadUnion(f"teams[{index}].id", f"{team.id!r} is given twice")
        known.add(team.id)
    for event, places in results.placings.items():
        for place, teams in enumerate(places):
            for index, named in enumerate(teams):
                if named not in known:
                    raise BadUnion(f"placings.{event}[{place}][{index}]", f"{named!r} is no team of this competition")
