"""Checks of an entry over HTTP: what is met, what is not, and what a person must look at."""

from __future__ import annotations

from collections import Counter
from typing import Any

import marshmallow as ma

from services.registration.api.base import blueprint, check_speaks_for, note_access, use
from services.registration.api.fields import Flag, Reason
from services.registration.eligibility import Checked
from shared.eventsourcing.handling import Command, Outcome
from shared.web.commands import command
from shared.web.problems import language
from shared.web.reads import Found, read
from shared.web.words import words

RuleName = words(40)


class ConfirmationSchema(ma.Schema):
    """What a person says who looked. member: the number of the member in the entry from 0 on, null for the team."""

    rule = ma.fields.String(required=True, validate=RuleName, metadata={"example": "bond"})
    member = ma.fields.Integer(strict=True, load_default=None, allow_none=True, validate=ma.validate.Range(0, 99))
    holds = Flag(load_default=True)
    reason = ma.fields.String(required=True, validate=Reason)


class RefusalSchema(ma.Schema):
    """The rule that the entry breaks, and what is said to the team."""

    rule = ma.fields.String(required=True, validate=RuleName)
    reason = ma.fields.String(required=True, validate=Reason)


class CheckSchema(ma.Schema):
    """A rule applied to a team or to one of its members. holds: what a person said of it who looked, else null."""

    rule = ma.fields.String(required=True)
    status = ma.fields.String(required=True, metadata={"description": "met, not_met, warning or to_confirm"})
    code = ma.fields.String(required=True, metadata={"description": "what is wrong or open; empty where it is met"})
    member = ma.fields.Integer(required=True, allow_none=True)
    article = ma.fields.String(required=True)
    mark = ma.fields.String(required=True, metadata={"description": "stated, read or assumed"})
    said = ma.fields.String(required=True, metadata={"description": "in the language that was asked for"})
    holds = ma.fields.Boolean(required=True, allow_none=True)


class ChecksSchema(ma.Schema):
    """Every check of an entry, and how many a person must still look at or are broken."""

    items = ma.fields.List(ma.fields.Nested(CheckSchema), required=True)
    open = ma.fields.Integer(required=True)
    broken = ma.fields.Integer(required=True)


@read(
    blueprint,
    "/competitions/<competition>/entries/<team>/checks",
    ChecksSchema,
    roles=("organiser", "leader", "auditor"),
)
def show_checks(_query: dict[str, Any], competition: str, team: str) -> Found:
    """Every rule of entry applied to a team, article by article, with what is still to be confirmed."""
    check_speaks_for(competition, team)
    found = use().eligibility.checks(competition, team)
    note_access(competition, "checks", len({each.member for each in found} - {None}), team=team)
    count = Counter("open" if each.open else "broken" if each.wrong else "" for each in found)
    return Found({"items": [_shown(each) for each in found], "open": count["open"], "broken": count["broken"]})


@command(
    blueprint, "/competitions/<competition>/entries/<team>/confirmations", ConfirmationSchema, roles=("organiser",)
)
def confirm(command: Command, body: dict[str, Any], competition: str, team: str) -> Outcome:
    """Say after looking that what a form leaves open holds, or that any rule does not, whatever the form says of it:
    also after the close."""
    return use().eligibility.confirm(command, competition, team, **body)


@command(blueprint, "/competitions/<competition>/entries/<team>/refusals", RefusalSchema, roles=("organiser",))
def refuse_entry(command: Command, body: dict[str, Any], competition: str, team: str) -> Outcome:
    """Refuse an entry that breaks a rule, also after the close. Its unit may enter anew while entries are open."""
    return use().eligibility.refuse(command, competition, team, **body)


def _shown(checked: Checked) -> dict[str, Any]:
    check = checked.check
    shown = {name: getattr(check, name) for name in ("rule", "status", "code", "article", "mark")}
    said = check.zh if language() == "zh" else check.en
    return shown | {"member": checked.member, "said": said, "holds": checked.holds}
