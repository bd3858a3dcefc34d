"""The blueprint of appeals, and what its endpoints have in common."""

from __future__ import annotations

from typing import Any, cast

import msgspec
from flask_smorest import Blueprint

from services.appeals import refusals as refuse
from services.appeals.commands import DESK, Appeals, Said
from services.appeals.exhibits import Exhibits
from shared.contracts.appeals import CommitteeMember
from shared.contracts.fact import Remedy
from shared.web.batches import batches
from shared.web.context import identity, service

blueprint = Blueprint("appeals", __name__, description="Appeals, deposits, deadlines")
batches(blueprint)

BASE = "/competitions/<competition>"
APPEAL = BASE + "/appeals/<appeal>"


class UseCases(msgspec.Struct, frozen=True):
    """What this api calls."""

    desk: Appeals
    exhibits: Exhibits


def desk() -> Appeals:
    """The desk of the current app."""
    return cast(UseCases, service().use_cases).desk


def exhibits() -> Exhibits:
    """The evidence of the current app."""
    return cast(UseCases, service().use_cases).exhibits


def own_names(competition: str, body: dict[str, Any]) -> tuple[str, ...]:
    """The names of the team that is spoken for: a leader's by the token, or of its teams the one in the body, for the
    desk the one in the body. Raises TeamNeeded, OtherTeam."""
    who, named = identity(), body.get("team")
    if who.role == DESK:
        if named is None:
            raise refuse.TeamNeeded("/team")
        return (named,)
    if named is not None and named != who.team:
        who.speaks_for(*desk().records.names(competition, named))
        return (named,)
    return (who.team,) if who.team else ()


def check_speaks_for(competition: str, appeal: str) -> None:
    """A leader's token must be for the appealing team, by id or unit. Raises OtherTeam, NoSuchAppeal."""
    identity().speaks_for(*desk().names_of(competition, appeal))


def said(body: dict[str, Any]) -> Said:
    """When, to whom and why, of what the desk enters from paper."""
    return Said(received_at=body.get("received_at"), officer=body.get("officer", ""), reason=body["reason"])


def remedy_of(body: dict[str, Any]) -> Remedy:
    """The remedy of a body."""
    given = dict(body)
    if given.get("facts"):
        facts = dict(given["facts"])
        if levels := facts["levels"]:
            facts["levels"] = {"13": levels["north"], "24": levels["east"]}
        given["facts"] = facts
    return msgspec.convert(given, Remedy)


def members_of(body: dict[str, Any]) -> tuple[CommitteeMember, ...]:
    """Who sat, of a body."""
    return tuple(CommitteeMember(**member) for member in body["members"])
