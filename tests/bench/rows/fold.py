"""Load and fold a stream of 10,000 events, beside the library `eventsourcing` with SQLite on disk.

Both sides fold the same facts into the same two numbers from nothing: ours with a new handler each time, for a handler
remembers what it folded (`Folded`) and would read nothing at the second load; theirs with no cache and no snapshot,
which is its default. Its transcoder is the default one (JSON)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from uuid import UUID

from eventsourcing.application import Application
from eventsourcing.domain import Aggregate, event

from shared.eventsourcing.handling import CommandHandler
from shared.eventsourcing.mongo import MongoCommits
from shared.eventsourcing.records import Commit
from tests.bench import toy
from tests.bench.bench import Bench, Row
from tests.bench.measuring import Line, Tick, faster, pairs, ticks
from tests.bench.writing import insert_commits

EVENTS = 10_000
CHUNK = 500


class Table(Aggregate):
    """The toy stream as that library writes it."""

    def __init__(self) -> None:
        self.hands = 0
        self.points = 0

    @event("Played")
    def play(
        self,
        regulation: str,
        by: str,
        competition: str,
        match: str,
        round: int,
        table: int,
        teams: list[str],
        hand: int,
        dealer: int,
        points: int,
        trump: str,
    ) -> None:
        self.hands += 1
        self.points += points


def measure(bench: Bench, tick: Tick) -> Sequence[Line]:
    client = bench.shared
    commits = MongoCommits(client["fold"])
    for size in (1, 10):
        insert_commits(client["fold"]["commits"], list(chain(size)))
    tick()
    peer = Application[UUID](
        env={
            "PERSISTENCE_MODULE": "eventsourcing.sqlite",
            "SQLITE_DBNAME": str(bench.folder() / "peer.sqlite"),
        }
    )
    bench.held.callback(peer.close)
    table = written(peer)
    tick()

    def fold(size: int, _round: int) -> None:
        state = CommandHandler("bench", commits, toy.CODEC).load(f"s{size}", toy.SUM).state
        assert state == toy.Sum(EVENTS, POINTS), state

    def fold_peer(_round: int) -> None:
        found: Table = peer.repository.get(table)
        assert (found.hands, found.points) == (EVENTS, POINTS)

    beside = "eventsourcing (PyPI), SQLite on disk"
    return [
        faster(
            "fold",
            f"load and fold {EVENTS:,} events, {name} a commit, cold",
            beside,
            pairs(partial(fold, size), fold_peer, tick),
            reach,
        )
        for size, name, reach in ((1, "one", 0.6), (10, "ten", 3.0))
    ]


POINTS = sum(toy.played(hand).points for hand in range(1, EVENTS + 1))


def chain(size: int) -> Iterator[Commit]:
    """The stream in commits of so many events."""
    before: Commit | None = None
    for first in range(1, EVENTS + 1, size):
        before = toy.commit(f"s{size}", first, [toy.played(hand) for hand in range(first, first + size)], before)
        yield before


def written(peer: Application[UUID]) -> UUID:
    """The same stream in the other library."""
    table = Table()
    for hand in range(1, EVENTS + 1):
        table.play(**{**toy.fields(hand), "teams": list(toy.fields(hand)["teams"])})
        if hand % CHUNK == 0:
            peer.save(table)
    return table.id


ROW = Row("fold", "load and fold a stream", 2 + 2 * ticks(), measure)
