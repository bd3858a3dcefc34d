"""One row per event, in the order of each topic: what standings as of an earlier moment are folded from.

Only events that feed a row of standings keep their data (canonical, as recorded); the others, among them all with
personal fields, only mark their place and time."""

from __future__ import annotations

from typing import Any

import msgspec

from services.ranking.projections.books import book
from services.ranking.projections.matches import match
from shared.contracts.catalogue import EVENTS
from shared.eventsourcing.clock import to_micros
from shared.eventsourcing.projector import View
from shared.eventsourcing.records import Envelope


class Happened(msgspec.Struct, kw_only=True):
    """An event. `recorded_at` is in µs; `feeds` names the rows that it is folded into."""

    id: str
    competition: str = ""
    recorded_at: int = 0
    type: str = ""
    type_version: int = 0
    data: str = ""
    feeds: list[str] = []

    @property
    def service(self) -> str:
        return self.id.partition(":")[0]

    @property
    def position(self) -> int:
        return int(self.id.partition(":")[2])


def history_key(service: str, position: int) -> str:
    """The id of an event's row: ids of one service sort as their positions."""
    return f"{service}:{position:015d}"


def book_feed(competition: str) -> str:
    """How events of a competition's book are found."""
    return f"book/{competition}"


def match_feed(key: str) -> str:
    """How events of a match's row are found."""
    return f"match/{key}"


history: View[Happened] = View("history", Happened, indexes=(("feeds", "_id"),))


def _recorded(row: Happened, event: Any, at: Envelope) -> None:
    row.competition, row.recorded_at = at.competition, to_micros(at.recorded_at)
    row.type, row.type_version = at.type, at.type_version
    if type(event) in book.events:
        row.feeds.append(book_feed(book.key(event)))
    if type(event) in match.events:
        row.feeds.append(match_feed(match.key(event)))
    if row.feeds:
        row.data = at.data.decode()


for _event in EVENTS:
    history.on(_event, keys=lambda _, at: (history_key(at.service, at.position),))(_recorded)
