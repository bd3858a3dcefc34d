"""Many commands in one request: what a phone held back while it had no reception, what a desk has on its list.

Each item is a command of this service with a key of its own, judged, answered and remembered as if it had come alone;
so a batch may come twice, in parts, or after some of its items. Items may stand in any order: what is refused because
of the state is tried again once others have succeeded."""

from __future__ import annotations

import functools
import json
from collections.abc import Callable, Sequence
from typing import Any, get_args

import flask
import marshmallow as ma
from flask_smorest import Blueprint

from shared.contracts.refusal import Refusal
from shared.web.bodies import check_body
from shared.web.commands import KEY, KEY_FORM, POSITION, REPLAYED, is_command
from shared.web.context import CORRELATION, correlation
from shared.web.identity import Role
from shared.web.openapi import described, problem_response
from shared.web.problems import BOTH, refusal_problem, standard
from shared.web.rights import Rights, declared
from shared.web.words import words

MOST = 500
"""Items of a batch."""
COMMAS = 50_000
"""Commas that a batch may have outside its texts; of each item's body no more than of any body."""
PASSES = 8
"""How often what was refused is tried, at most: in a batch that stands upside down more may be left for the next."""
REFUSED, AWAY = 409, 503

SAID = """Send many commands at once: each is judged and answered as if it had come alone. Whatever order they stand in,
and however often they come, the result is the same."""
RIGHTS = Rights(roles=get_args(Role), leader="any", parts=True)
Sort = Callable[[str, dict[str, Any]], Any]
"""Where an item belongs among the others, by its address under the competition and its body."""
Check = Callable[[str, dict[str, Any]], None]
"""Whether an item may be in a batch, by the same; raises a Refusal."""


class ItemSchema(ma.Schema):
    """A command: its Idempotency-Key, its address under the competition, its body, and the If-Match it insists on."""

    key = ma.fields.String(
        required=True, validate=ma.validate.Regexp(rf"{KEY_FORM.pattern}\Z", error=f"键无效。{BOTH}Not a key.")
    )
    to = ma.fields.String(required=True, validate=words(300), metadata={"example": "matches/r1t1/hands"})
    body = ma.fields.Dict(keys=ma.fields.String(), load_default=dict)
    if_match = ma.fields.Integer(strict=True, validate=ma.validate.Range(0, 10**15))


class BatchSchema(ma.Schema):
    """Commands of one competition, in whatever order they were held."""

    items = ma.fields.List(ma.fields.Nested(ItemSchema), required=True, validate=ma.validate.Length(1, MOST))


class DoneSchema(ma.Schema):
    """What an item was answered: `body` is the command's answer or a problem; `position` is its Pailu-Position,
    `replayed` tells that its key was answered before."""

    key = ma.fields.String(required=True)
    status = ma.fields.Integer(required=True)
    body = ma.fields.Raw(required=True)
    position = ma.fields.String(required=True, allow_none=True)
    replayed = ma.fields.Boolean(required=True)


class DoneAllSchema(ma.Schema):
    """The answers, in the order in which the items stood; `counts` says how many had which status."""

    items = ma.fields.List(ma.fields.Nested(DoneSchema), required=True)
    counts = ma.fields.Dict(keys=ma.fields.String(), values=ma.fields.Integer(), required=True)


def batches(blueprint: Blueprint, sort: Sort = lambda _to, _body: 0, check: Check = lambda _to, _body: None) -> None:
    """Register `POST /competitions/<competition>/batches`. Answers 207, and 400, 401, 403, 413, 415, 422 and 500 for
    the batch as a whole; what becomes of an item is said in the answer."""

    def done_all(batch: dict[str, Any], competition: str) -> flask.Response:
        done = _all(batch["items"], competition, sort, check)
        counts: dict[str, int] = {}
        for each in done:
            counts[str(each["status"])] = counts.get(str(each["status"]), 0) + 1
        response = flask.jsonify(DoneAllSchema().dump({"items": done, "counts": counts}))
        response.status_code = 207
        return response

    validated: Any = blueprint.arguments(BatchSchema)(done_all)

    @functools.wraps(validated)
    def send_batch(competition: str) -> Any:
        RIGHTS.check({"competition": competition})
        check_body(COMMAS)
        return validated(competition=competition)

    send_batch.__doc__, send_batch.__name__ = SAID, "send_batch"
    documented: Any = blueprint.response(207, DoneAllSchema)(declared(RIGHTS, send_batch))
    for code in (400, 401, 403, 413, 415, 422, 500, 503):
        documented = problem_response(blueprint, code)(documented)
    documented = described(documented, send_batch, (), RIGHTS)
    blueprint.route("/competitions/<competition>/batches", methods=["POST"])(documented)


def _all(items: Sequence[dict[str, Any]], competition: str, sort: Sort, check: Check) -> list[dict[str, Any]]:
    """Every item's answer. Once the store is away nothing more is tried."""
    answers: dict[int, dict[str, Any]] = {}
    waiting = sorted(range(len(items)), key=lambda n: sort(items[n]["to"], items[n]["body"]))
    for _ in range(PASSES):
        for n in waiting:
            answers[n] = _one(items[n], competition, check)
            if answers[n]["status"] == AWAY:
                return [answers.get(m) or answers[n] | {"key": items[m]["key"]} for m in range(len(items))]
        refused = [n for n in waiting if answers[n]["status"] == REFUSED]
        if not refused or len(refused) == len(waiting):
            break
        waiting = refused
    return [answers[n] for n in range(len(items))]


def _one(item: dict[str, Any], competition: str, check: Check) -> dict[str, Any]:
    """An item's answer: that of its own endpoint to a request of its own."""
    asked, app, began = flask.request, flask.current_app, flask.g.began
    headers = {KEY: item["key"], CORRELATION: correlation()}
    headers |= {name: asked.headers[name] for name in ("Authorization", "Accept-Language") if name in asked.headers}
    if "if_match" in item:
        headers["If-Match"] = f'"{item["if_match"]}"'
    with app.test_request_context(
        f"/competitions/{competition}/{item['to']}",
        method="POST",
        data=json.dumps(item["body"]),
        content_type="application/json",
        headers=headers,
    ):
        response = _answer(app, item, competition, check)
    flask.g.began = began
    return {
        "key": item["key"],
        "status": response.status_code,
        "body": response.get_json(),
        "position": response.headers.get(POSITION),
        "replayed": REPLAYED in response.headers,
    }


def _answer(app: flask.Flask, item: dict[str, Any], competition: str, check: Check) -> flask.Response:
    if not _is_command_of(competition):
        return standard(404)
    try:
        check(item["to"], item["body"])
    except Refusal as refusal:
        return refusal_problem(refusal)
    return app.full_dispatch_request()


def _is_command_of(competition: str) -> bool:
    """Whether the current request is for a command, and of this competition: no address leads out of it."""
    asked = flask.request
    return (
        asked.endpoint is not None
        and is_command(flask.current_app.view_functions[asked.endpoint])
        and (asked.view_args or {}).get("competition") == competition
    )
