"""The standings before and after a decision, side by side."""

from __future__ import annotations

from typing import Any

import marshmallow as ma
import msgspec

from services.appeals import refusals as refuse
from services.appeals.api.answers import EffectSchema
from services.appeals.api.base import APPEAL, blueprint, desk
from services.appeals.api.bodies import KINDS, LEVELS, Name
from services.appeals.previews import Preview, Proposal, preview
from services.appeals.projections import AppealRow
from shared.contracts.fact import HandFacts, LaterRounds, Remedy
from shared.rules.formats.standings import Row
from shared.web.reads import Found, QuerySchema, read


class EffectQuery(QuerySchema):
    """A remedy to be tried, as in a decision, with a hand's facts beside it; without one, what the appeal asks for, or
    what was decided."""

    remedy = ma.fields.String(validate=ma.validate.OneOf(KINDS))
    hand = ma.fields.Integer(validate=ma.validate.Range(1, 1000))
    dealer = ma.fields.Integer(validate=ma.validate.Range(1, 4))
    points = ma.fields.Integer(validate=ma.validate.Range(0, 100_000))
    trump = ma.fields.String(validate=ma.validate.OneOf("SHCDN"))
    level_13 = ma.fields.String(validate=ma.validate.OneOf(LEVELS))
    level_24 = ma.fields.String(validate=ma.validate.OneOf(LEVELS))
    penalty = ma.fields.String(validate=Name)
    pair = ma.fields.String(validate=ma.validate.OneOf(["13", "24"]))
    code = ma.fields.String(validate=Name)
    cards = ma.fields.Integer(validate=ma.validate.Range(1, 108))
    team = ma.fields.String(validate=Name)
    later = ma.fields.String(validate=ma.validate.OneOf(["let_stand", "replay_from"]))
    round = ma.fields.Integer(validate=ma.validate.Range(1, 999))


@read(blueprint, APPEAL + "/effect", EffectSchema, EffectQuery, roles=("committee", "organiser", "auditor"))
def show_effect(query: dict[str, Any], competition: str, appeal: str) -> Found:
    """The standings before and after a decision: tried out before the committee decides, and then as it was."""
    records = desk().records
    row = records.appeal(competition, appeal)
    return Found(_shown(row, preview(records, row, _proposal(query))))


def _proposal(query: dict[str, Any]) -> Proposal | None:
    """What is to be tried. Raises RemedyNotNamed for fields of a remedy without its kind."""
    if "remedy" not in query:
        if query:
            raise refuse.RemedyNotNamed("/query/remedy")
        return None
    fields = {name: query[name] for name in ("hand", "penalty", "pair", "code", "cards", "team") if name in query}
    later = None
    if "later" in query:
        later = LaterRounds(choice=query["later"], round=query.get("round"))
    return Proposal(remedy=Remedy(kind=query["remedy"], facts=_facts(query), **fields), later=later)


def _facts(query: dict[str, Any]) -> HandFacts | None:
    if "dealer" not in query or "points" not in query:
        return None
    levels = {"13": query["level_13"], "24": query["level_24"]} if {"level_13", "level_24"} <= query.keys() else None
    return HandFacts(dealer=query["dealer"], points=query["points"], trump=query.get("trump"), levels=levels)


def _shown(row: AppealRow, found: Preview) -> dict[str, Any]:
    effect = found.effect
    before, teams = {line.team: line for line in effect.before}, {team.id: team for team in found.teams}
    return {
        "appeal": row.appeal,
        "status": found.status,
        "match": row.match,
        "round": row.round,
        "remedy": msgspec.to_builtins(found.remedy),
        "later": msgspec.to_builtins(found.later),
        "result_before": msgspec.to_builtins(effect.ruling.before) if effect.ruling else None,
        "result_after": msgspec.to_builtins(effect.ruling.after) if effect.ruling else None,
        "concerned": list(found.concerned),
        "provisional": any(line.provisional for line in effect.after),
        "rows": [
            {
                "team": line.team,
                "name": teams[line.team].name,
                "unit": teams[line.team].unit,
                "changed": _counts(before[line.team]) != _counts(line),
                "before": msgspec.to_builtins(before[line.team]),
                "after": msgspec.to_builtins(line),
            }
            for line in effect.after
        ],
        "position": found.position,
    }


def _counts(line: Row) -> tuple[Any, ...]:
    """What a person would call a change of a team's line."""
    return line.rank, line.points, line.total.fraction
