"""Who is killed when: each of the eight processes and the store with kill -9, and Kafka restarted, in another order
each time around, never before everything is up again and at work."""

from __future__ import annotations

import random
import threading
from collections import Counter
from collections.abc import Callable

from deploy.fleet import Fleet
from tests.chaos.seasons.desks import Traffic
from tests.support.waiting import wait_for

BETWEEN = 10
"""Commands that must be acknowledged between two faults: nothing is killed that was not at work."""
STORE, KAFKA = "store", "Kafka"


class Faults(threading.Thread):
    """Strikes until it is told to end. `rounds` counts how often each was struck once; `error` is what stopped it."""

    def __init__(self, fleet: Fleet, traffic: Traffic, seed: int, tick: Callable[[], None]) -> None:
        super().__init__(name="faults", daemon=True)
        self.struck: Counter[str] = Counter()
        self.rounds = 0
        self.error: BaseException | None = None
        self._fleet, self._traffic, self._tick = fleet, traffic, tick
        self._luck = random.Random(seed)
        self._ended = threading.Event()

    def end(self) -> None:
        self._ended.set()

    def run(self) -> None:
        try:
            while not self._ended.is_set():
                self._round()
        except BaseException as error:
            self.error = error

    def _round(self) -> None:
        victims = [STORE, KAFKA, *(process.name for process in self._fleet.processes)]
        self._luck.shuffle(victims)
        for victim in victims:
            self._await_work()
            if self._ended.is_set():
                return
            self._strike(victim)
            self.struck[victim] += 1
            self._tick()
        self.rounds += 1

    def _await_work(self) -> None:
        """All is up, and commands are acknowledged again."""
        wait_for(lambda: self._ended.is_set() or all(process.ready() for process in self._fleet.processes))
        before = self._traffic.acknowledged.total()
        wait_for(lambda: self._ended.is_set() or self._traffic.acknowledged.total() >= before + BETWEEN)

    def _strike(self, victim: str) -> None:
        """And start it again, as a supervisor would."""
        if victim == STORE:
            self._fleet.store.kill()
            self._fleet.store.start()
        elif victim == KAFKA:
            self._fleet.broker.kill()
            self._fleet.broker.start()
        else:
            process = next(process for process in self._fleet.processes if process.name == victim)
            process.kill()
            self._fleet.restart(process)
