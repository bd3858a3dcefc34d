"""How trumps are made: showing, strengthening and overturning them, and what the kitty says when nobody showed.

亮主, 加固, 反主: jimei-2018 十一.2, zhongshan-2013 七（一）4, shandong-2023 八.2 and 八.3.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from msgspec import Struct

from shared.rules.basis import Basis, Ruled
from shared.rules.cards import CARDS, LITTLE_JOKER, RANK_OF, RANKS, SUIT_OF, SUITS, write_cards
from shared.rules.errors import RuleError
from shared.rules.regulations.preset import Level, Preset, Showing, Until
from shared.rules.shengji.facts import NO_TRUMP

Phase = Literal["dealing", "dealt", "kitty_taken", "dealer_led"]
"""Where the hand stands: cards are drawn; all are drawn; the dealer has the kitty; the dealer has led."""

_PHASES: tuple[Phase, ...] = ("dealing", "dealt", "kitty_taken", "dealer_led")
_LAST_PHASE: dict[Until, Phase] = {"dealing_ends": "dealing", "kitty_taken": "dealt", "dealer_leads": "kitty_taken"}


class Shown(Struct, frozen=True, kw_only=True):
    """One showing. trump: the suit it makes trumps, N for none (two jokers)."""

    seat: int
    cards: tuple[int, ...]
    kind: Showing
    trump: str


class KittyTrump(Struct, frozen=True):
    """What an unclaimed hand's kitty says. trump: S H C D, None when the hand is dealt again."""

    trump: str | None
    basis: Basis


def show(
    preset: Preset,
    level: Level,
    shown: Sequence[Shown],
    seat: int,
    cards: Sequence[int],
    phase: Phase = "dealing",
    dealer: int | None = None,
) -> Shown:
    """The next showing, which then holds.

    shown: those before it, in order; dealer: the seat that deals, None in the first hand until it is known. Raises
    RuleError `showing_refused` with the article that refuses.
    """
    new = _read(preset, level, seat, cards)
    _in_time(preset, seat, phase, dealer)
    if not shown:
        return new
    now = shown[-1]
    if now.seat == seat:
        _own(preset, now, new)
    elif not _higher(preset, now, new) and not _comes_back(preset, shown, new):
        detail = f"{new.kind} does not overturn {now.kind}"
        raise _refused(preset.trump.order, detail, f"{_ZH[new.kind]}不能反{_ZH[now.kind]}")
    return new


def trump_of_kitty(preset: Preset, level: Level, kitty: Sequence[int], first_hand: bool = False) -> KittyTrump:
    """The trump suit when nobody showed. kitty: its cards in the order in which they lie.

    `first_not_joker`: the suit of the first card that is no joker. `first_level_card_else_last`: the first level card's
    suit, else the last card's, and where that is a joker the one before it. A kitty of jokers decides nothing.
    """
    rule = preset.trump.nobody_first if first_hand else preset.trump.nobody_later
    if rule.value == "redeal":
        return KittyTrump(None, rule.basis)
    plain = [card for card in kitty if card < LITTLE_JOKER]
    if rule.value == "first_level_card_else_last":
        levels = [card for card in plain if RANKS[RANK_OF[card]] == level]
        plain = levels or plain[::-1]
    return KittyTrump(SUITS[SUIT_OF[plain[0]]] if plain else None, rule.basis)


def _read(preset: Preset, level: Level, seat: int, cards: Sequence[int]) -> Shown:
    """The showing that the cards make. Raises RuleError."""
    kind: Showing | None = None
    first = cards[0] if cards else None
    if first is not None and len(set(cards)) == 1 and len(cards) <= 2:
        if first < LITTLE_JOKER and RANKS[RANK_OF[first]] == level:
            kind = "level_single" if len(cards) == 1 else "level_pair"
        elif len(cards) == 2 and first >= LITTLE_JOKER:
            kind = "small_jokers" if first == LITTLE_JOKER else "big_jokers"
    if first is None or kind not in preset.trump.order.value:
        detail = f"{write_cards(cards) or 'nothing'} shows no trumps at level {level}"
        raise _refused(preset.trump.order, detail, f"打 {level} 时不能以 {write_cards(cards)} 亮主")
    trump = NO_TRUMP if first >= LITTLE_JOKER else CARDS[first][0]
    return Shown(seat=seat, cards=tuple(cards), kind=kind, trump=trump)


def _in_time(preset: Preset, seat: int, phase: Phase, dealer: int | None) -> None:
    """The dealer side and the attackers each have their last chance."""
    of_dealers = dealer is not None and (seat - dealer) % 2 == 0
    rule = preset.trump.dealers_until if of_dealers else preset.trump.attackers_until
    if _PHASES.index(phase) > _PHASES.index(_LAST_PHASE[rule.value]):
        raise _refused(rule, f"too late: {phase} is after {rule.value}", "已过亮主、反主的时限")


def _own(preset: Preset, now: Shown, new: Shown) -> None:
    """One's own showing can be strengthened with its twin (加固), and overturned only where the regulation says so."""
    twin = now.kind == "level_single" and new.kind == "level_pair" and now.trump == new.trump
    rule = preset.trump.strengthen if twin else preset.trump.overturn_own
    if not rule.value and not (twin and preset.trump.overturn_own.value):
        detail = "the twin may not be added" if twin else "nobody overturns an own showing"
        raise _refused(rule, detail, "不能加固" if twin else "自己不能反自己")
    if not twin and not _higher(preset, now, new):
        raise _refused(preset.trump.order, f"{new.kind} does not overturn {now.kind}", "不能反主")


def _higher(preset: Preset, now: Shown, new: Shown) -> bool:
    rising = preset.trump.order.value
    return rising.index(new.kind) > rising.index(now.kind)


def _comes_back(preset: Preset, shown: Sequence[Shown], new: Shown) -> bool:
    """Whether the owner of an overturned single comes back with that single's pair (zhongshan-2013 七（一）4)."""
    if preset.trump.comeback.value != "own_single_pair" or (shown[-1].kind, new.kind) != ("level_pair", "level_pair"):
        return False
    return any(old.seat == new.seat and old.kind == "level_single" and old.trump == new.trump for old in shown)


_ZH: dict[Showing, str] = {
    "level_single": "单张级牌",
    "level_pair": "一对级牌",
    "small_jokers": "一对小王",
    "big_jokers": "一对大王",
}


def _refused(rule: Ruled[Any], detail: str, zh: str) -> RuleError:
    return RuleError(detail, zh, code="showing_refused", article=rule.article, field="cards")
