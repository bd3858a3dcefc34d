"""Documents that are counted as they are read, and the indexes by which they are found."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from shared.eventsourcing.clock import Clock
from shared.eventsourcing.memory import MemoryDocuments
from shared.eventsourcing.ports import Document, Ports
from tests.support.world import InMemory, WaitUntil


class Query(NamedTuple):
    """A search that was made: equality on these fields, in the order of one."""

    collection: str
    equal: tuple[str, ...]
    order: str


class Counted(MemoryDocuments):
    """`read` counts the documents that were handed out; `queries` are the searches, `indexes` what they may go by."""

    def __init__(self) -> None:
        super().__init__()
        self.read = 0
        self.queries: set[Query] = set()
        self.indexes: dict[str, list[tuple[str, ...]]] = {}

    def get(self, collection: str, ids: Sequence[str]) -> dict[str, Document]:
        found = super().get(collection, ids)
        self.read += len(found)
        return found

    def find(
        self, collection: str, equal: Mapping[str, Any], order: str = "_id", after: Any = None, limit: int = 0
    ) -> list[Document]:
        found = super().find(collection, equal, order, after, limit)
        self.read += len(found)
        self.queries.add(Query(collection, tuple(sorted(equal)), order))
        return found

    def count(self, collection: str, equal: Mapping[str, Any]) -> int:
        """Counting reads nothing that is handed out, but it must have its index too."""
        self.queries.add(Query(collection, tuple(sorted(equal)), "_id"))
        return super().count(collection, equal)

    def ensure_index(self, collection: str, fields: Sequence[str]) -> None:
        super().ensure_index(collection, fields)
        self.indexes.setdefault(collection, []).append(tuple(fields))

    def without_index(self) -> list[Query]:
        """The searches that no index answers: none has their fields first and then their order."""
        return sorted(query for query in self.queries if not self._answered(query))

    def _answered(self, query: Query) -> bool:
        if not query.equal and query.order == "_id":
            return True  # all of a collection, by its id
        some = len(query.equal)
        return any(
            set(index[:some]) == set(query.equal) and (index[some : some + 1] or ("_id",))[0] == query.order
            for index in self.indexes.get(query.collection, ())
        )


class CountedMeans(InMemory):
    """A world's means whose documents are counted, by service."""

    def __init__(self) -> None:
        super().__init__()
        self.documents: dict[str, Counted] = {}

    def ports(self, name: str, clock: Clock, wait_until: WaitUntil) -> Ports:
        ports = super().ports(name, clock, wait_until)
        ports.documents = self.documents[name] = Counted()
        return ports

    def read(self) -> int:
        """How many documents were handed out so far, of all services."""
        return sum(each.read for each in self.documents.values())
