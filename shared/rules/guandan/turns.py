"""Whose turn it is: rounds of play, passes, and who leads for a player who has gone out (接风, ahut-2018 二.4)."""

from __future__ import annotations

from collections.abc import Collection
from typing import Literal

from msgspec import Struct

from shared.rules.guandan.levels import partner_of

Wind = Literal["partner", "next_seat"]

FREE = -1
"""The strength of cards on the table that are no play: whatever is a play may follow."""


class Turn(Struct, frozen=True):
    """Where the table stands.

    seat: whose turn; trick: rounds of play begun, from 1; standing: the strength to beat, None when a lead is due;
    owner: who played it. After an act out of turn: skip, the seat that has acted already, and closes, the seat at which
    the round ends instead of at the owner; 0 for none.
    """

    seat: int
    trick: int
    standing: int | None = None
    owner: int = 0
    skip: int = 0
    closes: int = 0


def after_play(turn: Turn, seat: int, strength: int, out: Collection[int], wind: Wind, acted: int = 0) -> Turn:
    """The table after a play by `seat`, who stands in `out` already when it was the last card.

    acted: the seat from which on the turn passes, `seat` itself unless the play was out of turn.
    """
    return _following(Turn(acted or seat, turn.trick, strength, seat), out, wind)


def after_pass(turn: Turn, out: Collection[int], wind: Wind, acted: int = 0) -> Turn:
    """The table after a pass. When everyone else has passed, the owner of the standing play leads.

    acted: who passed, the seat whose turn it was unless the pass was out of turn.
    """
    passed = Turn(acted, turn.trick, turn.standing, turn.owner, turn.skip, turn.closes) if acted else turn
    return _following(passed, out, wind)


def leader_for(owner: int, out: Collection[int], wind: Wind) -> int:
    """Who leads when everyone has passed: the owner, and for one who has gone out the partner (接风)."""
    if owner not in out:
        return owner
    partner = partner_of(owner)
    if wind == "partner" and partner not in out:
        return partner
    return next_seat(owner, out)


def next_seat(seat: int, out: Collection[int]) -> int:
    """The next seat in order of play that still has cards."""
    for step in range(seat, seat + 4):
        if step % 4 + 1 not in out:
            return step % 4 + 1
    raise ValueError("everybody has gone out")


def _following(acted: Turn, out: Collection[int], wind: Wind) -> Turn:
    """The table after the seat of `acted` has acted."""
    skip, closes = acted.skip, acted.closes or acted.owner
    for step in range(acted.seat, acted.seat + 4):
        seat = step % 4 + 1
        if seat == skip:
            skip = 0
        elif seat == closes:
            return Turn(leader_for(acted.owner, out, wind), acted.trick + 1)
        elif seat not in out:
            return Turn(seat, acted.trick, acted.standing, acted.owner, skip, acted.closes)
    return Turn(leader_for(acted.owner or acted.seat, out, wind), acted.trick + 1)
