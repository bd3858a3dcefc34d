"""The end of a round: its time, its closing, the posting of its results, and its opening again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

import msgspec

from services.match import refusals as refuse
from services.match.model.facts import bye_points, outcome
from services.match.model.matches import CORRECTED, Match, check_no_conflict
from services.match.model.rounds.clock import is_early
from services.match.model.rounds.state import (
    Events,
    Round,
    Rounds,
    check_not_declared,
    games_of,
    match_of,
    round_of,
    seated,
    standing_of,
    untimed,
)
from services.match.model.seated import Seat
from shared.contracts.fact import MatchResult
from shared.contracts.match import (
    ExtraHandOrdered,
    Pairing,
    ResultsPosted,
    RoundClosed,
    RoundReopened,
    TimeCalled,
    TimeCallLifted,
)
from shared.rules.formats import competition as rules
from shared.rules.formats.articles import articles
from shared.rules.regulations.schema import AnyPreset


def call_time(state: Rounds, preset: AnyPreset, number: int, now: datetime, by: str, reason: str = "") -> Events:
    """The round's time is up; of a match that is played again, its own. Raises NoSuchRound, RoundIsClosed,
    RoundIsUntimed, TimeAlreadyCalled, and without a reason TimeNotUp while its clock has not run out."""
    current = round_of(state, number)
    if current.closed:
        raise refuse.RoundIsClosed(round=number)
    if all(untimed(state, pairing) for pairing in current.pairings):
        raise refuse.RoundIsUntimed(articles(preset, state.event).clock, round=number)
    if current.time_called and not current.untimed:
        raise refuse.TimeAlreadyCalled(round=number)
    early = is_early(current, now)
    if early and not reason.strip():
        raise refuse.TimeNotUp(
            articles(preset, state.event).clock, round=number, until=current.ends_at, zone=preset.zone.value
        )
    return [
        TimeCalled(
            regulation=state.regulation,
            by=by,
            competition=state.competition,
            round=number,
            called_at=now,
            unfinished_hand=preset.match.unfinished_hand.value,
            article=articles(preset, state.event).clock,
            reason=reason if early else "",
        )
    ]


def lift_time_call(state: Rounds, number: int, matches: Mapping[str, Match], reason: str, by: str) -> Events:
    """Time was called by mistake: the round goes on. `matches` are their streams, by id, read before this one. Raises
    NoSuchRound, RoundIsClosed, NoTimeCall, MatchesClosedSince."""
    current = round_of(state, number)
    if current.closed:
        raise refuse.RoundIsClosed(round=number)
    called_at = current.time_called_at
    if not current.time_called or called_at is None:
        raise refuse.NoTimeCall(round=number)
    since = [
        pairing.table
        for pairing in current.pairings
        if (closed_at := matches.get(pairing.match, Match()).closed_at) is not None and closed_at >= called_at
    ]
    if since:
        raise refuse.MatchesClosedSince(round=number, tables=", ".join(map(str, since)))
    return [
        TimeCallLifted(
            regulation=state.regulation,
            by=by,
            competition=state.competition,
            round=number,
            matches=tuple(pairing.match for pairing in current.pairings),
            reason=reason,
        )
    ]


def close_round(
    state: Rounds, preset: AnyPreset, number: int, matches: Mapping[str, Match], now: datetime, by: str
) -> Events:
    """A round closes when all its matches have. `matches` are their streams, by id, read before this one.

    Each must be closed since its round was last reopened for it; once it is, nothing can open it behind this
    decision. Raises NoSuchRound, RoundIsClosed, OpenMatches, HandsInConflict."""
    current = round_of(state, number)
    if current.closed:
        raise refuse.RoundIsClosed(round=number)
    results, missing = [], []
    for pairing in current.pairings:
        standing = standing_of(current, pairing.match)
        played = matches.get(pairing.match, Match())
        check_no_conflict(played)
        result = standing or result_of(preset, seated(state, current, pairing), played)
        if result is None:
            missing.append(pairing.table)
        else:
            results.append(result)
    if missing:
        raise refuse.OpenMatches(round=number, tables=", ".join(map(str, missing)))
    _check_bracket(state, current, results, articles(preset, state.event).equal)
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
            bye_points=bye_points(preset, state.event) if current.bye else 0,
            absent=current.absent,
            last=number == state.planned,
            matches_closed_at=_last_closed([matches.get(p.match, Match()) for p in current.pairings]),
        )
    ]


def open_tables(state: Rounds, preset: AnyPreset, matches: Mapping[str, Match]) -> dict[int, tuple[int, ...]]:
    """By round that is not closed its tables that are not done either. `matches` are the streams of its matches."""
    return {
        current.number: tuple(
            pairing.table
            for pairing in current.pairings
            if standing_of(current, pairing.match) is None
            and result_of(preset, seated(state, current, pairing), matches.get(pairing.match, Match())) is None
        )
        for current in state.rounds
        if not current.closed
    }


def _check_bracket(state: Rounds, current: Round, results: Sequence[MatchResult], article: str) -> None:
    """In a bracket somebody goes on, unless neither came; and who went on is not another afterwards. `article`:
    what becomes of an equal match. Raises WinnerNeeded, ExtraHandDue, LaterRoundsRest."""
    found = {result.match: result for result in results}
    rested_on = {team for later in state.rounds[current.number :] for one in later.pairings for team in one.teams}
    for tables in games_of(current):
        if not tables[0].game:
            continue
        after = _match_of(state, current, tables, found)
        if after.status == "unfinished":
            raise refuse.ExtraHandDue(tables=", ".join(str(table.table) for table in tables))
        if after.status == "played" and winner_of(after) is None:
            raise refuse.WinnerNeeded(article, match=tables[0].match, way=CORRECTED)
        before = _match_of(state, current, tables, current.results)
        if before.points and winner_of(before) != winner_of(after) and rested_on & set(after.teams):
            raise refuse.LaterRoundsRest(match=tables[0].match, round=current.number)


def _match_of(
    state: Rounds, current: Round, tables: Sequence[Pairing], results: Mapping[str, MatchResult]
) -> rules.PlayedMatch:
    """A game with these results."""
    given = msgspec.structs.replace(current, results=results, reopened=frozenset())
    return match_of(state, given, tables)


def winner_of(match: rules.PlayedMatch) -> str | None:
    """Who won a match; None where nobody did."""
    one, two = match.points or (0, 0)
    return None if one == two else match.teams[0] if one > two else match.teams[1]


def order_extra_hands(state: Rounds, preset: AnyPreset, number: int, matches: Mapping[str, Match], by: str) -> Events:
    """One more hand at each table of the games whose points are equal. `matches` are their streams, by id. Raises
    NoSuchRound, RoundIsClosed, NoExtraHand."""
    current = round_of(state, number)
    if current.closed:
        raise refuse.RoundIsClosed(round=number)
    found = {
        pairing.match: result
        for pairing in current.pairings
        if (result := result_of(preset, seated(state, current, pairing), matches.get(pairing.match, Match())))
    }
    equal = [
        tables
        for tables in games_of(current)
        if tables[0].board
        and all(table.match in found for table in tables)
        and _match_of(state, current, tables, found).status == "unfinished"
    ]
    if not equal:
        raise refuse.NoExtraHand(articles(preset, state.event).equal, round=number)
    return [
        ExtraHandOrdered(
            regulation=state.regulation,
            by=by,
            competition=state.competition,
            round=number,
            matches=tuple(table.match for table in tables),
            hand=1 + max(matches[table.match].entered for table in tables),
            article=articles(preset, state.event).equal,
        )
        for tables in equal
    ]


def _last_closed(played: Sequence[Match]) -> datetime | None:
    """When the last of these matches was closed, None where one does not say."""
    times = [match.closed_at for match in played]
    return max((at for at in times if at is not None), default=None) if None not in times else None


def post_results(state: Rounds, preset: AnyPreset, number: int, now: datetime, by: str) -> Events:
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
    check_not_declared(state)
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


def result_of(preset: AnyPreset, seat: Seat, played: Match) -> MatchResult | None:
    """The result of a match closed since it was last opened, with every ruling on it; None while it is open."""
    if played.closed is None or played.opening != seat.opening:
        return None
    forfeited = played.closed.status == "forfeit"
    if not seat.rulings or (forfeited and not any(ruling.kind == "award_match" for ruling in seat.rulings)):
        return played.closed
    return outcome(preset, seat, played.played)
