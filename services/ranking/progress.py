"""What the tables of the open round show. It counts in no standings until the round is closed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import msgspec

from services.ranking.projections import Book, MatchRow, Round, Seat, Sum
from shared.rules.regulations.schema import AnyPreset

State = Literal["not_started", "playing", "over"]


class Progress(msgspec.Struct, frozen=True, kw_only=True):
    """A match of the open round; levels, points in the order of `teams`, points only once it is over. `conflicts` are
    the hands that came in several versions: what counts of them may change."""

    match: str
    round: int
    table: int
    teams: tuple[str, str]
    hands: int
    levels: tuple[str, ...]
    won_by: str | None
    state: State
    points: tuple[int, int] | None
    conflicts: tuple[int, ...] = ()


def open_seats(book: Book) -> list[tuple[Round, Seat]]:
    """The matches that are to be played or changed: of a round not closed yet all, of a reopened one those named."""
    return [
        (current, seat)
        for current in book.rounds
        if current.open
        for seat in current.seats
        if seat.status == "unfinished"
    ]


def progress(
    book: Book, preset: AnyPreset, rows: Mapping[str, MatchRow], sums: Mapping[str, Sum | None]
) -> list[Progress]:
    """Every open match, by round and table; `rows` are those that have begun, by match, and `sums` what they make."""
    return [
        _one(current, seat, preset, rows.get(seat.match), sums.get(seat.match)) for current, seat in open_seats(book)
    ]


def _one(current: Round, seat: Seat, preset: AnyPreset, row: MatchRow | None, summed: Sum | None) -> Progress:
    opening = current.openings.get(seat.match, 0)
    if row is not None and row.opening < opening and seat.match in current.replays:
        row = summed = None
    over = row.result if row is not None and row.opening == opening else None
    hands = len(row.hands) + len(row.finishes) if row else 0
    start = preset.match.start_level.value
    return Progress(
        match=seat.match,
        round=current.number,
        table=seat.table,
        teams=seat.teams,
        hands=hands,
        levels=summed.levels if summed else (start, start),
        won_by=summed.won_by if summed else None,
        state="over" if over else "playing" if hands else "not_started",
        points=over.points if over else None,
        conflicts=tuple(row.conflicts) if row else (),
    )
