"""What registration and match have said of competitions, teams and rounds, each in rows and fields of its own."""

from __future__ import annotations

import msgspec

from services.appeals.projections.fields import Fields, plain
from shared.contracts.fact import Team
from shared.contracts.match import (
    DrawMade,
    MatchOpened,
    ResultsPosted,
    RoundClosed,
    RoundPaired,
    RoundReopened,
    RoundUnpaired,
    RulingApplied,
)
from shared.contracts.registration import CompetitionAmended, CompetitionAnnounced, CompetitionCancelled, EntrySubmitted
from shared.eventsourcing.projector import View
from shared.eventsourcing.records import Envelope
from shared.rules.appeals import resting

# Competitions and teams


class CompetitionRow(msgspec.Struct, kw_only=True):
    """What registration said of a competition."""

    id: str
    name: str = ""
    regulation: str = ""
    changes: Fields = {}
    cancelled_because: str | None = None
    rehearsal: bool = False


competitions: View[CompetitionRow] = View("competitions", CompetitionRow)


@competitions.on(CompetitionAnnounced)
def announced(row: CompetitionRow, event: CompetitionAnnounced, _at: Envelope) -> None:
    row.name, row.regulation, row.changes = event.name, event.regulation, plain(event.changes)
    row.rehearsal = event.rehearsal


@competitions.on(CompetitionAmended)
def amended(row: CompetitionRow, event: CompetitionAmended, _at: Envelope) -> None:
    row.name = event.after.get("name", row.name)


@competitions.on(CompetitionCancelled)
def cancelled(row: CompetitionRow, event: CompetitionCancelled, _at: Envelope) -> None:
    row.cancelled_because = event.reason


class TeamRow(msgspec.Struct, kw_only=True):
    """A team as registration entered it and as match drew it. `competition` and `unit` are the same from both; `parts`
    are those that its members have, None until registration has told of the entry."""

    id: str
    competition: str = ""
    team: str = ""
    unit: str = ""
    entered_name: str = ""
    parts: list[str] | None = None
    drawn_name: str = ""

    @property
    def name(self) -> str:
        return self.drawn_name or self.entered_name


def team_key(competition: str, team: str) -> str:
    """The id of a team's row."""
    return f"{competition}/{team}"


teams: View[TeamRow] = View("teams", TeamRow, indexes=(("competition", "unit", "_id"), ("competition", "_id")))


def _is(row: TeamRow, competition: str, team: Team) -> None:
    row.competition, row.team, row.unit = competition, team.id, team.unit


@teams.on(EntrySubmitted, keys=lambda e, _: [team_key(e.competition, e.team.id)])
def entered(row: TeamRow, event: EntrySubmitted, _at: Envelope) -> None:
    _is(row, event.competition, event.team)
    row.entered_name = event.team.name
    row.parts = sorted({member.part for member in event.members})


@teams.on(DrawMade, keys=lambda e, _: [team_key(e.competition, drawn.team.id) for drawn in e.teams])
def drawn(row: TeamRow, event: DrawMade, _at: Envelope) -> None:
    team = next(d.team for d in event.teams if team_key(event.competition, d.team.id) == row.id)
    _is(row, event.competition, team)
    row.drawn_name = team.name


@teams.on(MatchOpened, keys=lambda e, _: [team_key(e.competition, team.id) for team in e.teams])
def seated(row: TeamRow, event: MatchOpened, _at: Envelope) -> None:
    team = next(t for t in event.teams if team_key(event.competition, t.id) == row.id)
    _is(row, event.competition, team)
    row.drawn_name = team.name


# Rounds


class Round(msgspec.Struct, kw_only=True):
    """A paired round of a stage: its pairings, and when it was closed last and its results were posted, None while they
    are not."""

    number: int
    attempt: int
    matches: list[Fields]
    stage: str = ""
    closing: int = 0
    closed_at: str | None = None
    posted_at: str | None = None


class HallRow(msgspec.Struct, kw_only=True):
    """What match said of a competition as a whole: the teams drawn, and the rounds as they stand."""

    id: str
    teams: list[str] = []
    rounds: list[Round] = []

    def resting_on(self, number: int, match: str) -> dict[int, tuple[str, ...]]:
        """By later round the matches that rest on one (RULINGS, Appeals 6): in a bracket those of its teams, and of
        the teams that these met; a Swiss pairing rests on the whole table before it."""
        own = next((m for r in self.rounds if r.number == number for m in r.matches if m["match"] == match), None)
        later = {r.number: [(m["match"], tuple(m["teams"])) for m in r.matches] for r in self.rounds}
        return resting(later, number, own["teams"] if own and own.get("game") else None)

    def round_of(self, number: int, match: str) -> Round | None:
        """The round of a match; None where it was paired anew since, or undone."""
        found = (r for r in self.rounds if r.number == number and match in {m["match"] for m in r.matches})
        return next(found, None)


halls: View[HallRow] = View("halls", HallRow)


@halls.on(DrawMade)
def hall_drawn(row: HallRow, event: DrawMade, _at: Envelope) -> None:
    row.teams = [drawn.team.id for drawn in event.teams]


@halls.on(RoundPaired)
def paired(row: HallRow, event: RoundPaired, _at: Envelope) -> None:
    """A round that is paired anew takes the place of the old one, and of all that came after it."""
    row.rounds = [r for r in row.rounds if r.number < event.round]
    row.rounds.append(Round(number=event.round, attempt=event.attempt, matches=plain(event.matches), stage=event.stage))


@halls.on(RoundUnpaired)
def unpaired(row: HallRow, event: RoundUnpaired, _at: Envelope) -> None:
    row.rounds = [r for r in row.rounds if r.number < event.round]


@halls.on(RoundClosed)
def round_closed(row: HallRow, event: RoundClosed, _at: Envelope) -> None:
    for current in row.rounds:
        if current.number == event.round:
            current.closing, current.closed_at, current.posted_at = event.closing, plain(event.closed_at), None


@halls.on(ResultsPosted)
def results_posted(row: HallRow, event: ResultsPosted, _at: Envelope) -> None:
    for current in row.rounds:
        if current.number == event.round:
            current.posted_at = plain(event.posted_at)


@halls.on(RoundReopened)
def round_reopened(row: HallRow, event: RoundReopened, _at: Envelope) -> None:
    _reopen(row, event.round)


@halls.on(RulingApplied)
def hall_ruled(row: HallRow, event: RulingApplied, _at: Envelope) -> None:
    """A match that is to be replayed opens its round; a replay from a later round on undoes that and those after."""
    if event.remedy.kind == "replay_match":
        _reopen(row, event.round)
    if event.later is not None and event.later.round is not None:
        first = event.later.round
        row.rounds = [r for r in row.rounds if r.number < first]


def _reopen(row: HallRow, number: int) -> None:
    for current in row.rounds:
        if current.number == number:
            current.closed_at = current.posted_at = None
