"""Waiting for a condition, never for a time; and asking again for what cannot be now."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from typing import TypeVar

from shared.eventsourcing.errors import NotNow

T = TypeVar("T")

PATIENCE = 300.0
"""Seconds that nothing but a fault takes, on however slow a machine."""


def wait_for(
    condition: Callable[[], bool], seconds: float = PATIENCE, possible: Callable[[], bool] = lambda: True
) -> None:
    """Return as soon as the condition holds; fail when it does not in time, or is not possible any more. A condition
    that cannot be asked for now is asked for again, as every worker and client does."""
    deadline = time.monotonic() + seconds
    while True:
        with suppress(NotNow):
            if condition():
                return
        assert possible(), "it cannot be any more"
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(0.005)


def asked_again(call: Callable[[], T]) -> T:
    """What the call gives, asked again for as long as the store or the log says that it cannot be now."""
    given: list[T] = []
    wait_for(lambda: given.append(call()) is None)
    return given[0]
