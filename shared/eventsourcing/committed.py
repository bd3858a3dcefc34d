"""The commits read as an event log: what every event says comes from its commit, its position from the journal.

For proving that nothing but the commits is needed: a rebuild from here equals one from Kafka to the last byte. Groups'
places are kept in memory."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Sequence

from shared.eventsourcing.errors import StreamDamaged
from shared.eventsourcing.ports import CommitStore, Journal
from shared.eventsourcing.records import Commit, Envelope

REMEMBERED = 1_000
"""How many streams are kept at hand while the log is walked through."""


class CommittedLog:
    """The journals and commits of all services, for reading."""

    def __init__(self, journal: Callable[[str], Journal], commits: Callable[[str], CommitStore]) -> None:
        self._journal = journal
        self._commits = commits
        self._places: dict[str, dict[str, int]] = {}

    def publish(self, entries: Sequence[Envelope]) -> None:
        """Nothing: what was committed is here."""

    def subscribe(self, group: str, services: Sequence[str]) -> CommittedSubscription:
        places = self._places.setdefault(group, {})
        walks = {s: _Walk(self._journal(s), self._commits(s), places.get(s, 0)) for s in services}
        return CommittedSubscription(walks, places)

    def lag(self, group: str, services: Sequence[str]) -> int:
        places = self._places.get(group, {})
        return sum(self._journal(service).head() - places.get(service, 0) for service in services)

    def forget(self, group: str) -> None:
        self._places.pop(group, None)


class CommittedSubscription:
    """A way through the services, which take turns."""

    def __init__(self, walks: dict[str, _Walk], places: dict[str, int]) -> None:
        self._walks = walks
        self._places = places

    def poll(self, limit: int) -> list[Envelope]:
        """Raises StreamDamaged for an entry that no commit stands behind."""
        polled: list[Envelope] = []
        share = max(1, limit // len(self._walks))
        for walk in self._walks.values():
            polled += walk.next(min(share, limit - len(polled)))
        return polled

    def commit(self) -> None:
        for service, walk in self._walks.items():
            self._places[service] = max(walk.position, self._places.get(service, 0))

    def lag(self) -> int:
        return sum(walk.head() - self._places.get(service, 0) for service, walk in self._walks.items())

    def close(self) -> None:
        """Nothing is held open."""


class _Walk:
    """One service's events in order of position."""

    def __init__(self, journal: Journal, commits: CommitStore, position: int) -> None:
        self.position = position
        self._journal = journal
        self._commits = commits
        self._streams: OrderedDict[str, dict[int, Commit]] = OrderedDict()

    def next(self, limit: int) -> list[Envelope]:
        entries = self._journal.read(self.position, limit)
        events = [self._event(entry) for entry in entries]
        self.position += len(entries)
        return events

    def head(self) -> int:
        return self._journal.head()

    def _event(self, entry: Envelope) -> Envelope:
        commit = self._commit(entry.stream, entry.version)
        return Envelope.of(commit, entry.version - commit.first, entry.position, entry.previous, entry.recorded_at)

    def _commit(self, stream: str, version: int) -> Commit:
        known = self._streams.get(stream, {})
        if version not in known:
            known = {n: c for c in self._commits.stream(stream) for n in range(c.first, c.last + 1)}
            self._streams[stream] = known
            if len(self._streams) > REMEMBERED:
                self._streams.popitem(last=False)
        if version not in known:
            raise StreamDamaged(stream, version)
        return known[version]
