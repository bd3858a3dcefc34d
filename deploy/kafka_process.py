"""A local broker's own process, and a watch beside it that ends it with the process that it is for.

Kafka cannot watch anybody by itself; what a killed `pailu kafka` or test run leaves would hold its ports for ever."""

from __future__ import annotations

import os
import signal
import sys
import time

from deploy.child import alive

INTERVAL = 0.5
LIMIT = 15.0
"""Seconds that an orderly end may take before the broker is killed."""


def watch(watched: int, broker: int) -> None:
    """End the broker, whose child this is, when `watched` has ended; return when the broker has."""
    ending = 0.0
    while os.getppid() == broker:
        if not ending and not alive(watched):
            os.kill(broker, signal.SIGTERM)
            ending = time.monotonic() + LIMIT
        if ending and time.monotonic() > ending:
            os.kill(broker, signal.SIGKILL)
        time.sleep(INTERVAL)


def main() -> None:
    """`python -m deploy.kafka_process WATCHED_PID COMMAND…`: becomes the command."""
    watched, command = int(sys.argv[1]), sys.argv[2:]
    broker = os.getpid()
    if os.fork() == 0:
        watch(watched, broker)
        os._exit(0)
    os.execvp(command[0], command)  # noqa: S606  what deploy.kafka has put together


if __name__ == "__main__":
    main()
