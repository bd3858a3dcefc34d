"""All services behind one address: each under its name, and a page at / that leads to them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any, cast

import flask
from prometheus_client import CollectorRegistry, generate_latest
from werkzeug.middleware.dispatcher import DispatcherMiddleware

from deploy.names import NAMES
from shared.web import health, problems
from shared.web.context import Service
from shared.web.rights import PUBLIC, declare_public, guarded


def wsgi(services: Mapping[str, Service], apps: Mapping[str, flask.Flask], command: str) -> Any:
    """One WSGI application of all; `command` is how `pailu` is called here, for the page to show."""
    for name, app in apps.items():
        _mounted(app, f"/{name}")
    return DispatcherMiddleware(
        cast(Any, front(services, command)), {f"/{name}": cast(Any, app) for name, app in apps.items()}
    )


def _mounted(app: flask.Flask, path: str) -> None:
    """Write into the app's OpenAPI document where it answers, for clients and the page's own requests."""
    app.extensions["flask-smorest"]["apis"][""]["ext_obj"].spec.options["servers"] = [{"url": path}]


def behind(proxies: Collection[str], app: Callable[..., Any]) -> Callable[..., Any]:
    """The application, which takes the word of these proxies, and of nobody else, for who a client is: the last address
    that X-Forwarded-For names, which is the one that the proxy saw."""

    def asked(environ: dict[str, Any], start_response: Any) -> Any:
        named = environ.get("HTTP_X_FORWARDED_FOR", "").rpartition(",")[2].strip()
        if named and environ.get("REMOTE_ADDR") in proxies:
            environ = environ | {"REMOTE_ADDR": named}
        return app(environ, start_response)

    return asked


def ready(services: Mapping[str, Service]) -> tuple[bool, dict[str, Any]]:
    """Whether every service is ready, and the state of each."""
    states = {name: health.state(service) for name, service in services.items()}
    return all(state["ready"] for state in states.values()), states


def front(services: Mapping[str, Service], command: str) -> flask.Flask:
    """The app at /: the page, and the health of all services together."""
    app = flask.Flask("deploy.front", template_folder="pages")
    cast(Any, app.json).ensure_ascii = False
    cast(Any, app.json).sort_keys = False
    problems.register(app)
    metrics_of_engines = CollectorRegistry()
    metrics_of_engines.register(health.EngineCollector(services.values()))

    @app.get("/")
    @guarded(PUBLIC)
    def page() -> str:
        shown = {name: NAMES[name] for name in services}
        return flask.render_template("front.html", services=shown, command=command)

    @app.get("/livez")
    @guarded(PUBLIC)
    def livez() -> Any:
        return {"live": True}

    @app.get("/readyz")
    @guarded(PUBLIC)
    def readyz() -> Any:
        is_ready, states = ready(services)
        return {"ready": is_ready, "services": states}, 200 if is_ready else 503

    @app.get("/metrics")
    @guarded(PUBLIC)
    def metrics() -> flask.Response:
        body = generate_latest(health.REGISTRY) + generate_latest(metrics_of_engines)
        return flask.Response(body, mimetype="text/plain; version=0.0.4")

    @app.get("/favicon.ico")
    @guarded(PUBLIC)
    def no_icon() -> flask.Response:
        return flask.Response(status=204)

    declare_public(app, lambda name: name == "static")
    return app
