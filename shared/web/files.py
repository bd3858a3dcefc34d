"""Files in and out: endpoints whose body, or whose answer, is no JSON."""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

import flask
import marshmallow as ma
from flask_smorest import Blueprint

from shared.contracts.refusal import Invalid
from shared.eventsourcing.handling import Outcome
from shared.web.bodies import whole_body
from shared.web.commands import (
    ANSWER_HEADERS,
    ANSWERS,
    PARAMETERS,
    AnswerSchema,
    answer,
    await_position,
    command_for,
    request_key,
)
from shared.web.identity import Role
from shared.web.openapi import described, problem_response
from shared.web.reads import QuerySchema
from shared.web.rights import Rights, declared


class MediaNotTaken(
    Invalid,
    zh=("文件类型不适用", "此处只接受：{allowed}；请求头 Content-Type 是 {given}。"),
    en=("Media type is not taken", "This takes {allowed}; the Content-Type is {given}."),
):
    """A file of a kind that is not taken here."""


class FileEmpty(Invalid, zh=("文件为空", "没有收到文件内容。"), en=("Empty file", "The request has no content.")):
    """A file without a byte."""


@dataclass(frozen=True)
class Sent:
    """A file as it was sent: what its sender says it is, and its bytes."""

    media: str
    content: bytes


@dataclass(frozen=True)
class File:
    """A file to be answered, with the name that it is saved under."""

    name: str
    media: str
    content: bytes


UploadCase = Callable[..., Outcome]
"""An upload's body: the command, the validated query and the file in, the path's parts by name, an outcome out."""


def upload(
    blueprint: Blueprint,
    rule: str,
    media: Sequence[str],
    most: int,
    query: type[ma.Schema] = QuerySchema,
    *,
    roles: tuple[Role, ...],
) -> Callable[[UploadCase], UploadCase]:
    """Register a command whose body is a file, of one of these media types and at most `most` bytes. It has the key,
    the answers and the problems of every command; its other fields are in the query."""
    rights = Rights(roles=roles)

    def register(case: UploadCase) -> UploadCase:
        @blueprint.arguments(query(), location="query", unknown=ma.RAISE)
        def validated(fields: dict[str, Any], **path: Any) -> flask.Response:
            sent = _sent(media, most)
            current = command_for({**fields, "sha256": hashlib.sha256(sent.content).hexdigest()})
            await_position()
            return answer(case(current, fields, sent, **path), 201)

        @functools.wraps(validated)
        def view(**path: Any) -> Any:
            rights.check(path)
            request_key()
            return validated(**path)

        view.__doc__, view.__name__ = case.__doc__, getattr(case, "__name__", "view")
        documented: Any = blueprint.response(201, AnswerSchema, headers=ANSWER_HEADERS)(declared(rights, view))
        documented = blueprint.alt_response(
            200, schema=AnswerSchema, headers=ANSWER_HEADERS, description="it was so already", success=True
        )(documented)
        for code in ANSWERS:
            documented = problem_response(blueprint, code)(documented)
        documented = described(documented, case, PARAMETERS, rights)
        documented._apidoc["manual_doc"]["requestBody"] = {"required": True, "content": _content(media)}
        blueprint.route(rule, methods=["POST"])(documented)
        return case

    return register


ExamineCase = Callable[..., Any]
"""An examination's body: the validated query and the file in, the path's parts by name, the answer's fields out."""


def examine(
    blueprint: Blueprint,
    rule: str,
    media: Sequence[str],
    most: int,
    shown: type[ma.Schema],
    *,
    roles: tuple[Role, ...],
) -> Callable[[ExamineCase], ExamineCase]:
    """Register an endpoint that looks at a file and says something of it; nothing is changed, so no key is needed."""
    rights = Rights(roles=roles)

    def register(case: ExamineCase) -> ExamineCase:
        @functools.wraps(case)
        def view(**path: Any) -> Any:
            rights.check(path)
            sent = _sent(media, most)
            await_position()
            return flask.jsonify(shown().dump(case(sent, **path)))

        view.__doc__, view.__name__ = case.__doc__, getattr(case, "__name__", "view")
        documented: Any = blueprint.response(200, shown)(declared(rights, view))
        for code in ANSWERS:
            documented = problem_response(blueprint, code)(documented)
        documented._apidoc.setdefault("arguments", {"parameters": []})
        documented = described(documented, case, PARAMETERS[2:], rights)
        documented._apidoc["manual_doc"]["requestBody"] = {"required": True, "content": _content(media)}
        blueprint.route(rule, methods=["POST"])(documented)
        return case

    return register


def _sent(media: Sequence[str], most: int) -> Sent:
    """The request's file. Raises MediaNotTaken, FileEmpty, RequestEntityTooLarge."""
    flask.request.max_content_length = most
    if flask.request.mimetype not in media:
        given = flask.request.mimetype or "-"
        raise MediaNotTaken("/headers/Content-Type", allowed=", ".join(media), given=given)
    sent = Sent(flask.request.mimetype, whole_body())
    if not sent.content:
        raise FileEmpty("")
    return sent


DownloadCase = Callable[..., File]
"""A download's body: the validated query in, the path's parts by name."""


def download(
    blueprint: Blueprint,
    rule: str,
    media: Sequence[str],
    query: type[ma.Schema] = QuerySchema,
    *,
    roles: tuple[Role, ...] | None = None,
) -> Callable[[DownloadCase], DownloadCase]:
    """Register an endpoint that answers a file to be saved; a browser is never to show it as a page of ours."""
    rights = Rights(roles=roles)

    def register(case: DownloadCase) -> DownloadCase:
        @blueprint.arguments(query(), location="query", unknown=ma.RAISE)
        def validated(fields: dict[str, Any], **path: Any) -> flask.Response:
            await_position()
            return _attached(case(fields, **path))

        @functools.wraps(validated)
        def view(**path: Any) -> Any:
            rights.check(path)
            return validated(**path)

        view.__doc__, view.__name__ = case.__doc__, getattr(case, "__name__", "view")
        documented: Any = declared(rights, view)
        for code in (404, 409, 422, 500, 503) if roles is None else (401, 403, 404, 409, 422, 500, 503):
            documented = problem_response(blueprint, code)(documented)
        documented = described(documented, case, PARAMETERS[2:], rights)
        documented._apidoc["manual_doc"]["responses"] = {"200": {"description": "the file", "content": _content(media)}}
        blueprint.route(rule, methods=["GET"])(documented)
        return case

    return register


def _attached(file: File) -> flask.Response:
    response = flask.Response(file.content, content_type=file.media)
    plain = "".join(c if (c.isascii() and c.isalnum()) or c in "-_." else "_" for c in file.name)
    response.headers["Content-Disposition"] = f"attachment; filename=\"{plain}\"; filename*=UTF-8''{quote(file.name)}"
    response.headers["Content-Security-Policy"] = "sandbox; default-src 'none'"
    response.headers["Cache-Control"] = "no-store"
    response.vary.update(["Authorization", "Accept-Language"])
    return response


def _content(media: Sequence[str]) -> dict[str, Any]:
    return {each: {"schema": {"type": "string", "format": "binary"}} for each in media}
