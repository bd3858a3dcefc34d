"""What an app's endpoints reach through the current app: the service's engine, the clock and the token secret."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, cast

import flask

from shared.eventsourcing.clock import Clock
from shared.eventsourcing.engine import Engine
from shared.web.identity import Identity, of_request

EXTENSION = "pailu"
WAIT_SECONDS = 2.0
"""How long a request waits for a version named by Pailu-Position."""


@dataclass(frozen=True)
class Service:
    """A wired service: `use_cases` are its commands and reads, in whatever shape its api needs them."""

    engine: Engine
    use_cases: Any
    secret: str
    wait_seconds: float = WAIT_SECONDS

    @property
    def clock(self) -> Clock:
        return self.engine.ports.clock


def service() -> Service:
    """The service of the current app."""
    return cast(Service, flask.current_app.extensions[EXTENSION])


def identity() -> Identity:
    """Who asks, read once per request. Raises TokenNeeded."""
    if "identity" not in flask.g:
        current = service()
        flask.g.identity = of_request(current.secret, current.clock.now())
    return cast(Identity, flask.g.identity)


def correlation() -> str:
    """The id that ties together what one request led to."""
    return cast(str, flask.g.correlation)
