"""Ranking's wiring."""

from __future__ import annotations

import flask

from services.ranking.api import blueprint
from services.ranking.moments import Ranking
from services.ranking.projections import PROJECTION
from shared.contracts.catalogue import EVENTS, UPCASTERS
from shared.eventsourcing.codec import Codec
from shared.eventsourcing.engine import Engine
from shared.eventsourcing.ports import Ports
from shared.web import application
from shared.web.context import WAIT_SECONDS, Service
from shared.web.credentials import Revocations

NAME = "ranking"
TITLE = "Pailu ranking 牌录·名次"


def create_service(
    ports: Ports,
    token_secret: str,
    wait_seconds: float = WAIT_SECONDS,
    revocations: Revocations | None = None,
) -> Service:
    """The service over its ports; nothing runs until its engine's steps are called. Its relay has nothing to do."""
    codec = Codec(EVENTS, UPCASTERS)
    engine = Engine(NAME, ports, codec, PROJECTION)
    return Service(
        engine, Ranking(engine.reader, codec, ports.clock), token_secret, wait_seconds, revocations or Revocations()
    )


def create_app(service: Service) -> flask.Flask:
    """Its Flask app."""
    return application.build(service, TITLE, [blueprint])
