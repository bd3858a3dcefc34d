"""Threads that call step functions: the only place in the kernel that waits."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable

import structlog

from shared.eventsourcing.engine import Engine

log = structlog.get_logger("pailu.worker")

POLL = 0.05
"""Seconds an idle step waits when nothing wakes it: the delay between processes that cannot wake one another."""
BACKOFF = (0.1, 0.5, 1.0, 2.0)


class Worker(threading.Thread):
    """Calls one step again and again: at once while there is work, woken or after `poll` seconds when idle, after a
    growing pause when it raises."""

    def __init__(self, name: str, step: Callable[[], int], poll: float = POLL) -> None:
        super().__init__(name=name, daemon=True)
        self._step = step
        self._poll = poll
        self._wake = threading.Event()
        self._ended = False
        self.error: str = ""

    def run(self) -> None:
        failures = 0
        while not self._ended:
            self._wake.clear()
            try:
                worked = self._step()
                failures, self.error = 0, ""
            except Exception as error:
                self._failed(error, failures)
                worked, failures = 0, failures + 1
            if not worked:
                self._wake.wait(self._poll if not failures else BACKOFF[min(failures, len(BACKOFF)) - 1])

    def wake(self) -> None:
        """Something may have come: look now."""
        self._wake.set()

    def end(self) -> None:
        """Finish the step in hand and stop."""
        self._ended = True
        self._wake.set()

    def _failed(self, error: Exception, failures: int) -> None:
        self.error = f"{type(error).__name__}: {error}"
        if failures == 0:
            log.warning("step failed", part=self.name, error=self.error, exc_info=not failures)


class Workers:
    """The workers of some engines in one process, of all their parts or of those that `wanted` names ("match.relay").
    An append wakes its relay, a publication wakes all consumers, so `poll` may be long where no other process appends
    or publishes."""

    def __init__(
        self, engines: Iterable[Engine], poll: float = POLL, wanted: Callable[[str], bool] = lambda _part: True
    ) -> None:
        self.all: list[Worker] = []
        relays: dict[str, Worker] = {}
        consumers: list[Worker] = []
        self._engines = list(engines)
        for engine in self._engines:
            for name, step in engine.steps().items():
                if not wanted(name):
                    continue
                worker = Worker(name, step, poll)
                self.all.append(worker)
                if name.endswith(".relay"):
                    relays[engine.service] = worker
                else:
                    consumers.append(worker)

        def wake_consumers() -> None:
            for worker in consumers:
                worker.wake()

        for engine in self._engines:
            if engine.service in relays:
                engine.commands.on_append = relays[engine.service].wake
            engine.relay.on_publish = wake_consumers

    def start(self) -> None:
        for worker in self.all:
            worker.start()

    def stop(self, seconds: float = 5.0) -> None:
        """End all workers and wait for them, at most so long; then give back what they read from."""
        for worker in self.all:
            worker.end()
        deadline = time.monotonic() + seconds
        for worker in self.all:
            worker.join(max(0.0, deadline - time.monotonic()))
        if not any(worker.is_alive() for worker in self.all):
            for engine in self._engines:
                engine.close()

    def errors(self) -> dict[str, str]:
        """The parts whose last step failed, and how."""
        return {worker.name: worker.error for worker in self.all if worker.error}


def poll_until(reached: Callable[[], bool], seconds: float) -> bool:
    """Wait by asking again after a few milliseconds, then more rarely, so that many who wait do not keep the store
    from what they wait for."""
    deadline, pause = time.monotonic() + seconds, 0.005
    while not reached():
        if time.monotonic() >= deadline:
            return False
        time.sleep(pause)
        pause = min(2 * pause, 0.05)
    return True
