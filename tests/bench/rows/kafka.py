"""Publish 50,000 events and project them into standings, beside a bare kafka-python producer and consumer of the same
bytes in topics of the same partitions, acknowledged alike.

Ours is what relay and projection do: read from the journal what has its position, publish it in order, remember how
far; then poll, fold into rows, store these durably, remember how far, commit. The bare consumer keeps nothing, and
commits as it does by default, now and then."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from kafka import KafkaConsumer, KafkaProducer
from pymongo import MongoClient

from deploy.wiring import PREFIX, Wiring
from shared.eventsourcing.kafka.address import Address
from shared.eventsourcing.kafka.cluster import Cluster
from shared.eventsourcing.kafka.messages import Message
from shared.eventsourcing.mongo import MongoJournal
from shared.eventsourcing.ports import Document
from tests.bench.bench import Bench, Row
from tests.bench.history import CHUNK, events, fill
from tests.bench.measuring import Line, Tick, faster, pairs, ticks

EVENTS = events(50_000)
SERVICES = ("registration", "match", "appeals")
AT_ONCE = 10_000
POLL_MS = 100


@dataclass(frozen=True)
class Took:
    """Seconds of the two parts of a round."""

    publishing: float
    reading: float


def measure(bench: Bench, tick: Tick) -> Sequence[Line]:
    client, broker = bench.shared, bench.broker()
    fill(client, EVENTS, tick)
    messages = _messages(client)
    rounds: tuple[list[Took], list[Took]] = ([], [])

    def ours(number: int) -> float:
        rounds[0].append(_ours(client, Address.parse(f"{broker.url}/ours{number}-")))
        return rounds[0][-1].publishing + rounds[0][-1].reading

    def bare(number: int) -> float:
        rounds[1].append(_bare(Address.parse(f"{broker.url}/bare{number}-"), messages))
        return rounds[1][-1].publishing + rounds[1][-1].reading

    taken = pairs(ours, bare, tick)
    mine, theirs = (side[1:] for side in rounds)
    publishing = ([took.publishing for took in mine], [took.publishing for took in theirs])
    reading = ([took.reading for took in mine], [took.reading for took in theirs])
    beside = "bare kafka-python"
    count = len(messages)
    return [
        faster("kafka", f"publish {count:,} events and project them", f"{beside}, produce and consume", taken, 0.5),
        faster("kafka", "of it, publish what the journal holds", f"{beside}, produce", publishing, None),
        faster("kafka", "of it, project into standings", f"{beside}, consume", reading, None),
    ]


def _messages(client: MongoClient[Document]) -> list[Message]:
    """What the relays will publish."""
    found: list[Message] = []
    for service in SERVICES:
        journal, position = MongoJournal(client[PREFIX + service]), 0
        while entries := journal.read(position, AT_ONCE):
            found += map(Message.of, entries)
            position = entries[-1].position
    return found


def _ours(client: MongoClient[Document], address: Address) -> Took:
    """Journals of which nothing is published, and no read model."""
    for service in SERVICES:
        client[PREFIX + service]["relay"].delete_many({})
    client.drop_database(f"{PREFIX}ranking")
    _make_topics(address)
    wiring = Wiring(client, "secret", address)
    engines = {name: service.engine for name, service in wiring.services([*SERVICES, "ranking"]).items()}
    begin = time.perf_counter()
    for service in SERVICES:
        while engines[service].relay.step():
            pass
    published = time.perf_counter()
    projection = engines["ranking"].projection
    while not projection.pointer().live:
        projection.step()
    projected = time.perf_counter()
    projection.close()
    wiring.close()
    return Took(published - begin, projected - published)


def _bare(address: Address, messages: Sequence[Message]) -> Took:
    _make_topics(address)
    servers = list(address.servers)
    begin = time.perf_counter()
    producer = KafkaProducer(bootstrap_servers=servers, enable_idempotence=True, acks="all")
    for message in messages:
        producer.send(
            address.topic(message.service),
            key=message.key,
            value=message.value,
            headers=message.headers,
            timestamp_ms=message.stamp,
        )
    producer.flush()
    producer.close()
    produced = time.perf_counter()
    settings: dict[str, Any] = {"group_id": f"{address.prefix}bare", "auto_offset_reset": "earliest"}
    consumer = KafkaConsumer(*map(address.topic, SERVICES), bootstrap_servers=servers, **settings)
    left = len(messages)
    while left:
        left -= sum(len(records) for records in consumer.poll(POLL_MS).values())
    consumed = time.perf_counter()
    consumer.close()
    return Took(produced - begin, consumed - produced)


def _make_topics(address: Address) -> None:
    cluster = Cluster(address)
    cluster.ensure(SERVICES)
    cluster.close()


ROW = Row("kafka", "publish and project over Kafka", -(-EVENTS // CHUNK) + ticks(), measure)
