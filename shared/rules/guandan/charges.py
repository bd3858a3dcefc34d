"""What the penalties of a match do to its sum (ahut-2018 二.4, 二.6): levels to the opponents, the match lost."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from shared.rules.guandan.levels import PAIRS, Pair
from shared.rules.guandan.matches import GuandanHand, GuandanSummary, resum
from shared.rules.regulations.guandan import GuandanEffect, GuandanPreset, Stage

LOSES: tuple[GuandanEffect, ...] = ("match_lost", "disqualified")
"""The effects by which the opponents win at once."""


class Charge(Struct, frozen=True, kw_only=True):
    """A penalty on a pair, with what it costs; hand: the one it happened in, at most one more than the last entered."""

    code: str
    hand: int
    pair: Pair
    effects: tuple[str, ...]
    lifted: bool = False


def summed(
    preset: GuandanPreset, stage: Stage, hands: Sequence[GuandanHand], charges: Sequence[Charge] = ()
) -> GuandanSummary:
    """The match that these hands and penalties make.

    A level given to the opponents counts after the hand, and waits where that is not entered yet. A pair that loses the
    match in a hand has lost it there: that hand and later ones count nothing, unless A was passed before. Of two such
    penalties in one hand the first decides. Raises RuleError as `resum` does.
    """
    standing = [charge for charge in charges if not charge.lifted]
    given = [replace(hand, extra=_given(hand.number, standing)) for hand in hands]
    lost = min((one for one in standing if set(one.effects) & set(LOSES)), key=lambda one: one.hand, default=None)
    if lost is None:
        return resum(preset, stage, given)
    before = resum(preset, stage, given[: lost.hand - 1])
    if before.won_by is not None:
        return resum(preset, stage, given)
    return replace(
        before,
        changes=(*before.changes, *[None] * (len(hands) - len(before.changes))),
        won_by=other(lost.pair),
        won_in=lost.hand,
        lost_by=lost.code,
    )


def other(pair: Pair) -> Pair:
    """The opponents of a pair."""
    return PAIRS[1] if pair == PAIRS[0] else PAIRS[0]


def _given(hand: int, charges: Sequence[Charge]) -> dict[Pair, int]:
    """The levels that each pair is given after a hand."""
    levels = dict.fromkeys(PAIRS, 0)
    for charge in charges:
        if charge.hand == hand:
            levels[other(charge.pair)] += charge.effects.count("level_to_opponents")
    return {pair: count for pair, count in levels.items() if count}
