"""The ports in memory: for tests and simulation. They pass the same conformance suites as the real ones."""

from __future__ import annotations

import copy
import threading
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from shared.eventsourcing.errors import CommandTaken, PositionTaken, StaleDocument, StreamConflict
from shared.eventsourcing.ports import Document
from shared.eventsourcing.records import Commit, Envelope

DROPPED = 40
"""Documents that go at once where a collection is dropped."""


class MemoryCommits:
    """Commits of one service."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._streams: dict[str, list[Commit]] = {}
        self._commands: dict[tuple[str, str], Commit] = {}
        self._pending: dict[str, Commit] = {}

    def append(self, commit: Commit) -> None:
        self.append_all([commit])

    def append_all(self, commits: Sequence[Commit]) -> None:
        with self._lock:
            places, commands = set[str](), set[tuple[str, str]]()
            for commit in commits:
                place, command = commit.id, (commit.actor, commit.command)
                if command in self._commands or command in commands:
                    raise CommandTaken(*command)
                if place in places or any(c.first == commit.first for c in self._streams.get(commit.stream, ())):
                    raise StreamConflict(commit.stream, commit.first)
                places.add(place)
                commands.add(command)
            for commit in commits:
                self._streams.setdefault(commit.stream, []).append(commit)
                self._commands[commit.actor, commit.command] = commit
                self._pending[commit.id] = commit

    def stream(self, stream: str, after: int = 0) -> list[Commit]:
        with self._lock:
            return sorted((c for c in self._streams.get(stream, ()) if c.first > after), key=lambda c: c.first)

    def command(self, actor: str, command: str) -> Commit | None:
        return self._commands.get((actor, command))

    def pending(self, limit: int) -> list[Commit]:
        with self._lock:
            return sorted(self._pending.values(), key=lambda c: (c.stamp, c.stream, c.first))[:limit]

    def mark_sequenced(self, commits: Sequence[Commit]) -> None:
        with self._lock:
            for commit in commits:
                self._pending.pop(commit.id, None)


class MemoryJournal:
    """The positioned log of one service."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._entries: list[Envelope] = []
        self._ids: set[str] = set()
        self._versions: dict[str, int] = {}
        self._positions: dict[str, int] = {}
        self._published = 0
        self._lease: tuple[str, datetime] | None = None

    def take_lease(self, holder: str, now: datetime, until: datetime) -> bool:
        with self._lock:
            if self._lease is not None and self._lease[0] != holder and self._lease[1] > now:
                return False
            self._lease = (holder, until)
            return True

    def head(self) -> int:
        return len(self._entries)

    def insert(self, entries: Sequence[Envelope]) -> None:
        with self._lock:
            for entry in entries:
                if entry.position != len(self._entries) + 1 or entry.id in self._ids:
                    raise PositionTaken(f"position {entry.position} or event {entry.id} is taken")
                self._entries.append(entry)
                self._ids.add(entry.id)
                self._versions[entry.stream] = entry.version
                self._positions[entry.competition] = entry.position

    def read(self, after: int, limit: int) -> list[Envelope]:
        return self._entries[after : after + limit]

    def stream_version(self, stream: str) -> int:
        return self._versions.get(stream, 0)

    def competition_position(self, competition: str) -> int:
        return self._positions.get(competition, 0)

    def last_recorded_at(self) -> datetime | None:
        return self._entries[-1].recorded_at if self._entries else None

    def published(self) -> int:
        return self._published

    def mark_published(self, position: int, after: int) -> bool:
        with self._lock:
            if self._published != after:
                return False
            self._published = position
            return True


class MemoryLog:
    """The topics of all services, and each group's committed place."""

    def __init__(self) -> None:
        self._topics: dict[str, list[Envelope]] = {}
        self._committed: dict[str, dict[str, int]] = {}

    def publish(self, entries: Sequence[Envelope]) -> None:
        for entry in entries:
            self._topics.setdefault(entry.service, []).append(entry)

    def subscribe(self, group: str, services: Sequence[str]) -> MemorySubscription:
        return MemorySubscription(self._topics, self._committed.setdefault(group, {}), services)

    def lag(self, group: str, services: Sequence[str]) -> int:
        committed = self._committed.get(group, {})
        return sum(len(self._topics.get(s, ())) - committed.get(s, 0) for s in services)

    def forget(self, group: str) -> None:
        self._committed.pop(group, None)


class MemorySubscription:
    """A group's way through the topics, the topics taking turns."""

    def __init__(self, topics: dict[str, list[Envelope]], committed: dict[str, int], services: Sequence[str]) -> None:
        self._topics = topics
        self._committed = committed
        self._next = {service: committed.get(service, 0) for service in services}

    def poll(self, limit: int) -> list[Envelope]:
        polled: list[Envelope] = []
        share = max(1, limit // len(self._next))
        for service, start in self._next.items():
            entries = self._topics.get(service, [])[start : start + min(share, limit - len(polled))]
            self._next[service] += len(entries)
            polled += entries
        return polled

    def commit(self) -> None:
        """Another member of the group may have come further: a place does not go back."""
        for service, place in self._next.items():
            self._committed[service] = max(place, self._committed.get(service, 0))

    def lag(self) -> int:
        return sum(len(self._topics.get(s, ())) - self._committed.get(s, 0) for s in self._next)

    def close(self) -> None:
        pass


class MemoryDocuments:
    """Read-model documents of one service."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._collections: dict[str, dict[str, Document]] = {}

    def get(self, collection: str, ids: Sequence[str]) -> dict[str, Document]:
        stored = self._collections.get(collection, {})
        return {id: copy.deepcopy(stored[id]) for id in ids if id in stored}

    def put(self, collection: str, changes: Sequence[tuple[int, Document]]) -> None:
        with self._lock:
            stored = self._collections.setdefault(collection, {})
            for read_at, document in changes:
                if stored.get(document["_id"], {"revision": 0})["revision"] != read_at:
                    raise StaleDocument(f"{collection} {document['_id']} is not at revision {read_at}")
                stored[document["_id"]] = copy.deepcopy(document)

    def delete(self, collection: str, ids: Sequence[str]) -> None:
        with self._lock:
            for id in ids:
                self._collections.get(collection, {}).pop(id, None)

    def find(
        self, collection: str, equal: Mapping[str, Any], order: str = "_id", after: Any = None, limit: int = 0
    ) -> list[Document]:
        with self._lock:
            found = [
                document
                for document in self._collections.get(collection, {}).values()
                if all(_matches(document.get(k), v) for k, v in equal.items())
                and (after is None or (document.get(order) is not None and document[order] > after))
            ]
        found.sort(key=lambda d: (d.get(order) is not None, d.get(order)))
        return copy.deepcopy(found[:limit] if limit else found)

    def count(self, collection: str, equal: Mapping[str, Any]) -> int:
        return len(self.find(collection, equal))

    def ensure_index(self, collection: str, fields: Sequence[str]) -> None:
        pass

    def drop(self, collection: str) -> int:
        with self._lock:
            stored = self._collections.get(collection, {})
            gone = list(stored)[:DROPPED]
            for id in gone:
                del stored[id]
            if not gone:
                self._collections.pop(collection, None)
            return len(gone)


def _matches(value: Any, wanted: Any) -> bool:
    return bool(value == wanted) or (isinstance(value, list) and wanted in value)
