"""One Kafka for all processes of a test run, started by the first that needs it, ended with the run."""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import signal
from collections.abc import Iterator
from pathlib import Path

from deploy.kafka import LocalKafka

STATE = "kafka.json"


def shared_broker(folder: Path, run: int) -> str:
    """The broker's URL. `run` is the process that the whole run hangs on."""
    with _locked(folder):
        state = folder / STATE
        if state.exists():
            return str(json.loads(state.read_text())["url"])
        broker = LocalKafka(folder / "kafka", watched=run)
        broker.start()
        state.write_text(json.dumps({"url": broker.url, "pid": broker.pid}))
        return broker.url


def end_shared_broker(folder: Path) -> None:
    """At the end of the run, in the process that it hangs on."""
    state = folder / STATE
    if state.exists():
        with contextlib.suppress(ProcessLookupError):
            os.killpg(json.loads(state.read_text())["pid"], signal.SIGKILL)
        state.unlink()


@contextlib.contextmanager
def _locked(folder: Path) -> Iterator[None]:
    with (folder / "kafka.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
