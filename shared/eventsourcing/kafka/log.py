"""The event log in Kafka.

*Publishing.* What goes to one partition goes as one batch, and the next only when it was acknowledged. So no failure
can leave an event out and keep one that came after it: whatever is missing is missing at the end. A producer that has
failed is thrown away, for what it still holds must not come later than what its successor sends.

*Reading.* The members of a group share the partitions; the same number of each topic goes to the same member, so that
a competition is in one process. What was polled and not committed when a partition goes to another member comes again
there. Offsets count messages, and a message may be there twice: positions are what consumers go by."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress

from kafka import KafkaConsumer, KafkaProducer, TopicPartition
from kafka.coordinator.assignors.range import RangePartitionAssignor
from kafka.errors import (
    CommitFailedError,
    IllegalGenerationError,
    KafkaError,
    KafkaTimeoutError,
    RebalanceInProgressError,
    UnknownMemberIdError,
)
from kafka.structs import MemberState, OffsetAndMetadata

from shared.eventsourcing.errors import NotNow, OutcomeUnknown, StoreUnavailable
from shared.eventsourcing.kafka.address import Address
from shared.eventsourcing.kafka.cluster import LARGEST, REQUEST_MS, Cluster, asking, client
from shared.eventsourcing.kafka.messages import Message, envelope
from shared.eventsourcing.records import Envelope

BATCH_BYTES = 1 << 20
PORTION_BYTES = BATCH_BYTES * 3 // 4
"""What is sent at once, at most, well within what one batch takes; a larger event goes alone."""
OVERHEAD = 100
"""Bytes that a message may take beside its key, value and headers."""
LINGER_MS = 1_000
"""A batch is sent when it is complete, which is long before this."""
DELIVERY_MS = LINGER_MS + REQUEST_MS + 1_000
"""Within which a batch is acknowledged or given up; less than the relay's lease."""

POLL_MS = 10
"""How long a poll waits for an answer that is under way."""
SETTLE_MS = 1_000
"""How long a poll may take while the group shares its partitions out, which needs all its members."""
UNSETTLED = 4
"""Sessions after which a member that knows of no partitions begins anew."""
FETCH_BYTES = 256 << 10
"""Read ahead of one partition, which bounds the memory of a reader, however far behind it is."""
CLOSE_MS = 1_000


class KafkaLog:
    """The topics of all services. `owner` is the service that reads here: groups of the same name in two services are
    two groups. Used by one thread for publishing, and by one for each subscription."""

    def __init__(self, address: Address, owner: str) -> None:
        self._address = address
        self._owner = owner
        self._cluster = Cluster(address)
        self._producer: KafkaProducer | None = None

    def publish(self, entries: Sequence[Envelope]) -> None:
        """Raises StoreUnavailable or OutcomeUnknown; of each competition a beginning may be published then."""
        if not entries:
            return
        self._cluster.ensure(sorted({entry.service for entry in entries}))
        try:
            producer = self._producing()
            for portion in portions(entries):
                self._send(producer, portion)
        except (KafkaError, OSError) as error:
            self._abandon()
            raise OutcomeUnknown(f"Kafka: {error}") from error
        except BaseException:
            self._abandon()
            raise

    def subscribe(self, group: str, services: Sequence[str]) -> KafkaSubscription:
        """Raises StoreUnavailable."""
        self._cluster.ensure(services)
        return KafkaSubscription(self._address, self._cluster, self._group(group), services)

    def lag(self, group: str, services: Sequence[str]) -> int:
        """Raises StoreUnavailable."""
        return self._cluster.lag(self._group(group), services)

    def count(self, service: str) -> int:
        """How many messages a service's topic holds, repetitions too: as many as were published, if none is lost.
        Raises StoreUnavailable."""
        return self._cluster.count(service)

    def forget(self, group: str) -> None:
        """Raises StoreUnavailable, and NotNow while the group has members."""
        self._cluster.forget(self._group(group))

    def close(self) -> None:
        """Give all connections back; they are made again when needed."""
        self._abandon()
        self._cluster.close()

    def _group(self, name: str) -> str:
        return f"{self._address.prefix}{self._owner}.{name}"

    def _producing(self) -> KafkaProducer:
        if self._producer is None:
            self._producer = client(
                KafkaProducer,
                self._address,
                client_id=f"pailu-{self._owner}",
                enable_idempotence=True,
                acks="all",
                batch_size=BATCH_BYTES,
                linger_ms=LINGER_MS,
                max_request_size=LARGEST,
                delivery_timeout_ms=DELIVERY_MS,
                max_block_ms=REQUEST_MS,
                allow_auto_create_topics=False,
            )
        return self._producer

    def _send(self, producer: KafkaProducer, portion: Iterable[Message]) -> None:
        sent = [
            producer.send(
                self._address.topic(message.service),
                key=message.key,
                value=message.value,
                headers=message.headers,
                timestamp_ms=message.stamp,
            )
            for message in portion
        ]
        producer.flush(DELIVERY_MS / 1000)
        for future in sent:
            future.get(0)

    def _abandon(self) -> None:
        """Let go of what the producer holds; it would otherwise try until its own time is over."""
        producer, self._producer = self._producer, None
        self._cluster.close()
        if producer is not None:
            producer._sender.force_close()
            with suppress(KafkaError, OSError):
                producer.close(CLOSE_MS / 1000)


def portions(entries: Iterable[Envelope]) -> Iterator[list[Message]]:
    """The entries' messages, cut so that what goes to one partition is one batch, whatever the partitions are."""
    portion, size = list[Message](), 0
    for message in map(Message.of, entries):
        more = message.size + OVERHEAD
        if portion and size + more > PORTION_BYTES:
            yield portion
            portion, size = [], 0
        portion.append(message)
        size += more
    yield portion


class KafkaSubscription:
    """One member of a group. Its partitions change while it polls, and only then."""

    def __init__(self, address: Address, cluster: Cluster, group: str, services: Sequence[str]) -> None:
        self._cluster = cluster
        self._group = group
        self._services = tuple(services)
        self._patience = UNSETTLED * address.session_ms / 1000
        self._polled: dict[TopicPartition, OffsetAndMetadata] = {}
        self._unsettled_since: float | None = time.monotonic()
        self._consumer: KafkaConsumer = client(
            KafkaConsumer,
            address,
            client_id=f"pailu-{group}",
            group_id=group,
            enable_auto_commit=False,
            auto_offset_reset="earliest",
            session_timeout_ms=address.session_ms,
            heartbeat_interval_ms=max(100, address.session_ms // 4),
            partition_assignment_strategy=(RangePartitionAssignor,),
            max_partition_fetch_bytes=FETCH_BYTES,
            allow_auto_create_topics=False,
        )
        self._topics = [address.topic(service) for service in services]
        self._consumer.subscribe(self._topics)

    def poll(self, limit: int) -> list[Envelope]:
        """Raises StoreUnavailable, and NotAnEvent for a message that Pailu has not written."""
        with asking():
            self._settle()
        events: list[Envelope] = []
        while len(events) < limit and (more := self._fetched(limit - len(events))):
            events += more
        return events

    def _fetched(self, limit: int) -> list[Envelope]:
        """What the brokers have sent ahead, or send now; of a backlog that is a fraction of what is there."""
        with asking():
            found = self._consumer.poll(POLL_MS, max_records=limit)
        events = []
        for partition, records in found.items():
            for record in records:
                place = f"{record.topic}[{record.partition}]@{record.offset}"
                events.append(envelope(place, record.value, record.headers))
            self._polled[partition] = OffsetAndMetadata(records[-1].offset + 1, "", records[-1].leader_epoch)
        return events

    def commit(self) -> None:
        """Raises NotNow when a partition was given to another member meanwhile, and OutcomeUnknown."""
        ours = self._consumer.assignment()
        places = {partition: place for partition, place in self._polled.items() if partition in ours}
        if len(places) < len(self._polled):
            self._polled = places
            raise NotNow(f"Kafka: partitions of {self._group} went to another member before they were committed")
        if not places:
            return
        try:
            self._consumer.commit(places, timeout_ms=REQUEST_MS)
        except (CommitFailedError, RebalanceInProgressError, IllegalGenerationError, UnknownMemberIdError) as error:
            raise NotNow(f"Kafka: {self._group} has shared its partitions out anew: {error}") from error
        except (KafkaError, OSError) as error:
            raise OutcomeUnknown(f"Kafka: {error}") from error
        self._polled.clear()

    def lag(self) -> int:
        """Of the whole group, not of this member alone. Raises StoreUnavailable."""
        return self._cluster.lag(self._group, self._services)

    def close(self) -> None:
        with suppress(KafkaError, OSError):
            self._consumer.close(autocommit=False, timeout_ms=CLOSE_MS)

    def _settle(self) -> None:
        """Take part in sharing out the partitions. Raises StoreUnavailable when that comes to no end.

        An assignment that arrives while nobody waits for it is dropped by kafka-python 3.0, which may then believe
        that it needs none: so it is told that it does, and waited for long enough."""
        if self._consumer.group_metadata().state == MemberState.STABLE:
            self._unsettled_since = None
            return
        now = time.monotonic()
        if self._unsettled_since is None:
            self._unsettled_since = now
        if now - self._unsettled_since > self._patience:
            raise StoreUnavailable(f"Kafka: {self._group} does not settle")
        if self._knows_topics():
            coordinator = self._consumer._coordinator
            coordinator.request_rejoin()
            coordinator.poll(timeout_ms=SETTLE_MS)

    def _knows_topics(self) -> bool:
        """Ask which partitions there are before joining: a leader that does not know yet gives none to anybody, and has
        all shared out once more when it does."""
        cluster = self._consumer._cluster
        if any(cluster.partitions_for_topic(topic) is None for topic in self._topics):
            with suppress(KafkaTimeoutError):
                self._consumer._net.run(self._consumer._manager.wait_for, cluster.request_update(), SETTLE_MS)
        return all(cluster.partitions_for_topic(topic) for topic in self._topics)
