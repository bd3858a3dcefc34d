"""The questions about 升级 and 拖拉机 (RECORDS, `pailu ask`): a question's fields in, the answer and its articles out.

Each handler takes the preset and the question as a JSON object and raises RuleError with a code of RECORDS.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from shared.rules.basis import Basis, gather
from shared.rules.cards import check_copies, read_cards, write_cards
from shared.rules.regulations.preset import Preset
from shared.rules.shengji.components import Component
from shared.rules.shengji.fields import (
    Question,
    read_hand,
    read_kitty,
    read_led,
    read_order,
    read_others,
    read_plays,
    read_seat,
    read_side,
    read_won_with,
    require,
)
from shared.rules.shengji.follow import follow, follow_basis
from shared.rules.shengji.hand import Hand
from shared.rules.shengji.kitty import kitty_credit
from shared.rules.shengji.led import Led, lead
from shared.rules.shengji.levels import level_change
from shared.rules.shengji.order import TRUMPS, Order
from shared.rules.shengji.points import card_points, points_of
from shared.rules.shengji.replay import replay
from shared.rules.shengji.throws import FAILED, Throw, check_throw, throw_points
from shared.rules.shengji.told import change_told, credit_told, replayed_told
from shared.rules.shengji.trick import winner

Answer = tuple[dict[str, Any], tuple[Basis, ...]]
Handler = Callable[[Preset, Question], Answer]


def ask_level_change(preset: Preset, question: Question) -> Answer:
    """`level_change`: what a hand with `attacker_points` changes at `dealer_level` and `attacker_level`."""
    change = level_change(preset, *require(question, "attacker_points", "dealer_level", "attacker_level"))
    return change_told(change), change.basis


def ask_lead(preset: Preset, question: Question) -> Answer:
    """`lead`: whether `play` may be led from `hand`, and whether a throw stands against the `others`."""
    trump, level, hand, play, others = require(question, "trump", "level", "hand", "play", "others")
    order = read_order(preset, trump, level)
    held, cards = read_hand(preset, hand, "hand"), read_cards(play, "play")
    hands = [Hand(order, one) for one in read_others(preset, others, held)]
    led = lead(order, cards)
    legal = Hand(order, held).holds(cards)
    if led is None:
        return {"kind": None, "legal": False}, (preset.cards.order.basis,)
    if led.kind != "throw":
        return {"kind": led.kind, "legal": legal}, _format_basis(preset, led)
    if not legal or not preset.throws.allowed.value:
        return _throw("throw", legal=False), (preset.throws.allowed.basis,)
    throw = check_throw(order, led, hands)
    return _throw("throw", legal=True, throw=throw, points=throw_points(preset, led, throw)), _throw_basis(
        preset, throw
    )


def ask_follow(preset: Preset, question: Question) -> Answer:
    """`follow`: whether `play` from `hand` answers `led` as the regulation asks."""
    trump, level, led, hand, play = require(question, "trump", "level", "led", "hand", "play")
    order = read_order(preset, trump, level)
    format_led, led_cards = read_led(preset, order, led, "led")
    held, cards = read_hand(preset, hand, "hand"), read_cards(play, "play")
    check_copies([*led_cards, *held], "hand")
    before = Hand(order, held)
    because = follow(preset.follow, format_led, before, cards)
    return {"legal": because == "ok", "because": because}, follow_basis(preset, format_led, before, because)


def ask_trick(preset: Preset, question: Question) -> Answer:
    """`trick`: who wins the four `plays` from the `leader` on, and their points."""
    trump, level, leader, plays = require(question, "trump", "level", "leader", "plays")
    order = read_order(preset, trump, level)
    seat = read_seat(leader, "leader")
    led, cards = read_plays(preset, order, plays)
    won = (seat - 1 + winner(order, led, cards)) % 4 + 1
    points = card_points(preset)
    answer = {"winner": won, "points": sum(points_of(points, play) for play in cards)}
    return answer, _trick_basis(preset, order, led, cards)


def ask_kitty(preset: Preset, question: Question) -> Answer:
    """`kitty`: what the `kitty` brings when the last trick was `led` so and `won_with` (default: as led) by a side."""
    trump, level, kitty, led, won_by = require(question, "trump", "level", "kitty", "led", "won_by")
    order = read_order(preset, trump, level)
    buried = read_kitty(preset, kitty)
    format_led, led_cards = read_led(preset, order, led, "led")
    winning, winning_cards = format_led, led_cards
    if question.get("won_with") is not None:
        winning, winning_cards = read_won_with(preset, order, question["won_with"], format_led)
    side = read_side(won_by, "won_by")
    last = led_cards if sorted(led_cards) == sorted(winning_cards) else [*led_cards, *winning_cards]
    check_copies([*buried, *last], "kitty")
    points = points_of(card_points(preset), buried)
    credit = kitty_credit(preset, points, format_led, winning.suit == TRUMPS, side)
    return credit_told(credit), credit.basis


def ask_replay(preset: Preset, question: Question) -> Answer:
    """`replay`: the `record` of a hand."""
    (record,) = require(question, "record")
    replayed = replay(preset, record)
    return replayed_told(replayed), replayed.basis


HANDLERS: dict[str, Handler] = {
    "level_change": ask_level_change,
    "lead": ask_lead,
    "follow": ask_follow,
    "trick": ask_trick,
    "kitty": ask_kitty,
    "replay": ask_replay,
}
"""Every question that a regulation of 升级 or 拖拉机 answers, by its name."""


def _throw(kind: str, legal: bool, throw: Throw | None = None, points: int = 0) -> dict[str, Any]:
    """A throw's answer; without `throw` it was not legal."""
    return {
        "kind": kind,
        "legal": legal,
        "stands": throw is not None and throw.stands,
        "must_play": None if throw is None or throw.must_play is None else _written(throw.must_play),
        "beaten": [_written(part) for part in throw.beaten] if throw is not None else [],
        "penalty_points": points,
    }


def _written(part: Component) -> str:
    return write_cards(part.cards)


def _format_basis(preset: Preset, led: Led) -> tuple[Basis, ...]:
    """What a lead that is no throw rests on."""
    if not led.tractors:
        return (preset.cards.order.basis,)
    terms = preset.tractors
    ladder = [terms.ladder.basis, terms.level_pairs.basis] if led.suit == TRUMPS else []
    return gather([terms.skip_level.basis, *ladder])


def _throw_basis(preset: Preset, throw: Throw) -> tuple[Basis, ...]:
    terms = preset.throws
    bases = [terms.allowed.basis, terms.checked_against.basis]
    if not throw.stands:
        bases += [terms.must_play.basis, terms.counted.basis]
        bases += [preset.penalties[FAILED].basis] if FAILED in preset.penalties else []
    return gather(bases)


def _trick_basis(preset: Preset, order: Order, led: Led, plays: list[list[int]]) -> tuple[Basis, ...]:
    """The order of the cards, their points, and the terms of ruffs where somebody ruffed."""
    bases = [preset.cards.order.basis, preset.cards.equal.basis, preset.cards.points.basis]
    if led.suit != TRUMPS and led.size > 1 and any(order.suit_of(play) == TRUMPS for play in plays[1:]):
        bases += [preset.ruffs.format.basis, preset.ruffs.over.basis]
    return gather(bases)
