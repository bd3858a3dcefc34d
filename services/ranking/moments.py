"""A competition as it is now, or as it was: the stored rows, or the same folds over an earlier part of the log."""

from __future__ import annotations

import re
import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from datetime import UTC, datetime
from typing import Any, Generic, TypeVar

import msgspec

from services.ranking import refusals as refuse
from services.ranking import tables
from services.ranking.live import Live
from services.ranking.progress import Progress, open_seats, progress
from services.ranking.projections import (
    Book,
    Card,
    EntrantRow,
    MatchRow,
    Since,
    Sum,
    Told,
    beside,
    book,
    books,
    cards,
    decided,
    entrants,
    match,
    match_key,
    matches,
    stretch_key,
    stretches,
    sum_of,
)
from services.ranking.reasons import Reason, reasons
from services.ranking.tables import BracketPart, Table
from services.ranking.unions import Totals, struck, totals_of, with_struck
from shared.contracts.programme import boards_of, event_id, parted
from shared.eventsourcing.clock import Clock, from_micros, to_micros
from shared.eventsourcing.generations import Reader
from shared.eventsourcing.ports import Codec
from shared.rules.formats.crosstable import CrossRow
from shared.rules.formats.prizes import Given
from shared.rules.formats.stages import CARDS
from shared.rules.regulations.preset import Preset
from shared.rules.regulations.schema import AnyPreset
from shared.web.listening import Listeners

REMEMBERED = 32
"""Books and tables kept in memory: of 1,000 teams each has some MB."""
SUMS = 4_000
"""Sums of matches kept in memory."""
V = TypeVar("V")

_POSITION = re.compile(r"(registration|match|appeals):([1-9][0-9]{0,14})")
_UNQUOTED_PLUS = re.compile(r" (\d\d:\d\d)$")


class Moment(msgspec.Struct, frozen=True, kw_only=True):
    """A competition at an instant. `as_of` is None for the present; `rows` are the matches of its open round, by match,
    and `sums` what they make; `source` tells where the book is from, so that equal books are told apart by nothing
    else than their positions and who is struck from them, which rests on the positions `rested`."""

    book: Book
    instant: datetime
    as_of: str | None
    rows: dict[str, MatchRow]
    sums: dict[str, Sum | None]
    source: int
    rested: dict[str, int] = {}

    @property
    def preset(self) -> AnyPreset:
        return tables.preset_of(self.book)

    @property
    def positions(self) -> dict[str, int]:
        """The position of the last event that counts here, by service."""
        placed = [self.book.positions, self.rested, *(row.positions for row in self.rows.values())]
        return {
            service: max(positions.get(service, 0) for positions in placed)
            for service in ("registration", "match", "appeals")
        }

    @property
    def progress(self) -> list[Progress]:
        """The tables of the open round."""
        return progress(self.book, self.preset, self.rows, self.sums)


class Bound(msgspec.Struct, frozen=True, kw_only=True):
    """The part of the log up to a moment: of each topic what was recorded by then, of one perhaps only up to a
    position, since events recorded together share their time."""

    recorded_at: int
    service: str = ""
    position: int = 0

    def of(self, told: Iterable[Told]) -> Iterator[Told]:
        """The events that it holds."""
        return filter(self._holds, told)

    def _holds(self, event: Told) -> bool:
        return self.holds(event.service, event.position, event.recorded_at)

    def holds(self, service: str, position: int, recorded_at: int) -> bool:
        """Whether it holds an event of a service that was recorded so."""
        return position <= self.position if service == self.service else recorded_at <= self.recorded_at


class Union(msgspec.Struct, frozen=True, kw_only=True):
    """Team totals, and what they rest on: the moments of the competition and of its events that had begun, as
    `union.points` names them, and the position in registration up to which entries count."""

    moment: Moment
    events: dict[str, Moment]
    totals: Totals
    entered: int

    @property
    def positions(self) -> dict[str, int]:
        """The position of the last event that counts here, by service."""
        rested = [self.moment.positions, *(found.positions for found in self.events.values())]
        last = {service: max(positions[service] for positions in rested) for service in self.moment.positions}
        return last | {"registration": max(last["registration"], self.entered)}


class Ranking:
    """The reads of the ranking service."""

    def __init__(self, reader: Reader, codec: Codec, clock: Clock) -> None:
        self._reader = reader
        self._codec = codec
        self._clock = clock
        self._books: Remembered[Book] = Remembered(REMEMBERED)
        self._tables: Remembered[Any] = Remembered(REMEMBERED)
        self._sums: Remembered[Sum | None] = Remembered(SUMS)
        self.live = Live(reader)
        self.listeners = Listeners()

    def moment(self, competition: str, as_of: str | None = None) -> Moment:
        """The competition now, or as of a time or position. Raises NoSuchCompetition, NotAnnouncedThen,
        NoSuchPosition, BadAsOf, AsOfInFuture."""
        self.check_known(competition)
        events = list(self._events(competition).values())
        bound = None if as_of is None else self._bound(sorted({competition, *events}), as_of)
        found = self._at(competition, as_of, bound)
        if not found.book.regulation:
            raise refuse.NotAnnouncedThen(competition=competition, as_of=msgspec.to_builtins(found.instant))
        return self._without_cancelled(found, events, bound)

    def check_known(self, competition: str) -> None:
        """Raises NoSuchCompetition."""
        self._card(competition)

    def table(self, moment: Moment, after_round: int | None) -> Table:
        """The standings of a moment. Raises RoundNotClosed."""
        found: Table = self._computed(moment, after_round, tables.table)
        return found

    def cross(self, moment: Moment, after_round: int | None) -> list[CrossRow]:
        """The crosstable of a moment. Raises RoundNotClosed."""
        found: list[CrossRow] = self._computed(moment, after_round, tables.cross)
        return found

    def brackets(self, moment: Moment, after_round: int | None) -> list[BracketPart]:
        """The brackets of a moment. Raises RoundNotClosed."""
        found: list[BracketPart] = self._computed(moment, after_round, tables.brackets)
        return found

    def prizes(self, moment: Moment) -> list[Given]:
        """The prize list of a moment, empty until the final places are put forward."""
        return tables.prizes(moment.book)

    def totals(self, competition: str, as_of: str | None = None) -> Union:
        """The team totals of a competition, now or as of a time or a position of any of its events. Raises NoTeamTotals
        and what `moment` does."""
        preset = tables.preset_of(self._book(self._reader.live(), self._card(competition)))
        ids = self._events(competition)
        if not isinstance(preset, Preset) or not ids or parted(competition)[1] != CARDS:
            raise refuse.NoTeamTotals(competition=competition)
        bound = None if as_of is None else self._bound(sorted({competition, *ids.values()}), as_of)
        moment = self._at(competition, as_of, bound)
        begun = self._begun(ids.values())
        moments = {code: self._at(id, as_of, bound) for code, id in ids.items() if id in begun}
        moments = {code: found for code, found in moments.items() if found.book.regulation}
        entered = self._entered(competition, bound)
        books = {code: found.book for code, found in moments.items()}
        return Union(
            moment=moment,
            events=moments,
            totals=totals_of(preset, books, [since.entrant for since in entered]),
            entered=max((since.position for since in entered), default=0),
        )

    def reasons(self, moment: Moment, after_round: int | None) -> list[Reason]:
        """Why the standings of a moment are provisional. Raises RoundNotClosed."""
        return reasons(
            moment.book, moment.preset, self.table(moment, after_round), moment.instant, latest=after_round is None
        )

    def _events(self, competition: str) -> dict[str, str]:
        """By event as `union.points` names them, the competitions whose places make team totals with this one's; none
        where there are no such."""
        announced = parted(competition)[0]
        card = self._reader.get(cards, announced)
        if card is None or not card.regulation:
            return {}
        preset = tables.preset_of(self._book(self._reader.live(), card))
        if not isinstance(preset, Preset) or preset.union is None:
            return {}
        boards = boards_of(preset)
        return {code: event_id(announced, code if code in boards else CARDS) for code in preset.union.points.value}

    def _begun(self, competitions: Iterable[str]) -> dict[str, Card]:
        found = self._reader.many(cards, sorted(set(competitions)))
        return {id: card for id, card in found.items() if card.regulation}

    def _entered(self, competition: str, bound: Bound | None) -> list[Since]:
        """The entries of an announced competition."""
        rows = self._reader.find(entrants, {"competition": competition}, "_id")
        return [since for row in rows if (since := _as_it_was(row, bound)) is not None]

    def _without_cancelled(self, moment: Moment, events: Sequence[str], bound: Bound | None) -> Moment:
        """The moment of one of these events, those struck whose entry's results are cancelled because of any."""
        books_ = [self._alone(card, bound) for card in self._begun(events).values()]
        entered = self._entered(parted(moment.book.id)[0], bound) if books_ else []
        out = struck(books_, [since.entrant for since in entered])
        if not books_ or (not out and moment.book.places is None):
            return moment
        told = [found.positions for found in books_ if out and found.disqualified]
        broken = [{"registration": since.position} for since in entered if out and since.entrant.broken]
        rested = {
            service: max(positions.get(service, 0) for positions in [*told, *broken])
            for service in ("registration", "match", "appeals")
            if told or broken
        }
        return msgspec.structs.replace(moment, book=with_struck(moment.book, out), rested=rested)

    def _alone(self, card: Card, bound: Bound | None) -> Book:
        """An event as its own streams tell it, now or as of a bound."""
        if bound is None:
            return self._book(self._reader.live(), card)
        return book.retold(card.id, bound.of(self._told(card.id)), self._codec)

    def _at(self, competition: str, as_of: str | None, bound: Bound | None) -> Moment:
        """The competition now, or as of a bound, when it had no regulation perhaps."""
        return self._now(competition) if bound is None else self._then(competition, as_of, bound)

    def _now(self, competition: str) -> Moment:
        generation = self._reader.live()
        found = self._book(generation, self._card(competition))
        announced, event = parted(competition)
        if event != CARDS:
            found = beside(found, self._book(generation, self._card(announced)))
        keys = {match_key(competition, seat.match): seat.match for _, seat in open_seats(found)}
        rows = {keys[key]: row for key, row in self._reader.many(matches, list(keys)).items()}
        return Moment(
            book=found,
            instant=self._clock.now(),
            as_of=None,
            rows=rows,
            sums={name: self._sum(generation, row) for name, row in rows.items()},
            source=generation,
        )

    def _card(self, competition: str) -> Card:
        card = self._reader.get(cards, competition)
        if card is None or not card.regulation:
            raise refuse.NoSuchCompetition(competition=competition)
        return card

    def _sum(self, generation: int, row: MatchRow) -> Sum | None:
        return self._sums.get((generation, row.id, *sorted(row.positions.items())), lambda: sum_of(row))

    def _book(self, generation: int, card: Card) -> Book:
        def fetch() -> Book:
            return self._reader.get(books, card.id) or books.blank(card.id)

        return self._books.get((generation, card.id, *sorted(card.positions.items())), fetch)

    def _then(self, competition: str, as_of: str | None, bound: Bound) -> Moment:
        told = self._told(competition)
        if not told:
            raise refuse.NoSuchCompetition(competition=competition)
        found = book.retold(competition, bound.of(told), self._codec)
        announced, event = parted(competition)
        if event != CARDS:
            found = beside(found, book.retold(announced, bound.of(self._told(announced)), self._codec))
        instant = from_micros(bound.recorded_at)
        keys = {match_key(competition, seat.match): seat.match for _, seat in open_seats(found)}
        rows = {}
        for key, now in self._reader.many(matches, list(keys)).items():
            row = match.retold(key, bound.of(now.told), self._codec)
            if row.positions:
                rows[keys[key]] = row
        sums = {name: sum_of(row) for name, row in rows.items()}
        return Moment(book=found, instant=instant, as_of=as_of, rows=rows, sums=sums, source=0)

    def _told(self, competition: str) -> list[Told]:
        return [one for row in self._reader.find(decided, {"competition": competition}, "_id") for one in row.told]

    def _bound(self, competitions: Sequence[str], as_of: str) -> Bound:
        """The part of the log up to a time, or to a position that is of one of these."""
        if found := _POSITION.fullmatch(as_of):
            service, position = found[1], int(found[2])
            keys = [stretch_key(competition, service, position) for competition in competitions]
            for row in self._reader.many(stretches, keys).values():
                for happened in row.events:
                    if happened.position == position:
                        return Bound(recorded_at=happened.recorded_at, service=service, position=position)
            raise refuse.NoSuchPosition(position=as_of)
        instant, now = _instant(as_of), self._clock.now()
        if instant > now:
            raise refuse.AsOfInFuture("/query/as_of", as_of=msgspec.to_builtins(instant), now=msgspec.to_builtins(now))
        return Bound(recorded_at=to_micros(instant))

    def _computed(self, moment: Moment, after_round: int | None, compute: Callable[[Book, int | None], Any]) -> Any:
        place = (moment.source, moment.book.id, *sorted(moment.book.positions.items()), *moment.book.struck)
        return self._tables.get((compute.__name__, after_round, *place), lambda: compute(moment.book, after_round))


class Remembered(Generic[V]):
    """The values asked for last, by key; a key always means the same value. For any number of threads."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._values: OrderedDict[Hashable, V] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, key: Hashable, make: Callable[[], V]) -> V:
        """The value of a key, made if it is not remembered. Two threads may make it at once."""
        with self._lock:
            if key in self._values:
                self._values.move_to_end(key)
                return self._values[key]
        value = make()
        with self._lock:
            self._values[key] = value
            if len(self._values) > self._size:
                self._values.popitem(last=False)
        return value


def _as_it_was(row: EntrantRow, bound: Bound | None) -> Since | None:
    """An entry now, or as of a bound; None where it was not entered yet."""
    states = [one for one in row.states if bound is None or bound.holds("registration", one.position, one.recorded_at)]
    return states[-1] if states else None


def _instant(text: str) -> datetime:
    """A time with its zone, in UTC; a `+` that a query string made a blank is one again. Raises BadAsOf."""
    try:
        instant = datetime.fromisoformat(_UNQUOTED_PLUS.sub(r"+\1", text))
        if instant.tzinfo is None:
            raise refuse.BadAsOf("/query/as_of")
        return instant.astimezone(UTC)
    except (ValueError, OverflowError) as error:
        raise refuse.BadAsOf("/query/as_of") from error
