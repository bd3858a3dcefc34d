"""What a pairing rests on, over HTTP: who doubts it pairs the round again."""

from __future__ import annotations

from typing import Any

import marshmallow as ma

from services.match.api.base import ROUND, blueprint, known, use
from services.match.model.rounds import Attempt
from shared.web.reads import Found, QuerySchema, read


class PairingFileSchema(ma.Schema):
    """The file `pailu-pairing/1` (docs/formats.md), which `pailu pair --from-event` takes. `inputs` in `paired` is the
    SHA-256 of the rest."""

    format = ma.fields.String(required=True)
    regulation = ma.fields.String(required=True, metadata={"example": "jimei-2018/1"})
    changes = ma.fields.Dict(required=True)
    competition = ma.fields.Dict(required=True, metadata={"description": "pailu-competition/1, before the pairing"})
    draws = ma.fields.Dict(required=True, metadata={"description": "by stage and part, the seats as drawn"})
    paired = ma.fields.Dict(required=True, metadata={"description": "the event RoundPaired"})


class AttemptQuery(QuerySchema):
    """Which pairing of the round; left out, the last."""

    attempt = ma.fields.Integer(validate=ma.validate.Range(1, 999))


class UndoneSchema(ma.Schema):
    """Who did away with a pairing, and why: it was undone, or by the ruling on an `appeal` the round is played anew."""

    by = ma.fields.String(required=True)
    reason = ma.fields.String(required=True)
    appeal = ma.fields.String(required=True, allow_none=True)


class AttemptSchema(ma.Schema):
    """A pairing of the round. `undone` is null for the one that stands."""

    attempt = ma.fields.Integer(required=True)
    by = ma.fields.String(required=True)
    inputs = ma.fields.String(required=True)
    undone = ma.fields.Nested(UndoneSchema, required=True, allow_none=True)


class AttemptsSchema(ma.Schema):
    """Every pairing of a round, in order."""

    items = ma.fields.List(ma.fields.Nested(AttemptSchema), required=True)


@read(blueprint, ROUND + "/pairing", PairingFileSchema, AttemptQuery)
def show_pairing(query: dict[str, Any], competition: str, number: int) -> Found:
    """How a round was paired, with all that it rested on; one that was undone too."""
    known(competition)
    return Found(use().pairing_file(competition, number, query.get("attempt")))


@read(blueprint, ROUND + "/pairings", AttemptsSchema)
def list_pairings(_query: dict[str, Any], competition: str, number: int) -> Found:
    """Every pairing of a round, those that were undone too, and why they were."""
    known(competition)
    return Found({"items": [_attempt(one) for one in use().attempts(competition, number)]})


def _attempt(one: Attempt) -> dict[str, Any]:
    undone = one.undone
    return {
        "attempt": one.made.attempt,
        "by": one.made.by,
        "inputs": one.made.inputs,
        "undone": undone and {"by": undone.by, "reason": undone.reason, "appeal": getattr(undone, "appeal", None)},
    }
