"""Round 4 of a large Swiss paired, beside the Dutch system of gacrux on the same report.

The two do not solve the same task: the Dutch system also balances colours, and pairs bracket after bracket; ours takes
the best of all pairings. 5,000 teams are ours alone, in a process of its own, so that its memory can be seen. What is
measured is processor time, since each is one thread that waits for nothing."""

from __future__ import annotations

import copy
import random
import statistics
import subprocess
import sys
import time
from collections.abc import Sequence
from typing import Any

from gacrux import pairingdutch, trf2json

from shared.rules.formats.swiss import pair
from shared.rules.formats.trf import written
from shared.rules.regulations import load
from tests.bench.bench import Bench, Row
from tests.bench.measuring import Line, Tick, absolute, pairs, ticks
from tests.bench.swiss import ROUND, SEED, field

TEAMS, MANY = 1_000, 5_000
MEGABYTE = 1024
"""Of the kilobytes in which Linux tells the most memory a process had."""


def measure(bench: Bench, tick: Tick) -> Sequence[Line]:
    preset, played = load("jimei-2018"), field(TEAMS, random.Random(1))
    file = trf2json.trf2json()
    file.parse_file(written(preset, played)[0], False)
    tournament = file.get_tournament(1)

    def own(_: int) -> float:
        begin = time.process_time()
        assert len(pair(preset, played, SEED).matches) == TEAMS // 2
        return time.process_time() - begin

    def theirs(_: int) -> float:
        fresh = copy.deepcopy(tournament)
        begin = time.process_time()
        assert sum(len(bracket["pairs"]) for bracket in computed(fresh)) == TEAMS // 2
        return time.process_time() - begin

    ours, others = pairs(own, theirs, tick)
    what = f"pair round {ROUND}, {TEAMS:,} teams"
    seconds, megabytes = many()
    tick()
    return [
        Line(
            row="pairing",
            what=what,
            beside="gacrux, Dutch system",
            kind="ratio",
            value=statistics.median(mine / their for mine, their in zip(ours, others, strict=True)),
            unit="×",
            reach=0.15,
            better="lower",
            measured="s",
            ours=ours,
            others=others,
        ),
        absolute("pairing", what, statistics.median(ours), "s", 0.5, ours),
        absolute("pairing", f"pair round {ROUND}, {MANY:,} teams", seconds, "s", 5, [seconds]),
        absolute("pairing", "the same, memory of the process", megabytes, "MB", 1024, [megabytes]),
    ]


def computed(tournament: dict[str, Any]) -> Any:
    """The round as gacrux pairs it from a report that it has read."""
    params = {"experimental": [], "verbose": 0, "top_color": "w"}
    return pairingdutch.pairing_dutch(tournament, ROUND, params).compute_pairing(False)


def many() -> tuple[float, float]:
    """The seconds that the large field takes, and the megabytes at most of a process that does nothing else."""
    code = f"from tests.bench.swiss import alone; alone({MANY})"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    seconds, kilobytes = done.stdout.split()
    return float(seconds), int(kilobytes) / MEGABYTE


ROW = Row("pairing", "pair a round of a large Swiss", ticks() + 1, measure)
