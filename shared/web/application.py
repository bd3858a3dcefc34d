"""One Flask app per service, built from its wiring."""

from __future__ import annotations

import re
import threading
import time
import uuid
from collections.abc import Sequence
from typing import Any, cast

import flask
import structlog
from flask_smorest import Api, Blueprint
from swagger_ui_bundle import swagger_ui_path

from shared.web import health, operations, problems
from shared.web.commands import IfMatchNeeded, KeyMissing, NotThereYet
from shared.web.context import CORRELATION, EXTENSION, Service
from shared.web.identity import TokenNeeded, TokenRevoked
from shared.web.listening import TooManyStreams
from shared.web.rights import declare_public

LARGEST_BODY = 1 << 20
_CORRELATION_FORM = re.compile(r"[A-Za-z0-9._-]{1,100}")

HOW = """\
`pailu token --role organiser --name wang` prints a token; give it to **Authorize**. Reading what is public needs none.
Every command (POST) needs an `Idempotency-Key`: a new text for a new command, the same one when it is sent again.
A read may come before its command is in the tables: pass the answer's `Pailu-Position` to it and it waits.
Messages come in Chinese or English by `Accept-Language`; `errors` names each wrong field.

Order of a competition: announce · open entries (the draw's seed is committed then, if not before) ·
enter teams · close entries · draw · then each round: pair, enter hands and penalties, call time, close the matches,
close the round · appeals · propose the places, and another person declares them.

用 `pailu token --role organiser --name wang` 签发令牌，填入 **Authorize**；查询公开内容无需令牌。
每个命令（POST）都要带 `Idempotency-Key`：新命令用新键，重发时用同一个键。
刚提交的内容可能尚未进入查询结果：把应答头 `Pailu-Position` 带到查询中，查询会等到它生效。
提示按 `Accept-Language` 用中文或英文，`errors` 逐项指出有误的字段。

赛事的顺序：公布赛事 · 开放报名（此时承诺抽签种子，也可先行承诺） · 报名 · 截止报名 · 抽签 ·
每轮：编排、录入各副牌与处罚、宣布时间到、结束各场、结束本轮 · 申诉 · 提出名次，由另一人公布。
"""

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
            "info": {"description": HOW},
            "components": {"securitySchemes": {"bearer": {"type": "http", "scheme": "bearer", "bearerFormat": "JWT"}}},
        },
    )
    app.extensions[EXTENSION] = service
    cast(Any, app.json).ensure_ascii = False
    cast(Any, app.json).sort_keys = False
    api = PailuApi(app)
    for blueprint in [*blueprints, operations.blueprint()]:
        api.register_blueprint(blueprint)
    health.register(app, service)
    declare_public(app, lambda name: name == "static" or name.startswith("api-docs."))
    problems.register(app)
    app.register_error_handler(TokenNeeded, lambda _: problems.standard(401))
    app.register_error_handler(TokenRevoked, lambda _: problems.token_revoked())
    app.register_error_handler(KeyMissing, lambda _: problems.key_missing())
    app.register_error_handler(IfMatchNeeded, lambda _: problems.if_match_needed())
    app.register_error_handler(NotThereYet, lambda _: problems.not_there_yet())
    app.register_error_handler(TooManyStreams, lambda _: problems.too_many_streams())
    _observe(app, service)
    return app


class PailuApi(Api):
    """flask-smorest's Api with our problem schema and no catch-all response, so that every status is written down.

    The document is written when it is first asked for: that takes longer than all else in an app's making, and most
    apps are never asked."""

    ERROR_SCHEMA = problems.ProblemSchema
    DEFAULT_ERROR_RESPONSE_NAME = None

    def __init__(self, app: flask.Flask) -> None:
        self._app = app
        self._unwritten: list[Blueprint] = []
        self._writing = threading.Lock()
        super().__init__(app)

    def register_blueprint(self, blp: Blueprint, **options: Any) -> None:
        self._app.extensions["flask-smorest"]["blp_name_to_api"][blp.name] = self
        self._app.register_blueprint(blp, **options)
        self._unwritten.append(blp)

    def handle_http_exception(self, error: Any) -> Any:
        return problems.http_problem(error)

    def _register_responses(self) -> None:
        """Of all statuses, which is done as the document is written."""

    def _openapi_json(self) -> flask.Response:
        with self._writing:
            if self._unwritten:
                self._write()
        return super()._openapi_json()

    def _write(self) -> None:
        super()._register_responses()
        for blueprint in self._unwritten:
            blueprint.register_views_in_doc(self, self._app, self.spec, name=blueprint.name, parameters=None)
            self.spec.tag({"name": blueprint.name, "description": blueprint.description})
        self._unwritten.clear()
        self._describe_schemas()

    def _describe_schemas(self) -> None:
        """Each schema's docstring into the document: what a field means is often said there."""
        schemas = self.spec.components.schemas
        schemas.pop("PaginationMetadata", None)  # flask-smorest's own paging, which is not ours
        for key, name in self.ma_plugin.converter.refs.items():  # a key begins with the schema's class
            said = key[0].__dict__.get("__doc__")
            if said and name in schemas:
                schemas[name]["description"] = " ".join(said.split())


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
