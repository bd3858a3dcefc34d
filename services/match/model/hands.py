"""The hands of a match: entering the next one, correcting one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

import msgspec

from services.match import refusals as refuse
from services.match.model.matches import Events, Match, Seat, evolve, ids_of, opened_of, summed, with_hand
from shared.contracts.fact import HandFacts
from shared.contracts.match import HandCorrected, HandPlayed
from shared.rules.regulations.preset import Preset


class HandEntry(msgspec.Struct, frozen=True, kw_only=True):
    """A hand as a referee enters it; `as_played` says that levels other than the log's are no mistake."""

    hand: int
    facts: HandFacts
    as_played: bool = False


def record_hand(state: Match, preset: Preset, seat: Seat, entry: HandEntry, by: str) -> Events:
    """The next hand. Raises HandAlreadyEntered, HandNumberSkips, MatchIsWon, HandIsImpossible, LevelsDisagree."""
    opened = opened_of(state)
    due = len(state.hands) + 1
    if entry.hand < due:
        raise refuse.HandAlreadyEntered(match=opened.match, hand=entry.hand)
    if entry.hand > due:
        raise refuse.HandNumberSkips(match=opened.match, hand=entry.hand, due=due)
    before = summed(preset, seat, state.sheet)
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
        teams=ids_of(opened),
        hand=entry.hand,
        facts=entry.facts,
    )
    summed(preset, seat, evolve(state, event).sheet)
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
    opened = opened_of(state)
    if not 1 <= hand <= len(state.hands):
        raise refuse.NoSuchHand(match=opened.match, hand=hand, entered=len(state.hands))
    before = state.hands[hand - 1]
    after = msgspec.structs.replace(after, **{name: getattr(before, name) for name in kept})
    if before == after:
        raise refuse.NothingCorrected("")
    summed(preset, seat, with_hand(state, hand, after).sheet, hand)
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


def _check_levels(entry: HandEntry, computed: dict[str, str]) -> None:
    given = entry.facts.levels
    if given is not None and given != computed and not entry.as_played:
        raise refuse.LevelsDisagree(given=_levels(given), computed=_levels(computed))


def _levels(levels: dict[str, str]) -> str:
    return " ".join(f"{pair}:{level}" for pair, level in sorted(levels.items()))
