"""How far a consumer has come, per competition and per stream."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

import msgspec

from shared.eventsourcing.errors import GapInLog
from shared.eventsourcing.ports import Document, Documents
from shared.eventsourcing.records import Envelope, canonical

CHECKPOINTS = "checkpoints"


class Checkpoints:
    """One consumer's checkpoints: the last position by (service, competition), which recognises repeats and gaps,
    and the last version by (service, stream), which answers "is what I wrote there yet?".

    The versions of the streams of one folder (`match/<competition>`) stand in one document: a batch of a hall's tables
    moves many of them at once."""

    def __init__(self, documents: Documents, consumer: str) -> None:
        documents.ensure_index(CHECKPOINTS, ["consumer", "_id"])
        self._documents = documents
        self._consumer = consumer

    def read(self, competition: str, events: Sequence[Envelope]) -> Place:
        """How far this consumer is with a competition and with the streams of these events."""
        key = self._competition(competition)
        folders = {self._folder(e.service, e.stream)[0] for e in events}
        return Place(self, key, self._documents.get(CHECKPOINTS, [key, *sorted(folders)]))

    def advance(self, key: str, stored: dict[str, Document], seen: dict[str, int], events: Sequence[Envelope]) -> None:
        """Store what was seen, and the versions of these events, over the documents that were read; and keep those as
        they are now. Raises StaleDocument when one of them was changed since."""
        moved: dict[str, dict[str, int]] = {}
        for event in events:
            folder, name = self._folder(event.service, event.stream)
            if folder not in moved:
                moved[folder] = _versions(stored.get(folder))
            moved[folder][name] = max(event.version, moved[folder].get(name, 0))
        fields: dict[str, Document] = {folder: {"versions": canonical(moved[folder])} for folder in moved}
        changes = [
            (revision, {"_id": name, "revision": revision + 1, "consumer": self._consumer, **changed})
            for name, changed in (fields | {key: {"seen": seen}}).items()
            for revision in [stored.get(name, {}).get("revision", 0)]
        ]
        self._documents.put(CHECKPOINTS, changes)
        stored |= {document["_id"]: document for _, document in changes}

    def version(self, service: str, stream: str) -> int:
        """The last version of a stream that was dealt with, 0 for none."""
        folder, name = self._folder(service, stream)
        return _versions(self._documents.get(CHECKPOINTS, [folder]).get(folder)).get(name, 0)

    def positions(self) -> dict[tuple[str, str], int]:
        """The last position dealt with, by competition and service."""
        stored = self._documents.find(CHECKPOINTS, {"consumer": self._consumer})
        begin = len(self._competition(""))
        return {(d["_id"][begin:], service): at for d in stored for service, at in d.get("seen", {}).items()}

    def seen(self, competitions: Collection[str]) -> dict[str, dict[str, int]]:
        """The last position dealt with of each of these competitions, by service."""
        keys = {self._competition(competition): competition for competition in competitions}
        stored = self._documents.get(CHECKPOINTS, list(keys))
        return {competition: dict(stored.get(key, {}).get("seen", {})) for key, competition in keys.items()}

    def drop(self) -> None:
        """Forget everything (a projection's generation that was replaced)."""
        stored = self._documents.find(CHECKPOINTS, {"consumer": self._consumer})
        self._documents.delete(CHECKPOINTS, [d["_id"] for d in stored])

    def _competition(self, competition: str) -> str:
        return f"{self._consumer}|competition|{competition}"

    def _folder(self, service: str, stream: str) -> tuple[str, str]:
        """The document that has a stream's version, and the stream's name in it. A stream that is no part of a
        competition's folder has one of its own."""
        folder, _, name = stream.rpartition("/") if stream.count("/") > 1 else (stream, "", "")
        return f"{self._consumer}|streams|{service}|{folder}", name


class Place:
    """One consumer's checkpoints of one competition as they were read, and as it has moved them since."""

    def __init__(self, checkpoints: Checkpoints, key: str, stored: dict[str, Document]) -> None:
        self._checkpoints = checkpoints
        self._key = key
        self._stored = stored

    def unseen(self, events: Sequence[Envelope]) -> list[Envelope]:
        """The events not dealt with yet, be there a gap before them or not."""
        seen = self._seen()
        return [event for event in events if event.position > seen.get(event.service, 0)]

    def fresh(self, events: Sequence[Envelope]) -> list[Envelope]:
        """The events not dealt with yet. Raises GapInLog when one before them is missing."""
        seen = self._seen()
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

    def advance(self, events: Sequence[Envelope]) -> None:
        """Remember that these events, of those that were read for, are dealt with. Raises StaleDocument when another
        one has written since they were read."""
        if not events:
            return
        seen = self._seen()
        for event in events:
            seen[event.service] = max(event.position, seen.get(event.service, 0))
        self._checkpoints.advance(self._key, self._stored, seen, events)

    def _seen(self) -> dict[str, int]:
        return dict(self._stored.get(self._key, {}).get("seen", {}))


def by_competition(events: Iterable[Envelope]) -> dict[str, list[Envelope]]:
    """Events grouped by competition, order kept within each."""
    groups: dict[str, list[Envelope]] = {}
    for event in events:
        groups.setdefault(event.competition, []).append(event)
    return groups


def _versions(document: Document | None) -> dict[str, int]:
    return _decode(document["versions"]) if document else {}


_decode = msgspec.json.Decoder(dict[str, int]).decode
