"""A competition as its rounds stream tells it, pure: what its standings rest on, at any point of that stream."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, cast

import msgspec

from shared.contracts.fact import Fact, MatchResult, Team
from shared.contracts.match import (
    DrawMade,
    LotDrawn,
    Pairing,
    RoundClosed,
    RoundPaired,
    RoundReopened,
    RoundUnpaired,
    RulingApplied,
    StageDrawn,
    TeamDisqualified,
    TeamWithdrawn,
)
from shared.rules.formats import competition as rules
from shared.rules.formats.boards import joined
from shared.rules.formats.lots import with_lots
from shared.rules.formats.stages import CARDS
from shared.rules.formats.standings import Row, standings
from shared.rules.regulations.preset import Preset

EVENTS: tuple[type[Fact], ...] = (
    DrawMade,
    StageDrawn,
    RoundPaired,
    RoundUnpaired,
    RoundClosed,
    RoundReopened,
    RulingApplied,
    TeamDisqualified,
    TeamWithdrawn,
    LotDrawn,
)
"""The events that decide standings."""


class Round(msgspec.Struct, frozen=True, kw_only=True):
    """A paired round of a stage; `results` are those that stand, of matches closed with their round and not reopened
    since; `byes` are all who have no match."""

    number: int
    pairings: tuple[Pairing, ...]
    byes: tuple[str, ...] = ()
    absent: tuple[str, ...] = ()
    closed: bool = False
    results: Mapping[str, MatchResult] = {}
    stage: str = ""


class Play(msgspec.Struct, frozen=True, kw_only=True):
    """Teams, stages drawn, rounds, who left or was disqualified, and lots. `let_stand`, by match, are the points with
    which a bracket goes on although a decision has changed them; `event` is the cards, or one of the boards."""

    teams: tuple[Team, ...] = ()
    seed: str = ""
    seeded: tuple[str, ...] = ()
    draws: tuple[DrawMade | StageDrawn, ...] = ()
    let_stand: Mapping[str, tuple[int, int]] = {}
    rounds: tuple[Round, ...] = ()
    withdrawn: tuple[str, ...] = ()
    disqualified: tuple[str, ...] = ()
    lots: tuple[tuple[str, ...], ...] = ()
    event: str = CARDS

    def result(self, match: str) -> MatchResult | None:
        """The result that stands for a match, None while none does."""
        return next((r.results[match] for r in self.rounds if match in r.results), None)


def play_of(events: Iterable[Any], event: str = CARDS) -> Play:
    """The competition after these events; `event`: the cards, or one of the boards."""
    play = Play(event=event)
    for told in events:
        play = evolve(play, told)
    return play


def evolve(play: Play, event: Any) -> Play:
    """Fold one event of a rounds stream."""
    change = msgspec.structs.replace
    match event:
        case DrawMade():
            teams = tuple(drawn.team for drawn in event.teams)
            play = change(play, teams=teams, seed=event.seed, seeded=event.seeded)
            return change(play, draws=(event,)) if event.stage else play
        case StageDrawn():
            return change(play, draws=(*play.draws, event))
        case RoundPaired():
            byes = event.byes or tuple(team for team in (event.bye,) if team is not None)
            paired = Round(
                number=event.round, pairings=event.matches, byes=byes, absent=event.absent, stage=event.stage
            )
            return change(play, rounds=(*_before(play, event.round), paired))
        case RoundUnpaired():
            return change(play, rounds=_before(play, event.round))
        case RoundClosed():
            results = {result.match: result for result in event.results}
            return _with_round(play, event.round, closed=True, results=results, absent=event.absent)
        case RoundReopened():
            return _reopened(play, event.round, event.matches)
        case RulingApplied():
            return _ruled(play, event)
        case TeamDisqualified():
            return change(play, disqualified=tuple(sorted({*play.disqualified, event.team})))
        case TeamWithdrawn():
            return change(play, withdrawn=tuple(sorted({*play.withdrawn, event.team})))
        case LotDrawn():
            return change(play, lots=(*play.lots, event.order))
    raise TypeError(f"no fold for {type(event).__name__}")


def table(preset: Preset, play: Play) -> list[Row]:
    """The standings after all finished rounds, by the one standings function. Raises BadCompetition."""
    return standings(preset, with_lots(preset, _competition(preset, play), play.lots))


def _ruled(play: Play, event: RulingApplied) -> Play:
    change = msgspec.structs.replace
    if event.remedy.kind == "replay_match":
        play = _reopened(play, event.round, (event.match,))
    elif event.after is not None and play.result(event.match) is not None:
        results = {**_round(play, event.round).results, event.match: event.after}
        play = _with_round(play, event.round, results=results)
    if event.remedy.kind == "disqualify_team" and event.remedy.team:
        play = change(play, disqualified=tuple(sorted({*play.disqualified, event.remedy.team})))
    if event.later is not None and event.later.choice == "replay_from" and event.later.round:
        play = change(play, rounds=_before(play, event.later.round))
    if event.later is not None and event.later.choice == "let_stand" and event.before is not None:
        play = change(play, let_stand={event.match: event.before.points, **play.let_stand})
    return play


def _before(play: Play, number: int) -> tuple[Round, ...]:
    """The rounds before one: it is paired anew, or undone, and those after it with it."""
    return tuple(current for current in play.rounds if current.number < number)


def _round(play: Play, number: int) -> Round:
    return play.rounds[number - 1]


def _with_round(play: Play, number: int, **fields: Any) -> Play:
    changed = msgspec.structs.replace(_round(play, number), **fields)
    rounds = tuple(changed if current.number == number else current for current in play.rounds)
    return msgspec.structs.replace(play, rounds=rounds)


def _reopened(play: Play, number: int, matches: Collection[str]) -> Play:
    results = {match: result for match, result in _round(play, number).results.items() if match not in matches}
    return _with_round(play, number, results=results)


def _competition(preset: Preset, play: Play) -> rules.Competition:
    """As the rules read it, without lots. A last round that has no match and is not closed is not over, but nothing in
    it would say so: it is left out. In a bracket a result that was changed and let stand is the one it goes on with."""
    rounds = play.rounds
    if rounds and not rounds[-1].closed and not rounds[-1].pairings:
        rounds = rounds[:-1]
    seeds = {team: seed for seed, team in enumerate(play.seeded, 1)}
    return rules.Competition(
        teams=tuple(rules.Team(team.id, team.name, team.unit, seeds.get(team.id)) for team in play.teams),
        rounds=tuple(_as_rules(preset, play, current) for current in rounds),
        withdrawn=play.withdrawn,
        disqualified=play.disqualified,
        seed=play.seed,
        draws={
            drawn.stage: rules.HallDraw(parts=dict(drawn.parts), witness=drawn.witness)
            for drawn in play.draws
            if drawn.witness
        },
        event=play.event,
    )


def _as_rules(preset: Preset, play: Play, current: Round) -> rules.Round:
    """Absent teams that forfeited a match stand in that match."""
    seated = {team for pairing in current.pairings for team in pairing.teams}
    return rules.Round(
        number=current.number,
        matches=tuple(_game(preset, play, current, tables) for tables in _games(current)),
        byes=current.byes,
        absent=tuple(team for team in current.absent if team not in seated and team not in current.byes),
    )


def _games(current: Round) -> list[list[Pairing]]:
    """The pairings of a round, those of one game together, in the order of its tables."""
    games: dict[str, list[Pairing]] = {}
    for pairing in current.pairings:
        games.setdefault(pairing.game if pairing.board else pairing.match, []).append(pairing)
    return list(games.values())


def _game(preset: Preset, play: Play, current: Round, tables: Sequence[Pairing]) -> rules.PlayedMatch:
    """A game of a round, the points of its tables added."""
    played = [_match(play, current.results.get(pairing.match), pairing) for pairing in tables]
    points = preset.match.points
    return joined(played, points.win.value, points.loss.value) if tables[0].board else played[0]


def _match(play: Play, result: MatchResult | None, pairing: Pairing) -> rules.PlayedMatch:
    if result is None:
        return rules.PlayedMatch(table=pairing.table, teams=pairing.teams, status="unfinished")
    return rules.PlayedMatch(
        table=result.table,
        teams=result.teams,
        points=play.let_stand.get(pairing.match, result.points) if pairing.game else result.points,
        levels=cast(Any, result.levels),
        status=result.status,
    )
