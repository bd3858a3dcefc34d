"""A local broker's own process: starts the broker, and ends it with the process that it is for.

Kafka cannot watch anybody by itself; what a killed `pailu kafka` or test run leaves would hold its ports for ever."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from typing import Any

INTERVAL = 0.5
LIMIT = 15.0
"""Seconds that an orderly end may take before the broker is killed."""


def main() -> int:
    """`python -m deploy.kafka_process WATCHED_PID COMMAND…`"""
    watched, command = int(sys.argv[1]), sys.argv[2:]
    broker = subprocess.Popen(command, stdin=subprocess.DEVNULL)  # noqa: S603  what deploy.kafka has put together

    def end(_signal: int, _frame: Any) -> None:
        broker.terminate()

    signal.signal(signal.SIGTERM, end)
    while _alive(watched):
        try:
            return broker.wait(INTERVAL)
        except subprocess.TimeoutExpired:
            continue
    broker.terminate()
    try:
        return broker.wait(LIMIT)
    except subprocess.TimeoutExpired:
        broker.kill()
        return broker.wait()


def _alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


if __name__ == "__main__":
    sys.exit(main())
