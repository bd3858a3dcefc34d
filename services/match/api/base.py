"""The blueprint of match, and what its endpoints have in common."""

from __future__ import annotations

from typing import Any, cast

import marshmallow as ma
import msgspec
from flask_smorest import Blueprint

from services.match import refusals as refuse
from services.match.commands import Matches
from services.match.projections import CompetitionRow, competition_of
from shared.contracts.fact import Held
from shared.web.context import service
from shared.web.words import lines, words

blueprint = Blueprint("match", __name__, description="Draws, rounds, tables, hands, penalties, rulings, places")

Reason = lines(500)
Id = words(100)
PAIRS = ("13", "24")
PAIR = "13: the team named first, 24: the other"
BASE = "/competitions/<competition>"
MATCH = BASE + "/matches/<match>"
ROUND = BASE + "/rounds/<int(max=999):number>"


class UseCases(msgspec.Struct, frozen=True):
    """What this api calls."""

    commands: Matches


def use() -> Matches:
    """The use cases of the current app."""
    return cast(UseCases, service().use_cases).commands


def known(competition: str) -> CompetitionRow:
    """A competition as the read model has it. Raises NoSuchCompetition."""
    row = competition_of(service().engine.reader, competition)
    if row is None:
        raise refuse.NoSuchCompetition(competition=competition)
    return row


class HeldBackSchema(ma.Schema):
    """What the device says of an entry that it holds: of which table it is, and under which regulation it was made.
    `at` is its own clock, kept as it was said; nothing is decided by it."""

    competition = ma.fields.String(required=True, validate=Id)
    round = ma.fields.Integer(required=True, strict=True, validate=ma.validate.Range(1, 999))
    table = ma.fields.Integer(required=True, strict=True, validate=ma.validate.Range(1, 10_000))
    regulation = ma.fields.String(required=True, validate=Id, metadata={"example": "jimei-2018/1"})
    device = ma.fields.String(load_default="", validate=lines(100, 0))
    at = ma.fields.String(
        load_default="",
        validate=lines(40, 0),
        metadata={"description": "the device's clock 设备时间（仅供参考）", "example": "2018-11-24T09:30:00+08:00"},
    )


class EntrySchema(ma.Schema):
    """An entry at a table. A device that holds entries back says in `held` where each belongs: one for another table is
    refused, and the right one named."""

    held = ma.fields.Nested(HeldBackSchema, allow_none=True, load_default=None)


def held_of(body: dict[str, Any]) -> Held | None:
    """What the device said of an entry, taken out of its body."""
    said = body.pop("held")
    return None if said is None else Held(**said)


class ReasonSchema(ma.Schema):
    """Why."""

    reason = ma.fields.String(required=True, validate=Reason)
