"""`kill -9` of store, HTTP processes and workers under six writers, and each service down in turn: then everything that
was acknowledged is there once, the chains hold, and every read model equals its rebuild from Kafka and from commits."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bson import Binary
from pymongo import MongoClient

from deploy.fleet import Fleet
from deploy.names import NAMES
from deploy.wiring import PREFIX
from services.appeals.projections import PROJECTION as APPEALS
from services.match.projections import PROJECTION as MATCH
from services.ranking.projections import PROJECTION as RANKING
from services.registration.projections import PROJECTION as REGISTRATION
from shared.contracts.catalogue import EVENTS, TOPICS, UPCASTERS
from shared.eventsourcing.clock import SystemClock
from shared.eventsourcing.codec import Codec
from shared.eventsourcing.committed import CommittedLog
from shared.eventsourcing.generations import ProjectionRunner
from shared.eventsourcing.kafka.address import Address
from shared.eventsourcing.kafka.log import KafkaLog
from shared.eventsourcing.memory import MemoryDocuments
from shared.eventsourcing.mongo import MongoCommits, MongoDocuments, MongoJournal, connect
from shared.eventsourcing.ports import EventLog
from shared.eventsourcing.projector import Projection, digest
from shared.eventsourcing.records import Commit, Envelope, event_id, leaf
from tests.chaos.writers import WRITING, Acknowledged, Hall, Writers
from tests.support.at_rest import check_log_equals_commits, check_streams
from tests.support.waiting import asked_again, wait_for

PROJECTIONS: dict[str, Projection] = {p.name: p for p in (REGISTRATION, MATCH, RANKING, APPEALS)}
PARTS = (("relay",), ("projection", "policies"))
BETWEEN = 2
"""Commands that must be acknowledged in every service between two kills: nothing is killed that was not at work."""
CODEC = Codec(EVENTS, UPCASTERS)


@dataclass
class Killed:
    """What happened and what was checked."""

    kills: Counter[str] = field(default_factory=Counter)
    outages: list[str] = field(default_factory=list)
    requests: int = 0
    sent_again: int = 0
    replayed: int = 0
    acknowledged: int = 0
    events: int = 0
    duplicates: int = 0
    lodged: int = 0
    rows: int = 0


def rampage(
    folder: Path, kills: int, *, outages: bool = True, seed: int = 1, tick: Callable[[], None] = lambda: None
) -> Killed:
    """Kill so often under load, take each service down in turn, come to rest, check. Raises AssertionError."""
    seen, numbers = Killed(), random.Random(seed)
    with Fleet(folder, parts=PARTS) as fleet:
        hall = Hall(fleet.urls, fleet.token_secret)
        writers = Writers(hall)
        writers.start()
        victims: list[str] = []
        for _ in range(kills):
            writers.await_more(WRITING, BETWEEN)
            victims = victims or _victims(fleet, numbers)
            victim = victims.pop()
            _kill(fleet, victim)
            seen.kills[_kind(victim)] += 1
            tick()
        for name in NAMES if outages else ():
            _take_down(fleet, writers, name)
            seen.outages.append(name)
            tick()
        writers.await_more(WRITING, BETWEEN)
        writers.stop()
        _await_rest(fleet, hall)
        with connect(fleet.store.url) as client:
            check(fleet, client, hall, seen)
    return seen


def _victims(fleet: Fleet, numbers: random.Random) -> list[str]:
    """Everything once, in another order each time."""
    everything = ["store", *(process.name for process in fleet.processes)]
    numbers.shuffle(everything)
    return everything


def _kind(name: str) -> str:
    kinds = {"serve": "HTTP process", "work": "projector worker", "store": "store"}
    return "relay worker" if name.endswith("-relay") else kinds[name.partition("-")[0]]


def _kill(fleet: Fleet, name: str) -> None:
    """And start it again, as a supervisor would; it is not waited for."""
    if name == "store":
        fleet.store.kill()
        fleet.store.start()
        return
    process = next(process for process in fleet.processes if process.name == name)
    process.kill()
    fleet.restart(process)


def _take_down(fleet: Fleet, writers: Writers, service: str) -> None:
    """All processes of a service end; the others go on meanwhile; it comes back."""
    down = [process for process in fleet.processes if service in process.name.split("-")]
    for process in down:
        process.kill()
    writers.await_more(tuple(name for name in WRITING if name != service), 3 * BETWEEN)
    for process in down:
        fleet.restart(process)
    writers.await_more(WRITING, BETWEEN)


def _await_rest(fleet: Fleet, hall: Hall) -> None:
    client = hall.client()

    def quiet() -> bool:
        states = [client.get(f"/{name}/readyz").body for name in NAMES]
        return all(s["log"] == "up" and not any(s["lag"].values()) and not s["held"] for s in states)

    for _ in range(2):  # what one reads another may have still to publish
        wait_for(quiet)
    client.close()


def check(fleet: Fleet, client: MongoClient[dict[str, Any]], hall: Hall, seen: Killed) -> None:
    """Everything at once, from the stores themselves."""
    databases = {name: client[PREFIX + name] for name in NAMES}
    commits = {name: _commits(databases[name]) for name in NAMES}
    journals = {name: MongoJournal(databases[name]) for name in NAMES}
    entries = {name: journals[name].read(0, journals[name].head()) for name in NAMES}
    for name in NAMES:
        check_streams(commits[name])
        check_log_equals_commits(entries[name], commits[name])
        assert journals[name].published() == len(entries[name])
    _check_acknowledged(hall.record.commands, commits)
    _check_lodged(hall.record.lodged, entries["appeals"])
    kafka = Address.parse(fleet.event_log)
    seen.duplicates = sum(_check_topic(kafka, name, entries[name]) for name in TOPICS)
    of_commits = CommittedLog(journals.__getitem__, lambda name: MongoCommits(databases[name]))
    for name, projection in PROJECTIONS.items():
        documents = MongoDocuments(databases[name])
        live = ProjectionRunner(projection, documents, of_commits, CODEC, SystemClock()).pointer().live
        expected = digest(projection, live, documents)
        seen.rows += expected[1]
        for log in (KafkaLog(kafka, "auditor"), of_commits):
            assert _rebuilt(projection, log) == expected, f"{name} rebuilt from {type(log).__name__} differs"
    record = hall.record
    seen.requests, seen.sent_again = record.requests, record.sent_again
    seen.acknowledged, seen.lodged = len(record.commands), len(record.lodged)
    seen.replayed = sum(one.replayed for one in record.commands)
    seen.events = sum(map(len, entries.values()))


def _commits(database: Any) -> list[Commit]:
    streams = sorted({document["stream"] for document in database.commits.find({}, {"stream": 1})})
    store = MongoCommits(database)
    return [commit for stream in streams for commit in store.stream(stream)]


def _check_acknowledged(acknowledged: list[Acknowledged], commits: dict[str, list[Commit]]) -> None:
    """Each acknowledged command is one commit with the events that were answered; a writer's commits are no more."""
    stored = {(name, c.actor, c.command): c for name in commits for c in commits[name]}
    for one in acknowledged:
        commit = stored[one.service, one.actor, one.key]
        assert [e.type for e in commit.events] == [e["type"] for e in one.events], one.key
        for recorded, answered in zip(commit.events, one.events, strict=True):
            event = CODEC.decode(recorded.type, recorded.version, bytes(Binary(recorded.data)))
            assert type(event).__name__ == answered["type"]
            assert event.competition == answered["data"]["competition"]
    written = {key for key in stored if key[2].startswith("w")}
    assert written == {(one.service, one.actor, one.key) for one in acknowledged}, "something was done unasked"


def _check_lodged(appeals: set[str], entries: list[Envelope]) -> None:
    """Every appeal that was paid and confirmed was lodged by the policy, once."""
    filed = [CODEC.decode(e.type, e.type_version, e.data).appeal for e in entries if e.type == "AppealFiled"]
    assert len(filed) == len(set(filed)), "an appeal was lodged twice"
    assert appeals <= set(filed)


def _check_topic(address: Address, service: str, entries: list[Envelope]) -> int:
    """A service's topic holds its log: first deliveries in order by competition, repetitions identical. How many."""
    log = KafkaLog(address, "auditor")
    subscription = asked_again(lambda: log.subscribe(f"topic-{service}", [service]))
    found: list[Envelope] = []

    def drained() -> bool:
        found.extend(subscription.poll(500))
        subscription.commit()
        return subscription.lag() == 0

    wait_for(drained)
    subscription.close()
    log.close()
    first: dict[int, Envelope] = {}
    for event in found:
        assert leaf(first.setdefault(event.position, event)) == leaf(event), "a repetition differs"
    assert [first[n] for n in sorted(first)] == entries, "the topic is not the log"
    last: Counter[str] = Counter()
    for event in first.values():
        assert event.position > last[event.competition], f"{event_id(event.stream, event.version)} is out of order"
        last[event.competition] = event.position
    return len(found) - len(first)


def _rebuilt(projection: Projection, log: EventLog) -> tuple[str, int]:
    """The fingerprint of a projection built in memory from a log alone."""
    documents = MemoryDocuments()
    runner = ProjectionRunner(projection, documents, log, CODEC, SystemClock())

    wait_for(lambda: not runner.step() and runner.pointer().live == 1)
    runner.close()
    if isinstance(log, KafkaLog):
        log.close()
    return digest(projection, 1, documents)
