"""The four things the kernel needs of the world. Memory and MongoDB fulfil them all, Kafka the event log; the suites
in tests/contract say what each must do."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any, Protocol

from shared.eventsourcing.clock import Clock
from shared.eventsourcing.records import Commit, Envelope, Recorded

Document = dict[str, Any]


class CommitStore(Protocol):
    """A service's commits. Durable (majority, journalled) when a call has returned.

    Every call may raise StoreUnavailable; nothing was changed then, except that `append` and `append_all` raise
    OutcomeUnknown where they cannot tell.
    """

    def append(self, commit: Commit) -> None:
        """Store the commit whole or not at all.

        Raises StreamConflict when the place is taken, CommandTaken when the command id is."""
        ...

    def append_all(self, commits: Sequence[Commit]) -> None:
        """Store commits, those of one stream in version order: all or none of them, except where the store has no
        transactions; there those before the first that cannot be stored may stay, and none after it.

        Raises StreamConflict when a place is taken, CommandTaken when a command id is."""
        ...

    def stream(self, stream: str, after: int = 0) -> list[Commit]:
        """The commits of a stream that begin after a version, in version order; empty when there is none."""
        ...

    def command(self, actor: str, command: str) -> Commit | None:
        """The commit that this actor's command made, if it was accepted."""
        ...

    def pending(self, limit: int) -> list[Commit]:
        """At most `limit` commits not yet marked sequenced, the lowest stamps first, so that none comes before one
        that it was decided upon (and within a stream all come in version order)."""
        ...

    def mark_sequenced(self, commits: Sequence[Commit]) -> None:
        """These commits' events all have positions. Repeating it changes nothing."""
        ...


class Journal(Protocol):
    """A service's positioned log, written by its relay alone and kept in the service's own database."""

    def take_lease(self, holder: str, now: datetime, until: datetime) -> bool:
        """Take or renew the relay's lease; False while another holder's has not run out.

        The lease only spares two relays from working against each other; unique positions are the fence."""
        ...

    def head(self) -> int:
        """The last position, 0 when empty."""
        ...

    def insert(self, entries: Sequence[Envelope]) -> None:
        """Insert entries one after the other, stopping at the first whose position or event id is taken.

        Raises PositionTaken then; the entries before it stay. No later entry is visible before an earlier one."""
        ...

    def read(self, after: int, limit: int) -> list[Envelope]:
        """The entries after a position, in order, at most `limit`, never past a gap."""
        ...

    def stream_version(self, stream: str) -> int:
        """The last version of a stream that has a position, 0 for none."""
        ...

    def competition_position(self, competition: str) -> int:
        """The last position of a competition, 0 for none."""
        ...

    def last_recorded_at(self) -> datetime | None:
        """`recorded_at` of the entry at the head."""
        ...

    def published(self) -> int:
        """The position up to which everything was acknowledged by the event log."""
        ...

    def mark_published(self, position: int, after: int) -> bool:
        """Move `published` to a position from where it is believed to be; back, when the event log has lost messages.
        False where it is elsewhere: another relay has moved it, and nothing is changed."""
        ...


class Subscription(Protocol):
    """One group's way through the topics of some services. At least once: after a crash or a rebalance, whatever
    was not committed comes again, identical and in order within a competition."""

    def poll(self, limit: int) -> list[Envelope]:
        """The next events, at most `limit`; empty when there is nothing new. Does not wait for more."""
        ...

    def commit(self) -> None:
        """Everything polled so far is dealt with: a restart begins after it."""
        ...

    def lag(self) -> int:
        """How many events of the subscribed services were not committed yet."""
        ...

    def close(self) -> None:
        """Give the subscription back; what was polled and not committed comes again to the group."""
        ...


class EventLog(Protocol):
    """The transport between services."""

    def publish(self, entries: Sequence[Envelope]) -> None:
        """Publish in position order; on return all are acknowledged. A repeat is allowed and must be identical."""
        ...

    def subscribe(self, group: str, services: Sequence[str]) -> Subscription:
        """Follow the topics from where the group has committed, from the beginning for a new group."""
        ...

    def lag(self, group: str, services: Sequence[str]) -> int:
        """How many events of these services the group has not committed yet. Asks for nobody's membership, so any
        process may look."""
        ...

    def forget(self, group: str) -> None:
        """Drop a group's committed place (a projection that was replaced). Raises NotNow while it has readers."""
        ...


class Documents(Protocol):
    """Read-model documents of one service.

    A document has `_id` (str) and `revision` (int ≥ 1, how many events have changed it); the rest is the
    projection's."""

    def get(self, collection: str, ids: Sequence[str]) -> dict[str, Document]:
        """The documents that exist, by id."""
        ...

    def put(self, collection: str, changes: Sequence[tuple[int, Document]]) -> None:
        """Store documents, each with the revision it was read at (0: it must not exist yet).

        Raises StaleDocument when one of them was changed meanwhile; others may have been stored."""
        ...

    def delete(self, collection: str, ids: Sequence[str]) -> None:
        """Remove documents; missing ones are no error."""
        ...

    def find(
        self, collection: str, equal: Mapping[str, Any], order: str = "_id", after: Any = None, limit: int = 0
    ) -> list[Document]:
        """Documents whose fields equal the given values (a list: or hold it), ordered by one field, after a value of
        it, at most `limit` (0: all)."""
        ...

    def count(self, collection: str, equal: Mapping[str, Any]) -> int:
        """How many documents `find` would give."""
        ...

    def ensure_index(self, collection: str, fields: Sequence[str]) -> None:
        """Make sure equality on all but the last field with a range on the last is answered by an index."""
        ...

    def drop(self, collection: str) -> int:
        """Remove a part of a collection, as much as holds nobody up: how many documents. 0: nothing is left of it."""
        ...


class Codec(Protocol):
    """Events to stored form and back (shared.contracts)."""

    def encode(self, event: Any) -> Recorded:
        """The stored form; raises KeyError for an event that is no contract."""
        ...

    def decode(self, type: str, version: int, data: bytes) -> Any:
        """The event in its newest version, lifted by upcasters where stored in an older one."""
        ...


class WaitUntil(Protocol):
    """How to wait for another part's progress: by polling in a process, by stepping the parts in a test."""

    def __call__(self, reached: Callable[[], bool], seconds: float) -> bool:
        """True as soon as `reached()` is, False when the time is over."""
        ...


class Ports:
    """Everything outside that one service's engine needs."""

    def __init__(
        self,
        *,
        clock: Clock,
        commits: CommitStore,
        journal: Journal,
        log: EventLog,
        documents: Documents,
        wait_until: WaitUntil,
        holder: str,
    ) -> None:
        """`holder` names this process among those that compete for the relay's lease."""
        self.clock = clock
        self.commits = commits
        self.journal = journal
        self.log = log
        self.documents = documents
        self.wait_until = wait_until
        self.holder = holder
