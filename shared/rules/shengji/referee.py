"""Fouls that the referee prices within a range (shandong-2023 八.14: 警告或失 0.5 分—4 分，并给予对方适当的补偿)."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Literal

from msgspec import Struct

from shared.rules.basis import Mark, Text
from shared.rules.errors import RuleError, UnknownPenalty
from shared.rules.regulations.preset import Charge, Preset


class RefereePrice(Struct, frozen=True, kw_only=True):
    """What the referee gave. lost: half match points taken from the offender; compensation: given to the opponents."""

    code: str
    warning: bool
    lost: int
    compensation: int
    article: str
    mark: Mark
    name: Text


def price_by_referee(preset: Preset, code: str, lost: object = 0, compensation: object = 0) -> RefereePrice:
    """The foul as the referee priced it; nothing lost is a warning.

    lost, compensation: match points, integers or fractions as text ("1/2", "7/2"), each within the regulation's range
    in half steps; a compensation without a loss has none to balance. Raises UnknownPenalty and RuleError `bad_value`.
    """
    if code not in preset.penalties:
        raise UnknownPenalty(code, preset.penalties)
    row = preset.penalties[code]
    charge = row.value
    if charge.halves is None:
        zh = f"{row.zh}：由规程定价，不由裁判定"
        raise RuleError(f"{code} is priced by the regulation", zh, article=row.article, field="code")
    taken = _halves(charge, lost, "lost", row.article)
    given = _halves(charge, compensation, "compensation", row.article)
    if given and not (charge.compensation and taken):
        detail, zh = f"{code}: no compensation without points lost", f"{row.zh}：未扣分则无补偿"
        raise RuleError(detail, zh, article=row.article, field="compensation")
    return RefereePrice(
        code=code,
        warning=not taken,
        lost=taken,
        compensation=given,
        article=row.article,
        mark=row.mark,
        name=Text(row.zh, row.en),
    )


def check_no_match_points(preset: Preset, code: str, lost: object, compensation: object) -> None:
    """Refuse match points for a penalty that the regulation prices in points of the hand. Raises RuleError
    `bad_value`."""
    row = preset.penalties[code]
    for field, value in (("lost", lost), ("compensation", compensation)):
        if value not in (0, "0"):
            detail = f"{field} is {value!r}; {code} costs points of the hand, not match points"
            zh = f"{field} 为 {value}；“{row.zh}”罚本副牌的分，不罚场分"
            raise RuleError(detail, zh, article=row.article, field=field)


def check_once(preset: Preset, code: str, occasions: int) -> None:
    """Refuse several occasions in one entry of a foul that the referee prices, each time anew. Raises RuleError
    `bad_value`."""
    if occasions != 1:
        row = preset.penalties[code]
        detail = f"{code} is priced by the referee in match points and takes no occasions"
        zh = f"“{row.zh}”由裁判在规定范围内定场分，不计 occasions"
        raise RuleError(detail, zh, article=row.article, field="occasions")


def _halves(charge: Charge, value: object, field: Literal["lost", "compensation"], article: str) -> int:
    """Half points, 0 or within the range."""
    points = _fraction(value)
    span = charge.halves
    if points is not None and points == 0:
        return 0
    if points is None or span is None or points * 2 % 1 or not span.least <= points * 2 <= span.most:
        bounds = f"{Fraction(span.least, 2)} to {Fraction(span.most, 2)}" if span else "none"
        detail = f"{field} is {value!r}; allowed are 0 and {bounds} in half steps"
        raise RuleError(
            detail,
            f"{field} 为 {value}；可取 0 及 {bounds.replace(' to ', '—')}，以半分计",
            article=article,
            field=field,
        )
    return int(points * 2)


_WRITTEN = re.compile(r"-?[0-9]{1,4}([./][0-9]{1,4})?")
"""Points as text: `1`, `1/2`, `0.5`; an exponent would be long to work out."""


def _fraction(value: object) -> Fraction | None:
    if isinstance(value, bool) or not isinstance(value, int | str | Fraction):
        return None
    if isinstance(value, str) and not _WRITTEN.fullmatch(value):
        return None
    try:
        return Fraction(value)
    except (ValueError, ZeroDivisionError):
        return None
