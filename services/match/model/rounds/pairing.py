"""The next round: who plays whom, who will be missing, who has left."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

import msgspec

from services.match import refusals as refuse
from services.match.model.rounds.course import draws_of, planned
from services.match.model.rounds.state import (
    NOTHING_OPEN,
    Events,
    Rounds,
    as_competition,
    check_all_closed,
    check_drawn,
    check_not_declared,
    match_id,
    round_of,
)
from shared.contracts.match import (
    AbsenceLifted,
    Pairing,
    PairOrdered,
    PairOrderLifted,
    RoundPaired,
    RoundUnpaired,
    TeamAbsent,
    TeamDisqualified,
    TeamWithdrawn,
)
from shared.rules.basis import Text
from shared.rules.errors import PairingRefused
from shared.rules.formats.articles import articles
from shared.rules.formats.course import CourseRound
from shared.rules.formats.pairing_file import Inputs, as_paired, digest, paired
from shared.rules.formats.swiss import HandPairing
from shared.rules.regulations.schema import AnyPreset


class ByHand(msgspec.Struct, frozen=True, kw_only=True):
    """A round as paired by hand, and why."""

    pairs: tuple[tuple[str, str], ...]
    bye: str | None
    reason: str


def pair_next(
    state: Rounds,
    preset: AnyPreset,
    by: str,
    by_hand: ByHand | None = None,
    open_tables: Mapping[int, Sequence[int]] = NOTHING_OPEN,
) -> Events:
    """The next round is paired from closed rounds only, by the stage that the competition is in. Raises NotDrawn,
    StageNotDrawn, OpenMatches, RoundIsOpen, AllRoundsPaired, PairingImpossible, PlacesAreDeclared."""
    check_drawn(state)
    check_not_declared(state)
    check_all_closed(state, open_tables)
    number = len(state.rounds) + 1
    absent = tuple(sorted(team for team, round_ in state.absences if round_ == number and team not in state.withdrawn))
    inputs = inputs_of(state, preset, absent, by_hand)
    found = as_paired(preset, inputs.competition.event, _next(state, preset, inputs))
    attempt = state.voided.get(number, 0) + 1
    return [
        RoundPaired(
            regulation=state.regulation,
            by=by,
            competition=state.competition,
            round=number,
            attempt=attempt,
            matches=tuple(
                Pairing(match=match_id(number, attempt, match.table), **msgspec.structs.asdict(match))
                for match in found.matches
            ),
            bye=found.bye,
            absent=absent,
            withdrawn=state.withdrawn,
            gave_up=found.gave_up,
            why=found.why,
            rounds_planned=planned(state, preset),
            article=articles(preset, state.event).pairing,
            disqualified=state.disqualified,
            stage=found.stage,
            byes=found.byes,
            fixed=inputs.competition.fixed,
            forbidden=inputs.competition.forbidden,
            by_hand=by_hand.reason if by_hand else "",
            inputs=digest(state.regulation, state.changes, inputs),
        )
    ]


def inputs_of(state: Rounds, preset: AnyPreset, absent: Sequence[str], by_hand: ByHand | None = None) -> Inputs:
    """All that the next round rests on."""
    return Inputs(
        competition=as_competition(state, absent, in_bracket=True),
        draws=draws_of(state, preset),
        by_hand=HandPairing(pairs=by_hand.pairs, bye=by_hand.bye) if by_hand else None,
    )


def _next(state: Rounds, preset: AnyPreset, inputs: Inputs) -> CourseRound:
    try:
        return paired(preset, inputs)
    except PairingRefused as error:
        if error.code == "draw_due":
            raise refuse.StageNotDrawn(reason=error.said) from error
        if error.code == "finished":
            raise refuse.AllRoundsPaired(planned=len(state.rounds)) from error
        raise refuse.PairingImpossible(error.article, reason=error.said) from error


def unpair(state: Rounds, number: int, begun: Mapping[str, bool], reason: str, by: str) -> Events:
    """The last round is undone, so that it can be paired anew. `begun` tells, by match, whether anything was entered.
    Raises NotDrawn, NoSuchRound, NotTheLastRound, RoundHasBegun, PlacesAreDeclared."""
    check_not_declared(state)
    current = round_of(state, number)
    if number != len(state.rounds):
        raise refuse.NotTheLastRound(round=number, last=len(state.rounds))
    started = [pairing.table for pairing in current.pairings if begun.get(pairing.match)]
    if started or current.closings or current.time_called or current.started_at:
        raise refuse.RoundHasBegun(round=number, tables=", ".join(map(str, started)) or "-")
    return [
        RoundUnpaired(
            regulation=state.regulation,
            by=by,
            competition=state.competition,
            round=number,
            attempt=current.attempt,
            reason=reason,
        )
    ]


class PairOrder(msgspec.Struct, frozen=True, kw_only=True):
    """Two teams that are to meet in the next round, or never, and why."""

    kind: Literal["fixed", "forbidden"]
    teams: tuple[str, str]
    reason: str


def order_pair(state: Rounds, order: PairOrder, by: str) -> Events:
    """The organiser fixes or forbids a pair; a later order about the same two replaces it. Raises NotDrawn,
    NoSuchTeam, TeamIsWithdrawn, PairingImpossible for a team with itself, PlacesAreDeclared."""
    for team in order.teams:
        _check_playing(state, team)
    if order.teams[0] == order.teams[1]:
        raise refuse.PairingImpossible(reason=Text("一队不能与自己对阵", "a team cannot meet itself"))
    return [
        PairOrdered(
            regulation=state.regulation,
            by=by,
            competition=state.competition,
            kind=order.kind,
            teams=order.teams,
            round=len(state.rounds) + 1,
            reason=order.reason,
        )
    ]


def lift_order(state: Rounds, teams: tuple[str, str], reason: str, by: str) -> Events:
    """An order no longer holds. Raises NoSuchOrder."""
    if set(teams) not in [set(order.teams) for order in state.orders]:
        raise refuse.NoSuchOrder(teams=", ".join(teams))
    return [
        PairOrderLifted(regulation=state.regulation, by=by, competition=state.competition, teams=teams, reason=reason)
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


def lift_absence(state: Rounds, team: str, reason: str, by: str) -> Events:
    """A team will be there after all: what was entered by mistake of the next round to be paired is taken back. Raises
    NotDrawn, NoSuchTeam, TeamIsWithdrawn, PlacesAreDeclared, NotAbsent."""
    _check_playing(state, team)
    number = len(state.rounds) + 1
    if (team, number) not in state.absences:
        raise refuse.NotAbsent(team=team, round=number)
    return [
        AbsenceLifted(
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


def disqualify_team(state: Rounds, preset: AnyPreset, team: str, reason: str, by: str) -> Events:
    """The chief referee disqualifies a team, also after the places were declared (jimei-2018 七.7: 如发现即取消 sets no
    term): they are then put forward and declared anew. Raises NotDrawn, NoSuchTeam, TeamIsWithdrawn,
    TeamIsDisqualified."""
    _check_known(state, team)
    if team in state.disqualified:
        raise refuse.TeamIsDisqualified(team=team)
    return [
        TeamDisqualified(
            regulation=state.regulation,
            by=by,
            competition=state.competition,
            team=team,
            from_round=len(state.rounds) + 1,
            reason=reason,
            article=articles(preset, state.event).fraud,
        )
    ]


def _check_playing(state: Rounds, team: str) -> None:
    check_drawn(state)
    check_not_declared(state)
    _check_known(state, team)


def _check_known(state: Rounds, team: str) -> None:
    check_drawn(state)
    if team not in {drawn.team.id for drawn in state.teams}:
        raise refuse.NoSuchTeam(competition=state.competition, team=team)
    if team in state.withdrawn:
        raise refuse.TeamIsWithdrawn(team=team)
