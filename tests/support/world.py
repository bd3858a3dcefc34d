"""The whole of Pailu in one process on memory ports and a clock that is moved by hand: the real services, no threads.

`World.settle()` calls every step until nothing is left to do; a request that waits for a position does the same."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from services.appeals import app as appeals
from services.match import app as match
from services.ranking import app as ranking
from services.registration import app as registration
from shared.eventsourcing.clock import ManualClock
from shared.eventsourcing.memory import MemoryCommits, MemoryDocuments, MemoryJournal, MemoryLog
from shared.eventsourcing.ports import Ports
from shared.privacy.secrets import MemorySecrets
from shared.web.context import Service
from shared.web.identity import Identity, mint

SECRET = "only for tests, thirty-two bytes long"
START = datetime(2018, 10, 1, 1, 0, tzinfo=UTC)


class World:
    """Services by name, a client for each, and tokens for whoever is needed."""

    def __init__(self, start: datetime = START) -> None:
        self.clock = ManualClock(start)
        self.log = MemoryLog()
        self.secrets = MemorySecrets()
        self._random = random.Random(0)
        self._keys = itertools.count(1)
        self.services: dict[str, Service] = {}
        self.apps: dict[str, flask.Flask] = {}
        self._add(
            "registration",
            lambda p: registration.create_service(p, self.secrets, SECRET, self._random.randbytes),
            registration.create_app,
        )
        self._add(
            "match",
            lambda p: match.create_service(p, self.secrets, SECRET, self._random.randbytes),
            match.create_app,
        )
        self._add("ranking", lambda p: ranking.create_service(p, SECRET), ranking.create_app)
        self._add("appeals", lambda p: appeals.create_service(p, SECRET), appeals.create_app)

    def settle(self) -> None:
        """Call every step until none has anything to do."""
        while sum(step() for service in self.services.values() for step in service.engine.steps().values()):
            pass

    def client(self, service: str) -> FlaskClient:
        return self.apps[service].test_client()

    def token(self, role: str, sub: str = "", **claims: Any) -> str:
        """A token for an hour."""
        who = Identity(sub=sub or role, role=role, **claims)  # type: ignore[arg-type]
        return mint(who, SECRET, self.clock.now(), timedelta(hours=1))

    def post(
        self, path: str, body: Any = None, *, role: str = "organiser", key: str = "", headers: Any = None, **claims: Any
    ) -> TestResponse:
        """POST `/service/…` as someone; with a fresh Idempotency-Key unless one is given."""
        service, _, rest = path.lstrip("/").partition("/")
        sent = {
            "Authorization": f"Bearer {self.token(role, **claims)}",
            "Idempotency-Key": key or f"key-{next(self._keys)}",
            "Accept-Language": "en",
        }
        response = self.client(service).post("/" + rest, json=body or {}, headers=sent | (headers or {}))
        self.settle()
        return response

    def send(self, path: str, media: str, content: bytes, *, role: str = "organiser", **claims: Any) -> TestResponse:
        """POST a file to `/service/…` as someone."""
        service, _, rest = path.lstrip("/").partition("/")
        sent = {
            "Authorization": f"Bearer {self.token(role, **claims)}",
            "Idempotency-Key": f"key-{next(self._keys)}",
            "Accept-Language": "en",
            "Content-Type": media,
        }
        response = self.client(service).post("/" + rest, data=content, headers=sent)
        self.settle()
        return response

    def get(self, path: str, *, role: str | None = None, headers: Any = None, **claims: Any) -> TestResponse:
        """GET `/service/…`, as someone or, without a role, as anyone."""
        service, _, rest = path.lstrip("/").partition("/")
        sent = {"Accept-Language": "en"} | (headers or {})
        if role:
            sent["Authorization"] = f"Bearer {self.token(role, **claims)}"
        return self.client(service).get("/" + rest, headers=sent)

    def _add(self, name: str, service: Callable[[Ports], Service], app: Callable[[Service], flask.Flask]) -> None:
        ports = Ports(
            clock=self.clock,
            commits=MemoryCommits(),
            journal=MemoryJournal(),
            log=self.log,
            documents=MemoryDocuments(),
            wait_until=self._wait_until,
            holder="world",
        )
        self.services[name] = service(ports)
        self.apps[name] = app(self.services[name])

    def _wait_until(self, reached: Callable[[], bool], _seconds: float) -> bool:
        self.settle()
        return reached()
