"""The read model of appeals: what registration and match have said of competitions, teams, rounds and matches, and
the desk's own appeals, books and waivers. No row mixes what two services said in one field."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any

import msgspec

from services.appeals.ledger import Waiver, book, postings
from shared.contracts.appeals import (
    AppealAccepted,
    AppealDismissed,
    AppealDrafted,
    AppealFiled,
    AppealHeard,
    AppealPartlyUpheld,
    AppealRefused,
    AppealUpheld,
    AppealWithdrawn,
    DepositConfirmed,
    DepositForfeited,
    DepositReceived,
    DepositRefunded,
    ReportReceived,
    WaiverReceived,
)
from shared.contracts.fact import Team
from shared.contracts.match import (
    DrawMade,
    HandCorrected,
    HandPlayed,
    MatchClosed,
    MatchForfeited,
    MatchOpened,
    MatchReopened,
    PenaltyIssued,
    PenaltyLifted,
    ResultsPosted,
    RoundClosed,
    RoundPaired,
    RoundReopened,
    RulingApplied,
)
from shared.contracts.registration import CompetitionAnnounced, CompetitionCancelled, EntrySubmitted
from shared.eventsourcing.projector import Projection, View
from shared.eventsourcing.records import Envelope

Fields = dict[str, Any]


def _plain(value: Any) -> Any:
    return msgspec.to_builtins(value)


# Competitions and teams


class CompetitionRow(msgspec.Struct, kw_only=True):
    """What registration said of a competition."""

    id: str
    name: str = ""
    regulation: str = ""
    changes: Fields = {}
    cancelled_because: str | None = None


competitions: View[CompetitionRow] = View("competitions", CompetitionRow)


@competitions.on(CompetitionAnnounced)
def announced(row: CompetitionRow, event: CompetitionAnnounced, _at: Envelope) -> None:
    row.name, row.regulation, row.changes = event.name, event.regulation, _plain(event.changes)


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
    """A paired round: its pairings, and when it was closed last and its results were posted, None while they are
    not."""

    number: int
    attempt: int
    matches: list[Fields]
    closing: int = 0
    closed_at: str | None = None
    posted_at: str | None = None


class HallRow(msgspec.Struct, kw_only=True):
    """What match said of a competition as a whole: the teams drawn, and the rounds as they stand."""

    id: str
    teams: list[str] = []
    rounds: list[Round] = []

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
    row.rounds.append(Round(number=event.round, attempt=event.attempt, matches=_plain(event.matches)))


@halls.on(RoundClosed)
def round_closed(row: HallRow, event: RoundClosed, _at: Envelope) -> None:
    for current in row.rounds:
        if current.number == event.round:
            current.closing, current.closed_at, current.posted_at = event.closing, _plain(event.closed_at), None


@halls.on(ResultsPosted)
def results_posted(row: HallRow, event: ResultsPosted, _at: Envelope) -> None:
    for current in row.rounds:
        if current.number == event.round:
            current.posted_at = _plain(event.posted_at)


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


# Matches, for the committee to read


class MatchRow(msgspec.Struct, kw_only=True):
    """A match as match has it: hands and penalties with who entered them, closings, rulings. What was played before a
    replay stays, marked `void`."""

    id: str
    competition: str = ""
    match: str = ""
    round: int = 0
    table: int = 0
    teams: list[str] = []
    hands: list[Fields] = []
    penalties: list[Fields] = []
    closings: list[Fields] = []
    open: bool = True
    rulings: list[Fields] = []

    @property
    def closed_at(self) -> datetime | None:
        """When it was closed last, None while it is open."""
        return None if self.open else msgspec.convert(self.closings[-1]["closed_at"], datetime)


def match_key(competition: str, match: str) -> str:
    """The id of a match's row; match ids are unique in their competition only."""
    return f"{competition}/{match}"


matches: View[MatchRow] = View("matches", MatchRow)


def _of_match(event: Any, _at: Envelope) -> Iterable[str]:
    return (match_key(event.competition, event.match),)


@matches.on(RoundPaired, keys=lambda e, _: [match_key(e.competition, pairing.match) for pairing in e.matches])
def match_paired(row: MatchRow, event: RoundPaired, _at: Envelope) -> None:
    pairing = next(p for p in event.matches if match_key(event.competition, p.match) == row.id)
    row.competition, row.match, row.round = event.competition, pairing.match, event.round
    row.table, row.teams = pairing.table, list(pairing.teams)


@matches.on(HandPlayed, keys=_of_match)
def hand_played(row: MatchRow, event: HandPlayed, at: Envelope) -> None:
    row.hands.append(
        {
            "hand": event.hand,
            "facts": _plain(event.facts),
            "accounts": [event.by],
            "entered_at": _plain(at.received_at),
            "corrections": [],
            "annulled": False,
            "void": False,
        }
    )


@matches.on(HandCorrected, keys=_of_match)
def hand_corrected(row: MatchRow, event: HandCorrected, at: Envelope) -> None:
    correction = {"before": _plain(event.before), "after": _plain(event.after), "by": event.by, "reason": event.reason}
    for hand in _standing(row.hands, "hand", event.hand):
        hand["facts"] = _plain(event.after)
        hand["accounts"] = [*dict.fromkeys([*hand["accounts"], event.by])]
        hand["corrections"].append(correction | {"at": _plain(at.received_at)})


@matches.on(PenaltyIssued, keys=_of_match)
def penalty_issued(row: MatchRow, event: PenaltyIssued, at: Envelope) -> None:
    facts = _plain(event)
    said = ("penalty", "hand", "pair", "team", "code", "name", "cards", "points", "effects", "article", "reason", "by")
    row.penalties.append(
        {name: facts[name] for name in said}
        | {"issued_at": _plain(at.received_at), "lifted_because": None, "void": False}
    )


@matches.on(PenaltyLifted, keys=_of_match)
def penalty_lifted(row: MatchRow, event: PenaltyLifted, _at: Envelope) -> None:
    for penalty in _standing(row.penalties, "penalty", event.penalty):
        penalty["lifted_because"] = event.reason


@matches.on(MatchForfeited, keys=_of_match)
@matches.on(MatchClosed, keys=_of_match)
def match_closed(row: MatchRow, event: MatchClosed | MatchForfeited, at: Envelope) -> None:
    row.closings.append({"result": _plain(event.result), "by": event.by, "closed_at": _plain(at.received_at)})
    row.open = False


@matches.on(MatchReopened, keys=_of_match)
def match_reopened(row: MatchRow, event: MatchReopened, _at: Envelope) -> None:
    row.open = True
    if event.replay:
        for entry in (*row.hands, *row.penalties):
            entry["void"] = True


@matches.on(RulingApplied, keys=_of_match)
def ruled(row: MatchRow, event: RulingApplied, at: Envelope) -> None:
    facts = _plain(event)
    said = ("remedy", "before", "after", "appeal", "reason", "article", "later", "by")
    row.rulings.append({name: facts[name] for name in said} | {"at": _plain(at.received_at)})
    remedy = event.remedy
    for hand in _standing(row.hands, "hand", remedy.hand):
        if remedy.kind == "correct_hand":
            hand["facts"] = _plain(remedy.facts)
        hand["annulled"] = hand["annulled"] or remedy.kind == "annul_hand"
    for penalty in _standing(row.penalties, "penalty", remedy.penalty):
        penalty["lifted_because"] = event.reason


def _standing(entries: list[Fields], name: str, value: Any) -> list[Fields]:
    """The entries that go by this number or id and were not made void by a replay."""
    return [entry for entry in entries if entry[name] == value and not entry["void"]]


# Appeals


class AppealRow(msgspec.Struct, kw_only=True):
    """An appeal as its stream and the ledger tell it. `version` is its stream's; `order` sorts by when it was begun;
    `listed` is its competition once it is lodged, for what everyone may see; `open` while it is neither decided nor
    over."""

    id: str
    version: int = 0
    competition: str = ""
    appeal: str = ""
    match: str = ""
    round: int = 0
    team: str = ""
    grounds: str = ""
    asks_for: Fields = {}
    begun_at: str = ""
    begun_by: str = ""
    appellant: str | None = None
    officer: str = ""
    order: str = ""
    listed: str = ""
    open: bool = True
    status: str = ""
    reports: list[Fields] = []
    deposit: Fields | None = None
    filed: Fields | None = None
    accepted: Fields | None = None
    hearings: list[Fields] = []
    ended: Fields | None = None


def appeal_key(competition: str, appeal: str) -> str:
    """The id of an appeal's row."""
    return f"{competition}/{appeal}"


def _of_appeal(event: Any, _at: Envelope) -> Iterable[str]:
    return (appeal_key(event.competition, event.appeal),)


appeals: View[AppealRow] = View(
    "appeals",
    AppealRow,
    indexes=(
        ("listed", "order"),
        ("competition", "order"),
        ("competition", "team", "order"),
        ("competition", "open", "order"),
    ),
)


@appeals.on(AppealDrafted, keys=_of_appeal)
def drafted(row: AppealRow, event: AppealDrafted, at: Envelope) -> None:
    facts = _plain(event)
    for name in ("competition", "appeal", "match", "round", "team", "grounds", "asks_for", "begun_at"):
        setattr(row, name, facts[name])
    row.appellant, row.officer = event.appellant, event.officer
    row.order, row.begun_by = f"{_plain(at.received_at)}/{event.appeal}", event.by
    row.status, row.version = "drafted", at.version


@appeals.on(ReportReceived, keys=_of_appeal)
def report_received(row: AppealRow, event: ReportReceived, at: Envelope) -> None:
    facts = _plain(event)
    said = ("reference", "bears_seal", "received_at", "on_paper", "officer", "reason", "by")
    row.reports.append({name: facts[name] for name in said})
    row.version = at.version


@appeals.on(AppealFiled, keys=_of_appeal)
def filed(row: AppealRow, event: AppealFiled, at: Envelope) -> None:
    facts = _plain(event)
    said = ("report_received_at", "deposit_received_at", "deposit_fen", "deadline", "article")
    row.filed = {name: facts[name] for name in said}
    row.listed, row.status, row.version = event.competition, "lodged", at.version


@appeals.on(AppealAccepted, keys=_of_appeal)
def accepted(row: AppealRow, event: AppealAccepted, at: Envelope) -> None:
    row.accepted = {"by": event.by, "at": _plain(at.received_at)}
    row.status, row.version = "accepted", at.version


@appeals.on(AppealHeard, keys=_of_appeal)
def heard(row: AppealRow, event: AppealHeard, at: Envelope) -> None:
    row.hearings.append({"members": _plain(event.members), "by": event.by, "at": _plain(at.received_at)})
    row.status, row.version = "heard", at.version


_STATUS: dict[type, str] = {
    AppealRefused: "refused",
    AppealWithdrawn: "withdrawn",
    AppealUpheld: "upheld",
    AppealPartlyUpheld: "partly_upheld",
    AppealDismissed: "dismissed",
}


@appeals.on(AppealRefused, keys=_of_appeal)
@appeals.on(AppealWithdrawn, keys=_of_appeal)
@appeals.on(AppealUpheld, keys=_of_appeal)
@appeals.on(AppealPartlyUpheld, keys=_of_appeal)
@appeals.on(AppealDismissed, keys=_of_appeal)
def ended(row: AppealRow, event: Any, at: Envelope) -> None:
    facts = _plain(event)
    said = ("reason", "article", "members", "remedy", "later")
    row.ended = {name: facts.get(name) for name in said} | {"by": event.by, "at": _plain(at.received_at)}
    row.open, row.status, row.version = False, _STATUS[type(event)], at.version


@appeals.on(DepositReceived, keys=_of_appeal)
def deposit_received(row: AppealRow, event: DepositReceived, _at: Envelope) -> None:
    facts = _plain(event)
    row.deposit = {
        "status": "received",
        "amount_fen": event.amount_fen,
        "received_at": facts["received_at"],
        "officer": event.officer,
        "entered_by": event.by,
        "confirmed_by": None,
    }


@appeals.on(DepositConfirmed, keys=_of_appeal)
def deposit_confirmed(row: AppealRow, event: DepositConfirmed, _at: Envelope) -> None:
    row.deposit = {**(row.deposit or {}), "status": "held", "confirmed_by": event.by}


@appeals.on(DepositRefunded, keys=_of_appeal)
def deposit_refunded(row: AppealRow, _event: DepositRefunded, _at: Envelope) -> None:
    row.deposit = {**(row.deposit or {}), "status": "refunded"}


@appeals.on(DepositForfeited, keys=_of_appeal)
def deposit_forfeited(row: AppealRow, _event: DepositForfeited, _at: Envelope) -> None:
    row.deposit = {**(row.deposit or {}), "status": "forfeited"}


# The ledger


class LedgerRow(msgspec.Struct, kw_only=True):
    """A competition's books: every entry with its postings, every account's balance, and the waivers by team.
    `version` is the ledger stream's."""

    id: str
    version: int = 0
    entries: list[Fields] = []
    accounts: dict[str, int] = {}
    moved: dict[str, int] = {}
    waivers: dict[str, Fields] = {}

    def waiver(self, team: str) -> Waiver:
        """What a team waived."""
        return msgspec.convert(self.waivers.get(team, {}), Waiver)


ledgers: View[LedgerRow] = View("ledgers", LedgerRow)

_ENTRY: dict[type, str] = {
    DepositReceived: "received",
    DepositConfirmed: "confirmed",
    DepositRefunded: "refunded",
    DepositForfeited: "forfeited",
}


@ledgers.on(DepositReceived)
@ledgers.on(DepositConfirmed)
@ledgers.on(DepositRefunded)
@ledgers.on(DepositForfeited)
def booked(row: LedgerRow, event: Any, at: Envelope) -> None:
    kind, facts = _ENTRY[type(event)], _plain(event)
    entry = postings(event)
    row.entries.append(
        {"number": at.version, "at": _plain(at.received_at), "kind": kind, "postings": _plain(entry)}
        | {name: facts[name] for name in ("appeal", "amount_fen", "by")}
        | {name: facts.get(name) for name in ("received_at", "officer", "reason", "article")}
    )
    book(row.accounts, entry)
    row.moved[kind] = row.moved.get(kind, 0) + event.amount_fen
    row.version = at.version


@ledgers.on(WaiverReceived)
def waived(row: LedgerRow, event: WaiverReceived, at: Envelope) -> None:
    row.waivers[event.team] = _plain(row.waiver(event.team).and_then(event.closed_at))
    row.version = at.version


PROJECTION = Projection(
    "appeals",
    3,
    ["registration", "match", "appeals"],
    [competitions, teams, halls, matches, appeals, ledgers],
)
