"""The clock of a round: started, paused and resumed by the server's time (jimei-2018 十.2: 60 minutes; zhongshan-2013
七（一）2: 45; ahut-2018 二.5: one hour, later untimed). Nothing is decided by its running out: somebody calls time."""

from __future__ import annotations

from datetime import datetime, timedelta

from services.match import refusals as refuse
from services.match.model.rounds.state import Events, Round, Rounds, round_of
from shared.contracts.match import RoundPaused, RoundResumed, RoundStarted
from shared.rules.formats.articles import articles
from shared.rules.regulations.schema import AnyPreset


def start(state: Rounds, preset: AnyPreset, number: int, now: datetime, by: str) -> Events:
    """The round begins; once time was called, a match that is played again begins with a clock of its own. Raises
    NoSuchRound, RoundIsClosed, ClockRuns, TimeAlreadyCalled."""
    current = _open(state, number)
    if current.started_at is not None and not (current.time_called and current.untimed):
        raise refuse.ClockRuns(round=number)
    timed = [pairing.minutes for pairing in current.pairings if pairing.minutes is not None]
    return [
        RoundStarted(
            regulation=state.regulation,
            by=by,
            competition=state.competition,
            round=number,
            started_at=now,
            minutes=max(timed, default=None),
            article=articles(preset, state.event).clock,
        )
    ]


def pause(state: Rounds, number: int, now: datetime, reason: str, by: str) -> Events:
    """The clock stands still. Raises NoSuchRound, RoundIsClosed, TimeAlreadyCalled, ClockStands."""
    current = _open(state, number)
    if current.started_at is None or current.paused_at is not None:
        raise refuse.ClockStands(round=number)
    return [
        RoundPaused(
            regulation=state.regulation,
            by=by,
            competition=state.competition,
            round=number,
            paused_at=now,
            reason=reason,
        )
    ]


def resume(state: Rounds, number: int, now: datetime, by: str) -> Events:
    """The clock runs again, for as long as was left. Raises NoSuchRound, RoundIsClosed, TimeAlreadyCalled,
    ClockRuns for one that was not paused."""
    current = _open(state, number)
    if current.paused_at is None:
        raise refuse.ClockRuns(round=number)
    stood = max(now - current.paused_at, timedelta())
    return [
        RoundResumed(
            regulation=state.regulation,
            by=by,
            competition=state.competition,
            round=number,
            resumed_at=now,
            ends_at=None if current.ends_at is None else current.ends_at + stood,
        )
    ]


def is_early(current: Round, now: datetime) -> bool:
    """Whether time would be called before the clock has run out; never where no clock runs."""
    return current.ends_at is not None and (current.paused_at or now) < current.ends_at


def _open(state: Rounds, number: int) -> Round:
    current = round_of(state, number)
    if current.closed:
        raise refuse.RoundIsClosed(round=number)
    if current.time_called and not current.untimed:
        raise refuse.TimeAlreadyCalled(round=number)
    return current
