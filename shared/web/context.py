"""What an app's endpoints reach through the current app: the service's engine, the clock and the token secret."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, cast

import flask

from shared.eventsourcing.clock import Clock
from shared.eventsourcing.engine import Engine
from shared.web.credentials import Revocations, is_revoked
from shared.web.identity import Identity, TokenRevoked, of_request

CORRELATION = "X-Correlation-ID"
EXTENSION = "pailu"
WAIT_SECONDS = 2.0
"""How long a request waits for a version named by Pailu-Position."""


Seat = tuple[int, int]
"""A round and a table of it."""


def _no_tables(_competition: str, _match: str) -> Seat | None:
    return None


@dataclass(frozen=True)
class Service:
    """A wired service: `use_cases` are its commands and reads, in whatever shape its api needs them. `revocations` are
    this process's; `seat` tells where a match of a competition is played, in a service that knows of tables."""

    engine: Engine
    use_cases: Any
    secret: str
    wait_seconds: float = WAIT_SECONDS
    revocations: Revocations = field(default_factory=Revocations)
    seat: Callable[[str, str], Seat | None] = _no_tables

    @property
    def clock(self) -> Clock:
        return self.engine.ports.clock


def service() -> Service:
    """The service of the current app."""
    return cast(Service, flask.current_app.extensions[EXTENSION])


def identity() -> Identity:
    """Who asks, read once per request. Raises TokenNeeded, TokenRevoked."""
    if "identity" not in flask.g:
        current = service()
        who = of_request(current.secret, current.clock.now())
        if who.jti is not None and is_revoked(who.jti, current.revocations, current.engine.reader):
            raise TokenRevoked(who.jti)
        flask.g.identity = who
    return cast(Identity, flask.g.identity)


def correlation() -> str:
    """The id that ties together what one request led to."""
    return cast(str, flask.g.correlation)
