"""Folds with two uses: a row that is kept up to date, and the same row as it was at an earlier moment.

So that both come out alike, a fold sees the event alone, and a row remembers of the log only the position of the last
event that was folded into it, by service. As every row depends on nothing else, equal positions are equal rows."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Generic, TypeVar

import msgspec

from shared.eventsourcing.clock import to_micros
from shared.eventsourcing.ports import Codec
from shared.eventsourcing.projector import View
from shared.eventsourcing.records import Envelope

Fold = Callable[[Any, Any], None]
F = TypeVar("F", bound=Fold)


class Placed(msgspec.Struct, kw_only=True):
    """A row that says what it rests on: the position of the last event folded into it, by service."""

    id: str
    positions: dict[str, int] = {}


class Told(msgspec.Struct, frozen=True, array_like=True):
    """An event as it was recorded, kept for telling a row as of an earlier moment. `recorded_at` is in µs, `data`
    canonical."""

    service: str
    position: int
    recorded_at: int
    type: str
    type_version: int
    data: msgspec.Raw

    @classmethod
    def of(cls, at: Envelope) -> Told:
        """The event of an envelope."""
        recorded_at = to_micros(at.recorded_at)
        return cls(at.service, at.position, recorded_at, at.type, at.type_version, msgspec.Raw(at.data))


class Telling(Placed, msgspec.Struct, kw_only=True):
    """A row that keeps the events folded into it."""

    told: list[Told] = []


P = TypeVar("P", bound=Placed)


class Folds(Generic[P]):
    """The folds of a view whose events each go into one row, which `key` names."""

    def __init__(self, view: View[P], key: Callable[[Any], str]) -> None:
        self.view = view
        self.key = key
        self._folds: dict[type, Fold] = {}

    @property
    def events(self) -> tuple[type, ...]:
        """The events that are folded."""
        return tuple(self._folds)

    def on(self, *events: type) -> Callable[[F], F]:
        """Register a fold `(row, event) -> None` that changes the row in place."""

        def register(fold: F) -> F:
            for event in events:
                self.view.on(event, keys=lambda e, _: (self.key(e),))(self._live)
                self._folds[event] = fold
            return fold

        return register

    def retold(self, key: str, told: Iterable[Told], codec: Codec) -> P:
        """A row from events: those up to a moment. The topics one after the other: any order of them gives this row."""
        row = self.view.blank(key)
        for one in told:
            self._fold(row, codec.decode(one.type, one.type_version, bytes(one.data)), one.service, one.position)
        return row

    def _fold(self, row: P, event: Any, service: str, position: int) -> None:
        self._folds[type(event)](row, event)
        row.positions[service] = position

    def _live(self, row: P, event: Any, at: Envelope) -> None:
        self._fold(row, event, at.service, at.position)
        if isinstance(row, Telling):
            row.told.append(Told.of(at))
