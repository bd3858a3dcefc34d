"""A topic that has lost its messages is filled again from the journal, which has them all.

So the brokers may be lost or replaced, and a topic may be made anew with more partitions: nothing but time is lost."""

from __future__ import annotations

from typing import Protocol

import structlog

from shared.eventsourcing.ports import Journal

log = structlog.get_logger("pailu.log")


class Counted(Protocol):
    """An event log that can say how many messages it holds of a service, repetitions too."""

    def count(self, service: str) -> int: ...


def restore(topics: Counted, service: str, journal: Journal) -> int:
    """Where a topic holds less than was published nothing counts as published any more, so that the relay publishes
    all again, batch by batch; how many events that are.

    To be called before the relay publishes anything new, for a topic's first deliveries must stay in order. A relay
    that takes over goes on where this one was: what counts as published has been published since. The topic
    is counted first: what is lost after that breaks the connection that counted it, and nothing is published over it.
    """
    held = topics.count(service)
    while held < (published := journal.published()):
        held = topics.count(service)  # another relay may have published in between
        if held < published and journal.mark_published(0, after=published):
            log.warning("the topic has lost messages; all is published again", service=service, held=held, of=published)
            return published
    return 0
