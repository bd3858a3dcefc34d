"""The hands of a match of 掼蛋, which are entered as the order of going out: the next one, one that was wrong."""

from __future__ import annotations

from typing import Any

import msgspec

from services.match import refusals as refuse
from services.match.model import finish_sums, records
from services.match.model.matches import Events, Match, ids_of, opened_of
from services.match.model.seated import Seat
from shared.contracts.fact import Fact, FinishFacts
from shared.contracts.match import FinishCorrected, HandFinished
from shared.rules.adjudication import disagreements
from shared.rules.guandan.matches import GuandanSummary
from shared.rules.guandan.sheet import decided
from shared.rules.regulations.guandan import GuandanPreset
from shared.rules.regulations.schema import AnyPreset


class FinishEntry(msgspec.Struct, frozen=True, kw_only=True):
    """A hand as a referee enters it; `as_played` says that levels other than the log's are no mistake; `record` is its
    card record, None where there is none."""

    hand: int
    facts: FinishFacts
    as_played: bool = False
    record: dict[str, Any] | None = None


def record_finish(state: Match, preset: AnyPreset, seat: Seat, entry: FinishEntry, by: str) -> Events:
    """The next hand; one that is there already and comes again as it is, is nothing new. Raises OtherGame,
    HandAlreadyEntered, HandNumberSkips, MatchIsWon, RecordInvalid, RecordDisagrees, HandIsImpossible,
    LevelsDisagree."""
    opened, rules = opened_of(state), guandan_of(preset, state)
    due = len(state.finishes) + 1
    if 1 <= entry.hand < due:
        if _says_no_more(entry, state.finishes[entry.hand - 1]):
            return []
        raise refuse.HandAlreadyEntered(match=opened.match, hand=entry.hand)
    if entry.hand != due:
        raise refuse.HandNumberSkips(match=opened.match, hand=entry.hand, due=due)
    before = finish_sums.summary(rules, seat.level_stage, state.finishes, state.sheet.penalties)
    if before.won_by is not None:
        raise refuse.MatchIsWon(match=opened.match, hand=before.won_in)
    judged = None if entry.record is None else records.judge(rules, state, entry.hand, entry.facts, entry.record)
    facts = _settled(judged.facts if judged else entry.facts)
    if not entry.as_played:
        _check_levels(facts, before)
    finish_sums.summary(rules, seat.level_stage, (*state.finishes, facts), state.sheet.penalties)
    event = HandFinished(
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
        article=rules.levels.gains.article,
    )
    return [event, *_kept(state, entry.hand, judged, by)]


class FinishCorrection(msgspec.Struct, frozen=True, kw_only=True):
    """What a hand was in truth. The fields named in `kept` are as they were entered; `record` is its new card record,
    None where there is none; without it and without `record` among the kept the hand has no record any more."""

    hand: int
    after: FinishFacts
    reason: str
    record: dict[str, Any] | None = None
    kept: tuple[str, ...] = ("record",)


def correct_finish(state: Match, preset: AnyPreset, seat: Seat, correction: FinishCorrection, by: str) -> Events:
    """A hand was entered wrongly. One that has a record is corrected with another record, or without one. Raises
    OtherGame, NoSuchHand, NothingCorrected, RecordInvalid, RecordDisagrees, HandIsImpossible."""
    opened, rules = opened_of(state), guandan_of(preset, state)
    hand = correction.hand
    if not 1 <= hand <= len(state.finishes):
        raise refuse.NoSuchHand(match=opened.match, hand=hand, entered=len(state.finishes))
    before, held = state.finishes[hand - 1], state.records[hand - 1]
    after, judged = _corrected(rules, state, correction)
    record = judged.hash if judged else held if "record" in correction.kept else None
    if (before, held) == (after, record):
        raise refuse.NothingCorrected("")
    finishes = tuple(after if n == hand else one for n, one in enumerate(state.finishes, 1))
    finish_sums.summary(rules, seat.level_stage, finishes, state.sheet.penalties, hand)
    event = FinishCorrected(
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


def guandan_of(preset: AnyPreset, state: Match) -> GuandanPreset:
    """The regulation, where its hands are orders of going out. Raises OtherGame."""
    if not isinstance(preset, GuandanPreset):
        raise refuse.OtherGame(match=opened_of(state).match, expects="hands")
    return preset


def _corrected(
    preset: GuandanPreset, state: Match, correction: FinishCorrection
) -> tuple[FinishFacts, records.Judged[Any] | None]:
    """The hand as corrected, and its new record where there is one."""
    hand = correction.hand
    if correction.record is not None:
        judged = records.judge(preset, state, hand, correction.after, correction.record)
        return _settled(judged.facts), judged
    before, held = state.finishes[hand - 1], state.records[hand - 1]
    kept = {name: getattr(before, name) for name in correction.kept if name != "record"}
    after = _settled(msgspec.structs.replace(correction.after, **kept))
    differing = disagreements(after, before)
    if held is not None and "record" in correction.kept and differing:
        raise records.disagrees(hand, differing)
    return after, None


def _settled(facts: FinishFacts) -> FinishFacts:
    """The hand with those seats only that went out: two entries of one hand are the same."""
    return msgspec.structs.replace(facts, finish=decided(facts.finish))


def _kept(state: Match, hand: int, judged: records.Judged[Any] | None, by: str) -> list[Fact]:
    return [] if judged is None else [records.kept(state, hand, judged, by)]


def _says_no_more(entry: FinishEntry, known: FinishFacts) -> bool:
    """Whether an entry is one that is known, or less of it: what it leaves out it does not deny."""
    facts = _settled(entry.facts)
    return (
        entry.record is None
        and facts.finish == known.finish
        and facts.own in (None, known.own)
        and facts.levels in (None, known.levels)
    )


def _check_levels(facts: FinishFacts, before: GuandanSummary) -> None:
    """Raises LevelsDisagree where the levels given, or whose level was played, are not those of the hands before; in
    the first hand nobody's is."""
    computed: dict[str, str] = dict(before.levels.items())
    given: dict[str, str] = dict((facts.levels or before.levels).items())
    own = facts.own if facts.own and before.own else before.own
    if given != computed or own != before.own:
        raise refuse.LevelsDisagree(given=_said(given, own), computed=_said(computed, before.own))


def _said(levels: dict[str, str], own: str | None) -> str:
    said = [f"{pair}:{level}" for pair, level in sorted(levels.items())]
    return " ".join([*said, *([f"own {own}"] if own else [])])
