"""Who wins a trick.

jimei-2018 十一.5, zhongshan-2013 七（一）6, shandong-2023 八.4 and 八.5; RULINGS, Common 2 and 6.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from shared.rules.shengji.components import runs
from shared.rules.shengji.led import Led
from shared.rules.shengji.order import TRUMPS, Order


def winner(order: Order, led: Led, plays: Sequence[Sequence[int]]) -> int:
    """The index of the winning play; of equal plays the one made first wins.

    plays: from the leader on, the first being the led one. A play counts when it is of the led suit or of trumps and
    divides into the led components; a play with a wrong number of cards never wins. Whether the others had to follow
    otherwise does not matter here: a revoke stands as it was played.
    """
    if led.size == 1:
        return _highest_card(order, led, plays)
    best, at = worth(order, led, plays[0]), 0
    for index in range(1, len(plays)):
        value = worth(order, led, plays[index])
        if value is not None and (best is None or value > best):
            best, at = value, index
    return at


def worth(order: Order, led: Led, play: Sequence[int]) -> int | None:
    """What a play is worth against a lead, the more the better; None when it cannot win.

    The cards must divide into the led components, and pairs or longer tractors may be split to do so. The highest
    component of the longest led kind decides, in the best division that there is.
    """
    if len(play) != led.size:
        return None
    if led.size == 2 and led.pairs and play[0] != play[1]:
        return None
    suit = order.suit_of(play)
    if suit is None or suit not in (led.suit, TRUMPS):
        return None
    return _top(order, led, play)


def _highest_card(order: Order, led: Led, plays: Sequence[Sequence[int]]) -> int:
    power, suit = order.power, order.suit
    best, at = power[plays[0][0]], 0
    for index in range(1, len(plays)):
        play = plays[index]
        card = play[0] if len(play) == 1 else None
        if card is not None and power[card] > best and suit[card] in (led.suit, TRUMPS):
            best, at = power[card], index
    return at


def _top(order: Order, led: Led, play: Sequence[int]) -> int | None:
    """The power of the highest component of the longest led kind."""
    if not led.pairs:
        return max(order.power[card] for card in play)
    pairs = [card for card in set(play) if play.count(card) > 1]
    if len(pairs) < led.pairs:
        return None
    if not led.tractors:
        return max(order.power[card] for card in pairs)
    ladder = {order.step[card]: order.power[card] for card in pairs}
    return next((ladder[top] for top in _tops(led.tractors, frozenset(ladder))), None)


def _tops(lengths: tuple[int, ...], steps: frozenset[int]) -> Iterator[int]:
    """The top steps that the first of disjoint tractors of these lengths can have, the highest first. It is taken from
    the upper end of a run, which leaves the others more in a row than any other place."""
    for run in reversed(runs(steps)):
        tractor = run[-lengths[0] :]
        if len(run) < lengths[0]:
            continue
        if len(lengths) == 1 or next(_tops(lengths[1:], steps - set(tractor)), None) is not None:
            yield tractor[-1]
