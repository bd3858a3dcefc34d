"""Kafka logs for a test, as several processes would have them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from shared.eventsourcing.kafka.address import Address
from shared.eventsourcing.kafka.log import KafkaLog

Logs = Callable[[str], KafkaLog]


@contextmanager
def logs_of(url: str, prefix: str, partitions: int = 4) -> Iterator[Logs]:
    """Makes the log of a service, as often as asked: each is one process. All are closed at the end."""
    made: list[KafkaLog] = []
    address = Address.parse(f"{url}/{prefix}?partitions={partitions}&session_ms=2000")

    def log(owner: str) -> KafkaLog:
        made.append(KafkaLog(address, owner))
        return made[-1]

    yield log
    for log_made in made:
        log_made.close()
