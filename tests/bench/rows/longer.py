"""What each thing costs when the history is ten times as long, beside the same when it is short.

Two stores, each with its `pailu up` over it, stand side by side and take turns; what is measured is the same work on
both. A rebuild does ten times the work, so there the cost is that of an event."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from pymongo import MongoClient

from deploy.store import EmbeddedStore
from deploy.wiring import PREFIX
from shared.eventsourcing.handling import CommandHandler
from shared.eventsourcing.mongo import MongoCommits
from shared.eventsourcing.ports import Document
from tests.bench import toy
from tests.bench.bench import Bench, Row
from tests.bench.hall import CONNECTIONS, Hall
from tests.bench.history import CHUNK, fill
from tests.bench.measuring import Line, Tick, costlier, pairs, ticks
from tests.bench.rows.rebuild import rebuild
from tests.bench.web import at_once, pailu_up

LONG, SHORT = 15_000, 1_500
COMMANDS, LOADS, LENGTH = 100, 20, 100
TABLES, HANDS = 40, 4


def measure(bench: Bench, tick: Tick) -> Iterator[Line]:
    folders = [bench.folder(), bench.folder()]
    stores = [EmbeddedStore(folder / "data" / "store") for folder in folders]
    for store in stores:
        store.start()
        bench.held.callback(store.stop)
    clients = [bench.client(store) for store in stores]
    long, short = (_Kernel(client, events, tick) for client, events in zip(clients, (LONG, SHORT), strict=True))
    works: tuple[tuple[str, Callable[[_Kernel, int], float | None]], ...] = (
        (f"{COMMANDS} commands on one stream", _Kernel.execute),
        (f"load and fold {LENGTH} commits, {LOADS} times", _Kernel.load),
        ("rebuild standings, an event", _Kernel.rebuild),
    )
    for what, work in works:
        yield costlier("longer", what, _in_turn(long, short, work, tick))
    for store in stores:
        store.stop()
    for folder in folders:  # builds the other read models, which is no part of a start
        pailu_up(folder).stop()
        tick()

    def start(which: int) -> float:
        with pailu_up(folders[which]) as up:
            return up.seconds

    yield costlier("longer", "pailu up: start to ready", pairs(lambda _: start(0), lambda _: start(1), tick))
    halls = [Hall(bench.held.enter_context(pailu_up(folder)).ports, "hall", 2 * TABLES) for folder in folders]
    for hall in halls:
        hall.standings(hall.paired)
    posted = pairs(lambda number: _post(halls[0], number), lambda number: _post(halls[1], number), tick)
    yield costlier("longer", f"POST {TABLES * HANDS} hands until visible", posted)


class _Kernel:
    """The write side and the rebuild over a store with so many events."""

    def __init__(self, client: MongoClient[Document], events: int, tick: Tick) -> None:
        self._events = events
        self._runner = fill(client, events, tick, commits=True).services(["ranking"])["ranking"].engine.projection
        self._commits = MongoCommits(client[f"{PREFIX}match"])
        self._handler = CommandHandler("match", self._commits, toy.CODEC)
        before = None
        for first in range(1, LENGTH + 1):
            before = toy.commit("bench/load", first, [toy.played(first)], before)
            self._commits.append(before)
        self._commits.mark_sequenced(self._commits.pending(LENGTH))

    def execute(self, number: int) -> None:
        for n in range(COMMANDS):
            order = toy.command(f"bench-{number}-{n}")
            self._handler.execute(order, f"bench/{number}", "bench", toy.SUM, lambda _: [toy.played(1)])
        self._commits.mark_sequenced(self._commits.pending(COMMANDS))

    def load(self, _number: int) -> None:
        for _ in range(LOADS):
            handler = CommandHandler("match", self._commits, toy.CODEC)
            assert handler.load("bench/load", toy.SUM).version == LENGTH

    def rebuild(self, _number: int) -> float:
        return rebuild(self._runner) / self._events


def _in_turn(
    long: _Kernel, short: _Kernel, work: Callable[[_Kernel, int], float | None], tick: Tick
) -> tuple[list[float], list[float]]:
    return pairs(lambda number: work(long, number), lambda number: work(short, number), tick)


def _post(hall: Hall, number: int) -> None:
    first = number * HANDS + 1
    parts = [hall.matches[n::CONNECTIONS] for n in range(CONNECTIONS)]
    work = [list(hall.hands(part, first, first + HANDS - 1)) for part in parts]
    for last in at_once(hall.ports["match"], work):
        hall.standings(last)


FILLED = -(-LONG // CHUNK) + -(-SHORT // CHUNK)
ROW = Row("longer", "each cost, the history ten times as long", FILLED + 2 + 5 * ticks(), measure)
