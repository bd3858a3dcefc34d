"""What listeners to a competition hear, from the rows that standings are read from: who hears of an event finds its
effect in whatever is asked for next."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import islice
from typing import Any

from services.ranking.projections import Happened, books, stretch_key, stretches, stretches_of
from services.ranking.projections.history import TOGETHER
from services.ranking.projections.shown import ONLY_WHEN_LODGED
from shared.eventsourcing.generations import Reader
from shared.web.listening import Positions, Shown

READ = 4
"""Stretches that are read at once."""


class Live:
    """The source of ranking's streams."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self.services = reader.projection.services

    def positions(self, competitions: Collection[str]) -> dict[str, Positions]:
        return dict(self._reader.positions(competitions))

    def shown(self, competition: str, after: Positions, upto: Positions, limit: int) -> list[Shown]:
        return [
            shown
            for service in self.services
            if after.get(service, 0) < upto.get(service, 0)
            for shown in islice(self._of(competition, service, after.get(service, 0)), limit)
            if shown.position <= upto[service]
        ]

    def _of(self, competition: str, service: str, after: int) -> Iterator[Shown]:
        """The events after a position that listeners are told of."""
        for happened in self._happened(competition, service, after + 1):
            if happened.position > after and (fields := happened.fields) is not None:
                public = self._is_public(competition, happened.type, fields)
                yield Shown(
                    service=service,
                    position=happened.position,
                    recorded_at=happened.recorded_at,
                    type=happened.type,
                    fields=fields if public else None,
                )

    def _happened(self, competition: str, service: str, position: int) -> Iterator[Happened]:
        """All events from the stretch of a position on."""
        before = stretch_key(competition, service, position - TOGETHER) if position >= TOGETHER else None
        while rows := self._reader.find(stretches, {"of": stretches_of(competition, service)}, "_id", before, READ):
            for row in rows:
                yield from row.events
            before = rows[-1].id

    def _is_public(self, competition: str, type: str, fields: dict[str, Any]) -> bool:
        """An appeal that was lodged stands in the book with its round."""
        if type not in ONLY_WHEN_LODGED:
            return True
        book = self._reader.get(books, competition)
        appeal = book.appeals.get(fields["appeal"]) if book else None
        return appeal is not None and appeal.round > 0
