"""What an operator does to any service: rebuild its projection, look at held events, retry them."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import flask
import marshmallow as ma
from flask_smorest import Blueprint

from shared.contracts.refusal import NotFound
from shared.web.commands import EmptySchema
from shared.web.context import service
from shared.web.openapi import problem_response, who
from shared.web.reads import Found, read
from shared.web.rights import Rights, guarded

OPERATOR = Rights(roles=("operator",))


class GenerationSchema(ma.Schema):
    """A generation of the service's projection."""

    generation = ma.fields.Integer(required=True)
    state = ma.fields.String(required=True, metadata={"description": "live, building or retired"})
    rows = ma.fields.Integer(required=True)
    digest = ma.fields.String(required=True, metadata={"description": "SHA-256 over all rows' canonical bytes"})


class ProjectionSchema(ma.Schema):
    """The service's projection and its generations."""

    projection = ma.fields.String(required=True)
    version = ma.fields.Integer(required=True)
    lag = ma.fields.Integer(required=True)
    generations = ma.fields.List(ma.fields.Nested(GenerationSchema), required=True)


class RebuildSchema(ma.Schema):
    """A rebuild under way."""

    generation = ma.fields.Integer(required=True)


class HeldSchema(ma.Schema):
    """A competition whose events are held because one could not be handled."""

    consumer = ma.fields.String(required=True)
    competition = ma.fields.String(required=True)
    first = ma.fields.String(required=True, metadata={"description": "the event that failed"})
    error = ma.fields.String(required=True)
    tries = ma.fields.Integer(required=True)
    parked = ma.fields.Boolean(required=True)


class HeldListSchema(ma.Schema):
    """All that the service holds."""

    items = ma.fields.List(ma.fields.Nested(HeldSchema), required=True)


class NothingHeld(
    NotFound,
    zh=("没有搁置的事件", "赛事 {competition} 没有搁置的事件。"),
    en=("Nothing held", "No events of competition {competition} are held."),
):
    """A retry was asked for a competition of which nothing is held."""


@cache
def blueprint() -> Blueprint:
    """The operator's endpoints, for any app."""
    operator = Blueprint("operations", __name__, description="Projections and held events")

    @read(operator, "/projection", ProjectionSchema, roles=("operator", "auditor"))
    def projection(_query: dict[str, Any]) -> Found:
        """The projection's generations with their digests."""
        runner = service().engine.projection
        pointer = runner.pointer()
        states = {"live": pointer.live, "building": pointer.building, "retired": pointer.retired}
        generations = []
        for state, generation in states.items():
            if generation:
                digest, rows = runner.digest(generation)
                generations.append({"generation": generation, "state": state, "rows": rows, "digest": digest})
        known = runner.projection
        body = {"projection": known.name, "version": known.version, "lag": runner.lag(), "generations": generations}
        return Found(body)

    @operator.route("/projection/rebuilds", methods=["POST"])
    @_operators_only(operator)
    @operator.response(202, RebuildSchema)
    @guarded(OPERATOR)
    @operator.arguments(EmptySchema)
    def rebuild(_body: dict[str, Any]) -> Any:
        """Build the projection anew from the log, beside the live one, and swap it in."""
        return {"generation": service().engine.projection.rebuild()}

    @read(operator, "/held", HeldListSchema, roles=("operator", "auditor"))
    def held(_query: dict[str, Any]) -> Found:
        """Events that could not be handled, by consumer and competition."""
        return Found({"items": service().engine.held()})

    @operator.route("/held/<competition>/retries", methods=["POST"])
    @_operators_only(operator)
    @operator.response(202)
    @guarded(OPERATOR)
    @operator.arguments(EmptySchema)
    def retry(_body: dict[str, Any], competition: str) -> Any:
        """Try a competition's held events again at the next step."""
        if not service().engine.retry(competition):
            raise NothingHeld(competition=competition)
        return flask.Response(status=202)

    return operator


def _operators_only(operator: Blueprint) -> Callable[[Any], Any]:
    """Document that an endpoint needs a token, and the problems it may answer."""

    def documented(view: Any) -> Any:
        for code in (400, 401, 403, 404, 422, 500, 503):
            view = problem_response(operator, code)(view)
        return operator.doc(security=[{"bearer": []}], description=who(OPERATOR))(view)

    return documented
