"""One row per event of a competition's rounds that decides its standings, as match told it and in that order: what the
standings before and after a ruling are computed from."""

from __future__ import annotations

from typing import Any

import msgspec

from services.appeals.play import EVENTS
from shared.eventsourcing.projector import View
from shared.eventsourcing.records import Envelope


class ToldRow(msgspec.Struct, kw_only=True):
    """An event: its contract, version and canonical data, and its position in match's topic."""

    id: str
    competition: str = ""
    position: int = 0
    type: str = ""
    type_version: int = 0
    data: str = ""


def told_key(competition: str, position: int) -> str:
    """The id of an event's row: those of one competition sort as their positions."""
    return f"{competition}/{position:015d}"


told: View[ToldRow] = View("told", ToldRow, indexes=(("competition", "_id"),))


def _kept(row: ToldRow, _event: Any, at: Envelope) -> None:
    row.competition, row.position = at.competition, at.position
    row.type, row.type_version, row.data = at.type, at.type_version, at.data.decode()


for _event in EVENTS:
    told.on(_event, keys=lambda _, at: (told_key(at.competition, at.position),))(_kept)
