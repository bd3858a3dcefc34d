"""Threads that call step functions: the only place in the kernel that waits."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Sequence
from functools import partial

import structlog

from shared.eventsourcing.engine import Engine

log = structlog.get_logger("pailu.worker")

POLL = 0.05
"""Seconds an idle step waits when nothing wakes it: the delay between processes that cannot wake one another."""
BACKOFF = (0.1, 0.5, 1.0, 2.0)
PACE = 0.025
"""Seconds from the beginning of a step to that of the next, at least; and twice what the step took. A step costs about
the same for one event as for twenty, so under load it pays to let some come together."""
MANY = 50
"""A step that found so many goes on at once: there are more."""


class Worker(threading.Thread):
    """Calls one step again and again: while there is work, but no faster than PACE, woken or after `poll` seconds when
    idle, after a growing pause when it raises."""

    def __init__(self, name: str, step: Callable[[], int], poll: float = POLL) -> None:
        super().__init__(name=name, daemon=True)
        self._step = step
        self._poll = poll
        self._wake = threading.Event()
        self._ending = threading.Event()
        self.error: str = ""

    def run(self) -> None:
        failures = 0
        while not self._ending.is_set():
            self._wake.clear()
            began = time.monotonic()
            try:
                worked = self._step()
                failures, self.error = 0, ""
            except Exception as error:
                self._failed(error, failures)
                worked, failures = 0, failures + 1
            if not worked:
                self._wake.wait(self._poll if not failures else BACKOFF[min(failures, len(BACKOFF)) - 1])
            elif worked < MANY:
                took = time.monotonic() - began
                self._ending.wait(max(PACE - took, took))

    def wake(self) -> None:
        """Something may have come: look now."""
        self._wake.set()

    def end(self) -> None:
        """Finish the step in hand and stop."""
        self._ending.set()
        self._wake.set()

    def _failed(self, error: Exception, failures: int) -> None:
        self.error = f"{type(error).__name__}: {error}"
        if failures == 0:
            log.warning("step failed", part=self.name, error=self.error, exc_info=not failures)


class Workers:
    """The workers of some engines in one process, of all their parts or of those that `wanted` names ("match.relay").
    An append wakes its relay, a publication wakes who follows its topic, so `poll` may be long where no other process
    appends or publishes."""

    def __init__(
        self, engines: Iterable[Engine], poll: float = POLL, wanted: Callable[[str], bool] = lambda _part: True
    ) -> None:
        self._engines = list(engines)
        steps = {name: step for engine in self._engines for name, step in engine.steps().items() if wanted(name)}
        workers = {name: Worker(name, step, poll) for name, step in steps.items()}
        self.all = list(workers.values())
        for engine in self._engines:
            following = [name for other in self._engines for name in other.followers(engine.service)]
            engine.relay.on_publish = partial(_wake, [workers[name] for name in following if name in workers])
            if engine.relay_step in workers:
                engine.commands.on_append = workers[engine.relay_step].wake

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


def _wake(workers: Sequence[Worker]) -> None:
    for worker in workers:
        worker.wake()


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
