"""Match's wiring."""

from __future__ import annotations

import os

import flask

from services.match import policies
from services.match.api import UseCases, blueprint
from services.match.commands import Matches, RandomBytes
from services.match.projections import PROJECTION
from services.match.timers import confirmations
from shared.contracts.catalogue import EVENTS, UPCASTERS
from shared.eventsourcing.codec import Codec
from shared.eventsourcing.engine import Engine
from shared.eventsourcing.ports import Ports
from shared.privacy.secrets import Secrets
from shared.web import application
from shared.web.context import WAIT_SECONDS, Service
from shared.web.credentials import Revocations

NAME = "match"
TITLE = "Pailu match 牌录·比赛"


def create_service(
    ports: Ports,
    secrets: Secrets,
    token_secret: str,
    random_bytes: RandomBytes = os.urandom,
    wait_seconds: float = WAIT_SECONDS,
    revocations: Revocations | None = None,
) -> Service:
    """The service over its ports; nothing runs until its engine's steps are called."""
    seeds, rulings = policies.seeds(), policies.rulings()
    engine = Engine(NAME, ports, Codec(EVENTS, UPCASTERS), PROJECTION, [seeds, rulings])
    commands = Matches(engine, secrets, random_bytes)
    policies.commit_seeds(seeds, commands)
    policies.apply_rulings(rulings, commands)
    engine.add_timer(confirmations(engine.reader, commands))
    return Service(engine, UseCases(commands), token_secret, wait_seconds, revocations or Revocations(), commands.seat)


def create_app(service: Service) -> flask.Flask:
    """Its Flask app."""
    return application.build(service, TITLE, [blueprint])
