"""Regulations and competitions over HTTP."""

from __future__ import annotations

from typing import Any

import marshmallow as ma

from services.registration import refusals as refuse
from services.registration.api.base import blueprint, use
from services.registration.api.fields import Flag, Name, Reason, ReasonSchema
from services.registration.projections import competitions
from shared.eventsourcing.handling import Command, Outcome
from shared.rules import regulations
from shared.rules.regulations import describe, digest
from shared.web.commands import command
from shared.web.context import service
from shared.web.reads import Found, PageQuery, after, page, paged, plain, read
from shared.web.words import in_calendar, lines


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
    rehearsal = Flag(
        load_default=False, metadata={"description": "for practice; its id and name say so, and it never counts 演练"}
    )


class AmendSchema(ma.Schema):
    """What changes, and why."""

    name = ma.fields.String(validate=Name)
    place = ma.fields.String(validate=Name)
    plays_from = ma.fields.Date(validate=in_calendar)
    plays_to = ma.fields.Date(validate=in_calendar)
    entries_close = ma.fields.DateTime(format="iso", validate=in_calendar)
    reason = ma.fields.String(required=True, validate=Reason)


class ClosingSchema(ma.Schema):
    """Why, where it is before the deadline."""

    reason = ma.fields.String(load_default="", validate=lines(500, 0))


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
    rehearsal = ma.fields.Boolean(required=True, metadata={"description": "for practice: it never counts 演练"})


# Regulations


def _regulation(name: str) -> dict[str, Any]:
    preset = use().commands.preset(name, {})
    return {
        "name": preset.name,
        "version": preset.version,
        "digest": digest(preset),
        "title_zh": preset.title.zh,
        "title_en": preset.title.en,
        "played": use().commands.is_played(preset),
    }


@read(blueprint, "/regulations", RegulationsSchema)
def list_regulations(_query: dict[str, Any]) -> Found:
    """The regulations that Pailu knows, and whether competitions can be held under them."""
    return Found({"items": [_regulation(name) for name in regulations.all_names()]})


@read(blueprint, "/regulations/<regulation>", RegulationValuesSchema)
def show_regulation(_query: dict[str, Any], regulation: str) -> Found:
    """A regulation: every value with its article and mark."""
    preset = use().commands.preset(regulation, {})
    return Found(_regulation(regulation) | {"values": [plain(value) for value in describe(preset)]})


# Competitions


@command(blueprint, "/competitions", AnnounceSchema, roles=("organiser",))
def announce(command: Command, body: dict[str, Any]) -> Outcome:
    """Announce a competition from a regulation."""
    given = dict(body)
    rehearsal = given.pop("rehearsal")
    return use().commands.announce(command, given.pop("regulation"), given.pop("changes", {}), given, rehearsal)


@command(blueprint, "/competitions/<competition>/amendments", AmendSchema, roles=("organiser",))
def amend(command: Command, body: dict[str, Any], competition: str) -> Outcome:
    """Change a competition's name, place or dates."""
    given = dict(body)
    reason = given.pop("reason")
    return use().commands.amend(command, competition, given, reason)


@command(blueprint, "/competitions/<competition>/cancellations", ReasonSchema, roles=("organiser",))
def cancel(command: Command, body: dict[str, Any], competition: str) -> Outcome:
    """Cancel a competition."""
    return use().commands.cancel(command, competition, body["reason"])


@command(blueprint, "/competitions/<competition>/entry-openings", roles=("organiser",))
def open_entries(command: Command, _body: dict[str, Any], competition: str) -> Outcome:
    """Open entries."""
    return use().commands.open_entries(command, competition)


@command(blueprint, "/competitions/<competition>/entry-closings", ClosingSchema, roles=("organiser",))
def close_entries(command: Command, body: dict[str, Any], competition: str) -> Outcome:
    """Close entries: at their deadline, or before it with a reason."""
    return use().commands.close_entries(command, competition, body["reason"])


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
