"""What the kernel's suites share: faults and pauses at every port call, services in memory, and the checks.

`Intercepted` puts an interceptor around every call of a port. `OneFault` raises at the n-th call, so that a test can
try them all; `RandomFaults` raises where its random numbers say; `Pausable` stops a step before each call, so that
a test decides how two of them interleave, and `explore` tries all ways. `World` holds the ports of several services
and their engines, `Simulation` gives it a life at random, and the `check_…` functions state what must be so in every
world at rest, whatever happened to it.
"""

from __future__ import annotations

import random
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from enum import Enum
from typing import Any

import msgspec

from shared.eventsourcing.clock import Clock, ManualClock
from shared.eventsourcing.engine import Engine
from shared.eventsourcing.errors import NotNow, OutcomeUnknown, StoreUnavailable
from shared.eventsourcing.generations import ProjectionRunner
from shared.eventsourcing.handling import Outcome
from shared.eventsourcing.memory import MemoryCommits, MemoryDocuments, MemoryJournal
from shared.eventsourcing.policy import Policy
from shared.eventsourcing.ports import Codec, Document, Documents, EventLog, Ports
from shared.eventsourcing.projector import Projection, Row
from shared.eventsourcing.records import Commit, Envelope, canonical
from tests.support.logs import event_logs

START = datetime(2018, 11, 17, 9, 0, tzinfo=UTC)


# --- calls of ports, and what may happen to them -----------------------------------------------------------------


class Crash(BaseException):
    """The process ends here, as a power cut ends it: nothing after this line is run."""


@dataclass(frozen=True)
class Call:
    """One call of a port."""

    port: str
    method: str
    target: Callable[..., Any]
    args: tuple[Any, ...]
    kwargs: dict[str, Any]

    def __str__(self) -> str:
        return f"{self.port}.{self.method}"

    def proceed(self) -> Any:
        return self.target(*self.args, **self.kwargs)

    def proceed_with_half(self) -> Any:
        """Do the first half of a call that writes several things one after the other."""
        *front, items = self.args
        return self.target(*front, items[: len(items) // 2], **self.kwargs)

    @property
    def writes(self) -> bool:
        return str(self) in WRITES

    @property
    def divisible(self) -> bool:
        return str(self) in DIVISIBLE and len(self.args[-1]) > 1


DIVISIBLE = {"journal.insert", "log.publish", "documents.put", "documents.delete", "commits.mark_sequenced"}
WRITES = DIVISIBLE | {
    "commits.append",
    "commits.append_all",
    "journal.take_lease",
    "journal.mark_published",
    "log.forget",
    "subscription.commit",
    "documents.drop",
    "documents.ensure_index",
}

Interceptor = Callable[[Call], Any]


class Intercepted:
    """A port whose calls go through an interceptor; so do those of the subscriptions it gives."""

    def __init__(self, name: str, port: Any, interceptor: Interceptor) -> None:
        self._name = name
        self._port = port
        self._interceptor = interceptor

    def __getattr__(self, method: str) -> Any:
        target = getattr(self._port, method)

        def call(*args: Any, **kwargs: Any) -> Any:
            result = self._interceptor(Call(self._name, method, target, args, kwargs))
            return Intercepted("subscription", result, self._interceptor) if method == "subscribe" else result

        return call


class Fault(Enum):
    """What can happen at a call."""

    CRASH_BEFORE = "the process ends before the call"
    CRASH_MIDWAY = "the process ends when half of the call's writes are made"
    CRASH_AFTER = "the process ends when the call has returned"
    UNAVAILABLE = "the store does not answer"
    LOST = "the write is lost and its outcome unknown"
    TORN = "half of the writes are made and the outcome is unknown"
    LANDED = "the write is made and its outcome unknown"

    def possible(self, call: Call) -> bool:
        if self in (Fault.CRASH_MIDWAY, Fault.TORN):
            return call.divisible
        if self in (Fault.CRASH_AFTER, Fault.LOST, Fault.LANDED):
            return call.writes
        return call.method != "close"

    def strike(self, call: Call) -> None:
        """Do to the call what this fault does, and raise."""
        if self in (Fault.CRASH_MIDWAY, Fault.TORN):
            call.proceed_with_half()
        elif self in (Fault.CRASH_AFTER, Fault.LANDED):
            call.proceed()
        if self in (Fault.CRASH_BEFORE, Fault.CRASH_MIDWAY, Fault.CRASH_AFTER):
            raise Crash(str(call))
        raise (StoreUnavailable if self is Fault.UNAVAILABLE else OutcomeUnknown)(f"{self.value} ({call})")


class PlannedFaults:
    """Lets all calls pass but those that the plan names by their number. Counts them, so that a test can find out
    how many there are."""

    def __init__(self, plan: Mapping[int, Fault]) -> None:
        self.calls: list[Call] = []
        self.struck = 0
        self.plan = dict(plan)

    def __call__(self, call: Call) -> Any:
        fault = self.plan.get(len(self.calls))
        self.calls.append(call)
        if fault is not None and fault.possible(call):
            self.struck += 1
            fault.strike(call)
        return call.proceed()


class OneFault(PlannedFaults):
    """Strikes the n-th call, or none."""

    def __init__(self, at: int | None = None, fault: Fault = Fault.CRASH_BEFORE) -> None:
        super().__init__({} if at is None else {at: fault})


class Odd(Exception):
    """An error that no port should give, as a mistake in the code gives one."""


class RandomFaults:
    """Strikes calls at random while `rate` is above 0, one in eight times with an error that nobody expects; and
    lets polls give less than they could. `struck` tells what happened, for a failure's report."""

    def __init__(self, numbers: random.Random, rate: float) -> None:
        self.rate = rate
        self.struck: list[str] = []
        self._numbers = numbers

    def __call__(self, call: Call) -> Any:
        if self.rate and self._numbers.random() < self.rate and call.method != "close":
            if self._numbers.random() < 0.125:
                self.struck.append(f"Odd at {call}")
                raise Odd(str(call))
            fault = self._numbers.choice([fault for fault in Fault if fault.possible(call)])
            self.struck.append(f"{fault.name} at {call}")
            fault.strike(call)
        if self.rate and call.method == "poll":
            return call.target(self._numbers.randint(1, 8))
        return call.proceed()


class Pausable:
    """An interceptor that stops the running task before each call until `advance`. Only one task runs at any
    moment, so what happens is decided by the test alone."""

    def __init__(self) -> None:
        self.running = False
        self.at = ""
        self.error: BaseException | None = None
        self._crash = False
        self._go = threading.Semaphore(0)
        self._stopped = threading.Semaphore(0)
        self._thread: threading.Thread | None = None

    def __call__(self, call: Call) -> Any:
        if threading.current_thread() is self._thread:
            self.at = str(call)
            self._stopped.release()
            self._go.acquire()
            if self._crash:
                raise Crash(str(call))
        return call.proceed()

    def begin(self, task: Callable[[], Any]) -> None:
        """Start a task; it stands before its first call when this returns, or is done."""
        assert not self.running

        def run() -> None:
            try:
                task()
            except BaseException as error:
                self.error = error
            self.running = False
            self._stopped.release()

        self.running, self.error, self._crash = True, None, False
        self._thread = threading.Thread(target=run, daemon=True)
        self._thread.start()
        self._stopped.acquire()

    def advance(self) -> None:
        """Let the task make the call it stands before and come to the next one, or to its end."""
        assert self.running
        self._go.release()
        self._stopped.acquire()
        if not self.running and self._thread is not None:
            self._thread.join()

    def finish(self) -> None:
        while self.running:
            self.advance()

    def crash(self) -> None:
        """The task's process ends before the call it stands before."""
        self._crash = True
        self.finish()


def explore(scenario: Callable[[Callable[..., None]], None], preemptions: int | None = None) -> int:
    """Run a scenario under every interleaving of its tasks, or under all with at most so many switches away from a
    task that could have gone on; how many there were.

    The scenario is called once for each: it builds a fresh world, begins its tasks, and calls what it is given with
    them (`Pausable`s) to have them run to their ends, call by call."""
    count, ahead = 0, [list[int]()]
    while ahead:
        given, taken = ahead.pop(), list[int]()

        def drive(*tasks: Pausable, given: list[int] = given, taken: list[int] = taken) -> None:
            last, used = -1, 0
            while alive := [n for n, task in enumerate(tasks) if task.running]:
                free = last not in alive
                choice = alive[0] if free else last
                if len(taken) < len(given):
                    choice = given[len(taken)]
                elif free or preemptions is None or used < preemptions:
                    ahead.extend([*taken, other] for other in alive if other != choice)
                used += not free and choice != last
                taken.append(choice)
                tasks[choice].advance()
                last = choice

        try:
            scenario(drive)
        except BaseException as error:
            error.add_note(f"schedule (which task makes its next call): {taken}")
            raise
        count += 1
    return count


# --- services in memory ------------------------------------------------------------------------------------------


@dataclass
class Service:
    """What makes a service of a world. `policies` are built with its engine's command handler at each start."""

    name: str
    projection: Projection
    policies: Callable[[World], Sequence[Policy]] = lambda _world: ()
    commits: MemoryCommits = field(default_factory=MemoryCommits)
    journal: MemoryJournal = field(default_factory=MemoryJournal)
    documents: MemoryDocuments = field(default_factory=MemoryDocuments)


class World:
    """Several services on one log and one clock. Engines can be thrown away and started again; ports stay."""

    def __init__(
        self,
        services: Iterable[Service],
        codec: Codec,
        interceptor: Interceptor | None = None,
        logs: Callable[[str], EventLog] | None = None,
    ) -> None:
        """`logs` gives the event log as a service reads it; without it the suite's choice."""
        self.services = {service.name: service for service in services}
        self.codec = codec
        self.clock = ManualClock(START)
        self.logs: Callable[[str], EventLog] = logs or event_logs()
        self.interceptor: Interceptor = interceptor or (lambda call: call.proceed())
        self.engines: dict[str, Engine] = {}
        self._starts = 0

    def ports(self, name: str, clock: Clock | None = None) -> Ports:
        """A service's ports, every call through the interceptor of the moment."""

        def through(port: str, target: Any) -> Any:
            return Intercepted(port, target, lambda call: self.interceptor(call))  # noqa: PLW0108 - the one of the moment

        service = self.services[name]
        self._starts += 1
        return Ports(
            clock=clock or self.clock,
            commits=through("commits", service.commits),
            journal=through("journal", service.journal),
            log=through("log", self.logs(name)),
            documents=through("documents", service.documents),
            wait_until=lambda reached, _seconds: reached(),
            holder=f"{name}-{self._starts}",
        )

    def engine(self, name: str) -> Engine:
        """One more process of a service."""
        service = self.services[name]
        return Engine(name, self.ports(name), self.codec, service.projection, list(service.policies(self)))

    def start(self, name: str) -> Engine:
        """Start a service's engine, or start it anew after a crash, when others see that its readers are gone."""
        if name in self.engines:
            self.engines[name].close()
        self.engines[name] = self.engine(name)
        return self.engines[name]

    def start_all(self) -> None:
        for name in self.services:
            self.start(name)

    def stop(self) -> None:
        """Give back what readers hold of a log over a network."""
        for engine in self.engines.values():
            engine.close()

    def steps(self) -> dict[str, Callable[[], int]]:
        return {name: step for engine in self.engines.values() for name, step in engine.steps().items()}

    def settle(self, rounds: int = 500) -> None:
        """Step everything until nothing moves any more and nothing waits. Time passes meanwhile, for a lease that a
        dead holder left and for the backoff of what is held; what is parked is tried again, as an operator would
        ask."""
        idle = 0
        for _ in range(rounds):
            done = [self._step(step) for step in self.steps().values()]
            if any(done):
                idle = 0
                continue
            idle = 0 if None in done or self._step(self._behind) != 0 else idle + 1
            if idle > 4:
                return
            self.clock.advance(timedelta(seconds=20))
            for engine in self.engines.values():
                for held in [*engine.projection.held_by_all(), *(policy.held for policy in engine.policies)]:
                    for entry in held.entries():
                        held.retry(entry["competition"])
        raise AssertionError(f"the world does not come to rest: {list(self.steps())}")

    def _behind(self) -> int:
        """What readers have not dealt with; a log over a network may need several polls before it gives anything."""
        consumers = [engine.projection for engine in self.engines.values()]
        return sum(c.lag() for c in consumers) + sum(p.lag() for e in self.engines.values() for p in e.policies)

    @staticmethod
    def _step(step: Callable[[], int]) -> int | None:
        """What a step did; None when it must wait."""
        try:
            return step()
        except NotNow:
            return None

    def commits(self, name: str) -> list[Commit]:
        """All commits of a service, each stream's in version order."""
        store = self.services[name].commits
        return [commit for stream in sorted(store._streams) for commit in store.stream(stream)]

    def entries(self, name: str) -> list[Envelope]:
        """The whole log of a service."""
        return self.services[name].journal.read(0, 1_000_000)


# --- a life at random --------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Order:
    """One command that a client sends until it is answered: how to send it, and which refusals are answers."""

    id: str
    send: Callable[[], Outcome]
    refusals: tuple[type[Exception], ...] = ()


class Simulation:
    """A world's life from one seed: clients send commands, some of them twice, in between any part makes a step, any
    port fails, processes end and start again, two of them run side by side, clocks jump, leases are stolen, rebuilds
    are asked for. `steps` tells the story.

    `next_order` draws a command. At the end every command is asked again until it is answered, all comes to rest,
    and `check_world` must hold."""

    def __init__(
        self, seed: int, build: Callable[[Interceptor], World], next_order: Callable[[Simulation], Order], rate: float
    ) -> None:
        self.seed = seed
        self.numbers = random.Random(seed)
        self.steps: list[str] = []
        self.answers: dict[str, Outcome] = {}
        self.orders: list[Order] = []
        self.faults = RandomFaults(self.numbers, 0.0)
        self.world = build(self.faults)
        self.crashes = 0
        self.twins: dict[str, Engine] = {}
        self._rate = rate
        self._next_order = next_order

    def run(self, commands: int) -> None:
        """Live for so many commands and check. A failure names the seed and the last steps."""
        try:
            self.faults.rate = self._rate
            for _ in range(commands):
                self._one_command()
                for _ in range(self.numbers.randrange(8)):
                    self._one_step()
                if self.numbers.random() < 0.1:
                    self._one_disturbance()
            self.faults.rate = 0.0
            self._finish()
        except BaseException as error:
            error.add_note(f"seed {self.seed}, after {len(self.orders)} commands; the last steps:")
            for step in self.steps[-60:]:
                error.add_note(f"  {step}")
            raise

    def _one_command(self) -> None:
        again = self.orders and self.numbers.random() < 0.2
        order = self.numbers.choice(self.orders[-20:]) if again else self._next_order(self)
        if not again:
            self.orders.append(order)
        self._send(order)

    def _send(self, order: Order) -> bool:
        """Whether there was an answer. Two answers to one command are equal."""
        outcome = self._attempt(f"command {order.id}", order.send, order.refusals)
        if not isinstance(outcome, Outcome):
            return outcome is not None
        if outcome.events:
            first = self.answers.setdefault(order.id, outcome)
            assert (first.version, first.events) == (outcome.version, outcome.events), f"two answers to {order.id}"
        return True

    def _one_step(self) -> None:
        steps = list(self.world.steps().items())
        steps += [(f"twin of {name}", step) for twin in self.twins.values() for name, step in twin.steps().items()]
        self._attempt(*self.numbers.choice(steps))

    def _one_disturbance(self) -> None:
        name = self.numbers.choice(list(self.world.services))
        match self.numbers.randrange(5):
            case 0:
                self.world.clock.advance(timedelta(seconds=self.numbers.choice([-3, 1, 11, 70])))
                self.steps.append(f"clock is {self.world.clock.now():%H:%M:%S}")
            case 1:
                self._attempt(f"{name} rebuild", self.world.engines[name].projection.rebuild)
            case 2:
                self._crash(f"{name} is stopped")
            case 3:
                self.steps.append(f"{name}'s lease is stolen")
                self.world.services[name].journal._lease = None
            case 4 if name in self.twins:
                self.steps.append(f"the second process of {name} ends")
                self.twins.pop(name).close()
            case 4:
                self.steps.append(f"a second process of {name} starts")
                self.twins[name] = self._unharmed(lambda: self.world.engine(name))

    def _unharmed(self, call: Callable[[], Any]) -> Any:
        rate, self.faults.rate = self.faults.rate, 0.0
        try:
            return call()
        finally:
            self.faults.rate = rate

    def _attempt(self, what: str, call: Callable[[], Any], refusals: tuple[type[Exception], ...] = ()) -> Any:
        """What the call gives; None when there was no answer."""
        known = len(self.faults.struck)
        try:
            result = call()
        except refusals as refusal:
            result = f"refused: {refusal}"
        except Crash:
            result = None
            self._crash(what)
        except (NotNow, Odd) as error:
            result = None
            self.steps.append(f"{what}: {type(error).__name__}")
        faults = self.faults.struck[known:]
        self.steps.append(f"{what} -> {result}" + (f" ({', '.join(faults)})" if faults else ""))
        return result

    def _crash(self, what: str) -> None:
        """All processes end and others start; what they held in memory is gone."""
        self.crashes += 1
        self.steps.append(f"crash: {what}")
        self._end_twins()
        self._unharmed(self.world.start_all)

    def _end_twins(self) -> None:
        for twin in self.twins.values():
            twin.close()
        self.twins.clear()

    def _finish(self) -> None:
        unanswered = [order for order in self.orders if not self._send(order)]
        self._end_twins()
        self.world.settle()
        for order in unanswered:  # they rest on what was not in a read model yet
            assert self._send(order), f"{order.id} has no answer"
        self.world.settle()
        accepted = {c.command for name in self.world.services for c in self.world.commits(name) if c.role != "policy"}
        assert accepted == set(self.answers), "what was answered is not what was done"
        check_world(self.world)


# --- what must be so in every world at rest ----------------------------------------------------------------------


def check_log(entries: Sequence[Envelope]) -> None:
    """A log by itself: positions contiguous, no event twice, streams in order, `previous` right, time monotone."""
    assert [e.position for e in entries] == list(range(1, len(entries) + 1)), "positions have a gap or a repeat"
    assert len({e.id for e in entries}) == len(entries), "an event has two positions"
    versions: dict[str, int] = {}
    positions: dict[str, int] = {}
    recorded_at = datetime.min.replace(tzinfo=UTC)
    for e in entries:
        assert e.version == versions.get(e.stream, 0) + 1, f"{e.id} is out of order in its stream"
        assert e.previous == positions.get(e.competition, 0), f"{e.id} names the wrong position before it"
        assert e.recorded_at >= recorded_at, f"{e.id} was recorded before the entry before it"
        versions[e.stream], positions[e.competition], recorded_at = e.version, e.position, e.recorded_at


def check_log_equals_commits(entries: Sequence[Envelope], commits: Sequence[Commit]) -> None:
    """Every event that was committed is in the log once, with the same bytes, and nothing else is."""
    check_log(entries)
    committed = {
        (c.stream, c.first + n): (e.type, e.version, e.data, c.competition, c.command, c.causation)
        for c in commits
        for n, e in enumerate(c.events)
    }
    logged = {
        (e.stream, e.version): (e.type, e.type_version, e.data, e.competition, e.command, e.causation) for e in entries
    }
    assert logged == committed


def check_streams(commits: Sequence[Commit]) -> None:
    """No version lost or doubled, every commit linked to the one before it, no command accepted twice."""
    last: dict[str, Commit] = {}
    for commit in sorted(commits, key=lambda c: (c.stream, c.first)):
        before = last.get(commit.stream)
        assert commit.first == (before.last + 1 if before else 1), f"{commit.id} does not follow"
        assert before is None or commit.previous_hash == before.hash
        last[commit.stream] = commit
    commands = [(c.actor, c.command) for c in commits]
    assert len(set(commands)) == len(commands), "a command was accepted twice"


def rows(projection: Projection, generation: int, documents: Documents) -> list[tuple[str, Document]]:
    """All rows of a generation, by view and id, each with its fields beside what else the document holds."""
    return [
        (name, opened(document))
        for name in sorted(projection.views)
        for document in documents.find(projection.collection(generation, name), {})
    ]


def opened(document: Document) -> Document:
    """A row's document with the row's own fields in it."""
    return document | msgspec.json.decode(document["row"])


def folded(projection: Projection, codec: Codec, logs: Sequence[Sequence[Envelope]]) -> list[tuple[str, Document]]:
    """The rows that the logs should have made: a second, plain fold, topic after topic, without store or batches."""
    made: dict[tuple[str, str], Row] = {}
    for entries in logs:
        for at in entries:
            event = codec.decode(at.type, at.type_version, at.data)
            for name, view in projection.views.items():
                for key, _, _ in view.work([(event, at)]):
                    made.setdefault((name, key), Row(view, key, None)).fold(event, at)
    return [(name, opened(row.change()[1])) for (name, _), row in sorted(made.items())]


def check_rows(found: Sequence[tuple[str, Document]], expected: Sequence[tuple[str, Document]]) -> None:
    """Equal row by row, to the last byte."""
    assert [(name, d["_id"]) for name, d in found] == [(name, d["_id"]) for name, d in expected]
    for (name, left), (_, right) in zip(found, expected, strict=True):
        assert canonical(left) == canonical(right), f"{name} {left['_id']} differs"


def check_read_models(world: World) -> None:
    """Each service's live generation equals a plain fold of the logs it follows, and a rebuild of it too. Time passes
    while the rebuild settles, so that something may fall due and become an event: each is compared with the logs as
    they are then."""
    for name, service in world.services.items():
        runner = world.engines[name].projection

        def check_live(service: Service = service, runner: ProjectionRunner = runner) -> int:
            logs = [world.entries(topic) for topic in service.projection.services]
            live = runner.pointer().live
            found = rows(service.projection, live, service.documents)
            check_rows(found, folded(service.projection, world.codec, logs))
            return live

        live = check_live()
        runner.rebuild()
        world.settle()
        assert check_live() > live, "the rebuild was not swapped in"


def check_world(world: World) -> None:
    """Everything at once."""
    for name in world.services:
        commits = world.commits(name)
        check_streams(commits)
        check_log_equals_commits(world.entries(name), commits)
        assert world.services[name].journal.published() == len(world.entries(name))
        assert world.services[name].commits.pending(1) == []
        assert world.engines[name].held() == []
    check_read_models(world)
