"""A claimed breach and its price, however the regulation sets it: by code and counts, within what an article leaves to
the referee, or by the referee within a range (jimei-2018 十一.8, zhongshan-2013 七（一）8, shandong-2023 八.14)."""

from __future__ import annotations

from msgspec import Struct

from shared.rules.basis import Mark, Text
from shared.rules.errors import RuleError, UnknownPenalty
from shared.rules.regulations.preset import Effect, Preset
from shared.rules.shengji.penalties import Priced, price
from shared.rules.shengji.referee import check_no_match_points, check_once, price_by_referee


class Charged(Struct, frozen=True, kw_only=True):
    """What a breach costs.

    points: penalty points of the hand; tariff: what code and counts give, where the referee set other points, else
    None; lost, compensation: half match points taken from the offender and given to the opponents; effects: what else
    it costs.
    """

    code: str
    points: int
    tariff: int | None
    lost: int
    compensation: int
    effects: tuple[Effect, ...]
    article: str
    mark: Mark
    name: Text


def charge(
    preset: Preset,
    code: str,
    *,
    cards: int | None = None,
    occasions: int = 1,
    points: int | None = None,
    lost: object = 0,
    compensation: object = 0,
) -> Charged:
    """The price of a claimed breach.

    cards, occasions: what a price by code counts, see `penalties.price`; points: what the referee sets in its place,
    None to leave it; lost, compensation: match points, see `referee.price_by_referee`. Raises UnknownPenalty, and
    RuleError `missing_field` or `bad_value` with the article for what it does not allow.
    """
    if code not in preset.penalties:
        raise UnknownPenalty(code, preset.penalties)
    row = preset.penalties[code]
    if row.value.formula == "referee":
        return _by_referee(preset, code, cards, occasions, points, lost, compensation)
    check_no_match_points(preset, code, lost, compensation)
    priced = price(preset, code, cards, occasions)
    charged = priced.points if points is None else _within(preset, priced, points)
    return Charged(
        code=code,
        points=charged,
        tariff=priced.points if charged != priced.points else None,
        lost=0,
        compensation=0,
        effects=priced.effects,
        article=priced.article,
        mark=priced.mark,
        name=priced.name,
    )


def _by_referee(
    preset: Preset,
    code: str,
    cards: int | None,
    occasions: int,
    points: int | None,
    lost: object,
    compensation: object,
) -> Charged:
    row = preset.penalties[code]
    check_once(preset, code, occasions)
    for field, given in (("cards", cards is not None), ("points", points is not None)):
        if given:
            detail = f"{code} is priced by the referee in match points and takes no {field}"
            zh = f"“{row.zh}”由裁判在规定范围内定场分，不计 {field}"
            raise RuleError(detail, zh, article=row.article, field=field)
    entered = price_by_referee(preset, code, lost, compensation)
    return Charged(
        code=code,
        points=0,
        tariff=None,
        lost=entered.lost,
        compensation=entered.compensation,
        effects=row.value.effects if entered.warning else (),
        article=entered.article,
        mark=entered.mark,
        name=entered.name,
    )


def _within(preset: Preset, priced: Priced, points: int) -> int:
    """Points that the referee sets, within what the article leaves open, or as it has them."""
    if points == priced.points:
        return points
    span, step = preset.penalties[priced.code].value.leeway, preset.levels.point_step.value
    if span is None:
        detail = f"points is {points}; the article gives {priced.points} and leaves no room"
        zh = f"罚分 {points} 不成立；条文定为 {priced.points} 分，裁判不得另定"
        raise RuleError(detail, zh, article=priced.article, field="points")
    least, most = span.least * priced.times, span.most * priced.times
    if not least <= points <= most or points % step:
        detail = f"points is {points}; allowed are {least} to {most} in steps of {step}"
        zh = f"罚分 {points} 不成立；可取 {least} 至 {most}，为 {step} 的倍数"
        raise RuleError(detail, zh, article=priced.article, field="points")
    return points
