"""Registration's wiring."""

from __future__ import annotations

import os
from collections.abc import Collection

import flask

from services.registration.access import Accesses
from services.registration.api import UseCases, blueprint
from services.registration.claims import Claims
from services.registration.commands import PLAYED, Registration
from services.registration.credentials import Credentials
from services.registration.documents import Documents
from services.registration.eligibility import Eligibility
from services.registration.erasure import Erasures
from services.registration.imports import Imports
from services.registration.persons import Persons, RandomBytes
from services.registration.programme import Lists
from services.registration.projections import PROJECTION
from shared.contracts.catalogue import EVENTS, UPCASTERS
from shared.eventsourcing.codec import Codec
from shared.eventsourcing.engine import Engine
from shared.eventsourcing.ports import Ports
from shared.privacy.secrets import Secrets
from shared.web import application
from shared.web.context import WAIT_SECONDS, Service
from shared.web.credentials import Revocations

NAME = "registration"
TITLE = "Pailu registration 牌录·报名"


def create_service(
    ports: Ports,
    secrets: Secrets,
    token_secret: str,
    random_bytes: RandomBytes = os.urandom,
    wait_seconds: float = WAIT_SECONDS,
    played: Collection[str] = PLAYED,
    revocations: Revocations | None = None,
) -> Service:
    """The service over its ports; nothing runs until its engine's steps are called. played: the formats that
    competitions can be held in."""
    engine = Engine(NAME, ports, Codec(EVENTS, UPCASTERS), PROJECTION)
    persons = Persons(secrets, random_bytes)
    claims = Claims(ports.documents, engine.commands)
    commands = Registration(engine, persons, claims, played)
    eligibility = Eligibility(engine, commands, persons, claims)
    documents = Documents(engine, eligibility, secrets, random_bytes)
    revocations = revocations or Revocations()
    credentials = Credentials(engine, token_secret, revocations)
    imports = Imports(engine, commands, persons, claims)
    lists = Lists(engine.reader, persons)
    accesses = Accesses(engine, ports, random_bytes)
    erasures = Erasures(engine, commands, persons, claims, secrets)
    cases = UseCases(commands, eligibility, documents, imports, lists, accesses, erasures, persons, credentials)
    return Service(engine, cases, token_secret, wait_seconds, revocations)


def create_app(service: Service) -> flask.Flask:
    """Its Flask app."""
    return application.build(service, TITLE, [blueprint])
