"""The Kafka adapter over a real broker passes the suite that the other logs pass, and does what only it must do:
several partitions, several members of a group, messages that anybody can read."""

from __future__ import annotations

import socket
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor

import msgspec
import pytest
from kafka import KafkaConsumer, KafkaProducer, TopicPartition

from shared.cloudevents import HEADERS
from shared.eventsourcing.errors import NotNow, StoreUnavailable
from shared.eventsourcing.kafka.address import Address, AddressWrong
from shared.eventsourcing.kafka.log import PORTION_BYTES, KafkaLog, KafkaSubscription, portions
from shared.eventsourcing.kafka.messages import Message, NotAnEvent
from shared.eventsourcing.kafka.messages import envelope as read
from shared.eventsourcing.ports import EventLog
from shared.eventsourcing.records import Envelope
from tests.contract.logs import EventLogSuite, drain, entries
from tests.support.toys import envelope
from tests.support.waiting import PATIENCE, wait_for

Logs = Callable[..., KafkaLog]
PATIENT_MS = 30_000
"""A session that no slow machine lets run out."""


@pytest.fixture
def logs(kafka_url: str, kafka_prefix: str) -> Iterator[Logs]:
    """Makes logs of several processes on the same topics."""
    made: list[KafkaLog] = []

    def make(partitions: int = 4, owner: str = "reader", session_ms: int = PATIENT_MS) -> KafkaLog:
        url = f"{kafka_url}/{kafka_prefix}?partitions={partitions}&session_ms={session_ms}"
        made.append(KafkaLog(Address.parse(url), owner))
        return made[-1]

    yield make
    for log in made:
        log.close()


class TestKafkaLog(EventLogSuite):
    """With one partition: the suite also looks at the order between competitions, which several do not keep."""

    @pytest.fixture
    def log(self, logs: Logs) -> KafkaLog:
        return logs(partitions=1)

    def put(self, log: EventLog, entries: Sequence[Envelope]) -> None:
        log.publish(entries)


def order_holds(events: Sequence[Envelope]) -> bool:
    """Within each competition, first deliveries come by position."""
    last: Counter[tuple[str, str]] = Counter()
    for event in events:
        if event.position < last[event.service, event.competition]:
            return False
        last[event.service, event.competition] = event.position
    return True


# Several partitions, several readers


def test_order_holds_in_every_competition_over_several_partitions(logs: Logs) -> None:
    log = logs()
    given = entries("entry", 120, competitions=12)
    log.publish(given)
    subscription = log.subscribe("g", ["entry"])
    polled = drain(subscription, 120, limit=7)
    assert order_holds(polled)
    assert sorted(polled, key=lambda e: e.position) == given
    subscription.commit()
    assert log.lag("g", ["entry"]) == 0
    subscription.close()


def test_two_members_share_a_group_and_what_one_leaves_uncommitted_comes_to_the_other(logs: Logs) -> None:
    """ "A revoked partition's uncommitted events come again elsewhere"; the same partition of every topic goes to the
    same member, so that a competition is in one process."""
    first, second = (logs().subscribe("g", ["entry", "table"]) for _ in range(2))
    for service in ("entry", "table"):
        logs().publish(entries(service, 48, competitions=12))
    seen: dict[KafkaSubscription, list[Envelope]] = {first: [], second: []}

    def partitions(member: KafkaSubscription) -> set[TopicPartition]:
        return member._consumer.assignment()

    def read(member: KafkaSubscription) -> None:
        while not (partitions(first) and partitions(second) and seen[second]):
            seen[member] += member.poll(5)

    with ThreadPoolExecutor(2) as pool:  # both poll until each has its partitions, and neither commits
        for reading in [pool.submit(read, member) for member in seen]:
            reading.result(PATIENCE)
    assert len(partitions(first) | partitions(second)) == 8
    for member in seen:
        entry, table = ({p.partition for p in partitions(member) if p.topic.endswith(t)} for t in ("entry", "table"))
        assert entry == table
    second.close()
    came = {(e.service, e.position) for e in seen[first]}

    def all_committed() -> bool:
        came.update((e.service, e.position) for e in first.poll(50))
        try:
            first.commit()
        except NotNow:
            return False  # what it polled before the other left comes again once it has those partitions too
        return first.lag() == 0

    wait_for(all_committed)
    assert len(came) == 96
    first.close()


def test_a_member_whose_partitions_were_taken_cannot_commit_them(logs: Logs) -> None:
    log = logs(partitions=1, session_ms=2_000)
    log.publish(entries("entry", 5))
    slow = log.subscribe("g", ["entry"])
    drain(slow, 5)
    assert slow._consumer._coordinator.state  # type: ignore[attr-defined]
    slow._consumer._coordinator.reset_generation()  # type: ignore[attr-defined] # as after a session that ran out
    with pytest.raises(NotNow):
        slow.commit()
    slow.close()
    again = logs(partitions=1).subscribe("g", ["entry"])
    assert drain(again, 5) == entries("entry", 5)
    again.close()


def test_a_group_with_readers_is_not_forgotten(logs: Logs) -> None:
    log = logs()
    log.publish(entries("entry", 2))
    subscription = log.subscribe("g", ["entry"])
    drain(subscription, 2)
    subscription.commit()
    with pytest.raises(NotNow):
        log.forget("g")
    assert log.lag("g", ["entry"]) == 0
    subscription.close()
    log.forget("g")
    assert log.lag("g", ["entry"]) == 2


def test_groups_of_the_same_name_in_two_services_are_two(logs: Logs) -> None:
    one, other = logs(owner="entry"), logs(owner="table")
    one.publish(entries("entry", 3))
    subscription = one.subscribe("g", ["entry"])
    drain(subscription, 3)
    subscription.commit()
    assert (one.lag("g", ["entry"]), other.lag("g", ["entry"])) == (0, 3)
    subscription.close()


# Messages


def test_a_message_is_a_cloudevent_in_binary_mode(logs: Logs, kafka_url: str, kafka_prefix: str) -> None:
    """Read by a plain consumer that knows nothing of Pailu."""
    event = envelope(1, competition="集美", actor="领队")
    logs(partitions=1).publish([event])
    consumer = KafkaConsumer(bootstrap_servers=kafka_url.removeprefix("kafka://"), auto_offset_reset="earliest")
    consumer.assign([TopicPartition(f"{kafka_prefix}entry", 0)])
    found = []
    wait_for(lambda: bool(found.extend(m for ms in consumer.poll(200).values() for m in ms) or found))
    consumer.close()
    (message,) = found
    assert (message.key, message.value) == ("集美".encode(), event.data)
    assert [name for name, _ in message.headers] == list(HEADERS)
    headers = {name: text.decode() for name, text in message.headers}
    assert headers["content-type"] == "application/json"
    assert headers["ce_specversion"] == "1.0"
    assert headers["ce_id"] == event.id
    assert headers["ce_time"] == "2018-11-17T09:00:00Z"
    assert message.timestamp == int(event.recorded_at.timestamp() * 1000)


def test_a_message_and_its_repetition_are_the_same_to_the_last_byte() -> None:
    event = envelope(3, 2, competition="集美😀")
    assert Message.of(event) == Message.of(msgspec.structs.replace(event))
    assert read("t[0]@0", event.data, Message.of(event).headers) == event


def test_a_message_of_somebody_else_stops_its_readers_and_is_named(
    logs: Logs, kafka_url: str, kafka_prefix: str
) -> None:
    log = logs(partitions=1)
    log.publish(entries("entry", 2))
    stranger = KafkaProducer(bootstrap_servers=kafka_url.removeprefix("kafka://"))
    stranger.send(f"{kafka_prefix}entry", value=b"hello").get(10)
    stranger.close()
    subscription = log.subscribe("g", ["entry"])

    def stopped() -> bool:
        subscription.poll(10)
        return False

    with pytest.raises(NotAnEvent, match=r"entry\[0\]@2"):
        wait_for(stopped)
    subscription.close()


def test_what_goes_to_one_partition_goes_as_one_batch() -> None:
    large = [msgspec.structs.replace(e, data=b'"' + b"x" * 100_000 + b'"') for e in entries("entry", 20)]
    cut = list(portions(large))
    assert [m.headers for portion in cut for m in portion] == [Message.of(e).headers for e in large]
    assert len(cut) > 1
    assert all(sum(m.size for m in portion) <= PORTION_BYTES for portion in cut)


def test_events_of_megabytes_pass_alone_and_in_order(logs: Logs) -> None:
    log = logs(partitions=1)
    given = [msgspec.structs.replace(e, data=b'"' + b"x" * (3 << 20) + b'"') for e in entries("entry", 3)]
    log.publish(given)
    subscription = log.subscribe("g", ["entry"])
    assert drain(subscription, 3) == given
    subscription.close()


# Where there is no broker


@pytest.fixture
def nobody() -> KafkaLog:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return KafkaLog(Address((f"127.0.0.1:{probe.getsockname()[1]}",)), "reader")


def test_without_a_broker_every_call_says_so_and_leaves_no_thread(nobody: KafkaLog) -> None:
    before = threading.active_count()
    calls: list[Callable[[], object]] = [
        lambda: nobody.publish(entries("entry", 1)),
        lambda: nobody.subscribe("g", ["entry"]),
        lambda: nobody.lag("g", ["entry"]),
        lambda: nobody.forget("g"),
    ]
    for call in calls:
        with pytest.raises(StoreUnavailable):
            call()
    assert threading.active_count() == before


def test_something_else_on_the_port_is_no_broker_and_leaves_no_thread() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        log = KafkaLog(Address((f"127.0.0.1:{silent.getsockname()[1]}",)), "reader")
        before = threading.active_count()
        with pytest.raises(StoreUnavailable):
            log.lag("g", ["entry"])
        wait_for(lambda: threading.active_count() <= before)


# Addresses


def test_an_address_says_where_and_how() -> None:
    assert Address.parse("kafka://a:9092") == Address(("a:9092",))
    full = Address.parse("kafka://a:9092,b.c:9093,[::1]:9094/city-?partitions=12&replicas=3&session_ms=20000")
    assert full == Address(("a:9092", "b.c:9093", "[::1]:9094"), "city-", 12, 3, 20_000)
    assert full.topic("match") == "city-match"


@pytest.mark.parametrize(
    "url",
    [
        "mongodb://a:1",
        "kafka://",
        "kafka://a",
        "kafka://a:x",
        "kafka://a:99999",
        "kafka://a:1,b",
        "kafka://a:1/a b",
        "kafka://a:1/p?partitions=many",
        "kafka://a:1/p?retention=1",
    ],
)
def test_what_is_no_address_is_refused_with_the_form(url: str) -> None:
    with pytest.raises(AddressWrong, match="kafka://HOST:PORT"):
        Address.parse(url)
