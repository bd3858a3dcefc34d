"""A real Kafka that gives at once what was published, as a log in memory does: a poll waits until what is due has come.

So a suite that says "this step handles that event" runs as it stands over a broker: with its topics and groups,
messages that are written and read, places that are committed and asked for. Only the order between topics is none that
memory would give: what was published last comes first, so that a suite that relies on it fails here every time, and
not when the broker happens to answer so."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from uuid import uuid4

from kafka import KafkaAdminClient

from shared.eventsourcing.errors import NotNow, OutcomeUnknown
from shared.eventsourcing.kafka.address import Address
from shared.eventsourcing.kafka.cluster import client
from shared.eventsourcing.kafka.log import KafkaLog, KafkaSubscription
from shared.eventsourcing.records import Envelope
from tests.support.waiting import asked_again, wait_for

SESSION_MS = 60_000
"""No slow machine lets it run out; who leaves says so."""


class PromptLogs:
    """Makes the logs of the services of one world. A group has one reader at a time here, for nobody reads on while
    another one joins: it leaves when another one polls, and comes back when it is polled itself."""

    def __init__(self, url: str, partitions: int = 2) -> None:
        self.prefix = f"t{uuid4().hex[:10]}-"
        self.partitions = partitions
        self._address = Address.parse(f"{url}/{self.prefix}?partitions={partitions}&session_ms={SESSION_MS}")
        self.published: Counter[str] = Counter()
        self.committed: Counter[str] = Counter()
        self.readers: dict[str, PromptSubscription] = {}
        self._made: list[PromptLog] = []

    def __call__(self, owner: str) -> PromptLog:
        self._made.append(PromptLog(KafkaLog(self._address, owner), self, owner))
        return self._made[-1]

    def groups(self) -> set[str]:
        """The groups that have a place, without whose they are."""
        admin = client(KafkaAdminClient, self._address)
        found = [group["group_id"] for group in admin.list_groups() if group["group_id"].startswith(self.prefix)]
        admin.close()
        return {group.removeprefix(self.prefix).partition(".")[2] for group in found}

    def close(self) -> None:
        """Give everything back; it is made again when it is used again."""
        for reader in list(self.readers.values()):
            reader.close()
        for log in self._made:
            log.inner.close()


class PromptLog:
    """One service's."""

    def __init__(self, inner: KafkaLog, logs: PromptLogs, owner: str) -> None:
        self.inner = inner
        self._logs = logs
        self._owner = owner

    def publish(self, entries: Sequence[Envelope]) -> None:
        try:
            self.inner.publish(entries)
        except NotNow:
            asked_again(lambda: self.inner.publish(entries))
            for service in {entry.service for entry in entries}:  # some may be there twice now
                self._logs.published[service] = self.count(service)
        else:
            self._logs.published.update(entry.service for entry in entries)

    def subscribe(self, group: str, services: Sequence[str]) -> PromptSubscription:
        return PromptSubscription(self.inner, self._logs, group, f"{self._owner}.{group}", services)

    def lag(self, group: str, services: Sequence[str]) -> int:
        return asked_again(lambda: self.inner.lag(group, services))

    def count(self, service: str) -> int:
        return asked_again(lambda: self.inner.count(service))

    def forget(self, group: str) -> None:
        if (reader := self._logs.readers.get(f"{self._owner}.{group}")) is not None:
            reader.close()
        asked_again(lambda: self.inner.forget(group))
        self._logs.committed[f"{self._owner}.{group}"] = 0


class PromptSubscription:
    """One reader."""

    def __init__(self, log: KafkaLog, logs: PromptLogs, group: str, name: str, services: Sequence[str]) -> None:
        self._log = log
        self._logs = logs
        self._group = group
        self._name = name
        self._services = tuple(services)
        self._inner: KafkaSubscription | None = None
        self._polled = 0
        self._generation = -1

    def poll(self, limit: int) -> list[Envelope]:
        def due() -> int:
            published = sum(self._logs.published[service] for service in self._services)
            return min(limit, published - self._logs.committed[self._name] - self._polled)

        if due() <= 0:
            return []
        inner = self._joined()
        events: list[Envelope] = []

        def come() -> bool:
            more = inner.poll(limit - len(events))
            if self._shared_out_anew(inner):
                self._polled = 0
                events.clear()
            events.extend(more)
            return len(events) >= due()

        wait_for(come)
        self._polled += len(events)
        return sorted(events, key=self._place, reverse=True)

    def commit(self) -> None:
        """A broker that is slow to acknowledge is asked again; places that went elsewhere are not."""
        if self._inner is None:
            return
        while True:
            with suppress(OutcomeUnknown):
                self._inner.commit()
                break
        self._logs.committed[self._name] += self._polled
        self._polled = 0

    def lag(self) -> int:
        return asked_again(lambda: self._log.lag(self._group, self._services))

    def close(self) -> None:
        self._polled = 0
        inner, self._inner = self._inner, None
        if inner is not None:
            inner.close()
            self._logs.readers.pop(self._name, None)

    def _joined(self) -> KafkaSubscription:
        if self._inner is None:
            if (other := self._logs.readers.get(self._name)) is not None:
                other.close()
            self._inner = asked_again(lambda: self._log.subscribe(self._group, self._services))
            self._logs.readers[self._name] = self
        return self._inner

    def _shared_out_anew(self, inner: KafkaSubscription) -> bool:
        """Then all that was not committed comes once more."""
        before, self._generation = self._generation, inner._consumer.group_metadata().generation_id
        return before != self._generation

    def _place(self, event: Envelope) -> tuple[int, str]:
        """Partitions may come in any order, and always come in this one."""
        return self._services.index(event.service), event.competition if self._logs.partitions > 1 else ""
