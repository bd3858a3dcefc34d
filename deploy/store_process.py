"""The embedded store's own process: SecantusDB's server, and a watch that ends it with the process that started it.

The watch asks for its parent every half second. The kernel's parent-death signal would be quicker, but it is tied
to the thread that started the child and exists on Linux alone.
"""

from __future__ import annotations

import functools
import os
import signal
import sys
import threading
import time

ABANDONED = 5.0
"""Seconds without a statement after which a transaction is undone. Ours are one statement and its end; one that is left
open has lost its process, and what it wrote nobody else can write until then. The store itself would wait a minute."""
INTERVAL = 0.5
LIMIT = 15.0
"""Seconds that an orderly end may take before the process ends itself without one."""


def watch(parent: int) -> None:
    """End this process when `parent` is not its parent any more."""
    while os.getppid() == parent:
        time.sleep(INTERVAL)
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(LIMIT)
    os._exit(1)


def main() -> int:
    """`python -m deploy.store_process PARENT_PID SERVER_OPTIONS…`"""
    from secantus import cli

    cli.SecantusDBServer = functools.partial(cli.SecantusDBServer, transaction_lifetime_seconds=ABANDONED)
    threading.Thread(target=watch, args=(int(sys.argv[1]),), daemon=True).start()
    return int(cli.main(sys.argv[2:]) or 0)


if __name__ == "__main__":
    sys.exit(main())
