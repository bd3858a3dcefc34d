"""Guarantee: "Document store down: told in bounded time, nothing half-written; back up: all goes on." The store is a
process of its own here, and is really killed."""

from __future__ import annotations

import os
import signal
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from pymongo import MongoClient
from pymongo.errors import (
    AutoReconnect,
    BulkWriteError,
    NetworkTimeout,
    NotPrimaryError,
    OperationFailure,
    PyMongoError,
    ServerSelectionTimeoutError,
    WriteConcernError,
)

from deploy.store import EmbeddedStore
from shared.eventsourcing.clock import SystemClock
from shared.eventsourcing.engine import Engine
from shared.eventsourcing.errors import OutcomeUnknown, StoreUnavailable
from shared.eventsourcing.handling import CommandHandler
from shared.eventsourcing.mongo import (
    MongoCommits,
    MongoDocuments,
    MongoJournal,
    MongoLog,
    connect,
    reading,
    writing,
)
from shared.eventsourcing.policy import Policy
from shared.eventsourcing.ports import Ports
from shared.eventsourcing.workers import Workers, poll_until
from tests.support.at_rest import check_log_equals_commits, check_rows, check_streams, folded, rows
from tests.support.toys import CODEC, MODEL, TEAMS, Played, append, command, enter, play, projection, seating
from tests.support.waiting import asked_again, wait_for


class Site:
    """Two services over one store, as one process wires them; a policy of the second answers the first."""

    def __init__(self, client: MongoClient[dict[str, Any]]) -> None:
        self.databases = {name: client[f"site_{name}"] for name in ("entry", "table")}
        self.engines: dict[str, Engine] = {}
        for name in self.databases:
            policies: Sequence[Policy] = seating(self) if name == "table" else ()  # type: ignore[arg-type]
            self.engines[name] = Engine(name, self.ports(name), CODEC, self.board(name), policies)

    @staticmethod
    def board(name: str) -> Any:
        return projection(name=name, topics=["entry", "table"])

    def ports(self, name: str) -> Ports:
        database = self.databases[name]
        return Ports(
            clock=SystemClock(),
            commits=MongoCommits(database),
            journal=MongoJournal(database),
            log=MongoLog(lambda service: MongoJournal(self.databases[service]), database),
            documents=MongoDocuments(database),
            wait_until=poll_until,
            holder=f"{name}-1",
        )

    def settle(self) -> None:
        steps = [step for engine in self.engines.values() for step in engine.steps().values()]
        wait_for(lambda: not sum(step() for step in steps))

    def check(self, commands: set[str]) -> None:
        """Everything that was answered is there once, and the read models are what the log says."""
        logs = []
        for name, engine in self.engines.items():
            streams = {d["stream"] for d in self.databases[name]["commits"].find({}, {"stream": 1})}
            commits = [c for stream in sorted(streams) for c in engine.ports.commits.stream(stream)]
            entries = engine.ports.journal.read(0, 100_000)
            check_streams(commits)
            check_log_equals_commits(entries, commits)
            assert commands <= {c.command for c in commits} or name != "entry"
            assert engine.held() == []
            logs.append(entries)
        assert len([e for e in logs[1] if e.type == "Seated"]) == len([e for e in logs[0] if e.type == "Entered"])
        for name, engine in self.engines.items():
            expected = folded(self.board(name), CODEC, logs)
            check_rows(rows(self.board(name), engine.projection.pointer().live, engine.ports.documents), expected)


@pytest.fixture
def store(store_folder: Path) -> Iterator[EmbeddedStore]:
    with EmbeddedStore(store_folder) as store:
        yield store


def test_killed_under_load_and_started_again_nothing_is_lost_or_doubled(store: EmbeddedStore) -> None:
    """Writers ask again until answered, workers run as they do in production; the store is killed twice."""
    with connect(store.url) as client:
        site = Site(client)
        workers = Workers(site.engines.values())
        workers.start()
        answered: set[str] = set()

        def write(writer: int) -> None:
            for n in range(40):
                order = command(f"{writer}-{n}")
                asked_again(
                    lambda order=order, n=n: enter(site.engines["entry"].commands, order, f"c{writer}", f"t{n}")
                )
                answered.add(order.id)

        writers = [threading.Thread(target=write, args=(n,)) for n in range(3)]
        for writer in writers:
            writer.start()
        for kill_at in (20, 70):
            wait_for(lambda kill_at=kill_at: len(answered) >= kill_at)  # type: ignore[misc]
            store.kill()
            store.start()
        for writer in writers:
            writer.join()
        assert len(answered) == 120
        reader = site.engines["table"].reader
        wait_for(lambda: sum(t.seats for t in reader.find(TEAMS, {})) == 120)
        wait_for(lambda: not workers.errors())
        workers.stop()
        site.settle()
        site.check(answered)


def test_killed_while_portions_are_stored_each_is_there_whole_or_not_at_all(store: EmbeddedStore) -> None:
    """One writer sends one portion after another until the store is gone; then it is looked what is there."""
    with connect(store.url, timeout_ms=300) as client:
        commits = MongoCommits(client["portions"])
        handler, size = CommandHandler("entry", commits, CODEC), 40
        sent, answered = list[int](), list[int]()

        def portion(number: int) -> None:
            for n in range(size):
                append(handler, f"{number}-{n}", f"s{n % 7}", Played("t", number))

        def write() -> None:
            while True:
                sent.append(len(sent))
                handler.together(partial(portion, sent[-1]))
                answered.append(sent[-1])

        for kill in range(3):
            writer = threading.Thread(target=attempt, args=(write,))
            writer.start()
            wait_for(lambda kill=kill: len(answered) >= 4 * (kill + 1))  # type: ignore[misc]
            store.kill()
            writer.join()
            store.start()
            stored = asked_again(lambda: [commit for n in range(7) for commit in commits.stream(f"s{n}")])
            check_streams(stored)
            there = Counter(commit.command.partition("-")[0] for commit in stored)
            assert set(there.values()) == {size}, "a portion is there in part"
            assert {str(number) for number in answered} <= set(there) <= {str(number) for number in sent}
            for number in sent:
                asked_again(lambda number=number: handler.together(partial(portion, number)))  # type: ignore[misc]


def attempt(work: Callable[[], None]) -> None:
    with suppress(StoreUnavailable):
        work()


def test_down_every_call_is_told_in_bounded_time_and_back_up_all_goes_on(store: EmbeddedStore) -> None:
    with connect(store.url, timeout_ms=300) as client:
        site = Site(client)
        entry, table = site.engines["entry"], site.engines["table"]
        enter(entry.commands, command("before"), "c", "t1")
        site.settle()
        store.kill()
        calls: dict[str, Callable[[], Any]] = {
            "command": lambda: enter(entry.commands, command("during"), "c", "t2"),
            "another command": lambda: play(table.commands, command("played"), "c", "t1", [5]),
            "read": lambda: entry.reader.get(TEAMS, "c/t1"),
            "wait": lambda: entry.await_version("entry", "entry-c-t1", 9, 0.1),
            "held": entry.held,
            **entry.steps(),
            **table.steps(),
        }
        for call in calls.values():  # each would wait for ever if nothing bounded it
            with pytest.raises(StoreUnavailable):
                call()
        store.start()
        asked_again(calls["command"])
        asked_again(calls["another command"])
        site.settle()
        site.check({"before", "during"})


def test_a_store_that_hangs_is_told_in_bounded_time(store: EmbeddedStore) -> None:
    """It holds its connections and answers nothing."""
    with connect(store.url, timeout_ms=400, answer_ms=400) as client:
        handler = CommandHandler("entry", MongoCommits(client["hang"]), CODEC)
        assert store.pid is not None
        os.kill(store.pid, signal.SIGSTOP)
        try:
            with pytest.raises(StoreUnavailable):
                append(handler, "k", "s", Played("t", 1))
        finally:
            os.kill(store.pid, signal.SIGCONT)
        asked_again(lambda: append(handler, "k", "s", Played("t", 1)))
        assert handler.load("s", MODEL).version == 1


UNSENT: list[PyMongoError] = [ServerSelectionTimeoutError("nobody there")]
UNKNOWN: list[PyMongoError] = [
    AutoReconnect("closed"),
    NetworkTimeout("slow"),
    NotPrimaryError("stepped down"),
    WriteConcernError("waiting for replication timed out", 64),
    OperationFailure("interrupted at shutdown", 11600),
    OperationFailure("exceeded time limit", 50),
]


@pytest.mark.parametrize("error", UNSENT + UNKNOWN, ids=lambda e: type(e).__name__)
def test_store_trouble_while_reading_is_unavailable(error: PyMongoError) -> None:
    with pytest.raises(StoreUnavailable) as told, reading():
        raise error
    assert not isinstance(told.value, OutcomeUnknown)


@pytest.mark.parametrize("error", UNKNOWN, ids=lambda e: type(e).__name__)
def test_a_write_that_may_have_been_made_is_of_unknown_outcome(error: PyMongoError) -> None:
    with pytest.raises(OutcomeUnknown), writing():
        raise error


def test_a_write_that_was_never_sent_is_unavailable_and_no_more() -> None:
    with pytest.raises(StoreUnavailable) as told, writing():
        raise UNSENT[0]
    assert not isinstance(told.value, OutcomeUnknown)


def test_errors_of_a_bulk_write_reach_the_adapter() -> None:
    with pytest.raises(BulkWriteError), writing():
        raise BulkWriteError({"writeErrors": [{"code": 11000}]})
