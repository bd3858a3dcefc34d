"""The blueprint of registration, and what its endpoints call."""

from __future__ import annotations

from typing import cast

import msgspec
from flask_smorest import Blueprint

from services.registration.access import Accesses, What
from services.registration.commands import Registration
from services.registration.credentials import Credentials
from services.registration.documents import Documents
from services.registration.eligibility import Eligibility
from services.registration.erasure import Erasures
from services.registration.imports import Imports
from services.registration.persons import Persons
from services.registration.programme import Lists
from shared.web.batches import batches
from shared.web.context import correlation, identity, service

blueprint = Blueprint("registration", __name__, description="Regulations, competitions and entries")
batches(blueprint)


class UseCases(msgspec.Struct, frozen=True):
    """What this api calls."""

    commands: Registration
    eligibility: Eligibility
    documents: Documents
    imports: Imports
    lists: Lists
    accesses: Accesses
    erasures: Erasures
    persons: Persons
    credentials: Credentials


def use() -> UseCases:
    """The use cases of the current app."""
    return cast(UseCases, service().use_cases)


def check_speaks_for(competition: str, team: str) -> None:
    """A leader's token must be for this team, by id or unit. Raises OtherTeam, NoSuchEntry."""
    identity().speaks_for(team, use().commands.unit_of(competition, team))


def note_access(competition: str, what: What, persons: int, *, team: str | None = None, document: str = "") -> None:
    """Record that the caller is about to be shown personal data; called before anything is answered."""
    who = identity()
    use().accesses.note(who.sub, who.role, correlation(), competition, what, persons, team=team, document=document)
