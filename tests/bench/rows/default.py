"""The whole default as a person has it: from `pailu up` to ready, and its memory after the demo's competition."""

from __future__ import annotations

import statistics
from collections.abc import Iterator, Sequence
from pathlib import Path

from rich.console import Console

from deploy.demo import client, show, stage, story
from deploy.demo.plan import draw_seed
from deploy.demo.server import Server
from shared.rules.regulations import load
from tests.bench.bench import Bench, Row
from tests.bench.measuring import ROUNDS, Line, Tick, absolute
from tests.bench.web import pailu_up

KIB = 1024


def measure(bench: Bench, tick: Tick) -> Sequence[Line]:
    starts = []
    folder = bench.folder()
    for _ in range(ROUNDS + 1):
        with pailu_up(folder) as up:
            starts.append(up.seconds)
        tick()
    resident, shared = _after_the_demo()
    tick()
    return [
        absolute("default", "pailu up: start to ready", statistics.median(starts), "s", 4, starts),
        absolute("default", "resident memory of all processes added, after the demo", resident, "MB", 400, []),
        absolute("default", "the same with what they share counted once", shared, "MB", None, []),
    ]


def _after_the_demo() -> tuple[float, float]:
    """Megabytes of the demo's server when the story is told: RSS added, and PSS."""
    with Server(draw_seed("2018")) as server:
        asking = client.Client(server.urls, server.token_secret)
        screen = show.Show(Console(quiet=True))
        story.tell(stage.Stage(client=asking, show=screen, preset=load(stage.REGULATION), seed="2018"))
        asking.close()
        assert server.pid is not None
        pids = list(family(server.pid))
        return _sum(pids, "Rss"), _sum(pids, "Pss")


def family(pid: int) -> Iterator[int]:
    """A process and all that come of it."""
    yield pid
    for children in Path(f"/proc/{pid}/task").glob("*/children"):
        for child in map(int, children.read_text().split()):
            yield from family(child)


def _sum(pids: Sequence[int], name: str) -> float:
    lines = (line for pid in pids for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines())
    return sum(int(line.split()[1]) for line in lines if line.startswith(f"{name}:")) * KIB / 1e6


ROW = Row("default", "the whole default: start and memory", ROUNDS + 2, measure)
