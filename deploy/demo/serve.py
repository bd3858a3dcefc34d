"""`pailu up` for the demo: the same command, with the draw's seed given, so that every run shows the same competition.

No setting of `pailu up` can do that. This module puts another source of random bytes where the service takes one,
in its own process, and ends that process when the demo is gone, however that ended."""

from __future__ import annotations

import functools
import os
import shutil
import signal
import sys
import threading

from deploy import single, wiring
from services.match import app as match


def main(seed: str, folder: str, *options: str) -> None:
    """`python -m deploy.demo.serve SEED_HEX FOLDER OPTIONS_OF_UP…`; the folder is removed at the end."""
    drawn = bytes.fromhex(seed)
    service = functools.partial(match.create_service, random_bytes=lambda _: drawn)
    wiring.PARTS = {**wiring.PARTS, match.NAME: wiring.Parts(service, match.create_app)}
    threading.Thread(target=_end_with_the_demo, daemon=True).start()
    arbiter = os.getpid()
    try:
        single.up.main(list(options))
    finally:
        if os.getpid() == arbiter:
            shutil.rmtree(folder, ignore_errors=True)


def _end_with_the_demo() -> None:
    """The demo holds the other end of this pipe."""
    os.read(0, 1)
    os.kill(os.getpid(), signal.SIGTERM)


if __name__ == "__main__":
    main(*sys.argv[1:])
