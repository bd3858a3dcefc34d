"""Read endpoints: GET with ETag and If-None-Match, waiting for what the caller has written, paged by cursor."""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import flask
import marshmallow as ma
import msgspec
from flask_smorest import Blueprint

from shared.web.commands import POSITION, await_position
from shared.web.identity import Role
from shared.web.openapi import described, header, problem_response
from shared.web.rights import Rights, declared
from shared.web.tokens import cursor_token, read_cursor

PAGE = 50
LARGEST_PAGE = 500


@dataclass(frozen=True)
class Found:
    """What a read answers. `version` is the stream's version where the resource is one stream (its ETag can then go
    into If-Match); other resources get an ETag of their bytes. Where an answer shows more than its stream, the version
    cannot tell whether a copy is still right: then it is not `conditional`, and If-None-Match is never 304."""

    body: Any
    version: int | None = None
    conditional: bool = True


ReadCase = Callable[..., Found]
"""A read's body: the validated query in, the path's parts by name."""


class QuerySchema(ma.Schema):
    """A read without query parameters."""


class PageQuery(QuerySchema):
    """Paging: `limit` rows after `cursor`."""

    limit = ma.fields.Integer(load_default=PAGE, validate=ma.validate.Range(1, LARGEST_PAGE))
    cursor = ma.fields.String(metadata={"description": "`next` of the page before"})


def read(
    blueprint: Blueprint,
    rule: str,
    answer: type[ma.Schema] | ma.Schema,
    query: type[ma.Schema] = QuerySchema,
    *,
    roles: tuple[Role, ...] | None = None,
    leader: Literal["own", "narrowed", "any"] = "own",
    table: Literal["own", "narrowed"] = "own",
) -> Callable[[ReadCase], ReadCase]:
    """Register a read endpoint, for these roles or, with None, for everyone; `leader` and `table` as Rights has them.
    Answers 304, 404, 422 and 503, and with roles 401 and 403."""
    rights = Rights(roles=roles, leader=leader, table=table)

    def register(case: ReadCase) -> ReadCase:
        # Passed over, a misspelt `as_of` or `round` would give the standings of another moment than was asked for.
        @blueprint.arguments(query(), location="query", unknown=ma.RAISE)
        def validated(fields: dict[str, Any], **path: Any) -> flask.Response:
            await_position()
            return _found(case(fields, **path), answer)

        @functools.wraps(validated)
        def view(**path: Any) -> Any:
            rights.check(path)
            return validated(**path)

        view.__doc__ = case.__doc__
        view.__name__ = getattr(case, "__name__", "view")
        documented: Any = blueprint.response(200, answer, headers=_ETAG)(declared(rights, view))
        documented = blueprint.alt_response(304, description="as If-None-Match has it", success=True)(documented)
        for code in (404, 422, 500, 503) if roles is None else (401, 403, 404, 422, 500, 503):
            documented = problem_response(blueprint, code)(documented)
        documented = described(documented, case, _PARAMETERS, rights)
        blueprint.route(rule, methods=["GET"])(documented)
        return case

    return register


def page(rows: Sequence[Any], query: dict[str, Any], order: Callable[[Any], str | int]) -> dict[str, Any]:
    """`items` and the `next` cursor of one page; `rows` are one more than the limit where there is a next."""
    limit = query["limit"]
    items = list(rows[:limit])
    return {"items": items, "next": cursor_token(order(items[-1])) if len(rows) > limit else None}


def after(query: dict[str, Any], kind: type[str] | type[int] = str) -> str | int | None:
    """The order value, of this kind, after which a page begins. Raises BadCursor."""
    return read_cursor(query["cursor"], kind) if "cursor" in query else None


def paged(item: type[ma.Schema]) -> ma.Schema:
    """The schema of a page of such items."""
    name = item.__name__.removesuffix("Schema") + "Page"
    fields: dict[str, Any] = {
        "items": ma.fields.List(ma.fields.Nested(item), required=True),
        "next": ma.fields.String(required=True, allow_none=True),
    }
    return ma.Schema.from_dict(fields, name=name)()


def _found(found: Found, answer: type[ma.Schema] | ma.Schema) -> flask.Response:
    schema = answer() if isinstance(answer, type) else answer
    response = flask.jsonify(schema.dump(found.body))
    if found.version is None:
        response.set_etag(hashlib.sha256(response.get_data()).hexdigest()[:32])
    else:
        response.set_etag(str(found.version))
    response.headers["Cache-Control"] = "no-cache"
    response.vary.update(["Authorization", "Accept-Language"])
    if found.conditional:
        response.make_conditional(flask.request)
    return response


def plain(value: msgspec.Struct) -> dict[str, Any]:
    """A row as plain values for a schema to dump."""
    fields: dict[str, Any] = msgspec.to_builtins(value)
    return fields


_PARAMETERS = (
    header(POSITION, False, "wait until this command's effect is visible"),
    header("If-None-Match", False, "the ETag of a copy that one has"),
)
_ETAG = {"ETag": {"schema": {"type": "string"}, "description": "the stream's version, or of the answer's bytes"}}
