"""The blueprint of match, and what its endpoints have in common."""

from __future__ import annotations

from typing import cast

import msgspec
from flask_smorest import Blueprint

from services.match import refusals as refuse
from services.match.commands import Matches
from services.match.projections import CompetitionRow, competitions
from shared.web.context import service
from shared.web.words import lines, words

blueprint = Blueprint("match", __name__, description="Draws, rounds, tables, hands, penalties, rulings, places")

Reason = lines(500)
Id = words(100)
PAIRS = ("13", "24")
PAIR = "13: the team named first, 24: the other"
BASE = "/competitions/<competition>"
MATCH = BASE + "/matches/<match>"
ROUND = BASE + "/rounds/<int(max=999):number>"


class UseCases(msgspec.Struct, frozen=True):
    """What this api calls."""

    commands: Matches


def use() -> Matches:
    """The use cases of the current app."""
    return cast(UseCases, service().use_cases).commands


def known(competition: str) -> CompetitionRow:
    """A competition as the read model has it. Raises NoSuchCompetition."""
    row = service().engine.reader.get(competitions, competition)
    if row is None or not row.regulation:
        raise refuse.NoSuchCompetition(competition=competition)
    return row
