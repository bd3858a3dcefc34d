"""Rebuild the standings' projection from the log in the embedded store, beside a bare scan of the same documents.

The scan reads every entry and does nothing with it; the rebuild folds each into the rows that it touches and stores
them durably: every match, every book, and the history that earlier moments are told from."""

from __future__ import annotations

import statistics
import time
from collections.abc import Sequence

from pymongo import MongoClient

from deploy.wiring import PREFIX
from shared.eventsourcing.generations import ProjectionRunner
from shared.eventsourcing.ports import Document
from tests.bench.bench import Bench, Row
from tests.bench.history import CHUNK, events, fill
from tests.bench.measuring import Line, Tick, absolute, faster, pairs, ticks

EVENTS = events(200_000)


def measure(bench: Bench, tick: Tick) -> Sequence[Line]:
    client = bench.shared
    runner = fill(client, EVENTS, tick).services(["ranking"])["ranking"].engine.projection
    rebuild(runner)

    def scanned(_round: int) -> None:
        assert scan(client) >= EVENTS

    taken = pairs(lambda _: rebuild(runner), scanned, tick)
    own = statistics.median(taken[0])
    return [
        faster(
            "rebuild",
            f"rebuild standings from {EVENTS:,} events",
            "pymongo find over the same documents",
            taken,
            reach=0.5,
        ),
        absolute("rebuild", "events rebuilt a second", EVENTS / own, "/s", None, []),
    ]


def rebuild(runner: ProjectionRunner) -> float:
    """The seconds from asking for a new generation until it is live. The one replaced before is removed first, which
    does not count: with a minute between two rebuilds it is done before the second."""
    while (pointer := runner.pointer()).retired:
        runner._remove(pointer)
    begin = time.perf_counter()
    runner.rebuild()
    while runner.pointer().building:
        runner.step()
    return time.perf_counter() - begin


def scan(client: MongoClient[Document]) -> int:
    """Every entry of every log."""
    return sum(1 for name in ("registration", "match", "appeals") for _ in client[PREFIX + name]["log"].find())


ROW = Row("rebuild", "rebuild standings", -(-EVENTS // CHUNK) + 1 + ticks(), measure)
