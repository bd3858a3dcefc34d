"""What a breach costs by how often a pair has done it in the match (ahut-2018 二.4, 二.6)."""

from __future__ import annotations

from msgspec import Struct

from shared.rules.basis import Mark, Text
from shared.rules.errors import UnknownPenalty, refused
from shared.rules.regulations.guandan import GuandanEffect, GuandanPreset


class GuandanPriced(Struct, frozen=True, kw_only=True):
    """The price of a breach. time: the how manieth it is; effects: what it costs; mark: how surely the text says so."""

    code: str
    time: int
    effects: tuple[GuandanEffect, ...]
    article: str
    mark: Mark
    name: Text
    changed: bool = False


def price(preset: GuandanPreset, code: str, time: int = 1) -> GuandanPriced:
    """The price of the penalty `code` when a pair does it for the `time`-th time in a match, counted from 1.

    Raises UnknownPenalty, and RuleError `bad_value` for the count.
    """
    if code not in preset.penalties:
        raise UnknownPenalty(code, preset.penalties)
    if not isinstance(time, int) or isinstance(time, bool) or time < 1:
        raise refused("time", f"is {time!r}, not a count from 1 on", f"为 {time}，不是自 1 起的次数")
    row = preset.penalties[code]
    steps = row.value.steps
    return GuandanPriced(
        code=code,
        time=time,
        effects=steps[min(time, len(steps)) - 1],
        article=row.article,
        mark=row.mark,
        name=Text(row.zh, row.en),
        changed=row.changed,
    )
