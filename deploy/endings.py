"""What ends a command in order: Ctrl-C, SIGTERM, and a terminal that hangs up, unless `nohup` has that ignored."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

ENDINGS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def ends_at_hangup() -> bool:
    """Whether the end of the terminal is to end this process too."""
    return signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN


def on_ending(call: Callable[[int, Any], object]) -> None:
    """From now on each of them calls this."""
    for ending in ENDINGS if ends_at_hangup() else ENDINGS[:2]:
        signal.signal(ending, call)


def as_ctrl_c() -> None:
    """From now on each of them is a KeyboardInterrupt."""
    on_ending(_interrupt)


@contextmanager
def undisturbed() -> Iterator[None]:
    """Meanwhile none of them does anything: for what must come to its end once it has begun."""
    before = {ending: signal.signal(ending, signal.SIG_IGN) for ending in ENDINGS}
    try:
        yield
    finally:
        for ending, handler in before.items():
            signal.signal(ending, handler)


def _interrupt(_signal: int, _frame: Any) -> None:
    raise KeyboardInterrupt
