"""Folds with two uses: a row that is kept up to date, and the same row as it was at an earlier moment.

So that both come out alike, a fold sees the event alone, and a row remembers of the log only the position of the last
event that was folded into it, by service. As every row depends on nothing else, equal positions are equal rows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar

import msgspec

from shared.eventsourcing.projector import View
from shared.eventsourcing.records import Envelope

Fold = Callable[[Any, Any], None]
F = TypeVar("F", bound=Fold)


class Placed(msgspec.Struct, kw_only=True):
    """A row that says what it rests on: the position of the last event folded into it, by service."""

    id: str
    positions: dict[str, int] = {}


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

    def fold(self, row: P, event: Any, service: str, position: int) -> None:
        """Fold the event with this place in the log."""
        self._folds[type(event)](row, event)
        row.positions[service] = position

    def _live(self, row: P, event: Any, at: Envelope) -> None:
        self.fold(row, event, at.service, at.position)
