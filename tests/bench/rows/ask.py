"""`pailu ask` as another program has it: a process is started, 50,000 different questions are piped in at once, and the
time ends when the last answer is read and the process has ended. Starting Python and reading the presets count."""

from __future__ import annotations

import itertools
import json
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence

from tests.bench.bench import Bench, Row
from tests.bench.measuring import ROUNDS, Line, Tick, rate

QUESTIONS = 50_000
REACH = 20_000
REGULATIONS = ("jimei-2018", "zhongshan-2013", "shandong-2023")
LEVELS = "23456789TJQKA"
COMMAND = [sys.executable, "-c", "from shared.cli.main import main; main()", "ask"]


def measure(_bench: Bench, tick: Tick) -> Sequence[Line]:
    asked = list(itertools.islice(questions(), QUESTIONS))
    piped = b"".join(json.dumps(question).encode() + b"\n" for question in asked)
    rates = []
    for number in range(ROUNDS + 1):
        begun = time.perf_counter()
        answered = subprocess.run(COMMAND, input=piped, stdout=subprocess.PIPE, check=True)
        took = time.perf_counter() - begun
        last = json.loads(answered.stdout.splitlines()[-1])
        assert (last["id"], last["ok"]) == (QUESTIONS, True), last
        if number:
            rates.append(QUESTIONS / took)
        tick()
    return [rate("ask", f"pailu ask, {QUESTIONS:,} level_change lines end to end", rates, REACH)]


def questions() -> Iterator[dict[str, object]]:
    """Every regulation at every pair of levels, with more points each time round; no question comes twice."""
    numbers = itertools.count(1)
    for points in itertools.count(0, 5):
        for regulation, dealers, attackers in itertools.product(REGULATIONS, LEVELS, LEVELS):
            yield {
                "id": next(numbers),
                "ask": "level_change",
                "regulation": regulation,
                "attacker_points": points,
                "dealer_level": dealers,
                "attacker_level": attackers,
            }


ROW = Row("ask", "pailu ask, end to end", ROUNDS + 1, measure)
