"""The hand that was in play at a table when time was called. Its referee says how far it was; the regulation says
whether it is finished, and so which hands may still be entered (zhongshan-2013 七（一）2, ahut-2018 二.5, jimei-2018
十.2). Hands before it were over by then, however late a phone sends them."""

from __future__ import annotations

from services.match import refusals as refuse
from services.match.model.matches import Events, Match, head_of, opened_of, unfinished_of
from services.match.model.seated import Seat
from shared.contracts.match import UnfinishedHandNoted
from shared.rules.regulations.schema import AnyPreset
from shared.rules.unfinished import Phase, is_finished, phases


def note_unfinished(
    state: Match, preset: AnyPreset, seat: Seat, hand: int, phase: Phase, reason: str, by: str
) -> Events:
    """How far which hand was; said again it is nothing new, said otherwise it needs a reason, and until the hand is
    entered. Raises NoUnfinishedHand, PhaseInvalid, UnfinishedHandDiffers, HandAlreadyEntered."""
    opened = opened_of(state)
    if not seat.time_called:
        raise refuse.NoUnfinishedHand(match=opened.match, round=opened.round)
    if phase not in phases(preset):
        raise refuse.PhaseInvalid("/phase", phase=phase, phases=", ".join(phases(preset)))
    known = unfinished_of(state, seat)
    if known is not None and (known.hand, known.phase) == (hand, phase):
        return []
    if hand <= state.entered:
        raise refuse.HandAlreadyEntered(match=opened.match, hand=hand)
    if known is not None and not reason.strip():
        raise refuse.UnfinishedHandDiffers("/reason", match=opened.match, hand=known.hand, phase=known.phase)
    return [
        UnfinishedHandNoted(
            **head_of(state, by),
            round=opened.round,
            table=opened.table,
            call=seat.call,
            hand=hand,
            phase=phase,
            counts=is_finished(preset, phase),
            article=preset.match.unfinished_hand.article,
            reason=reason if known is not None else "",
        )
    ]


def check_in_time(state: Match, preset: AnyPreset, seat: Seat, hand: int) -> None:
    """Whether the next hand may be entered: before time is called any, afterwards those that were over by then, and the
    one in play where it is finished. Raises UnfinishedHandUnknown, HandOutOfTime."""
    if not seat.time_called:
        return
    known, match = unfinished_of(state, seat), opened_of(state).match
    if known is None:
        raise refuse.UnfinishedHandUnknown(match=match, hand=hand)
    if hand > known.last:
        terms = preset.match.unfinished_hand
        raise refuse.HandOutOfTime(terms.article, match=match, hand=hand, last=known.last)
