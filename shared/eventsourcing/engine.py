"""One service's moving parts, wired: the write side, the relay, the projection, the policies and the timers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from shared.eventsourcing.consumer import Consumer
from shared.eventsourcing.generations import ProjectionRunner, Reader
from shared.eventsourcing.handling import CommandHandler
from shared.eventsourcing.policy import Policy, PolicyRunner
from shared.eventsourcing.ports import Codec, Ports
from shared.eventsourcing.projector import Projection
from shared.eventsourcing.relay import Relay
from shared.eventsourcing.timers import Timer, TimerRunner


class Engine:
    """Everything of a service that moves. `steps` are called by threads, processes or a simulation; they share
    nothing but the ports, so each may run anywhere."""

    def __init__(
        self, service: str, ports: Ports, codec: Codec, projection: Projection, policies: Sequence[Policy] = ()
    ) -> None:
        self.service = service
        self.ports = ports
        self.commands = CommandHandler(service, ports.commits, codec)
        self.relay = Relay(ports.commits, ports.journal, ports.log, ports.clock, ports.holder)
        self.projection = ProjectionRunner(projection, ports.documents, ports.log, codec, ports.clock)
        self.reader = Reader(projection, ports.documents)
        self.policies = [
            Consumer(
                f"policy.{policy.name}",
                policy.services,
                PolicyRunner(policy, codec, ports.clock),
                ports.log,
                ports.documents,
                ports.clock,
            )
            for policy in policies
        ]
        self.timers: list[TimerRunner] = []

    def add_timer(self, timer: Timer) -> None:
        """Let a timer run too. It reads this engine's read model, so it is made after it."""
        self.timers.append(TimerRunner(timer, self.ports.clock))

    def steps(self) -> dict[str, Callable[[], int]]:
        """The service's step functions by name."""
        steps = {self.relay_step: self.relay.step, f"{self.service}.projection": self.projection.step}
        steps |= {f"{self.service}.{policy.name}": policy.step for policy in self.policies}
        return steps | {f"{self.service}.{timer.name}": timer.step for timer in self.timers}

    @property
    def relay_step(self) -> str:
        """The name of the relay's step."""
        return f"{self.service}.relay"

    def followers(self, service: str) -> list[str]:
        """The names of the steps that follow a service's topic."""
        followed = {"projection": self.projection.projection.services}
        followed |= {policy.name: policy.services for policy in self.policies}
        return [f"{self.service}.{name}" for name, services in followed.items() if service in services]

    def close(self) -> None:
        """Give all subscriptions back, when no step runs any more: others need not wait for this process."""
        self.projection.close()
        for policy in self.policies:
            policy.close()

    def await_version(self, service: str, stream: str, version: int, seconds: float) -> bool:
        """Wait until this service's read model holds a stream's version; True also where it does not follow that
        service's topic, for then nothing it shows can depend on it."""
        if service not in self.reader.projection.services:
            return True
        return self.ports.wait_until(lambda: self.reader.version(service, stream) >= version, seconds)

    def held(self) -> list[dict[str, Any]]:
        """What the projection and the policies hold, per competition."""
        holders = [*self.projection.held_by_all(), *(policy.held for policy in self.policies)]
        return [entry for held in holders for entry in held.entries()]

    def retry(self, competition: str) -> bool:
        """Have all that is held of a competition tried at the next step; False where nothing is."""
        consumers = [self.projection.held(), *(policy.held for policy in self.policies)]
        found = [consumer.retry(competition) for consumer in consumers]
        return any(found)
