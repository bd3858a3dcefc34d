"""A pailu command that ends when the process that started it does, however that ended: it holds the other end of this
one's standard input. For the demo and the tests, which must leave nothing behind.

A draw's seed can be given, so that every run shows the same competition; no setting of Pailu can do that."""

from __future__ import annotations

import os
import signal
import sys
import threading

from deploy import wiring
from shared.eventsourcing.ports import Ports
from shared.privacy.secrets import Secrets
from shared.web.context import Service
from shared.web.credentials import Revocations


def seed_draws(seed: bytes) -> None:
    """Put these bytes where match takes random ones, in this process and those it forks."""
    from services.match import app as match

    def service(ports: Ports, secrets: Secrets, token: str, gone: Revocations) -> Service:
        return match.create_service(ports, secrets, token, lambda _: seed, revocations=gone)

    wiring.PARTS = {**wiring.PARTS, match.NAME: wiring.Parts(service, match.create_app)}


def end_with_the_other_end() -> None:
    """From now on, the end of standard input is a SIGTERM."""

    def wait() -> None:
        os.read(0, 1)
        os.kill(os.getpid(), signal.SIGTERM)

    threading.Thread(target=wait, daemon=True).start()


def main(seed: str, *arguments: str) -> None:
    """`python -m deploy.guarded SEED_HEX ARGUMENTS_OF_PAILU…`; an empty seed draws at random."""
    from shared.cli.main import pailu

    if seed:
        seed_draws(bytes.fromhex(seed))
    end_with_the_other_end()
    pailu.main(list(arguments))


if __name__ == "__main__":
    main(*sys.argv[1:])
