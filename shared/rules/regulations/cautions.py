"""What an organiser is told once about a regulation whose words may surprise."""

from __future__ import annotations

from itertools import pairwise

from msgspec import Struct

from shared.rules.basis import Text
from shared.rules.regulations.preset import Preset
from shared.rules.regulations.schema import AnyPreset


class Caution(Struct, frozen=True):
    """key: the value that surprises, dotted; article: that it comes from."""

    key: str
    article: str
    said: Text


def cautions(preset: AnyPreset) -> list[Caution]:
    """What to tell the organiser who takes this regulation, in the preset's order; none for most."""
    return _missing_levels(preset) if isinstance(preset, Preset) else []


def _missing_levels(preset: Preset) -> list[Caution]:
    """A gain that no points of the attackers give (shandong-2023 八.8 goes from 0 to 2)."""
    rule = preset.levels.attacker_bands
    found = []
    for lower, upper in pairwise(rule.value):
        for gain in range(lower.gain + 1, upper.gain):
            zh = f"抓分方得{upper.points}分起升{upper.gain}级，没有升{gain}级的一档（照条文原文）"
            en = f"from {upper.points} points on the attackers gain {upper.gain}; no points give {gain} (to the letter)"
            found.append(Caution("levels.attacker_bands", rule.article, Text(zh, en)))
    return found
