"""Server-sent events: a competition's public events as they happen, resumed by position.

A view answers with a `Stream`. A server that can hands its socket to a fan-out, which writes on for as long as the
client listens; any other sends what there is and ends, and the client asks again, as EventSource does by itself. Both
begin after the positions that the client names, so nothing is lost between two answers."""

from __future__ import annotations

import functools
import re
import threading
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Any, Protocol

import flask
import marshmallow as ma
import msgspec
from flask_smorest import Blueprint

from shared.contracts.refusal import Invalid
from shared.web.commands import POSITION, await_position
from shared.web.context import service
from shared.web.identity import TokenNeeded, of_request
from shared.web.openapi import described, header, problem_response
from shared.web.reads import QuerySchema
from shared.web.rights import PUBLIC, declared

LAST = "Last-Event-ID"
KIND = "text/event-stream"
PER_CLIENT = 20
"""Streams that one client may have open: a person, by the token, or whoever else is at one address."""
IN_ALL = 1000
"""Streams that a process keeps open."""
PAGE = 200
"""Events that are read and sent at once."""
RETRY_MS = 2000
"""After how long a client asks again when its stream has ended."""
HEADERS = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
"""Nothing between here and the client may keep events back."""

Positions = Mapping[str, int]
"""The position of the last event seen, by service; none: 0."""


class BadEventId(
    Invalid,
    zh=("事件编号无效", "Last-Event-ID（或 after）应为本接口给出的 id，例如 registration:3,match:40,appeals:1。"),
    en=(
        "Bad event id",
        "Last-Event-ID (or `after`) takes an id of this stream, such as registration:3,match:40,appeals:1.",
    ),
):
    """What the client has seen last cannot be read."""


class TooManyStreams(Exception):
    """This client, or all together, have as many streams open as there may be (429)."""


class Shown(msgspec.Struct, frozen=True, kw_only=True):
    """An event as listeners see it: its place in the log, and what is public of it; None: nothing is said of it."""

    service: str
    position: int
    recorded_at: int
    type: str
    fields: dict[str, Any] | None


class Source(Protocol):
    """Where a service's streams come from."""

    services: tuple[str, ...]

    def positions(self, competitions: Collection[str]) -> dict[str, Positions]:
        """Up to where events of these competitions can be shown; those after it are not known yet."""
        ...

    def shown(self, competition: str, after: Positions, upto: Positions, limit: int) -> list[Shown]:
        """The public events after these positions and up to those, each service's in its order: of each service the
        first `limit` at most."""
        ...


class Page(msgspec.Struct, frozen=True):
    """What is sent at once, and the positions of a client that has read it."""

    sent: bytes
    positions: Positions


def page(source: Source, competition: str, after: Positions, upto: Positions, limit: int = PAGE) -> Page:
    """The next events after some positions in the order in which they were recorded, at most `limit`; those of one
    service always in its order. When there are fewer, the page ends at `upto`, past what is not public."""
    found = source.shown(competition, after, upto, limit)
    ordered = sorted(found, key=lambda event: event.recorded_at)[:limit]
    cut = {event.service for event in found} if len(found) >= limit else set()
    seen, sent = dict(after), bytearray()
    for event in ordered:
        seen[event.service] = event.position
        if event.fields is not None:
            sent += _message(event, event.fields, seen)
    reached = {name: seen.get(name, 0) if name in cut else upto.get(name, 0) for name in source.services}
    return Page(bytes(sent), reached)


def _message(event: Shown, fields: dict[str, Any], seen: Positions) -> bytes:
    body = {"service": event.service, "position": event.position, "type": event.type, **fields}
    return b"id: %s\ndata: %s\n\n" % (event_id(seen).encode(), msgspec.json.encode(body))


def event_id(positions: Positions) -> str:
    """Positions as a client keeps them. They are never none at all: a client forgets an empty id."""
    return ",".join(f"{name}:{at}" for name, at in positions.items())


_ID = re.compile(r"([a-z]{1,20}):([0-9]{1,15})")


def read_event_id(text: str, services: Collection[str]) -> dict[str, int]:
    """What `event_id` gave; a service left out was never heard of. Raises BadEventId."""
    found: dict[str, int] = {}
    for part in filter(None, text.strip().split(",")):
        read = _ID.fullmatch(part)
        if read is None or read[1] not in services or read[1] in found:
            raise BadEventId("/headers/Last-Event-ID")
        found[read[1]] = int(read[2])
    return found


class Listeners:
    """How many streams are open, by client."""

    def __init__(self, per_client: int = PER_CLIENT, in_all: int = IN_ALL) -> None:
        self._per_client = per_client
        self._in_all = in_all
        self._open: Counter[str] = Counter()
        self._lock = threading.Lock()

    def admit(self, client: str) -> Callable[[], None]:
        """Take a place; what is returned gives it back, once. Raises TooManyStreams."""
        with self._lock:
            if self._open[client] >= self._per_client or self._open.total() >= self._in_all:
                raise TooManyStreams
            self._open[client] += 1
        return _Once(functools.partial(self._leave, client))

    def count(self) -> int:
        """How many are open."""
        return self._open.total()

    def _leave(self, client: str) -> None:
        with self._lock:
            self._open[client] -= 1
            self._open += Counter()  # drops who has none


class _Once:
    """A call that is made once, however often and by whomever it is asked for."""

    def __init__(self, call: Callable[[], None]) -> None:
        self._call = call
        self._lock = threading.Lock()
        self._made = False

    def __call__(self) -> None:
        with self._lock:
            made, self._made = self._made, True
        if not made:
            self._call()


class Stream:
    """The body of an answer that goes on: `opening` comes first, then what follows `positions`. As an iterable it is
    one page long."""

    def __init__(self, source: Source, competition: str, positions: Positions, leave: Callable[[], None]) -> None:
        self.source = source
        self.competition = competition
        self.positions = positions
        self.opening = b"retry: %d\nid: %s\n\n" % (RETRY_MS, event_id(positions).encode())
        self.close = leave

    def __iter__(self) -> Iterator[bytes]:
        try:
            yield self.opening
            upto = self.source.positions([self.competition])[self.competition]
            yield page(self.source, self.competition, self.positions, upto).sent
        finally:
            self.close()


class EventsQuery(QuerySchema):
    """Where a stream begins: for clients that cannot set Last-Event-ID."""

    after = ma.fields.String(
        validate=ma.validate.Length(0, 100),
        metadata={
            "description": "an `id` of this stream, or `rests_on` as registration:3,match:40; Last-Event-ID is stronger"
        },
    )


Find = Callable[[str], Source]
"""A view's body: the competition in, where its events come from out. Raises what refuses it."""


def listen(blueprint: Blueprint, rule: str, listeners: Callable[[], Listeners]) -> Callable[[Find], Find]:
    """Register the endpoint of a competition's events. Answers 200 with a stream that does not end, 404, 422, 429, 500
    and 503. Without a place named it begins with what happens next; so it does for who has seen more than there is,
    which was before the store was put back to an older state."""

    def register(find: Find) -> Find:
        @blueprint.arguments(EventsQuery(), location="query", unknown=ma.RAISE)
        def view(query: dict[str, Any], competition: str) -> flask.Response:
            await_position()
            source = find(competition)
            given = flask.request.headers.get(LAST, query.get("after"))
            here = source.positions([competition])[competition]
            wanted = here if given is None else read_event_id(given, source.services)
            positions = {name: min(wanted.get(name, 0), here.get(name, 0)) for name in source.services}
            stream = Stream(source, competition, positions, listeners().admit(_client()))
            return flask.Response(stream, mimetype=KIND, headers=HEADERS, direct_passthrough=True)

        view.__doc__, view.__name__ = find.__doc__, getattr(find, "__name__", "view")
        documented: Any = blueprint.response(200, MESSAGE, content_type=KIND)(declared(PUBLIC, view))
        for code in (404, 422, 429, 500, 503):
            documented = problem_response(blueprint, code)(documented)
        documented = described(documented, find, _PARAMETERS, PUBLIC)
        blueprint.route(rule, methods=["GET"])(documented)
        return find

    return register


def _client() -> str:
    """Who listens: a person by a token that holds, anybody else by address."""
    current = service()
    try:
        return f"account {of_request(current.secret, current.clock.now()).sub}"
    except TokenNeeded:
        return f"address {flask.request.remote_addr}"


MESSAGE = {
    "type": "object",
    "description": "one message of the stream",
    "properties": {
        "id": {"type": "string", "description": "name it in Last-Event-ID to go on after it"},
        "data": {"type": "string", "description": "JSON: service, position, type, and what is public of the event"},
    },
}
"""A message as OpenAPI describes it."""

_PARAMETERS = (
    header(LAST, False, "the `id` of the last event that was heard; EventSource sends it by itself"),
    header(POSITION, False, "begin when this command's effect is visible"),
)
