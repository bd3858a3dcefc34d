"""One row per competition with all that decides its standings, each topic's part in fields of its own.

Standings are not stored: they are computed from this row by the one standings function when they are asked for, and
remembered by the row's positions. A stored table would need all of this row beside it to be recomputed from, and could
only ever differ from it by being wrong.

One row and not one a round, because standings must never be seen between two writes. It changes when a round does or a
penalty is given, not with a hand, and has about 150 bytes for each match: 0.6 MB for 1,000 teams after 9 rounds."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, cast

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
    ExtraHandOrdered,
    FinishVersionKept,
    HandVersionChosen,
    HandVersionKept,
    LotDrawn,
    MatchReopened,
    PenaltyIssued,
    PenaltyLifted,
    Place,
    PlacesDeclared,
    PlacesProposed,
    ResultsPosted,
    RoundClosed,
    RoundPaired,
    RoundReopened,
    RoundUnpaired,
    RulingApplied,
    RulingSetAside,
    SeedCommitted,
    StageDrawn,
    TeamDisqualified,
    TeamWithdrawn,
)
from shared.contracts.registration import CompetitionAmended, CompetitionAnnounced, CompetitionCancelled
from shared.eventsourcing.projector import View
from shared.rules.formats.competition import Status
from shared.rules.formats.stages import CARDS
from shared.rules.regulations.preset import Level


class Seat(msgspec.Struct, kw_only=True):
    """A match of a round with the result that stands for it: from the round's closing on, until it is reopened for it.
    Points and levels are in the order of `teams`, `how` it was decided as its result says. `part` and `game` are its
    place in a bracket, `board` which of the game's tables it is; `let_stand` the points with which the bracket goes on
    although a decision has changed them."""

    match: str
    table: int
    teams: tuple[str, str]
    part: str = ""
    game: str = ""
    board: int = 0
    let_stand: tuple[int, int] | None = None
    status: Status = "unfinished"
    points: tuple[int, int] | None = None
    levels: tuple[Level, Level] | None = None
    how: str = ""

    def settle(self, result: MatchResult) -> None:
        self.table, self.teams, self.status = result.table, result.teams, result.status
        self.points, self.levels = result.points, cast(tuple[Level, Level] | None, result.levels)
        self.how = result.how

    def reopen(self) -> None:
        self.status, self.points, self.levels, self.how = "unfinished", None, None, ""

    def absent(self) -> tuple[str, ...]:
        """Who did not come to it."""
        if self.how == "double_absence":
            return self.teams
        if self.how != "forfeit" or self.points is None:
            return ()
        return (self.teams[0 if self.points[0] < self.points[1] else 1],)


class Round(msgspec.Struct, kw_only=True):
    """A paired round. `closings` is how often it was closed, at `closed_at` for the last time; the last of its matches
    was at `matches_closed_at` and its results were posted at `posted_at`, empty where that is not told; `openings` is
    how often it was reopened for a match, `replays` the matches that are to be played again."""

    number: int
    attempt: int
    seats: list[Seat]
    stage: str = ""
    bye: str | None = None
    byes: list[str] = []
    absent: list[str] = []
    open: bool = True
    closings: int = 0
    closed_at: str = ""
    matches_closed_at: str = ""
    posted_at: str = ""
    openings: dict[str, int] = {}
    replays: list[str] = []

    def reopen(self, matches: Collection[str]) -> None:
        """These matches have no result until the round is closed again."""
        self.open = True
        for match in matches:
            self.openings[match] = self.openings.get(match, 0) + 1
        for seat in self.seats:
            if seat.match in matches:
                seat.reopen()


class Drawn(msgspec.Struct, kw_only=True):
    """A stage as drawn: seats by zone or group; `witness` of lots drawn in the hall."""

    stage: str
    parts: dict[str, list[str | None]]
    witness: str = ""


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
    """A competition as the three topics tell it. `fouls`: by match and penalty, the team that has it; `conflicts`: by
    match, the hands that came in several versions; `set_aside`: the appeals whose decision becomes no ruling;
    `struck`: who takes no place because the results of its entry are cancelled, which no event of this one tells. Of an
    event at a board `regulation` and `changes` are told by match, and name, cancelling and rehearsal stand in the book
    of the competition that it is one of (`beside`)."""

    # registration
    name: str = ""
    regulation: str = ""
    changes: dict[str, Any] = {}
    cancelled: bool = False
    rehearsal: bool = False
    # match
    event: str = CARDS
    teams: list[Team] = []
    seed: str = ""
    seeded: list[str] = []
    draws: list[Drawn] = []
    planned: int = 0
    rounds: list[Round] = []
    withdrawn: list[str] = []
    disqualified: list[str] = []
    struck: list[str] = []
    lots: list[list[str]] = []
    fouls: dict[str, dict[str, str]] = {}
    conflicts: dict[str, list[int]] = {}
    rulings: list[Ruling] = []
    set_aside: list[str] = []
    places: Places | None = None
    # appeals
    appeals: dict[str, Appeal] = {}
    waivers: dict[str, list[str]] = {}

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


def beside(own: Book, announced: Book) -> Book:
    """The book of an event at a board, with what registration said of the competition that it is one of."""
    return msgspec.structs.replace(
        own,
        name=announced.name,
        cancelled=announced.cancelled,
        rehearsal=announced.rehearsal,
        positions={**own.positions, "registration": announced.positions.get("registration", 0)},
    )


books: View[Book] = View("books", Book)
book: Folds[Book] = Folds(books, key=lambda event: str(event.competition))


# Registration


@book.on(CompetitionAnnounced)
def announced(row: Book, event: CompetitionAnnounced) -> None:
    row.name, row.regulation, row.changes = event.name, event.regulation, dict(event.changes)
    row.rehearsal = event.rehearsal


@book.on(CompetitionAmended)
def amended(row: Book, event: CompetitionAmended) -> None:
    row.name = event.after.get("name", row.name)


@book.on(CompetitionCancelled)
def cancelled(row: Book, _event: CompetitionCancelled) -> None:
    row.cancelled = True


# Match


@book.on(SeedCommitted)
def seed_committed(row: Book, event: SeedCommitted) -> None:
    if event.event != CARDS:
        row.event, row.regulation, row.changes = event.event, event.regulation, dict(event.changes)


@book.on(DrawMade)
def drawn(row: Book, event: DrawMade) -> None:
    row.teams = [drawn.team for drawn in sorted(event.teams, key=lambda drawn: drawn.number)]
    row.seed, row.seeded = event.seed, list(event.seeded)
    if event.stage:
        row.draws = [_draw(event)]


@book.on(StageDrawn)
def stage_drawn(row: Book, event: StageDrawn) -> None:
    row.draws = [*(drawn for drawn in row.draws if drawn.stage != event.stage), _draw(event)]


def _draw(event: DrawMade | StageDrawn) -> Drawn:
    parts = {part: list(seats) for part, seats in event.parts.items()}
    return Drawn(stage=event.stage, parts=parts, witness=event.witness)


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
            seats=[
                Seat(match=one.match, table=one.table, teams=one.teams, part=one.part, game=one.game, board=one.board)
                for one in event.matches
            ],
            stage=event.stage,
            bye=event.bye,
            byes=list(event.byes) or [team for team in (event.bye,) if team is not None],
            absent=list(event.absent),
        )
    )
    row.planned = event.rounds_planned
    row.overtake()


@book.on(RoundUnpaired)
def unpaired(row: Book, event: RoundUnpaired) -> None:
    row.round(event.round)
    del row.rounds[event.round - 1 :]
    row.overtake()


@book.on(RoundClosed)
def closed(row: Book, event: RoundClosed) -> None:
    current, results = row.round(event.round), {result.match: result for result in event.results}
    for seat in current.seats:
        seat.settle(results[seat.match])
    current.bye, current.absent, current.replays = event.bye, list(event.absent), []
    current.open, current.closings = False, event.closing
    current.closed_at, current.posted_at = msgspec.to_builtins(event.closed_at), ""
    current.matches_closed_at = msgspec.to_builtins(event.matches_closed_at) or ""
    row.overtake()


@book.on(ResultsPosted)
def posted(row: Book, event: ResultsPosted) -> None:
    row.round(event.round).posted_at = msgspec.to_builtins(event.posted_at)


@book.on(ExtraHandOrdered)
def goes_on(row: Book, event: ExtraHandOrdered) -> None:
    row.round(event.round).reopen(event.matches)


@book.on(RoundReopened)
def reopened(row: Book, event: RoundReopened) -> None:
    row.round(event.round).reopen(event.matches)
    row.overtake()


@book.on(RulingApplied)
def ruled(row: Book, event: RulingApplied) -> None:
    """From here on the result after the ruling is the match's; a match that is to be played again has none, and one
    that is open has it at the next closing."""
    current = row.round(event.round)
    row.rulings.append(Ruling(round=event.round, match=event.match, appeal=event.appeal, remedy=event.remedy.kind))
    if event.remedy.kind == "replay_match":
        current.reopen((event.match,))
        current.replays = sorted({*current.replays, event.match})
    elif event.after is not None:
        for seat in current.seats:
            if seat.match == event.match and seat.status != "unfinished":
                seat.settle(event.after)
    if event.remedy.kind == "disqualify_team" and event.remedy.team:
        row.disqualified = sorted({*row.disqualified, event.remedy.team})
    if event.later is not None and event.later.choice == "replay_from" and event.later.round:
        del row.rounds[event.later.round - 1 :]
    if event.later is not None and event.later.choice == "let_stand" and event.before is not None:
        for seat in current.seats:
            if seat.match == event.match and seat.let_stand is None:
                seat.let_stand = event.before.points
    if event.remedy.kind != "none":
        row.overtake()


@book.on(RulingSetAside)
def set_aside(row: Book, event: RulingSetAside) -> None:
    row.set_aside = sorted({*row.set_aside, event.appeal})


@book.on(PenaltyIssued)
def issued(row: Book, event: PenaltyIssued) -> None:
    row.fouls.setdefault(event.match, {})[event.penalty] = event.team


@book.on(PenaltyLifted)
def lifted(row: Book, event: PenaltyLifted) -> None:
    row.fouls.get(event.match, {}).pop(event.penalty, None)


@book.on(HandVersionKept, FinishVersionKept)
def in_conflict(row: Book, event: HandVersionKept | FinishVersionKept) -> None:
    row.conflicts[event.match] = sorted({*row.conflicts.get(event.match, []), event.hand})


@book.on(HandVersionChosen)
def chosen(row: Book, event: HandVersionChosen) -> None:
    left = [hand for hand in row.conflicts.pop(event.match, []) if hand != event.hand]
    if left:
        row.conflicts[event.match] = left


@book.on(MatchReopened)
def match_reopened(row: Book, event: MatchReopened) -> None:
    if event.replay:
        row.conflicts.pop(event.match, None)


@book.on(TeamDisqualified)
def disqualified(row: Book, event: TeamDisqualified) -> None:
    row.disqualified = sorted({*row.disqualified, event.team})
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
    """By team, of each round from the first the closing that it waived to appeal over; the later waiver counts."""
    closings: list[str] = msgspec.to_builtins(event.closed_at)
    row.waivers[event.team] = [*closings, *row.waivers.get(event.team, [])[len(closings) :]]
