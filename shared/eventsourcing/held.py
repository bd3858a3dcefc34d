"""Events that could not be handled, with every later one of the same competition, until a retry drains them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

import msgspec

from shared.eventsourcing.clock import Clock, to_micros
from shared.eventsourcing.errors import HeldLimitReached, StaleDocument
from shared.eventsourcing.ports import Document, Documents
from shared.eventsourcing.records import Envelope

KEYS = "held_competitions"
EVENTS = "held_events"
LIMIT = 10_000
PATIENCE = 6
"""After so many tries a competition is parked: a person must ask for the next."""
FIRST_WAIT = timedelta(seconds=1)

_encode = msgspec.json.Encoder(order="sorted").encode
_decode = msgspec.json.Decoder(Envelope).decode


class Held:
    """What one consumer holds. A competition's entry says how often it was tried, when it is tried next, whether it
    is parked and why; its events stand beside it, ordered by service and position.

    An entry is never removed but marked as not held, and each change of what it holds raises its revision: so of two
    processes that hold and drain at the same moment, one is told StaleDocument and begins again."""

    def __init__(self, documents: Documents, consumer: str, clock: Clock, limit: int = LIMIT) -> None:
        documents.ensure_index(KEYS, ["consumer", "held", "_id"])
        documents.ensure_index(EVENTS, ["held_by", "_id"])
        documents.ensure_index(EVENTS, ["consumer", "_id"])
        self._documents = documents
        self._consumer = consumer
        self._clock = clock
        self._limit = limit

    def entries(self) -> list[Document]:
        """One document per held competition: competition, tries, next_at (µs), parked, error, first event's id."""
        return self._documents.find(KEYS, {"consumer": self._consumer, "held": True})

    def events(self, competition: str, limit: int = 0) -> list[Envelope]:
        """The held events of a competition, at most `limit` (0: all); those of one service in order of position."""
        stored = self._documents.find(EVENTS, {"held_by": self._key(competition)}, limit=limit)
        return [_decode(d["envelope"]) for d in stored]

    def due(self, entries: Sequence[Document]) -> list[str]:
        """The competitions of these entries that are to be tried now."""
        now = to_micros(self._clock.now())
        return [e["competition"] for e in entries if not e["parked"] and e["next_at"] <= now]

    def begin(self, competition: str, events: Sequence[Envelope], error: Exception) -> None:
        """Hold a competition from its failing event on. Events first: a crash between leaves no entry without them,
        and the events come again."""
        entry = self._entry(competition)
        self._keep(competition, events)
        self._write(entry, tries=1, error=error, first=events[0].id)

    def add(self, competition: str, events: Sequence[Envelope]) -> None:
        """Hold later events of a held competition too; one that is held already is not held twice.

        Raises HeldLimitReached when there are too many: then the fault is not one event's."""
        entry = self._entry(competition)
        self._keep(competition, events)
        if not entry["held"]:
            raise StaleDocument(f"{competition} is not held any more")
        self._put(entry)

    def again(self, competition: str, done: Sequence[Envelope], error: Exception) -> None:
        """A retry came this far and failed again: drop what is done, wait longer, park when patience is at an end."""
        entry = self._entry(competition)
        self._delete(competition, done)
        first = self.events(competition, limit=1)[0].id
        self._write(entry, tries=1 if done else entry["tries"] + 1, error=error, first=first)

    def end(self, competition: str, done: Sequence[Envelope]) -> None:
        """These were handled: drop them. What is left is tried at the next step; nothing left, nothing held."""
        entry = self._entry(competition)
        self._delete(competition, done)
        left = self.events(competition, limit=1)
        self._put(entry | ({"tries": 0, "next_at": 0, "first": left[0].id} if left else {"held": False}))

    def retry(self, competition: str) -> bool:
        """Ask for a parked competition to be tried at the next step; False when it is not held."""
        entry = self._entry(competition)
        if entry["held"]:
            self._put(entry | {"tries": 0, "next_at": 0, "parked": False})
        return bool(entry["held"])

    def drop(self) -> None:
        """Forget everything this consumer holds."""
        for collection in (EVENTS, KEYS):
            stored = self._documents.find(collection, {"consumer": self._consumer})
            self._documents.delete(collection, [d["_id"] for d in stored])

    def _keep(self, competition: str, events: Sequence[Envelope]) -> None:
        ids = [self._event(competition, event) for event in events]
        known = self._documents.get(EVENTS, ids)
        document = {"revision": 1, "held_by": self._key(competition), "consumer": self._consumer}
        changes = [
            (0, document | {"_id": name, "envelope": _encode(event)})
            for name, event in zip(ids, events, strict=True)
            if name not in known
        ]
        if not changes:
            return
        if self._documents.count(EVENTS, {"consumer": self._consumer}) + len(changes) > self._limit:
            raise HeldLimitReached(self._consumer, self._limit)
        self._documents.put(EVENTS, changes)

    def _write(self, entry: Document, *, tries: int, error: Exception, first: str) -> None:
        wait = FIRST_WAIT * 2 ** (tries - 1)
        self._put(
            entry
            | {
                "held": True,
                "tries": tries,
                "next_at": to_micros(self._clock.now() + wait),
                "parked": tries >= PATIENCE,
                "first": first,
                "error": f"{type(error).__name__}: {error}",
            }
        )

    def _put(self, entry: Document) -> None:
        self._documents.put(KEYS, [(entry["revision"], entry | {"revision": entry["revision"] + 1})])

    def _delete(self, competition: str, events: Sequence[Envelope]) -> None:
        self._documents.delete(EVENTS, [self._event(competition, event) for event in events])

    def _entry(self, competition: str) -> Document:
        key = self._key(competition)
        blank = {"_id": key, "revision": 0, "consumer": self._consumer, "competition": competition, "held": False}
        return self._documents.get(KEYS, [key]).get(key, blank)

    def _key(self, competition: str) -> str:
        return f"{self._consumer}|{competition}"

    def _event(self, competition: str, event: Envelope) -> str:
        return f"{self._key(competition)}|{event.service}|{event.position:015d}"
