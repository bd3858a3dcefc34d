"""What is written on a match beside its hands: both pairs confirm the score sheet, and incidents without a price."""

from __future__ import annotations

from datetime import datetime

import msgspec

from services.match import refusals as refuse
from services.match.model import finish_sums
from services.match.model.matches import (
    Events,
    Match,
    check_begun,
    check_no_conflict,
    head_of,
    ids_of,
    opened_of,
    summed,
)
from services.match.model.seated import SIDES, Seat
from shared.contracts.fact import Pair
from shared.contracts.match import ConfirmationOverdue, IncidentNoted, MatchConfirmed
from shared.contracts.programme import parted
from shared.rules.formats.articles import articles
from shared.rules.regulations.preset import Preset
from shared.rules.regulations.schema import AnyPreset


class Signed(msgspec.Struct, frozen=True, kw_only=True):
    """What a pair confirms: the sheet with so many hands (at a board: games), and these levels and so many penalties
    where they are named. `for_pair`: the referee does it in the pair's place."""

    pair: Pair
    hands: int
    levels: dict[str, str] | None
    penalties: int | None
    for_pair: bool
    reason: str


def confirm(state: Match, preset: AnyPreset, seat: Seat, signed: Signed, by: str) -> Events:
    """A pair confirms the match as it is entered; once more is nothing new. Raises NothingToConfirm, HandsInConflict,
    SheetDiffers, ReasonNeeded."""
    opened = opened_of(state)
    entered = len(state.games) or state.entered
    if not entered:
        raise refuse.NothingToConfirm(match=opened.match)
    check_no_conflict(state)
    if signed.for_pair and not signed.reason.strip():
        raise refuse.ReasonNeeded("/reason")
    levels = _levels(state, preset, seat)
    penalties = sum(not penalty.lifted for penalty in state.sheet.penalties)
    if signed.hands != entered or signed.levels not in (None, levels) or signed.penalties not in (None, penalties):
        raise refuse.SheetDiffers(
            match=opened.match,
            signed=_sheet(signed.hands, signed.levels, signed.penalties),
            entered=_sheet(entered, levels, penalties),
        )
    if signed.pair in state.confirmed:
        return []
    return [
        MatchConfirmed(
            **head_of(state, by),
            round=opened.round,
            opening=state.opening,
            pair=signed.pair,
            team=ids_of(opened)[SIDES.index(signed.pair)],
            hands=entered,
            levels=levels,
            for_pair=signed.for_pair,
            reason=signed.reason,
        )
    ]


def flag_unconfirmed(state: Match, preset: AnyPreset, opening: int, due_at: datetime, by: str) -> Events:
    """The time to confirm has passed; nothing where both have, or the match was opened again since."""
    missing = tuple(pair for pair in SIDES if pair not in state.confirmed)
    if state.opened is None or state.closed is None or state.opening != opening or not missing:
        return []
    article = articles(preset, parted(state.opened.competition)[1]).confirming
    assert article is not None, "something has fallen due"
    return [
        ConfirmationOverdue(
            regulation=state.opened.regulation,
            by=by,
            competition=state.opened.competition,
            match=state.opened.match,
            round=state.opened.round,
            opening=opening,
            due_at=due_at,
            missing=missing,
            article=article,
        )
    ]


def note_incident(state: Match, hand: int | None, pair: Pair | None, what: str, by: str) -> Events:
    """Something happened that costs nothing. Raises HandNotThereYet."""
    opened = opened_of(state)
    if hand is not None:
        check_begun(state, hand)
    return [
        IncidentNoted(
            **head_of(state, by),
            round=opened.round,
            incident=f"i{state.incidents + 1}",
            hand=hand,
            pair=pair,
            what=what,
        )
    ]


def _levels(state: Match, preset: AnyPreset, seat: Seat) -> dict[str, str]:
    """The levels reached, by pair."""
    if isinstance(preset, Preset):
        levels = summed(preset, seat, state.sheet).levels
    else:
        levels = finish_sums.summary(preset, seat.level_stage, state.finishes, state.sheet.penalties).levels
    return {str(pair): str(level) for pair, level in levels.items()}


def _sheet(hands: int, levels: dict[str, str] | None, penalties: int | None) -> str:
    said = " ".join(f"{pair}:{level}" for pair, level in sorted((levels or {}).items()))
    return f"{hands} / {said or '-'} / {'-' if penalties is None else penalties}"
