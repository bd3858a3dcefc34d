"""One row per competition with all that decides its standings, each topic's part in fields of its own.

Standings are not stored: they are computed from this row by the one standings function when they are asked for (and
remembered by the row's positions). A stored table would need all of this row beside it to be recomputed from, and could
only ever differ from it by being wrong."""

from __future__ import annotations

from typing import Any

import msgspec

from services.ranking.projections.folding import Folds, Placed
from shared.contracts.appeals import (
    AppealDismissed,
    AppealFiled,
    AppealPartlyUpheld,
    AppealRefused,
    AppealUpheld,
    AppealWithdrawn,
    WaiverReceived,
)
from shared.contracts.fact import MatchResult, Team
from shared.contracts.match import (
    DrawMade,
    LotDrawn,
    Pairing,
    Place,
    PlacesDeclared,
    PlacesProposed,
    RoundClosed,
    RoundPaired,
    RoundReopened,
    RulingApplied,
    TeamWithdrawn,
)
from shared.contracts.registration import CompetitionAmended, CompetitionAnnounced, CompetitionCancelled
from shared.eventsourcing.projector import View


class Round(msgspec.Struct, kw_only=True):
    """A paired round. `results` are of its last closing, with the rulings since; `reopened` are the matches it stands
    open for although it was closed, `openings` how often each was reopened; `closings` how often it was closed, at
    `closed_at` for the last time."""

    number: int
    attempt: int
    pairings: list[Pairing]
    bye: str | None = None
    absent: list[str] = []
    open: bool = True
    closings: int = 0
    closed_at: str = ""
    results: list[MatchResult] = []
    reopened: list[str] = []
    openings: dict[str, int] = {}
    replays: list[str] = []

    def result(self, match: str) -> MatchResult | None:
        """The result that stands for a match; None before the closing and while it is open again."""
        if match in self.reopened:
            return None
        return next((result for result in self.results if result.match == match), None)

    def reopen(self, matches: tuple[str, ...]) -> None:
        self.open = True
        for match in matches:
            self.openings[match] = self.openings.get(match, 0) + 1
        self.reopened = sorted({*self.reopened, *matches})


class Ruling(msgspec.Struct, kw_only=True):
    """A decision that changed a match."""

    round: int
    match: str
    appeal: str
    remedy: str


class Places(msgspec.Struct, kw_only=True):
    """Final places put forward and, with `declared_by`, declared. `overtaken`: something decided since may change
    them."""

    after_round: int
    places: list[Place]
    proposed_by: str
    declared_by: str | None = None
    article: str = ""
    overtaken: bool = False


class Appeal(msgspec.Struct, kw_only=True):
    """An appeal that was lodged. `state`: undecided, upheld (a ruling follows, unless `remedy` is none) or settled."""

    state: str
    round: int = 0
    remedy: str = "none"


class Book(Placed, msgspec.Struct, kw_only=True):
    """A competition as the three topics tell it."""

    # registration
    name: str = ""
    regulation: str = ""
    changes: dict[str, Any] = {}
    cancelled: bool = False
    # match
    teams: list[Team] = []
    planned: int = 0
    rounds: list[Round] = []
    withdrawn: list[str] = []
    disqualified: list[str] = []
    lots: list[list[str]] = []
    rulings: list[Ruling] = []
    places: Places | None = None
    # appeals
    appeals: dict[str, Appeal] = {}
    waivers: dict[str, int] = {}

    def round(self, number: int) -> Round:
        """A paired round. Raises LookupError for an event about a round that was never paired: it is no part of this
        log."""
        if not 1 <= number <= len(self.rounds):
            raise LookupError(f"{self.id}: round {number} of {len(self.rounds)}")
        return self.rounds[number - 1]

    def overtake(self) -> None:
        """What was decided now may change places that were put forward before."""
        if self.places is not None:
            self.places.overtaken = True


books: View[Book] = View("books", Book)
book: Folds[Book] = Folds(books, key=lambda event: str(event.competition))


# Registration


@book.on(CompetitionAnnounced)
def announced(row: Book, event: CompetitionAnnounced) -> None:
    row.name, row.regulation, row.changes = event.name, event.regulation, dict(event.changes)


@book.on(CompetitionAmended)
def amended(row: Book, event: CompetitionAmended) -> None:
    row.name = event.after.get("name", row.name)


@book.on(CompetitionCancelled)
def cancelled(row: Book, _event: CompetitionCancelled) -> None:
    row.cancelled = True


# Match


@book.on(DrawMade)
def drawn(row: Book, event: DrawMade) -> None:
    row.teams = [drawn.team for drawn in sorted(event.teams, key=lambda drawn: drawn.number)]


@book.on(RoundPaired)
def paired(row: Book, event: RoundPaired) -> None:
    """A round that is paired anew takes the place of the one before, and later ones with it."""
    if event.round > 1:
        row.round(event.round - 1)
    del row.rounds[event.round - 1 :]
    row.rounds.append(
        Round(
            number=event.round,
            attempt=event.attempt,
            pairings=list(event.matches),
            bye=event.bye,
            absent=list(event.absent),
        )
    )
    row.planned = event.rounds_planned
    row.overtake()


@book.on(RoundClosed)
def closed(row: Book, event: RoundClosed) -> None:
    current = row.round(event.round)
    current.results, current.bye, current.absent = list(event.results), event.bye, list(event.absent)
    current.open, current.closings = False, event.closing
    current.closed_at = msgspec.to_builtins(event.closed_at)
    current.reopened, current.replays = [], []
    row.overtake()


@book.on(RoundReopened)
def reopened(row: Book, event: RoundReopened) -> None:
    row.round(event.round).reopen(event.matches)
    row.overtake()


@book.on(RulingApplied)
def ruled(row: Book, event: RulingApplied) -> None:
    """From here on the result after the ruling is the match's; a match that is to be played again has none."""
    current = row.round(event.round)
    row.rulings.append(Ruling(round=event.round, match=event.match, appeal=event.appeal, remedy=event.remedy.kind))
    if event.remedy.kind == "replay_match":
        current.reopen((event.match,))
        current.replays = sorted({*current.replays, event.match})
    elif event.after is not None:
        current.results = [event.after if one.match == event.match else one for one in current.results]
    if event.remedy.kind == "disqualify_team" and event.remedy.team:
        row.disqualified = sorted({*row.disqualified, event.remedy.team})
    if event.later is not None and event.later.choice == "replay_from" and event.later.round:
        del row.rounds[event.later.round - 1 :]
    if event.remedy.kind != "none":
        row.overtake()


@book.on(TeamWithdrawn)
def withdrawn(row: Book, event: TeamWithdrawn) -> None:
    row.withdrawn = sorted({*row.withdrawn, event.team})


@book.on(LotDrawn)
def lot_drawn(row: Book, event: LotDrawn) -> None:
    row.lots.append(list(event.order))
    row.overtake()


@book.on(PlacesProposed)
def proposed(row: Book, event: PlacesProposed) -> None:
    row.places = Places(
        after_round=event.after_round, places=list(event.places), proposed_by=event.by, article=event.article
    )


@book.on(PlacesDeclared)
def declared(row: Book, event: PlacesDeclared) -> None:
    row.places = Places(
        after_round=row.places.after_round if row.places else len(row.rounds),
        places=list(event.places),
        proposed_by=event.proposed_by,
        declared_by=event.by,
        article=event.article,
    )


# Appeals


@book.on(AppealFiled)
def filed(row: Book, event: AppealFiled) -> None:
    row.appeals[event.appeal] = Appeal(state="undecided", round=event.round)


@book.on(AppealUpheld, AppealPartlyUpheld)
def upheld(row: Book, event: AppealUpheld | AppealPartlyUpheld) -> None:
    row.appeals[event.appeal] = Appeal(state="upheld", round=event.round, remedy=event.remedy.kind)


@book.on(AppealDismissed, AppealRefused, AppealWithdrawn)
def settled(row: Book, event: AppealDismissed | AppealRefused | AppealWithdrawn) -> None:
    row.appeals.setdefault(event.appeal, Appeal(state="settled")).state = "settled"


@book.on(WaiverReceived)
def waived(row: Book, event: WaiverReceived) -> None:
    row.waivers[event.team] = max(event.through_round, row.waivers.get(event.team, 0))
