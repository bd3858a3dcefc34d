"""What happened, in the order of each topic: what listeners are told, and what standings as of an earlier moment are
folded from.

A row is a stretch of a competition's log in one service: of each event where and when it was recorded, and what
everyone is shown of it; of the others, among them all with personal fields, no more than that. The events that were
folded into a match its own row keeps whole, a few dozen. Those of a book stand apart, a row for each stretch that has
any: one round makes a book larger than all that came before."""

from __future__ import annotations

from typing import Any, cast

import msgspec

from services.ranking.projections.books import book
from services.ranking.projections.folding import Told
from services.ranking.projections.shown import SHOWN
from shared.contracts.catalogue import EVENTS
from shared.eventsourcing.clock import to_micros
from shared.eventsourcing.projector import View
from shared.eventsourcing.records import Envelope, canonical

TOGETHER = 256
"""Positions of a stretch. A row costs a rebuild as much as ten events, and one that grows is written anew each time."""


class Happened(msgspec.Struct, frozen=True, array_like=True):
    """An event. `recorded_at` is in µs; `shown` is what listeners are told, as JSON: null where that is nothing."""

    position: int
    recorded_at: int
    type: str
    shown: msgspec.Raw

    @property
    def fields(self) -> dict[str, Any] | None:
        """What listeners are told, None where they are told nothing."""
        return cast("dict[str, Any] | None", msgspec.json.decode(self.shown))


class Stretch(msgspec.Struct, kw_only=True):
    """What happened in a competition at these positions of a service's log; `of` names both."""

    id: str
    of: str = ""
    events: list[Happened] = []


class Decided(msgspec.Struct, kw_only=True):
    """The events of a stretch that were folded into the competition's book."""

    id: str
    competition: str = ""
    told: list[Told] = []


def stretches_of(competition: str, service: str) -> str:
    """How the stretches of a competition in a service's log are found."""
    return f"{competition}:{service}"


def stretch_key(competition: str, service: str, position: int) -> str:
    """The id of the stretch that holds a position; ids sort as positions do."""
    return f"{stretches_of(competition, service)}:{position // TOGETHER:015d}"


stretches: View[Stretch] = View("stretches", Stretch, indexes=(("of", "_id"),))
decided: View[Decided] = View("decided", Decided, indexes=(("competition", "_id"),))


def _happened(row: Stretch, event: Any, at: Envelope) -> None:
    row.of = stretches_of(at.competition, at.service)
    fields = SHOWN.get(type(event))
    shown = canonical(None if fields is None else {name: getattr(event, name) for name in fields})
    row.events.append(Happened(at.position, to_micros(at.recorded_at), at.type, msgspec.Raw(shown)))


def _decided(row: Decided, _event: Any, at: Envelope) -> None:
    row.competition = at.competition
    row.told.append(Told.of(at))


def _stretch(_event: Any, at: Envelope) -> tuple[str]:
    return (stretch_key(at.competition, at.service, at.position),)


for _event in EVENTS:
    stretches.on(_event, keys=_stretch)(_happened)
for _event in book.events:
    decided.on(_event, keys=_stretch)(_decided)
