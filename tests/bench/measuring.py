"""How a row is measured: two sides in turn, A B then B A, and the median of the pairs' ratios.

The two sides of a pair run within seconds of one another, so that what else the machine does meanwhile weighs on both;
a ratio of two medians would compare moments that lie minutes apart."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from typing import Any, Literal

import msgspec

ROUNDS = 5

Side = Callable[[int], float | None]
"""One side of a pair: does the work of a round and gives the seconds it took, or None to have the whole call timed."""
Tick = Callable[[], None]


class Line(msgspec.Struct, kw_only=True):
    """A line of the table. `value` is a ratio, or an absolute figure in `unit`; `reach` is what it is to reach, None
    where nothing was set; `ours` and `beside` are what was measured, in `measured` units."""

    row: str
    what: str
    beside: str
    kind: Literal["ratio", "absolute"]
    value: float
    unit: str
    reach: float | None
    better: Literal["higher", "lower"]
    measured: str
    ours: list[float]
    others: list[float] = []
    note: str = ""

    @property
    def reached(self) -> bool | None:
        """None where nothing was set."""
        if self.reach is None:
            return None
        return self.value >= self.reach if self.better == "higher" else self.value <= self.reach


def pairs(ours: Side, beside: Side, tick: Tick, rounds: int = ROUNDS) -> tuple[list[float], list[float]]:
    """The seconds of both sides, round by round, after one round of each that does not count."""
    taken: tuple[list[float], list[float]] = ([], [])
    for number in range(rounds + 1):
        sides = ((ours, 0), (beside, 1)) if number % 2 == 0 else ((beside, 1), (ours, 0))
        for side, place in sides:
            seconds = timed(side, number)
            if number:
                taken[place].append(seconds)
            tick()
    return taken


def ticks(rounds: int = ROUNDS) -> int:
    """How often `pairs` calls `tick`."""
    return 2 * (rounds + 1)


def timed(side: Side, number: int) -> float:
    """What the side says it took, or what the call took."""
    begin = time.perf_counter()
    said = side(number)
    return time.perf_counter() - begin if said is None else said


def faster(row: str, what: str, beside: str, taken: tuple[list[float], list[float]], reach: float | None) -> Line:
    """How many times the other side's speed ours has: to be high."""
    ours, others = taken
    ratio = statistics.median(other / own for own, other in zip(ours, others, strict=True))
    return Line(
        row=row, what=what, beside=beside, **_ratio(ratio, "higher", "s"), reach=reach, ours=ours, others=others
    )


def costlier(row: str, what: str, taken: tuple[list[float], list[float]], reach: float | None = 1.2) -> Line:
    """How many times the cost with a short history that with a long one is: to be low. `taken` is long, short."""
    ours, others = taken
    ratio = statistics.median(own / other for own, other in zip(ours, others, strict=True))
    beside = "itself, history a tenth as long"
    return Line(row=row, what=what, beside=beside, **_ratio(ratio, "lower", "s"), reach=reach, ours=ours, others=others)


def times(row: str, what: str, beside: str, rates: list[float], published: float, reach: float) -> Line:
    """How many times a rate that somebody has published ours is: to be high. Not measured in this run, so no more than
    machines are alike."""
    ratio, note = statistics.median(rates) / published, "not measured in this run"
    own = _ratio(ratio, "higher", "/s")
    return Line(row=row, what=what, beside=beside, **own, reach=reach, ours=rates, others=[published], note=note)


def absolute(row: str, what: str, value: float, unit: str, reach: float | None, samples: list[float]) -> Line:
    """A figure of this machine, to be low."""
    return Line(row=row, what=what, **_figure(value, "lower", unit), reach=reach, ours=samples)


def rate(row: str, what: str, rates: list[float], reach: float | None) -> Line:
    """Pieces of work a second on this machine, to be high."""
    return Line(row=row, what=what, **_figure(statistics.median(rates), "higher", "/s"), reach=reach, ours=rates)


def _ratio(value: float, better: str, measured: str) -> dict[str, Any]:
    return {"kind": "ratio", "value": value, "unit": "×", "better": better, "measured": measured}


def _figure(value: float, better: str, unit: str) -> dict[str, Any]:
    figure = {"beside": "(absolute)", "kind": "absolute"}
    return {**figure, "value": value, "unit": unit, "better": better, "measured": unit}


def worked(work: Callable[[], object], count: int, tick: Tick, rounds: int = ROUNDS) -> list[float]:
    """Pieces of work a second in each round, in processor time of this process, after one round that does not
    count."""
    rates = []
    for number in range(rounds + 1):
        begun = time.process_time()
        work()
        took = time.process_time() - begun
        if number:
            rates.append(count / took)
        tick()
    return rates


def percentile(samples: list[float], share: float) -> float:
    """The least sample that this share of all does not exceed."""
    ordered = sorted(samples)
    return ordered[min(len(ordered) - 1, max(0, -(-int(share * len(ordered) * 1000) // 1000) - 1))]
