"""The read model of appeals. In reading order: `known` (what registration and match have said of competitions, teams
and rounds), `matches` (the matches in dispute), `told` (what decides standings), `desk` (appeals), `books` (deposits
and waivers), `agenda` (what will fall due). No row mixes what two services said in one field."""

from services.appeals.projections.agenda import WATCHED, AgendaRow, Item, agendas
from services.appeals.projections.books import LedgerRow, ledgers
from services.appeals.projections.desk import AppealRow, appeal_key, appeals
from services.appeals.projections.known import (
    CompetitionRow,
    HallRow,
    Round,
    TeamRow,
    competitions,
    halls,
    team_key,
    teams,
)
from services.appeals.projections.matches import MatchRow, match_key, matches
from services.appeals.projections.told import ToldRow, told
from shared.eventsourcing.projector import Projection
from shared.web.credentials import revoked

PROJECTION = Projection(
    "appeals",
    10,
    ["registration", "match", "appeals"],
    [competitions, teams, halls, matches, told, appeals, ledgers, agendas, revoked],
)

__all__ = [
    "PROJECTION",
    "WATCHED",
    "AgendaRow",
    "AppealRow",
    "CompetitionRow",
    "HallRow",
    "Item",
    "LedgerRow",
    "MatchRow",
    "Round",
    "TeamRow",
    "ToldRow",
    "agendas",
    "appeal_key",
    "appeals",
    "competitions",
    "halls",
    "ledgers",
    "match_key",
    "matches",
    "team_key",
    "teams",
    "told",
]
