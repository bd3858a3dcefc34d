"""How long a hand takes from its POST to standings that show it, one hand after the other: by `pailu up` as it is by
default, and over Kafka with a process that serves and one that works for each of the four services."""

from __future__ import annotations

import time
from collections.abc import Sequence
from urllib.parse import urlsplit

from deploy.fleet import Fleet
from tests.bench.bench import Bench, Row
from tests.bench.hall import Hall
from tests.bench.measuring import Line, Tick, absolute, percentile
from tests.bench.web import SECRET, pailu_up

TABLES = 100
SAMPLES = 300
WARMING = 20
PAUSE = 0.02
"""Seconds between two hands: nobody enters the next before the one before is shown."""
EMBEDDED_MS, KAFKA_MS = 250, 500
EACH = 50


def measure(bench: Bench, tick: Tick) -> Sequence[Line]:
    with pailu_up(bench.folder()) as up:
        embedded = _visible(Hall(up.ports, "embedded", 2 * TABLES), tick)
    fleet = Fleet(bench.folder())
    fleet.token_secret = SECRET
    with fleet:
        ports = {name: urlsplit(url).port or 0 for name, url in fleet.urls.items()}
        kafka = _visible(Hall(ports, "kafka", 2 * TABLES), tick)
    return [
        *_lines("by default", embedded, EMBEDDED_MS),
        *_lines("over Kafka, as eight processes", kafka, KAFKA_MS),
    ]


def _lines(how: str, samples: list[float], most: float) -> list[Line]:
    what = f"POST a hand until it is in the standings, {how}"
    return [
        absolute("visible", f"{what}, p50", percentile(samples, 0.5), "ms", None, samples),
        absolute("visible", f"{what}, p99", percentile(samples, 0.99), "ms", most, []),
    ]


def _visible(hall: Hall, tick: Tick) -> list[float]:
    """Milliseconds from sending a hand to standings that show it."""
    hall.standings(hall.paired)
    hands = -(-(WARMING + SAMPLES) // TABLES)
    samples = []
    for number, sent in enumerate(hall.hands(hall.matches, 1, hands)):
        begin = time.perf_counter()
        hall.standings(hall.enter(sent))
        samples.append((time.perf_counter() - begin) * 1_000)
        time.sleep(PAUSE)
        if number % EACH == 0:
            tick()
    return samples[WARMING:]


ROW = Row("visible", "from a POST to the standings", 2 * (-(-(WARMING + SAMPLES) // TABLES) * TABLES // EACH), measure)
