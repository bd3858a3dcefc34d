"""POST a hand: 8 referees enter 2,000 hands at 100 tables, until the last one is visible in the standings; beside a
bare Flask route that inserts one document a request."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence

from tests.bench.bench import Bench, Row
from tests.bench.hall import CONNECTIONS, Hall
from tests.bench.measuring import Line, Tick, absolute, faster, pairs, percentile, ticks
from tests.bench.web import Connection, Process, at_once, pailu_up, request

TABLES, HANDS = 100, 20
POSTS = TABLES * HANDS
SAMPLES = 300
PAUSE = 0.02


def measure(bench: Bench, tick: Tick) -> Sequence[Line]:
    up = bench.held.enter_context(pailu_up(bench.folder()))
    root = {"PYTHONPATH": os.getcwd()}
    bare = bench.held.enter_context(Process(["-m", "tests.bench.bare", bench.store().url], root, bench.folder()))

    def post(number: int) -> float:
        hall = Hall(up.port, f"hall-{number}", 2 * TABLES)
        hall.standings(hall.paired)
        work = [list(hall.hands(hall.matches[n::CONNECTIONS], 1, HANDS)) for n in range(CONNECTIONS)]
        begin = time.perf_counter()
        for last in at_once(up.port, work):
            hall.standings(last)
        took = time.perf_counter() - begin
        assert hall.shown(last) == POSTS
        return took

    def insert(_number: int) -> None:
        body = {"hand": 1, "dealer": 1, "points": 80, "trump": "S"}
        share = POSTS // CONNECTIONS
        at_once(bare.port, [[request("POST", "/hands", {}, body)] * share] * CONNECTIONS)

    taken = pairs(post, insert, tick)
    visible = _visible(Hall(up.port, "visible", 2 * TABLES), tick)
    what = "POST a hand until visible in the standings"
    return [
        faster(
            "hands",
            f"POST {POSTS:,} hands on {CONNECTIONS} connections until the last is in the standings",
            "a bare Flask route with one durable insert",
            taken,
            reach=0.6,
        ),
        absolute("hands", f"{what}, p50", percentile(visible, 0.5), "ms", None, visible),
        absolute("hands", f"{what}, p99", percentile(visible, 0.99), "ms", 250, []),
    ]


def _visible(hall: Hall, tick: Tick) -> list[float]:
    """Milliseconds from sending a hand to standings that show it, one hand after the other."""
    writer, reader = Connection(hall.connection.port), hall.connection
    hands = -(-SAMPLES // TABLES)
    samples = []
    for number, sent in enumerate(hall.hands(hall.matches, 1, hands)):
        begin = time.perf_counter()
        hall.standings(writer.ask(sent), reader)
        samples.append((time.perf_counter() - begin) * 1_000)
        time.sleep(PAUSE)
        if number % 50 == 0:
            tick()
    writer.close()
    return samples


ROW = Row("hands", "POST hands over HTTP until visible", ticks() + SAMPLES // 50, measure)
