"""Replay complete 升级 hands, and adjudicate them as `pailu adjudicate` does, in processor time of this process.

Hands are legal and drawn from seeds, of the three tractor regulations in equal parts; the records are objects as JSON
gives them, so that reading and checking the record counts. Nothing is remembered from one hand to the next."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Sequence
from typing import Any

from shared.cli import shengji_sheet
from shared.rules.regulations import Preset, load
from shared.rules.shengji.ask import ask_replay
from shared.rules.shengji.random_hands import random_hand
from shared.rules.shengji.replay import replay
from tests.bench.bench import Bench, Row
from tests.bench.measuring import ROUNDS, Line, Tick

REGULATIONS = ("jimei-2018", "zhongshan-2013", "shandong-2023")
HANDS = 150
REACH = 2_500


def measure(_bench: Bench, tick: Tick) -> Sequence[Line]:
    presets = [load(name) for name in REGULATIONS]
    hands = [(preset, random_hand(preset, seed).record) for preset in presets for seed in range(HANDS)]
    tick()
    lines = []
    works: tuple[tuple[str, int | None, Callable[[Preset, Any], object]], ...] = (
        ("replay complete 升级 hands", REACH, replay),
        ("with the answer of pailu ask", REACH, lambda preset, hand: ask_replay(preset, {"record": hand})),
        (
            "with the sheet of pailu adjudicate",
            None,
            lambda preset, hand: shengji_sheet.sheet(preset, replay(preset, hand)),
        ),
    )
    for what, reach, work in works:
        rates = [rate(work, hands) for _ in range(ROUNDS)]
        lines.append(
            Line(
                row="replay",
                what=what,
                beside="(absolute)",
                kind="absolute",
                value=statistics.median(rates),
                unit="/s",
                reach=reach,
                better="higher",
                measured="/s",
                ours=rates,
            )
        )
        tick()
    return lines


def rate(work: Callable[[Preset, Any], object], hands: Sequence[tuple[Preset, Any]]) -> float:
    """Hands a second; no result is kept."""
    begun = time.process_time()
    for preset, hand in hands:
        work(preset, hand)
    return len(hands) / (time.process_time() - begun)


ROW = Row("replay", "replay and adjudicate 升级 hands", 4, measure)
