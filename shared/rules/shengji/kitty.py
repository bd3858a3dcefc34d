"""What the kitty brings (jimei-2018 十一.6, zhongshan-2013 七（一）5, shandong-2023 八.10; RULINGS, Common 4 and 8)."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from shared.rules.basis import Basis, Ruled, gather
from shared.rules.regulations.preset import Kitty, Multipliers, Preset
from shared.rules.shengji.led import Led
from shared.rules.shengji.levels import Side


class KittyCredit(Struct, frozen=True, kw_only=True):
    """points: the kitty's, times the multiplier; to: the side that gets them."""

    multiplier: int
    points: int
    to: Side
    basis: tuple[Basis, ...]


def kitty_credit(preset: Preset, kitty_points: int, led: Led, trump_won: bool, won_by: Side) -> KittyCredit:
    """Who gets the kitty's points, and how often.

    led: the led play of the last trick, whose largest component is the format; trump_won: the winning play was of
    trumps; won_by: the side that won the last trick.
    """
    terms = preset.kitty
    if won_by == "dealers":
        return KittyCredit(multiplier=1, points=kitty_points, to="dealers", basis=(terms.to_dealers.basis,))
    times = multiplier(terms, led.components[0].pairs, trump_won)
    return KittyCredit(
        multiplier=times, points=kitty_points * times, to="attackers", basis=_basis(terms, led, trump_won)
    )


def multiplier(terms: Kitty, pairs: int, trump_won: bool) -> int:
    """The multiplier of a format; pairs: 0 for a single, 1 for a pair, the number of pairs of a tractor."""
    table = _table(terms, trump_won)
    if pairs < 2:
        return table.pair if pairs else table.single
    listed, beyond = table.tractors, max(pairs - 1 - len(table.tractors), 0)
    if not beyond:
        return listed[pairs - 2]
    return listed[-1] << beyond if terms.longer.value == "double" else listed[-1] + beyond * table.pair


def _table(terms: Kitty, trump_won: bool) -> Multipliers:
    if terms.side.value is not None and not trump_won:
        return terms.side.value
    return Multipliers(single=terms.single.value, pair=terms.pair.value, tractors=terms.tractors.value)


def _basis(terms: Kitty, led: Led, trump_won: bool) -> tuple[Basis, ...]:
    pairs = led.components[0].pairs
    if terms.side.value is not None and not trump_won:
        rules: list[Ruled[Any]] = [terms.side]
        listed = terms.side.value.tractors
    else:
        rules = [(terms.single, terms.pair, terms.tractors)[min(pairs, 2)]]
        listed = terms.tractors.value
    rules += [terms.longer] if pairs - 1 > len(listed) else []
    rules += [terms.format] + ([terms.throw] if led.kind == "throw" else [])
    return gather(rule.basis for rule in rules)
