"""What a pairing rests on, over HTTP: who doubts it pairs the round again."""

from __future__ import annotations

from typing import Any

import marshmallow as ma

from services.match.api.base import ROUND, blueprint, known, use
from shared.web.reads import Found, read


class PairingFileSchema(ma.Schema):
    """The file `pailu-pairing/1` (docs/formats.md), which `pailu pair --from-event` takes. `inputs` in `paired` is the
    SHA-256 of the rest."""

    format = ma.fields.String(required=True)
    regulation = ma.fields.String(required=True, metadata={"example": "jimei-2018/1"})
    changes = ma.fields.Dict(required=True)
    competition = ma.fields.Dict(required=True, metadata={"description": "pailu-competition/1, before the pairing"})
    draws = ma.fields.Dict(required=True, metadata={"description": "by stage and part, the seats as drawn"})
    paired = ma.fields.Dict(required=True, metadata={"description": "the event RoundPaired"})


@read(blueprint, ROUND + "/pairing", PairingFileSchema)
def show_pairing(_query: dict[str, Any], competition: str, number: int) -> Found:
    """How a round was paired, with all that it rested on."""
    known(competition)
    return Found(use().pairing_file(competition, number))
