"""The next round: who plays whom, who will be missing, who has left."""

from __future__ import annotations

from services.match import refusals as refuse
from services.match.model.rounds.state import Events, Rounds, as_competition, check_drawn, check_not_declared, match_id
from shared.contracts.match import Pairing, RoundPaired, TeamAbsent, TeamWithdrawn
from shared.rules.errors import PairingRefused
from shared.rules.formats.rounds import rounds_for
from shared.rules.formats.swiss import pair
from shared.rules.regulations.preset import Preset


def pair_next(state: Rounds, preset: Preset, by: str) -> Events:
    """The next round is paired from closed rounds only. Raises NotDrawn, RoundIsOpen, AllRoundsPaired,
    PairingImpossible, PlacesAreDeclared."""
    check_drawn(state)
    check_not_declared(state)
    planned = rounds_for(preset, len(state.teams))
    open_rounds = [current.number for current in state.rounds if not current.closed]
    if open_rounds:
        raise refuse.RoundIsOpen(round=open_rounds[0])
    number = len(state.rounds) + 1
    if number > planned:
        raise refuse.AllRoundsPaired(planned=planned)
    absent = tuple(sorted(team for team, round_ in state.absences if round_ == number and team not in state.withdrawn))
    try:
        pairing = pair(preset, as_competition(state, absent=absent), bytes.fromhex(state.seed))
    except PairingRefused as error:
        raise refuse.PairingImpossible(error.article, reason=error.said) from error
    attempt = state.voided.get(number, 0) + 1
    return [
        RoundPaired(
            regulation=state.regulation,
            by=by,
            competition=state.competition,
            round=number,
            attempt=attempt,
            matches=tuple(
                Pairing(match=match_id(number, attempt, m.table), table=m.table, teams=m.teams) for m in pairing.matches
            ),
            bye=pairing.bye,
            absent=absent,
            withdrawn=state.withdrawn,
            gave_up=pairing.gave_up,
            why=pairing.why,
            rounds_planned=planned,
            article=preset.draws.format.article,
            disqualified=state.disqualified,
        )
    ]


def announce_absence(state: Rounds, team: str, reason: str, by: str) -> Events:
    """A team will miss the next round to be paired. Raises NotDrawn, NoSuchTeam, TeamIsWithdrawn, AllRoundsPaired,
    PlacesAreDeclared."""
    _check_playing(state, team)
    number = len(state.rounds) + 1
    if state.planned and number > state.planned:
        raise refuse.AllRoundsPaired(planned=state.planned)
    if (team, number) in state.absences:
        return []
    return [
        TeamAbsent(
            regulation=state.regulation, by=by, competition=state.competition, team=team, round=number, reason=reason
        )
    ]


def withdraw_team(state: Rounds, team: str, reason: str, by: str) -> Events:
    """A team is not paired again; its open match is for the referee to forfeit. Raises NotDrawn, NoSuchTeam,
    TeamIsWithdrawn, PlacesAreDeclared."""
    _check_playing(state, team)
    return [
        TeamWithdrawn(
            regulation=state.regulation,
            by=by,
            competition=state.competition,
            team=team,
            from_round=len(state.rounds) + 1,
            reason=reason,
        )
    ]


def _check_playing(state: Rounds, team: str) -> None:
    check_drawn(state)
    check_not_declared(state)
    if team not in {drawn.team.id for drawn in state.teams}:
        raise refuse.NoSuchTeam(competition=state.competition, team=team)
    if team in state.withdrawn:
        raise refuse.TeamIsWithdrawn(team=team)
