"""The services over their production ports: one database a service, secrets apart, and the log that they share.

Who calls this has forked already: the client's threads and sockets do not survive a fork."""

from __future__ import annotations

import functools
import os
import secrets
import socket
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

import flask
from pymongo import MongoClient

from services.appeals import app as appeals
from services.match import app as match
from services.ranking import app as ranking
from services.registration import app as registration
from shared.eventsourcing.clock import Clock, SystemClock
from shared.eventsourcing.kafka.address import Address
from shared.eventsourcing.mongo import MongoCommits, MongoDocuments, MongoJournal, MongoLog
from shared.eventsourcing.ports import Document, EventLog, Ports
from shared.eventsourcing.workers import poll_until
from shared.privacy.secrets import MongoSecrets, Secrets
from shared.web.context import Service
from shared.web.credentials import Revocations

PREFIX = "pailu_"
TOLERANCE = timedelta(seconds=5)
"""How far a clock may be behind the last recorded event: what time synchronisation corrects in its course."""


@dataclass(frozen=True)
class Parts:
    """How a service and its app are made."""

    service: Callable[[Ports, Secrets, str, Revocations], Service]
    app: Callable[[Service], flask.Flask]


PARTS: Mapping[str, Parts] = {
    registration.NAME: Parts(
        lambda ports, secrets, token, gone: registration.create_service(ports, secrets, token, revocations=gone),
        registration.create_app,
    ),
    match.NAME: Parts(
        lambda ports, secrets, token, gone: match.create_service(ports, secrets, token, revocations=gone),
        match.create_app,
    ),
    ranking.NAME: Parts(
        lambda ports, _, token, gone: ranking.create_service(ports, token, revocations=gone), ranking.create_app
    ),
    appeals.NAME: Parts(
        lambda ports, secrets, token, gone: appeals.create_service(ports, secrets, token, revocations=gone),
        appeals.create_app,
    ),
}
"""All services by name."""


class ClockBehind(Exception):
    """This machine's clock is behind what the log has recorded already: times and deadlines would be wrong."""

    def __init__(self, now: datetime, recorded: datetime) -> None:
        super().__init__(f"the clock shows {now.isoformat()}, the last event was recorded at {recorded.isoformat()}")
        self.now = now
        self.recorded = recorded


class Wiring:
    """Makes services over one document store, and over the Kafka at an address or, without one, over the log that the
    store holds. `token_secret` signs and checks tokens."""

    def __init__(
        self,
        client: MongoClient[Document],
        token_secret: str,
        kafka: Address | None = None,
        clock: Clock | None = None,
    ) -> None:
        self._client = client
        self._token_secret = token_secret
        self._kafka = kafka
        self._closing: list[Callable[[], None]] = []
        self._clock = clock or SystemClock()
        self._holder = f"{socket.gethostname()}:{os.getpid()}:{secrets.token_hex(4)}"

    def check_clock(self) -> None:
        """Raises ClockBehind when the clock is behind the last recorded event of any service."""
        now = self._clock.now()
        recorded = [at for name in PARTS if (at := self._journal(name).last_recorded_at()) is not None]
        if recorded and max(recorded) - now > TOLERANCE:
            raise ClockBehind(now, max(recorded))

    def services(self, names: Iterable[str] = tuple(PARTS)) -> dict[str, Service]:
        """The services by name; nothing of them runs yet. Raises StoreUnavailable."""
        kept = MongoSecrets(self._client[f"{PREFIX}secrets"])
        gone = Revocations()
        made = {name: PARTS[name].service(self.ports(name), kept, self._token_secret, gone) for name in names}
        if self._kafka is not None:
            for name, service in made.items():
                service.engine.relay.on_begin = functools.partial(self._restore, name, service.engine.ports)
        return made

    def ports(self, name: str) -> Ports:
        """The ports of one service. Raises StoreUnavailable."""
        database = self._client[PREFIX + name]
        return Ports(
            clock=self._clock,
            commits=MongoCommits(database),
            journal=self._journal(name),
            log=self._log(name),
            documents=MongoDocuments(database),
            wait_until=poll_until,
            holder=self._holder,
        )

    def close(self) -> None:
        """Give back what the event logs hold, when nothing runs any more."""
        for close in self._closing:
            close()

    def _log(self, name: str) -> EventLog:
        """The event log as this service reads it, its places kept in its own database or in its own groups."""
        if self._kafka is None:
            return MongoLog(self._journal, self._client[PREFIX + name])
        from shared.eventsourcing.kafka.log import KafkaLog  # a library that one machine never needs

        log = KafkaLog(self._kafka, name)
        self._closing.append(log.close)
        return log

    @staticmethod
    def _restore(name: str, ports: Ports) -> None:
        """Before anything is published: a topic that has lost messages gets them again."""
        from shared.eventsourcing.kafka.log import KafkaLog
        from shared.eventsourcing.kafka.restoring import restore

        assert isinstance(ports.log, KafkaLog)
        restore(ports.log, name, ports.journal)

    def _journal(self, name: str) -> MongoJournal:
        """A service's journal, one for each that asks: it remembers the head it saw, which is one thread's to know."""
        return MongoJournal(self._client[PREFIX + name])


def apps(services: Mapping[str, Service]) -> dict[str, flask.Flask]:
    """The Flask app of each service."""
    return {name: PARTS[name].app(service) for name, service in services.items()}
