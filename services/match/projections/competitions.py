"""A competition: what registration and appeals said of it, and how far its rounds are."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import msgspec

from services.match.model.places import Appealed
from services.match.model.rounds import Entered
from services.match.model.tables import Member
from shared.contracts import appeals, registration
from shared.contracts import match as contracts
from shared.contracts.fact import Fact, Team
from shared.contracts.programme import boards_of, parted
from shared.contracts.soundness import Soundness, Told, after
from shared.eventsourcing.generations import Reader
from shared.eventsourcing.projector import View
from shared.eventsourcing.records import Envelope
from shared.rules.formats.stages import CARDS
from shared.rules.regulations.reference import resolve_any

UNDECIDED = ("filed", "accepted", "heard")


class CompetitionRow(msgspec.Struct, kw_only=True):
    """A competition: what registration said of it, how its appeals stand, and how far its rounds are. `event` is the
    cards, or of a row made by `competition_of` one of the boards."""

    id: str
    version: int = 0
    event: str = CARDS
    regulation: str = ""
    changes: dict[str, Any] = {}
    name: str = ""
    entries_close: str = ""
    zone: str = "UTC"
    entries_closed: bool = False
    cancelled: bool = False
    rehearsal: bool = False
    teams: dict[str, dict[str, str]] = {}
    pairs: dict[str, list[int]] = {}
    members: dict[str, list[dict[str, Any]]] = {}
    withdrawn_entries: list[str] = []
    soundness: dict[str, Soundness] = {}
    appeals: dict[str, str] = {}
    deposits: list[str] = []
    ruled: list[str] = []
    decisions: dict[str, dict[str, Any]] = {}
    set_asides: dict[str, dict[str, Any]] = {}
    waived: dict[str, list[str]] = {}
    windows: dict[str, str] = {}
    conflicts: dict[str, list[int]] = {}
    commitment: str = ""
    seed: str = ""
    drawn: list[dict[str, Any]] = []
    draws: list[dict[str, Any]] = []
    orders: list[dict[str, Any]] = []
    withdrawn: dict[str, int] = {}
    disqualified: list[str] = []
    absent: list[dict[str, Any]] = []
    rounds_planned: int = 0
    rounds: list[dict[str, Any]] = []
    lots: list[list[str]] = []
    proposed: dict[str, Any] | None = None
    declared: dict[str, Any] | None = None

    def entered(self) -> Entered:
        """As the decisions take it; a team whose entry was withdrawn is not in it."""
        standing = [msgspec.convert(team, Team) for id, team in self.teams.items() if id not in self.withdrawn_entries]
        teams = [one for team in standing for one in self._playing(team)]
        return Entered(
            regulation=self.regulation,
            changes=self.changes,
            closes_at=datetime.fromisoformat(self.entries_close),
            zone=self.zone,
            entries_closed=self.entries_closed,
            cancelled=self.cancelled,
            teams=tuple(sorted(teams, key=lambda team: team.id)),
            event=self.event,
        )

    def _playing(self, team: Team) -> list[Team]:
        """Who plays for an entry: the team, or each of its pairs or players of a board (zhongshan-2013 五（一）:
        以每对为单位计算, 以每人计算)."""
        if self.event != CARDS:
            return [_named(team, n) for n, _ in enumerate(self._at_board(team.id), 1)]
        pairs = self.pairs.get(team.id, [])
        return [_named(team, pair) for pair in pairs] if pairs else [team]

    def _at_board(self, entry: str) -> list[int]:
        """The members whom an entry's form names for the board, by their numbers there."""
        own = enumerate(self.members.get(entry, []))
        return [n for n, m in own if m["plays"] and m["event"] == self.event and not (m["substitute"] or m["let_in"])]

    def playing(self, team: str) -> list[Member]:
        """Who may play for a team as it is drawn: of an entry of pairs one of them, at a board the player; and the
        substitutes."""
        entry, _, pair = (team, "", "") if team in self.members else team.rpartition("-")
        own = int(pair) if pair.isdigit() else None
        members = list(enumerate(self.members.get(entry, [])))
        may = [Member(number=n, pair=m["pair"], substitute=m["substitute"]) for n, m in members if m["plays"]]
        if self.event == CARDS:
            return [one for one in may if own is None or one.substitute or one.pair == own]
        let_in = {n for n, m in members if m["let_in"] and m["event"] == self.event}
        player = self._at_board(entry)[(own or 1) - 1 : own or 1]
        return [one for one in may if one.substitute or one.number in let_in or one.number in player]

    def broken(self) -> list[str]:
        """The entries that were refused, or found to break a rule."""
        return sorted(entry for entry, found in self.soundness.items() if found.broken)

    def rests_on(self, number: int) -> list[dict[str, Any]]:
        """What a round was paired on: of each round before, which of its closings, and whether that has changed since:
        it was opened again, closed otherwise, or a ruling changed a result of it."""
        now = {r["number"]: r for r in self.rounds}
        return [
            {
                **one,
                "changed": one["changed"]
                or now[one["round"]]["status"] != "closed"
                or now[one["round"]]["closings"] != one["closing"],
            }
            for one in now[number]["rests_on"]
            if one["round"] in now
        ]

    def undecided(self) -> list[str]:
        """Appeals that are lodged and not at their end, and those whose deposit was handed over but not confirmed yet:
        the time of entry counts, so such a one may still be in time."""
        lodged = {appeal for appeal, status in self.appeals.items() if status in UNDECIDED}
        return sorted(lodged | (set(self.deposits) - set(self.appeals)))

    def appealed(self) -> Appealed:
        """As the declaration of places takes it."""
        waived = {team: [datetime.fromisoformat(at) for at in closings] for team, closings in self.waived.items()}
        windows = {int(number): datetime.fromisoformat(at) for number, at in self.windows.items()}
        return Appealed(
            undecided=tuple(self.undecided()),
            ruled=tuple(self.ruled),
            waived=waived,
            windows=windows,
            conflicts=self._conflicts(),
        )

    def _conflicts(self) -> dict[str, tuple[int, ...]]:
        """The hands in conflict, by match."""
        return {match: tuple(hands) for match, hands in sorted(self.conflicts.items()) if hands}


def _named(team: Team, number: int) -> Team:
    """One of the pairs or players of an entry."""
    return Team(id=f"{team.id}-{number}", name=f"{team.name} {number}", unit=team.unit)


REGISTERED = (
    *("regulation", "changes", "name", "entries_close", "zone", "entries_closed", "cancelled", "rehearsal"),
    *("teams", "pairs", "members", "withdrawn_entries", "soundness"),
)
"""What registration says of a competition, which holds for all its events."""


def competition_of(reader: Reader, competition: str) -> CompetitionRow | None:
    """A competition as the read model has it: an event at a board with what registration said of the competition that
    it is one of. None where there is none."""
    announced, event = parted(competition)
    row = reader.get(competitions, announced)
    if row is None or not row.regulation or event == CARDS:
        return row if row is not None and row.regulation else None
    if event not in boards_of(resolve_any(row.regulation, row.changes)):
        return None
    own = reader.get(competitions, competition) or competitions.blank(competition)
    return msgspec.structs.replace(own, event=event, **{name: getattr(row, name) for name in REGISTERED})


competitions: View[CompetitionRow] = View("competitions", CompetitionRow)


@competitions.on(registration.CompetitionAnnounced)
def announced(row: CompetitionRow, event: registration.CompetitionAnnounced, _: Envelope) -> None:
    row.regulation, row.changes, row.name = event.regulation, event.changes, event.name
    row.entries_close, row.zone = event.entries_close.isoformat(), event.zone
    row.rehearsal = event.rehearsal


@competitions.on(registration.CompetitionAmended)
def amended(row: CompetitionRow, event: registration.CompetitionAmended, _: Envelope) -> None:
    row.name = event.after.get("name", row.name)
    row.entries_close = event.after.get("entries_close", row.entries_close)


@competitions.on(registration.CompetitionCancelled)
def cancelled(row: CompetitionRow, _event: registration.CompetitionCancelled, _: Envelope) -> None:
    row.cancelled = True


@competitions.on(registration.EntrySubmitted)
def entered(row: CompetitionRow, event: registration.EntrySubmitted, _: Envelope) -> None:
    row.teams[event.team.id] = msgspec.to_builtins(event.team)
    row.pairs[event.team.id] = sorted({member.pair for member in event.members if member.pair is not None})
    row.members[event.team.id] = [_member(one) for one in event.members]
    row.withdrawn_entries = [team for team in row.withdrawn_entries if team != event.team.id]
    _sound(row, event.team.id, event)


@competitions.on(registration.PlayerConsented)
def consented(row: CompetitionRow, event: registration.PlayerConsented, _: Envelope) -> None:
    """Who was let in is the next member of the entry."""
    row.members.setdefault(event.team, []).append(_member(event.member, let_in=True))
    _sound(row, event.team, event)


def _member(member: registration.Member, let_in: bool = False) -> dict[str, Any]:
    return {
        "plays": member.part == "player",
        "event": member.event,
        "pair": member.pair,
        "substitute": member.substitute,
        "let_in": let_in,
    }


@competitions.on(registration.EntryWithdrawn)
def entry_withdrawn(row: CompetitionRow, event: registration.EntryWithdrawn, _: Envelope) -> None:
    row.withdrawn_entries.append(event.team)
    _sound(row, event.team, event)


@competitions.on(registration.EligibilityConfirmed)
def looked_at(row: CompetitionRow, event: registration.EligibilityConfirmed, _: Envelope) -> None:
    _sound(row, event.team, event)


def _sound(row: CompetitionRow, entry: str, event: Told) -> None:
    row.soundness[entry] = after(row.soundness.get(entry, Soundness()), event)


@competitions.on(registration.EntriesClosed)
def entries_closed(row: CompetitionRow, _event: registration.EntriesClosed, _: Envelope) -> None:
    row.entries_closed = True


def _appeal(status: str) -> Any:
    def fold(row: CompetitionRow, event: Any, _: Envelope) -> None:
        row.appeals[event.appeal] = status

    return fold


for _event, _status in (
    (appeals.AppealFiled, "filed"),
    (appeals.AppealAccepted, "accepted"),
    (appeals.AppealHeard, "heard"),
    (appeals.AppealRefused, "refused"),
    (appeals.AppealWithdrawn, "withdrawn"),
    (appeals.AppealDismissed, "decided"),
):
    competitions.on(_event)(_appeal(_status))


@competitions.on(appeals.AppealPartlyUpheld)
@competitions.on(appeals.AppealUpheld)
def upheld(row: CompetitionRow, event: appeals.AppealUpheld | appeals.AppealPartlyUpheld, _: Envelope) -> None:
    row.appeals[event.appeal] = "decided"
    if event.remedy.kind != "none":
        row.ruled = sorted({*row.ruled, event.appeal})
        told = msgspec.to_builtins(event)
        said = ("match", "remedy", "later", "appeal", "reason", "article")
        row.decisions[event.appeal] = {name: told[name] for name in said}


@competitions.on(appeals.DepositReceived)
def deposited(row: CompetitionRow, event: appeals.DepositReceived, _: Envelope) -> None:
    row.deposits = sorted({*row.deposits, event.appeal})


@competitions.on(appeals.DepositRefunded)
def refunded(row: CompetitionRow, event: appeals.DepositRefunded, _: Envelope) -> None:
    row.deposits = [appeal for appeal in row.deposits if appeal != event.appeal]


@competitions.on(appeals.WaiverReceived)
def waived(row: CompetitionRow, event: appeals.WaiverReceived, _: Envelope) -> None:
    closings: list[str] = msgspec.to_builtins(event.closed_at)
    row.waived[event.team] = [*closings, *row.waived.get(event.team, [])[len(closings) :]]


@competitions.on(appeals.AppealWindowClosed)
def window_closed(row: CompetitionRow, event: appeals.AppealWindowClosed, _: Envelope) -> None:
    row.windows[str(event.round)] = msgspec.to_builtins(event.round_closed_at)


@competitions.on(contracts.SeedCommitted)
def seed_committed(row: CompetitionRow, event: contracts.SeedCommitted, at: Envelope) -> None:
    row.commitment, row.version = event.commitment, at.version


@competitions.on(contracts.DrawMade)
def drawn(row: CompetitionRow, event: contracts.DrawMade, at: Envelope) -> None:
    row.seed, row.drawn, row.version = event.seed, msgspec.to_builtins(event.teams), at.version
    if event.stage:
        row.draws = [_draw(event)]


@competitions.on(contracts.StageDrawn)
def stage_drawn(row: CompetitionRow, event: contracts.StageDrawn, at: Envelope) -> None:
    row.draws = [draw for draw in row.draws if draw["stage"] != event.stage]
    row.draws.append(_draw(event))
    row.version = at.version


def _draw(event: contracts.DrawMade | contracts.StageDrawn) -> dict[str, Any]:
    told = msgspec.to_builtins(event)
    return {name: told[name] for name in ("stage", "parts", "not_kept", "method", "witness", "article")}


@competitions.on(contracts.PairOrdered)
def pair_ordered(row: CompetitionRow, event: contracts.PairOrdered, at: Envelope) -> None:
    told = msgspec.to_builtins(event)
    row.orders = _other_orders(row, event.teams)
    row.orders.append({name: told[name] for name in ("kind", "teams", "round", "reason", "by")})
    row.version = at.version


@competitions.on(contracts.PairOrderLifted)
def order_lifted(row: CompetitionRow, event: contracts.PairOrderLifted, at: Envelope) -> None:
    row.orders, row.version = _other_orders(row, event.teams), at.version


def _other_orders(row: CompetitionRow, teams: tuple[str, str]) -> list[dict[str, Any]]:
    return [order for order in row.orders if set(order["teams"]) != set(teams)]


@competitions.on(contracts.RoundUnpaired)
def unpaired(row: CompetitionRow, event: contracts.RoundUnpaired, at: Envelope) -> None:
    row.rounds = [r for r in row.rounds if r["number"] < event.round]
    row.version = at.version


@competitions.on(contracts.RoundPaired)
def paired(row: CompetitionRow, event: contracts.RoundPaired, at: Envelope) -> None:
    row.rounds_planned, row.version = event.rounds_planned, at.version
    row.rounds = [r for r in row.rounds if r["number"] < event.round]
    rests_on = [{"round": r["number"], "closing": r["closings"], "changed": False} for r in row.rounds]
    paired = {"number": event.round, "attempt": event.attempt, "status": "open", "closed_at": None}
    row.rounds.append(paired | {"closings": 0, "rests_on": rests_on})


@competitions.on(contracts.TeamAbsent)
def absent(row: CompetitionRow, event: contracts.TeamAbsent, at: Envelope) -> None:
    row.absent.append({"team": event.team, "round": event.round, "reason": event.reason})
    row.version = at.version


@competitions.on(contracts.AbsenceLifted)
def absence_lifted(row: CompetitionRow, event: contracts.AbsenceLifted, at: Envelope) -> None:
    row.absent = [one for one in row.absent if (one["team"], one["round"]) != (event.team, event.round)]
    row.version = at.version


@competitions.on(contracts.TeamWithdrawn)
def team_withdrawn(row: CompetitionRow, event: contracts.TeamWithdrawn, at: Envelope) -> None:
    row.withdrawn[event.team], row.version = event.from_round, at.version


@competitions.on(contracts.TeamDisqualified)
def team_disqualified(row: CompetitionRow, event: contracts.TeamDisqualified, at: Envelope) -> None:
    row.disqualified, row.declared = sorted({*row.disqualified, event.team}), None
    row.version = at.version


@competitions.on(contracts.RoundClosed)
def round_closed(row: CompetitionRow, event: contracts.RoundClosed, at: Envelope) -> None:
    _set_round(row, event.round, "closed", msgspec.to_builtins(event.closed_at))
    for current in row.rounds:
        if current["number"] == event.round:
            current["closings"] = event.closing
    row.version = at.version


@competitions.on(contracts.RoundReopened)
def round_reopened(row: CompetitionRow, event: contracts.RoundReopened, at: Envelope) -> None:
    _set_round(row, event.round, "reopened", None)
    row.version = at.version


@competitions.on(contracts.RoundStarted)
@competitions.on(contracts.RoundPaused)
@competitions.on(contracts.RoundResumed)
@competitions.on(contracts.TimeCalled)
@competitions.on(contracts.ExtraHandOrdered)
@competitions.on(contracts.ResultsPosted)
def took_its_course(row: CompetitionRow, _event: Fact, at: Envelope) -> None:
    row.version = at.version


@competitions.on(contracts.RulingApplied)
def ruled(row: CompetitionRow, event: contracts.RulingApplied, at: Envelope) -> None:
    row.version = at.version
    if event.remedy.kind == "replay_match":
        _set_round(row, event.round, "reopened", None)
    if event.after != event.before:
        _set_changed(row, event.round)
    if event.later and event.later.choice == "replay_from" and event.later.round:
        row.rounds = [r for r in row.rounds if r["number"] < (event.later.round or 0)]


@competitions.on(contracts.SetAsideProposed)
@competitions.on(contracts.RulingSetAside)
def set_aside(row: CompetitionRow, event: contracts.SetAsideProposed | contracts.RulingSetAside, at: Envelope) -> None:
    told = msgspec.to_builtins(event)
    said = ("match", "refusal", "refused", "reason")
    confirmed = isinstance(event, contracts.RulingSetAside)
    by = {"proposed_by": told.get("proposed_by", event.by), "confirmed_by": event.by if confirmed else None}
    row.set_asides[event.appeal] = {name: told[name] for name in said} | by
    row.version = at.version


@competitions.on(contracts.FinishVersionKept)
@competitions.on(contracts.HandVersionKept)
def in_conflict(
    row: CompetitionRow, event: contracts.HandVersionKept | contracts.FinishVersionKept, _: Envelope
) -> None:
    row.conflicts[event.match] = sorted({*row.conflicts.get(event.match, []), event.hand})


@competitions.on(contracts.HandVersionChosen)
def chosen(row: CompetitionRow, event: contracts.HandVersionChosen, _: Envelope) -> None:
    row.conflicts[event.match] = [hand for hand in row.conflicts.get(event.match, []) if hand != event.hand]


@competitions.on(contracts.MatchReopened)
def match_reopened(row: CompetitionRow, event: contracts.MatchReopened, _: Envelope) -> None:
    if event.replay:
        row.conflicts.pop(event.match, None)


@competitions.on(contracts.LotDrawn)
def lot_drawn(row: CompetitionRow, event: contracts.LotDrawn, at: Envelope) -> None:
    row.lots.append(list(event.order))
    row.version = at.version


@competitions.on(contracts.PlacesProposed)
def proposed(row: CompetitionRow, event: contracts.PlacesProposed, at: Envelope) -> None:
    row.proposed, row.declared, row.version = msgspec.to_builtins(event), None, at.version


@competitions.on(contracts.PlacesDeclared)
def declared(row: CompetitionRow, event: contracts.PlacesDeclared, at: Envelope) -> None:
    row.declared, row.version = msgspec.to_builtins(event), at.version


def _set_round(row: CompetitionRow, number: int, status: str, closed_at: str | None) -> None:
    for current in row.rounds:
        if current["number"] == number:
            current["status"], current["closed_at"] = status, closed_at


def _set_changed(row: CompetitionRow, number: int) -> None:
    """The rounds paired on this one stand on what it is no more."""
    for current in row.rounds:
        for one in current["rests_on"]:
            one["changed"] = one["changed"] or one["round"] == number
