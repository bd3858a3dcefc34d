"""What will fall due in a competition, so that the timer reads nothing else: one row with what each service said in
fields of its own, and the earliest instant derived from them all."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import datetime
from typing import Any, Literal

import msgspec

from services.appeals.ledger import Waiver
from services.appeals.projections.fields import Fields, plain
from shared.contracts.appeals import (
    AppealDismissed,
    AppealDrafted,
    AppealFiled,
    AppealPartlyUpheld,
    AppealRefused,
    AppealUpheld,
    AppealWindowClosed,
    AppealWithdrawn,
    CommitteeNamed,
    DecisionOverdue,
    DepositReceived,
    ReportReceived,
    WaiverReceived,
)
from shared.contracts.match import (
    DrawMade,
    ResultsPosted,
    RoundClosed,
    RoundPaired,
    RoundReopened,
    RoundUnpaired,
    RulingApplied,
)
from shared.contracts.programme import boards_of, event_id
from shared.contracts.registration import CompetitionAnnounced, CompetitionCancelled
from shared.eventsourcing.clock import to_micros
from shared.eventsourcing.projector import Keys, View
from shared.eventsourcing.records import Envelope
from shared.rules.appeals import decision_due, lapses_at, times_of_round, window_closes, window_opens
from shared.rules.regulations.preset import Preset
from shared.rules.regulations.reference import resolve_any

WATCHED = "watched"


class Item(msgspec.Struct, frozen=True, kw_only=True):
    """Something that falls due after an instant: a round's window closes, a draft lapses, a decision is overdue; with
    the competition an appeal over it is void.
    `closing` is the window's; `waived`: all teams have waived it."""

    kind: Literal["window", "draft", "decision", "void"]
    at: datetime
    round: int = 0
    closing: int = 0
    round_closed_at: datetime | None = None
    closes: datetime | None = None
    waived: bool = False
    appeal: str = ""


class ClosedRound(msgspec.Struct, kw_only=True):
    """A round that is closed, and when it, the last of its matches, and the posting of its results were."""

    number: int
    closing: int
    closed_at: datetime
    matches_closed_at: datetime | None = None
    posted_at: datetime | None = None


class AgendaRow(msgspec.Struct, kw_only=True):
    """A competition's agenda. While `watched` is WATCHED something falls due after the instant `due_at` (µs). `drafts`
    has what drafts are complete by, `open` when appeals were lodged that are undecided, `dates` by when they are to be
    decided where somebody said, `overdue` the dates that passed; `windows` by round the closing whose window has
    closed."""

    id: str
    watched: str = ""
    due_at: int = 0
    # registration
    regulation: str = ""
    changes: Fields = {}
    cancelled_at: datetime | None = None
    # match
    teams: list[str] = []
    rounds: list[ClosedRound] = []
    # the desk
    waivers: dict[str, Fields] = {}
    drafts: dict[str, Fields] = {}
    open: dict[str, datetime] = {}
    dates: dict[str, datetime] = {}
    overdue: dict[str, datetime] = {}
    windows: dict[int, datetime] = {}

    def items(self) -> list[Item]:
        """All that will fall due, the earliest first; nothing where the regulation has no appeals. In a cancelled
        competition nothing but the end of its appeals."""
        if self.cancelled_at is not None:
            return [Item(kind="void", at=self.cancelled_at, appeal=name) for name in sorted({*self.drafts, *self.open})]
        preset = resolve_any(self.regulation, self.changes) if self.regulation else None
        if not isinstance(preset, Preset) or not preset.appeals.allowed.value:
            return []
        found = [*self._windows(preset), *self._drafts(preset), *self._decisions(preset)]
        return sorted(found, key=lambda item: (item.at, item.kind, item.round, item.appeal))

    def _windows(self, preset: Preset) -> list[Item]:
        waivers = {team: msgspec.convert(waiver, Waiver) for team, waiver in self.waivers.items()}
        found = []
        for current in self.rounds:
            closes = _closes(preset, current)
            if closes is None or self.windows.get(current.number) == current.closed_at:
                continue
            waived = bool(self.teams) and all(
                team in waivers and waivers[team].covers(current.number, current.closed_at) for team in self.teams
            )
            found.append(
                Item(
                    kind="window",
                    at=current.closed_at if waived else closes,
                    round=current.number,
                    closing=current.closing,
                    round_closed_at=current.closed_at,
                    closes=closes,
                    waived=waived,
                )
            )
        return found

    def _drafts(self, preset: Preset) -> list[Item]:
        closes = {current.number: _closes(preset, current) for current in self.rounds}
        incomplete = [(name, draft) for name, draft in self.drafts.items() if not (draft["sealed"] and draft["paid"])]
        return [
            Item(kind="draft", at=lapses_at(preset, last), appeal=name)
            for name, draft in incomplete
            if (last := closes.get(draft["round"])) is not None
        ]

    def _decisions(self, preset: Preset) -> list[Item]:
        due = {name: self.dates.get(name) or decision_due(preset, lodged) for name, lodged in self.open.items()}
        return [
            Item(kind="decision", at=at, appeal=name)
            for name, at in due.items()
            if at is not None and self.overdue.get(name) != at
        ]

    def plan(self) -> None:
        """Say when the next thing falls due."""
        items = self.items()
        self.watched, self.due_at = (WATCHED, to_micros(items[0].at)) if items else ("", 0)


def _closes(preset: Preset, current: ClosedRound) -> datetime | None:
    """The last instant of any window over a round, None while it does not run."""
    times = times_of_round(current.closed_at, current.matches_closed_at, current.posted_at)
    opened = window_opens(preset, times)
    return None if opened is None else window_closes(preset, opened)


agendas: View[AgendaRow] = View("agendas", AgendaRow, indexes=(("watched", "due_at"),))

Fold = Callable[[AgendaRow, Any, Envelope], None]


def _of_competition(event: Any, _at: Envelope) -> Iterable[str]:
    return (event.competition,)


def _of_all_events(event: CompetitionAnnounced | CompetitionCancelled, _at: Envelope) -> Iterable[str]:
    """What registration says of a competition holds for its events at boards too. Which there are no organiser
    changes: each needs colours and ways to end a game of its own."""
    boards = boards_of(resolve_any(event.regulation, {}))
    return (event.competition, *(event_id(event.competition, board) for board in boards))


def _on(*events: type, keys: Keys = _of_competition) -> Callable[[Fold], Fold]:
    """Register a fold after which the agenda is planned anew."""

    def register(fold: Fold) -> Fold:
        def planned(row: AgendaRow, event: Any, at: Envelope) -> None:
            fold(row, event, at)
            row.plan()

        for event in events:
            agendas.on(event, keys=keys)(planned)
        return fold

    return register


@_on(CompetitionAnnounced, keys=_of_all_events)
def announced(row: AgendaRow, event: CompetitionAnnounced, _at: Envelope) -> None:
    row.regulation, row.changes = event.regulation, plain(event.changes)


@_on(CompetitionCancelled, keys=_of_all_events)
def cancelled(row: AgendaRow, _event: CompetitionCancelled, at: Envelope) -> None:
    row.cancelled_at = at.received_at


@_on(DrawMade)
def drawn(row: AgendaRow, event: DrawMade, _at: Envelope) -> None:
    row.teams = [drawn.team.id for drawn in event.teams]


@_on(RoundPaired, RoundUnpaired)
def paired(row: AgendaRow, event: RoundPaired | RoundUnpaired, _at: Envelope) -> None:
    row.rounds = [current for current in row.rounds if current.number < event.round]


@_on(RoundClosed)
def closed(row: AgendaRow, event: RoundClosed, _at: Envelope) -> None:
    kept = [current for current in row.rounds if current.number != event.round]
    again = ClosedRound(
        number=event.round,
        closing=event.closing,
        closed_at=event.closed_at,
        matches_closed_at=event.matches_closed_at,
    )
    row.rounds = sorted([*kept, again], key=lambda current: current.number)


@_on(ResultsPosted)
def posted(row: AgendaRow, event: ResultsPosted, _at: Envelope) -> None:
    for current in row.rounds:
        if current.number == event.round:
            current.posted_at = event.posted_at


@_on(RoundReopened)
def reopened(row: AgendaRow, event: RoundReopened, _at: Envelope) -> None:
    row.rounds = [current for current in row.rounds if current.number != event.round]


@_on(RulingApplied)
def ruled(row: AgendaRow, event: RulingApplied, _at: Envelope) -> None:
    if event.remedy.kind == "replay_match":
        row.rounds = [current for current in row.rounds if current.number != event.round]
    if event.later is not None and event.later.round is not None:
        first = event.later.round
        row.rounds = [current for current in row.rounds if current.number < first]


@_on(WaiverReceived)
def waived(row: AgendaRow, event: WaiverReceived, _at: Envelope) -> None:
    before = msgspec.convert(row.waivers.get(event.team, {}), Waiver)
    row.waivers[event.team] = plain(before.and_then(event.closed_at))


@_on(AppealDrafted)
def drafted(row: AgendaRow, event: AppealDrafted, _at: Envelope) -> None:
    _draft(row, event.appeal)["round"] = event.round


@_on(ReportReceived)
def reported(row: AgendaRow, event: ReportReceived, _at: Envelope) -> None:
    draft = _draft(row, event.appeal)
    draft["sealed"] = draft["sealed"] or event.bears_seal


@_on(DepositReceived)
def paid(row: AgendaRow, event: DepositReceived, _at: Envelope) -> None:
    if event.appeal in row.drafts:
        row.drafts[event.appeal]["paid"] = True


def _draft(row: AgendaRow, appeal: str) -> Fields:
    return row.drafts.setdefault(appeal, {"round": 0, "sealed": False, "paid": False})


@_on(AppealFiled)
def filed(row: AgendaRow, event: AppealFiled, at: Envelope) -> None:
    row.drafts.pop(event.appeal, None)
    row.open[event.appeal] = at.received_at


@_on(CommitteeNamed)
def named(row: AgendaRow, event: CommitteeNamed, _at: Envelope) -> None:
    """The date that the organiser sets counts, wherever it is set anew; without one the regulation's."""
    row.dates.pop(event.appeal, None)
    if event.decide_by is not None:
        row.dates[event.appeal] = event.decide_by


@_on(DecisionOverdue)
def flagged(row: AgendaRow, event: DecisionOverdue, _at: Envelope) -> None:
    row.overdue[event.appeal] = event.due_at


@_on(AppealRefused, AppealWithdrawn, AppealUpheld, AppealPartlyUpheld, AppealDismissed)
def ended(row: AgendaRow, event: Any, _at: Envelope) -> None:
    for known in (row.drafts, row.open, row.dates, row.overdue):
        known.pop(event.appeal, None)


@_on(AppealWindowClosed)
def window_closed(row: AgendaRow, event: AppealWindowClosed, _at: Envelope) -> None:
    row.windows[event.round] = event.round_closed_at
