"""How far a consumer has come, per competition and per stream."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from shared.eventsourcing.errors import GapInLog
from shared.eventsourcing.ports import Document, Documents
from shared.eventsourcing.records import Envelope

CHECKPOINTS = "checkpoints"


class Checkpoints:
    """One consumer's checkpoints: the last position by (service, competition), which recognises repeats and gaps,
    and the last version by (service, stream), which answers "is what I wrote there yet?"."""

    def __init__(self, documents: Documents, consumer: str) -> None:
        documents.ensure_index(CHECKPOINTS, ["consumer", "_id"])
        self._documents = documents
        self._consumer = consumer

    def unseen(self, competition: str, events: Sequence[Envelope]) -> list[Envelope]:
        """The events not dealt with yet, be there a gap before them or not."""
        seen = self._seen(competition)
        return [event for event in events if event.position > seen.get(event.service, 0)]

    def fresh(self, competition: str, events: Sequence[Envelope]) -> list[Envelope]:
        """The events not dealt with yet. Raises GapInLog when one before them is missing."""
        seen = self._seen(competition)
        fresh = []
        for event in events:
            last = seen.get(event.service, 0)
            if event.position <= last:
                continue
            if event.previous > last:
                raise GapInLog(event.id, event.previous, last)
            seen[event.service] = event.position
            fresh.append(event)
        return fresh

    def advance(self, competition: str, events: Sequence[Envelope]) -> None:
        """Remember that these events are dealt with; what another consumer has come further with stays.

        Raises StaleDocument when another one writes at the same moment."""
        if not events:
            return
        key = self._competition(competition)
        streams = {self._stream(e.service, e.stream): e.version for e in events}
        stored = self._documents.get(CHECKPOINTS, [key, *streams])
        changes = [
            _changed(
                stored,
                name,
                {"consumer": self._consumer, "version": max(version, stored.get(name, {}).get("version", 0))},
            )
            for name, version in streams.items()
        ]
        seen = dict(stored.get(key, {}).get("seen", {}))
        for event in events:
            seen[event.service] = max(event.position, seen.get(event.service, 0))
        changes.append(_changed(stored, key, {"consumer": self._consumer, "seen": seen}))
        self._documents.put(CHECKPOINTS, changes)

    def version(self, service: str, stream: str) -> int:
        """The last version of a stream that was dealt with, 0 for none."""
        key = self._stream(service, stream)
        found = self._documents.get(CHECKPOINTS, [key]).get(key)
        return int(found["version"]) if found else 0

    def positions(self) -> dict[tuple[str, str], int]:
        """The last position dealt with, by competition and service."""
        stored = self._documents.find(CHECKPOINTS, {"consumer": self._consumer})
        begin = len(self._competition(""))
        return {(d["_id"][begin:], service): at for d in stored for service, at in d.get("seen", {}).items()}

    def drop(self) -> None:
        """Forget everything (a projection's generation that was replaced)."""
        stored = self._documents.find(CHECKPOINTS, {"consumer": self._consumer})
        self._documents.delete(CHECKPOINTS, [d["_id"] for d in stored])

    def _seen(self, competition: str) -> dict[str, int]:
        key = self._competition(competition)
        return dict(self._documents.get(CHECKPOINTS, [key]).get(key, {}).get("seen", {}))

    def _competition(self, competition: str) -> str:
        return f"{self._consumer}|competition|{competition}"

    def _stream(self, service: str, stream: str) -> str:
        return f"{self._consumer}|stream|{service}|{stream}"


def by_competition(events: Iterable[Envelope]) -> dict[str, list[Envelope]]:
    """Events grouped by competition, order kept within each."""
    groups: dict[str, list[Envelope]] = {}
    for event in events:
        groups.setdefault(event.competition, []).append(event)
    return groups


def _changed(stored: dict[str, Document], key: str, fields: Document) -> tuple[int, Document]:
    revision = stored.get(key, {}).get("revision", 0)
    return revision, {"_id": key, "revision": revision + 1, **fields}
