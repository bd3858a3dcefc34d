"""Guarantee: "A poison event holds itself and later events of its key; other keys go on; it is tried again with
growing waits, then parked until a person asks; a retry drains in order; at the limit of held events the consumer
stops, it drops nothing." """

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import timedelta
from typing import Any

import pytest

from shared.eventsourcing.clock import ManualClock
from shared.eventsourcing.consumer import Consumer
from shared.eventsourcing.errors import GapInLog, HeldLimitReached, NotNow, StoreUnavailable
from shared.eventsourcing.held import PATIENCE, Held
from shared.eventsourcing.memory import MemoryDocuments
from shared.eventsourcing.records import Envelope
from tests.support.faults import Call, Crash, Fault, Intercepted, Interceptor, OneFault
from tests.support.interleaving import Pausable, explore
from tests.support.kernel import START
from tests.support.logs import event_logs
from tests.support.toys import envelope

pytestmark = pytest.mark.over("memory", "kafka")

SECOND = timedelta(seconds=1)
DAY = timedelta(days=1)


class Poison(Exception):
    """What the handler says of an event it cannot handle."""


class Follower:
    """A consumer whose handler notes what it handles and fails at events named poison."""

    def __init__(self, services: Sequence[str] = ("match", "appeals")) -> None:
        self.services = services
        self.log = event_logs(1)("f")
        self.documents = MemoryDocuments()
        self.clock = ManualClock(START)
        self.poison: set[str] = set()
        self.handled: list[str] = []
        self.positions = dict.fromkeys(services, 0)
        self.previous: dict[tuple[str, str], int] = {}
        self.consumer = self.start()

    def start(
        self, interceptor: Interceptor | None = None, batch: int = 200, clock: ManualClock | None = None
    ) -> Consumer:
        log, documents = (
            Intercepted(name, port, interceptor) if interceptor else port
            for name, port in (("log", self.log), ("documents", self.documents))
        )
        return Consumer("f", self.services, self.handle, log, documents, clock or self.clock, batch)  # type: ignore[arg-type]

    def handle(self, competition: str, events: Sequence[Envelope]) -> None:
        """Checks all before it notes any, as a projector folds all before it writes any."""
        names = [name(e) for e in events]
        assert all(e.competition == competition for e in events)
        if bad := self.poison.intersection(names):
            raise Poison(f"cannot handle {sorted(bad)}")
        self.handled += names

    def publish(self, *names: str) -> None:
        """Events named "<competition><number>" of the service match, or "appeals:<competition><number>"."""
        for given in names:
            service, _, rest = given.rpartition(":")
            service = service or "match"
            competition = rest[0]
            self.positions[service] += 1
            position, key = self.positions[service], (service, competition)
            self.log.publish(
                [envelope(position, self.previous.get(key, 0), service=service, competition=competition, stream=given)]
            )
            self.previous[key] = position

    def settle(self, consumer: Consumer | None = None) -> None:
        for _ in range(60):
            if not (consumer or self.consumer).step() and not (consumer or self.consumer).held.entries():
                return
            self.clock.advance(SECOND)

    def once(self) -> list[str]:
        """What was handled, in order, without what came again after a crash."""
        return list(dict.fromkeys(self.handled))


def name(event: Envelope) -> str:
    return event.stream


@pytest.fixture
def follower() -> Follower:
    return Follower()


def test_without_poison_everything_is_handled_in_order(follower: Follower) -> None:
    follower.publish("a1", "b1", "a2")
    assert follower.consumer.step() == 3
    assert follower.handled == ["a1", "a2", "b1"]
    assert follower.consumer.step() == follower.consumer.lag() == 0


def test_a_poison_event_and_what_follows_it_are_held_and_other_competitions_go_on(follower: Follower) -> None:
    follower.poison = {"a2"}
    follower.publish("a1", "a2", "b1", "a3", "b2")
    follower.consumer.step()
    assert follower.handled == ["a1", "b1", "b2"]
    assert [name(e) for e in follower.consumer.held.events("a")] == ["a2", "a3"]
    follower.publish("a4", "b3", "appeals:a1")
    follower.consumer.step()
    assert follower.handled == ["a1", "b1", "b2", "b3"]
    assert {name(e) for e in follower.consumer.held.events("a")} == {"a2", "a3", "a4", "appeals:a1"}
    assert follower.consumer.lag() == 0


def test_poison_that_comes_first_in_its_batch_holds_the_whole_of_it(follower: Follower) -> None:
    follower.poison = {"a1"}
    follower.publish("a1", "a2", "b1")
    follower.consumer.step()
    assert follower.handled == ["b1"]
    assert [name(e) for e in follower.consumer.held.events("a")] == ["a1", "a2"]


def test_what_is_held_says_why_and_since_which_event(follower: Follower) -> None:
    follower.poison = {"a2"}
    follower.publish("a1", "a2")
    follower.consumer.step()
    (entry,) = follower.consumer.held.entries()
    assert entry["competition"] == "a"
    assert entry["error"] == "Poison: cannot handle ['a2']"
    assert entry["first"] == "a2@2"
    assert (entry["tries"], entry["parked"]) == (1, False)


def test_waits_grow_and_patience_ends_in_parking(follower: Follower) -> None:
    follower.poison = {"a1"}
    follower.publish("a1")
    follower.consumer.step()
    waits = []
    wait = 0
    for _ in range(100):
        if follower.consumer.step():
            waits.append(wait)
            wait = 0
        follower.clock.advance(SECOND)
        wait += 1
    assert follower.consumer.held.entries()[0]["parked"]
    assert waits == [1, 2, 4, 8, 16]
    assert len(waits) == PATIENCE - 1
    follower.clock.advance(DAY)
    assert follower.consumer.step() == 0, "parked: a person must ask"
    assert [name(e) for e in follower.consumer.held.events("a")] == ["a1"]


def test_a_retry_drains_in_order_and_the_competition_goes_on(follower: Follower) -> None:
    follower.poison = {"a1"}
    follower.publish("a1", "a2", "b1")
    for _ in range(PATIENCE):
        follower.consumer.step()
        follower.clock.advance(DAY)
    follower.publish("a3")
    follower.consumer.step()
    follower.poison = set()
    assert follower.consumer.held.retry("a")
    assert not follower.consumer.held.retry("b")
    follower.consumer.step()
    follower.publish("a4")
    follower.consumer.step()
    assert follower.handled == ["b1", "a1", "a2", "a3", "a4"]
    assert follower.consumer.held.entries() == []
    assert follower.consumer.held.events("a") == []
    assert not follower.consumer.held.retry("a")


def test_a_retry_that_fails_further_on_holds_from_there_and_begins_to_wait_anew(follower: Follower) -> None:
    follower.poison = {"a1", "a3"}
    follower.publish("a1", "a2", "a3", "a4")
    for _ in range(3):
        follower.consumer.step()
        follower.clock.advance(DAY)
    follower.poison = {"a3"}
    follower.consumer.step()
    assert follower.handled == ["a1", "a2"]
    (entry,) = follower.consumer.held.entries()
    assert (entry["first"], entry["tries"]) == ("a3@3", 1)
    assert [name(e) for e in follower.consumer.held.events("a")] == ["a3", "a4"]


def test_a_retry_takes_a_batch_at_a_time() -> None:
    """ "Bound the work of one poll": what was held for a week does not stop the others when it drains."""
    follower = Follower(["match"])
    follower.poison = {"a1"}
    follower.publish("a1", *(f"a{n}" for n in range(2, 13)))
    follower.consumer = follower.start(batch=5)
    for _ in range(3):
        follower.consumer.step()
    follower.poison = set()
    follower.clock.advance(DAY)
    drained = []
    while follower.consumer.held.entries():
        before = len(follower.handled)
        follower.consumer.step()
        drained.append(len(follower.handled) - before)
    assert drained == [5, 5, 2]
    assert follower.handled == [f"a{n}" for n in range(1, 13)]


def test_two_competitions_are_held_and_drained_each_by_itself(follower: Follower) -> None:
    follower.poison = {"a1", "b1"}
    follower.publish("a1", "b1", "a2", "b2", "c1")
    follower.consumer.step()
    follower.poison = {"b1"}
    follower.clock.advance(SECOND)
    follower.consumer.step()
    assert follower.handled == ["c1", "a1", "a2"]
    assert [e["competition"] for e in follower.consumer.held.entries()] == ["b"]


def test_a_competition_may_be_poisoned_again(follower: Follower) -> None:
    for n in (1, 3):
        follower.poison = {f"a{n}"}
        follower.publish(f"a{n}", f"a{n + 1}")
        follower.consumer.step()
        assert [e["first"] for e in follower.consumer.held.entries()] == [f"a{n}@{n}"]
        follower.poison = set()
        follower.settle()
    assert follower.handled == ["a1", "a2", "a3", "a4"]


def test_at_the_limit_the_consumer_stops_and_nothing_is_dropped(follower: Follower) -> None:
    """ "When the limit of parked events is reached, stop": so many failures are not one event's fault."""
    follower.consumer.held = Held(follower.documents, "f", follower.clock, limit=3)
    follower.poison = {"a1"}
    follower.publish("a1", "a2", "a3")
    follower.consumer.step()
    follower.publish("a4", "b1")
    for _ in range(2):
        with pytest.raises(HeldLimitReached):
            follower.consumer.step()
    assert follower.consumer.lag() == 2
    follower.poison = set()
    follower.clock.advance(DAY)
    follower.settle()
    assert sorted(follower.handled) == ["a1", "a2", "a3", "a4", "b1"]
    assert follower.consumer.lag() == 0


def test_a_store_that_is_away_holds_nothing(follower: Follower) -> None:
    """NotNow is no fault of an event: the step ends and begins again."""

    def away(competition: str, events: Sequence[Envelope]) -> None:
        raise StoreUnavailable("away")

    follower.publish("a1")
    consumer = Consumer("f", follower.services, away, follower.log, follower.documents, follower.clock)
    with pytest.raises(StoreUnavailable):
        consumer.step()
    assert consumer.held.entries() == []
    assert follower.consumer.step() == 1


def test_a_gap_stops_the_consumer(follower: Follower) -> None:
    """ "The envelope names the position before it of the same competition, so a consumer sees a gap." """
    follower.publish("a1")
    follower.consumer.step()
    follower.previous["match", "a"] = 2
    follower.positions["match"] = 2
    follower.publish("a3")
    with pytest.raises(GapInLog) as gap:
        follower.consumer.step()
    assert (gap.value.previous, gap.value.seen) == (2, 1)
    assert follower.handled == ["a1"]


def test_names_that_look_like_separators_do_not_mix(follower: Follower) -> None:
    """The keys of what is held and of checkpoints are put together of names that organisers choose."""
    odd = ["x", "x|y", "stream|match|s", "competition|x", "match:s", ""]
    follower.poison = set()
    for n, competition in enumerate(odd):
        follower.log.publish([envelope(n + 1, 0, service="match", competition=competition, stream="s", version=n + 1)])
    follower.consumer.step()
    assert follower.consumer.checkpoints.version("match", "s") == len(odd)
    for n, competition in enumerate(odd):
        again = [envelope(n + 1, 0, service="match", competition=competition, stream="s")]
        assert follower.consumer.checkpoints.read(competition, again).fresh(again) == []


@pytest.mark.over("memory")
@pytest.mark.parametrize("fault", Fault)
def test_a_fault_at_any_call_loses_nothing_and_keeps_the_order(fault: Fault) -> None:
    """While an event is held, while more is added, and while it drains: every call fails once."""
    at, struck = 0, 0
    while True:
        follower, faults = Follower(), OneFault(at, fault)
        follower.poison = {"a2", "appeals:a1"}
        follower.publish("a1", "a2", "b1", "a3", "appeals:a1", "appeals:b1", "appeals:a2")
        consumer: Consumer | None = None
        for round in range(70):
            try:
                consumer = consumer or follower.start(faults, batch=4)
                consumer.step()
            except NotNow:
                pass
            except Crash:
                consumer = None
            follower.clock.advance(3 * SECOND)
            if round == 3:
                follower.publish("a4", "appeals:a3")
            if round == 6:
                follower.poison = {"appeals:a1"}
            if round == 9:
                follower.poison = set()
                follower.start().held.retry("a")
        done = follower.once()
        where = f"{fault} at call {at}: {done}"
        assert [e for e in done if e.startswith("a") and ":" not in e] == ["a1", "a2", "a3", "a4"], where
        assert [e for e in done if e.startswith("appeals:a")] == ["appeals:a1", "appeals:a2", "appeals:a3"], where
        assert {"b1", "appeals:b1"} <= set(done), where
        assert follower.start().held.entries() == [], where
        assert follower.start().lag() == 0, where
        struck += faults.struck
        if at >= len(faults.calls) or at > 250:
            break
        at += 1
    assert struck > (1 if fault in (Fault.CRASH_MIDWAY, Fault.TORN) else 20)


def test_what_a_crash_left_among_the_held_does_not_make_a_retry_drop_another_event(follower: Follower) -> None:
    """The crash comes when an event is kept and its competition not marked; it is handled when it comes again, and
    lies behind an event that fails later."""

    def cut(call: Call) -> Any:
        result = call.proceed()
        if str(call) == "documents.put" and call.args[0] == "held_events":
            raise Crash
        return result

    follower.poison = {"a1"}
    follower.publish("a1")
    with pytest.raises(Crash):
        follower.start(cut).step()
    follower.poison = {"appeals:a1"}
    follower.consumer.step()
    assert follower.handled == ["a1"]
    follower.publish("appeals:a1")
    follower.consumer.step()
    follower.clock.advance(SECOND)
    follower.consumer.step()
    assert [name(e) for e in follower.consumer.held.events("a")] == ["appeals:a1"]
    follower.poison = set()
    follower.settle()
    assert follower.handled == ["a1", "appeals:a1"]


@pytest.mark.over("memory")
@pytest.mark.parametrize("behind", [timedelta(0), SECOND], ids=["one clock", "one clock behind"])
def test_two_consumers_of_one_group_hold_and_drain_together(behind: timedelta) -> None:
    """One drains while the other adds: of every interleaving with two switches, no event is lost. Where its clock is
    behind, the second does not drain but only adds."""

    def scenario(drive: Callable[..., None]) -> None:
        follower = Follower()
        follower.poison = {"a1"}
        follower.publish("a1", "a2")
        follower.consumer.step()
        follower.poison = set()
        follower.clock.advance(SECOND)
        follower.publish("a3", "appeals:a1")
        tasks = [Pausable(), Pausable()]
        for task, late in zip(tasks, (timedelta(0), behind), strict=True):
            task.begin(follower.start(task, clock=ManualClock(follower.clock.now() - late)).step)
        drive(*tasks)
        assert all(task.error is None or isinstance(task.error, NotNow) for task in tasks), [t.error for t in tasks]
        follower.publish("a4")
        follower.settle(follower.start())
        assert [e for e in follower.once() if ":" not in e] == ["a1", "a2", "a3", "a4"]
        assert "appeals:a1" in follower.handled
        assert follower.start().lag() == 0

    assert explore(scenario, preemptions=2) > 100
