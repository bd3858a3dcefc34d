"""What a wrong follow kept back: how many cards, and when the table can see it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from shared.rules.regulations.preset import Follow
from shared.rules.shengji.components import runs
from shared.rules.shengji.follow import Because, follow
from shared.rules.shengji.hand import Hand
from shared.rules.shengji.irregularities import Withheld
from shared.rules.shengji.led import Led

WITHHELD: dict[Because, Withheld] = {
    "suit_withheld": "suit",
    "pair_withheld": "pair",
    "tractor_withheld": "tractor",
}
"""The faults that are a revoke when a later trick was begun."""


def wrong_cards(led: Led, hand: Hand, play: Sequence[int], because: Because) -> int:
    """The cards that are wrong or missing: those that should have been of the suit; of a pair not followed both
    (少跟1对，扣20分); of a tractor the pairs that the play lacks."""
    if because == "suit_withheld":
        given = sum(hand.order.suit[card] == led.suit for card in play)
        return min(led.size, hand.suits[led.suit]) - given
    held = hand.pairs(led.suit)
    given_pairs = {card for card in play if play.count(card) > 1}
    if because == "pair_withheld":
        return 2 * (min(led.pairs, len(held)) - len(given_pairs))
    return 2 * max(_missing_pairs(led, hand, held, given_pairs), 1)


def _missing_pairs(led: Led, hand: Hand, held: Sequence[int], given: set[int]) -> int:
    """Of the tractor due the pairs that were not given, in the reading that is kindest to the player."""
    by_step: dict[int, list[int]] = {}
    for card in held:
        by_step.setdefault(hand.order.step[card], []).append(card)
    longest = max(len(run) for run in runs(by_step))
    length = min(led.tractors[0], longest)
    missing = [
        sum(given.isdisjoint(by_step[step]) for step in run[start : start + length])
        for run in runs(by_step)
        for start in range(len(run) - length + 1)
    ]
    return min(missing)


def seen_at(
    terms: Follow, led: Led, hand: Hand, play: Sequence[int], later: Iterable[tuple[int, Sequence[int]]]
) -> int | None:
    """The trick in which a wrong follow can be seen: the player shows what should have been given. None if never.

    later: the number and cards of each later play of the seat, in order.
    """
    shown = list(play)
    for trick, cards in later:
        shown += cards
        if follow(terms, led, Hand(hand.order, shown), play) in WITHHELD:
            return trick
    return None
