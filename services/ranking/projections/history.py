"""Every event that ranking has heard of, one row each: what standings as of an earlier moment are folded from, and
what listeners are told.

Only events that feed a row of standings keep their data (canonical, as recorded); of the others, among them all with
personal fields, no more is kept than what everyone is shown of them."""

from __future__ import annotations

from typing import Any

import msgspec

from services.ranking.projections.books import book
from services.ranking.projections.matches import match
from services.ranking.projections.shown import SHOWN
from shared.contracts.catalogue import EVENTS
from shared.eventsourcing.clock import to_micros
from shared.eventsourcing.projector import View
from shared.eventsourcing.records import Envelope


class Happened(msgspec.Struct, kw_only=True):
    """An event. `recorded_at` is in µs; `feeds` names the rows that it is folded into, and the listeners' feed where
    they are told of it; `shown` is what they are told."""

    id: str
    competition: str = ""
    recorded_at: int = 0
    type: str = ""
    type_version: int = 0
    data: str = ""
    feeds: list[str] = []
    shown: dict[str, Any] = {}

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


def live_feed(service: str, competition: str) -> str:
    """How the events of a service are found that listeners to a competition are told of."""
    return f"live/{service}/{competition}"


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
    if type(event) in SHOWN:
        row.feeds.append(live_feed(at.service, at.competition))
        told = msgspec.to_builtins(event)
        row.shown = {name: told[name] for name in SHOWN[type(event)]}


for _event in EVENTS:
    history.on(_event, keys=lambda _, at: (history_key(at.service, at.position),))(_recorded)
