"""The draws: the seed is committed, and lots are drawn from it, or in the hall."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

import msgspec

from services.match import refusals as refuse
from services.match.model.rounds.course import course_of
from services.match.model.rounds.state import NOTHING_OPEN, Events, Rounds, check_all_closed, check_not_declared
from shared.contracts.fact import Changes, Team
from shared.contracts.match import DrawMade, Drawn, SeedCommitted, StageDrawn
from shared.rules.errors import DrawRefused
from shared.rules.formats.arrange import Entrant, Seats
from shared.rules.formats.drawing import StageDraw, draw_by_hand, draw_stage
from shared.rules.formats.draws import commitment
from shared.rules.formats.stages import CARDS, StageTerms, stages_of
from shared.rules.regulations.preset import Preset
from shared.rules.regulations.schema import AnyPreset

DRAW = "round 1"
"""The label under which the seed draws the numbers of a Swiss: the pairing of round 1 reads the same lots."""


class Entered(msgspec.Struct, frozen=True, kw_only=True):
    """What registration has published of a competition; `event` is the one of it that `teams` play in."""

    regulation: str
    changes: Changes
    closes_at: datetime
    zone: str
    entries_closed: bool
    cancelled: bool
    teams: tuple[Team, ...]
    event: str = CARDS


class Lots(msgspec.Struct, frozen=True, kw_only=True):
    """What the organiser brings to a draw: the seeded teams, the strongest first; and where the lots were drawn in the
    hall, the seats by zone or group, and who saw it."""

    seeded: tuple[str, ...] = ()
    parts: Mapping[str, Seats] | None = None
    witness: str = ""


BY_SEED = Lots()


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
            event=entered.event,
        )
    ]


def draw(
    state: Rounds,
    entered: Entered,
    preset: AnyPreset,
    seed: bytes | None,
    by: str,
    lots: Lots = BY_SEED,
    open_tables: Mapping[int, Sequence[int]] = NOTHING_OPEN,
) -> Events:
    """The stage that is due is drawn; with the first the seed is revealed. Raises CompetitionIsCancelled,
    SeedNotCommitted, AlreadyDrawn, EntriesStillOpen, TooFewTeams, SeedLost, NoSuchTeam, DrawImpossible, and for a
    later stage OpenMatches, RoundIsOpen, PlacesAreDeclared."""
    _check_not_cancelled(state, entered)
    if not state.commitment:
        raise refuse.SeedNotCommitted(competition=state.competition)
    if state.teams:
        return _draw_later(state, preset, by, lots, open_tables)
    if not entered.entries_closed:
        raise refuse.EntriesStillOpen(competition=state.competition)
    if len(entered.teams) < _fewest(entered.event):
        raise refuse.TooFewTeams(teams=len(entered.teams))
    if seed is None or commitment(seed) != state.commitment:
        raise refuse.SeedLost(competition=state.competition)
    by_id = {team.id: team for team in entered.teams}
    for team in lots.seeded:
        if team not in by_id:
            raise refuse.NoSuchTeam(competition=state.competition, team=team)
    seeds = {team: place for place, team in enumerate(dict.fromkeys(lots.seeded), 1)}
    terms = stages_of(preset, len(by_id), state.event)[0]
    entrants = [Entrant(team.id, team.unit, seeds.get(team.id)) for team in entered.teams]
    made = _drawn(terms, entrants, seed, lots)
    order = [team for seats in made.parts.values() for team in seats if team is not None]
    return [
        DrawMade(
            regulation=state.regulation,
            by=by,
            competition=state.competition,
            seed=seed.hex(),
            commitment=state.commitment,
            teams=tuple(Drawn(team=by_id[team], number=n) for n, team in enumerate(order, 1)),
            article=_article(preset, terms),
            stage=terms.code,
            parts={part: tuple(seats) for part, seats in made.parts.items()},
            seeded=tuple(seeds),
            not_kept=made.not_kept,
            method="hand" if made.witness else "seed",
            witness=made.witness,
        )
    ]


def _fewest(event: str) -> int:
    """How many must have entered. A board is part of a competition that is played anyway: one player alone takes its
    first place without a game (assumed, decision 0022)."""
    return 2 if event == CARDS else 1


def _article(preset: AnyPreset, terms: StageTerms) -> str:
    """What a draw rests on: how round 1 is paired, or that there is such a stage."""
    if terms.format == "swiss" and isinstance(preset, Preset):
        return preset.draws.first_round.article
    return terms.basis.article


def _draw_later(
    state: Rounds, preset: AnyPreset, by: str, lots: Lots, open_tables: Mapping[int, Sequence[int]]
) -> Events:
    check_not_declared(state)
    check_all_closed(state, open_tables)
    run = course_of(state, preset)
    if run.due is None:
        raise refuse.AlreadyDrawn(competition=state.competition)
    terms, entrants = run.due
    made = _drawn(terms, entrants, bytes.fromhex(state.seed), lots)
    return [
        StageDrawn(
            regulation=state.regulation,
            by=by,
            competition=state.competition,
            stage=terms.code,
            parts={part: tuple(seats) for part, seats in made.parts.items()},
            not_kept=made.not_kept,
            method="hand" if made.witness else "seed",
            witness=made.witness,
            article=terms.basis.article,
        )
    ]


def _drawn(terms: StageTerms, entrants: Sequence[Entrant], seed: bytes, lots: Lots) -> StageDraw:
    """Raises DrawImpossible."""
    try:
        if lots.parts is not None:
            return draw_by_hand(terms, entrants, lots.parts, lots.witness)
        return draw_stage(terms, entrants, seed)
    except DrawRefused as error:
        raise refuse.DrawImpossible(terms.basis.article, reason=error.said) from error


def _check_not_cancelled(state: Rounds, entered: Entered) -> None:
    if entered.cancelled:
        raise refuse.CompetitionIsCancelled(competition=state.competition)
