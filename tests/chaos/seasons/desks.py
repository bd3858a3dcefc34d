"""How people reach the services: over HTTP, where anything may be killed meanwhile, or in one process where nothing is.
Both give the same answers under the same keys, so a competition need not know which it is played on."""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Protocol

import msgspec

from deploy.demo.client import Answer, Client
from deploy.demo.failure import Failed
from shared.web.identity import Identity
from tests.support.courses import MOMENT
from tests.support.phones import Item
from tests.support.waiting import PATIENCE, wait_for
from tests.support.world import World

SEED = bytes(range(32))
"""Of every draw, so that both runs draw the same."""


class Desk(Protocol):
    """What people ask. `key` names a command for ever."""

    def ask(
        self, path: str, who: Identity, body: Any, key: str, after: Answer | None = None, seen: str | None = None
    ) -> Answer:
        """A command, sent until it is answered otherwise than that it cannot be now; `after` is what it rests on."""

    def see(self, path: str, who: Identity | None = None) -> Any:
        """A read that succeeds."""

    def await_(self, path: str, who: Identity | None, reached: Callable[[Any], bool]) -> Any:
        """A read, again and again until what is under way has come about."""

    def batch(self, competition: str, who: Identity, items: Sequence[Item]) -> Sequence[dict[str, Any]] | None:
        """What a phone sends, once; its answers by item, None where none came."""


@dataclass
class Traffic:
    """What was asked over HTTP, by all who asked."""

    requests: int = 0
    sent_again: int = 0
    acknowledged: Counter[str] = field(default_factory=Counter)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def took(self, service: str, commands: int) -> None:
        with self.lock:
            self.acknowledged[service] += commands

    def add(self, client: Client) -> None:
        """What a client has asked until it was closed."""
        with self.lock:
            self.requests += client.asked
            self.sent_again += client.sent_again


AGAIN = 0.1
"""Seconds before the same is asked again: many wait at once, and those who come up again need the processor."""


class _Asking(Client):
    """One that takes whatever a command is answered."""

    pause = AGAIN

    def ask(self, path: str, who: Identity, body: Any, headers: Mapping[str, str], after: Answer | None) -> Answer:
        """Raises Failed where no answer comes in time."""
        sent = self._headers(who, after) | headers
        deadline = time.monotonic() + PATIENCE
        while True:
            answer = self._send("POST", path, body or {}, sent)
            if answer.status != 503 or time.monotonic() > deadline:
                return answer
            time.sleep(AGAIN)

    def look(self, path: str, who: Identity | None) -> Answer:
        """A read, whatever it is answered: what is read may not be there yet."""
        return self._send("GET", path, None, self._headers(who, None))

    def once(self, path: str, who: Identity, body: Any, key: str) -> Answer | None:
        """A command sent once; None where no answer comes."""
        try:
            return self._send("POST", path, body, self._headers(who, None) | {"Idempotency-Key": key})
        except Failed:
            return None


class OverHttp:
    """A desk's connection of its own; for one thread."""

    def __init__(self, urls: Mapping[str, str], secret: str, traffic: Traffic) -> None:
        self._patient = _Asking(urls, secret, patience=PATIENCE)
        self._hasty = _Asking(urls, secret)
        self._traffic = traffic

    def ask(
        self, path: str, who: Identity, body: Any, key: str, after: Answer | None = None, seen: str | None = None
    ) -> Answer:
        headers = {"Idempotency-Key": key} | ({"If-Match": seen} if seen else {})
        answer = self._patient.ask(path, who, body, headers, after)
        if answer.status < 300:
            self._traffic.took(path.split("/")[1], 1)
        return answer

    def see(self, path: str, who: Identity | None = None) -> Any:
        return self._patient.get(path, who).body

    def await_(self, path: str, who: Identity | None, reached: Callable[[Any], bool]) -> Any:
        found: list[Any] = []

        def has_come() -> bool:
            answer = self._patient.look(path, who)
            found[:] = [answer.body]
            come = answer.status == 200 and reached(answer.body)
            if not come:
                time.sleep(AGAIN)
            return come

        try:
            wait_for(has_come)
        except AssertionError as error:
            error.add_note(f"GET {path}: {found}")
            raise
        return found[0]

    def batch(self, competition: str, who: Identity, items: Sequence[Item]) -> Sequence[dict[str, Any]] | None:
        answer = self._hasty.once(f"/match/competitions/{competition}/batches", who, {"items": list(items)}, "batch")
        if answer is None or answer.status != 207:
            return None
        told: Sequence[dict[str, Any]] = answer.body["items"]
        self._traffic.took("match", sum(one["status"] < 300 and not one["replayed"] for one in told))
        return told

    def close(self) -> None:
        for client in (self._patient, self._hasty):
            client.close()
            self._traffic.add(client)


class InOneProcess:
    """The same services on ports in memory: no store, no broker, no thread, and no fault."""

    def __init__(self, start: datetime) -> None:
        self.world = World(start, eager=False, draws=lambda _: SEED)

    def ask(
        self, path: str, who: Identity, body: Any, key: str, after: Answer | None = None, seen: str | None = None
    ) -> Answer:
        headers = {"If-Match": seen} if seen else {}
        self.world.clock.advance(MOMENT)
        return self._answer(self.world.post(path, body, key=key, headers=headers, **_claims(who)))

    def see(self, path: str, who: Identity | None = None) -> Any:
        response = self.world.get(path, **(_claims(who) if who else {}))
        assert response.status_code == 200, (path, response.get_data(as_text=True))
        return response.get_json()

    def await_(self, path: str, who: Identity | None, reached: Callable[[Any], bool]) -> Any:
        found = self.see(path, who)
        assert reached(found), (path, found)
        return found

    def batch(self, competition: str, who: Identity, items: Sequence[Item]) -> Sequence[dict[str, Any]]:
        body = {"items": list(items)}
        answer = self._answer(self.world.post(f"/match/competitions/{competition}/batches", body, **_claims(who)))
        told: Sequence[dict[str, Any]] = answer.body["items"]
        return told

    def close(self) -> None:
        """Nothing is left of it."""

    @staticmethod
    def _answer(response: Any) -> Answer:
        return Answer(response.status_code, response.get_json(), response.headers)


def _claims(who: Identity) -> dict[str, Any]:
    told: dict[str, Any] = msgspec.structs.asdict(who)
    return {name: value for name, value in told.items() if value is not None}
