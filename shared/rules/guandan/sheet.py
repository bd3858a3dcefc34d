"""A hand of 掼蛋 as it is entered at the table."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from shared.rules.guandan.levels import Pair, partner_of
from shared.rules.regulations.preset import Level


class FinishFacts(Struct, frozen=True, kw_only=True):
    """A hand as it was played.

    finish: seats in order of going out, the last two left out when partners were first and second; own: the pair whose
    level was played, levels: by pair, None where they were not entered.
    """

    finish: tuple[int, ...]
    own: Pair | None = None
    levels: dict[Pair, Level] | None = None


def decided(finish: Sequence[int]) -> tuple[int, ...]:
    """The seats that went out: after first and second of one pair the hand is over, and who is named behind them did
    not."""
    seats = tuple(finish)
    return seats[:2] if len(seats) > 1 and seats[1] == partner_of(seats[0]) else seats
