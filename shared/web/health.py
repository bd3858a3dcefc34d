"""Liveness, readiness and metrics of a service."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import flask
from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector

from shared.eventsourcing.errors import KernelError
from shared.web.context import Service

_LABELS = ("service", "method", "rule", "status")
REGISTRY = CollectorRegistry()
REQUESTS = Counter("pailu_requests", "Requests answered", _LABELS, registry=REGISTRY)
SECONDS = Histogram("pailu_request_seconds", "Time to answer", ("service", "method", "rule"), registry=REGISTRY)


def count(service: str, method: str, rule: str, status: int, seconds: float) -> None:
    """Count one answered request."""
    REQUESTS.labels(service, method, rule, str(status)).inc()
    SECONDS.labels(service, method, rule).observe(seconds)


def state(service: Service) -> dict[str, Any]:
    """What is up: `ready` when the store answers and a generation is live; what is held and parked beside it."""
    engine = service.engine
    try:
        pointer, held = engine.projection.pointer(), engine.held()
        lag = {"relay": engine.relay.lag(), "projection": engine.projection.lag}
    except KernelError as error:
        return {"service": engine.service, "ready": False, "store": str(error)}
    return {
        "service": engine.service,
        "ready": bool(pointer.live),
        "store": "up",
        "generation": {"live": pointer.live, "building": pointer.building},
        "lag": lag,
        "held": len(held),
        "parked": sum(entry["parked"] for entry in held),
    }


class EngineCollector(Collector):
    """Lags and held events, asked when metrics are read."""

    def __init__(self, service: Service) -> None:
        self._service = service

    def collect(self) -> Iterable[GaugeMetricFamily]:
        found = state(self._service)
        name = self._service.engine.service
        gauges = {"pailu_ready": int(found["ready"])}
        if "lag" in found:
            gauges |= {f"pailu_{part}_lag": value for part, value in found["lag"].items()}
            gauges |= {"pailu_held": found["held"], "pailu_parked": found["parked"]}
        for gauge, value in gauges.items():
            family = GaugeMetricFamily(gauge, gauge.replace("_", " "), labels=["service"])
            family.add_metric([name], value)
            yield family


def register(app: flask.Flask, service: Service) -> None:
    """Add /livez, /readyz and /metrics."""
    own = CollectorRegistry()
    own.register(EngineCollector(service))

    @app.get("/livez")
    def livez() -> Any:
        return {"service": service.engine.service, "live": True}

    @app.get("/readyz")
    def readyz() -> Any:
        found = state(service)
        return found, 200 if found["ready"] else 503

    @app.get("/metrics")
    def metrics() -> flask.Response:
        return flask.Response(generate_latest(REGISTRY) + generate_latest(own), mimetype="text/plain; version=0.0.4")
