"""Command endpoints: POST with an Idempotency-Key, answered from what was committed, and so the same at every
delivery."""

from __future__ import annotations

import functools
import hmac
import json
import re
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import flask
import marshmallow as ma
import msgspec
from flask_smorest import Blueprint

from shared.contracts.refusal import Invalid
from shared.eventsourcing.errors import NotNow
from shared.eventsourcing.handling import Command, Outcome
from shared.web.bodies import STRING, check_body, check_size
from shared.web.context import correlation, identity, service
from shared.web.identity import Role
from shared.web.openapi import described, header, problem_response
from shared.web.rights import Rights, declared
from shared.web.tokens import Written, position_token, read_position

KEY = "Idempotency-Key"
POSITION = "Pailu-Position"
REPLAYED = "Idempotent-Replayed"
KEY_LENGTH = 200
ANSWERS = (400, 401, 403, 404, 409, 412, 413, 415, 422, 500, 503)
COMMAND = "__pailu_command__"
"""The attribute of a command's view that holds what stands behind it."""
DIGITS = 18
"""Of a version in If-Match, at most."""
WAITING = threading.BoundedSemaphore(12)
"""How many requests of this process may wait for a position at once. Each holds a thread; the other threads answer
those who need not wait, whatever the read models lag behind."""


class KeyMissing(Exception):
    """A command without a usable Idempotency-Key (400)."""


class IfMatchNeeded(Exception):
    """A command that replaces what is entered, without the version that it was decided on (428)."""


class BadIfMatch(
    Invalid,
    zh=("If-Match 无效", "If-Match 应为应答中的 ETag（流的版本号）。"),
    en=("Bad If-Match", "If-Match takes the ETag of an answer: the stream's version."),
):
    """If-Match is no stream version."""


class NotStorable(
    Invalid,
    zh=("内容无法保存", "内容含有不成对的代理字符或过大的数，无法保存。"),
    en=("Content cannot be kept", "The content holds half a surrogate pair or a number too large to be kept."),
):
    """JSON that can be read and not be written as UTF-8, or as a number that every reader of the log reads alike."""


class NotThereYet(NotNow):
    """What the request rests on (Pailu-Position) has not arrived within the time a request may wait."""


class EventSchema(ma.Schema):
    """An event that a command recorded."""

    type = ma.fields.String(required=True)
    data = ma.fields.Dict(required=True, metadata={"description": "as in the contracts; personal fields are sealed"})


class AnswerSchema(ma.Schema):
    """What a command did: the stream, its version after, and the events. No events: it was so already."""

    stream = ma.fields.String(required=True)
    version = ma.fields.Integer(required=True)
    events = ma.fields.List(ma.fields.Nested(EventSchema), required=True)


class EmptySchema(ma.Schema):
    """A command without fields."""


KEY_FORM = re.compile(rf"[!-~]{{1,{KEY_LENGTH}}}")
_HUGE = re.compile(rb"\d{17}")

UseCase = Callable[..., Outcome]
"""A view's body: the command and the validated fields in, the path's parts by name, an outcome out."""


class Asked(msgspec.Struct, frozen=True, kw_only=True):
    """What comes with a command's fields: the address it is sent to, its key, and the version that it insists on."""

    address: str
    key: str
    expected: int | None


class Answer(msgspec.Struct, frozen=True, kw_only=True):
    """What a command is answered; `position` is its Pailu-Position."""

    status: int
    body: dict[str, Any]
    version: int
    position: str
    replayed: bool


@dataclass(frozen=True)
class CommandView:
    """What stands behind a command's address; see `command`."""

    rights: Rights
    body: ma.Schema
    use_case: UseCase
    status: int
    replaces: bool
    shares: bool

    def check_seen(self, expected: int | None) -> None:
        """Raises IfMatchNeeded."""
        if self.replaces and expected is None:
            raise IfMatchNeeded

    def answer(self, command: Command, fields: dict[str, Any], path: Mapping[str, Any]) -> Answer:
        """Run the use case."""
        return _answered(self.use_case(command, fields, **path), self.status)

    def item(self, asked: Asked, body: dict[str, Any], path: Mapping[str, Any]) -> Answer:
        """What a command that came within the current request is answered, judged in the order of one that came alone;
        it rests on nothing that is to be awaited. Raises what `command` tells, marshmallow's ValidationError."""
        self.rights.check(path)
        self.check_seen(asked.expected)
        check_size(json.dumps(body).encode())
        fields = self.body.load(body)
        return self.answer(_command(asked, fields), fields, path)


def command(
    blueprint: Blueprint,
    rule: str,
    body: type[ma.Schema] = EmptySchema,
    *,
    roles: tuple[Role, ...],
    chief: bool = False,
    status: int = 201,
    replaces: bool = False,
    shares: bool = False,
) -> Callable[[UseCase], UseCase]:
    """Register a command endpoint for these roles, of the referees with `chief` the chief alone. A path part named
    `competition` must be in the token's scope. One that `replaces` what is entered needs If-Match (428 without), so
    that nobody overwrites what they have not seen. One that `shares` does nothing but decide and append one commit, so
    that a batch may store it in one go with others.

    The order is: token, role and scope; key; If-Match; body; then whatever the command rests on is awaited; then the
    use case runs. What was so already is answered 200, everything else with `status`; problems are 400, 401, 403, 404,
    409, 412, 413, 415, 422, 500, 503."""
    rights = Rights(roles=roles, chief=chief)

    def register(use_case: UseCase) -> UseCase:
        behind = CommandView(rights, body(), use_case, status, replaces, shares)

        @blueprint.arguments(behind.body)
        def validated(fields: dict[str, Any], **path: Any) -> flask.Response:
            current = command_for(fields)
            await_position()
            return _response(behind.answer(current, fields, path))

        @functools.wraps(validated)
        def view(**path: Any) -> Any:
            rights.check(path)
            request_key()
            behind.check_seen(_expected() if replaces else None)
            check_body()
            return validated(**path)

        setattr(view, COMMAND, behind)
        view.__doc__ = use_case.__doc__
        view.__name__ = getattr(use_case, "__name__", "view")
        documented: Any = blueprint.response(status, AnswerSchema, headers=ANSWER_HEADERS)(declared(rights, view))
        documented = blueprint.alt_response(
            200,
            schema=AnswerSchema,
            headers=ANSWER_HEADERS,
            description="it was so already; nothing new",
            success=True,
        )(documented)
        for code in (*ANSWERS, 428) if replaces else ANSWERS:
            documented = problem_response(blueprint, code)(documented)
        documented = described(documented, use_case, SEEN_PARAMETERS if replaces else PARAMETERS, rights)
        blueprint.route(rule, methods=["POST"])(documented)
        return use_case

    return register


def command_view_of(view: Any) -> CommandView | None:
    """What stands behind a view that is a command with a JSON body, None for any other view."""
    return getattr(view, COMMAND, None)


def request_key() -> str:
    """The request's Idempotency-Key. Raises KeyMissing."""
    key = flask.request.headers.get(KEY, "")
    if not KEY_FORM.fullmatch(key):
        raise KeyMissing
    return key


def command_for(fields: dict[str, Any], key: str = "") -> Command:
    """What the request asks for, with these fields, under its own key or a given one. Raises KeyMissing, BadIfMatch,
    NotStorable."""
    return _command(Asked(address=flask.request.path, key=key or request_key(), expected=_expected()), fields)


def _command(asked: Asked, fields: dict[str, Any]) -> Command:
    who = identity()
    return Command(
        id=asked.key,
        fingerprint=_fingerprint([asked.address, msgspec.to_builtins(fields)]),
        actor=who.sub,
        role=who.role,
        received_at=service().clock.now(),
        correlation=correlation(),
        expected=asked.expected,
    )


def _fingerprint(asked: Any) -> str:
    """Keyed, so that the log, which keeps it for ever, cannot confirm a guess at what a body said of a person."""
    try:
        said = msgspec.json.encode(asked, order="sorted")
    except (UnicodeEncodeError, OverflowError) as error:
        raise NotStorable("") from error
    if _HUGE.search(STRING.sub(b"", said)):
        raise NotStorable("")
    return hmac.digest(service().secret.encode(), said, "sha256").hex()


def _expected() -> int | None:
    header = flask.request.headers.get("If-Match")
    if header is None or header.strip() == "*":
        return None
    version = header.strip().strip('"')
    if not version.isascii() or not version.isdigit() or len(version) > DIGITS:
        raise BadIfMatch("/headers/If-Match")
    return int(version)


def await_position() -> None:
    """Wait until what the request rests on is in this service's read model. Raises NotThereYet."""
    token = flask.request.headers.get(POSITION)
    if not token:
        return
    current = service()
    written = read_position(token, current.secret)

    def there(seconds: float) -> bool:
        return current.engine.await_version(written.service, written.stream, written.version, seconds)

    if there(0):
        return
    if WAITING.acquire(blocking=False):
        try:
            if there(current.wait_seconds):
                return
        finally:
            WAITING.release()
    raise NotThereYet(f"{written.service} {written.stream}@{written.version}")


def answer(outcome: Outcome, status: int) -> flask.Response:
    """What a command answers."""
    return _response(_answered(outcome, status))


def _answered(outcome: Outcome, status: int) -> Answer:
    body = {
        "stream": outcome.stream,
        "version": outcome.version,
        "events": [{"type": type(e).__name__, "data": msgspec.to_builtins(e)} for e in outcome.events],
    }
    return Answer(
        status=status if outcome.events else 200,
        body=body,
        version=outcome.version,
        position=_position(outcome),
        replayed=outcome.replayed,
    )


def _response(told: Answer) -> flask.Response:
    response = flask.jsonify(told.body)
    response.status_code = told.status
    response.set_etag(str(told.version))
    response.headers[POSITION] = told.position
    if told.replayed:
        response.headers[REPLAYED] = "true"
    return response


def _position(outcome: Outcome) -> str:
    current = service()
    return position_token(Written(current.engine.service, outcome.stream, outcome.version), current.secret)


_VERSION = {"type": "string", "pattern": '^"[0-9]{1,18}"$'}
PARAMETERS = (
    header(
        KEY,
        True,
        "names this command; the same key again answers as the first time",
        {"type": "string", "minLength": 1, "maxLength": KEY_LENGTH, "pattern": "^[!-~]+$", "example": "hand-r1t1-1"},
    ),
    header("If-Match", False, "the stream version the command insists on", _VERSION),
    header(POSITION, False, "what this command rests on: wait until it is there"),
)
SEEN_PARAMETERS = (
    PARAMETERS[0],
    header("If-Match", True, "the ETag of what is replaced, as it was seen", _VERSION),
    PARAMETERS[2],
)
ANSWER_HEADERS = {
    "ETag": {"schema": {"type": "string"}, "description": "the stream's version"},
    POSITION: {"schema": {"type": "string"}, "description": "pass it back to read what was written"},
    REPLAYED: {"schema": {"type": "string"}, "description": "true when this key was answered before"},
}
