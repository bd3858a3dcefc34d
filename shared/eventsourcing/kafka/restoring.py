"""A topic that has lost its messages is filled again from the journal, which has them all.

So the brokers may be lost or replaced, and a topic may be made anew with more partitions: nothing but time is lost."""

from __future__ import annotations

import structlog

from shared.eventsourcing.kafka.log import KafkaLog
from shared.eventsourcing.ports import Journal

BATCH = 500

log = structlog.get_logger("pailu.log")


def restore(topics: KafkaLog, service: str, journal: Journal) -> int:
    """Publish again all that was published when the topic holds less than that; how many events.

    Before the relay publishes anything new, for a topic's first deliveries must stay in order. Another relay that
    does the same at the same time publishes repetitions, and so does one that begins anew after a crash."""
    published = journal.published()
    held = topics.count(service)
    if held >= published:
        return 0
    log.warning("the topic has lost messages; publishing all again", service=service, held=held, published=published)
    position = 0
    while position < published:
        entries = journal.read(position, min(BATCH, published - position))
        topics.publish(entries)
        position = entries[-1].position
    return published
