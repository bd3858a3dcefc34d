"""How a competition ends: lots for ties that nothing parts, places proposed by one person and declared by another."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime

import msgspec

from services.match import refusals as refuse
from services.match.model.rounds import Rounds, as_competition, check_drawn, course_of
from shared.contracts.fact import Fact
from shared.contracts.match import LotDrawn, Place, PlacesDeclared, PlacesProposed
from shared.rules.appeals import times_of_round, windows
from shared.rules.basis import Text
from shared.rules.deadlines import in_time
from shared.rules.formats.articles import articles
from shared.rules.formats.awards import places_of
from shared.rules.formats.draws import shuffle
from shared.rules.formats.lots import with_lots
from shared.rules.formats.standings import Row, lots_needed, standings
from shared.rules.regulations.preset import Preset
from shared.rules.regulations.schema import AnyPreset

Events = Sequence[Fact]
Struck = Collection[str]
"""The teams that take no place because the results of their union team are cancelled."""


class Appealed(msgspec.Struct, frozen=True, kw_only=True):
    """What appeals has published: undecided appeals, those decided with a remedy; by team, from the first round on, the
    closing of each over which it has waived appeals; and by round the closing whose window the desk has recorded as
    closed. What the desk took before that was published before it. `conflicts` are, by match, the hands in conflict:
    an entry that came late may still change what is declared."""

    undecided: tuple[str, ...] = ()
    ruled: tuple[str, ...] = ()
    waived: Mapping[str, Sequence[datetime]] = {}
    windows: Mapping[int, datetime] = {}
    conflicts: Mapping[str, Sequence[int]] = {}


class DrawnByHand(msgspec.Struct, frozen=True, kw_only=True):
    """Lots drawn in the hall: the order from the better place down, and who saw it."""

    order: tuple[str, ...]
    witness: str


def draw_lot(
    state: Rounds, preset: AnyPreset, teams: Sequence[str], by_hand: DrawnByHand | None, by: str, struck: Struck = ()
) -> Events:
    """A lot parts the teams of one tie, from the recorded seed or as drawn in the hall. Raises NotDrawn, RoundsRemain,
    LotNotNeeded, PlacesAreDeclared."""
    _check_finished(state, preset)
    groups = lots_needed(_standings(state, preset, struck))
    if (
        len(set(teams)) < len(teams)
        or set(teams) not in [set(group) for group in groups]
        or (by_hand and set(by_hand.order) != set(teams))
    ):
        raise refuse.LotNotNeeded(groups=_said(groups))
    label = "lot " + " ".join(sorted(teams))
    order = by_hand.order if by_hand else shuffle(bytes.fromhex(state.seed), label, teams)
    return [
        LotDrawn(
            regulation=state.regulation,
            by=by,
            competition=state.competition,
            order=tuple(order),
            method="hand" if by_hand else "seed",
            label=label,
            witness=by_hand.witness if by_hand else "",
            article=articles(preset, state.event).lots,
        )
    ]


def propose(state: Rounds, preset: AnyPreset, by: str, struck: Struck = ()) -> Events:
    """One person puts the final places forward, of declared ones too where others take them since a team's results were
    cancelled. Raises NotDrawn, RoundsRemain, LotsNeeded, PlacesAreDeclared."""
    _check_played(state, preset)
    places = final_places(state, preset, struck)
    if state.declared and state.proposed is not None and places == state.proposed.places:
        raise refuse.PlacesAreDeclared()
    return [
        PlacesProposed(
            regulation=state.regulation,
            by=by,
            competition=state.competition,
            places=places,
            after_round=len(state.rounds),
            article=articles(preset, state.event).places,
        )
    ]


def declare(
    state: Rounds, preset: AnyPreset, appealed: Appealed, now: datetime, by: str, struck: Struck = ()
) -> Events:
    """Another person declares the places: no appeal is undecided and none can come. Raises PlacesNotProposed,
    TwoPeopleNeeded, PlacesHaveChanged, HandsInConflict, AppealsUndecided, RulingsMissing, AppealWindowOpen,
    ResultsNotPosted, WindowNotRecorded, and what `propose` does."""
    _check_finished(state, preset)
    if state.proposed is None:
        raise refuse.PlacesNotProposed()
    if state.proposed.by == by:
        raise refuse.TwoPeopleNeeded(by=by)
    places = final_places(state, preset, struck)
    if places != state.proposed.places:
        raise refuse.PlacesHaveChanged()
    for pairing in (pairing for current in state.rounds for pairing in current.pairings):
        if hands := appealed.conflicts.get(pairing.match):
            raise refuse.HandsInConflict(match=pairing.match, hands=", ".join(map(str, hands)))
    _check_appeals(state, preset, appealed, now)
    return [
        PlacesDeclared(
            regulation=state.regulation,
            by=by,
            competition=state.competition,
            places=places,
            proposed_by=state.proposed.by,
            article=articles(preset, state.event).places,
        )
    ]


def final_places(state: Rounds, preset: AnyPreset, struck: Struck = ()) -> tuple[Place, ...]:
    """The places as the standings give them, with their awards. Raises LotsNeeded."""
    rows = _standings(state, preset, struck)
    if groups := lots_needed(rows):
        raise refuse.LotsNeeded(articles(preset, state.event).lots, groups=_said(groups))
    awarded = places_of(preset, rows)
    return tuple(
        Place(
            rank=row.rank,
            team=row.team,
            decided_by=row.decided_by,
            points=row.points,
            total=row.total.working,
            award=awarded.get(row.team),
            part=row.part,
        )
        for row in rows
        if row.rank is not None
    )


def _standings(state: Rounds, preset: AnyPreset, struck: Struck) -> list[Row]:
    in_bracket = not isinstance(preset, Preset) or preset.standings.total.value == "bracket"
    competition = as_competition(state, in_bracket=in_bracket)
    out = tuple(sorted({*competition.disqualified, *struck}))
    return standings(preset, with_lots(preset, msgspec.structs.replace(competition, disqualified=out), state.lots))


def _check_finished(state: Rounds, preset: AnyPreset) -> None:
    check_drawn(state)
    if state.declared:
        raise refuse.PlacesAreDeclared()
    _check_played(state, preset)


def _check_played(state: Rounds, preset: AnyPreset) -> None:
    check_drawn(state)
    closed = sum(current.closed for current in state.rounds)
    if closed < len(state.rounds) or not course_of(state, preset).finished:
        raise refuse.RoundsRemain(planned=state.planned or Text("若干", "so many"), closed=closed)


def _check_appeals(state: Rounds, preset: AnyPreset, appealed: Appealed, now: datetime) -> None:
    if appealed.undecided:
        raise refuse.AppealsUndecided(appeals=", ".join(appealed.undecided))
    if not isinstance(preset, Preset):
        return  # a game whose regulations have no appeals has no windows
    missing = [appeal for appeal in appealed.ruled if appeal not in state.appeals | state.set_aside]
    if missing:
        raise refuse.RulingsMissing(appeals=", ".join(missing))
    closed = {
        current.number: times_of_round(current.closed_at, current.matches_closed_at, current.posted_at)
        for current in state.rounds
        if current.closed_at is not None
    }
    standing = windows(preset, closed, [drawn.team.id for drawn in state.teams], appealed.waived)
    for window in standing:
        if window.closes is None:
            raise refuse.ResultsNotPosted(preset.appeals.window_from.article, round=window.round)
    closing = [(window.closes, window.round) for window in standing if window.closes is not None]
    if closing and in_time(now, max(closing)[0]):
        until, number = max(closing)
        raise refuse.AppealWindowOpen(
            preset.appeals.window_hours.article, round=number, until=until, zone=preset.zone.value
        )
    for window in standing:
        if appealed.windows.get(window.round) != closed[window.round].round_closed:
            raise refuse.WindowNotRecorded(preset.appeals.window_hours.article, round=window.round)


def _said(groups: Sequence[Sequence[str]]) -> str:
    return "; ".join(", ".join(group) for group in groups) or "-"
