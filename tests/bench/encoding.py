"""Measures the two ways to store an event in its commit: as a sub-document, or as canonical JSON bytes.

Run: `python -m tests.bench.encoding`. Prints appends and loads a second over the embedded store, and bytes an event;
for hashing, sub-documents must be made canonical again, which is counted for them too."""

from __future__ import annotations

import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import bson
import msgspec
from bson import Binary
from pymongo.collection import Collection

from deploy.store import EmbeddedStore
from shared.eventsourcing.mongo import connect
from shared.eventsourcing.records import canonical

EVENTS, COMMITS, ROUNDS = 3, 400, 5


class Hand(msgspec.Struct, frozen=True):
    """As long as a hand that a referee enters."""

    match: str
    number: int
    dealer: str
    declarer: str
    trump: str
    points: int
    bottom: int
    levels: dict[str, int]
    tricks: list[int]
    entered_by: str
    note: str


def hand(n: int) -> Hand:
    levels = {"集美一队": 2 + n % 12, "集美二队": 3}
    return Hand(f"r1-t{n % 20}", n, "N", "E", "♠", 5 * (n % 40), 10, levels, list(range(12)), "裁判长", "底牌扣分")


def as_documents(event: Hand) -> Any:
    return msgspec.to_builtins(event)


def as_bytes(event: Hand) -> Any:
    return Binary(canonical(event))


def from_documents(stored: Any) -> Hand:
    return msgspec.convert(stored, Hand)


def from_bytes(stored: Any) -> Hand:
    return decode(stored)


decode = msgspec.json.Decoder(Hand).decode
WAYS: dict[str, tuple[Callable[[Hand], Any], Callable[[Any], Hand], Callable[[Any], bytes]]] = {
    "sub-documents": (as_documents, from_documents, canonical),
    "canonical bytes": (as_bytes, from_bytes, bytes),
}


def per_second(count: int, work: Callable[[], object]) -> float:
    begin = time.perf_counter()
    work()
    return count / (time.perf_counter() - begin)


def measured(way: str, commits: Collection[dict[str, Any]]) -> dict[str, float]:
    encode, load, hashed = WAYS[way]
    commits.create_index([("stream", 1), ("first", 1)], unique=True)
    stored = [encode(hand(n)) for n in range(5_000)]

    def append() -> None:
        for n in range(COMMITS):
            events = [{"type": "Hand", "version": 1, "data": encode(hand(n + k))} for k in range(EVENTS)]
            commits.insert_one({"_id": f"s@{n}", "stream": "s", "first": n, "events": events})

    def read() -> list[Hand]:
        found = commits.find({"stream": "s"}).sort("first", 1)
        return [load(event["data"]) for commit in found for event in commit["events"]]

    return {
        "commits appended/s": per_second(COMMITS, append),
        "events loaded and decoded/s": per_second(COMMITS * EVENTS, read),
        "events decoded/s, without the store": per_second(len(stored), lambda: [load(one) for one in stored]),
        "leaves for the audit tree/s": per_second(len(stored), lambda: [hashed(one) for one in stored]),
        "bytes/event": float(len(bson.encode({"data": encode(hand(1))}))),
    }


def main() -> None:
    figures: dict[str, list[dict[str, float]]] = {way: [] for way in WAYS}
    with tempfile.TemporaryDirectory() as folder, EmbeddedStore(Path(folder)) as store, connect(store.url) as client:
        for n in range(ROUNDS):
            for way, rounds in figures.items():
                rounds.append(measured(way, client["bench"][f"{way}{n}"]))
    for way, rounds in figures.items():
        print(way)  # noqa: T201
        for name in rounds[0]:
            print(f"  {name:36}{statistics.median(one[name] for one in rounds):12,.0f}")  # noqa: T201


if __name__ == "__main__":
    main()
