"""A store that holds seasons: the logs of all services and, where wanted, the commits they came from."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from pymongo import MongoClient

from deploy.wiring import PREFIX, Wiring
from shared.eventsourcing.mongo import MongoJournal
from shared.eventsourcing.ports import Document
from shared.eventsourcing.records import Commit, Envelope
from tests.bench.measuring import Tick
from tests.bench.season import Writer, told
from tests.bench.writing import insert_commits, insert_entries

CHUNK = 1_000


def events(wanted: int) -> int:
    """So many, or as few as BENCH_EVENTS asks for: a quick look."""
    return min(wanted, int(os.environ.get("BENCH_EVENTS", wanted)))


def fill(client: MongoClient[Document], events: int, tick: Tick, commits: bool = False) -> Wiring:
    """Write so many events as if the services had; one tick for each thousand."""
    return write(client, told(events), tick, commits)


def write(
    client: MongoClient[Document],
    history: Iterable[Any],
    tick: Tick,
    commits: bool = False,
    writer: Writer | None = None,
) -> Wiring:
    """Write a history of commits with their competitions; one tick for each thousand. `writer` goes on with another."""
    wiring = Wiring(client, "secret")
    wiring.services()  # makes the indexes
    writer = writer or Writer()
    for chunk in _chunks(history):
        for service, (made, entries) in _by_service(writer, chunk).items():
            database = client[PREFIX + service]
            if commits:
                insert_commits(database["commits"], made)
            insert_entries(database["log"], entries)
            journal = MongoJournal(database)
            journal.mark_published(entries[-1].position, journal.published())
        tick()
    return wiring


def _chunks(history: Iterable[Any]) -> Iterator[list[Any]]:
    chunk: list[Any] = []
    for one in history:
        chunk.append(one)
        if sum(len(told_events) for _, (_, told_events) in chunk[-1:]) and len(chunk) >= CHUNK:
            yield chunk
            chunk = []
    yield chunk


def _by_service(writer: Writer, chunk: Sequence[Any]) -> dict[str, tuple[list[Commit], list[Envelope]]]:
    parts: dict[str, tuple[list[Commit], list[Envelope]]] = {}
    for competition, (stream, events) in chunk:
        commit = writer.commit(competition, stream, events)
        commits, entries = parts.setdefault(commit.service, ([], []))
        commits.append(commit)
        entries += writer.entries(commit)
    return parts
