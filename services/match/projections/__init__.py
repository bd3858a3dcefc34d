"""Match's read model: what it knows of a competition, its rounds, its matches."""

from __future__ import annotations

from services.match.projections.competitions import CompetitionRow, competition_of, competitions
from services.match.projections.matches import MatchRow, match_key, matches
from services.match.projections.records import HandRecordRow, record_key, records
from services.match.projections.rounds import RoundRow, round_key, rounds
from services.match.projections.tables import UNSIGNED, SigningRow, TableRow, signings, tables
from shared.eventsourcing.projector import Projection
from shared.web.credentials import revoked

__all__ = [
    "PROJECTION",
    "UNSIGNED",
    "CompetitionRow",
    "HandRecordRow",
    "MatchRow",
    "RoundRow",
    "SigningRow",
    "TableRow",
    "competition_of",
    "competitions",
    "match_key",
    "matches",
    "record_key",
    "records",
    "round_key",
    "rounds",
    "signings",
    "tables",
]

PROJECTION = Projection(
    "match",
    20,
    ["registration", "match", "appeals"],
    [competitions, rounds, matches, records, tables, signings, revoked],
)
