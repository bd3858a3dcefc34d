"""The hand that is in play when time is called: whether it is played to its end and counts (zhongshan-2013 七（一）2:
时间结束时未完牌局至打完，如在洗牌或摸牌期间比赛立即停止; ahut-2018 二.5: 只要开始摸牌，就要将该牌打完)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, get_args

from shared.rules.regulations.preset import Preset
from shared.rules.regulations.schema import AnyPreset

Phase = Literal["shuffling", "drawing", "burying", "playing"]
"""How far a hand is: between two hands and until its first card is drawn, while cards are drawn, while the kitty is
with the dealer, and from the first lead on."""
PHASES: tuple[Phase, ...] = get_args(Phase)

_BEGINS: Mapping[str, Phase] = {
    "first_card_drawn": "drawing",
    "play_or_burying": "burying",
    "first_play": "playing",
}
"""By `hand_begun` of the regulation, the first phase of a hand that has begun."""


def phases(preset: AnyPreset) -> tuple[Phase, ...]:
    """The phases of a hand in order; nothing is buried where there is no kitty."""
    return PHASES if isinstance(preset, Preset) else tuple(phase for phase in PHASES if phase != "burying")


def is_begun(preset: AnyPreset, phase: Phase) -> bool:
    """Whether a hand in this phase is one already."""
    return PHASES.index(phase) >= PHASES.index(_BEGINS[preset.match.hand_begun.value])


def is_finished(preset: AnyPreset, phase: Phase) -> bool:
    """Whether the hand that is in this phase when time is called is played to its end."""
    return preset.match.unfinished_hand.value == "finish" and is_begun(preset, phase)
