"""What a breach costs: penalties priced by code and count (jimei-2018 十一.8)."""

from __future__ import annotations

from msgspec import Struct

from shared.rules.basis import Mark, Text
from shared.rules.errors import RuleError, UnknownPenalty
from shared.rules.regulations.preset import Charge, Effect, Preset


class Priced(Struct, frozen=True, kw_only=True):
    """The price of a breach. points: penalty points, 0 or more; times: how often the row's points are in them; effects:
    what else it costs; name: of the penalty."""

    code: str
    points: int
    times: int
    effects: tuple[Effect, ...]
    article: str
    mark: Mark
    name: Text
    changed: bool = False


def price(preset: Preset, code: str, cards: int | None = None, occasions: int = 1) -> Priced:
    """The price of the penalty `code`.

    cards: the number that a price per card counts, as the penalty's name says (the cards of that play, of the beaten
    components, played out of turn); None for a fixed price. occasions: how often it happened, each priced alike.
    Raises UnknownPenalty, and RuleError `missing_field` or `bad_value` for the counts.
    """
    if code not in preset.penalties:
        raise UnknownPenalty(code, preset.penalties)
    row = preset.penalties[code]
    charge = row.value
    if charge.formula == "referee":
        zh = f"{row.zh}：由裁判在规定范围内定分"
        raise RuleError(f"{code} is priced by the referee", zh, code="missing_field", article=row.article, field="lost")
    times = _count("occasions", occasions, 1000)
    if charge.formula == "per_card":
        if cards is None:
            zh = f"{row.zh}：须给出张数"
            raise RuleError(f"{code} counts cards", zh, code="missing_field", article=row.article, field="cards")
        times *= _count("cards", cards, preset.cards.hand.value)
    elif cards is not None:
        zh = f"{row.zh}：罚分固定，不计张数"
        raise RuleError(f"{code} has a fixed price and counts no cards", zh, article=row.article, field="cards")
    return Priced(
        code=code,
        points=charge.points * times,
        times=times,
        effects=charge.effects,
        article=row.article,
        mark=row.mark,
        name=Text(row.zh, row.en),
        changed=row.changed,
    )


def of_dealers(charge: Charge) -> bool:
    """Whether only the dealer side can be charged: nobody else has buried the kitty, or has a deal to lose."""
    return charge.offender == "dealers" or "deal_lost" in charge.effects


_COUNTS = {"cards": "张数", "occasions": "次数"}


def _count(field: str, value: object, most: int) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not 1 <= value <= most:
        zh = f"{_COUNTS[field]} {value} 不是 1 至 {most} 的整数"
        raise RuleError(f"{field} is {value!r}, not an integer from 1 to {most}", zh, field=field)
    return value


def in_time(hand: int, last_drawn: int) -> bool:
    """Whether a breach in this hand can still be charged (十一.8: 下一局开始后不再追究).

    hand: the number of the hand of the breach; last_drawn: the highest number of a hand whose first card was drawn.
    """
    return hand == last_drawn
