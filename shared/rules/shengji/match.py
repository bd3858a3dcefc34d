"""Re-summing a match from its facts (RULINGS, Corrections and later hands).

Nothing is kept from an earlier sum: after a correction, a lifted or an imposed penalty the same functions run over the
facts as they then are. Later hands stand as played, whoever should have dealt, and their gains count for the sides as
they sat; hands after a win count nothing.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Literal

from msgspec import Struct

from shared.rules.basis import Basis, gather
from shared.rules.errors import RuleError
from shared.rules.regulations.preset import Level, Preset
from shared.rules.shengji.deal import next_dealer
from shared.rules.shengji.facts import PAIRS, HandFact, Pair, PenaltyFact, check_hand, check_penalty, other, pair_of
from shared.rules.shengji.levels import LevelChange, Side
from shared.rules.shengji.moved_deal import moved_change, moves_deal

Uncounted = Literal["match_won", "annulled"]


class HandRow(Struct, frozen=True, kw_only=True):
    """One hand in the sum.

    points: the attackers' as entered; penalty_points: what penalties add to them (below zero when the attackers
    offended); attacker_points: both together; due_dealer: the seat that should have dealt by the hands before, None for
    the first hand; levels_before, levels_after: by pair; counted False: the hand changes nothing, for the reason given.
    """

    number: int
    dealer_seat: int
    dealer_pair: Pair
    due_dealer: int | None
    points: int
    penalty_points: int
    attacker_points: int
    dealer_gain: int
    attacker_gain: int
    deal: Side | None
    levels_before: dict[Pair, Level]
    levels_after: dict[Pair, Level]
    won_by: Pair | None
    counted: bool
    reason: Uncounted | None
    basis: tuple[Basis, ...]


class MatchSummary(Struct, frozen=True, kw_only=True):
    """A match as its facts make it.

    levels: by pair, after the last hand that counts; won_by: the pair that passed the top, in hand won_in; next_dealer:
    the seat due to deal next, None before the first hand (抢庄, 十一.2) and after a win.
    """

    rows: tuple[HandRow, ...]
    levels: dict[Pair, Level]
    won_by: Pair | None
    won_in: int | None
    next_dealer: int | None
    basis: tuple[Basis, ...]


def resum(preset: Preset, hands: Sequence[HandFact], penalties: Sequence[PenaltyFact] = ()) -> MatchSummary:
    """The match that these facts make, hands in order of number.

    A penalty is charged to the hand it belongs to: on an attacker it lowers the attackers' points, on the dealer side
    it raises them (十一.8, read); a lifted one counts nothing, and one for the hand in play waits for that hand.
    Raises RuleError `bad_value` for a fact that cannot be, hand numbers with a gap, or a penalty for no hand.
    """
    _check(preset, hands, penalties)
    charged = _by_hand(penalties)
    rows: list[HandRow] = []
    state = _State(levels=dict.fromkeys(PAIRS, preset.match.start_level.value), due=None, won_by=None, won_in=None)
    for hand in hands:
        row = _row(preset, hand, charged.get(hand.number, ()), state)
        state = _after(preset, state, row)
        rows.append(row)
    return MatchSummary(
        rows=tuple(rows),
        levels=state.levels,
        won_by=state.won_by,
        won_in=state.won_in,
        next_dealer=state.due,
        basis=gather([preset.match.start_level.basis, *(basis for row in rows for basis in row.basis)]),
    )


class _State(Struct, frozen=True, kw_only=True):
    """Where the match stands between two hands."""

    levels: dict[Pair, Level]
    due: int | None
    won_by: Pair | None
    won_in: int | None


def _check(preset: Preset, hands: Sequence[HandFact], penalties: Sequence[PenaltyFact]) -> None:
    dealers: dict[int, Pair] = {}
    for number, hand in enumerate(hands, 1):
        check_hand(preset, hand)
        if hand.number != number:
            detail = f"hand {hand.number} stands where hand {number} belongs"
            raise RuleError(detail, f"此处应为第 {number} 副，而不是第 {hand.number} 副", field="number")
        dealers[number] = pair_of(hand.dealer_seat)
    for penalty in penalties:
        if not 1 <= penalty.hand <= len(hands) + 1:
            detail = f"penalty {penalty.id} is for hand {penalty.hand}, and {len(hands)} are entered"
            zh = f"处罚 {penalty.id} 属于第 {penalty.hand} 副，而已录入 {len(hands)} 副"
            raise RuleError(detail, zh, field="hand")
        check_penalty(preset, penalty, None if penalty.lifted else dealers.get(penalty.hand))


def _by_hand(penalties: Sequence[PenaltyFact]) -> Mapping[int, list[PenaltyFact]]:
    charged: dict[int, list[PenaltyFact]] = defaultdict(list)
    for penalty in penalties:
        if not penalty.lifted:
            charged[penalty.hand].append(penalty)
    return charged


def _row(preset: Preset, hand: HandFact, penalties: Sequence[PenaltyFact], state: _State) -> HandRow:
    dealers = pair_of(hand.dealer_seat)
    added = sum(penalty.points if penalty.pair == dealers else -penalty.points for penalty in penalties)
    reason: Uncounted | None = "match_won" if state.won_by else "annulled" if hand.annulled else None
    change = None if reason else _change(preset, hand, penalties, hand.points + added, state.levels)
    return HandRow(
        number=hand.number,
        dealer_seat=hand.dealer_seat,
        dealer_pair=dealers,
        due_dealer=state.due,
        points=hand.points,
        penalty_points=added,
        attacker_points=hand.points + added,
        dealer_gain=change.dealer_gain if change else 0,
        attacker_gain=change.attacker_gain if change else 0,
        deal=change.deal if change else None,
        levels_before=state.levels,
        levels_after=_levels(dealers, change) if change else state.levels,
        won_by=_winner(dealers, change) if change else None,
        counted=change is not None,
        reason=reason,
        basis=_basis(preset, penalties, change, reason),
    )


def _change(
    preset: Preset, hand: HandFact, penalties: Sequence[PenaltyFact], points: int, levels: Mapping[Pair, Level]
) -> LevelChange:
    dealers = pair_of(hand.dealer_seat)
    offences = [(penalty.code, _side(penalty.pair, dealers)) for penalty in penalties if moves_deal(penalty.effects)]
    return moved_change(preset, points, levels[dealers], levels[other(dealers)], offences)


def _side(pair: Pair, dealers: Pair) -> Side:
    return "dealers" if pair == dealers else "attackers"


def _levels(dealers: Pair, change: LevelChange) -> dict[Pair, Level]:
    after: dict[Pair, Level] = {dealers: change.dealer_level, other(dealers): change.attacker_level}
    return {pair: after[pair] for pair in PAIRS}


def _winner(dealers: Pair, change: LevelChange) -> Pair | None:
    if change.won_by is None:
        return None
    return dealers if change.won_by == "dealers" else other(dealers)


def _basis(
    preset: Preset, penalties: Sequence[PenaltyFact], change: LevelChange | None, reason: Uncounted | None
) -> tuple[Basis, ...]:
    if change is None:
        return (preset.claims.later_hands.basis,) if reason == "match_won" else ()
    charges = [preset.penalties[penalty.code].basis for penalty in penalties]
    sign = [preset.claims.penalty_sign.basis] if any(penalty.points for penalty in penalties) else []
    return gather([*change.basis, *charges, *sign])


def _after(preset: Preset, state: _State, row: HandRow) -> _State:
    if state.won_by is not None:
        return state
    due = next_dealer(preset, row.dealer_seat, row.deal) if row.deal else state.due
    return _State(
        levels=row.levels_after,
        due=None if row.won_by else due,
        won_by=row.won_by,
        won_in=row.number if row.won_by else None,
    )
