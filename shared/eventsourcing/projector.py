"""Read models: rows folded from events, each row by itself.

A row remembers, per service, the last position folded into it. So a crash between two writes, a repeated delivery
and a rebuild all end in the same bytes: what is in a row already is skipped, what is not is folded. Because topics
arrive in any order, a row must not depend on which service's event came first: it keeps what each service said in
fields of its own and derives the rest.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Generic, TypeVar

import msgspec

from shared.eventsourcing.ports import Codec, Document, Documents
from shared.eventsourcing.records import Envelope, canonical, plain

R = TypeVar("R", bound=msgspec.Struct)
Fold = Callable[[Any, Any, Envelope], "bool | None"]
Keys = Callable[[Any, Envelope], Iterable[str]]


def _by_competition(_event: Any, at: Envelope) -> Iterable[str]:
    return (at.competition,)


ROW = "row"
"""The field of a document that holds the row, as canonical JSON: a store, and its driver, carry that as it is, where
every value in a document of many fields costs them time at each read and write."""


class View(Generic[R]):
    """One kind of row. `row` is a mutable Struct with a field `id` and a default for every other field: the row as
    it is before any event. `indexes` are the field lists that reads ask by (see Documents.ensure_index): these fields
    stand in the document beside the row."""

    def __init__(self, name: str, row: type[R], indexes: Sequence[Sequence[str]] = ()) -> None:
        if taken := {"_id", "revision", "applied", ROW} & set(row.__struct_fields__):
            raise ValueError(f"view {name} has fields that every row has already: {sorted(taken)}")
        self.name = name
        self.row = row
        self.indexes = indexes
        self.asked = sorted({field for fields in indexes for field in fields} - {"_id"})
        self._decode = msgspec.json.Decoder(row).decode
        self._folds: dict[type, tuple[Keys, Fold]] = {}

    def on(self, event: type, keys: Keys = _by_competition) -> Callable[[Fold], Fold]:
        """Register a fold `(row, event, envelope)` that changes the row in place; `keys` names the rows an event is
        folded into (default: the one of its competition). A fold that returns False has left the row as it was, which
        then is not written: for what seldom changes anything, and where no other service's events decide upon that."""

        def register(fold: Fold) -> Fold:
            if event in self._folds:
                raise ValueError(f"view {self.name} folds {event.__name__} already")
            self._folds[event] = (keys, fold)
            return fold

        return register

    def work(self, events: Iterable[tuple[Any, Envelope]]) -> list[tuple[str, Any, Envelope]]:
        """Which of these events are folded into which rows, in order."""
        folds = self._folds
        return [
            (key, event, at)
            for event, at in events
            if type(event) in folds
            for key in dict.fromkeys(folds[type(event)][0](event, at))
        ]

    def fold(self, row: R, event: Any, at: Envelope) -> bool:
        """Fold an event into a row in place; whether that may have changed it."""
        return self._folds[type(event)][1](row, event, at) is not False

    def blank(self, id: str) -> R:
        """The row before any event."""
        return msgspec.convert({"id": id}, self.row)

    def load(self, document: Document) -> R:
        """A row from its document. One of a generation that was built before rows were kept as JSON has fields."""
        if ROW in document:
            return self._decode(document[ROW])
        return msgspec.convert({**document, "id": document["_id"]}, self.row, str_keys=True)

    def dump(self, row: R) -> Document:
        """A row as a document holds it."""
        asked = {field: msgspec.to_builtins(getattr(row, field), enc_hook=plain) for field in self.asked}
        return {"_id": row.id, **asked, ROW: _encoded(row)}  # type: ignore[attr-defined]


class Projection:
    """A set of views fed by the same topics and rebuilt together. Raise `version` when a view's rows would come out
    otherwise than before: the new version is built beside the old and swapped in."""

    def __init__(self, name: str, version: int, services: Sequence[str], views: Sequence[View[Any]]) -> None:
        self.name = name
        self.version = version
        self.services = tuple(services)
        self.views = {view.name: view for view in views}

    def collection(self, generation: int, view: str) -> str:
        """The collection that holds a view's rows of one generation."""
        return f"{self.name}.{generation}.{view}"


class Projector:
    """Folds events into one generation of a projection; a `Handle` for a consumer."""

    def __init__(self, projection: Projection, generation: int, documents: Documents, codec: Codec) -> None:
        self._projection = projection
        self._generation = generation
        self._documents = documents
        self._codec = codec
        for view in projection.views.values():
            for fields in view.indexes:
                documents.ensure_index(self._collection(view), fields)

    def __call__(self, _competition: str, events: Sequence[Envelope]) -> None:
        """All folds come before the first write, so an event that cannot be folded leaves nothing of its batch."""
        decoded = [(self._codec.decode(e.type, e.type_version, e.data), e) for e in events]
        changes = [(view, self._folded(view, decoded)) for view in self._projection.views.values()]
        for view, changed in changes:
            if changed:
                self._documents.put(self._collection(view), changed)

    def _collection(self, view: View[Any]) -> str:
        return self._projection.collection(self._generation, view.name)

    def _folded(self, view: View[Any], decoded: Sequence[tuple[Any, Envelope]]) -> list[tuple[int, Document]]:
        work = view.work(decoded)
        if not work:
            return []
        wanted = list(dict.fromkeys(key for key, _, _ in work))
        stored = self._documents.get(self._collection(view), wanted)
        rows = {key: Row(view, key, stored.get(key)) for key in wanted}
        for key, event, at in work:
            rows[key].fold(event, at)
        return [row.change() for row in rows.values() if row.changed]


class Row:
    """A row in hand: what was read, and what it has become."""

    def __init__(self, view: View[Any], key: str, document: Document | None) -> None:
        self._view = view
        self._read_at = document["revision"] if document else 0
        self._revision = self._read_at
        self._applied: dict[str, int] = dict(document["applied"]) if document else {}
        self.value = view.load(document) if document else view.blank(key)

    @property
    def changed(self) -> bool:
        return self._revision > self._read_at

    def fold(self, event: Any, at: Envelope) -> None:
        """Fold an event that is not in the row yet. One that changes nothing is not noted either: it changes nothing
        when it comes again, before what changes the row next, and is passed over afterwards."""
        if at.position <= self._applied.get(at.service, 0):
            return
        if not self._view.fold(self.value, event, at):
            return
        self._applied[at.service] = at.position
        self._revision += 1

    def change(self) -> tuple[int, Document]:
        """What Documents.put takes. The revision counts what changed the row, so it does not depend on batches."""
        fields = self._view.dump(self.value)
        return self._read_at, {**fields, "revision": self._revision, "applied": self._applied}


def _encoded(row: msgspec.Struct) -> bytes:
    """The canonical bytes of a row; keys that are integers become texts."""
    try:
        return canonical(row)
    except TypeError:
        return canonical(msgspec.to_builtins(row, str_keys=True, enc_hook=plain))


def digest(projection: Projection, generation: int, documents: Documents) -> tuple[str, int]:
    """SHA-256 over the canonical bytes of every row of a generation in order of view and id, and how many rows."""
    sha, count = hashlib.sha256(), 0
    for name in sorted(projection.views):
        for document in documents.find(projection.collection(generation, name), {}):
            sha.update(canonical([name, document]))
            count += 1
    return sha.hexdigest(), count
