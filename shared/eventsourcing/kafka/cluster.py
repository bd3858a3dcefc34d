"""What is asked of the brokers beside messages: topics, a group's lag, forgetting a group."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any, TypeVar

from kafka import KafkaAdminClient, TopicPartition
from kafka.admin import NewTopic, OffsetSpec
from kafka.errors import GroupIdNotFoundError, KafkaError, TopicAlreadyExistsError
from kafka.net.compat import KafkaNetClient

from shared.eventsourcing.errors import NotNow, StoreUnavailable
from shared.eventsourcing.kafka.address import Address

T = TypeVar("T")

CONNECT_SECONDS = 1.0
BOOTSTRAP_MS = 3_000
REQUEST_MS = 4_000
LARGEST = 16 << 20
"""Bytes of the largest message: what a commit may hold at most."""
FOR_EVER = "-1"
TOPIC = {
    "cleanup.policy": "delete",
    "retention.ms": FOR_EVER,
    "retention.bytes": FOR_EVER,
    "max.message.bytes": str(LARGEST + (1 << 20)),
    "message.timestamp.type": "CreateTime",
    "message.timestamp.after.max.ms": str(2**63 - 1),
}
"""Every topic's settings: nothing is ever deleted, a message keeps the time at which its event was recorded."""


@contextmanager
def asking() -> Iterator[None]:
    """Trouble with the brokers is StoreUnavailable: nothing that was asked has an outcome that matters."""
    try:
        yield
    except (KafkaError, OSError) as error:
        raise StoreUnavailable(f"Kafka: {error}") from error


def client(make: Callable[..., T], address: Address, *, patience_ms: int = BOOTSTRAP_MS, **settings: Any) -> T:
    """A client of kafka-python, with its threads and sockets gone again when it cannot be made within `patience_ms`.
    Create it after a fork, never before. Raises StoreUnavailable."""
    _knock(address)
    networks: list[KafkaNetClient] = []

    def network(*arguments: Any, **named: Any) -> KafkaNetClient:
        networks.append(KafkaNetClient(*arguments, **named))
        return networks[-1]

    try:
        with asking():
            return make(
                bootstrap_servers=list(address.servers),
                bootstrap_timeout_ms=patience_ms,
                request_timeout_ms=REQUEST_MS,
                retry_backoff_ms=20,
                reconnect_backoff_max_ms=1_000,
                kafka_client=network,
                **settings,
            )
    except BaseException:
        for opened in networks:
            opened.close()
        raise


def _knock(address: Address) -> None:
    """A broker that is down refuses at once; a client would try for seconds."""
    refused: OSError | None = None
    for server in address.servers:
        host, _, port = server.rpartition(":")
        try:
            socket.create_connection((host.strip("[]"), int(port)), CONNECT_SECONDS).close()
        except OSError as error:
            refused = error
        else:
            return
    raise StoreUnavailable(f"Kafka does not answer at {','.join(address.servers)}: {refused}") from refused


class Cluster:
    """One connection for questions, made when first used, thrown away when it fails; may be asked from any thread."""

    def __init__(self, address: Address) -> None:
        self._address = address
        self._admin: KafkaAdminClient | None = None
        self._lock = threading.Lock()
        self._known: dict[str, int] = {}

    def ensure(self, services: Sequence[str]) -> None:
        """Make the services' topics where they are not there yet. Raises StoreUnavailable."""
        missing = [service for service in services if service not in self._known]
        if not missing:
            return
        topics = [
            NewTopic(
                name=self._address.topic(service),
                num_partitions=self._address.partitions,
                replication_factor=self._address.replicas,
                topic_configs=TOPIC,
            )
            for service in missing
        ]
        with self._asked() as admin:
            for topic in topics:
                with suppress(TopicAlreadyExistsError):
                    admin.create_topics([topic])
            admin.wait_for_topics([topic.name for topic in topics])
            self._learn(admin, missing)

    def lag(self, group: str, services: Sequence[str]) -> int:
        """How many messages of these services a group has not committed, whoever its members are. Raises
        StoreUnavailable."""
        self.ensure(services)
        with self._asked() as admin:
            partitions = self._partitions(admin, services)
            ends = admin.list_partition_offsets(dict.fromkeys(partitions, OffsetSpec.LATEST))
            try:
                places = admin.list_group_offsets({group: partitions})[group]
            except GroupIdNotFoundError:
                places = {}
        committed = {partition: max(0, place.offset) for partition, place in places.items()}
        return sum(end.offset - committed.get(partition, 0) for partition, end in ends.items())

    def count(self, service: str) -> int:
        """How many messages a service's topic holds. Raises StoreUnavailable."""
        self.ensure([service])
        with self._asked() as admin:
            partitions = self._partitions(admin, [service])
            ends = admin.list_partition_offsets(dict.fromkeys(partitions, OffsetSpec.LATEST))
            begins = admin.list_partition_offsets(dict.fromkeys(partitions, OffsetSpec.EARLIEST))
        return sum(ends[partition].offset - begins[partition].offset for partition in partitions)

    def forget(self, group: str) -> None:
        """Drop a group's committed places. Raises NotNow while it has members."""
        with self._asked() as admin:
            outcome = admin.delete_groups([group])[group]
        if outcome not in ("OK", "GroupIdNotFoundError"):
            raise NotNow(f"the group {group} cannot be dropped: {outcome}")

    def close(self) -> None:
        """Give the connection back; the next question makes another, and looks for the topics anew."""
        with self._lock:
            self._drop()

    @contextmanager
    def _asked(self) -> Iterator[KafkaAdminClient]:
        with self._lock:
            try:
                if self._admin is None:
                    self._admin = client(KafkaAdminClient, self._address)
                with asking():
                    yield self._admin
            except BaseException:
                self._drop()
                raise

    def _partitions(self, admin: KafkaAdminClient, services: Sequence[str]) -> list[TopicPartition]:
        self._learn(admin, services)
        topics = {self._address.topic(service): self._known[service] for service in services}
        return [TopicPartition(topic, number) for topic, count in topics.items() for number in range(count)]

    def _learn(self, admin: KafkaAdminClient, services: Sequence[str]) -> None:
        """How many partitions each topic has: an operator may have added some."""
        names = {self._address.topic(service): service for service in services}
        for topic in admin.describe_topics(list(names)):
            self._known[names[topic["name"]]] = len(topic["partitions"])

    def _drop(self) -> None:
        admin, self._admin = self._admin, None
        self._known.clear()
        if admin is not None:
            with suppress(KafkaError, OSError):
                admin.close()
