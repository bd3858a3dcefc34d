"""HTTP to the demo's services, from the standard library alone: connections kept alive, tokens, keys, positions."""

from __future__ import annotations

import http.client
import itertools
import json
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any
from urllib.parse import urlsplit

from deploy.demo.failure import Failed, check
from shared.cli.language import language
from shared.eventsourcing.clock import SystemClock
from shared.web.identity import Identity, mint

TIMEOUT = 30.0
PATIENCE = 60.0
"""Seconds in which something that is under way must have come about."""
PAUSE = 0.01


@dataclass(frozen=True)
class Answer:
    """What the server answered. `position` is where a command wrote, to be passed with what rests on it."""

    status: int
    body: Any
    headers: http.client.HTTPMessage = field(repr=False)

    @property
    def position(self) -> str:
        return str(self.headers["Pailu-Position"])

    @property
    def replayed(self) -> bool:
        return self.headers["Idempotent-Replayed"] == "true"

    @property
    def events(self) -> list[dict[str, Any]]:
        """The data of the events that a command recorded."""
        return [event["data"] for event in self.body["events"]]

    @property
    def slug(self) -> str:
        """The stable name of a problem."""
        return str(self.body["type"]).rpartition("/")[2]


class Client:
    """One connection to each address. `urls` says where a service answers. Where services may be killed, a request
    that got no answer is sent again for `patience` seconds: the same, with the same key. `asked` counts answers,
    `sent_again` what was repeated so; `last` is the newest request, `on_answer` is called after each; `pause` is how
    long it waits before it sends again."""

    pause = PAUSE

    def __init__(
        self,
        urls: Mapping[str, str],
        token_secret: str,
        on_answer: Callable[[], None] = lambda: None,
        patience: float = 0.0,
    ) -> None:
        self.asked = 0
        self.sent_again = 0
        self.last = ""
        places = {url: http.client.HTTPConnection(urlsplit(url).netloc, timeout=TIMEOUT) for url in urls.values()}
        self._connections = {service: places[url] for service, url in urls.items()}
        self._patience = patience
        self._secret = token_secret
        self._on_answer = on_answer
        self._tokens: dict[Identity, str] = {}
        self._keys = itertools.count(1)

    def close(self) -> None:
        for connection in self._connections.values():
            connection.close()

    def get(self, path: str, who: Identity | None = None, *, after: Answer | None = None, status: int = 200) -> Answer:
        """Read, with `after` not before that command is visible. Raises Failed for another status."""
        return self._expect("GET", path, None, self._headers(who, after), status)

    def post(
        self,
        path: str,
        who: Identity,
        body: Any = None,
        *,
        after: Answer | None = None,
        key: str = "",
        status: int = 201,
        seen: int | None = None,
    ) -> Answer:
        """Command, under a fresh key unless one is given; `after` names the command that it rests on, `seen` the
        version of what it replaces. Raises Failed for another status."""
        headers = self._headers(who, after) | {"Idempotency-Key": key or self.key()}
        if seen is not None:
            headers["If-Match"] = f'"{seen}"'
        return self._expect("POST", path, {} if body is None else body, headers, status)

    def refused(
        self, path: str, who: Identity, body: Any = None, *, slug: str, status: int = 409, after: Answer | None = None
    ) -> Answer:
        """Command what must be refused for this reason. Raises Failed for anything else."""
        answer = self.post(path, who, body, after=after, status=status)
        check(f"POST {path}", answer.slug, slug)
        return answer

    def key(self) -> str:
        """A fresh key; ids that the server makes follow from it, so keys are the same in every run."""
        return f"demo-{next(self._keys):04d}"

    def until(
        self, path: str, who: Identity | None, reached: Callable[[Any], bool], what: str, after: Answer | None = None
    ) -> Any:
        """Read again and again until what is under way has come about. Raises Failed when it does not."""
        deadline = time.monotonic() + PATIENCE
        while True:
            body = self.get(path, who, after=after).body
            if reached(body):
                return body
            if time.monotonic() > deadline:
                raise Failed(f"GET {path}", what, body)
            time.sleep(PAUSE)

    def _headers(self, who: Identity | None, after: Answer | None) -> dict[str, str]:
        headers: dict[str, str] = {"Accept-Language": language()}
        if who is not None:
            headers["Authorization"] = f"Bearer {self._token(who)}"
        if after is not None:
            headers["Pailu-Position"] = after.position
        return headers

    def _token(self, who: Identity) -> str:
        if who not in self._tokens:
            self._tokens[who] = mint(who, self._secret, SystemClock().now(), timedelta(hours=1))
        return self._tokens[who]

    def _expect(self, method: str, path: str, body: Any, headers: dict[str, str], status: int) -> Answer:
        answer = self._send(method, path, body, headers)
        deadline = time.monotonic() + max(PATIENCE, self._patience)
        while answer.status == 503 and time.monotonic() < deadline:  # not there yet: the same again
            time.sleep(PAUSE)
            answer = self._send(method, path, body, headers)
        if answer.status != status:
            raise Failed(f"{method} {path}", status, (answer.status, answer.body))
        return answer

    def _send(self, method: str, path: str, body: Any, headers: dict[str, str]) -> Answer:
        self.last = f"{method} {path}"
        data = None
        if body is not None:
            data = json.dumps(body, ensure_ascii=False).encode()
            headers = headers | {"Content-Type": "application/json"}
        connection = self._connections[path.split("/")[1]]
        deadline = time.monotonic() + self._patience
        while True:
            try:
                connection.request(method, path, data, headers)
                response = connection.getresponse()
                raw = response.read()
            except (OSError, http.client.HTTPException) as error:
                connection.close()
                if time.monotonic() >= deadline:
                    raise Failed(f"{method} {path}", "an answer", repr(error)) from error
                self.sent_again += 1
                time.sleep(self.pause)
            else:
                break
        self.asked += 1
        self._on_answer()
        return Answer(response.status, json.loads(raw) if raw else None, response.headers)
