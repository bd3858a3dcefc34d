"""One match's stream: its hands and penalties until it is closed, and again when its round was reopened for it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from typing import Any, cast

import msgspec

from services.match import refusals as refuse
from services.match.model import facts
from services.match.model.facts import SIDES, Seated
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
from shared.rules.basis import Text
from shared.rules.regulations.preset import Preset
from shared.rules.shengji.facts import PenaltyFact
from shared.rules.shengji.match import MatchSummary
from shared.rules.shengji.penalties import in_time
from shared.rules.shengji.remedies import award
from shared.rules.shengji.sheet import Sheet, hand_fact

Events = Sequence[Fact]


class Match(msgspec.Struct, frozen=True, kw_only=True):
    """A match as its stream tells it; `opened` is None before its first fact. `opening` counts how often its round
    was reopened for it; `closed` is its result while it is closed, `closed_at` when that was; `over`: it was closed
    after play, so that it is only put right since, and not played on."""

    opened: MatchOpened | None = None
    opening: int = 0
    sheet: Sheet = Sheet()
    hands: tuple[HandFacts, ...] = ()
    closed: MatchResult | None = None
    closed_at: datetime | None = None
    over: bool = False


class Seat(msgspec.Struct, frozen=True, kw_only=True):
    """What the rounds stream says of a match: who sits where, how often its round was reopened for it, whether that
    was to play it again, the rulings on it, and whether time was called since it began."""

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
        case MatchForfeited():
            return change(state, closed=event.result, closed_at=event.closed_at, opening=event.opening)
        case MatchClosed():
            return change(state, closed=event.result, closed_at=event.closed_at, opening=event.opening, over=True)
        case MatchReopened():
            kept = Match(opened=state.opened) if event.replay else change(state, closed=None, closed_at=None)
            return change(kept, opening=event.opening)
    raise TypeError(f"no fold for {type(event).__name__}")


MATCH: Model[Match] = Model(lambda _stream: Match(), evolve)


def open_(state: Match, seat: Seat, by: str) -> tuple[Match, Events]:
    """The match ready to take facts, and the events that make it so: opened at its first, and opened anew when its
    round was reopened for it since, though it had not been closed. Raises MatchIsClosed."""
    if state.opened is None:
        events: list[Fact] = [_opened(seat, by)]
    elif seat.opening > state.opening:
        events = [_reopened(seat, by)]
    elif state.closed is not None:
        raise refuse.MatchIsClosed(match=state.opened.match)
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


def record_hand(state: Match, preset: Preset, seat: Seat, entry: HandEntry, by: str) -> Events:
    """The next hand. Raises HandAlreadyEntered, HandNumberSkips, MatchIsWon, HandIsImpossible, LevelsDisagree."""
    opened = _open(state)
    due = len(state.hands) + 1
    if entry.hand < due:
        raise refuse.HandAlreadyEntered(match=opened.match, hand=entry.hand)
    if entry.hand > due:
        raise refuse.HandNumberSkips(match=opened.match, hand=entry.hand, due=due)
    before = _summed(preset, seat, state.sheet)
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
    _summed(preset, seat, evolve(state, event).sheet)
    return [event]


def correct_hand(
    state: Match,
    preset: Preset,
    seat: Seat,
    hand: int,
    after: HandFacts,
    reason: str,
    by: str,
    kept: Sequence[str] = (),
) -> Events:
    """A hand was entered wrongly; the fields named in `kept` were not. Raises NoSuchHand, NothingCorrected,
    HandIsImpossible."""
    opened = _open(state)
    if not 1 <= hand <= len(state.hands):
        raise refuse.NoSuchHand(match=opened.match, hand=hand, entered=len(state.hands))
    before = state.hands[hand - 1]
    after = msgspec.structs.replace(after, **{name: getattr(before, name) for name in kept})
    if before == after:
        raise refuse.NothingCorrected("")
    _summed(preset, seat, _with_hand(state, hand, after).sheet, hand)
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
    """A breach as claimed: the hand it happened in, the hand that had begun when it was claimed, and what its price
    counts. Where the referee does not say when it was claimed, it was now."""

    hand: int
    claimed_during: int | None
    pair: Pair
    code: str
    cards: int | None
    occasions: int
    reason: str


def issue_penalty(state: Match, preset: Preset, seat: Seat, claim: Claim, by: str) -> Events:
    """A penalty, priced by its article. Raises PenaltyInvalid, ClaimTooLate."""
    opened = _open(state)
    charge = facts.priced(preset, claim.code, claim.cards, claim.occasions)
    if not 1 <= claim.hand <= len(state.hands) + 1:
        entered = len(state.hands)
        zh, en = (
            f"第 {claim.hand} 副尚未打；已录入 {entered} 副",
            f"hand {claim.hand} was not played; {entered} are entered",
        )
        raise refuse.PenaltyInvalid("/hand", charge.article, reason=Text(zh, en))
    during = max(claim.hand, len(state.hands)) if claim.claimed_during is None else claim.claimed_during
    if during < claim.hand:
        zh, en = f"第 {claim.hand} 副的违规不可能在第 {during} 副提出", f"hand {during} was before hand {claim.hand}"
        raise refuse.PenaltyInvalid("/claimed_during", charge.article, reason=Text(zh, en))
    if not in_time(claim.hand, during):
        raise refuse.ClaimTooLate(preset.claims.until.article, hand=claim.hand, during=during)
    event = PenaltyIssued(
        regulation=opened.regulation,
        by=by,
        competition=opened.competition,
        match=opened.match,
        round=opened.round,
        penalty=f"p{len(state.sheet.penalties) + 1}",
        hand=claim.hand,
        claimed_during=during,
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
    with _as_penalty():
        _summed(preset, seat, evolve(state, event).sheet)
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


def forfeit(state: Match, preset: Preset, absent: Sequence[str], reason: str, now: datetime, by: str) -> Events:
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
            closed_at=now,
        )
    ]


def close(state: Match, preset: Preset, seat: Seat, now: datetime, by: str) -> Events:
    """The match is over: a pair passed A, time was called, it was over before and has been put right, or a ruling
    awarded it. Raises TimeNotCalled."""
    opened = _open(state)
    won = _summed(preset, seat, state.sheet).won_by is not None
    given = award(seat.rulings) is not None
    if not (won or given or seat.time_called or state.over):
        raise refuse.TimeNotCalled(preset.match.minutes.article, round=opened.round)
    return [
        MatchClosed(
            regulation=opened.regulation,
            by=by,
            competition=opened.competition,
            match=opened.match,
            opening=state.opening,
            ended="ruling" if given else "time" if seat.time_called and not won else "played",
            hands=len(state.hands),
            result=facts.outcome(preset, seat.seated, state.sheet, seat.rulings),
            article=preset.match.minutes.article,
            closed_at=now,
        )
    ]


def seated_of(opened: MatchOpened) -> Seated:
    """How an opened match is seated."""
    return Seated(match=opened.match, table=opened.table, teams=_ids(opened))


def _summed(preset: Preset, seat: Seat, sheet: Sheet, hand: int | None = None) -> MatchSummary:
    """The match as it stands, with the rulings on it. Raises HandIsImpossible, RemedyImpossible."""
    return facts.summary(preset, facts.with_rulings(preset, seat.seated, sheet, seat.rulings), hand)


@contextmanager
def _as_penalty() -> Iterator[None]:
    """What makes the sum impossible when a penalty is added is the penalty."""
    try:
        yield
    except refuse.HandIsImpossible as error:
        pointer = "/pair" if error.pointer == "/dealer" else "/code"
        raise refuse.PenaltyInvalid(pointer, error.article, reason=error.params["reason"]) from error


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
