"""What is wrong with a lead: cards of several suits, throws that fail or are forbidden, cards that were not held."""

from __future__ import annotations

from collections.abc import Sequence

from shared.rules.errors import refused
from shared.rules.records import SEATS
from shared.rules.shengji.led import Led, lead
from shared.rules.shengji.record import cards_at
from shared.rules.shengji.replay.acts import not_held, not_in_hand
from shared.rules.shengji.replay.table import Act, Table
from shared.rules.shengji.throws import Throw, check_throw


def judge_lead(table: Table, act: Act, strange: Sequence[int]) -> Led | None:
    """Take down what is wrong with a lead; the format that the others answer, None for cards of several suits.

    strange: cards of it that another seat holds. Raises RuleError for a lead without cards.
    """
    if not act.cards:
        raise refused(act.place, "leads no card", "首家没有出牌")
    led = lead(table.order, act.cards)
    if strange:
        not_held(table, act, strange, table.is_late(act))
        return led
    attempted = None if act.given is None else act.given.attempted
    corrected = None if act.given is None else act.given.corrected
    tried = corrected if attempted is None else attempted
    if tried is not None:
        _tried(table, act, tried)
    if led is None and attempted is None:
        _mixed(table, act, act.cards, table.is_late(act))
    if led is not None and led.kind == "throw" and attempted is None:
        _throw(table, act, led)
    return led


def _mixed(table: Table, act: Act, cards: Sequence[int], late: bool) -> None:
    """A lead of several suits; wrong are the cards beside the suit that most of them have."""
    suits = [table.order.suit[card] for card in cards]
    wrong = len(cards) - max(map(suits.count, suits))
    rows = ("illegal_lead", "wrong_card_late" if late else "wrong_card")
    table.breach(act, "illegal_lead", cards, table.preset.conduct.lead, rows, (len(cards), wrong))


def _throw(table: Table, act: Act, led: Led) -> None:
    """A throw that was led and stood."""
    if not table.preset.throws.allowed.value:
        _forbidden_throw(table, act, act.cards)
        return
    throw = check_throw(table.order, led, table.others(act.seat))
    if not throw.stands:
        shown = not check_throw(table.order, led, table.shown(act)).stands
        _beaten_throw(table, act, led, throw, frozenset() if shown else _beaters(table, act, led))


def _tried(table: Table, act: Act, text: str) -> None:
    """A lead that was taken back: a throw that failed or is forbidden, or cards of several suits."""
    cards = cards_at(text, act.place)
    strange = not_in_hand(table, act, cards) if table.sure[act.seat] else []
    if strange:
        not_held(table, act, strange, late=False)
        return
    led = lead(table.order, cards)
    if led is None:
        _mixed(table, act, cards, late=False)
    elif led.kind == "throw" and not table.preset.throws.allowed.value:
        _forbidden_throw(table, act, cards)
    elif led.kind == "throw":
        _failed_throw(table, act, led)


def _forbidden_throw(table: Table, act: Act, cards: Sequence[int]) -> None:
    rule = table.preset.throws.allowed
    table.breach(act, "illegal_throw", cards, rule, ("illegal_throw",), (len(cards),) * 2)


def _failed_throw(table: Table, act: Act, led: Led) -> None:
    """A throw taken back: charged for what the other hands beat, and the lowest of it must stand."""
    throw = check_throw(table.order, led, table.others(act.seat))
    stood = sorted(act.cards)
    if throw.must_play is None:
        if all(table.sure[1:]):
            return
        counted = _counted(table, led.size, len(stood), len(stood))
    else:
        counted = _counted(table, led.size, sum(len(part.cards) for part in throw.beaten), len(throw.must_play.cards))
    cards = [card for part in led.components for card in part.cards]
    table.breach(act, "failed_throw", cards, table.preset.throws.allowed, ("failed_throw",), (counted, counted))
    if throw.must_play is not None and all(table.sure[1:]) and sorted(throw.must_play.cards) != stood:
        due = table.preset.throws.must_play
        table.breach(act, "illegal_lead", act.cards, due, ("illegal_lead",), (len(act.cards),) * 2)


def _counted(table: Table, size: int, beaten: int, played: int) -> int:
    """The cards that a failed throw is charged for."""
    return beaten if table.preset.throws.counted.value == "beaten" else max(size - played, 1)


def _beaters(table: Table, act: Act, led: Led) -> frozenset[int]:
    """The seats whose hands beat a throw."""
    seats = (seat for seat in SEATS if seat != act.seat)
    return frozenset(seat for seat in seats if not check_throw(table.order, led, [table.hands[seat]]).stands)


def _beaten_throw(table: Table, act: Act, led: Led, throw: Throw, unproven: frozenset[int]) -> None:
    """A throw that did not stand and was let stand: in the last trick it can still be put right; later, where the
    regulation has a row for it, it costs only when the partner hid the beating card (zhongshan-2013 七（一）8)."""
    beaten = sum(len(part.cards) for part in throw.beaten)
    played = len(throw.must_play.cards) if throw.must_play else 0
    counted, rule = _counted(table, led.size, beaten, played), table.preset.throws.allowed
    if not table.is_late(act) or "failed_throw_late" not in table.preset.penalties:
        table.breach(act, "failed_throw", act.cards, rule, ("failed_throw",), (counted, counted), unproven=unproven)
        return
    partner = table.hands[(act.seat + 1) % 4 + 1]
    hidden = not check_throw(table.order, led, [partner]).stands
    rows, both = ("failed_throw_late",), (counted, counted)
    table.breach(act, "failed_throw", act.cards, rule, rows, both, free=not hidden, unproven=unproven)
