"""A competition's rounds stream: seed, draw, pairing, absence, time, closing and reopening."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

import msgspec

from services.match import refusals as refuse
from services.match.model.facts import Seated, outcome
from services.match.model.matches import Match, Seat
from shared.contracts.fact import Changes, Fact, MatchResult, Remedy, Team
from shared.contracts.match import (
    DrawMade,
    Drawn,
    LotDrawn,
    Pairing,
    PlacesDeclared,
    PlacesProposed,
    ResultsPosted,
    RoundClosed,
    RoundPaired,
    RoundReopened,
    RulingApplied,
    SeedCommitted,
    TeamAbsent,
    TeamWithdrawn,
    TimeCalled,
)
from shared.eventsourcing.handling import Model
from shared.rules.errors import PairingRefused
from shared.rules.formats import competition as rules
from shared.rules.formats.draws import commitment, shuffle
from shared.rules.formats.rounds import rounds_for
from shared.rules.formats.swiss import pair
from shared.rules.regulations.preset import Preset
from shared.rules.shengji.results import bye_points

Events = Sequence[Fact]

DRAW = "round 1"
"""The label under which the seed draws the teams' numbers: the pairing of round 1 reads the same lots."""


class Round(msgspec.Struct, frozen=True, kw_only=True):
    """A paired round. `results` are those of its closed matches; `openings` counts reopenings by match,
    `reopened` are those it stands open for since it was last closed; `closings` how often it was closed,
    `matches_closed_at` is when the last of its matches was, then, and `posted_at` when these results were posted;
    `replays` are the matches to be played again, `untimed` those of them that began after time was last called."""

    number: int
    attempt: int
    pairings: tuple[Pairing, ...]
    bye: str | None
    absent: tuple[str, ...]
    closed: bool = False
    closings: int = 0
    closed_at: datetime | None = None
    matches_closed_at: datetime | None = None
    posted_at: datetime | None = None
    time_called: bool = False
    results: Mapping[str, MatchResult] = {}
    openings: Mapping[str, int] = {}
    reopened: frozenset[str] = frozenset()
    replays: frozenset[str] = frozenset()
    untimed: frozenset[str] = frozenset()


class Rounds(msgspec.Struct, frozen=True, kw_only=True):
    """A competition as its rounds stream tells it; `regulation` is empty before its first event. `voided` counts the
    pairings of a round that a decision had played again; `appeals` are those whose decision was applied."""

    competition: str
    regulation: str = ""
    changes: Changes = {}
    commitment: str = ""
    seed: str = ""
    teams: tuple[Drawn, ...] = ()
    planned: int = 0
    rounds: tuple[Round, ...] = ()
    voided: Mapping[int, int] = {}
    absences: frozenset[tuple[str, int]] = frozenset()
    withdrawn: tuple[str, ...] = ()
    disqualified: tuple[str, ...] = ()
    lots: tuple[tuple[str, ...], ...] = ()
    rulings: Mapping[str, tuple[Remedy, ...]] = {}
    appeals: frozenset[str] = frozenset()
    proposed: PlacesProposed | None = None
    declared: bool = False


def evolve(state: Rounds, event: Any) -> Rounds:
    """Fold one event of a rounds stream."""
    change = msgspec.structs.replace
    match event:
        case SeedCommitted():
            return change(state, regulation=event.regulation, changes=event.changes, commitment=event.commitment)
        case DrawMade():
            return change(state, teams=event.teams, seed=event.seed)
        case RoundPaired():
            paired = Round(
                number=event.round,
                attempt=event.attempt,
                pairings=event.matches,
                bye=event.bye,
                absent=event.absent,
            )
            return change(state, rounds=(*state.rounds, paired), planned=event.rounds_planned)
        case TeamAbsent():
            return change(state, absences=state.absences | {(event.team, event.round)})
        case TeamWithdrawn():
            return change(state, withdrawn=(*state.withdrawn, event.team))
        case TimeCalled():
            return _with_round(state, event.round, time_called=True, untimed=frozenset())
        case RoundClosed():
            results = {result.match: result for result in event.results}
            return _with_round(
                state,
                event.round,
                closed=True,
                closings=event.closing,
                closed_at=event.closed_at,
                matches_closed_at=event.matches_closed_at,
                posted_at=None,
                results=results,
                reopened=frozenset(),
            )
        case ResultsPosted():
            return _with_round(state, event.round, posted_at=event.posted_at)
        case RoundReopened():
            return _reopened(state, event.round, event.matches, frozenset())
        case LotDrawn():
            return change(state, lots=(*state.lots, event.order))
        case RulingApplied():
            return _ruled(state, event)
        case PlacesProposed():
            return change(state, proposed=event)
        case PlacesDeclared():
            return change(state, declared=True)
    raise TypeError(f"no fold for {type(event).__name__}")


ROUNDS: Model[Rounds] = Model(lambda stream: Rounds(competition=stream.removeprefix("rounds/")), evolve)


# The competition's beginning: seed and draw


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


# Rounds


def pair_next(state: Rounds, preset: Preset, by: str) -> Events:
    """The next round is paired from closed rounds only. Raises NotDrawn, RoundIsOpen, AllRoundsPaired,
    PairingImpossible, PlacesAreDeclared."""
    check_drawn(state)
    _check_not_declared(state)
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


def call_time(state: Rounds, preset: Preset, number: int, now: datetime, by: str) -> Events:
    """The round's time is up; of a match that is played again, its own. Raises NoSuchRound, RoundIsClosed,
    TimeAlreadyCalled."""
    current = round_of(state, number)
    if current.closed:
        raise refuse.RoundIsClosed(round=number)
    if current.time_called and not current.untimed:
        raise refuse.TimeAlreadyCalled(round=number)
    return [
        TimeCalled(
            regulation=state.regulation,
            by=by,
            competition=state.competition,
            round=number,
            called_at=now,
            unfinished_hand=preset.match.unfinished_hand.value,
            article=preset.match.minutes.article,
        )
    ]


def close_round(
    state: Rounds, preset: Preset, number: int, matches: Mapping[str, Match], now: datetime, by: str
) -> Events:
    """A round closes when all its matches have. `matches` are their streams, by id, read before this one.

    Each must be closed since its round was last reopened for it; once it is, nothing can open it behind this
    decision. Raises NoSuchRound, RoundIsClosed, OpenMatches."""
    current = round_of(state, number)
    if current.closed:
        raise refuse.RoundIsClosed(round=number)
    results, missing = [], []
    for pairing in current.pairings:
        standing = _standing(current, pairing.match)
        result = standing or _result_of(preset, _seat(state, current, pairing), matches.get(pairing.match, Match()))
        if result is None:
            missing.append(pairing.table)
        else:
            results.append(result)
    if missing:
        raise refuse.OpenMatches(round=number, tables=", ".join(map(str, missing)))
    return [
        RoundClosed(
            regulation=state.regulation,
            by=by,
            competition=state.competition,
            round=number,
            closing=current.closings + 1,
            closed_at=now,
            results=tuple(results),
            bye=current.bye,
            bye_points=bye_points(preset) if current.bye else 0,
            absent=current.absent,
            last=number == state.planned,
            matches_closed_at=_last_closed([matches.get(p.match, Match()) for p in current.pairings]),
        )
    ]


def _last_closed(played: Sequence[Match]) -> datetime | None:
    """When the last of these matches was closed, None where one does not say."""
    times = [match.closed_at for match in played]
    return max((at for at in times if at is not None), default=None) if None not in times else None


def post_results(state: Rounds, preset: Preset, number: int, now: datetime, by: str) -> Events:
    """The results of a closed round are posted for all to read. Raises NoSuchRound, RoundIsOpen, AlreadyPosted."""
    current = round_of(state, number)
    if not current.closed:
        raise refuse.RoundIsOpen(round=number)
    if current.posted_at is not None:
        raise refuse.AlreadyPosted(round=number, at=current.posted_at, zone=preset.zone.value)
    return [
        ResultsPosted(
            regulation=state.regulation,
            by=by,
            competition=state.competition,
            round=number,
            closing=current.closings,
            posted_at=now,
        )
    ]


def reopen_round(state: Rounds, number: int, matches: Sequence[str], reason: str, by: str) -> Events:
    """A closed round is opened again for some of its matches. Raises NoSuchRound, RoundIsOpen, NoSuchMatch,
    PlacesAreDeclared."""
    _check_not_declared(state)
    current = round_of(state, number)
    if not current.closed:
        raise refuse.RoundIsOpen(round=number)
    known = {pairing.match for pairing in current.pairings}
    for name in matches:
        if name not in known:
            raise refuse.NoSuchMatch(competition=state.competition, match=name)
    return [
        RoundReopened(
            regulation=state.regulation,
            by=by,
            competition=state.competition,
            round=number,
            matches=tuple(dict.fromkeys(matches)),
            reason=reason,
        )
    ]


# What others ask of the state


def match_id(number: int, attempt: int, table: int) -> str:
    """A match's id within its competition: `r3t2`, or `r3x2t2` when the round was paired a second time."""
    return f"r{number}t{table}" if attempt == 1 else f"r{number}x{attempt}t{table}"


def round_of(state: Rounds, number: int) -> Round:
    """A paired round. Raises NotDrawn, NoSuchRound."""
    check_drawn(state)
    if not 1 <= number <= len(state.rounds):
        raise refuse.NoSuchRound(competition=state.competition, round=number)
    return state.rounds[number - 1]


def seat_of(state: Rounds, name: str) -> Seat:
    """A match as its round seats it. Raises NoSuchMatch."""
    for current in state.rounds:
        for pairing in current.pairings:
            if pairing.match == name:
                return _seat(state, current, pairing)
    raise refuse.NoSuchMatch(competition=state.competition, match=name)


def names_match(event: Any, name: str) -> bool:
    """Whether an event of a rounds or match stream is about this match: its pairing, its reopening, its result …"""
    named = [getattr(event, "match", None), *getattr(event, "matches", ()), *getattr(event, "results", ())]
    return name in [getattr(one, "match", one) for one in named]


def as_competition(state: Rounds, absent: Sequence[str] = ()) -> rules.Competition:
    """The competition as the rules of pairing and standings take it, without lots; matches that are not over are
    `unfinished`."""
    return rules.Competition(
        teams=tuple(rules.Team(d.team.id, d.team.name, d.team.unit) for d in state.teams),
        rounds=tuple(_as_round(current) for current in state.rounds),
        withdrawn=state.withdrawn,
        absent=tuple(absent),
        disqualified=state.disqualified,
        seed=state.seed,
    )


def check_drawn(state: Rounds) -> None:
    """Raises NotDrawn."""
    if not state.teams:
        raise refuse.NotDrawn(competition=state.competition)


def _check_not_declared(state: Rounds) -> None:
    if state.declared:
        raise refuse.PlacesAreDeclared()


def _check_not_cancelled(state: Rounds, entered: Entered) -> None:
    if entered.cancelled:
        raise refuse.CompetitionIsCancelled(competition=state.competition)


def _check_playing(state: Rounds, team: str) -> None:
    check_drawn(state)
    _check_not_declared(state)
    if team not in {drawn.team.id for drawn in state.teams}:
        raise refuse.NoSuchTeam(competition=state.competition, team=team)
    if team in state.withdrawn:
        raise refuse.TeamIsWithdrawn(team=team)


def _as_round(current: Round) -> rules.Round:
    return rules.Round(
        number=current.number,
        matches=tuple(_as_match(current, pairing) for pairing in current.pairings),
        byes=(current.bye,) if current.bye else (),
        absent=current.absent,
    )


def _as_match(current: Round, pairing: Pairing) -> rules.PlayedMatch:
    result = _standing(current, pairing.match)
    if result is None:
        return rules.PlayedMatch(table=pairing.table, teams=pairing.teams, status="unfinished")
    return msgspec.convert(
        {
            "table": pairing.table,
            "teams": result.teams,
            "points": result.points,
            "levels": result.levels,
            "status": result.status,
        },
        rules.PlayedMatch,
    )


def _standing(current: Round, name: str) -> MatchResult | None:
    """The result of a match that the round does not stand open for."""
    return None if name in current.reopened else current.results.get(name)


def _result_of(preset: Preset, seat: Seat, played: Match) -> MatchResult | None:
    """The result of a match closed since it was last opened, with every ruling on it; None while it is open."""
    if played.closed is None or played.opening != seat.opening:
        return None
    forfeited = played.closed.status == "forfeit"
    if not seat.rulings or (forfeited and not any(ruling.kind == "award_match" for ruling in seat.rulings)):
        return played.closed
    return outcome(preset, seat.seated, played.sheet, seat.rulings)


def _seat(state: Rounds, current: Round, pairing: Pairing) -> Seat:
    teams = {drawn.team.id: drawn.team for drawn in state.teams}
    return Seat(
        competition=state.competition,
        regulation=state.regulation,
        changes=state.changes,
        round=current.number,
        seated=Seated(match=pairing.match, table=pairing.table, teams=pairing.teams),
        teams=(teams[pairing.teams[0]], teams[pairing.teams[1]]),
        opening=current.openings.get(pairing.match, 0),
        replay=pairing.match in current.replays,
        rulings=state.rulings.get(pairing.match, ()),
        time_called=current.time_called and pairing.match not in current.untimed,
    )


def _with_round(state: Rounds, number: int, **fields: Any) -> Rounds:
    rounds = tuple(
        msgspec.structs.replace(current, **fields) if current.number == number else current for current in state.rounds
    )
    return msgspec.structs.replace(state, rounds=rounds)


def _reopened(state: Rounds, number: int, matches: Sequence[str], replays: frozenset[str]) -> Rounds:
    current = state.rounds[number - 1]
    openings = {**current.openings, **{name: current.openings.get(name, 0) + 1 for name in matches}}
    return _with_round(
        state,
        number,
        closed=False,
        openings=openings,
        reopened=current.reopened | frozenset(matches),
        replays=(current.replays - frozenset(matches)) | replays,
        untimed=current.untimed | replays,
    )


def _ruled(state: Rounds, event: RulingApplied) -> Rounds:
    """A ruling changes a result, or has the match played again; and later rounds fall where it says so."""
    change = msgspec.structs.replace
    rulings = {**state.rulings, event.match: (*state.rulings.get(event.match, ()), event.remedy)}
    state = change(state, rulings=rulings, appeals=state.appeals | {event.appeal})
    team = event.remedy.team
    if event.remedy.kind == "disqualify_team" and team and team not in state.disqualified:
        state = change(state, disqualified=(*state.disqualified, team))
    if event.remedy.kind == "replay_match":
        state = change(state, rulings={**rulings, event.match: ()})
        state = _reopened(state, event.round, (event.match,), frozenset({event.match}))
    elif event.after is not None:
        results = {**state.rounds[event.round - 1].results, event.match: event.after}
        state = _with_round(state, event.round, results=results)
    if event.later is not None and event.later.choice == "replay_from" and event.later.round is not None:
        state = _voided(state, event.later.round)
    return state


def _voided(state: Rounds, first: int) -> Rounds:
    """Rounds from `first` on are as if never paired, but for the ids of their matches. Who was to miss one of them
    said so of the round that is void now (assumed)."""
    voided = dict(state.voided)
    for current in state.rounds:
        if current.number >= first:
            voided[current.number] = max(voided.get(current.number, 0), current.attempt)
    kept = tuple(current for current in state.rounds if current.number < first)
    absences = frozenset((team, number) for team, number in state.absences if number < first)
    return msgspec.structs.replace(state, rounds=kept, voided=voided, absences=absences)
