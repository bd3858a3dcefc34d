"""Durable append: from an event to a commit on disk, beside inserting the finished document."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from shared.eventsourcing.handling import CommandHandler
from shared.eventsourcing.mongo import MongoCommits
from shared.eventsourcing.ports import Document
from shared.eventsourcing.records import Commit
from tests.bench import toy
from tests.bench.bench import Bench, Row, bare
from tests.bench.measuring import Line, Tick, faster, pairs, ticks

COUNT = 200


def measure(bench: Bench, tick: Tick) -> Sequence[Line]:
    client = bench.shared
    commits = MongoCommits(client["append"])
    ours = client["append"]["commits"]
    beside = bare(client, "append_bare", "commits", ours)
    handler = CommandHandler("bench", MongoCommits(client["append_commands"]), toy.CODEC)
    commits.append(toy.commit("sample", 1, [toy.played(1)]))
    sample = ours.find_one({"stream": "sample"}) or {}

    def append(number: int) -> None:
        before: Commit | None = None
        for hand in range(1, COUNT + 1):
            before = toy.commit(f"s{number}", hand, [toy.played(hand)], before)
            commits.append(before)

    def insert(number: int) -> None:
        for document in documents(sample, f"b{number}"):
            beside.insert_one(document)

    def execute(number: int) -> None:
        for hand in range(1, COUNT + 1):
            name = f"c{number}-{hand}"
            handler.execute(toy.command(name), f"c{number}", "c", toy.SUM, partial(_played, hand))

    def insert_again(number: int) -> None:
        insert(100 + number)

    return [
        faster(
            "append",
            f"durable append, one event a commit ({COUNT} a round)",
            "pymongo insert_one of the same documents",
            pairs(append, insert, tick),
            reach=0.8,
        ),
        faster(
            "append",
            "a whole command: look up, load, decide, append",
            "pymongo insert_one of the same documents",
            pairs(execute, insert_again, tick),
            reach=None,
        ),
    ]


def _played(hand: int, _state: toy.Sum) -> list[toy.Played]:
    return [toy.played(hand)]


def documents(sample: Document, stream: str) -> Iterator[Document]:
    """Documents as the commit store writes them, each with values of its own where an index wants it."""
    for hand in range(1, COUNT + 1):
        own = {"_id": f"{stream}@{hand}", "stream": stream, "first": hand, "command": f"{stream}-{hand}", "stamp": hand}
        yield sample | own


ROW = Row("append", "durable append", 2 * ticks(), measure)
