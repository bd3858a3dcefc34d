"""Liveness, readiness and metrics of a service."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import flask
from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector

from shared.eventsourcing.errors import KernelError
from shared.web.context import Service
from shared.web.rights import PUBLIC, guarded

_LABELS = ("service", "method", "rule", "status")
REGISTRY = CollectorRegistry()
REQUESTS = Counter("pailu_requests", "Requests answered", _LABELS, registry=REGISTRY)
SECONDS = Histogram("pailu_request_seconds", "Time to answer", ("service", "method", "rule"), registry=REGISTRY)


METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})


def count(service: str, method: str, rule: str, status: int, seconds: float) -> None:
    """Count one answered request. A method that nobody knows is "other": made-up ones would each be kept for ever."""
    method = method if method in METHODS else "other"
    REQUESTS.labels(service, method, rule, str(status)).inc()
    SECONDS.labels(service, method, rule).observe(seconds)


def state(service: Service) -> dict[str, Any]:
    """What is up, whichever process does the work: `ready` when the store answers and a generation is live. The event
    log may be down meanwhile: commands go on, and what was committed is published later; `log` says so, and how far
    the readers are is not known then."""
    engine = service.engine
    try:
        pointer, held = engine.projection.pointer(), engine.held()
        lag = {"relay": engine.relay.lag()}
    except KernelError as error:
        return {"service": engine.service, "ready": False, "store": str(error)}
    log = "up"
    try:
        lag["projection"] = engine.projection.lag()
        lag |= {policy.name: policy.lag() for policy in engine.policies}
    except KernelError as error:
        log = str(error)
    return {
        "service": engine.service,
        "ready": bool(pointer.live),
        "store": "up",
        "log": log,
        "generation": {"live": pointer.live, "building": pointer.building},
        "lag": lag,
        "held": len(held),
        "parked": sum(entry["parked"] for entry in held),
    }


def _policy_lag(found: dict[str, Any]) -> int | None:
    lags = [lag for part, lag in found["lag"].items() if part.startswith("policy.")]
    return sum(lags) if found["log"] == "up" else None


GAUGES: dict[str, tuple[str, Callable[[dict[str, Any]], int | None]]] = {
    "pailu_ready": ("1 while the store answers and a read model is live", lambda found: int(found["ready"])),
    "pailu_log_up": ("1 while the event log answers", lambda found: int(found["log"] == "up")),
    "pailu_relay_lag": ("Events committed and not yet published", lambda found: found["lag"]["relay"]),
    "pailu_projection_lag": ("Events the read model has still to fold", lambda found: found["lag"].get("projection")),
    "pailu_policy_lag": ("Events that policies have still to look at", _policy_lag),
    "pailu_held": ("Competitions with a held event", lambda found: found["held"]),
    "pailu_parked": ("Held competitions that wait for the operator", lambda found: found["parked"]),
}


class EngineCollector(Collector):
    """Lags and held events of these services, asked when metrics are read. A service whose store is down has its
    `pailu_ready` alone, one whose event log is down has no lag of readers."""

    def __init__(self, services: Iterable[Service]) -> None:
        self._services = tuple(services)

    def collect(self) -> Iterable[GaugeMetricFamily]:
        states = [state(service) for service in self._services]
        for gauge, (said, value) in GAUGES.items():
            family = GaugeMetricFamily(gauge, said, labels=["service"])
            for found in states:
                if (gauge == "pailu_ready" or "lag" in found) and (number := value(found)) is not None:
                    family.add_metric([found["service"]], number)
            yield family


def register(app: flask.Flask, service: Service) -> None:
    """Add /livez, /readyz and /metrics."""
    own = CollectorRegistry()
    own.register(EngineCollector([service]))

    @app.get("/livez")
    @guarded(PUBLIC)
    def livez() -> Any:
        return {"service": service.engine.service, "live": True}

    @app.get("/readyz")
    @guarded(PUBLIC)
    def readyz() -> Any:
        found = state(service)
        return found, 200 if found["ready"] else 503

    @app.get("/metrics")
    @guarded(PUBLIC)
    def metrics() -> flask.Response:
        return flask.Response(generate_latest(REGISTRY) + generate_latest(own), mimetype="text/plain; version=0.0.4")
