"""Entries over HTTP."""

from __future__ import annotations

from typing import Any, get_args

import marshmallow as ma
import msgspec

from services.registration import refusals as refuse
from services.registration.api.base import blueprint, check_speaks_for, note_access, use
from services.registration.api.fields import Flag, Name, ReasonSchema
from services.registration.forms import PERSONAL, MemberForm, Part, team_id, tidy
from services.registration.projections import competitions, entries, entry_key
from shared.contracts.registration import Member
from shared.eventsourcing.handling import Command, Outcome
from shared.rules.entries import Standing
from shared.rules.regulations.eligibility import UnitKind
from shared.web.commands import command
from shared.web.context import identity, service
from shared.web.reads import Found, PageQuery, after, page, paged, plain, read
from shared.web.words import in_calendar, words

TEAMS = 99
"""Of one unit, at most."""


class MemberSchema(ma.Schema):
    """A person of the team; what is left out is not said, and is for a person to confirm where the regulation asks.
    All but `part`, `event`, `pair` and `substitute` is stored encrypted with a key of the person's own."""

    part = ma.fields.String(required=True, validate=ma.validate.OneOf(get_args(Part)))
    name = ma.fields.String(required=True, validate=Name)
    born = ma.fields.Date(allow_none=True, validate=in_calendar)
    identity_number = ma.fields.String(allow_none=True, validate=words(30))
    phone = ma.fields.String(allow_none=True, validate=words(30))
    sex = ma.fields.String(allow_none=True, validate=ma.validate.OneOf(["male", "female"]))
    resident = Flag(allow_none=True, metadata={"description": "household (户籍) in the regulation's district"})
    works_here = Flag(allow_none=True, metadata={"description": "work place in the regulation's district"})
    insured_since = ma.fields.Date(allow_none=True, validate=in_calendar)
    contract_since = ma.fields.Date(allow_none=True, validate=in_calendar)
    standing = ma.fields.String(allow_none=True, validate=ma.validate.OneOf(get_args(Standing)))
    union_member = Flag(allow_none=True)
    healthy = Flag(
        allow_none=True, metadata={"description": "found, or says to be, in good health, as the regulation asks"}
    )
    personnel_unit = ma.fields.String(
        allow_none=True, validate=Name, metadata={"description": "under double leadership: 人事隶属关系单位"}
    )
    event = ma.fields.String(validate=words(30), metadata={"description": "of the team's events, where it has several"})
    pair = ma.fields.Integer(strict=True, allow_none=True, validate=ma.validate.Range(1, 9))
    substitute = Flag()


class EntryChangeSchema(ma.Schema):
    """A team's entry form, without its unit."""

    name = ma.fields.String(required=True, validate=Name)
    members = ma.fields.List(ma.fields.Nested(MemberSchema), required=True, validate=ma.validate.Length(max=20))
    unit_kind = ma.fields.String(allow_none=True, validate=ma.validate.OneOf(get_args(UnitKind)))
    retirees = ma.fields.Integer(strict=True, allow_none=True, validate=ma.validate.Range(0, 1_000_000))


class EntrySchema(EntryChangeSchema):
    """A team's entry form. `number` says which of its unit's teams it is."""

    unit = ma.fields.String(required=True, validate=Name)
    number = ma.fields.Integer(strict=True, load_default=1, validate=ma.validate.Range(1, TEAMS))


class TeamSchema(ma.Schema):
    """An entry as everyone may see it."""

    team = ma.fields.String(required=True)
    name = ma.fields.String(required=True)
    unit = ma.fields.String(required=True)
    status = ma.fields.String(required=True)
    submitted_at = ma.fields.String(required=True)
    number = ma.fields.Integer(required=True)


class PersonSchema(ma.Schema):
    """A member in the clear; what is personal is null once the person was erased, or where it was not said."""

    person = ma.fields.String(required=True)
    part = ma.fields.String(required=True)
    event = ma.fields.String(required=True)
    pair = ma.fields.Integer(required=True, allow_none=True)
    substitute = ma.fields.Boolean(required=True)
    name = ma.fields.String(required=True, allow_none=True)
    born = ma.fields.String(required=True, allow_none=True)
    identity_number = ma.fields.String(required=True, allow_none=True)
    phone = ma.fields.String(required=True, allow_none=True)
    sex = ma.fields.String(required=True, allow_none=True)
    resident = ma.fields.Boolean(required=True, allow_none=True)
    works_here = ma.fields.Boolean(required=True, allow_none=True)
    insured_since = ma.fields.String(required=True, allow_none=True)
    contract_since = ma.fields.String(required=True, allow_none=True)
    standing = ma.fields.String(required=True, allow_none=True)
    union_member = ma.fields.Boolean(required=True, allow_none=True)
    healthy = ma.fields.Boolean(required=True, allow_none=True)
    personnel_unit = ma.fields.String(required=True, allow_none=True)


class EntryDetailSchema(TeamSchema):
    """An entry with its members, for the organiser and the team's own leader."""

    members = ma.fields.List(ma.fields.Nested(PersonSchema), required=True)
    changes = ma.fields.Integer(required=True)
    unit_kind = ma.fields.String(required=True)
    retirees = ma.fields.Integer(required=True, allow_none=True)


# Entries


@command(blueprint, "/competitions/<competition>/entries", EntrySchema, roles=("organiser", "leader"))
def submit(command: Command, body: dict[str, Any], competition: str) -> Outcome:
    """Enter a unit's team. A leader's token is for the unit."""
    unit, number = body["unit"], body["number"]
    identity().speaks_for(unit, tidy(unit), team_id(unit, number))
    return use().commands.submit(
        command, competition, unit, body["name"], _members(body), number=number, **_of_unit(body)
    )


@command(
    blueprint, "/competitions/<competition>/entries/<team>/changes", EntryChangeSchema, roles=("organiser", "leader")
)
def change(command: Command, body: dict[str, Any], competition: str, team: str) -> Outcome:
    """Replace a team's entry while entries are open."""
    check_speaks_for(competition, team)
    return use().commands.change(command, competition, team, body["name"], _members(body), **_of_unit(body))


@command(
    blueprint, "/competitions/<competition>/entries/<team>/withdrawals", ReasonSchema, roles=("organiser", "leader")
)
def withdraw(command: Command, body: dict[str, Any], competition: str, team: str) -> Outcome:
    """Take a team's entry back while entries are open."""
    check_speaks_for(competition, team)
    return use().commands.withdraw(command, competition, team, body["reason"])


@read(blueprint, "/competitions/<competition>/entries", paged(TeamSchema), PageQuery)
def list_entries(query: dict[str, Any], competition: str) -> Found:
    """The teams entered, by id."""
    reader = service().engine.reader
    if reader.get(competitions, competition) is None:
        raise refuse.NoSuchCompetition(competition=competition)
    rows = reader.find(entries, {"competition": competition}, "team", after(query), query["limit"] + 1)
    return Found(page([plain(row) for row in rows], query, lambda row: str(row["team"])))


@read(
    blueprint, "/competitions/<competition>/entries/<team>", EntryDetailSchema, roles=("organiser", "leader", "auditor")
)
def show_entry(_query: dict[str, Any], competition: str, team: str) -> Found:
    """A team's entry with its members, for the organiser and its own leader. Its ETag is the stream's version."""
    row = service().engine.reader.get(entries, entry_key(competition, team))
    if row is None:
        raise refuse.NoSuchEntry(competition=competition, team=team)
    identity().speaks_for(row.unit, row.team)
    note_access(competition, "entry", len(row.members), team=team)
    members = msgspec.convert(row.members, list[Member])
    shown = [_person(*both) for both in zip(members, use().persons.read(members), strict=True)]
    return Found({**plain(row), "members": shown}, row.version)


def _members(body: dict[str, Any]) -> list[MemberForm]:
    return [MemberForm(**member) for member in body["members"]]


def _of_unit(body: dict[str, Any]) -> dict[str, Any]:
    return {name: body.get(name) for name in ("unit_kind", "retirees")}


def _person(member: Member, form: MemberForm | None) -> dict[str, Any]:
    shown: dict[str, Any] = msgspec.to_builtins(member)
    del shown["sealed"]
    said = {} if form is None else msgspec.to_builtins(form)
    return shown | {name: said.get(name) for name in PERSONAL}
