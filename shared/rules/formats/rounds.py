"""How many rounds are played (jimei-2018 十.2: 根据报名人数，4-6轮)."""

from __future__ import annotations

from shared.rules.errors import RuleError
from shared.rules.regulations.preset import Preset


def rounds_for(preset: Preset, teams: int) -> int:
    """The number of rounds when this many teams entered.

    Raises RuleError `no_rounds` where the format decides, as in a knock-out.
    """
    rule = preset.match.rounds
    bands = rule.value
    if bands is None:
        detail = "the regulation fixes no number of rounds; its format decides"
        raise RuleError(detail, "规程未定轮数，由赛制决定", code="no_rounds", article=rule.article)
    return next(band.rounds for band in bands if band.up_to is None or teams <= band.up_to)
