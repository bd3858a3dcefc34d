"""A match's facts as they were recorded: its hands and its penalties."""

from __future__ import annotations

from msgspec import Struct

from shared.rules.shengji.facts import HandFact, PenaltyFact


class HandFacts(Struct, frozen=True, kw_only=True):
    """A hand as it was played: who dealt as they sat, the attackers' points with kitty and without penalties, the
    trump suit and the levels as played where the referee entered them."""

    dealer: int
    points: int
    trump: str | None = None
    levels: dict[str, str] | None = None


class Sheet(Struct, frozen=True, kw_only=True):
    """All facts of a match: its hands and penalties in order of entry."""

    hands: tuple[HandFact, ...] = ()
    penalties: tuple[PenaltyFact, ...] = ()


def hand_fact(number: int, facts: HandFacts) -> HandFact:
    """A recorded hand as the re-sum takes it."""
    return HandFact(
        number=number, dealer_seat=facts.dealer, points=facts.points, trump=facts.trump, levels=facts.levels
    )
