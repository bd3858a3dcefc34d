"""The ports over the MongoDB wire protocol, within what both MongoDB and SecantusDB can do.

Learned of SecantusDB (docs/decisions/0004): a range over `_id` and a sort without a bounded range scan the
collection, and `limit` does not end a scan early. So every read here is an equality or a range bounded on both
sides over an index of its own.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from typing import Any

import msgspec
from bson import Binary
from pymongo import ASCENDING, InsertOne, MongoClient, ReplaceOne, UpdateOne
from pymongo.collection import Collection
from pymongo.database import Database
from pymongo.errors import (
    BulkWriteError,
    DuplicateKeyError,
    OperationFailure,
    PyMongoError,
    ServerSelectionTimeoutError,
)
from pymongo.read_concern import ReadConcern
from pymongo.results import BulkWriteResult
from pymongo.write_concern import WriteConcern

from shared.eventsourcing.clock import from_micros, to_micros
from shared.eventsourcing.errors import (
    CommandTaken,
    OutcomeUnknown,
    PositionTaken,
    StaleDocument,
    StoreUnavailable,
    StreamConflict,
)
from shared.eventsourcing.ports import Document
from shared.eventsourcing.records import Commit, Envelope, Recorded

WRITE_CONCERN = WriteConcern(w="majority", j=True)
READ_CONCERN = ReadConcern("majority")
WINDOW = 1_000
TOGETHER = 64
"""Commits that share a durable write, at most."""
AT_ONCE = 50
"""Ids in one query, at most: the embedded store compares every document it finds with each of them, so more cost more
where they are there, and fewer where they are not."""
DROPPED = 40
"""Documents that go at once where a collection is dropped: what the embedded store does in some 15 ms."""
PUT = 1_000
"""Documents in one transaction, at most."""
DUPLICATE = 11000
WRITE_CONFLICT = 112


def connect(url: str, timeout_ms: int = 2_000, answer_ms: int = 10_000) -> MongoClient[Document]:
    """A client with the concerns that durability needs, whatever the URL says. A store that is away is told after
    `timeout_ms`, one that hangs after `answer_ms` (a read is tried twice).

    `retryWrites` is off: command ids make a repeated write recognisable, and SecantusDB scans its records of
    retryable writes at each write. Create it after a fork, never before."""
    return MongoClient(
        url,
        retryWrites=False,
        w="majority",
        journal=True,
        readConcernLevel="majority",
        serverSelectionTimeoutMS=timeout_ms,
        connectTimeoutMS=timeout_ms,
        socketTimeoutMS=answer_ms,
        tz_aware=True,
    )


@contextmanager
def reading() -> Iterator[None]:
    """Store trouble while reading is StoreUnavailable."""
    try:
        yield
    except PyMongoError as error:
        raise StoreUnavailable(str(error)) from error


@contextmanager
def writing() -> Iterator[None]:
    """Store trouble while writing: OutcomeUnknown unless it is sure that nothing was sent. That is so of errors from
    the server too: one about the write concern, or about time, comes of a write that may have been made."""
    try:
        yield
    except ServerSelectionTimeoutError as error:
        raise StoreUnavailable(str(error)) from error
    except (DuplicateKeyError, BulkWriteError):
        raise
    except PyMongoError as error:
        raise OutcomeUnknown(str(error)) from error


def _collection(database: Database[Document], name: str) -> Collection[Document]:
    return database.get_collection(name, write_concern=WRITE_CONCERN, read_concern=READ_CONCERN)


class Waiting:
    """A document that a thread wants inserted: done, or failed with an error, or its turn to insert has come."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.told = threading.Event()
        self.done = False
        self.error: Exception | None = None


class SharedInserts:
    """Inserts of several threads at once in one durable write. A thread that finds nobody inserting inserts at once;
    those who come meanwhile are inserted together by the first of them, when that is through. So nobody waits for
    company, and what a write costs is shared by all who came during the one before it.

    Each document is stored or not by itself. Where the outcome of a write is unknown, it is unknown for all in it."""

    def __init__(self, collection: Collection[Document]) -> None:
        self._collection = collection
        self._lock = threading.Lock()
        self._busy = False
        self._waiting: list[Waiting] = []

    def insert(self, document: Document) -> None:
        """Durable when it returns. Raises DuplicateKeyError, StoreUnavailable, OutcomeUnknown."""
        own = Waiting(document)
        with self._lock:
            self._waiting.append(own)
            first, self._busy = not self._busy, True
        if not first:
            own.told.wait()
        if not own.done:
            self._insert_all()
        if own.error is not None:
            raise own.error

    def _insert_all(self) -> None:
        with self._lock:
            together, self._waiting = self._waiting[:TOGETHER], self._waiting[TOGETHER:]
        try:
            self._write(together)
        except Exception as error:
            for one in together:
                one.error = error
        finally:
            with self._lock:
                following = self._waiting[0] if self._waiting else None
                self._busy = following is not None
            for one in together:
                one.done = True
                one.told.set()
            if following is not None:
                following.told.set()

    def _write(self, together: Sequence[Waiting]) -> None:
        try:
            with writing():
                if len(together) == 1:
                    self._collection.insert_one(together[0].document)
                else:
                    self._collection.insert_many([one.document for one in together], ordered=False)
        except BulkWriteError as error:
            failed = error.details.get("writeErrors") or []
            if error.details.get("writeConcernErrors"):
                raise OutcomeUnknown(str(error)) from error
            for one in failed:
                kind = DuplicateKeyError if one.get("code") == DUPLICATE else OutcomeUnknown
                together[one["index"]].error = kind(str(one.get("errmsg")))


class MongoCommits:
    """One document a commit, `_id` = `<stream>@<first version>`."""

    def __init__(self, database: Database[Document]) -> None:
        self._commits = _collection(database, "commits")
        self._inserts = SharedInserts(self._commits)
        self._together = Together(database.client)
        with reading():
            self._commits.create_index([("stream", ASCENDING), ("first", ASCENDING)], unique=True)
            self._commits.create_index([("actor", ASCENDING), ("command", ASCENDING)], unique=True)
            self._commits.create_index(
                [("pending", ASCENDING), ("stamp", ASCENDING)], partialFilterExpression={"pending": True}
            )

    def append(self, commit: Commit) -> None:
        try:
            self._inserts.insert(commit_document(commit))
        except DuplicateKeyError:
            raise self._taken(commit) from None

    def append_all(self, commits: Sequence[Commit]) -> None:
        if len(commits) < 2:
            for commit in commits:
                self.append(commit)
            return
        try:
            with writing():
                self._together.write(self._commits, [InsertOne(commit_document(commit)) for commit in commits])
        except BulkWriteError as error:
            if not only_duplicates(error):
                raise OutcomeUnknown(str(error)) from error
            raise self._taken(commits[error.details["writeErrors"][0]["index"]]) from None
        except StaleDocument as error:
            raise StreamConflict(commits[0].stream, commits[0].first) from error

    def _taken(self, commit: Commit) -> CommandTaken | StreamConflict:
        if self.command(commit.actor, commit.command) is not None:
            return CommandTaken(commit.actor, commit.command)
        return StreamConflict(commit.stream, commit.first)

    def stream(self, stream: str, after: int = 0) -> list[Commit]:
        where: Document = {"stream": stream, "first": {"$gt": after}} if after else {"stream": stream}
        with reading():
            return sorted(map(_commit, self._commits.find(where)), key=lambda commit: commit.first)

    def command(self, actor: str, command: str) -> Commit | None:
        with reading():
            found = self._commits.find_one({"actor": actor, "command": command})
        return _commit(found) if found else None

    def pending(self, limit: int) -> list[Commit]:
        """In one batch of the cursor: while it is read, a commit might slip in behind one that was decided upon it."""
        with reading():
            found = self._commits.find({"pending": True}).sort("stamp", ASCENDING).limit(limit).batch_size(limit + 1)
            return sorted(map(_commit, found), key=lambda c: (c.stamp, c.stream, c.first))

    def mark_sequenced(self, commits: Sequence[Commit]) -> None:
        if not commits:
            return
        ids = [c.id for c in commits]
        with writing():
            self._commits.update_many({"_id": {"$in": ids}}, {"$set": {"pending": False}})


class MongoJournal:
    """The positioned log: `_id` is the event's id, `position` is unique, and so neither can be given twice."""

    def __init__(self, database: Database[Document]) -> None:
        self._log = _collection(database, "log")
        self._relay = _collection(database, "relay")
        self._head = 0
        with reading():
            self._log.create_index([("position", ASCENDING)], unique=True)
            self._log.create_index([("stream", ASCENDING), ("version", ASCENDING)])
            self._log.create_index([("competition", ASCENDING), ("position", ASCENDING)])

    def take_lease(self, holder: str, now: datetime, until: datetime) -> bool:
        free = {"$or": [{"holder": holder}, {"until": {"$lte": to_micros(now)}}]}
        try:
            with writing():
                self._relay.update_one(
                    {"_id": "lease", **free}, {"$set": {"holder": holder, "until": to_micros(until)}}, upsert=True
                )
        except DuplicateKeyError:  # a lease exists and is not free, so the upsert collides with it
            return False
        return True

    def head(self) -> int:
        """Walks on from the last head known, at first from what is published: heads only grow, and positions have no
        gap."""
        self._head = self._head or self.published()
        while found := self._positions({"position": {"$gt": self._head, "$lte": self._head + WINDOW}}):
            self._head = max(found)
        return self._head

    def insert(self, entries: Sequence[Envelope]) -> None:
        try:
            with writing():
                self._log.insert_many([entry_document(e) for e in entries], ordered=True)
            self._head = max(self._head, entries[-1].position)
        except BulkWriteError as error:
            if only_duplicates(error):
                raise PositionTaken(str(error.details.get("writeErrors"))[:200]) from None
            raise OutcomeUnknown(str(error)) from error

    def read(self, after: int, limit: int) -> list[Envelope]:
        with reading():
            found = self._log.find({"position": {"$gt": after, "$lte": after + limit}}).sort("position", ASCENDING)
            entries = [_entry(d) for d in found]
        return [e for expected, e in enumerate(entries, after + 1) if e.position == expected]

    def stream_version(self, stream: str) -> int:
        with reading():
            return max((d["version"] for d in self._log.find({"stream": stream}, {"version": 1})), default=0)

    def competition_position(self, competition: str) -> int:
        """Looks back from the head in windows that grow tenfold, so a busy competition costs one small read."""
        end, window = self.head(), WINDOW // 10
        while end > 0:
            found = self._positions({"competition": competition, "position": {"$gt": end - window, "$lte": end}})
            if found:
                return max(found)
            end, window = end - window, window * 10
        return 0

    def last_recorded_at(self) -> datetime | None:
        last = self.read(self.head() - 1, 1)
        return last[0].recorded_at if last else None

    def published(self) -> int:
        with reading():
            found = self._relay.find_one({"_id": "published"})
        return int(found["position"]) if found else 0

    def mark_published(self, position: int, after: int) -> bool:
        try:
            with writing():
                done = self._relay.update_one(
                    {"_id": "published", "position": after}, {"$set": {"position": position}}, upsert=after == 0
                )
        except DuplicateKeyError:  # it is not at 0 any more, so the upsert collides with it
            return False
        return done.matched_count > 0 or done.upserted_id is not None

    def _positions(self, where: Document) -> list[int]:
        with reading():
            return [d["position"] for d in self._log.find(where, {"position": 1})]


class MongoLog:
    """The journals of all services read as topics: the event log of a single machine. What the relay has inserted
    is published; committed places are kept per group and service."""

    def __init__(self, journal: Callable[[str], MongoJournal], offsets: Database[Document]) -> None:
        """`journal` opens a service's journal; `offsets` is the database that keeps groups' places."""
        self._journal = journal
        self._offsets = _collection(offsets, "offsets")
        with reading():
            self._offsets.create_index([("group", ASCENDING)])

    def publish(self, entries: Sequence[Envelope]) -> None:
        """Nothing is left to do: the entries are where they are read."""

    def subscribe(self, group: str, services: Sequence[str]) -> MongoSubscription:
        return MongoSubscription(group, {s: self._journal(s) for s in services}, self._offsets)

    def lag(self, group: str, services: Sequence[str]) -> int:
        with reading():
            stored = {d["service"]: d["position"] for d in self._offsets.find({"group": group})}
        return sum(self._journal(service).head() - stored.get(service, 0) for service in services)

    def forget(self, group: str) -> None:
        with writing():
            self._offsets.delete_many({"group": group})


class MongoSubscription:
    """A group's way through the journals, the services taking turns."""

    def __init__(self, group: str, journals: dict[str, MongoJournal], offsets: Collection[Document]) -> None:
        self._group = group
        self._journals = journals
        self._offsets = offsets
        with reading():
            stored = {d["service"]: d["position"] for d in offsets.find({"group": group})}
        self._next: dict[str, int] = {service: stored.get(service, 0) for service in journals}
        self._committed = dict(self._next)

    def poll(self, limit: int) -> list[Envelope]:
        """Each service has its share, and those that have more share what the others leave."""
        polled: list[Envelope] = []
        services = list(self._journals)
        while services and len(polled) < limit:
            share = max(1, (limit - len(polled)) // len(services))
            services = [s for s in services if self._take(s, min(share, limit - len(polled)), polled)]
        return polled

    def _take(self, service: str, share: int, polled: list[Envelope]) -> bool:
        """Whether a service had all of its share, and so perhaps more."""
        entries = self._journals[service].read(self._next[service], share) if share else []
        self._next[service] += len(entries)
        polled += entries
        return len(entries) == share

    def commit(self) -> None:
        """Another member of the group may have come further: a place does not go back."""
        moved = {s: p for s, p in self._next.items() if p != self._committed[s]}
        requests = [
            UpdateOne(
                {"_id": f"{self._group}|{service}"},
                {"$max": {"position": position}, "$set": {"group": self._group, "service": service}},
                upsert=True,
            )
            for service, position in moved.items()
        ]
        if requests:
            with writing():
                self._offsets.bulk_write(requests, ordered=False)
        self._committed |= moved

    def lag(self) -> int:
        return sum(journal.head() - self._committed[s] for s, journal in self._journals.items())

    def close(self) -> None:
        """Nothing is held open."""


class Together:
    """Several statements made durable at once where the store has transactions: a replica set, and the embedded store,
    which otherwise writes its log to the disk for each statement. Nothing relies on their being one: without
    transactions they are stored one after the other."""

    def __init__(self, client: MongoClient[Document]) -> None:
        self._client = client
        self._possible: bool | None = None

    def write(
        self, collection: Collection[Document], requests: Sequence[InsertOne[Document] | ReplaceOne[Document]]
    ) -> BulkWriteResult:
        """In order, up to the first that fails. Raises BulkWriteError, and StaleDocument when another transaction
        writes one of these documents at the same moment."""
        if len(requests) == 1 or not self._transactions():
            return collection.bulk_write(requests, ordered=True)
        try:
            with self._client.start_session() as session, session.start_transaction():
                return collection.bulk_write(requests, ordered=True, session=session)
        except OperationFailure as error:
            if error.code == WRITE_CONFLICT:
                raise StaleDocument(f"{collection.name}: another one writes at this moment") from error
            raise

    def _transactions(self) -> bool:
        if self._possible is None:
            self._possible = "setName" in self._client.admin.command("hello")
        return self._possible


class MongoDocuments:
    """Read-model documents of one service, one collection per view and generation."""

    def __init__(self, database: Database[Document]) -> None:
        self._database = database
        self._together = Together(database.client)
        self._indexed: set[tuple[str, tuple[str, ...]]] = set()
        self._leaving: dict[str, list[str]] = {}

    def get(self, collection: str, ids: Sequence[str]) -> dict[str, Document]:
        found: dict[str, Document] = {}
        with reading():
            for start in range(0, len(ids), AT_ONCE):
                some = list(ids[start : start + AT_ONCE])
                found |= {d["_id"]: d for d in self._of(collection).find({"_id": {"$in": some}})}
        return found

    def put(self, collection: str, changes: Sequence[tuple[int, Document]]) -> None:
        if not changes:
            return
        new = [InsertOne(document) for read_at, document in changes if not read_at]
        known = [ReplaceOne({"_id": d["_id"], "revision": read_at}, d) for read_at, d in changes if read_at]
        requests: list[InsertOne[Document] | ReplaceOne[Document]] = [*new, *known]
        for start in range(0, len(requests), PUT):
            self._put(collection, requests[start : start + PUT])

    def _put(self, collection: str, requests: Sequence[InsertOne[Document] | ReplaceOne[Document]]) -> None:
        try:
            with writing():
                done = self._together.write(self._of(collection), requests)
        except BulkWriteError as error:
            if only_duplicates(error):
                raise StaleDocument(f"{collection}: a document exists already") from None
            raise OutcomeUnknown(str(error)) from error
        if done.matched_count + done.inserted_count != len(requests):
            raise StaleDocument(f"{collection}: a document was changed by another projector")

    def delete(self, collection: str, ids: Sequence[str]) -> None:
        if ids:
            with writing():
                self._of(collection).delete_many({"_id": {"$in": list(ids)}})

    def find(
        self, collection: str, equal: Mapping[str, Any], order: str = "_id", after: Any = None, limit: int = 0
    ) -> list[Document]:
        where: Document = dict(equal)
        if after is not None:
            where[order] = {"$gt": after}
        with reading():
            return list(self._of(collection).find(where).sort(order, ASCENDING).limit(limit))

    def count(self, collection: str, equal: Mapping[str, Any]) -> int:
        with reading():
            return self._of(collection).count_documents(dict(equal))

    def ensure_index(self, collection: str, fields: Sequence[str]) -> None:
        key = (collection, tuple(fields))
        if key not in self._indexed:
            with writing():
                self._of(collection).create_index([(f, ASCENDING) for f in fields])
            self._indexed.add(key)

    def drop(self, collection: str) -> int:
        """Document by document: the embedded store stands still while it drops a collection that holds many."""
        if collection not in self._leaving:
            with reading():
                self._leaving[collection] = [d["_id"] for d in self._of(collection).find({}, {"_id": 1})]
        gone = self._leaving[collection][-DROPPED:]
        if gone:
            self.delete(collection, gone)
            del self._leaving[collection][-DROPPED:]
            return len(gone)
        with writing():
            self._of(collection).drop()
        del self._leaving[collection]
        self._indexed = {key for key in self._indexed if key[0] != collection}
        return 0

    def _of(self, collection: str) -> Collection[Document]:
        return _collection(self._database, collection)


def only_duplicates(error: BulkWriteError) -> bool:
    """Whether nothing else failed than inserting what is there already."""
    errors = error.details.get("writeErrors") or []
    return bool(errors) and all(e.get("code") == DUPLICATE for e in errors)


def commit_document(commit: Commit) -> Document:
    """A commit as it is inserted, waiting for the relay."""
    document: Document = {f: getattr(commit, f) for f in commit.__struct_fields__}
    document["_id"] = commit.id
    document["received_at"] = to_micros(commit.received_at)
    document["events"] = [{"type": e.type, "version": e.version, "data": Binary(e.data)} for e in commit.events]
    document["pending"] = True
    return document


def _commit(document: Document) -> Commit:
    fields = {f: document[f] for f in Commit.__struct_fields__}
    fields["received_at"] = from_micros(document["received_at"])
    fields["events"] = tuple(Recorded(e["type"], e["version"], bytes(e["data"])) for e in document["events"])
    return Commit(**fields)


def entry_document(entry: Envelope) -> Document:
    """A log entry as the relay inserts it."""
    document: Document = msgspec.structs.asdict(entry)
    document["_id"] = entry.id
    document["data"] = Binary(entry.data)
    document["received_at"] = to_micros(entry.received_at)
    document["recorded_at"] = to_micros(entry.recorded_at)
    return document


def _entry(document: Document) -> Envelope:
    fields = {f: document[f] for f in Envelope.__struct_fields__}
    fields["data"] = bytes(document["data"])
    fields["received_at"] = from_micros(document["received_at"])
    fields["recorded_at"] = from_micros(document["recorded_at"])
    return Envelope(**fields)
