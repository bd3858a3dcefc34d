"""From a book to tables, by the one standings function and the one crosstable of the rules."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from services.ranking import refusals as refuse
from services.ranking.projections import Book, Round
from shared.rules.formats import competition as rules
from shared.rules.formats.crosstable import CrossRow, crosstable
from shared.rules.formats.history import field_of
from shared.rules.formats.lots import with_lots
from shared.rules.formats.standings import Row, lots_needed, standings
from shared.rules.regulations.preset import Preset
from shared.rules.regulations.reference import resolve


class Table(msgspec.Struct, frozen=True, kw_only=True):
    """The standings of a book after a round; `needs_lot` are the groups that nothing parts."""

    after_round: int
    rows: tuple[Row, ...]
    needs_lot: tuple[tuple[str, ...], ...]


def preset_of(book: Book) -> Preset:
    """The regulation of a competition with its organiser's changes."""
    return resolve(book.regulation, book.changes)


def table(book: Book, after_round: int | None = None) -> Table:
    """The standings after all closed rounds, or after the first `after_round`. Raises RoundNotClosed."""
    preset = preset_of(book)
    competition = _with_lots(book, preset, after_round)
    rows = standings(preset, competition, after_round)
    counted = field_of(preset, competition, after_round).rounds
    return Table(after_round=counted, rows=tuple(rows), needs_lot=tuple(lots_needed(rows)))


def cross(book: Book, after_round: int | None = None) -> list[CrossRow]:
    """The crosstable of the same rounds. Raises RoundNotClosed."""
    preset = preset_of(book)
    return crosstable(preset, _with_lots(book, preset, after_round), after_round)


def _with_lots(book: Book, preset: Preset, after_round: int | None) -> rules.Competition:
    """The competition with the lots that these standings need and that were drawn. Raises RoundNotClosed."""
    plain = competition_of(book)
    _check(preset, plain, after_round)
    return with_lots(preset, plain, book.lots, after_round)


def competition_of(book: Book) -> rules.Competition:
    """The competition as the rules read it, without lots."""
    return rules.Competition(
        teams=tuple(rules.Team(team.id, team.name, team.unit) for team in book.teams),
        rounds=tuple(_round(current) for current in _readable(book.rounds)),
        withdrawn=tuple(book.withdrawn),
        disqualified=tuple(book.disqualified),
        regulation=book.regulation,
        name=book.name,
    )


def _check(preset: Preset, competition: rules.Competition, after_round: int | None) -> None:
    closed = field_of(preset, competition).rounds
    if after_round is not None and after_round > closed:
        raise refuse.RoundNotClosed(round=after_round, closed=closed)


def _readable(rounds: Sequence[Round]) -> Sequence[Round]:
    """The rounds, without a last one that has no match and is not closed: it is not over, but nothing in it would say
    so."""
    if rounds and not rounds[-1].closings and not rounds[-1].seats:
        return rounds[:-1]
    return rounds


def _round(current: Round) -> rules.Round:
    """A round as the rules read it. Absent teams that forfeited a match stand in that match."""
    seated = {team for seat in current.seats for team in seat.teams}
    return rules.Round(
        number=current.number,
        matches=tuple(
            rules.PlayedMatch(
                table=seat.table, teams=seat.teams, points=seat.points, levels=seat.levels, status=seat.status
            )
            for seat in current.seats
        ),
        byes=(current.bye,) if current.bye else (),
        absent=tuple(team for team in current.absent if team not in seated),
    )
