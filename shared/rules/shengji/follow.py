"""What a hand that has the led suit must give of it.

jimei-2018 十一.4, zhongshan-2013 七（一）6 and 8, shandong-2023 八.5; RULINGS, Common 7 and 9.

Suit first, then tractors where the regulation asks for them, then pairs. A tractor is answered by one of its length,
else by the longest shorter one, again among what is left while cards are due, then by pairs; of equal choices the
player makes the one that suits the play (RULINGS, Common 7).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

from shared.rules.basis import Basis, gather
from shared.rules.cards import CARDS
from shared.rules.regulations.preset import Follow, Preset
from shared.rules.shengji.components import runs
from shared.rules.shengji.hand import Hand
from shared.rules.shengji.led import Led
from shared.rules.shengji.order import Order

Because = Literal["ok", "not_in_hand", "wrong_count", "suit_withheld", "tractor_withheld", "pair_withheld"]
"""Of several faults the first in this order (RULINGS, Common 9)."""


def follow(terms: Follow, led: Led, hand: Hand, play: Sequence[int]) -> Because:
    """What is wrong with a play that answers a lead, `ok` when nothing is. hand: before the play."""
    if led.size == 1 and len(play) == 1:
        return _one_card(led, hand, play[0])
    if not hand.holds(play):
        return "not_in_hand"
    if len(play) != led.size:
        return "wrong_count"
    suit, held = hand.order.suit, hand.suits[led.suit]
    given = sum(suit[card] == led.suit for card in play)
    if given < min(led.size, held):
        return "suit_withheld"
    if held <= led.size or not led.pairs:
        return "ok"
    return _pairs_and_tractors(terms, led, hand, play)


def follow_basis(preset: Preset, led: Led, hand: Hand, because: Because) -> tuple[Basis, ...]:
    """The articles that the answer of `follow` rests on. hand: before the play.

    Where a tractor is due and the hand has several off-suit level pairs, any one of which may be in it, the answer also
    rests on that choice (RULINGS, Common 3 and 7).
    """
    terms = preset.follow
    suit, pairs, tractors = terms.suit.basis, terms.pairs.basis, terms.tractors.basis
    if because == "not_in_hand":
        return (preset.conduct.held.basis,)
    if because == "wrong_count":
        return (preset.conduct.count.basis,)
    if because == "suit_withheld":
        return (suit,)
    choice = [preset.tractors.level_pairs.basis] if _has_choice(terms, led, hand) else []
    if because == "tractor_withheld":
        return gather([tractors, *choice])
    if because == "pair_withheld":
        return gather([pairs, *choice])
    duties = [pairs] if led.pairs else []
    return gather([suit, terms.void.basis, *duties, *([tractors] if led.tractors else []), *choice])


def _has_choice(terms: Follow, led: Led, hand: Hand) -> bool:
    """Whether a tractor is due of which one of several equal pairs can be a part."""
    if not led.tractors or terms.tractors.value == "none":
        return False
    steps = [hand.order.step[card] for card in hand.pairs(led.suit)]
    return len(set(steps)) < len(steps)


def _one_card(led: Led, hand: Hand, card: int) -> Because:
    if not hand.counts[card]:
        return "not_in_hand"
    if hand.order.suit[card] == led.suit or not hand.suits[led.suit]:
        return "ok"
    return "suit_withheld"


def _pairs_and_tractors(terms: Follow, led: Led, hand: Hand, play: Sequence[int]) -> Because:
    """The hand has more cards of the suit than were led, so the whole play is of the suit."""
    held = hand.pairs(led.suit)
    given = [card for card in set(play) if play.count(card) > 1]
    if led.tractors and terms.tractors.value == "led_or_longest" and not _tractors_given(led, hand, held, given):
        return "tractor_withheld"
    if terms.pairs.value == "as_many_as_led" and len(given) < min(led.pairs, len(held)):
        return "pair_withheld"
    return "ok"


def _tractors_given(led: Led, hand: Hand, held: Sequence[int], given: Sequence[int]) -> bool:
    """Whether the play answers every led tractor; held, given: one card of each pair of the hand and of the play."""
    return _answered(led.tractors, _steps(hand.order, held), _steps(hand.order, given))


def _steps(order: Order, pairs: Sequence[int]) -> frozenset[int]:
    """The steps of the pairs; of several on one step all but one stand aside, since a tractor takes one of them."""
    steps: set[int] = set()
    for card in pairs:
        step = order.step[card]
        while step in steps:
            step = _aside(step)
        steps.add(step)
    return frozenset(steps)


def _aside(step: int) -> int:
    """The step of another pair that is equal to the one on this step."""
    return -2 * len(CARDS) - abs(step)


def _without(steps: frozenset[int], step: int) -> frozenset[int]:
    """The steps when a pair on this one is gone; of equal pairs one that stands aside."""
    while _aside(step) in steps:
        step = _aside(step)
    return steps - {step}


def _answered(due: tuple[int, ...], held: frozenset[int], given: frozenset[int]) -> bool:
    """Whether the play can be read as what the hand must give to tractors.

    due: pairs still to be answered of each led tractor; held, given: steps of the pairs that the hand and the play
    have left, the given ones among the held.
    """
    longest = max((len(run) for run in runs(held)), default=0)
    if not due or longest < 2:
        return True
    if due[0] == 0:
        return _answered(due[1:], held, given)
    if due[0] == 1:
        return any(_answered(due[1:], _without(held, step), _without(given, step)) for step in given or held)
    length = min(due[0], longest)
    rest = (due[0] - length, *due[1:])
    return any(_answered(rest, held - tractor, given - tractor) for tractor in _tractors(length, given))


def _tractors(length: int, steps: frozenset[int]) -> Iterator[frozenset[int]]:
    """Every tractor of so many pairs that the steps can give."""
    for run in runs(steps):
        for start in range(len(run) - length + 1):
            yield frozenset(run[start : start + length])
