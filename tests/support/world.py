"""The whole of Pailu in one process on memory ports and a clock that is moved by hand: the real services, no threads.

`World.settle()` calls every step until nothing is left to do; a request that waits for a position does the same. After
every command the world is settled; one that is not `eager` settles when somebody looks, when another service is asked,
and when the clock has moved on by a minute or more: as in a hall, commands do not wait for those who read."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any, Protocol

import flask
from flask.testing import FlaskClient
from pymongo import MongoClient
from werkzeug.test import TestResponse

from services.appeals import app as appeals
from services.match import app as match
from services.ranking import app as ranking
from services.registration import app as registration
from shared.eventsourcing.clock import Clock, ManualClock
from shared.eventsourcing.memory import MemoryCommits, MemoryDocuments, MemoryJournal
from shared.eventsourcing.mongo import MongoCommits, MongoDocuments, MongoJournal, MongoLog
from shared.eventsourcing.ports import EventLog, Ports
from shared.privacy.secrets import MemorySecrets
from shared.web.context import Service
from shared.web.identity import Identity, mint
from tests.support.logs import event_logs
from tests.support.waiting import asked_again

SECRET = "only for tests, thirty-two bytes long"
START = datetime(2018, 10, 1, 1, 0, tzinfo=UTC)


WaitUntil = Callable[[Callable[[], bool], float], bool]
Step = Callable[[], int]


class Means(Protocol):
    """What the services of a world run on. Its log gives at once what was published."""

    def ports(self, name: str, clock: Clock, wait_until: WaitUntil) -> Ports:
        """The ports of one service."""


class InMemory:
    """Nothing outlives the test; the event log is the suite's choice."""

    def __init__(self) -> None:
        self._logs = event_logs()

    def ports(self, name: str, clock: Clock, wait_until: WaitUntil) -> Ports:
        return Ports(
            clock=clock,
            commits=MemoryCommits(),
            journal=MemoryJournal(),
            log=self._logs(name),
            documents=MemoryDocuments(),
            wait_until=wait_until,
            holder="world",
        )


class Stored:
    """A database for each service, and the event log that `log` gives it."""

    def __init__(self, client: MongoClient[Any], prefix: str, log: Callable[[str], EventLog] | None = None) -> None:
        self._client, self._prefix = client, prefix
        self._log = log or (lambda name: MongoLog(self._journal, client[prefix + name]))

    def ports(self, name: str, clock: Clock, wait_until: WaitUntil) -> Ports:
        database = self._client[self._prefix + name]
        return Ports(
            clock=clock,
            commits=MongoCommits(database),
            journal=self._journal(name),
            log=self._log(name),
            documents=MongoDocuments(database),
            wait_until=wait_until,
            holder="world",
        )

    def _journal(self, name: str) -> MongoJournal:
        return MongoJournal(self._client[self._prefix + name])


class World:
    """Services by name, a client for each, and tokens for whoever is needed."""

    def __init__(
        self,
        start: datetime = START,
        means: Means | None = None,
        *,
        eager: bool = True,
        draws: Callable[[int], bytes] | None = None,
    ) -> None:
        """`draws` gives the random bytes of which the seeds of draws are made."""
        self.eager = eager
        self._asked = ""
        self.clock = ManualClock(start)
        self.means = means or InMemory()
        self.secrets = MemorySecrets()
        self._random = random.Random(0)
        self.keys = itertools.count(1)
        self._rested_at = start
        self.services: dict[str, Service] = {}
        self.apps: dict[str, flask.Flask] = {}
        self._add(
            "registration",
            lambda p: registration.create_service(p, self.secrets, SECRET, self._random.randbytes),
            registration.create_app,
        )
        self._add(
            "match",
            lambda p: match.create_service(p, self.secrets, SECRET, draws or self._random.randbytes),
            match.create_app,
        )
        self._add("ranking", lambda p: ranking.create_service(p, SECRET), ranking.create_app)
        self._add(
            "appeals",
            lambda p: appeals.create_service(p, self.secrets, SECRET, self._random.randbytes),
            appeals.create_app,
        )

    def settle(self) -> None:
        """Call every step until none has anything to do: what follows the topics again only when it has not come to an
        end, or something was published."""
        relays, followers, timers = self._steps()
        going = followers
        while True:
            if published := sum(asked_again(step) for step in relays):
                going = followers
            going = [step for step in going if asked_again(step)]
            if not sum(asked_again(step) for step in timers) and not published and not going:
                break
        self._rested_at = self.clock.now()

    def _steps(self) -> tuple[list[Step], list[Step], list[Step]]:
        """Of relays, of what follows topics, and of timers."""
        relays, followers, timers = list[Step](), list[Step](), list[Step]()
        for service in self.services.values():
            engine = service.engine
            following = {name for topic in self.services for name in engine.followers(topic)}
            for name, step in engine.steps().items():
                (relays if name == engine.relay_step else followers if name in following else timers).append(step)
        return relays, followers, timers

    def client(self, service: str) -> FlaskClient:
        return self.apps[service].test_client()

    def token(self, role: str, sub: str = "", **claims: Any) -> str:
        """A token for an hour."""
        who = Identity(sub=sub or role, role=role, **claims)  # type: ignore[arg-type]
        return mint(who, SECRET, self.clock.now(), timedelta(hours=1))

    def post(
        self, path: str, body: Any = None, *, role: str = "organiser", key: str = "", headers: Any = None, **claims: Any
    ) -> TestResponse:
        """POST `/service/…` as someone; with a fresh Idempotency-Key unless one is given. Where the clock was moved,
        all that then falls due has happened before."""
        service, _, rest = path.lstrip("/").partition("/")
        if self._must_settle(service):
            self.settle()
        sent = {
            "Authorization": f"Bearer {self.token(role, **claims)}",
            "Idempotency-Key": key or f"key-{next(self.keys)}",
            "Accept-Language": "en",
        }
        response = self.client(service).post("/" + rest, json=body or {}, headers=sent | (headers or {}))
        self._asked = service
        if self.eager:
            self.settle()
        return response

    def _must_settle(self, service: str) -> bool:
        """Whether something has to happen before a command to this service."""
        moved = self.clock.now() - self._rested_at
        if self.eager:
            return bool(moved)
        return moved >= timedelta(minutes=1) or service != self._asked

    def send(self, path: str, media: str, content: bytes, *, role: str = "organiser", **claims: Any) -> TestResponse:
        """POST a file to `/service/…` as someone."""
        service, _, rest = path.lstrip("/").partition("/")
        sent = {
            "Authorization": f"Bearer {self.token(role, **claims)}",
            "Idempotency-Key": f"key-{next(self.keys)}",
            "Accept-Language": "en",
            "Content-Type": media,
        }
        response = self.client(service).post("/" + rest, data=content, headers=sent)
        self.settle()
        return response

    def get(self, path: str, *, role: str | None = None, headers: Any = None, **claims: Any) -> TestResponse:
        """GET `/service/…`, as someone or, without a role, as anyone."""
        service, _, rest = path.lstrip("/").partition("/")
        if not self.eager:
            self.settle()
        sent = {"Accept-Language": "en"} | (headers or {})
        if role:
            sent["Authorization"] = f"Bearer {self.token(role, **claims)}"
        return self.client(service).get("/" + rest, headers=sent)

    def _add(self, name: str, service: Callable[[Ports], Service], app: Callable[[Service], flask.Flask]) -> None:
        ports = self.means.ports(name, self.clock, self._wait_until)
        self.services[name] = service(ports)
        self.apps[name] = app(self.services[name])

    def _wait_until(self, reached: Callable[[], bool], _seconds: float) -> bool:
        self.settle()
        return reached()
