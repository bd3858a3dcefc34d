"""The hands of a match, of either game: entering the next one, correcting one."""

from __future__ import annotations

from typing import Any, Generic

import msgspec

from services.match import refusals as refuse
from services.match.model import records
from services.match.model.matches import Events, F, Match, evolve, opened_of
from services.match.model.scoring import Scoring, scoring_of
from services.match.model.seated import Seat
from services.match.model.unfinished import check_in_time
from services.match.model.versions import HandEntry as HandEntry
from services.match.model.versions import check_alone, come_again, judged_of
from shared.contracts.fact import Fact
from shared.rules.adjudication import disagreements
from shared.rules.formats.stages import CARDS
from shared.rules.regulations.schema import AnyPreset


def record_hand(state: Match, preset: AnyPreset, seat: Seat, entry: HandEntry[F], by: str) -> Events:
    """The next hand, or one that is there already (see `come_again`). What the entry leaves out is as its record has
    it. Raises OtherGame, NoCardMatch, HandAlreadyEntered, HandNumberSkips, HandNotDue, MatchIsWon,
    UnfinishedHandUnknown, HandOutOfTime, HandEqualsAnother, RecordInvalid, RecordDisagrees, HandIsImpossible,
    LevelsDisagree."""
    opened, scoring = opened_of(state), scoring_of(preset, state, seat, type(entry.facts))
    if seat.event != CARDS:
        raise refuse.NoCardMatch(match=opened.match, event=seat.event)
    due = len(scoring.hands(state)) + 1
    if entry.hand < due:
        return come_again(state, scoring, entry, by)
    if entry.hand > due:
        raise refuse.HandNumberSkips(match=opened.match, hand=entry.hand, due=due)
    scoring.check_due(state, entry.hand)
    before = scoring.summed(state)
    if before.won_by is not None:
        raise refuse.MatchIsWon(match=opened.match, hand=before.won_in)
    check_in_time(state, preset, seat, entry.hand)
    facts, judged = judged_of(state, scoring, entry.hand, entry.facts, entry.record)
    record = judged.hash if judged else None
    check_alone(state, scoring, entry, facts, record)
    if not entry.as_played:
        scoring.check_levels(facts, before)
    event = scoring.entered(state, entry.hand, facts, record, by)
    scoring.summed(evolve(state, event))
    return [event, *_kept(state, entry.hand, judged, by)]


class Correction(msgspec.Struct, Generic[F], frozen=True, kw_only=True):
    """What a hand was in truth. The fields named in `kept` are as they were entered; `record` is its new card record,
    None where there is none; without it and without `record` among the kept the hand has no record any more."""

    hand: int
    after: F
    reason: str
    record: dict[str, Any] | None = None
    kept: tuple[str, ...] = ("record",)


def correct_hand(state: Match, preset: AnyPreset, seat: Seat, correction: Correction[F], by: str) -> Events:
    """A hand was entered wrongly. One that has a record is corrected with another record, or without one. Raises
    OtherGame, NoSuchHand, HandsInConflict, NothingCorrected, RecordInvalid, RecordDisagrees, HandIsImpossible."""
    opened, scoring = opened_of(state), scoring_of(preset, state, seat, type(correction.after))
    hand, hands = correction.hand, scoring.hands(state)
    if not 1 <= hand <= len(hands):
        raise refuse.NoSuchHand(match=opened.match, hand=hand, entered=len(hands))
    if hand in state.conflicts:
        raise refuse.HandsInConflict(match=opened.match, hands=str(hand))
    before, held = hands[hand - 1], state.records[hand - 1]
    after, judged = _corrected(state, scoring, correction)
    record = judged.hash if judged else held if "record" in correction.kept else None
    if (before, held) == (after, record):
        raise refuse.NothingCorrected("")
    scoring.summed(scoring.with_hand(state, hand, after), hand)
    event = scoring.corrected(state, hand, after, record, correction.reason, by)
    return [event, *_kept(state, hand, judged, by)]


def _corrected(state: Match, scoring: Scoring[F], correction: Correction[F]) -> tuple[F, records.Judged[F] | None]:
    """The hand as corrected, and its new record where there is one."""
    hand = correction.hand
    if correction.record is not None:
        return judged_of(state, scoring, hand, correction.after, correction.record)
    before, held = scoring.hands(state)[hand - 1], state.records[hand - 1]
    kept = {name: getattr(before, name) for name in correction.kept if name != "record"}
    after = scoring.settled(msgspec.structs.replace(correction.after, **kept))
    differing = disagreements(after, before)
    if held is not None and "record" in correction.kept and differing:
        raise records.disagrees(hand, differing)
    return after, None


def _kept(state: Match, hand: int, judged: records.Judged[F] | None, by: str) -> list[Fact]:
    return [] if judged is None else [records.kept(state, hand, judged, by)]
