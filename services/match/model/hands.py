"""The hands of a match: entering the next one, correcting one."""

from __future__ import annotations

from typing import Any, cast

import msgspec

from services.match import refusals as refuse
from services.match.model import records
from services.match.model.matches import (
    Events,
    Match,
    evolve,
    hands_due,
    ids_of,
    opened_of,
    points_of,
    summed,
    with_hand,
)
from services.match.model.seated import Seat
from services.match.model.versions import HandEntry as HandEntry
from services.match.model.versions import check_alone, come_again
from shared.contracts.fact import Fact, HandFacts
from shared.contracts.match import HandCorrected, HandPlayed
from shared.rules.adjudication import disagreements
from shared.rules.formats.stages import CARDS
from shared.rules.regulations.preset import Preset
from shared.rules.regulations.schema import AnyPreset


def record_hand(state: Match, any_preset: AnyPreset, seat: Seat, entry: HandEntry, by: str) -> Events:
    """The next hand, or one that is there already (see `come_again`). What the entry leaves out is as its record has
    it. Raises OtherGame, NoCardMatch, HandAlreadyEntered, HandNumberSkips, HandNotDue, MatchIsWon, HandEqualsAnother,
    RecordInvalid, RecordDisagrees, HandIsImpossible, LevelsDisagree."""
    opened, preset = opened_of(state), points_of(any_preset, state)
    if seat.event != CARDS:
        raise refuse.NoCardMatch(match=opened.match, event=seat.event)
    due = len(state.hands) + 1
    if entry.hand < due:
        return come_again(state, preset, seat, entry, by)
    if entry.hand > due:
        raise refuse.HandNumberSkips(match=opened.match, hand=entry.hand, due=due)
    last = hands_due(preset, seat)
    if last is not None and entry.hand > last:
        raise refuse.HandNotDue(preset.match.hands.article, match=opened.match, hand=entry.hand, last=last)
    before = summed(preset, seat, state.sheet)
    if before.won_by is not None:
        raise refuse.MatchIsWon(match=opened.match, hand=before.won_in)
    judged = None if entry.record is None else records.judge(preset, state, entry.hand, entry.facts, entry.record)
    facts = judged.facts if judged else entry.facts
    check_alone(state, entry, facts, judged.hash if judged else None)
    if not entry.as_played:
        _check_levels(facts, cast("dict[str, str]", before.levels))
    event = HandPlayed(
        regulation=opened.regulation,
        by=by,
        competition=opened.competition,
        match=opened.match,
        round=opened.round,
        table=opened.table,
        teams=ids_of(opened),
        hand=entry.hand,
        facts=facts,
        record=judged.hash if judged else None,
    )
    summed(preset, seat, evolve(state, event).sheet)
    return [event, *_kept(state, entry.hand, judged, by)]


class Correction(msgspec.Struct, frozen=True, kw_only=True):
    """What a hand was in truth. The fields named in `kept` are as they were entered; `record` is its new card record,
    None where there is none; without it and without `record` among the kept the hand has no record any more."""

    hand: int
    after: HandFacts
    reason: str
    record: dict[str, Any] | None = None
    kept: tuple[str, ...] = ("record",)


def correct_hand(state: Match, any_preset: AnyPreset, seat: Seat, correction: Correction, by: str) -> Events:
    """A hand was entered wrongly. One that has a record is corrected with another record, or without one. Raises
    OtherGame, NoSuchHand, HandsInConflict, NothingCorrected, RecordInvalid, RecordDisagrees, HandIsImpossible."""
    opened, preset = opened_of(state), points_of(any_preset, state)
    hand = correction.hand
    if not 1 <= hand <= len(state.hands):
        raise refuse.NoSuchHand(match=opened.match, hand=hand, entered=len(state.hands))
    if hand in state.conflicts:
        raise refuse.HandsInConflict(match=opened.match, hands=str(hand))
    before, held = state.hands[hand - 1], state.records[hand - 1]
    after, judged = _corrected(preset, state, correction)
    record = judged.hash if judged else held if "record" in correction.kept else None
    if (before, held) == (after, record):
        raise refuse.NothingCorrected("")
    summed(preset, seat, with_hand(state, hand, after).sheet, hand)
    event = HandCorrected(
        regulation=opened.regulation,
        by=by,
        competition=opened.competition,
        match=opened.match,
        hand=hand,
        before=before,
        after=after,
        reason=correction.reason,
        record=record,
    )
    return [event, *_kept(state, hand, judged, by)]


def _corrected(preset: Preset, state: Match, correction: Correction) -> tuple[HandFacts, records.Judged[Any] | None]:
    """The hand as corrected, and its new record where there is one."""
    hand = correction.hand
    if correction.record is not None:
        judged = records.judge(preset, state, hand, correction.after, correction.record)
        return judged.facts, judged
    before, held = state.hands[hand - 1], state.records[hand - 1]
    kept = {name: getattr(before, name) for name in correction.kept if name != "record"}
    after = msgspec.structs.replace(correction.after, **kept)
    differing = disagreements(after, before)
    if held is not None and "record" in correction.kept and differing:
        raise records.disagrees(hand, differing)
    return after, None


def _kept(state: Match, hand: int, judged: records.Judged[Any] | None, by: str) -> list[Fact]:
    return [] if judged is None else [records.kept(state, hand, judged, by)]


def _check_levels(facts: HandFacts, computed: dict[str, str]) -> None:
    if facts.levels is not None and facts.levels != computed:
        raise refuse.LevelsDisagree(given=_levels(facts.levels), computed=_levels(computed))


def _levels(levels: dict[str, str]) -> str:
    return " ".join(f"{pair}:{level}" for pair, level in sorted(levels.items()))
