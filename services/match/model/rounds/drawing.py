"""A competition's beginning: the seed is committed, and lots are drawn from it."""

from __future__ import annotations

from datetime import datetime

import msgspec

from services.match import refusals as refuse
from services.match.model.rounds.state import Events, Rounds
from shared.contracts.fact import Changes, Team
from shared.contracts.match import DrawMade, Drawn, SeedCommitted
from shared.rules.formats.draws import commitment, shuffle
from shared.rules.regulations.preset import Preset

DRAW = "round 1"
"""The label under which the seed draws the teams' numbers: the pairing of round 1 reads the same lots."""


class Entered(msgspec.Struct, frozen=True, kw_only=True):
    """What registration has published of a competition."""

    regulation: str
    changes: Changes
    closes_at: datetime
    zone: str
    entries_closed: bool
    cancelled: bool
    teams: tuple[Team, ...]


def commit_seed(state: Rounds, entered: Entered, seed: bytes, now: datetime, by: str) -> Events:
    """The draw's seed is fixed before the entries are known. Raises CompetitionIsCancelled, SeedAlreadyCommitted,
    SeedTooLate."""
    _check_not_cancelled(state, entered)
    if state.commitment:
        raise refuse.SeedAlreadyCommitted(commitment=state.commitment)
    if entered.entries_closed or now > entered.closes_at:
        raise refuse.SeedTooLate()
    return [
        SeedCommitted(
            regulation=entered.regulation,
            by=by,
            competition=state.competition,
            commitment=commitment(seed),
            changes=entered.changes,
        )
    ]


def draw(state: Rounds, entered: Entered, preset: Preset, seed: bytes | None, by: str) -> Events:
    """Lots are drawn from the seed, which is revealed. Raises CompetitionIsCancelled, SeedNotCommitted, AlreadyDrawn,
    EntriesStillOpen, TooFewTeams, SeedLost."""
    _check_not_cancelled(state, entered)
    if not state.commitment:
        raise refuse.SeedNotCommitted(competition=state.competition)
    if state.teams:
        raise refuse.AlreadyDrawn(competition=state.competition)
    if not entered.entries_closed:
        raise refuse.EntriesStillOpen(competition=state.competition)
    if len(entered.teams) < 2:
        raise refuse.TooFewTeams(teams=len(entered.teams))
    if seed is None or commitment(seed) != state.commitment:
        raise refuse.SeedLost(competition=state.competition)
    by_id = {team.id: team for team in entered.teams}
    order = shuffle(seed, DRAW, by_id)
    return [
        DrawMade(
            regulation=state.regulation,
            by=by,
            competition=state.competition,
            seed=seed.hex(),
            commitment=state.commitment,
            teams=tuple(Drawn(team=by_id[team], number=n) for n, team in enumerate(order, 1)),
            article=preset.draws.first_round.article,
        )
    ]


def _check_not_cancelled(state: Rounds, entered: Entered) -> None:
    if entered.cancelled:
        raise refuse.CompetitionIsCancelled(competition=state.competition)
