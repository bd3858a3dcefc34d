"""A breach that a record shows, as it is told to whoever may act on it. Nobody is charged by it."""

from __future__ import annotations

from msgspec import Struct

from shared.rules.basis import Mark, Text


class Finding(Struct, frozen=True, kw_only=True):
    """One breach.

    code: as in RECORDS; trick, discovered_at: from 1, discovered_at None when the record never shows it; cards: highest
    first; penalty: the regulation's row that prices it, None where it names no price; counted: the cards that its price
    counts, None for a price that counts none; points: of the row, for this once; also: what else it costs.
    """

    code: str
    name: Text
    seat: int
    trick: int
    discovered_at: int | None
    cards: str
    article: str
    mark: Mark
    penalty: str | None
    counted: int | None
    points: int
    also: tuple[str, ...]
