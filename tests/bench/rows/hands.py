"""POST a hand: 8 referees enter 2,000 hands at 100 tables, until the last one is visible in the standings; beside a
bare Flask route that inserts one document a request."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path

from tests.bench.bench import Bench, Row
from tests.bench.hall import CONNECTIONS, Hall
from tests.bench.measuring import Line, Tick, faster, pairs, ticks
from tests.bench.web import Process, at_once, pailu_up, request

ROOT = Path(__file__).parents[3]
TABLES, HANDS = 100, 20
POSTS = TABLES * HANDS


def measure(bench: Bench, tick: Tick) -> Sequence[Line]:
    up = bench.held.enter_context(pailu_up(bench.folder()))
    root = {"PYTHONPATH": str(ROOT)}
    bare = bench.held.enter_context(Process(["-m", "tests.bench.bare", bench.store().url], root, bench.folder()))

    def post(number: int) -> float:
        hall = Hall(up.ports, f"hall-{number}", 2 * TABLES)
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

    return [
        faster(
            "hands",
            f"POST {POSTS:,} hands on {CONNECTIONS} connections until the last is in the standings",
            "a bare Flask route with one durable insert",
            pairs(post, insert, tick),
            reach=0.6,
        )
    ]


ROW = Row("hands", "POST hands over HTTP until visible", ticks(), measure)
