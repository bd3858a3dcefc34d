"""The next round: who plays whom, who will be missing, who has left."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Literal

import msgspec

from services.match import refusals as refuse
from services.match.model.rounds.course import planned, round_after
from services.match.model.rounds.state import (
    Events,
    Rounds,
    as_competition,
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
from shared.rules.formats.course import CourseMatch, CourseRound
from shared.rules.formats.course.tables import of_swiss
from shared.rules.formats.stages import stages_of
from shared.rules.formats.swiss import HandPairing, pair_by_hand
from shared.rules.regulations.preset import Preset
from shared.rules.regulations.schema import AnyPreset


class ByHand(msgspec.Struct, frozen=True, kw_only=True):
    """A round as paired by hand, and why."""

    pairs: tuple[tuple[str, str], ...]
    bye: str | None
    reason: str


def pair_next(state: Rounds, preset: AnyPreset, by: str, by_hand: ByHand | None = None) -> Events:
    """The next round is paired from closed rounds only, by the stage that the competition is in. Raises NotDrawn,
    StageNotDrawn, RoundIsOpen, AllRoundsPaired, PairingImpossible, PlacesAreDeclared."""
    check_drawn(state)
    check_not_declared(state)
    open_rounds = [current.number for current in state.rounds if not current.closed]
    if open_rounds:
        raise refuse.RoundIsOpen(round=open_rounds[0])
    number = len(state.rounds) + 1
    absent = tuple(sorted(team for team, round_ in state.absences if round_ == number and team not in state.withdrawn))
    found = _next(state, preset, absent, by_hand)
    attempt = state.voided.get(number, 0) + 1
    competition = as_competition(state, absent)
    swiss = not any(match.game for match in found.matches)
    return [
        RoundPaired(
            regulation=state.regulation,
            by=by,
            competition=state.competition,
            round=number,
            attempt=attempt,
            matches=tuple(
                _pairing(match, table, board, match_id(number, attempt, table))
                for table, (match, board) in enumerate(_at_tables(preset, found.matches), 1)
            ),
            bye=found.byes[0] if swiss and found.byes else None,
            absent=absent,
            withdrawn=state.withdrawn,
            gave_up=found.gave_up,
            why=found.why,
            rounds_planned=planned(state, preset),
            article=preset.draws.format.article,
            disqualified=state.disqualified,
            stage=found.stage,
            byes=found.byes,
            fixed=competition.fixed,
            forbidden=competition.forbidden,
            by_hand=by_hand.reason if by_hand else "",
        )
    ]


def _at_tables(preset: AnyPreset, matches: Sequence[CourseMatch]) -> Iterator[tuple[CourseMatch, int]]:
    """Every match at its table; where the hands are counted, at each of its tables, numbered from 1."""
    counted = isinstance(preset, Preset) and preset.match.ends.value == "hands"
    for match in matches:
        if counted and match.game:
            yield from ((match, board) for board in range(1, _tables(preset) + 1))
        else:
            yield match, 0


def _tables(preset: AnyPreset) -> int:
    return preset.match.tables.value if isinstance(preset, Preset) else 1


def _pairing(match: CourseMatch, table: int, board: int, name: str) -> Pairing:
    return Pairing(
        match=name,
        table=table,
        teams=match.teams,
        part=match.part,
        game=match.game,
        minutes=match.terms.minutes,
        level_stage=match.terms.stage,
        board=board,
    )


def _next(state: Rounds, preset: AnyPreset, absent: tuple[str, ...], by_hand: ByHand | None) -> CourseRound:
    try:
        found = round_after(state, preset, absent)
        if by_hand is None:
            return found
        return _paired_by_hand(state, preset, absent, by_hand, found)
    except PairingRefused as error:
        if error.code == "draw_due":
            raise refuse.StageNotDrawn(reason=error.said) from error
        if error.code == "finished":
            raise refuse.AllRoundsPaired(planned=len(state.rounds)) from error
        raise refuse.PairingImpossible(error.article, reason=error.said) from error


def _paired_by_hand(
    state: Rounds, preset: AnyPreset, absent: tuple[str, ...], by_hand: ByHand, found: CourseRound
) -> CourseRound:
    """Only a Swiss round is paired by hand: a bracket follows from its draw, a round robin from its table."""
    stage = next(terms for terms in stages_of(preset, len(state.teams)) if terms.code == found.stage)
    if stage.format != "swiss" or not isinstance(preset, Preset):
        zh, en = "只有瑞士制可手工编排", "only a Swiss round is paired by hand"
        raise PairingRefused("bad_pairing", en, zh)
    hand = HandPairing(pairs=by_hand.pairs, bye=by_hand.bye)
    made = pair_by_hand(preset, as_competition(state, absent), bytes.fromhex(state.seed), hand)
    return of_swiss(preset, found.stage, made, len(state.teams))


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
    """The chief referee disqualifies a team. Raises NotDrawn, NoSuchTeam, TeamIsWithdrawn, TeamIsDisqualified,
    PlacesAreDeclared."""
    _check_playing(state, team)
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
            article=articles(preset).fraud,
        )
    ]


def _check_playing(state: Rounds, team: str) -> None:
    check_drawn(state)
    check_not_declared(state)
    if team not in {drawn.team.id for drawn in state.teams}:
        raise refuse.NoSuchTeam(competition=state.competition, team=team)
    if team in state.withdrawn:
        raise refuse.TeamIsWithdrawn(team=team)
