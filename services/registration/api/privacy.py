"""Persons over HTTP: what everyone may see of them, who looked, and their erasure."""

from __future__ import annotations

from typing import Any

import marshmallow as ma
import msgspec

from services.registration import refusals as refuse
from services.registration.api.base import blueprint, use
from services.registration.api.fields import ReasonSchema
from services.registration.forms import MemberForm
from services.registration.projections import EntryRow, accesses, competitions, entries
from shared.contracts.registration import Member
from shared.eventsourcing.handling import Command, Outcome
from shared.web.commands import command
from shared.web.context import service
from shared.web.reads import Found, PageQuery, after, page, paged, plain, read

_PERSON = "/competitions/<competition>/persons/<person>"


class NamesSchema(ma.Schema):
    """What public pages show of players' names: none, masked (the first character), or full."""

    names = ma.fields.String(required=True, validate=ma.validate.OneOf(["none", "masked", "full"]))


class PublicPlayerSchema(ma.Schema):
    """A player as the organiser lets everyone see it; null where names are not shown, or the person was erased."""

    name = ma.fields.String(required=True, allow_none=True)
    event = ma.fields.String(required=True)
    pair = ma.fields.Integer(required=True, allow_none=True)
    substitute = ma.fields.Boolean(required=True)


class PublicTeamSchema(ma.Schema):
    """A team with its players as everyone may see them."""

    team = ma.fields.String(required=True)
    name = ma.fields.String(required=True)
    unit = ma.fields.String(required=True)
    players = ma.fields.List(ma.fields.Nested(PublicPlayerSchema), required=True)


class AccessSchema(ma.Schema):
    """An access to personal data."""

    by = ma.fields.String(required=True)
    role = ma.fields.String(required=True)
    at = ma.fields.String(required=True)
    what = ma.fields.String(required=True, metadata={"description": "entry, checks, file, list or programme"})
    team = ma.fields.String(required=True, allow_none=True)
    document = ma.fields.String(required=True)
    persons = ma.fields.Integer(required=True)


@command(blueprint, "/competitions/<competition>/name-settings", NamesSchema, roles=("organiser",))
def publish_names(command: Command, body: dict[str, Any], competition: str) -> Outcome:
    """Set what public pages show of players' names. At first they show none."""
    return use().commands.publish_names(command, competition, body["names"])


@read(blueprint, "/competitions/<competition>/players", paged(PublicTeamSchema), PageQuery)
def list_players(query: dict[str, Any], competition: str) -> Found:
    """The teams with their players, as far as the organiser shows them."""
    reader = service().engine.reader
    row = reader.get(competitions, competition)
    if row is None:
        raise refuse.NoSuchCompetition(competition=competition)
    rows = reader.find(entries, {"competition": competition}, "team", after(query), query["limit"] + 1)
    answer = page(rows, query, lambda each: str(each.team))
    standing = [each for each in answer["items"] if each.status == "entered"]
    return Found({**answer, "items": [_public(each, row.names) for each in standing]})


@read(blueprint, "/competitions/<competition>/accesses", paged(AccessSchema), PageQuery, roles=("organiser", "auditor"))
def list_accesses(query: dict[str, Any], competition: str) -> Found:
    """Who was shown personal data, in order."""
    reader = service().engine.reader
    rows = reader.find(accesses, {"competition": competition}, "order", after(query), query["limit"] + 1)
    return Found(page([plain(row) for row in rows], query, lambda row: str(row["order"])))


@command(blueprint, f"{_PERSON}/erasures", ReasonSchema, roles=("organiser",))
def request_erasure(command: Command, body: dict[str, Any], competition: str, person: str) -> Outcome:
    """Enter that a person is to be erased; another must confirm it."""
    return use().erasures.request(command, competition, person, body["reason"])


@command(blueprint, f"{_PERSON}/erasures/confirmations", roles=("organiser",))
def confirm_erasure(command: Command, _body: dict[str, Any], competition: str, person: str) -> Outcome:
    """Erase a person, another having asked for it. It cannot be undone; results and places stay."""
    return use().erasures.confirm(command, competition, person)


def _public(row: EntryRow, names: str) -> dict[str, Any]:
    members = [msgspec.convert(member, Member) for member in row.members if member["part"] == "player"]
    forms: list[MemberForm | None] = [None] * len(members)
    if names != "none":
        forms = use().persons.read(members)
    players = [
        {"name": _shown(form, names), "event": member.event, "pair": member.pair, "substitute": member.substitute}
        for member, form in zip(members, forms, strict=True)
    ]
    return {"team": row.team, "name": row.name, "unit": row.unit, "players": players}


def _shown(form: MemberForm | None, names: str) -> str | None:
    if form is None:
        return None
    return form.name if names == "full" else f"{form.name[:1]}＊"
