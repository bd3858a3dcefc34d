"""The appeals desk's wiring."""

from __future__ import annotations

import os

import flask

from services.appeals import policies
from services.appeals.api import UseCases, blueprint
from services.appeals.commands import Appeals
from services.appeals.exhibits import Exhibits, RandomBytes
from services.appeals.projections import PROJECTION
from services.appeals.timers import deadlines
from shared.contracts.catalogue import EVENTS, UPCASTERS
from shared.eventsourcing.codec import Codec
from shared.eventsourcing.engine import Engine
from shared.eventsourcing.policy import Policy
from shared.eventsourcing.ports import Ports
from shared.privacy.secrets import Secrets
from shared.web import application
from shared.web.context import WAIT_SECONDS, Service
from shared.web.credentials import Revocations

NAME = "appeals"
TITLE = "Pailu appeals 牌录·申诉"


def create_service(
    ports: Ports,
    secrets: Secrets,
    token_secret: str,
    random_bytes: RandomBytes = os.urandom,
    wait_seconds: float = WAIT_SECONDS,
    revocations: Revocations | None = None,
) -> Service:
    """The service over its ports; nothing runs until its engine's steps are called."""
    lodging, deposits = Policy(policies.LODGING, [NAME]), Policy(policies.DEPOSITS, [NAME])
    codec = Codec(EVENTS, UPCASTERS)
    engine = Engine(NAME, ports, codec, PROJECTION, [lodging, deposits])
    desk = Appeals(engine, codec)
    policies.lodge_when_complete(lodging, desk)
    policies.settle_when_ended(deposits, desk)
    engine.add_timer(deadlines(engine.reader, desk))
    exhibits = Exhibits(engine, desk, secrets, random_bytes)
    return Service(engine, UseCases(desk, exhibits), token_secret, wait_seconds, revocations or Revocations())


def create_app(service: Service) -> flask.Flask:
    """Its Flask app."""
    return application.build(service, TITLE, [blueprint])
