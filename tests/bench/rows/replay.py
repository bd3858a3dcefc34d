"""Replay complete 升级 hands, and adjudicate them as `pailu adjudicate` does, in processor time of this process.

Hands are legal and drawn from seeds, of the three tractor regulations in equal parts; the records are objects as JSON
gives them, so that reading and checking the record counts. Nothing is remembered from one hand to the next."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from shared.cli import shengji_sheet
from shared.rules.regulations import Preset, load
from shared.rules.shengji.ask import ask_replay
from shared.rules.shengji.random_hands import random_hand
from shared.rules.shengji.replay import replay
from tests.bench.bench import Bench, Row
from tests.bench.measuring import ROUNDS, Line, Tick, rate, times, worked

REGULATIONS = ("jimei-2018", "zhongshan-2013", "shandong-2023")
HANDS = 150
REACH = 2_500
PUBLISHED = 660
"""Hands a second of a published engine in pure Python, on a machine like the one of the benchmarks."""

Work = Callable[[Preset, Any], object]


def measure(_bench: Bench, tick: Tick) -> Sequence[Line]:
    presets = [load(name) for name in REGULATIONS]
    hands = [(preset, random_hand(preset, seed).record) for preset in presets for seed in range(HANDS)]
    tick()
    works: tuple[tuple[str, int | None, Work], ...] = (
        ("replay complete 升级 hands", REACH, replay),
        ("with the answer of pailu ask", REACH, lambda preset, hand: ask_replay(preset, {"record": hand})),
        ("with the sheet of pailu adjudicate", None, _sheet),
    )
    rates = [worked(lambda work=work: _all(work, hands), len(hands), tick) for _, _, work in works]  # type: ignore[misc]
    lines = [rate("replay", what, found, reach) for (what, reach, _), found in zip(works, rates, strict=True)]
    engine = f"a published engine in pure Python, {PUBLISHED} hands/s"
    return [*lines, times("replay", "replay complete 升级 hands", engine, rates[0], PUBLISHED, 3.5)]


def _all(work: Work, hands: Sequence[tuple[Preset, Any]]) -> None:
    """No result is kept."""
    for preset, hand in hands:
        work(preset, hand)


def _sheet(preset: Preset, hand: Any) -> object:
    return shengji_sheet.sheet(preset, replay(preset, hand))


ROW = Row("replay", "replay and adjudicate 升级 hands", 1 + 3 * (ROUNDS + 1), measure)
