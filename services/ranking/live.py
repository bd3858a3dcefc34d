"""What listeners to a competition hear, from the rows that standings are read from: who hears of an event finds its
effect in whatever is asked for next."""

from __future__ import annotations

from collections.abc import Collection

from services.ranking.projections import Happened, books, history, history_key, live_feed
from services.ranking.projections.shown import ONLY_WHEN_LODGED
from shared.eventsourcing.generations import Reader
from shared.web.listening import Positions, Shown


class Live:
    """The source of ranking's streams."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self.services = reader.projection.services

    def positions(self, competitions: Collection[str]) -> dict[str, Positions]:
        return dict(self._reader.positions(competitions))

    def shown(self, competition: str, after: Positions, upto: Positions, limit: int) -> list[Shown]:
        found = [
            happened
            for service in self.services
            if after.get(service, 0) < upto.get(service, 0)
            for happened in self._of(service, competition, after.get(service, 0), limit)
            if happened.position <= upto[service]
        ]
        return [_shown(happened, self._is_public(competition, happened)) for happened in found]

    def _of(self, service: str, competition: str, after: int, limit: int) -> list[Happened]:
        feed = live_feed(service, competition)
        return self._reader.find(history, {"feeds": feed}, "_id", history_key(service, after), limit)

    def _is_public(self, competition: str, happened: Happened) -> bool:
        """An appeal that was lodged stands in the book with its round."""
        if happened.type not in ONLY_WHEN_LODGED:
            return True
        book = self._reader.get(books, competition)
        appeal = book.appeals.get(happened.shown["appeal"]) if book else None
        return appeal is not None and appeal.round > 0


def _shown(happened: Happened, is_public: bool) -> Shown:
    return Shown(
        service=happened.service,
        position=happened.position,
        recorded_at=happened.recorded_at,
        type=happened.type,
        fields=happened.shown if is_public else None,
    )
