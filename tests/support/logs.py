"""The event log that the suites' worlds are made with: one in memory, and again a real Kafka.

A suite marked `over("memory", "kafka")` is run with each (tests/conftest.py). A test in it that makes worlds by the
hundred is marked `over("memory")`: what it shows of orders and crashes is no matter of the log."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

from shared.eventsourcing.memory import MemoryLog
from tests.support.prompt import PromptLogs

Logs = Callable[[str], Any]
"""Gives the log as a service reads it."""


class Memory:
    """The log in memory, one for all services."""

    def __init__(self, _partitions: int) -> None:
        self._log = MemoryLog()

    def __call__(self, _owner: str) -> MemoryLog:
        return self._log

    def groups(self) -> set[str]:
        """The groups that have a place."""
        return set(self._log._committed)


class Kafka:
    """A broker's, for one world after the other: what the one before holds is given back when another begins."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._last: PromptLogs | None = None

    def __call__(self, partitions: int) -> PromptLogs:
        self.close()
        self._last = PromptLogs(self._url, partitions)
        return self._last

    def close(self) -> None:
        if self._last is not None:
            self._last.close()


class Chosen:
    """How a world's logs are made at the moment."""

    make: ClassVar[Callable[[int], Memory | PromptLogs]] = Memory


def event_logs(partitions: int = 2) -> Memory | PromptLogs:
    """Logs for one more world; with one partition even competitions are in order among one another, as in memory."""
    return Chosen.make(partitions)
