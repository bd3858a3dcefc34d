"""Many commands in one request: what a phone held back while it had no reception, what a desk has on its list.

Each item is a command of this service with a key of its own, judged, answered and remembered as if it had come alone;
so a batch may come twice, in parts, or after some of its items. Items may stand in any order: what is refused because
of the state is tried again once others have succeeded. Who asks is looked at once, and what commits share a durable
write where nothing but the commits is done (see CommandHandler.together)."""

from __future__ import annotations

import functools
import itertools
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, get_args
from urllib.parse import unquote, urlsplit

import flask
import marshmallow as ma
import msgspec
import structlog
from flask_smorest import Blueprint
from werkzeug.exceptions import HTTPException
from werkzeug.routing import RoutingException

from shared.web import health
from shared.web.bodies import check_body
from shared.web.commands import KEY_FORM, Asked, CommandView, command_view_of
from shared.web.context import correlation, identity, service
from shared.web.identity import Role
from shared.web.openapi import described, problem_response
from shared.web.problems import BOTH, invalid_problem, standard
from shared.web.rights import Rights, declared
from shared.web.words import words

MOST = 500
"""Items of a batch."""
COMMAS = 50_000
"""Commas that a batch may have outside its texts; of each item's body no more than of any body."""
PASSES = 8
"""How often what was refused is tried, at most: in a batch that stands upside down more may be left for the next."""
PORTION = 250
"""Items that share a durable write, at most: the embedded store makes others wait some 60 ms for it."""
REFUSED, AWAY = 409, 503

SAID = """Send many commands at once: each is judged and answered as if it had come alone. Whatever order they stand in,
and however often they come, the result is the same."""
RIGHTS = Rights(roles=get_args(Role), leader="any", parts=True)
Sort = Callable[[str, dict[str, Any]], Any]
"""Where an item belongs among the others, by its address under the competition and its body."""
Check = Callable[[str, dict[str, Any]], None]
"""Whether an item may be in a batch, by the same; raises a Refusal."""


log = structlog.get_logger("pailu.web")


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
        done = Batch(batch["items"], competition, sort, check).answers()
        counts: dict[str, int] = {}
        for each in done:
            counts[str(each.status)] = counts.get(str(each.status), 0) + 1
        response = flask.jsonify(DoneAllSchema().dump({"items": done, "counts": counts}))
        response.status_code = 207
        return response

    validated: Any = blueprint.arguments(BatchSchema())(done_all)

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


class Item(msgspec.Struct, frozen=True, kw_only=True):
    """An item: what it says, the address it stands for, and the command behind that with the parts of its path; None
    where it is no command of the batch's competition."""

    said: dict[str, Any]
    address: str
    rule: str = "-"
    view: CommandView | None = None
    path: Mapping[str, Any] = {}


class Done(msgspec.Struct, frozen=True, kw_only=True):
    """What an item was answered, and the seconds it took to decide."""

    key: str
    status: int
    body: Any
    position: str | None = None
    replayed: bool = False
    seconds: float = 0.0


class Batch:
    """The items of one request on their way to their answers."""

    def __init__(self, said: Sequence[dict[str, Any]], competition: str, sort: Sort, check: Check) -> None:
        self._items = [_item(each, competition) for each in said]
        self._order = sorted(range(len(said)), key=lambda n: sort(said[n]["to"], said[n]["body"]))
        self._check = check
        self._answers: dict[int, Done] = {}

    def answers(self) -> list[Done]:
        """Every item's, in the order in which they stand. Once the store is away nothing more is tried."""
        away = self._try_all()
        told = [self._answers.get(n, away) for n in range(len(self._items))]
        answers = [
            msgspec.structs.replace(done, key=item.said["key"])
            for done, item in zip(told, self._items, strict=True)
            if done is not None
        ]
        for done, item in zip(answers, self._items, strict=True):
            _note(done, item)
        return answers

    def _try_all(self) -> Done | None:
        """Try until nothing changes any more; the answer of a store that is away, which is that of all the rest."""
        waiting = self._order
        for _ in range(PASSES):
            for portion in self._portions(waiting):
                self._answers |= portion()
                away = next((done for done in self._answers.values() if done.status == AWAY), None)
                if away is not None:
                    return away
            refused = [n for n in waiting if self._answers[n].status == REFUSED]
            if not refused or len(refused) == len(waiting):
                break
            waiting = refused
        return None

    def _portions(self, waiting: Sequence[int]) -> Iterator[Callable[[], dict[int, Done]]]:
        """Pieces of work that answer these items in this order, those that may be stored in one go together."""
        for shares, run in itertools.groupby(waiting, lambda n: _shares(self._items[n])):
            while some := list(itertools.islice(run, PORTION)):
                work = functools.partial(self._each, some)
                yield functools.partial(service().engine.commands.together, work) if shares else work

    def _each(self, some: Sequence[int]) -> dict[int, Done]:
        told: dict[int, Done] = {}
        for n in some:
            told[n] = self._one(self._items[n])
            if told[n].status == AWAY:
                break
        return told

    def _one(self, item: Item) -> Done:
        """An item's answer: that of its own endpoint to a request of its own."""
        began, key = time.perf_counter(), item.said["key"]
        if item.view is None:
            return _problem(key, standard(404))
        asked = Asked(address=item.address, key=key, expected=item.said.get("if_match"))
        try:
            self._check(item.said["to"], item.said["body"])
            told = item.view.item(asked, item.said["body"], item.path)
        except ma.ValidationError as error:
            return _problem(key, invalid_problem(error.messages))
        except Exception as error:
            app = flask.current_app
            return _problem(key, app.make_response(app.handle_user_exception(error)))
        return Done(
            key=key,
            status=told.status,
            body=told.body,
            position=told.position,
            replayed=told.replayed,
            seconds=time.perf_counter() - began,
        )


def _item(said: dict[str, Any], competition: str) -> Item:
    """No address leads out of the competition, or to what is no command."""
    address = unquote(urlsplit(f"/competitions/{competition}/{said['to']}").path)
    try:
        rule, path = flask.current_app.url_map.bind("localhost").match(address, "POST", return_rule=True)
    except (HTTPException, RoutingException):
        return Item(said=said, address=address)
    view = command_view_of(flask.current_app.view_functions[rule.endpoint])
    if path.get("competition") != competition:
        view = None
    return Item(said=said, address=address, rule=rule.rule, view=view, path=path)


def _shares(item: Item) -> bool:
    return item.view is not None and item.view.shares


def _problem(key: str, response: flask.Response) -> Done:
    return Done(key=key, status=response.status_code, body=response.get_json())


def _note(done: Done, item: Item) -> None:
    """Each item is counted as a request is; what was not done is logged as one."""
    health.count(service().engine.service, "POST", item.rule, done.status, done.seconds)
    if done.status >= 400:
        log.info(
            "batch item",
            service=service().engine.service,
            path=item.address,
            status=done.status,
            actor=identity().sub,
            correlation=correlation(),
        )
