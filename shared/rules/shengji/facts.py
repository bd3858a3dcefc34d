"""The facts of a match as the table gives them, and what a fact must be to be taken down.

Seats are 1 to 4 in order of play (counter-clockwise). The pair "13" is team one, the pair "24" team two.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from shared.rules.errors import RuleError, UnknownPenalty
from shared.rules.regulations.preset import Effect, Preset
from shared.rules.shengji.levels import read_level

Seat = Literal[1, 2, 3, 4]
Pair = Literal["13", "24"]
PAIRS: tuple[Pair, Pair] = ("13", "24")
SUITS = ("S", "H", "C", "D")
NO_TRUMP = "N"


class HandFact(Struct, frozen=True, kw_only=True):
    """One hand as played.

    number: from 1, without gaps; dealer_seat: who dealt as they sat; points: the attackers', with kitty and without
    penalties; trump: S H C D, None when not entered; levels: as played, by pair, None when not entered; annulled: by a
    ruling, so that it counts nothing and keeps its number.
    """

    number: int
    dealer_seat: int
    points: int
    trump: str | None = None
    levels: dict[str, str] | None = None
    annulled: bool = False


class PenaltyFact(Struct, frozen=True, kw_only=True):
    """One penalty, priced when it was issued: `points` are 0 or more and always against `pair`.

    hand: the number of the hand it belongs to, at most one more than the last hand entered.
    """

    id: str
    code: str
    hand: int
    pair: Pair
    points: int
    lifted: bool = False
    effects: tuple[Effect, ...] = ()


def pair_of(seat: int) -> Pair:
    """The pair that sits in a seat."""
    return "13" if seat % 2 else "24"


def other(pair: Pair) -> Pair:
    """The opponents of a pair."""
    return "24" if pair == "13" else "13"


def largest_points(preset: Preset) -> int:
    """The most points that attackers can hold after one hand, without penalties.

    All cards hold decks x 4 x (5 + 10 + 10) points. The most lies in the kitty when each of its cards is worth the
    most, and the largest multiplier is that of a tractor of as many pairs as a hand has room for. With two decks, a
    kitty of 8 and hands of 25 that is (200 - 80) + 80 x 16 x 2^9. jimei-2018: 十一.5, 十一.6.
    """
    cards, kitty = preset.cards, preset.kitty
    worth = sorted(cards.points.value.values(), reverse=True)
    total = cards.decks.value * 4 * sum(worth)
    values = [value for value in worth for _ in range(cards.decks.value * 4)]
    buried = sum(values[: cards.kitty.value])
    table = [kitty.pair.value, *kitty.tractors.value]
    longest = max(cards.hand.value // 2, 1)
    doublings = max(longest - len(table), 0)
    multiplier: int = max(kitty.single.value, *table[:longest]) << doublings
    return total - buried + buried * multiplier


def check_hand(preset: Preset, hand: HandFact) -> None:
    """Refuse a hand that cannot have been played.

    Raises RuleError `bad_value` naming the field, and the article where one forbids it.
    """
    _integer("number", hand.number, 1, None)
    _integer("dealer_seat", hand.dealer_seat, 1, 4)
    _integer("points", hand.points, 0, None)
    _step(preset, "points", hand.points)
    most = largest_points(preset)
    if hand.points > most:
        detail = f"points is {hand.points}; no hand can give the attackers more than {most}"
        raise RuleError(detail, article=preset.kitty.tractors.article, field="points")
    _check_trump(preset, hand.trump)
    if hand.levels is not None:
        if sorted(hand.levels) != list(PAIRS):
            raise RuleError(f"levels name {sorted(hand.levels)}, not the pairs 13 and 24", field="levels")
        for pair, level in hand.levels.items():
            read_level(level, f"levels.{pair}")


def check_penalty(preset: Preset, penalty: PenaltyFact, dealer: Pair | None) -> None:
    """Refuse a penalty that cannot be charged; dealer: the dealer's pair of its hand, None while that is not entered.

    Raises UnknownPenalty, RuleError `bad_value`.
    """
    if penalty.code not in preset.penalties:
        raise UnknownPenalty(penalty.code, preset.penalties)
    article = preset.penalties[penalty.code].article
    if penalty.pair not in PAIRS:
        raise RuleError(f"pair is {penalty.pair!r}; pairs are 13 and 24", field="pair")
    _integer("points", penalty.points, 0, None)
    _step(preset, "points", penalty.points)
    if "deal_lost" in penalty.effects and dealer not in (None, penalty.pair):
        detail = f"{penalty.code} costs the deal, and pair {penalty.pair} did not have it in hand {penalty.hand}"
        raise RuleError(detail, article=article, field="pair")


def _check_trump(preset: Preset, trump: str | None) -> None:
    rule = preset.deal.no_trump
    if trump == NO_TRUMP and not rule.value:
        raise RuleError("trump is 'N'; a hand is always played with trumps", article=rule.article, field="trump")
    if trump is not None and trump not in (*SUITS, NO_TRUMP):
        raise RuleError(f"trump is {trump!r}; trumps are {' '.join(SUITS)}", field="trump")


def _integer(field: str, value: object, least: int, most: int | None) -> None:
    if not isinstance(value, int) or isinstance(value, bool) or value < least or (most is not None and value > most):
        bounds = f"an integer from {least} on" if most is None else f"an integer from {least} to {most}"
        raise RuleError(f"{field} is {value!r}, not {bounds}", field=field)


def _step(preset: Preset, field: str, points: int) -> None:
    step = preset.levels.point_step
    if points % step.value:
        raise RuleError(f"{field} is {points}, no multiple of {step.value}", article=step.article, field=field)
