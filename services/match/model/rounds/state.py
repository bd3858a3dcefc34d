"""A competition's rounds stream: what it says, and what others ask of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, cast

import msgspec

from services.match import refusals as refuse
from services.match.model.seated import Seat, Seated
from shared.contracts.fact import Changes, Fact, MatchResult, Remedy
from shared.contracts.match import (
    AbsenceLifted,
    DrawMade,
    Drawn,
    ExtraHandOrdered,
    LotDrawn,
    Pairing,
    PairOrdered,
    PairOrderLifted,
    PlacesDeclared,
    PlacesProposed,
    ResultsPosted,
    RoundClosed,
    RoundPaired,
    RoundPaused,
    RoundReopened,
    RoundResumed,
    RoundStarted,
    RoundUnpaired,
    RulingApplied,
    RulingSetAside,
    SeedCommitted,
    SetAsideProposed,
    StageDrawn,
    TeamAbsent,
    TeamDisqualified,
    TeamWithdrawn,
    TimeCalled,
    TimeCallLifted,
)
from shared.eventsourcing.handling import Model
from shared.rules.formats import competition as rules
from shared.rules.formats.boards import joined
from shared.rules.formats.drawing import StageDraw
from shared.rules.formats.stages import CARDS
from shared.rules.regulations.reference import resolve

Events = Sequence[Fact]
NOTHING_STANDS: Mapping[str, MatchResult] = {}
NOTHING_OPEN: Mapping[int, Sequence[int]] = {}


class Round(msgspec.Struct, frozen=True, kw_only=True):
    """A paired round. `results` are those of its closed matches; `openings` counts reopenings by match,
    `reopened` are those it stands open for since it was last closed; `closings` how often it was closed,
    `matches_closed_at` is when the last of its matches was, then, and `posted_at` when these results were posted;
    `byes` are all who have no match, the one with the bye of a Swiss round among them;
    `extra` counts the hands ordered beyond the regulation's number, by match;
    `replays` are the matches to be played again, `untimed` those of them that began after time was last called.
    `lifted_calls` counts the time calls that were a mistake;
    `started_at`, `paused_at` and `ends_at` are its clock, which runs until then where it is timed and not paused."""

    number: int
    attempt: int
    pairings: tuple[Pairing, ...]
    bye: str | None
    absent: tuple[str, ...]
    byes: tuple[str, ...] = ()
    closed: bool = False
    closings: int = 0
    closed_at: datetime | None = None
    matches_closed_at: datetime | None = None
    posted_at: datetime | None = None
    time_called: bool = False
    time_called_at: datetime | None = None
    lifted_calls: int = 0
    results: Mapping[str, MatchResult] = {}
    openings: Mapping[str, int] = {}
    reopened: frozenset[str] = frozenset()
    replays: frozenset[str] = frozenset()
    untimed: frozenset[str] = frozenset()
    started_at: datetime | None = None
    paused_at: datetime | None = None
    ends_at: datetime | None = None
    extra: Mapping[str, int] = {}


class Rounds(msgspec.Struct, frozen=True, kw_only=True):
    """A competition as its rounds stream tells it; `regulation` is empty before its first event. `voided` counts the
    pairings of a round that a decision had played again, or that were undone; `appeals` are those whose decision was
    applied, `set_aside` those whose decision never will be, `to_set_aside` by appeal what one person proposed of them.
    `event` is the cards or one of the boards; `draws` are the stages drawn; `orders` those about pairs that hold;
    `let_stand`, by match, the results with which a bracket goes on although a decision has changed them."""

    competition: str
    regulation: str = ""
    changes: Changes = {}
    event: str = CARDS
    commitment: str = ""
    seed: str = ""
    teams: tuple[Drawn, ...] = ()
    seeded: tuple[str, ...] = ()
    draws: Mapping[str, StageDraw] = {}
    orders: tuple[PairOrdered, ...] = ()
    let_stand: Mapping[str, MatchResult] = {}
    planned: int = 0
    rounds: tuple[Round, ...] = ()
    voided: Mapping[int, int] = {}
    absences: frozenset[tuple[str, int]] = frozenset()
    withdrawn: tuple[str, ...] = ()
    disqualified: tuple[str, ...] = ()
    lots: tuple[tuple[str, ...], ...] = ()
    rulings: Mapping[str, tuple[Remedy, ...]] = {}
    appeals: frozenset[str] = frozenset()
    set_aside: frozenset[str] = frozenset()
    to_set_aside: Mapping[str, SetAsideProposed] = {}
    proposed: PlacesProposed | None = None
    declared: bool = False


def evolve(state: Rounds, event: Any) -> Rounds:
    """Fold one event of a rounds stream."""
    change = msgspec.structs.replace
    match event:
        case SeedCommitted():
            return change(
                state,
                regulation=event.regulation,
                changes=event.changes,
                event=event.event,
                commitment=event.commitment,
            )
        case DrawMade():
            state = change(state, teams=event.teams, seed=event.seed, seeded=event.seeded)
            return _drawn(state, event) if event.stage else state
        case StageDrawn():
            return _drawn(state, event)
        case PairOrdered():
            return change(state, orders=(*_other_orders(state, event.teams), event))
        case PairOrderLifted():
            return change(state, orders=_other_orders(state, event.teams))
        case RoundPaired():
            paired = Round(
                number=event.round,
                attempt=event.attempt,
                pairings=event.matches,
                bye=event.bye,
                absent=event.absent,
                byes=event.byes or tuple(team for team in (event.bye,) if team is not None),
            )
            return change(state, rounds=(*state.rounds, paired), planned=event.rounds_planned)
        case RoundUnpaired():
            return _unpaired(state, event.round)
        case TeamAbsent():
            return change(state, absences=state.absences | {(event.team, event.round)})
        case AbsenceLifted():
            return change(state, absences=state.absences - {(event.team, event.round)})
        case TeamWithdrawn():
            return change(state, withdrawn=(*state.withdrawn, event.team))
        case TeamDisqualified():
            return change(state, disqualified=(*state.disqualified, event.team), declared=False)
        case RoundStarted():
            ends_at = None if event.minutes is None else event.started_at + timedelta(minutes=event.minutes)
            return _with_round(state, event.round, started_at=event.started_at, paused_at=None, ends_at=ends_at)
        case RoundPaused():
            return _with_round(state, event.round, paused_at=event.paused_at)
        case RoundResumed():
            return _with_round(state, event.round, paused_at=None, ends_at=event.ends_at)
        case TimeCalled():
            at = event.called_at
            return _with_round(state, event.round, time_called=True, time_called_at=at, untimed=frozenset())
        case TimeCallLifted():
            lifted = round_of(state, event.round).lifted_calls + 1
            return _with_round(state, event.round, time_called=False, time_called_at=None, lifted_calls=lifted)
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
        case ExtraHandOrdered():
            current = round_of(state, event.round)
            extra = {**current.extra, **{name: current.extra.get(name, 0) + 1 for name in event.matches}}
            return _with_round(_reopened(state, event.round, event.matches, frozenset()), event.round, extra=extra)
        case RoundReopened():
            return _reopened(state, event.round, event.matches, frozenset())
        case LotDrawn():
            return change(state, lots=(*state.lots, event.order))
        case RulingApplied():
            return _ruled(state, event)
        case SetAsideProposed():
            return change(state, to_set_aside={**state.to_set_aside, event.appeal: event})
        case RulingSetAside():
            return change(state, set_aside=state.set_aside | {event.appeal})
        case PlacesProposed():
            return change(state, proposed=event, declared=False)
        case PlacesDeclared():
            return change(state, declared=True)
    raise TypeError(f"no fold for {type(event).__name__}")


ROUNDS: Model[Rounds] = Model(lambda stream: Rounds(competition=stream.removeprefix("rounds/")), evolve)


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
                return seated(state, current, pairing)
    raise refuse.NoSuchMatch(competition=state.competition, match=name)


def match_at(state: Rounds, number: int, table: int) -> str | None:
    """The match at a table of a round as it is paired now."""
    pairings = [p for current in state.rounds if current.number == number for p in current.pairings]
    return next((pairing.match for pairing in pairings if pairing.table == table), None)


def names_match(event: Any, name: str) -> bool:
    """Whether an event of a rounds or match stream is about this match: its pairing, its reopening, its result …"""
    named = [getattr(event, "match", None), *getattr(event, "matches", ()), *getattr(event, "results", ())]
    return name in [getattr(one, "match", one) for one in named]


def as_competition(state: Rounds, absent: Sequence[str] = (), *, in_bracket: bool = False) -> rules.Competition:
    """The competition as the rules of pairing and standings take it, without lots; matches that are not over are
    `unfinished`. In a bracket a result that was changed and let stand is the one it goes on with; a Swiss goes on with
    the points as they are."""
    seeds = {team: seed for seed, team in enumerate(state.seeded, 1)}
    number = len(state.rounds) + 1
    held = [one for one in state.orders if one.kind == "forbidden" or one.round == number]
    return rules.Competition(
        teams=tuple(rules.Team(d.team.id, d.team.name, d.team.unit, seeds.get(d.team.id)) for d in state.teams),
        rounds=tuple(_as_round(state, current, in_bracket) for current in state.rounds),
        withdrawn=state.withdrawn,
        absent=tuple(absent),
        fixed=tuple(one.teams for one in held if one.kind == "fixed"),
        forbidden=tuple(one.teams for one in held if one.kind == "forbidden"),
        disqualified=state.disqualified,
        seed=state.seed,
        orders=tuple(rules.Order(teams=one.teams, by=one.by, why=one.reason) for one in held),
        draws=_by_hand(state),
        event=state.event,
    )


def _by_hand(state: Rounds) -> dict[str, rules.HallDraw]:
    """The stages whose lots were drawn in the hall."""
    return {
        stage: rules.HallDraw(parts=dict(draw.parts), witness=draw.witness)
        for stage, draw in state.draws.items()
        if draw.witness
    }


def check_drawn(state: Rounds) -> None:
    """Raises NotDrawn."""
    if not state.teams:
        raise refuse.NotDrawn(competition=state.competition)


def check_all_closed(state: Rounds, open_tables: Mapping[int, Sequence[int]]) -> None:
    """What comes next rests on closed rounds only; `open_tables` has by open round the tables that are not done. Raises
    OpenMatches, which names them, and RoundIsOpen where all are and the round is not closed."""
    for current in state.rounds:
        if not current.closed:
            if tables := open_tables.get(current.number):
                raise refuse.OpenMatches(round=current.number, tables=", ".join(map(str, tables)))
            raise refuse.RoundIsOpen(round=current.number)


def check_not_declared(state: Rounds) -> None:
    """Raises PlacesAreDeclared."""
    if state.declared:
        raise refuse.PlacesAreDeclared()


def _as_round(state: Rounds, current: Round, in_bracket: bool) -> rules.Round:
    seated = {team for pairing in current.pairings for team in pairing.teams}
    stands = state.let_stand if in_bracket else {}
    return rules.Round(
        number=current.number,
        matches=tuple(match_of(state, current, tables, stands) for tables in games_of(current)),
        byes=current.byes,
        absent=tuple(team for team in current.absent if team not in seated and team not in current.byes),
    )


def games_of(current: Round) -> list[list[Pairing]]:
    """The pairings of a round, those of one game together, in the order of its boards."""
    games: dict[str, list[Pairing]] = {}
    for pairing in current.pairings:
        games.setdefault(pairing.game if pairing.board else pairing.match, []).append(pairing)
    return list(games.values())


def match_of(
    state: Rounds, current: Round, tables: Sequence[Pairing], stands: Mapping[str, MatchResult] = NOTHING_STANDS
) -> rules.PlayedMatch:
    """A game of a round, the points of its tables added."""
    played = [_as_match(current, pairing, stands.get(pairing.match) if pairing.game else None) for pairing in tables]
    if not tables[0].board:
        return played[0]
    points = resolve(state.regulation, state.changes).match.points
    return joined(played, points.win.value, points.loss.value)


def _as_match(current: Round, pairing: Pairing, stands: MatchResult | None) -> rules.PlayedMatch:
    result = stands or standing_of(current, pairing.match)
    if result is None:
        return rules.PlayedMatch(table=pairing.table, teams=pairing.teams, status="unfinished")
    return rules.PlayedMatch(
        table=pairing.table,
        teams=result.teams,
        points=result.points,
        levels=cast(Any, result.levels),
        status=result.status,
    )


def standing_of(current: Round, name: str) -> MatchResult | None:
    """The result of a match that the round does not stand open for."""
    return None if name in current.reopened else current.results.get(name)


def seated(state: Rounds, current: Round, pairing: Pairing) -> Seat:
    """A match as its round seats it."""
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
        time_called=current.time_called and pairing.match not in current.untimed and not untimed(state, pairing),
        event=state.event,
        decisive=bool(pairing.game) and not pairing.board,
        extra_hands=current.extra.get(pairing.match, 0),
        minutes=pairing.minutes,
        level_stage=pairing.level_stage,
        call=current.lifted_calls + 1,
    )


def untimed(state: Rounds, pairing: Pairing) -> bool:
    """Whether no clock ends it, as at a board; pairings from before brackets do not say how long they are."""
    return state.event != CARDS or (bool(pairing.game) and pairing.minutes is None)


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
    if event.later is not None and event.later.choice == "let_stand" and event.before is not None:
        state = change(state, let_stand={event.match: event.before, **state.let_stand})
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
    let_stand = {match: result for match, result in state.let_stand.items() if _in(kept, match)}
    return msgspec.structs.replace(state, rounds=kept, voided=voided, absences=absences, let_stand=let_stand)


def _in(rounds: Sequence[Round], name: str) -> bool:
    """Whether a match is in one of the rounds, and not in the last of them: something rests on it still."""
    return any(pairing.match == name for current in rounds[:-1] for pairing in current.pairings)


def _unpaired(state: Rounds, number: int) -> Rounds:
    """The last round is as if never paired, but for the ids of its matches; who was to miss it, misses it."""
    last = state.rounds[-1]
    return msgspec.structs.replace(
        state, rounds=state.rounds[:-1], voided={**state.voided, number: max(state.voided.get(number, 0), last.attempt)}
    )


def _drawn(state: Rounds, event: DrawMade | StageDrawn) -> Rounds:
    made = StageDraw(stage=event.stage, parts=event.parts, not_kept=event.not_kept, witness=event.witness)
    return msgspec.structs.replace(state, draws={**state.draws, event.stage: made})


def _other_orders(state: Rounds, teams: Sequence[str]) -> tuple[PairOrdered, ...]:
    return tuple(order for order in state.orders if set(order.teams) != set(teams))
