"""Guarantees: "Every event gets one position, contiguous in its service, after its commit is durable; within a stream
in version order; `recorded_at` never goes back; the log has every event, in that order." One relay, and what can
happen around it; two of them are in test_two_relays."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

import pytest

from shared.eventsourcing.clock import ManualClock
from shared.eventsourcing.errors import StoreUnavailable
from shared.eventsourcing.memory import MemoryCommits, MemoryJournal, MemoryLog
from shared.eventsourcing.records import Commit, Envelope
from shared.eventsourcing.relay import LEASE, Relay
from tests.support.at_rest import check_log_equals_commits
from tests.support.faults import Call, Fault, Intercepted, Interceptor, OneFault
from tests.support.kernel import START
from tests.support.toys import commit


class Service:
    """Stores of one service, and relays on them."""

    def __init__(self) -> None:
        self.commits = MemoryCommits()
        self.journal = MemoryJournal()
        self.log = MemoryLog()
        self.clock = ManualClock(START)
        self.appended: list[Commit] = []

    def relay(self, holder: str = "a", interceptor: Interceptor | None = None, batch: int = 500) -> Relay:
        def through(name: str, port: Any) -> Any:
            return Intercepted(name, port, interceptor) if interceptor else port

        return Relay(
            through("commits", self.commits),
            through("journal", self.journal),
            through("log", self.log),
            self.clock,
            holder,
            batch,
        )

    def append(self, *commits: Commit) -> None:
        for one in commits:
            self.commits.append(one)
            self.appended.append(one)

    def published(self) -> list[Envelope]:
        subscription = self.log.subscribe("test", ["entry"])
        return subscription.poll(1_000_000)

    def check(self) -> None:
        entries = self.journal.read(0, 1_000_000)
        check_log_equals_commits(entries, self.appended)
        first_seen = list({e.position: e for e in self.published()}.values())
        assert first_seen == entries, "the topic differs from the journal"
        assert self.commits.pending(1) == []
        assert self.journal.published() == self.journal.head()


def run(relay: Relay, limit: int = 1_000) -> int:
    total = 0
    for _ in range(limit):
        worked = relay.step()
        total += worked
        if not worked:
            return total
    raise AssertionError("the relay does not come to rest")


@pytest.fixture
def service() -> Service:
    return Service()


def ids(entries: Sequence[Envelope]) -> list[str]:
    return [e.id for e in entries]


def test_an_idle_relay_does_nothing(service: Service) -> None:
    assert service.relay().step() == 0


def test_events_get_positions_in_order_and_are_published(service: Service) -> None:
    service.append(commit("a", 1, 2, competition="x"), commit("b", 1, 1, competition="y", stamp=2))
    service.append(commit("a", 3, 1, competition="x"))
    relay = service.relay()
    assert relay.lag() == 3
    assert relay.step() == 8
    assert relay.step() == relay.lag() == 0
    entries = service.published()
    assert ids(entries) == ["a@1", "a@2", "b@1", "a@3"]
    assert [e.previous for e in entries] == [0, 1, 0, 2]
    service.check()


@pytest.mark.parametrize("batch", [1, 2, 3, 7])
def test_small_batches_come_to_the_same(service: Service, batch: int) -> None:
    for n in range(1, 12):
        service.append(commit("long", n, competition="x"), commit(f"s{n}", competition="y", stamp=n))
    run(service.relay(batch=batch))
    service.check()


def test_a_commit_larger_than_a_batch_is_sequenced_whole(service: Service) -> None:
    service.append(commit("s", 1, 50), commit("s", 51, 1))
    run(service.relay(batch=10))
    service.check()


def test_a_commit_gets_no_position_before_the_one_it_was_decided_upon(service: Service) -> None:
    """A round closes because its match is closed: its stream is shorter, its name comes first, it was received
    earlier; its stamp alone tells that it comes after."""
    service.append(
        commit("zz-match", 1, stamp=10), commit("rounds", 1, stamp=11, received_at=START - timedelta(hours=1))
    )
    run(service.relay())
    assert ids(service.published()) == ["zz-match@1", "rounds@1"]


def test_a_commit_seen_before_the_one_before_it_waits(service: Service) -> None:
    second = commit("s", 2)
    service.append(second)
    relay = service.relay()
    assert run(relay) == 0
    service.append(commit("s", 1))
    run(relay)
    assert ids(service.published()) == ["s@1", "s@2"]
    service.check()


def test_recorded_at_stays_where_the_clock_goes_back(service: Service) -> None:
    relay = service.relay()
    for n, at in enumerate([START, START - timedelta(hours=2), START + timedelta(microseconds=1)], 1):
        service.clock.set(at)
        service.append(commit("s", n))
        run(relay)
    assert [e.recorded_at for e in service.published()] == [START, START, START + timedelta(microseconds=1)]


def test_a_log_that_is_away_holds_up_publishing_and_nothing_else(service: Service) -> None:
    """ "If Kafka is down, commands still succeed and the relay catches up": positions are given meanwhile."""
    away = True

    def unplug(call: Call) -> Any:
        if away and call.method == "publish":
            raise StoreUnavailable("no broker")
        return call.proceed()

    relay = service.relay(interceptor=unplug, batch=2)
    for n in range(1, 8):
        service.append(commit("s", n))
    for _ in range(5):
        with pytest.raises(StoreUnavailable):
            relay.step()
    assert service.journal.head() == 7
    assert service.published() == []
    assert relay.lag() == 7
    away = False
    run(relay)
    service.check()


def test_a_relay_whose_lease_another_holds_is_idle_until_it_runs_out(service: Service) -> None:
    service.append(commit())
    assert service.journal.take_lease("other", START, START + LEASE)
    relay = service.relay()
    assert relay.step() == 0
    service.clock.advance(LEASE)
    assert relay.step() > 0
    service.check()


def test_a_relay_that_lost_and_regained_its_lease_remembers_nothing_wrong(service: Service) -> None:
    """What a relay remembers of streams and competitions is void when another has inserted meanwhile, even if its
    own lease never ran out by its own clock."""
    first, second = service.relay("a"), service.relay("b")
    service.append(commit("s", 1, competition="x"), commit("t", 1, competition="y"))
    run(first)
    service.journal._lease = None  # stolen: the store's clock says so, the first relay's does not
    service.append(commit("s", 2, competition="x"), commit("u", 1, competition="x", stamp=2))
    run(second)
    service.append(commit("s", 3, competition="x"), commit("v", 1, competition="x", stamp=3))
    run(first)
    service.clock.advance(2 * LEASE)
    run(first)
    service.check()


def test_more_streams_than_are_remembered_come_to_the_same(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shared.eventsourcing.relay.REMEMBERED", 3)
    for first in (1, 2, 3):
        service.append(*(commit(f"s{n}", first, competition=f"c{n % 5}") for n in range(8)))
        run(service.relay(batch=5))
    relay = service.relay(batch=6)
    service.append(*(commit(f"s{n}", 4, competition=f"c{n % 5}") for n in range(8)))
    run(relay)
    service.check()


@pytest.mark.parametrize("fault", Fault)
@pytest.mark.parametrize("batch", [500, 3])
def test_a_fault_at_any_call_loses_and_doubles_nothing(fault: Fault, batch: int) -> None:
    """Every call of the relay fails once, in every way it can; a crashed relay is replaced by a new one."""
    at, struck = 0, 0
    while True:
        service, faults = Service(), OneFault(at, fault)
        service.append(
            commit("a", 1, 3, competition="x"), commit("b", 1, 2, competition="y"), commit("a", 4, competition="x")
        )
        relay = service.relay("first", faults, batch)
        for round in range(40):
            try:
                relay.step()
            except StoreUnavailable:
                pass
            except BaseException:
                service.clock.advance(LEASE)
                relay = service.relay("second", faults, batch)
            if round == 2:
                service.append(commit("c", 1, 2, competition="x", stamp=9), commit("a", 5, competition="x", stamp=9))
        try:
            service.check()
        except AssertionError as error:
            error.add_note(f"{fault} at call {at}: {faults.calls[at]}")
            raise
        struck += faults.struck
        if at >= len(faults.calls):
            break
        at += 1
    assert struck >= 2


def test_before_publishing_it_asks_whether_the_log_has_lost_something(service: Service) -> None:
    """At first, whenever the lease is renewed, and after a failure; where that fails nothing is published."""
    asked: list[int] = []

    def lost_publication(call: Call) -> Any:
        if call.method == "publish" and len(asked) == 2:
            raise StoreUnavailable(str(call))
        return call.proceed()

    relay = service.relay(interceptor=lost_publication)
    relay.on_begin = lambda: asked.append(len(service.log._topics.get("entry", ())))
    service.append(commit("s", 1))
    run(relay)
    assert asked == [0]
    service.clock.advance(LEASE)
    service.append(commit("s", 2))
    with pytest.raises(StoreUnavailable):
        relay.step()
    run(relay)
    assert asked == [0, 1, 1]

    def away() -> None:
        raise StoreUnavailable("the log")

    relay.on_begin = away
    service.append(commit("s", 3))
    service.clock.advance(LEASE)
    with pytest.raises(StoreUnavailable):
        relay.step()
    assert (service.journal.head(), service.journal.published()) == (3, 2), "it has a position and waits"
