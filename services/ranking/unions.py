"""The team totals of a competition of several events (zhongshan-2013 五): from the books of its events and the entries,
by the one function of the rules."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import msgspec

from services.ranking.projections import Book, Entrant
from services.ranking.tables import counted_of, table
from shared.contracts.programme import boards_of, plays_for
from shared.rules.basis import Text
from shared.rules.formats.prizes import TEAMS, union_prizes
from shared.rules.formats.totals import UnionRow, totals
from shared.rules.formats.union import UnionResults
from shared.rules.formats.union_facts import Entry, Event, cancelled, decided, union_of
from shared.rules.regulations.preset import Preset


class Totals(msgspec.Struct, frozen=True, kw_only=True):
    """The totals, and what they are made of. `decided` tells of each event whether its places are, so that they count,
    or whether nobody plays in it; `prizes` what each team is given."""

    rows: tuple[UnionRow, ...]
    results: UnionResults
    decided: Mapping[str, bool]
    prizes: Mapping[str, tuple[Text, ...]]


def totals_of(preset: Preset, books: Mapping[str, Book], entrants: Sequence[Entrant]) -> Totals:
    """The totals of books and entries of one moment; books: of the events that have begun, as `union.points` names
    them."""
    of = _of(books.values(), entrants)
    events = {
        code: Event(competition=counted_of(book), absent=frozenset(_absent(book)))
        for code, book in books.items()
        if book.teams
    }
    entries = _entries(entrants, sorted(set(of.values())))
    results = union_of(preset, entries, events, of)
    empty = _empty(preset, entries) if events else ()
    given = [one for one in union_prizes(preset, results) if one.event == TEAMS]
    assert preset.union is not None, "who asks has looked"
    return Totals(
        rows=tuple(totals(preset, results)),
        results=results,
        decided={
            code: code in empty or (code in events and decided(preset, events[code].competition))
            for code in preset.union.points.value
        },
        prizes={one.team: one.prizes for one in given},
    )


def struck(books: Sequence[Book], entrants: Sequence[Entrant]) -> frozenset[str]:
    """The pairs and players, at any event, of the entries whose results are cancelled."""
    of = _of(books, entrants)
    disqualified = [team for book in books for team in book.disqualified]
    out = cancelled((row.team for row in entrants if row.broken), disqualified, of)
    return frozenset(team for team, entry in of.items() if entry in out)


def with_struck(book: Book, out: frozenset[str]) -> Book:
    """The book of an event in which these pairs and players take no place; places that were put forward for others than
    those that take one now are overtaken."""
    found = msgspec.structs.replace(book, struck=[team.id for team in book.teams if team.id in out])
    if found.places is None or found.places.overtaken:
        return found
    placed = {row.team for row in table(found).rows if row.rank is not None}
    if placed == {place.team for place in found.places.places}:
        return found
    return msgspec.structs.replace(found, places=msgspec.structs.replace(found.places, overtaken=True))


def _of(books: Iterable[Book], entrants: Sequence[Entrant]) -> dict[str, str]:
    """By pair or player that was drawn, the entry."""
    known = frozenset(row.team for row in entrants)
    return {team.id: plays_for(team.id, known) for book in books for team in book.teams}


def _entries(entrants: Sequence[Entrant], drawn: Sequence[str]) -> list[Entry]:
    """Those that stand, and those that were drawn, whatever became of the entry."""
    rows = {row.team: row for row in entrants}
    there = sorted({*drawn, *(row.team for row in entrants if not row.withdrawn)})
    found = [rows.get(team, Entrant(team=team)) for team in there]
    return [Entry(id=row.team, name=row.name, fielded=row.fielded, broken=row.broken) for row in found]


def _empty(preset: Preset, entries: Sequence[Entry]) -> list[str]:
    """The boards at which nobody plays, asked once an event was drawn: entries are closed then."""
    return [board for board in boards_of(preset) if not any(entry.fielded.get(board) for entry in entries)]


def _absent(book: Book) -> list[str]:
    """Who was missing from a match, or said so before."""
    said = [team for current in book.rounds for team in current.absent]
    return [*said, *(team for current in book.rounds for seat in current.seats for team in seat.absent())]
