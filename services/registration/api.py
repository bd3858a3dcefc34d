"""Registration over HTTP: shapes in and out, no rules."""

from __future__ import annotations

from datetime import date
from typing import Any, cast

import marshmallow as ma
import msgspec
from flask_smorest import Blueprint

from services.registration import refusals as refuse
from services.registration.commands import MemberForm, Registration, is_played, team_id, tidy
from services.registration.projections import competitions, entries, entry_key
from shared.eventsourcing.handling import Command, Outcome
from shared.privacy.sealing import unseal
from shared.privacy.secrets import Secrets
from shared.rules import regulations
from shared.rules.regulations import describe
from shared.web.commands import command
from shared.web.context import identity, service
from shared.web.problems import BOTH
from shared.web.reads import Found, PageQuery, after, page, paged, plain, read
from shared.web.words import lines, words

blueprint = Blueprint("registration", __name__, description="Regulations, competitions and entries")

Name = words(100)
Reason = lines(500)


def in_calendar(value: date) -> None:
    """A year that a competition may be held, or a person born, in."""
    if not 1900 <= value.year <= 2999:
        raise ma.ValidationError(f"年份应在 1900 至 2999 之间。{BOTH}The year must be from 1900 to 2999.")


class UseCases(msgspec.Struct, frozen=True):
    """What this api calls."""

    commands: Registration
    secrets: Secrets


def _use() -> UseCases:
    return cast(UseCases, service().use_cases)


# Schemas


class AnnounceSchema(ma.Schema):
    """What is left out is as the regulation has it; times without a zone are local to the regulation's."""

    regulation = ma.fields.String(required=True, validate=Name, metadata={"example": "jimei-2018"})
    name = ma.fields.String(validate=Name)
    place = ma.fields.String(validate=Name)
    plays_from = ma.fields.Date(validate=in_calendar)
    plays_to = ma.fields.Date(validate=in_calendar)
    entries_close = ma.fields.DateTime(format="iso", validate=in_calendar)
    changes = ma.fields.Dict(
        keys=ma.fields.String(), metadata={"description": "regulation values set otherwise, by dotted key"}
    )


class AmendSchema(ma.Schema):
    """What changes, and why."""

    name = ma.fields.String(validate=Name)
    place = ma.fields.String(validate=Name)
    plays_from = ma.fields.Date(validate=in_calendar)
    plays_to = ma.fields.Date(validate=in_calendar)
    entries_close = ma.fields.DateTime(format="iso", validate=in_calendar)
    reason = ma.fields.String(required=True, validate=Reason)


class ReasonSchema(ma.Schema):
    """Why."""

    reason = ma.fields.String(required=True, validate=Reason)


class ClosingSchema(ma.Schema):
    """Why, where it is before the deadline."""

    reason = ma.fields.String(load_default="", validate=lines(500, 0))


class MemberSchema(ma.Schema):
    """A person of the team. Stored encrypted with a key of their own."""

    part = ma.fields.String(required=True, validate=ma.validate.OneOf(["player", "leader", "coach"]))
    name = ma.fields.String(required=True, validate=Name)
    born = ma.fields.Date(allow_none=True, validate=in_calendar)
    identity_number = ma.fields.String(allow_none=True, validate=words(30))
    phone = ma.fields.String(allow_none=True, validate=words(30))


class EntryChangeSchema(ma.Schema):
    """A team's entry form, without its unit."""

    name = ma.fields.String(required=True, validate=Name)
    members = ma.fields.List(ma.fields.Nested(MemberSchema), required=True, validate=ma.validate.Length(max=20))


class EntrySchema(EntryChangeSchema):
    """A team's entry form."""

    unit = ma.fields.String(required=True, validate=Name)


class ValueSchema(ma.Schema):
    """One value of a regulation: where it comes from, and how surely."""

    key = ma.fields.String(required=True)
    value = ma.fields.Raw(required=True, allow_none=True)
    article = ma.fields.String(required=True)
    mark = ma.fields.String(required=True, metadata={"description": "stated, read or assumed"})
    zh = ma.fields.String(required=True)
    en = ma.fields.String(required=True)
    quote = ma.fields.String(required=True)


class RegulationSchema(ma.Schema):
    """A regulation."""

    name = ma.fields.String(required=True)
    version = ma.fields.Integer(required=True)
    digest = ma.fields.String(required=True)
    title_zh = ma.fields.String(required=True)
    title_en = ma.fields.String(required=True)
    played = ma.fields.Boolean(
        required=True, metadata={"description": "whether this version can hold competitions in its format"}
    )


class RegulationValuesSchema(RegulationSchema):
    """A regulation with every value."""

    values = ma.fields.List(ma.fields.Nested(ValueSchema), required=True)


class RegulationsSchema(ma.Schema):
    """The regulations there are."""

    items = ma.fields.List(ma.fields.Nested(RegulationSchema), required=True)


class CompetitionSchema(ma.Schema):
    """A competition as everyone may see it."""

    id = ma.fields.String(required=True)
    name = ma.fields.String(required=True)
    regulation = ma.fields.String(required=True)
    regulation_digest = ma.fields.String(required=True)
    changes = ma.fields.Dict(required=True)
    place = ma.fields.String(required=True)
    zone = ma.fields.String(required=True)
    plays_from = ma.fields.String(required=True)
    plays_to = ma.fields.String(required=True)
    entries_close = ma.fields.String(required=True)
    status = ma.fields.String(required=True)
    cancelled_because = ma.fields.String(required=True, allow_none=True)


class TeamSchema(ma.Schema):
    """An entry as everyone may see it."""

    team = ma.fields.String(required=True)
    name = ma.fields.String(required=True)
    unit = ma.fields.String(required=True)
    status = ma.fields.String(required=True)
    submitted_at = ma.fields.String(required=True)


class PersonSchema(ma.Schema):
    """A member in the clear; all but `person` and `part` null once the person was erased."""

    person = ma.fields.String(required=True)
    part = ma.fields.String(required=True)
    name = ma.fields.String(required=True, allow_none=True)
    born = ma.fields.String(required=True, allow_none=True)
    identity_number = ma.fields.String(required=True, allow_none=True)
    phone = ma.fields.String(required=True, allow_none=True)


class EntryDetailSchema(TeamSchema):
    """An entry with its members, for the organiser and the team's own leader."""

    members = ma.fields.List(ma.fields.Nested(PersonSchema), required=True)
    changes = ma.fields.Integer(required=True)


# Regulations


def _regulation(name: str) -> dict[str, Any]:
    preset = _use().commands.preset(name, {})
    return {
        "name": preset.name,
        "version": preset.version,
        "digest": preset.digest,
        "title_zh": preset.title.zh,
        "title_en": preset.title.en,
        "played": is_played(preset),
    }


@read(blueprint, "/regulations", RegulationsSchema)
def list_regulations(_query: dict[str, Any]) -> Found:
    """The regulations that Pailu knows, and whether competitions can be held under them."""
    return Found({"items": [_regulation(name) for name in regulations.names()]})


@read(blueprint, "/regulations/<regulation>", RegulationValuesSchema)
def show_regulation(_query: dict[str, Any], regulation: str) -> Found:
    """A regulation: every value with its article and mark."""
    preset = _use().commands.preset(regulation, {})
    return Found(_regulation(regulation) | {"values": [plain(value) for value in describe(preset)]})


# Competitions


@command(blueprint, "/competitions", AnnounceSchema, roles=("organiser",))
def announce(command: Command, body: dict[str, Any]) -> Outcome:
    """Announce a competition from a regulation."""
    given = dict(body)
    return _use().commands.announce(command, given.pop("regulation"), given.pop("changes", {}), given)


@command(blueprint, "/competitions/<competition>/amendments", AmendSchema, roles=("organiser",))
def amend(command: Command, body: dict[str, Any], competition: str) -> Outcome:
    """Change a competition's name, place or dates."""
    given = dict(body)
    reason = given.pop("reason")
    return _use().commands.amend(command, competition, given, reason)


@command(blueprint, "/competitions/<competition>/cancellations", ReasonSchema, roles=("organiser",))
def cancel(command: Command, body: dict[str, Any], competition: str) -> Outcome:
    """Cancel a competition."""
    return _use().commands.cancel(command, competition, body["reason"])


@command(blueprint, "/competitions/<competition>/entry-openings", roles=("organiser",))
def open_entries(command: Command, _body: dict[str, Any], competition: str) -> Outcome:
    """Open entries."""
    return _use().commands.open_entries(command, competition)


@command(blueprint, "/competitions/<competition>/entry-closings", ClosingSchema, roles=("organiser",))
def close_entries(command: Command, body: dict[str, Any], competition: str) -> Outcome:
    """Close entries: at their deadline, or before it with a reason."""
    return _use().commands.close_entries(command, competition, body["reason"])


@read(blueprint, "/competitions", paged(CompetitionSchema), PageQuery)
def list_competitions(query: dict[str, Any]) -> Found:
    """All competitions, by id."""
    reader = service().engine.reader
    rows = reader.find(competitions, {"listed": "competitions"}, "_id", after(query), query["limit"] + 1)
    return Found(page([plain(row) for row in rows], query, lambda row: str(row["id"])))


@read(blueprint, "/competitions/<competition>", CompetitionSchema)
def show_competition(_query: dict[str, Any], competition: str) -> Found:
    """A competition. Its ETag is the stream's version."""
    row = service().engine.reader.get(competitions, competition)
    if row is None:
        raise refuse.NoSuchCompetition(competition=competition)
    return Found(plain(row), row.version)


# Entries


@command(blueprint, "/competitions/<competition>/entries", EntrySchema, roles=("organiser", "leader"))
def submit(command: Command, body: dict[str, Any], competition: str) -> Outcome:
    """Enter a unit's team. A leader's token is for the unit."""
    identity().speaks_for(body["unit"], tidy(body["unit"]), team_id(body["unit"]))
    return _use().commands.submit(command, competition, body["unit"], body["name"], _members(body))


@command(
    blueprint, "/competitions/<competition>/entries/<team>/changes", EntryChangeSchema, roles=("organiser", "leader")
)
def change(command: Command, body: dict[str, Any], competition: str, team: str) -> Outcome:
    """Replace a team's entry while entries are open."""
    _check_speaks_for(competition, team)
    return _use().commands.change(command, competition, team, body["name"], _members(body))


@command(
    blueprint, "/competitions/<competition>/entries/<team>/withdrawals", ReasonSchema, roles=("organiser", "leader")
)
def withdraw(command: Command, body: dict[str, Any], competition: str, team: str) -> Outcome:
    """Take a team's entry back while entries are open."""
    _check_speaks_for(competition, team)
    return _use().commands.withdraw(command, competition, team, body["reason"])


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
    return Found({**plain(row), "members": [_person(member) for member in row.members]}, row.version)


def _members(body: dict[str, Any]) -> list[MemberForm]:
    return [MemberForm(**member) for member in body["members"]]


def _check_speaks_for(competition: str, team: str) -> None:
    identity().speaks_for(team, _use().commands.unit_of(competition, team))


def _person(member: dict[str, str]) -> dict[str, Any]:
    key = _use().secrets.get(f"person/{member['person']}")
    fields = unseal(member["sealed"], member["person"], key) if key else {}
    known = {name: fields.get(name) for name in ("name", "born", "identity_number", "phone")}
    return {"person": member["person"], "part": member["part"], **known}
