"""A world's life at random, from one seed."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from shared.eventsourcing.engine import Engine
from shared.eventsourcing.errors import NotNow
from shared.eventsourcing.handling import Outcome
from tests.support.at_rest import check_world
from tests.support.faults import Crash, Interceptor, Odd, RandomFaults
from tests.support.kernel import World


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
