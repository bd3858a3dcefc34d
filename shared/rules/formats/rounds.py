"""How many rounds are played (jimei-2018 十.2: 根据报名人数，4-6轮)."""

from __future__ import annotations

from shared.rules.regulations.preset import Preset


def rounds_for(preset: Preset, teams: int) -> int:
    """The number of rounds when this many teams entered."""
    bands = preset.match.rounds.value
    return next(band.rounds for band in bands if band.up_to is None or teams <= band.up_to)
