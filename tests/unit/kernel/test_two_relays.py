"""Guarantee: "Two relays, the lease stolen at any step: positions contiguous, no event with two positions, nothing
out of order within a stream", `previous` right for each competition, and `recorded_at` never going back.

Two real relays run in threads that stop before every call of a port; the machine decides whose call comes next,
steals the lease, moves their clocks apart and back, lets them crash, and lets the topic lose all its messages. A
model, one list of commits, says what must be in the log at the end, and in the topic in the same order."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import timedelta
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from shared.eventsourcing.clock import ManualClock
from shared.eventsourcing.errors import StoreUnavailable
from shared.eventsourcing.kafka.restoring import restore
from shared.eventsourcing.memory import MemoryCommits, MemoryJournal, MemoryLog
from shared.eventsourcing.records import Commit, Envelope
from shared.eventsourcing.relay import LEASE, Relay
from tests.support.at_rest import check_log, check_log_equals_commits
from tests.support.faults import Crash, Intercepted
from tests.support.interleaving import Pausable, explore
from tests.support.kernel import START
from tests.support.toys import commit

STREAMS = {"a": "x", "b": "x", "c": "y"}
RELAYS = (0, 1)


class LosingLog(MemoryLog):
    """An event log that may lose all it holds."""

    def __init__(self) -> None:
        super().__init__()
        self.losses = 0

    def lose(self) -> None:
        self._topics.clear()
        self.losses += 1

    def count(self, service: str) -> int:
        return len(self._topics.get(service, ()))


class Connection:
    """A relay's connection to it, which a loss breaks: before it publishes again, it must look what is there."""

    def __init__(self, log: LosingLog) -> None:
        self._log = log
        self._losses = log.losses

    def count(self, service: str) -> int:
        self._losses = self._log.losses
        return self._log.count(service)

    def publish(self, entries: Sequence[Envelope]) -> None:
        if self._losses != self._log.losses:
            raise StoreUnavailable("the connection was lost")
        self._log.publish(entries)


class TwoRelays(RuleBasedStateMachine):
    def __init__(self) -> None:
        super().__init__()
        self.commits = MemoryCommits()
        self.journal = MemoryJournal()
        self.log = LosingLog()
        self.clocks = [ManualClock(START), ManualClock(START)]
        self.pauses = [Pausable(), Pausable()]
        self.relays = [self.relay(n) for n in RELAYS]
        self.appended: list[Commit] = []
        self.versions = dict.fromkeys(STREAMS, 0)

    @initialize(batch=st.sampled_from([1, 2, 5, 500]))
    def choose_batch(self, batch: int) -> None:
        for relay in self.relays:
            relay._batch = batch

    def relay(self, n: int) -> Relay:
        def through(name: str, port: Any) -> Any:
            return Intercepted(name, port, lambda call: self.pauses[n](call))  # noqa: PLW0108 - the one of the moment

        journal, log = through("journal", self.journal), through("log", Connection(self.log))
        relay = Relay(through("commits", self.commits), journal, log, self.clocks[n], f"relay {n}")
        relay.on_begin = lambda: restore(log, "entry", journal) and None
        return relay

    @rule(stream=st.sampled_from(sorted(STREAMS)), events=st.integers(1, 3))
    def append(self, stream: str, events: int) -> None:
        given = commit(
            stream, self.versions[stream] + 1, events, competition=STREAMS[stream], stamp=len(self.appended) + 1
        )
        self.commits.append(given)
        self.appended.append(given)
        self.versions[stream] += events

    @rule(n=st.sampled_from(RELAYS), calls=st.integers(1, 12))
    def go_on(self, n: int, calls: int) -> None:
        """A relay makes some calls; it begins a step when it is in none."""
        for _ in range(calls):
            if not self.pauses[n].running:
                self.pauses[n].begin(self.relays[n].step)
            if self.pauses[n].running:
                self.pauses[n].advance()

    @rule(n=st.sampled_from(RELAYS))
    def end_step(self, n: int) -> None:
        self.pauses[n].finish()

    @rule()
    def steal_the_lease(self) -> None:
        self.journal._lease = None

    @rule()
    def lose_the_topic(self) -> None:
        self.log.lose()

    @rule(n=st.sampled_from(RELAYS), seconds=st.sampled_from([-30, -1, 1, 6, 30]))
    def move_a_clock(self, n: int, seconds: int) -> None:
        self.clocks[n].advance(timedelta(seconds=seconds))

    @precondition(lambda self: any(pause.running for pause in self.pauses))
    @rule(n=st.sampled_from(RELAYS))
    def crash(self, n: int) -> None:
        if self.pauses[n].running:
            self.pauses[n].crash()
        self.pauses[n] = Pausable()
        self.relays[n] = self.relay(n)

    @invariant()
    def the_log_is_right(self) -> None:
        check_log(self.journal.read(0, 1_000_000))

    @invariant()
    def no_relay_fails(self) -> None:
        for pause in self.pauses:
            assert pause.error is None or isinstance(pause.error, Crash | StoreUnavailable), pause.error

    def teardown(self) -> None:
        """Left alone, they bring everything into the log: the property cannot hold by doing nothing."""
        for pause in self.pauses:
            pause.finish()
        for _ in range(4 * (len(self.appended) * 3 + 5)):
            for n in RELAYS:
                self.pauses[n] = Pausable()
                self.clocks[n].advance(timedelta(seconds=1))  # a loss is found out when the lease is renewed
                with suppress(StoreUnavailable):
                    self.relays[n].step()
        entries = self.journal.read(0, 1_000_000)
        check_log_equals_commits(entries, self.appended)
        topic = self.log.subscribe("test", ["entry"]).poll(1_000_000)
        assert list({e.position: e for e in topic}.values()) == entries, "published out of order, or not at all"
        assert self.commits.pending(1) == []


TestTwoRelays = TwoRelays.TestCase
TestTwoRelays.settings = settings(max_examples=150, stateful_step_count=40, deadline=None)


def test_every_interleaving_of_two_steps_with_two_switches() -> None:
    """Not by luck: both relays believe in their lease and make a step at once, over every place of two switches."""
    both = 0

    def scenario(drive: Callable[..., None]) -> None:
        nonlocal both
        machine = TwoRelays()
        machine.append("a", 2)
        machine.append("c", 1)
        for n in RELAYS:
            machine.journal._lease = None
            machine.relays[n].step()
        machine.append("a", 1)
        machine.append("b", 2)
        machine.relays[0]._renew_at = machine.relays[1]._renew_at = START + LEASE
        for n in RELAYS:
            machine.pauses[n].begin(machine.relays[n].step)
        drive(*machine.pauses)
        machine.the_log_is_right()
        machine.no_relay_fails()
        both += machine.journal.head() == 6
        machine.teardown()

    assert explore(scenario, preemptions=2) > 100
    assert both > 50
