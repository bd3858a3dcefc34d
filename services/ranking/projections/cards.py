"""One small row per competition for lists. Its positions move whenever the book's do, and after them: a reader who
fetched the book when the card was at these positions need not fetch it again."""

from __future__ import annotations

import msgspec

from services.ranking.projections.books import book
from services.ranking.projections.folding import Folds, Placed
from shared.contracts.match import (
    DrawMade,
    PlacesDeclared,
    PlacesProposed,
    RoundClosed,
    RoundPaired,
    RoundReopened,
    RoundUnpaired,
    RulingApplied,
    SeedCommitted,
)
from shared.contracts.registration import (
    CompetitionAmended,
    CompetitionAnnounced,
    CompetitionCancelled,
    EntriesClosed,
    EntriesOpened,
)
from shared.eventsourcing.projector import View
from shared.rules.formats.stages import CARDS

LISTED = "competitions"


class Card(Placed, msgspec.Struct, kw_only=True):
    """A competition in a list. `closed` are its closed rounds. `listed` only once its announcement has arrived, or of
    an event at a board the commitment of its seed."""

    name: str = ""
    event: str = CARDS
    regulation: str = ""
    entries: str = ""
    cancelled: bool = False
    rehearsal: bool = False
    listed: str = ""
    teams: int = 0
    planned: int = 0
    paired: int = 0
    closed: list[int] = []
    places: str = ""

    @property
    def status(self) -> str:
        """cancelled, declared, proposed, finished, in_play, drawn, entries_closed, entries_open or announced."""
        if self.cancelled:
            return "cancelled"
        if self.places:
            return self.places
        if self.paired:
            return "finished" if len(self.closed) >= self.planned else "in_play"
        return "drawn" if self.teams else self.entries or "announced"


def card_beside(own: Card, announced: Card) -> Card:
    """An event at a board in a list, with what registration said of the competition that it is one of."""
    told = {name: getattr(announced, name) for name in ("name", "entries", "cancelled", "rehearsal")}
    return msgspec.structs.replace(own, **told)


cards: View[Card] = View("cards", Card, indexes=(("listed", "_id"),))
card: Folds[Card] = Folds(cards, key=lambda event: str(event.competition))


@card.on(CompetitionAnnounced)
def announced(row: Card, event: CompetitionAnnounced) -> None:
    row.name, row.regulation, row.listed = event.name, event.regulation, LISTED
    row.rehearsal = event.rehearsal


@card.on(CompetitionAmended)
def amended(row: Card, event: CompetitionAmended) -> None:
    row.name = event.after.get("name", row.name)


@card.on(CompetitionCancelled)
def cancelled(row: Card, _event: CompetitionCancelled) -> None:
    row.cancelled = True


@card.on(EntriesOpened)
def entries_opened(row: Card, _event: EntriesOpened) -> None:
    row.entries = "entries_open"


@card.on(EntriesClosed)
def entries_closed(row: Card, _event: EntriesClosed) -> None:
    row.entries = "entries_closed"


@card.on(SeedCommitted)
def seed_committed(row: Card, event: SeedCommitted) -> None:
    if event.event != CARDS:
        row.event, row.regulation, row.listed = event.event, event.regulation, LISTED


@card.on(DrawMade)
def drawn(row: Card, event: DrawMade) -> None:
    row.teams = len(event.teams)


@card.on(RoundPaired)
def paired(row: Card, event: RoundPaired) -> None:
    row.paired, row.planned, row.places = event.round, event.rounds_planned, ""
    row.closed = [number for number in row.closed if number < event.round]


@card.on(RoundUnpaired)
def unpaired(row: Card, event: RoundUnpaired) -> None:
    row.paired, row.places = event.round - 1, ""


@card.on(RoundClosed)
def closed(row: Card, event: RoundClosed) -> None:
    row.closed = sorted({*row.closed, event.round})


@card.on(RoundReopened)
def reopened(row: Card, event: RoundReopened) -> None:
    row.closed, row.places = [number for number in row.closed if number != event.round], ""


@card.on(RulingApplied)
def ruled(row: Card, event: RulingApplied) -> None:
    if event.remedy.kind == "replay_match":
        row.closed = [number for number in row.closed if number != event.round]
    if event.later is not None and event.later.choice == "replay_from" and event.later.round:
        row.paired = event.later.round - 1
        row.closed = [number for number in row.closed if number < event.later.round]


@card.on(PlacesProposed)
def proposed(row: Card, _event: PlacesProposed) -> None:
    row.places = "proposed"


@card.on(PlacesDeclared)
def declared(row: Card, _event: PlacesDeclared) -> None:
    row.places = "declared"


@card.on(*(event for event in book.events if event not in card.events))
def placed(_row: Card, _event: object) -> None:
    """Only the position moves."""
