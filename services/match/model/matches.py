"""One match's stream: its hands and penalties until it is closed, and again when its round was reopened for it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

import msgspec

from services.match import refusals as refuse
from services.match.model import facts
from services.match.model.facts import SIDES, Seated, Sheet, hand_fact
from shared.contracts.fact import Changes, Fact, HandFacts, MatchResult, Pair, Remedy, Team
from shared.contracts.match import (
    HandCorrected,
    HandPlayed,
    MatchClosed,
    MatchForfeited,
    MatchOpened,
    MatchReopened,
    PenaltyIssued,
    PenaltyLifted,
)
from shared.eventsourcing.handling import Model
from shared.rules.regulations.preset import Preset
from shared.rules.shengji.facts import PenaltyFact
from shared.rules.shengji.penalties import in_time

Events = Sequence[Fact]


class Match(msgspec.Struct, frozen=True, kw_only=True):
    """A match as its stream tells it; `opened` is None before its first fact. `opening` counts how often its round
    was reopened for it; `closed` is its result while it is closed."""

    opened: MatchOpened | None = None
    opening: int = 0
    sheet: Sheet = Sheet()
    hands: tuple[HandFacts, ...] = ()
    closed: MatchResult | None = None


class Seat(msgspec.Struct, frozen=True, kw_only=True):
    """What the rounds stream says of a match: who sits where, how often its round was reopened for it, whether that
    was to play it again, the rulings on it, and whether time was called."""

    competition: str
    regulation: str
    changes: Changes
    round: int
    seated: Seated
    teams: tuple[Team, Team]
    opening: int
    replay: bool
    rulings: tuple[Remedy, ...]
    time_called: bool


def evolve(state: Match, event: Any) -> Match:
    """Fold one event of a match's stream."""
    change = msgspec.structs.replace
    match event:
        case MatchOpened():
            return change(state, opened=event)
        case HandPlayed():
            sheet = change(state.sheet, hands=(*state.sheet.hands, hand_fact(event.hand, event.facts)))
            return change(state, sheet=sheet, hands=(*state.hands, event.facts))
        case HandCorrected():
            return _with_hand(state, event.hand, event.after)
        case PenaltyIssued():
            return change(state, sheet=_with_penalty(state.sheet, event))
        case PenaltyLifted():
            changed = (change(p, lifted=True) if p.id == event.penalty else p for p in state.sheet.penalties)
            return change(state, sheet=change(state.sheet, penalties=tuple(changed)))
        case MatchForfeited() | MatchClosed():
            return change(state, closed=event.result, opening=event.opening)
        case MatchReopened():
            kept = Match(opened=state.opened) if event.replay else change(state, closed=None)
            return change(kept, opening=event.opening)
    raise TypeError(f"no fold for {type(event).__name__}")


MATCH: Model[Match] = Model(lambda _stream: Match(), evolve)


def needs_seat(state: Match) -> bool:
    """Whether a command must look at the rounds stream first: before the first fact, and when the match is closed."""
    return state.opened is None or state.closed is not None


def open_(state: Match, seat: Seat | None, by: str) -> tuple[Match, Events]:
    """The match ready to take facts, and the events that make it so. Raises MatchIsClosed."""
    if state.opened is None:
        assert seat is not None
        events: list[Fact] = [_opened(seat, by)]
    elif state.closed is not None:
        if seat is None or seat.opening <= state.opening:
            raise refuse.MatchIsClosed(match=state.opened.match)
        events = [_reopened(seat, by)]
    else:
        return state, ()
    for event in events:
        state = evolve(state, event)
    return state, events


class HandEntry(msgspec.Struct, frozen=True, kw_only=True):
    """A hand as a referee enters it; `as_played` says that levels other than the log's are no mistake."""

    hand: int
    facts: HandFacts
    as_played: bool = False


def record_hand(state: Match, preset: Preset, entry: HandEntry, by: str) -> Events:
    """The next hand. Raises HandAlreadyEntered, HandNumberSkips, MatchIsWon, HandIsImpossible, LevelsDisagree."""
    opened = _open(state)
    due = len(state.hands) + 1
    if entry.hand < due:
        raise refuse.HandAlreadyEntered(match=opened.match, hand=entry.hand)
    if entry.hand > due:
        raise refuse.HandNumberSkips(match=opened.match, hand=entry.hand, due=due)
    before = facts.summary(preset, state.sheet)
    if before.won_by is not None:
        raise refuse.MatchIsWon(match=opened.match, hand=before.won_in)
    _check_levels(entry, cast("dict[str, str]", before.levels))
    event = HandPlayed(
        regulation=opened.regulation,
        by=by,
        competition=opened.competition,
        match=opened.match,
        round=opened.round,
        table=opened.table,
        teams=_ids(opened),
        hand=entry.hand,
        facts=entry.facts,
    )
    facts.summary(preset, evolve(state, event).sheet)
    return [event]


def correct_hand(state: Match, preset: Preset, hand: int, after: HandFacts, reason: str, by: str) -> Events:
    """A hand was entered wrongly. Raises NoSuchHand, NothingCorrected, HandIsImpossible."""
    opened = _open(state)
    if not 1 <= hand <= len(state.hands):
        raise refuse.NoSuchHand(match=opened.match, hand=hand, entered=len(state.hands))
    before = state.hands[hand - 1]
    if before == after:
        raise refuse.NothingCorrected("")
    facts.summary(preset, _with_hand(state, hand, after).sheet)
    return [
        HandCorrected(
            regulation=opened.regulation,
            by=by,
            competition=opened.competition,
            match=opened.match,
            hand=hand,
            before=before,
            after=after,
            reason=reason,
        )
    ]


class Claim(msgspec.Struct, frozen=True, kw_only=True):
    """A breach as claimed: the hand it happened in, the hand that had begun when it was claimed, and its price."""

    hand: int
    claimed_during: int
    pair: Pair
    code: str
    cards: int | None
    occasions: int
    reason: str


def issue_penalty(state: Match, preset: Preset, claim: Claim, by: str) -> Events:
    """A penalty, priced by its article. Raises PenaltyInvalid, ClaimTooLate."""
    opened = _open(state)
    charge = facts.priced(preset, claim.code, claim.cards, claim.occasions)
    if not 1 <= claim.hand <= len(state.hands) + 1:
        reason = f"hand {claim.hand} was not played; {len(state.hands)} are entered"
        raise refuse.PenaltyInvalid("/hand", charge.article, reason=reason)
    if not in_time(claim.hand, claim.claimed_during):
        article = preset.claims.until.article
        raise refuse.ClaimTooLate(article, hand=claim.hand, during=claim.claimed_during)
    event = PenaltyIssued(
        regulation=opened.regulation,
        by=by,
        competition=opened.competition,
        match=opened.match,
        round=opened.round,
        penalty=f"p{len(state.sheet.penalties) + 1}",
        hand=claim.hand,
        pair=claim.pair,
        team=_ids(opened)[SIDES.index(claim.pair)],
        code=charge.code,
        name=charge.name.zh,
        cards=claim.cards,
        occasions=claim.occasions,
        points=charge.points,
        effects=charge.effects,
        article=charge.article,
        mark=charge.mark,
        reason=claim.reason,
    )
    facts.summary(preset, evolve(state, event).sheet)
    return [event]


def lift_penalty(state: Match, penalty: str, reason: str, by: str) -> Events:
    """A penalty no longer counts. Raises NoSuchPenalty, PenaltyAlreadyLifted."""
    opened = _open(state)
    found = next((p for p in state.sheet.penalties if p.id == penalty), None)
    if found is None:
        raise refuse.NoSuchPenalty(match=opened.match, penalty=penalty)
    if found.lifted:
        raise refuse.PenaltyAlreadyLifted(match=opened.match, penalty=penalty)
    return [
        PenaltyLifted(
            regulation=opened.regulation,
            by=by,
            competition=opened.competition,
            match=opened.match,
            penalty=penalty,
            reason=reason,
        )
    ]


def forfeit(state: Match, preset: Preset, absent: Sequence[str], reason: str, by: str) -> Events:
    """One team did not come, or neither. Raises NoSuchTeam."""
    opened = _open(state)
    for team in absent:
        if team not in _ids(opened):
            raise refuse.NoSuchTeam(competition=opened.competition, team=team)
    return [
        MatchForfeited(
            regulation=opened.regulation,
            by=by,
            competition=opened.competition,
            match=opened.match,
            opening=state.opening,
            absent=tuple(sorted(set(absent), key=_ids(opened).index)),
            result=facts.forfeited(preset, seated_of(opened), absent),
            reason=reason,
            article=preset.match.forfeit.article,
        )
    ]


def close(state: Match, preset: Preset, seat: Seat, by: str) -> Events:
    """The match is over: a pair passed A, or time was called. Raises TimeNotCalled."""
    opened = _open(state)
    ruled = facts.with_rulings(preset, seat.seated, state.sheet, seat.rulings)
    won = facts.summary(preset, ruled).won_by is not None
    if not won and not seat.time_called:
        raise refuse.TimeNotCalled(preset.match.minutes.article, round=opened.round)
    return [
        MatchClosed(
            regulation=opened.regulation,
            by=by,
            competition=opened.competition,
            match=opened.match,
            opening=state.opening,
            ended="played" if won else "time",
            hands=len(state.hands),
            result=facts.outcome(preset, seat.seated, state.sheet, seat.rulings),
            article=preset.match.minutes.article,
        )
    ]


def seated_of(opened: MatchOpened) -> Seated:
    """How an opened match is seated."""
    return Seated(match=opened.match, table=opened.table, teams=_ids(opened))


def _open(state: Match) -> MatchOpened:
    assert state.opened is not None, "open_ comes first"
    return state.opened


def _ids(opened: MatchOpened) -> tuple[str, str]:
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


def _with_hand(state: Match, hand: int, after: HandFacts) -> Match:
    hands = tuple(after if n == hand else h for n, h in enumerate(state.hands, 1))
    sheet = msgspec.structs.replace(state.sheet, hands=tuple(hand_fact(n, h) for n, h in enumerate(hands, 1)))
    return msgspec.structs.replace(state, hands=hands, sheet=sheet)


def _with_penalty(sheet: Sheet, event: PenaltyIssued) -> Sheet:
    fact = PenaltyFact(
        id=event.penalty,
        code=event.code,
        hand=event.hand,
        pair=event.pair,
        points=event.points,
        effects=cast(Any, event.effects),
    )
    return msgspec.structs.replace(sheet, penalties=(*sheet.penalties, fact))


def _check_levels(entry: HandEntry, computed: dict[str, str]) -> None:
    given = entry.facts.levels
    if given is not None and given != computed and not entry.as_played:
        raise refuse.LevelsDisagree(given=_levels(given), computed=_levels(computed))


def _levels(levels: dict[str, str]) -> str:
    return " ".join(f"{pair}:{level}" for pair, level in sorted(levels.items()))
