"""Throws (甩牌): leads of several components, checked against the other three hands.

jimei-2018 十一.8③, zhongshan-2013 七（一）8, shandong-2023 八.6; RULINGS, Common 5.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import Struct

from shared.rules.regulations.preset import Preset
from shared.rules.shengji.components import Component, runs
from shared.rules.shengji.hand import Hand
from shared.rules.shengji.led import Led
from shared.rules.shengji.order import Order
from shared.rules.shengji.penalties import price

FAILED = "failed_throw"
"""The penalty of a throw that does not stand."""


class Throw(Struct, frozen=True, kw_only=True):
    """What became of a throw.

    stands: no component is beaten; beaten: those that are, in the order in which they must be played; must_play: the
    first of them, None when the throw stands.
    """

    stands: bool
    must_play: Component | None
    beaten: tuple[Component, ...]


def check_throw(order: Order, led: Led, others: Iterable[Hand]) -> Throw:
    """Whether a throw stands against the other hands, the partner's too.

    Only cards of the led suit beat a component, and an equal one does not.
    """
    hands = [hand for hand in others if hand.suits[led.suit]]
    beaten = [part for part in led.components if any(_beats(hand, led.suit, part) for hand in hands)]
    beaten.sort(key=lambda part: (part.pairs, part.rank, order.place[part.cards[0]]))
    return Throw(stands=not beaten, must_play=beaten[0] if beaten else None, beaten=tuple(beaten))


def throw_points(preset: Preset, led: Led, throw: Throw) -> int:
    """The penalty points of a failed throw: for each card of the beaten components, or for each that goes back, or at
    once; 0 when it stands, or where the regulation prices no failed throw in points of the hand."""
    formula = preset.penalties[FAILED].value.formula if FAILED in preset.penalties else None
    if throw.must_play is None or formula in (None, "referee"):
        return 0
    if formula == "fixed":
        return price(preset, FAILED).points
    if preset.throws.counted.value == "beaten":
        cards = sum(len(part.cards) for part in throw.beaten)
    else:
        cards = led.size - len(throw.must_play.cards)
    return price(preset, FAILED, cards=cards).points


def _beats(hand: Hand, suit: int, part: Component) -> bool:
    """Whether the hand has a higher component of the same kind and length."""
    if part.pairs == 0:
        highest = hand.highest(suit)
        return highest is not None and highest > part.rank
    return any(top > part.rank for top in _tops(hand.order, hand.pairs(suit), part.pairs))


def _tops(order: Order, pairs: Sequence[int], length: int) -> list[int]:
    """The ranks of the highest card of each run of pairs that holds so many of them."""
    rank_of = {order.step[card]: order.rank[card] for card in pairs}
    return [rank_of[run[-1]] for run in runs(rank_of) if len(run) >= length]
