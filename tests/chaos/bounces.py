"""A broker bounced hard while events are published and read: every acknowledged one is read, in order by key."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from deploy.kafka import LocalKafka
from shared.eventsourcing.errors import NotNow
from shared.eventsourcing.kafka.address import Address
from shared.eventsourcing.kafka.log import KafkaLog
from shared.eventsourcing.records import Envelope
from tests.contract.logs import entries
from tests.support.waiting import PATIENCE, asked_again, wait_for

BATCH = 20
READERS = 2
BETWEEN = 5 * BATCH
"""Events that must be acknowledged, and as many read, between two bounces."""


@dataclass
class Bounced:
    """What happened and what was checked."""

    bounces: int = 0
    acknowledged: int = 0
    tries_again: int = 0
    read: int = 0
    read_again: int = 0
    duplicates: int = 0
    errors: set[str] = field(default_factory=set)


class Traffic:
    """One publisher, as a relay is, and readers of one group that commit, on a broker that comes and goes."""

    def __init__(self, broker: LocalKafka) -> None:
        self.seen = Bounced()
        self.first: dict[int, Envelope] = {}
        self.order: dict[str, list[int]] = {}
        self._address = Address.parse(f"{broker.url}?partitions=4&session_ms=2000")
        self._lock = threading.Lock()
        self._ended = threading.Event()
        self._published = threading.Event()

    def log(self) -> KafkaLog:
        return KafkaLog(self._address, "reader")

    def publish(self) -> None:
        """Batch after batch, each again and again until it is acknowledged."""
        log = self.log()
        while not self._ended.is_set():
            batch = entries("entry", BATCH, self.seen.acknowledged + 1, competitions=12)
            try:
                log.publish(batch)
            except NotNow as error:
                self.seen.tries_again += 1
                self.seen.errors.add(type(error).__name__)
                self._ended.wait(0.1)
            else:
                self.seen.acknowledged += BATCH
        log.close()
        self._published.set()

    def read(self) -> None:
        """Read and commit, anew after each failure, until all that was acknowledged has come."""
        log = self.log()
        subscription = None
        while not (self._published.is_set() and self.seen.read >= self.seen.acknowledged):
            try:
                subscription = subscription or log.subscribe("g", ["entry"])
                self._take(subscription.poll(50))
                subscription.commit()
            except NotNow as error:
                self.seen.errors.add(type(error).__name__)
                if subscription is not None:
                    subscription.close()
                subscription = None
                self._ended.wait(0.1)
        if subscription is not None:
            subscription.close()
        log.close()

    def end(self) -> None:
        self._ended.set()

    def _take(self, events: list[Envelope]) -> None:
        with self._lock:
            for event in events:
                if event.position in self.first:
                    assert self.first[event.position] == event, "a repetition differs"
                    self.seen.read_again += 1
                    continue
                self.first[event.position] = event
                self.order.setdefault(event.competition, []).append(event.position)
                self.seen.read = len(self.first)


def bounce(folder: Path, times: int, tick: Callable[[], None] = lambda: None) -> Bounced:
    """Bounce a broker so often under traffic, then check. Raises AssertionError."""
    with LocalKafka(folder / "kafka") as broker, ThreadPoolExecutor(1 + READERS) as pool:
        traffic = Traffic(broker)
        seen = traffic.seen
        running = [pool.submit(traffic.publish), *(pool.submit(traffic.read) for _ in range(READERS))]
        try:
            for _ in range(times):
                acknowledged, read = seen.acknowledged, seen.read
                wait_for(lambda a=acknowledged: seen.acknowledged >= a + BETWEEN)  # type: ignore[misc]
                wait_for(lambda r=read: seen.read >= r + BETWEEN)  # type: ignore[misc]
                broker.kill()
                broker.start()
                seen.bounces += 1
                tick()
        finally:
            traffic.end()
        for done in running:
            done.result(PATIENCE)
        check(traffic)
    return seen


def check(traffic: Traffic) -> None:
    """Every acknowledged event was read; first deliveries of each competition come in order, none is missing before
    one that came; what stands in the topic says the same."""
    seen, expected = traffic.seen, entries("entry", traffic.seen.acknowledged, competitions=12)
    for event in expected:
        assert traffic.first.get(event.position) == event, f"{event.position} was acknowledged and never read"
    for competition, positions in traffic.order.items():
        assert positions == sorted(positions), f"{competition} came out of order"
    log = traffic.log()
    subscription = asked_again(lambda: log.subscribe("auditor", ["entry"]))
    stored: list[Envelope] = []
    wait_for(lambda: bool(stored.extend(subscription.poll(500)) or subscription.commit()) or not subscription.lag())
    subscription.close()
    log.close()
    last: dict[str, int] = {}
    for event in stored:
        if event.position > last.get(event.competition, 0):
            assert event.previous == last.get(event.competition, 0), f"{event.position} has a gap before it"
            last[event.competition] = event.position
    assert len({event.position for event in stored}) >= seen.acknowledged
    seen.duplicates = len(stored) - len({event.position for event in stored})
