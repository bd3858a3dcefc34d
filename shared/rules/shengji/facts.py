"""The facts of a match as the table gives them, and what a fact must be to be taken down.

Seats are 1 to 4 in order of play (counter-clockwise). The pair "13" is team one, the pair "24" team two.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from shared.rules.errors import RuleError, UnknownPenalty
from shared.rules.regulations.guandan import GuandanEffect
from shared.rules.regulations.preset import Effect, Preset
from shared.rules.shengji.kitty import multiplier
from shared.rules.shengji.levels import read_level
from shared.rules.shengji.penalties import of_dealers

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

    hand: the number of the hand it belongs to, at most one more than the last hand entered; lost, compensation: half
    match points taken from the pair, and given to its opponents.
    """

    id: str
    code: str
    hand: int
    pair: Pair
    points: int
    lifted: bool = False
    effects: tuple[Effect | GuandanEffect, ...] = ()
    lost: int = 0
    compensation: int = 0


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
    cards = preset.cards
    worth = sorted(cards.points.value.values(), reverse=True)
    total = cards.decks.value * 4 * sum(worth)
    values = [value for value in worth for _ in range(cards.decks.value * 4)]
    buried = sum(values[: cards.kitty.value])
    return total - buried + buried * multiplier(preset.kitty, max(cards.hand.value // 2, 1), trump_won=True)


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
        zh = f"得分 {hand.points} 超过一副牌防家至多可得的 {most} 分"
        raise RuleError(detail, zh, article=preset.kitty.tractors.article, field="points")
    _check_trump(preset, hand.trump)
    if hand.levels is not None:
        if sorted(hand.levels) != list(PAIRS):
            named = sorted(hand.levels)
            detail = f"levels name {named}, not the pairs 13 and 24"
            raise RuleError(detail, f"级数应按 13 与 24 两对给出，而不是 {named}", field="levels")
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
        detail = f"pair is {penalty.pair!r}; pairs are 13 and 24"
        raise RuleError(detail, f"没有 {penalty.pair} 这一对；应为 13 或 24", field="pair")
    _integer("points", penalty.points, 0, None)
    _step(preset, "points", penalty.points)
    row = preset.penalties[penalty.code]
    if ("deal_lost" in penalty.effects or of_dealers(row.value)) and dealer not in (None, penalty.pair):
        detail = f"{penalty.code} is of the dealer side, and pair {penalty.pair} did not deal hand {penalty.hand}"
        zh = f"“{row.zh}”只能判庄家方，而第 {penalty.hand} 副不是 {penalty.pair} 坐庄"
        raise RuleError(detail, zh, article=article, field="pair")


def _check_trump(preset: Preset, trump: str | None) -> None:
    rule = preset.deal.no_trump
    if trump == NO_TRUMP and not rule.value:
        detail, zh = "trump is 'N'; a hand is always played with trumps", "将牌为 N；本次比赛采用有将定约，不打无将"
        raise RuleError(detail, zh, article=rule.article, field="trump")
    if trump is not None and trump not in (*SUITS, NO_TRUMP):
        known = " ".join(SUITS)
        raise RuleError(f"trump is {trump!r}; trumps are {known}", f"将牌 {trump} 不成立；可取：{known}", field="trump")


_NAMES = {"number": "牌序", "dealer_seat": "庄家座位", "points": "分数"}


def _integer(field: str, value: object, least: int, most: int | None) -> None:
    if not isinstance(value, int) or isinstance(value, bool) or value < least or (most is not None and value > most):
        bounds = f"an integer from {least} on" if most is None else f"an integer from {least} to {most}"
        zh = f"至少为 {least}" if most is None else f"为 {least} 至 {most}"
        detail = f"{field} is {value!r}, not {bounds}"
        raise RuleError(detail, f"{_NAMES[field]} {value} 不成立，应为整数，{zh}", field=field)


def _step(preset: Preset, field: str, points: int) -> None:
    step = preset.levels.point_step
    if points % step.value:
        detail = f"{field} is {points}, no multiple of {step.value}"
        zh = f"{_NAMES[field]} {points} 不是 {step.value} 的倍数"
        raise RuleError(detail, zh, article=step.article, field=field)
