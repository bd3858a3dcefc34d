"""What is wrong with an answer to a lead: its number of cards, what it keeps back, cards that were not held."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from shared.rules.basis import Ruled
from shared.rules.regulations.preset import Follow
from shared.rules.shengji.dealt import SHORT
from shared.rules.shengji.follow import follow
from shared.rules.shengji.hand import Hand
from shared.rules.shengji.irregularities import Withheld
from shared.rules.shengji.led import Led
from shared.rules.shengji.order import TRUMPS
from shared.rules.shengji.record import cards_at
from shared.rules.shengji.replay.acts import not_held, not_in_hand
from shared.rules.shengji.replay.table import Act, Table
from shared.rules.shengji.withheld import WITHHELD, seen_at, wrong_cards

_COUNT_IN_TIME: tuple[str, ...] = ("wrong_count", "wrong_follow")
_COUNT_LATE: tuple[str, ...] = ("hand_size", "wrong_count")
_RUFFED: tuple[str, ...] = ("revoke_ruff", "revoke")
"""Rows that may price a breach, for the first of them that the regulation has."""


def judge_follow(table: Table, act: Act, led: Led | None, strange: Sequence[int]) -> None:
    """Take down what is wrong with a play that answers `led`, None after a lead of several suits.

    strange: cards of it that another seat holds.
    """
    if act.given is not None and act.given.corrected is not None:
        _corrected(table, act, led, cards_at(act.given.corrected, act.place))
    if strange:
        not_held(table, act, strange, table.is_late(act))
        return
    size = len(table.led_cards) if led is None else led.size
    has = table.left[act.seat] - table.even
    if len(act.cards) != min(size, has):
        wrong = (len(act.cards) or 1, abs(len(act.cards) - size))
        late = (*SHORT, "wrong_count") if len(act.cards) > size else _COUNT_LATE
        rows = late if table.is_late(act) else _COUNT_IN_TIME
        table.breach(act, "wrong_count", act.cards, table.preset.conduct.count, rows, wrong)
        return
    if led is None or len(act.cards) < size:
        return
    because = follow(table.preset.follow, led, table.hands[act.seat], act.cards)
    withheld = WITHHELD.get(because)
    if withheld is None:
        return
    hand, rule = table.hands[act.seat], _duty(table.preset.follow, withheld)
    counted = (len(act.cards), wrong_cards(led, hand, act.cards, because))
    if not table.is_late(act):
        rows, own = _follow_rows(table, led, act.cards, withheld), frozenset({act.seat})
        table.breach(act, "wrong_follow", act.cards, rule, rows, counted, withheld=withheld, unproven=own)
        return
    seen = seen_at(table.preset.follow, led, hand, act.cards, table.later_plays(act))
    rows = _late_rows(table, led, act.cards, withheld)
    table.breach(act, "revoke", act.cards, rule, rows, counted, withheld=withheld, seen=seen)


def _duty(terms: Follow, withheld: Withheld) -> Ruled[Any]:
    """The rule that a seat broke which kept this back."""
    duties: dict[Withheld, Ruled[Any]] = {"suit": terms.suit, "pair": terms.pairs, "tractor": terms.tractors}
    return duties[withheld]


def _late_rows(table: Table, led: Led, cards: Sequence[int], withheld: Withheld) -> tuple[str, ...]:
    """What prices a revoke: a ruff with the led suit in hand (shandong-2023 八.14(7)), or another one."""
    ruffed = led.suit != TRUMPS and any(table.order.suit[card] == TRUMPS for card in cards)
    if ruffed and withheld == "suit":
        return _RUFFED
    return ("revoke_tractor", "revoke") if withheld == "tractor" else ("revoke",)


def _follow_rows(table: Table, led: Led, cards: Sequence[int], withheld: Withheld) -> tuple[str, ...]:
    """What prices a wrong follow in time; a foul that the referee prices is the same in time and later."""
    rows = ("wrong_follow",) if withheld == "suit" else ("pair_not_followed", "wrong_follow")
    foul = table.preset.penalties.get("revoke")
    if foul is None or foul.value.formula != "referee":
        return rows
    return (*rows, *_late_rows(table, led, cards, withheld))


def _corrected(table: Table, act: Act, led: Led | None, cards: list[int]) -> None:
    """A wrong play taken back in time. A hand that the deal does not tell is taken to have held it."""
    hand, sure = table.hands[act.seat], table.sure[act.seat]
    if not hand.holds(cards):
        if sure:
            not_held(table, act, not_in_hand(table, act, cards), late=False)
            return
        hand = Hand(table.order, [*cards, *hand.cards()])
    size = len(table.led_cards) if led is None else led.size
    if len(cards) != size:
        wrong = (len(cards), abs(len(cards) - size))
        table.breach(act, "wrong_count", cards, table.preset.conduct.count, _COUNT_IN_TIME, wrong)
        return
    because = "ok" if led is None else follow(table.preset.follow, led, hand, cards)
    withheld = WITHHELD.get(because)
    if led is None or (withheld is None and sure):
        return
    counted = (len(cards), wrong_cards(led, hand, cards, because) if withheld else len(cards))
    kept = withheld or "suit"
    rule, rows = _duty(table.preset.follow, kept), _follow_rows(table, led, cards, kept)
    table.breach(act, "wrong_follow", cards, rule, rows, counted, withheld=withheld)
