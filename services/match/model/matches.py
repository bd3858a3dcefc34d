"""One match's stream: its hands and penalties until it is closed, and again when its round was reopened for it. What is
decided of hands and of penalties has a file of its own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Generic, TypeVar, cast

import msgspec

from services.match import refusals as refuse
from services.match.model import facts
from services.match.model.seated import SIDES, Seat
from shared.contracts.fact import Fact, FinishFacts, GameFacts, HandFacts, MatchResult
from shared.contracts.match import (
    ConfirmationOverdue,
    FinishCorrected,
    FinishVersionKept,
    GameCorrected,
    GamePlayed,
    HandCorrected,
    HandFinished,
    HandPlayed,
    HandRecordKept,
    HandVersionChosen,
    HandVersionKept,
    IncidentNoted,
    MatchClosed,
    MatchConfirmed,
    MatchForfeited,
    MatchOpened,
    MatchReopened,
    PenaltyIssued,
    PenaltyLifted,
    UnfinishedHandNoted,
)
from shared.eventsourcing.handling import Model
from shared.rules.basis import Text
from shared.rules.formats.articles import articles
from shared.rules.formats.stages import CARDS
from shared.rules.guandan.matches import lateness
from shared.rules.regulations.preset import Preset
from shared.rules.regulations.schema import AnyPreset
from shared.rules.shengji.facts import PenaltyFact
from shared.rules.shengji.match import MatchSummary
from shared.rules.shengji.remedies import award
from shared.rules.shengji.sheet import Sheet, hand_fact
from shared.rules.unfinished import Phase

Events = Sequence[Fact]
ON_TIME: Mapping[str, int] = {}
ANOTHER_GAME = Text("请再下一局并录入（POST …/games）。", "Another game is played and entered (POST …/games).")
CORRECTED = Text("请更正其成绩，使一方胜出。", "Its result is corrected, so that one side wins.")
A_HAND_FINISHED = Text(
    "尚无打完的一副牌：宣布时间到时打到哪一步，先予说明（POST …/unfinished-hands），应打完的打完后录入；"
    "没有应打完的，由裁判长取消宣布（POST …/time-calls/liftings），"
    "或裁定打完第 1 副，写明理由再说明一次（phase: playing）。",
    "No hand is finished. Say how far it was when time was called (POST …/unfinished-hands), and enter it when it is "
    "played to its end. Where it is not to be, the chief referee lifts the call (POST …/time-calls/liftings), or has "
    "hand 1 played and says so with the reason (phase: playing).",
)
"""What a referee can do so that somebody wins: after a drawn game, an equal result, and time called before a hand."""
F = TypeVar("F", bound=HandFacts | FinishFacts)
"""What is entered of a hand, of either game."""


class Version(msgspec.Struct, Generic[F], frozen=True, kw_only=True):
    """A hand as it was entered or corrected once, with the hash of its card record, by whom and from which device."""

    facts: F
    record: str | None = None
    by: str = ""
    device: str = ""


class Unfinished(msgspec.Struct, frozen=True, kw_only=True):
    """The hand that was in play when time was called, the how-manieth call that was, how far the hand was, and whether
    it is finished."""

    call: int
    hand: int
    phase: Phase
    counts: bool

    @property
    def last(self) -> int:
        """The last hand that is entered."""
        return self.hand if self.counts else self.hand - 1


class Match(msgspec.Struct, frozen=True, kw_only=True):
    """A match as its stream tells it; `opened` is None before its first fact. `opening` counts how often its round
    was reopened for it; `closed` is its result while it is closed, `closed_at` when that was; `over`: it was closed
    after play, so that it is only put right since, and not played on; `records`: by hand, the hash of its card record,
    None where it has none; `versions`: by hand, all that was ever recorded of it; `conflicts` are the hands for which
    the chief referee has to choose one; `finishes`: the hands of a match of 掼蛋; `games`: of a match at a board;
    `confirmed` are the pairs that have confirmed what is entered, `incidents` how many were noted; `unfinished` is the
    hand in play when time was called, None until somebody says."""

    opened: MatchOpened | None = None
    opening: int = 0
    sheet: Sheet = Sheet()
    hands: tuple[HandFacts, ...] = ()
    records: tuple[str | None, ...] = ()
    versions: Mapping[int, tuple[Version[Any], ...]] = {}
    conflicts: frozenset[int] = frozenset()
    finishes: tuple[FinishFacts, ...] = ()
    games: tuple[GameFacts, ...] = ()
    confirmed: frozenset[str] = frozenset()
    incidents: int = 0
    unfinished: Unfinished | None = None
    closed: MatchResult | None = None
    closed_at: datetime | None = None
    over: bool = False

    @property
    def played(self) -> facts.Played:
        """What was entered of it."""
        return facts.Played(sheet=self.sheet, finishes=self.finishes, games=self.games)

    @property
    def entered(self) -> int:
        """How many hands were entered."""
        return len(self.hands) + len(self.finishes)


UNSIGNED = (
    HandPlayed,
    HandCorrected,
    HandVersionKept,
    HandFinished,
    FinishCorrected,
    FinishVersionKept,
    GamePlayed,
    GameCorrected,
    PenaltyIssued,
    PenaltyLifted,
)
"""What makes a confirmation void: it was given for the sheet as it was before."""


def evolve(state: Match, event: Any) -> Match:
    """Fold one event of a match's stream."""
    change = msgspec.structs.replace
    if isinstance(event, UNSIGNED) and state.confirmed:
        state = change(state, confirmed=frozenset())
    match event:
        case MatchOpened():
            return change(state, opened=event)
        case HandPlayed():
            sheet = change(state.sheet, hands=(*state.sheet.hands, hand_fact(event.hand, event.facts)))
            state = change(
                state, sheet=sheet, hands=(*state.hands, event.facts), records=(*state.records, event.record)
            )
            return _versioned(state, event, event.facts)
        case HandVersionKept() | FinishVersionKept():
            return change(_versioned(state, event, event.facts), conflicts=state.conflicts | {event.hand})
        case HandVersionChosen():
            return change(state, conflicts=state.conflicts - {event.hand})
        case HandRecordKept():
            return state
        case HandCorrected():
            records = tuple(event.record if n == event.hand else r for n, r in enumerate(state.records, 1))
            return _versioned(change(with_hand(state, event.hand, event.after), records=records), event, event.after)
        case HandFinished():
            state = change(state, finishes=(*state.finishes, event.facts), records=(*state.records, event.record))
            return _versioned(state, event, event.facts)
        case FinishCorrected():
            finishes = tuple(event.after if n == event.hand else one for n, one in enumerate(state.finishes, 1))
            records = tuple(event.record if n == event.hand else r for n, r in enumerate(state.records, 1))
            return _versioned(change(state, finishes=finishes, records=records), event, event.after)
        case GamePlayed():
            return change(state, games=(*state.games, event.facts))
        case GameCorrected():
            games = (event.after if n == event.game else game for n, game in enumerate(state.games, 1))
            return change(state, games=tuple(games))
        case PenaltyIssued():
            return change(state, sheet=_with_penalty(state.sheet, event))
        case PenaltyLifted():
            changed = (change(p, lifted=True) if p.id == event.penalty else p for p in state.sheet.penalties)
            return change(state, sheet=change(state.sheet, penalties=tuple(changed)))
        case UnfinishedHandNoted():
            noted = Unfinished(call=event.call, hand=event.hand, phase=event.phase, counts=event.counts)
            return change(state, unfinished=noted)
        case IncidentNoted():
            return change(state, incidents=state.incidents + 1)
        case MatchConfirmed():
            return change(state, confirmed=state.confirmed | {event.pair})
        case ConfirmationOverdue():
            return state
        case MatchForfeited():
            return change(state, closed=event.result, closed_at=event.closed_at, opening=event.opening)
        case MatchClosed():
            return change(state, closed=event.result, closed_at=event.closed_at, opening=event.opening, over=True)
        case MatchReopened():
            kept = Match(opened=state.opened) if event.replay else change(state, closed=None, closed_at=None)
            return change(kept, opening=event.opening)
    raise TypeError(f"no fold for {type(event).__name__}")


MATCH: Model[Match] = Model(lambda _stream: Match(), evolve)


def open_(state: Match, seat: Seat, by: str, as_it_is: bool = False) -> tuple[Match, Events]:
    """The match ready to take facts, and the events that make it so: opened at its first, and opened anew when its
    round was reopened for it since, though it had not been closed. With `as_it_is` a match may be closed, and stays
    so: what is decided then does not change what it came to. Raises MatchIsClosed."""
    if state.opened is None:
        events: list[Fact] = [_opened(seat, by)]
    elif seat.opening > state.opening:
        events = [_reopened(seat, by)]
    elif state.closed is not None and not as_it_is:
        raise refuse.MatchIsClosed(match=state.opened.match)
    else:
        return state, ()
    for event in events:
        state = evolve(state, event)
    return state, events


def forfeit(
    state: Match,
    preset: AnyPreset,
    seat: Seat,
    absent: Sequence[str],
    reason: str,
    now: datetime,
    by: str,
    late: Mapping[str, int] = ON_TIME,
) -> Events:
    """One team did not come, or neither; `late` says how many minutes after the start each had not come. Raises
    NoSuchTeam, NotLateEnough."""
    opened = opened_of(state)
    for team in (*absent, *late):
        if team not in ids_of(opened):
            raise refuse.NoSuchTeam(competition=opened.competition, team=team)
    _check_late(preset, opened, absent, late)
    return [
        MatchForfeited(
            **head_of(state, by),
            opening=state.opening,
            absent=tuple(sorted(set(absent), key=ids_of(opened).index)),
            result=facts.forfeited(preset, seat, absent),
            reason=reason,
            article=articles(preset, seat.event).forfeit,
            closed_at=now,
            late=dict(late),
        )
    ]


def _check_late(preset: AnyPreset, opened: MatchOpened, absent: Sequence[str], late: Mapping[str, int]) -> None:
    """Who is said to have come so late has forfeited by it, where the regulation sets a limit."""
    if isinstance(preset, Preset):
        return
    for team in absent:
        pair = SIDES[ids_of(opened).index(team)]
        if team in late and lateness(preset, {pair: late[team]})[0] == "none":
            limit = preset.match.late_minutes
            raise refuse.NotLateEnough(limit.article, team=team, minutes=late[team], limit=limit.value)


def close(state: Match, preset: AnyPreset, seat: Seat, now: datetime, by: str) -> Events:
    """The match is over: a pair passed A, time was called, it was over before and has been put right, or a ruling
    awarded it. Raises HandsInConflict, NoGameEntered at a board, TimeNotCalled, TopNotPassed where no clock ends it,
    HandsRemain where the hands are counted, HandsOutstanding where more were over by the time, and WinnerNeeded where
    somebody must win and nothing was played."""
    opened = opened_of(state)
    check_no_conflict(state)
    given = award(seat.rulings) is not None
    won = facts.is_won(preset, seat, state.played)
    if not given:
        _check_over(state, preset, seat, won)
    result = facts.outcome(preset, seat, state.played)
    if seat.decisive and result.points[0] == result.points[1]:
        article = articles(preset, seat.event).equal
        raise refuse.WinnerNeeded(article, match=opened.match, way=_way_on(seat, state))
    return [
        MatchClosed(
            **head_of(state, by),
            opening=state.opening,
            ended="ruling" if given else "time" if seat.time_called and not won else "played",
            hands=state.entered,
            result=result,
            article=articles(preset, seat.event).ending,
            closed_at=now,
        )
    ]


def _way_on(seat: Seat, state: Match) -> Text:
    """What a referee can do so that somebody wins."""
    if seat.event != CARDS:
        return ANOTHER_GAME
    return CORRECTED if state.entered else A_HAND_FINISHED


def check_no_conflict(state: Match) -> None:
    """Raises HandsInConflict."""
    if state.conflicts:
        hands = ", ".join(map(str, sorted(state.conflicts)))
        raise refuse.HandsInConflict(match=opened_of(state).match, hands=hands)


def unfinished_of(state: Match, seat: Seat) -> Unfinished | None:
    """What was said of the hand in play when time was called; what was said at a call that was lifted says nothing."""
    return state.unfinished if state.unfinished is not None and state.unfinished.call == seat.call else None


def _check_complete(state: Match, preset: AnyPreset, seat: Seat) -> None:
    """All is entered that was over when time was called, and the hand in play where it is finished. Raises
    HandsOutstanding."""
    known = unfinished_of(state, seat)
    if known is not None and state.entered < known.last:
        article = preset.match.unfinished_hand.article
        raise refuse.HandsOutstanding(article, match=opened_of(state).match, entered=state.entered, due=known.last)


def check_begun(state: Match, hand: int) -> None:
    """Whether a hand is entered, or the next one, which may be in play. Entries that a phone held back come in any
    order: what comes too early comes again. Raises HandNotThereYet."""
    if hand > state.entered + 1:
        raise refuse.HandNotThereYet(match=opened_of(state).match, hand=hand, entered=state.entered)


def _check_over(state: Match, preset: AnyPreset, seat: Seat, won: bool) -> None:
    """Raises NoGameEntered, HandsRemain, TopNotPassed, TimeNotCalled, HandsOutstanding."""
    opened, due = opened_of(state), hands_due(preset, seat)
    if seat.event != CARDS:
        if not won:
            raise refuse.NoGameEntered(articles(preset, seat.event).ending, match=opened.match)
    elif due is not None and isinstance(preset, Preset):
        if len(state.hands) < due:
            raise refuse.HandsRemain(preset.match.hands.article, match=opened.match, entered=len(state.hands), due=due)
    elif not won and not isinstance(preset, Preset) and seat.minutes is None:
        raise refuse.TopNotPassed(articles(preset).ending, match=opened.match)
    elif not (won or seat.time_called or state.over):
        raise refuse.TimeNotCalled(articles(preset).ending, round=opened.round)
    elif not won:
        _check_complete(state, preset, seat)


def hands_due(preset: AnyPreset, seat: Seat) -> int | None:
    """How many hands are played, None where the clock ends the match, passing A, or a game at a board."""
    if not isinstance(preset, Preset) or seat.event != CARDS:
        return None
    planned = preset.match.hands.value
    return planned + seat.extra_hands if preset.match.ends.value == "hands" and planned is not None else None


def summed(preset: Preset, seat: Seat, sheet: Sheet, hand: int | None = None) -> MatchSummary:
    """The match as it stands, with the rulings on it. Raises HandIsImpossible, RemedyImpossible."""
    return facts.summary(preset, facts.with_rulings(preset, seat.seated, sheet, seat.rulings), hand)


def opened_of(state: Match) -> MatchOpened:
    """The first fact of a match that `open_` has made ready."""
    assert state.opened is not None, "open_ comes first"
    return state.opened


def head_of(state: Match, by: str) -> dict[str, Any]:
    """What every event of a match that `open_` has made ready says."""
    opened = opened_of(state)
    return {"regulation": opened.regulation, "by": by, "competition": opened.competition, "match": opened.match}


def ids_of(opened: MatchOpened) -> tuple[str, str]:
    """Its teams, the first sitting 1 and 3."""
    return opened.teams[0].id, opened.teams[1].id


def _opened(seat: Seat, by: str) -> MatchOpened:
    return MatchOpened(
        regulation=seat.regulation,
        by=by,
        competition=seat.competition,
        match=seat.seated.match,
        round=seat.round,
        table=seat.seated.table,
        teams=seat.teams,
        changes=seat.changes,
        minutes=seat.minutes,
        level_stage=seat.level_stage,
    )


def _reopened(seat: Seat, by: str) -> MatchReopened:
    return MatchReopened(
        regulation=seat.regulation,
        by=by,
        competition=seat.competition,
        match=seat.seated.match,
        opening=seat.opening,
        replay=seat.replay,
        rulings=seat.rulings,
    )


def with_hand(state: Match, hand: int, after: HandFacts) -> Match:
    """The match with a hand as it was in truth."""
    hands = tuple(after if n == hand else h for n, h in enumerate(state.hands, 1))
    sheet = msgspec.structs.replace(state.sheet, hands=tuple(hand_fact(n, h) for n, h in enumerate(hands, 1)))
    return msgspec.structs.replace(state, hands=hands, sheet=sheet)


def _versioned(
    state: Match,
    event: HandPlayed | HandVersionKept | HandCorrected | HandFinished | FinishVersionKept | FinishCorrected,
    facts: HandFacts | FinishFacts,
) -> Match:
    """The match with what was recorded of a hand now among its versions, once."""
    known = state.versions.get(event.hand, ())
    if any((one.facts, one.record) == (facts, event.record) for one in known):
        return state
    device = event.held.device if event.held else ""
    version = Version(facts=facts, record=event.record, by=event.by, device=device)
    return msgspec.structs.replace(state, versions={**state.versions, event.hand: (*known, version)})


def _with_penalty(sheet: Sheet, event: PenaltyIssued) -> Sheet:
    fact = PenaltyFact(
        id=event.penalty,
        code=event.code,
        hand=event.hand,
        pair=event.pair,
        points=event.points,
        effects=cast(Any, event.effects),
        lost=event.lost,
        compensation=event.compensation,
    )
    return msgspec.structs.replace(sheet, penalties=(*sheet.penalties, fact))
