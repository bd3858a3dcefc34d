"""One Flask app per service, built from its wiring."""

from __future__ import annotations

import re
import time
import uuid
from collections.abc import Sequence
from typing import Any, cast

import flask
import structlog
from flask_smorest import Api, Blueprint
from swagger_ui_bundle import swagger_ui_path

from shared.web import health, operations, problems
from shared.web.commands import KeyMissing, NotThereYet
from shared.web.context import EXTENSION, Service
from shared.web.identity import TokenNeeded

LARGEST_BODY = 1 << 20
CORRELATION = "X-Correlation-ID"
_CORRELATION_FORM = re.compile(r"[A-Za-z0-9._-]{1,100}")

log = structlog.get_logger("pailu.web")


def build(service: Service, title: str, blueprints: Sequence[Blueprint]) -> flask.Flask:
    """The app of a service: its blueprints, errors as problems, OpenAPI with a page at /docs, health and metrics.

    It starts nothing: whoever calls it runs the engine's steps."""
    app = flask.Flask(service.engine.service, static_folder=str(swagger_ui_path), static_url_path="/docs/assets")
    app.config.update(
        MAX_CONTENT_LENGTH=LARGEST_BODY,
        API_TITLE=title,
        API_VERSION="v1",
        OPENAPI_VERSION="3.0.3",
        OPENAPI_URL_PREFIX="/",
        OPENAPI_SWAGGER_UI_PATH="/docs",
        OPENAPI_SWAGGER_UI_URL="docs/assets/",
        API_SPEC_OPTIONS={
            "components": {"securitySchemes": {"bearer": {"type": "http", "scheme": "bearer", "bearerFormat": "JWT"}}}
        },
    )
    app.extensions[EXTENSION] = service
    cast(Any, app.json).ensure_ascii = False
    cast(Any, app.json).sort_keys = False
    api = PailuApi(app)
    for blueprint in blueprints:
        api.register_blueprint(blueprint)
    api.register_blueprint(operations.blueprint())
    health.register(app, service)
    problems.register(app)
    app.register_error_handler(TokenNeeded, lambda _: problems.standard(401))
    app.register_error_handler(KeyMissing, lambda _: problems.key_missing())
    app.register_error_handler(NotThereYet, lambda _: problems.not_there_yet())
    _observe(app, service)
    return app


class PailuApi(Api):
    """flask-smorest's Api with our problem schema and no catch-all response, so that every status is written down."""

    ERROR_SCHEMA = problems.ProblemSchema
    DEFAULT_ERROR_RESPONSE_NAME = None

    def handle_http_exception(self, error: Any) -> Any:
        return problems.http_problem(error)


def _observe(app: flask.Flask, service: Service) -> None:
    """Correlation ids, one log line and one metric per request."""

    @app.before_request
    def begin() -> None:
        given = flask.request.headers.get(CORRELATION, "")
        flask.g.correlation = given if _CORRELATION_FORM.fullmatch(given) else uuid.uuid4().hex
        flask.g.began = time.perf_counter()

    @app.after_request
    def end(response: flask.Response) -> flask.Response:
        response.headers[CORRELATION] = flask.g.correlation
        response.headers["X-Content-Type-Options"] = "nosniff"
        seconds = time.perf_counter() - flask.g.began
        rule = flask.request.url_rule.rule if flask.request.url_rule else "-"
        health.count(service.engine.service, flask.request.method, rule, response.status_code, seconds)
        who = flask.g.get("identity")
        log.info(
            "request",
            service=service.engine.service,
            method=flask.request.method,
            path=flask.request.path,
            status=response.status_code,
            ms=round(seconds * 1000, 1),
            actor=who.sub if who else None,
            correlation=flask.g.correlation,
        )
        return response
