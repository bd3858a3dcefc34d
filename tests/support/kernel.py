"""Services in memory: `World` holds the ports of several services and their engines."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from shared.eventsourcing.clock import Clock, ManualClock
from shared.eventsourcing.engine import Engine
from shared.eventsourcing.errors import NotNow
from shared.eventsourcing.memory import MemoryCommits, MemoryDocuments, MemoryJournal
from shared.eventsourcing.policy import Policy
from shared.eventsourcing.ports import Codec, EventLog, Ports
from shared.eventsourcing.projector import Projection
from shared.eventsourcing.records import Commit, Envelope
from tests.support.faults import Intercepted, Interceptor
from tests.support.logs import event_logs

START = datetime(2018, 11, 17, 9, 0, tzinfo=UTC)


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
