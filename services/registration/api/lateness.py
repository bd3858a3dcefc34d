"""Late entries, the leaders' meeting, and players who are not on the form, over HTTP."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import marshmallow as ma
import msgspec

from services.registration import refusals as refuse
from services.registration.api.base import blueprint, use
from services.registration.api.entries import MemberSchema
from services.registration.api.fields import Flag, Name, Reason
from services.registration.forms import MemberForm, unit_key
from services.registration.projections import CompetitionRow, competitions, entries
from shared.eventsourcing.handling import Command, Outcome
from shared.rules.deadlines import in_time
from shared.rules.entries import standing
from shared.rules.regulations.reference import resolve_any
from shared.web.commands import command
from shared.web.context import service
from shared.web.reads import Found, read
from shared.web.words import in_calendar


class GraceSchema(ma.Schema):
    """Until when a unit may still enter, and why. A time without a zone is local to the regulation's."""

    unit = ma.fields.String(required=True, validate=Name)
    until = ma.fields.DateTime(format="iso", required=True, validate=in_calendar)
    reason = ma.fields.String(required=True, validate=Reason)


class AttendanceSchema(ma.Schema):
    """Units that were at the leaders' meeting, or with `attended` false were not."""

    units = ma.fields.List(ma.fields.String(validate=Name), required=True, validate=ma.validate.Length(min=1, max=500))
    attended = Flag(load_default=True)


class ConsentSchema(ma.Schema):
    """Who may play though not on the form, and why."""

    member = ma.fields.Nested(MemberSchema, required=True)
    reason = ma.fields.String(required=True, validate=Reason)


class UnitSchema(ma.Schema):
    """A unit: whether its form stands, whether it was at the meeting (null: nobody said), and whether it is in."""

    unit = ma.fields.String(required=True)
    entered = ma.fields.Boolean(required=True)
    attended = ma.fields.Boolean(required=True, allow_none=True)
    grace_until = ma.fields.String(required=True, allow_none=True)
    standing = ma.fields.String(
        required=True, metadata={"description": "entered, may_enter, lapsed, or unknown while nobody said"}
    )
    article = ma.fields.String(required=True)
    mark = ma.fields.String(required=True)


class UnitsSchema(ma.Schema):
    """Every unit of which something is known."""

    items = ma.fields.List(ma.fields.Nested(UnitSchema), required=True)


@command(blueprint, "/competitions/<competition>/graces", GraceSchema, roles=("organiser",))
def grant_grace(command: Command, body: dict[str, Any], competition: str) -> Outcome:
    """Let a unit enter late, by a decision that says why. Where the regulation forbids changes, it changes nothing."""
    return use().commands.grant_grace(command, competition, body["unit"], body["until"], body["reason"])


@command(blueprint, "/competitions/<competition>/attendance", AttendanceSchema, roles=("organiser",))
def attend(command: Command, body: dict[str, Any], competition: str) -> Outcome:
    """Enter which units were at the leaders' meeting."""
    return use().commands.attend(command, competition, body["units"], body["attended"])


@command(
    blueprint, "/competitions/<competition>/entries/<team>/consents", ConsentSchema, roles=("referee",), chief=True
)
def consent(command: Command, body: dict[str, Any], competition: str, team: str) -> Outcome:
    """Let a person play who is not on the form, where the regulation leaves it to the chief referee."""
    return use().commands.consent(command, competition, team, MemberForm(**body["member"]), body["reason"])


@read(blueprint, "/competitions/<competition>/units", UnitsSchema, roles=("organiser",))
def list_units(_query: dict[str, Any], competition: str) -> Found:
    """Which units are in, may still enter, or have lapsed, by form and leaders' meeting."""
    reader = service().engine.reader
    row = reader.get(competitions, competition)
    if row is None:
        raise refuse.NoSuchCompetition(competition=competition)
    rows = reader.find(entries, {"competition": competition}, "team", None, 0)
    names: dict[str, str] = {}
    for name in (*(each.unit for each in rows), *row.attended, *row.graces):
        names.setdefault(unit_key(name), name)
    entered = {unit_key(each.unit) for each in rows if each.status == "entered"}
    found = [_unit(row, key, name, key in entered) for key, name in names.items()]
    return Found({"items": sorted(found, key=lambda each: str(each["unit"]))})


def _unit(row: CompetitionRow, key: str, name: str, entered: bool) -> dict[str, Any]:
    now = service().clock.now()
    attended = next((said for unit, said in row.attended.items() if unit_key(unit) == key), None)
    until = next((at for unit, at in row.graces.items() if unit_key(unit) == key), None)
    open_ = row.status == "entries_open" and in_time(now, datetime.fromisoformat(row.entries_close))
    grace = until is not None and in_time(now, datetime.fromisoformat(until))
    preset = resolve_any(row.regulation, row.changes)
    stands = standing(preset, entered=entered, attended=attended, in_time=open_ or grace)
    shown: dict[str, Any] = msgspec.to_builtins(stands)
    return {"unit": name, "entered": entered, "attended": attended, "grace_until": until, **shown}
