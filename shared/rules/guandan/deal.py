"""Who turns a card, draws and leads the next hand (ahut-2018 二.4)."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from shared.rules.basis import Basis, gather
from shared.rules.guandan.levels import read_finish
from shared.rules.regulations.guandan import GuandanPreset


class NextDeal(Struct, frozen=True, kw_only=True):
    """Seats of the next hand: who turns a card, who takes the first card, who leads."""

    turns_card: int
    draws_first: int
    leads: int
    basis: tuple[Basis, ...]


def next_deal(preset: GuandanPreset, finish: Sequence[int]) -> NextDeal:
    """The next hand after one in which the seats went out in this order.

    The winner turns a card and leads, the last to go out draws first; when the last two did not finish, the winner's
    next opponent in order of play. The first hand is led by whoever draws the card turned face up, which no result
    tells. Raises RuleError `bad_value` for a finish that cannot be.
    """
    order = read_finish(finish)
    rules = preset.table
    first = order[0]
    unfinished = len(order) == 2
    draws = rules.draws_first_unfinished if unfinished else rules.draws_first
    return NextDeal(
        turns_card=first,
        draws_first=first % 4 + 1 if unfinished else order[-1],
        leads=first,
        basis=gather([rules.turns_card.basis, draws.basis, rules.leads.basis, rules.tribute.basis]),
    )
