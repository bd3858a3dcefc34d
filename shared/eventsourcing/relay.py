"""The relay gives every event of a service its position, after its commit is durable, and publishes in that order."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta

from shared.eventsourcing.clock import Clock
from shared.eventsourcing.errors import PositionTaken
from shared.eventsourcing.ports import CommitStore, EventLog, Journal
from shared.eventsourcing.records import Commit, Envelope

LEASE = timedelta(seconds=10)
BATCH = 500
REMEMBERED = 10_000


class Heads:
    """A bounded memory of the last version or position by key, asked of the journal when unknown.

    What it remembers is right as long as no other relay inserts. One that does has moved the journal's head, which
    the relay looks at first, or takes a position the relay is about to use: either empties it."""

    def __init__(self, ask: Callable[[str], int]) -> None:
        self._ask = ask
        self._known: OrderedDict[str, int] = OrderedDict()

    def __getitem__(self, key: str) -> int:
        if key not in self._known:
            self[key] = self._ask(key)
        self._known.move_to_end(key)
        return self._known[key]

    def __setitem__(self, key: str, value: int) -> None:
        self._known[key] = value
        if len(self._known) > REMEMBERED:
            self._known.popitem(last=False)

    def clear(self) -> None:
        self._known.clear()


class Relay:
    """One of any number of relays of a service; the lease keeps all but one idle, the journal's unique positions
    keep them right even when it does not.

    A step may end anywhere: every part of it can be repeated. Sequencing skips events that have a position,
    publishing repeats identical messages, marking is idempotent."""

    def __init__(
        self, commits: CommitStore, journal: Journal, log: EventLog, clock: Clock, holder: str, batch: int = BATCH
    ) -> None:
        self._commits = commits
        self._journal = journal
        self._log = log
        self._clock = clock
        self._holder = holder
        self._batch = batch
        self._versions = Heads(journal.stream_version)
        self._positions = Heads(journal.competition_position)
        self._head = 0
        self._recorded_at: datetime | None = None
        self._published: int | None = None
        self._renew_at: datetime | None = None
        self._begun = False
        self.on_publish: Callable[[], None] = lambda: None
        self.on_begin: Callable[[], None] = lambda: None
        """Called before publishing, at first, whenever the lease was renewed, and after a failure: the log may have
        lost what it had, and `published` be moved back for that. Where it raises, nothing is published yet."""

    def step(self) -> int:
        """Sequence and publish one batch; how many events were sequenced or published, 0 when idle or not in
        charge. Raises what store and log raise; the next step goes on from what is durable."""
        if not self._in_charge():
            self._forget()
            return 0
        try:
            entries = self._sequence(self._commits.pending(self._batch))
        except PositionTaken:
            self._forget()
            return 0
        return len(entries) + self._publish(entries)

    def lag(self) -> int:
        """Events with a position that the event log has not acknowledged, plus commits waiting (at most a batch)."""
        return self._journal.head() - self._journal.published() + len(self._commits.pending(self._batch))

    def _in_charge(self) -> bool:
        """Renew when half the lease is gone. A lease stolen before that is found out at the journal's fence."""
        now = self._clock.now()
        if self._renew_at is None or now >= self._renew_at:
            taken = self._journal.take_lease(self._holder, now, now + LEASE)
            self._begun = False
            self._renew_at = now + LEASE / 2 if taken else None
        return self._renew_at is not None

    def _sequence(self, commits: Sequence[Commit]) -> list[Envelope]:
        entries = self._entries(commits)
        if entries:
            self._journal.insert(entries)
        for entry in entries:
            self._head, self._recorded_at = entry.position, entry.recorded_at
            self._versions[entry.stream] = entry.version
            self._positions[entry.competition] = entry.position
        self._commits.mark_sequenced([c for c in commits if self._versions[c.stream] >= c.last])
        return entries

    def _entries(self, commits: Sequence[Commit]) -> list[Envelope]:
        """The events of these commits that have no position yet, with the positions they shall have."""
        position = self._journal.head()
        if position != self._head:
            self._forget_journal()
            self._head, self._recorded_at = position, self._journal.last_recorded_at()
        recorded_at = self._stamp()
        versions, positions = dict[str, int](), dict[str, int]()
        entries: list[Envelope] = []
        for commit in commits:
            version = versions.get(commit.stream) or self._versions[commit.stream]
            if commit.first > version + 1:
                continue  # an earlier commit of the stream was not in this scan; it comes with the next
            for offset in range(version + 1 - commit.first, len(commit.events)):
                position += 1
                previous = positions.get(commit.competition) or self._positions[commit.competition]
                entries.append(Envelope.of(commit, offset, position, previous, recorded_at))
                versions[commit.stream] = commit.first + offset
                positions[commit.competition] = position
        return entries

    def _stamp(self) -> datetime:
        """The present, or the last entry's stamp where the clock has gone back since."""
        now = self._clock.now()
        return now if self._recorded_at is None else max(now, self._recorded_at)

    def _publish(self, inserted: Sequence[Envelope]) -> int:
        """What is not published yet; that is read, unless it is just what this step has inserted."""
        if not self._begun:
            self.on_begin()
            self._begun, self._published = True, None
        if self._published is None:
            self._published = self._journal.published()
        if self._published >= self._head:
            return 0
        follows = inserted and inserted[0].position == self._published + 1
        entries = inserted if follows else self._journal.read(self._published, self._batch)
        if entries:
            self._hand_over(entries)
            if self._journal.mark_published(entries[-1].position, self._published):
                self._published = entries[-1].position
            else:
                self._forget()
        return len(entries)

    def _hand_over(self, entries: Sequence[Envelope]) -> None:
        try:
            self._log.publish(entries)
        except BaseException:
            self._begun = False
            raise
        self.on_publish()

    def _forget(self) -> None:
        self._renew_at = None
        self._head = 0
        self._forget_journal()

    def _forget_journal(self) -> None:
        self._recorded_at = self._published = None
        self._versions.clear()
        self._positions.clear()
