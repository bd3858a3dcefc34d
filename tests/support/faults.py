"""Calls of ports and what may happen to them: an interceptor stands around every call of a port.

`OneFault` raises at the n-th call, so that a test can try them all; `RandomFaults` raises where its numbers say."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any

from shared.eventsourcing.errors import OutcomeUnknown, StoreUnavailable


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


DIVISIBLE = {
    "journal.insert",
    "log.publish",
    "documents.put",
    "documents.delete",
    "commits.mark_sequenced",
    "commits.append_all",
}
WRITES = DIVISIBLE | {
    "commits.append",
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
