"""Two steps at once, as a test decides: `Pausable` stops a task before each call of a port, `explore` tries all."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

from tests.support.faults import Call, Crash


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
