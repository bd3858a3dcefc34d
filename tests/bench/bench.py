"""What the rows share: a document store and folders that go when the bench ends, and the list of rows."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable
from contextlib import ExitStack
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from pymongo import MongoClient
from pymongo.collection import Collection

from deploy.kafka import LocalKafka
from deploy.store import EmbeddedStore
from shared.eventsourcing.mongo import READ_CONCERN, WRITE_CONCERN, connect
from shared.eventsourcing.ports import Document
from tests.bench.measuring import Line, Tick


class Bench:
    """The means of one run. Nothing outlives it."""

    def __init__(self, held: ExitStack) -> None:
        self.held = held
        self._folder = Path(held.enter_context(tempfile.TemporaryDirectory(prefix="pailu-bench-")))
        self._made = 0

    def folder(self) -> Path:
        """An empty folder."""
        self._made += 1
        made = self._folder / str(self._made)
        made.mkdir()
        return made

    def store(self) -> EmbeddedStore:
        """A store of its own, as `pailu up` starts it."""
        return self.held.enter_context(EmbeddedStore(self.folder()))

    def client(self, store: EmbeddedStore) -> MongoClient[Document]:
        """A client as the services have it."""
        client = connect(store.url, answer_ms=120_000)
        self.held.callback(client.close)
        return client

    def broker(self) -> LocalKafka:
        """A Kafka of one node, as `make kafka` starts it."""
        return self.held.enter_context(LocalKafka(self.folder()))

    @cached_property
    def shared(self) -> MongoClient[Document]:
        """A client of a store that several rows use, each in databases of its own."""
        return self.client(self.store())


@dataclass(frozen=True)
class Row:
    """A row: its name on the command line, how many ticks of the progress bar it takes, and how it is measured."""

    name: str
    what: str
    ticks: int
    measure: Callable[[Bench, Tick], Iterable[Line]]


def bare(client: MongoClient[Document], database: str, name: str, like: Collection[Document]) -> Collection[Document]:
    """A collection as one would use it without us: the same durability, and the same indexes as another has."""
    made = client[database].get_collection(name, write_concern=WRITE_CONCERN, read_concern=READ_CONCERN)
    for index in like.index_information().values():
        options: dict[str, Any] = {k: v for k, v in index.items() if k in ("unique", "partialFilterExpression")}
        if index["key"] != [("_id", 1)]:
            made.create_index(index["key"], **options)
    return made
