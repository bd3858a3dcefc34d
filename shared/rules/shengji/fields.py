"""The fields of a question about 升级 or 拖拉机, each refused with the code that RECORDS names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from shared.rules.cards import SUITS, check_copies, read_cards
from shared.rules.errors import RuleError
from shared.rules.regulations.preset import Preset
from shared.rules.shengji.facts import NO_TRUMP
from shared.rules.shengji.led import Led, lead
from shared.rules.shengji.levels import Side, read_level
from shared.rules.shengji.order import TRUMPS, Order, order

Question = Mapping[str, Any]


def require(question: Question, *names: str) -> list[Any]:
    """The values of these fields. Raises RuleError `missing_field` for the first that is not there."""
    for name in names:
        if name not in question:
            raise RuleError(f"{name} is missing", f"缺少 {name}", code="missing_field", field=name)
    return [question[name] for name in names]


def read_order(preset: Preset, trump: object, level: object) -> Order:
    """The order under `trump` and `level`. Raises RuleError `bad_value`.

    A question about cards may ask for a hand without trumps (N) under every regulation.
    """
    if not isinstance(trump, str) or trump not in (*SUITS, NO_TRUMP):
        known = " ".join((*SUITS, NO_TRUMP))
        raise RuleError(f"trump is {trump!r}; trumps are {known}", f"将牌 {trump} 不成立；可取：{known}", field="trump")
    return order(preset, trump, read_level(level, "level"))


def read_hand(preset: Preset, value: object, field: str) -> list[int]:
    """The cards of a hand, no more than the regulation deals. Raises RuleError."""
    cards, most = read_cards(value, field), preset.cards.hand
    if len(cards) > most.value:
        detail = f"{field} has {len(cards)} cards; a hand has at most {most.value}"
        raise RuleError(
            detail, f"{field} 有 {len(cards)} 张；每家至多 {most.value} 张", article=most.article, field=field
        )
    return cards


def read_others(preset: Preset, value: object, hand: Sequence[int]) -> list[list[int]]:
    """The other three hands, each of the size of the leader's. Raises RuleError."""
    if not isinstance(value, list) or len(value) != 3:
        raise RuleError("others is not a list of three hands", "others 应为其他三家的手牌", field="others")
    others = [read_hand(preset, one, f"others[{index}]") for index, one in enumerate(value)]
    for index, other in enumerate(others):
        if len(other) != len(hand):
            detail = f"others[{index}] has {len(other)} cards and the leader {len(hand)}"
            zh = f"others[{index}] 有 {len(other)} 张，首家有 {len(hand)} 张"
            raise RuleError(detail, zh, field=f"others[{index}]")
    check_copies([card for cards in (hand, *others) for card in cards], "others")
    return others


def read_led(preset: Preset, order: Order, value: object, field: str) -> tuple[Led, list[int]]:
    """A led play of one suit, and its cards. Raises RuleError, `bad_value` for cards of several suits."""
    cards = read_hand(preset, value, field)
    return _one_suit(order, cards, field), cards


def read_plays(preset: Preset, order: Order, value: object) -> tuple[Led, list[list[int]]]:
    """The four plays of a trick, of one size, the first of one suit. Raises RuleError."""
    if not isinstance(value, list) or len(value) != 4:
        raise RuleError("plays is not a list of four plays", "plays 应为四家所出的牌", field="plays")
    plays = [read_hand(preset, one, f"plays[{index}]") for index, one in enumerate(value)]
    for index, play in enumerate(plays):
        if len(play) != len(plays[0]):
            detail = f"plays[{index}] has {len(play)} cards and the led play {len(plays[0])}"
            zh = f"plays[{index}] 有 {len(play)} 张，首家出 {len(plays[0])} 张"
            raise RuleError(detail, zh, field=f"plays[{index}]")
    check_copies([card for play in plays for card in play], "plays")
    return _one_suit(order, plays[0], "plays[0]"), plays


def read_kitty(preset: Preset, value: object) -> list[int]:
    """The cards of the kitty, as many as the regulation has. Raises RuleError."""
    cards, size = read_cards(value, "kitty"), preset.cards.kitty
    if len(cards) != size.value:
        detail = f"kitty has {len(cards)} cards; it has {size.value}"
        raise RuleError(detail, f"底牌有 {len(cards)} 张；应为 {size.value} 张", article=size.article, field="kitty")
    return cards


def read_won_with(preset: Preset, order: Order, value: object, led: Led) -> tuple[Led, list[int]]:
    """The winning play of a trick: as many cards as were led, of the led suit or of trumps. Raises RuleError."""
    won, cards = read_led(preset, order, value, "won_with")
    if won.size != led.size or won.suit not in (led.suit, TRUMPS):
        detail = "won_with cannot win: it has not the led number of cards, or is of another side suit"
        raise RuleError(detail, "won_with 不可能赢：张数不同，或属另一副牌花色", field="won_with")
    return won, cards


def read_seat(value: object, field: str) -> int:
    """A seat from 1 to 4. Raises RuleError `bad_value`."""
    if type(value) is not int or not 1 <= value <= 4:
        raise RuleError(f"{field} is {value!r}; seats are 1 to 4", f"{field} 为 {value}；座位为 1 至 4", field=field)
    return value


def read_side(value: object, field: str) -> Side:
    """A side. Raises RuleError `bad_value`."""
    if value not in ("attackers", "dealers"):
        detail = f"{field} is {value!r}; sides are attackers and dealers"
        raise RuleError(detail, f"{field} 为 {value}；应为 attackers 或 dealers", field=field)
    return value


def _one_suit(order: Order, cards: Sequence[int], field: str) -> Led:
    led = lead(order, cards)
    if led is None:
        raise RuleError(f"{field} is led in several suits", f"{field} 不是同一花色", field=field)
    return led
