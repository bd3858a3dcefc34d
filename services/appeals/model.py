"""An appeal, pure: what it is, what may happen to it, and what has (RULINGS, Appeals 1 to 7).

drafted → lodged → accepted → heard → upheld, partly upheld or dismissed. Refused for form until it is accepted,
withdrawn at any time before the decision."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Literal

import msgspec

from services.appeals import refusals as refuse
from services.appeals.facts import Case, capacity, check_committee, check_in_window, check_remedy
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
    Appellant,
    CommitteeMember,
    CommitteeNamed,
    DecisionOverdue,
    EvidenceFiled,
    EvidenceStruck,
    ReportReceived,
)
from shared.contracts.fact import Fact, LaterRounds, Remedy
from shared.eventsourcing.handling import Model
from shared.rules.appeals import DepositDecision, Outcome, check_lodging, deposit_outcome, lapses_at
from shared.rules.basis import Text
from shared.rules.deadlines import in_time
from shared.rules.errors import RuleError
from shared.rules.regulations.preset import Preset

Events = Sequence[Fact]
Stage = Literal["", "drafted", "lodged", "accepted", "heard", "decided", "refused", "withdrawn"]
Verdict = Literal["upheld", "partly_upheld", "dismissed"]

NOTHING = Remedy(kind="none")

_OUTCOMES = {
    "upheld": Text("支持", "upheld"),
    "partly_upheld": Text("部分支持", "partly upheld"),
    "dismissed": Text("驳回", "dismissed"),
}


class Appeal(msgspec.Struct, frozen=True, kw_only=True):
    """An appeal as its stream tells it; `stage` is empty while it was never begun. `report_at` is when the sealed
    report was received; `lodged` tells whether it ever stood; `overdue` is the last date that it was not decided by;
    `outcome` is how it ended, as the deposit goes by it; `committee` who was named last to decide it; `evidence` all
    that was filed, `struck` what of it is not considered."""

    id: str
    competition: str
    regulation: str = ""
    stage: Stage = ""
    match: str = ""
    round: int = 0
    team: str = ""
    grounds: str = ""
    asks_for: Remedy = NOTHING
    report_at: datetime | None = None
    lodged: bool = False
    overdue: datetime | None = None
    outcome: Outcome | None = None
    committee: CommitteeNamed | None = None
    evidence: tuple[EvidenceFiled, ...] = ()
    struck: frozenset[str] = frozenset()


def _absent(stream: str) -> Appeal:
    _, competition, appeal = stream.split("/")
    return Appeal(id=appeal, competition=competition)


def evolve(state: Appeal, event: Any) -> Appeal:
    """Fold one event of an appeal's stream."""
    change = msgspec.structs.replace
    match event:
        case AppealDrafted():
            return change(
                state,
                regulation=event.regulation,
                stage="drafted",
                match=event.match,
                round=event.round,
                team=event.team,
                grounds=event.grounds,
                asks_for=event.asks_for,
            )
        case ReportReceived():
            return change(state, report_at=event.received_at) if event.bears_seal else state
        case AppealFiled():
            return change(state, stage="lodged", lodged=True)
        case AppealAccepted():
            return change(state, stage="accepted")
        case AppealHeard():
            return change(state, stage="heard")
        case CommitteeNamed():
            return change(state, committee=event)
        case EvidenceFiled():
            return change(state, evidence=(*state.evidence, event))
        case EvidenceStruck():
            return change(state, struck=state.struck | {event.evidence})
        case DecisionOverdue():
            return change(state, overdue=event.due_at)
        case AppealRefused():
            return change(state, stage="refused", outcome="refused_form")
        case AppealWithdrawn():
            when: Outcome = "withdrawn_after_acceptance" if event.accepted else "withdrawn_before_acceptance"
            return change(state, stage="withdrawn", outcome=when)
        case AppealUpheld():
            return change(state, stage="decided", outcome="upheld")
        case AppealPartlyUpheld():
            return change(state, stage="decided", outcome="partly_upheld")
        case AppealDismissed():
            return change(state, stage="decided", outcome="dismissed")
    raise TypeError(f"no fold for {type(event).__name__}")


APPEAL: Model[Appeal] = Model(_absent, evolve)


def check_undecided(state: Appeal) -> None:
    """Raises NoSuchAppeal, AlreadyDecided, AppealIsOver."""
    if state.stage == "":
        raise refuse.NoSuchAppeal(competition=state.competition, appeal=state.id)
    if state.stage == "decided":
        raise refuse.AlreadyDecided(appeal=state.id, outcome=_OUTCOMES[state.outcome or "dismissed"])
    if state.stage in ("refused", "withdrawn"):
        raise refuse.AppealIsOver(appeal=state.id)


# When something was received


class Receipt(msgspec.Struct, frozen=True, kw_only=True):
    """Something reached the desk at an instant. Where the desk entered the time, `officer` is who took it over the
    counter and `reason` why it was entered so."""

    at: datetime
    on_paper: bool = False
    officer: str = ""
    reason: str = ""


def received_online(now: datetime, given: datetime | None, officer: str = "") -> Receipt:
    """What a leader sends is received when the server receives it. Raises TimeIsTheServers."""
    if given is not None or officer:
        raise refuse.TimeIsTheServers("/received_at" if given else "/officer")
    return Receipt(at=now)


def received_on_paper(now: datetime, given: datetime | None, officer: str, reason: str) -> Receipt:
    """What was handed over the counter: when, to whom, and why it is entered so. Raises PaperNeedsTimeAndReason,
    ReceivedInFuture."""
    if given is None or not reason:
        raise refuse.PaperNeedsTimeAndReason("/reason" if given else "/received_at")
    return Receipt(at=_past(now, given), on_paper=True, officer=officer, reason=reason)


def received_in_cash(now: datetime, given: datetime | None, officer: str, reason: str) -> Receipt:
    """Money over the counter: now, or earlier with the reason. Raises PaperNeedsTimeAndReason, ReceivedInFuture."""
    return Receipt(at=now, officer=officer) if given is None else received_on_paper(now, given, officer, reason)


def _past(now: datetime, given: datetime) -> datetime:
    if given > now:
        raise refuse.ReceivedInFuture("/received_at", at=given, now=now)
    return given


# Until it is lodged


class Draft(msgspec.Struct, frozen=True, kw_only=True):
    """What a team says when it begins an appeal, and in what capacity the person speaks for it, where it is said."""

    team: str
    grounds: str
    asks_for: Remedy
    appellant: Appellant | None = None


def draft(state: Appeal, case: Case, waived: bool, said: Draft, begun: Receipt, by: str) -> Events:
    """A team of the match begins an appeal, during the round or inside its window. Raises AppealsWaived,
    RemedyNotInOrder, and what `check_in_window` and `capacity` do."""
    check_in_window(case, said.asks_for, begun.at)
    appellant = capacity(case, said.team, said.appellant)
    if waived:
        raise refuse.AppealsWaived(case.preset.appeals.window_hours.article, team=said.team, round=case.round)
    check_remedy(case, said.asks_for, "/asks_for")
    return [
        AppealDrafted(
            regulation=case.regulation,
            by=by,
            competition=state.competition,
            appeal=state.id,
            match=case.match,
            round=case.round,
            team=said.team,
            grounds=said.grounds,
            asks_for=said.asks_for,
            begun_at=begun.at,
            reason=begun.reason,
            appellant=appellant,
            officer=begun.officer,
        )
    ]


def check_can_receive(state: Appeal, case: Case, waived: bool, at: datetime) -> None:
    """Whether a report or a deposit may be taken that was received at this instant. Raises AlreadyLodged,
    AppealsWaived, and what `check_undecided` and `check_in_window` do."""
    check_undecided(state)
    if state.lodged:
        raise refuse.AlreadyLodged(appeal=state.id)
    check_in_window(case, state.asks_for, at)
    if waived:
        raise refuse.AppealsWaived(case.preset.appeals.window_hours.article, team=state.team, round=state.round)


def receive_report(
    state: Appeal, case: Case, waived: bool, reference: str, bears_seal: bool, received: Receipt, by: str
) -> Events:
    """The written report reaches the desk. One without the unit's seal is recorded and lodges nothing: another may
    follow inside the window. Raises ReportAlreadyReceived, and what `check_can_receive` does."""
    check_can_receive(state, case, waived, received.at)
    article = case.preset.appeals.appellant.article
    if state.report_at is not None:
        raise refuse.ReportAlreadyReceived(article, appeal=state.id, at=state.report_at, zone=case.preset.zone.value)
    return [
        ReportReceived(
            regulation=state.regulation,
            by=by,
            competition=state.competition,
            appeal=state.id,
            reference=reference,
            bears_seal=bears_seal,
            received_at=received.at,
            on_paper=received.on_paper,
            reason=received.reason,
            article=article,
            officer=received.officer,
        )
    ]


def lodge(state: Appeal, case: Case, deposit_at: datetime | None, by: str) -> Events:
    """With sealed report and confirmed deposit both there the appeal is lodged, if both were received in time; if one
    was not, it is refused and the money goes back. Nothing while one is missing, or when it is no draft any more."""
    free = case.preset.appeals.deposit_fen.value == 0
    paid_at = state.report_at if free else deposit_at
    if state.stage != "drafted" or state.report_at is None or paid_at is None:
        return []
    opened = case.opens(state.asks_for)
    try:
        check_lodging(case.preset, opened or max(state.report_at, paid_at), state.report_at, paid_at)
    except RuleError as error:
        return [
            _refused(state, f"未按时成立：{error.said.zh} Not lodged in time: {error.said.en}", error.article or "", by)
        ]
    return [
        AppealFiled(
            regulation=state.regulation,
            by=by,
            competition=state.competition,
            appeal=state.id,
            match=state.match,
            round=state.round,
            team=state.team,
            report_received_at=state.report_at,
            deposit_received_at=paid_at,
            deposit_fen=case.preset.appeals.deposit_fen.value,
            deadline=case.closes(state.asks_for),
            grounds=state.grounds,
            asks_for=state.asks_for,
            article=case.preset.appeals.deposit_due.article,
        )
    ]


# Form


def accept(state: Appeal, by: str) -> Events:
    """The appeal is in form and will be heard. Raises NotLodgedYet, AlreadyAccepted, and what `check_undecided`
    does."""
    check_undecided(state)
    if state.stage == "drafted":
        raise refuse.NotLodgedYet(appeal=state.id)
    if state.stage != "lodged":
        raise refuse.AlreadyAccepted(appeal=state.id)
    return [AppealAccepted(regulation=state.regulation, by=by, competition=state.competition, appeal=state.id)]


def refuse_form(state: Appeal, case: Case, now: datetime, reason: str, by: str) -> Events:
    """The appeal is not in form, or is a draft that cannot be lodged any more; money that was handed in goes back.
    Raises StillInTime, AlreadyAccepted, and what `check_undecided` does."""
    check_undecided(state)
    closes = case.closes(state.asks_for)
    if state.stage == "drafted" and not case.replaced and (closes is None or in_time(now, closes)):
        raise refuse.StillInTime(case.preset.appeals.window_hours.article, appeal=state.id)
    if state.stage not in ("drafted", "lodged"):
        raise refuse.AlreadyAccepted(appeal=state.id)
    return [_refused(state, reason, case.preset.appeals.appellant.article, by)]


def _refused(state: Appeal, reason: str, article: str, by: str) -> AppealRefused:
    return AppealRefused(
        regulation=state.regulation,
        by=by,
        competition=state.competition,
        appeal=state.id,
        reason=reason,
        article=article,
    )


def withdraw(state: Appeal, reason: str, by: str, reference: str = "") -> Events:
    """The team takes its appeal back, at any time before the decision; `reference` names its paper where the desk
    enters it. Raises what `check_undecided` does."""
    check_undecided(state)
    return [
        AppealWithdrawn(
            regulation=state.regulation,
            by=by,
            competition=state.competition,
            appeal=state.id,
            accepted=state.stage in ("accepted", "heard"),
            reason=reason,
            reference=reference,
        )
    ]


# When time passes


def lapse(state: Appeal, case: Case, deposit_at: datetime | None, now: datetime, by: str) -> Events:
    """A draft that lacks its sealed report or its deposit, with its window closed and the time to enter papers over, is
    refused, and its money goes back. Nothing where it is not so, or not any more. `deposit_at` is when money was handed
    over, confirmed or not."""
    if state.stage != "drafted":
        return []
    free = case.preset.appeals.deposit_fen.value == 0
    if state.report_at is not None and (free or deposit_at is not None):
        return []
    closes = case.closes(state.asks_for)
    if not case.replaced and (closes is None or in_time(now, lapses_at(case.preset, closes))):
        return []
    reason = "申诉期已过而材料不全，自动失效 Incomplete when its window had closed: lapsed"
    return [_refused(state, reason, case.preset.appeals.window_hours.article, by)]


def void(state: Appeal, cancelled_because: str, article: str, by: str) -> Events:
    """The competition was cancelled: nothing is left to decide, and the deposit goes back (assumed). Nothing where the
    appeal is over."""
    if state.stage not in ("drafted", "lodged", "accepted", "heard"):
        return []
    reason = f"赛事已取消，申诉终止，申诉费退还 The competition is cancelled, so is the appeal: {cancelled_because}"
    return [_refused(state, reason, article, by)]


def overdue(state: Appeal, case: Case, due_at: datetime, now: datetime, by: str) -> Events:
    """A lodged appeal was not decided by a date: it is flagged, once for each date. Nothing where it is not so."""
    decided_or_over = state.stage not in ("lodged", "accepted", "heard")
    if decided_or_over or state.overdue == due_at or in_time(now, due_at):
        return []
    terms = case.preset.appeals
    return [
        DecisionOverdue(
            regulation=state.regulation,
            by=by,
            competition=state.competition,
            appeal=state.id,
            due_at=due_at,
            article=(terms.decide_hours or terms.decided_by).article,
        )
    ]


# Hearing and decision


def hear(
    state: Appeal, case: Case, members: tuple[CommitteeMember, ...], by: str, together: Sequence[Appeal] = ()
) -> Events:
    """The committee hears the appeal, alone or together with others over the same match (RULINGS, Appeals 3); it may do
    so more than once. Raises NotLodgedYet, NotAcceptedYet, NotTogether, and what `check_undecided`, `check_sitting` and
    `check_committee` do."""
    check_undecided(state)
    _check_accepted(state)
    check_sitting(state, case, members)
    check_committee(case, members, by, state.asks_for)
    for other in together:
        if other.id == state.id or other.match != state.match or other.stage not in ("accepted", "heard"):
            raise refuse.NotTogether("/together_with", appeal=other.id, match=state.match)
    return [
        AppealHeard(
            regulation=state.regulation,
            by=by,
            competition=state.competition,
            appeal=state.id,
            members=members,
            together_with=tuple(other.id for other in together),
        )
    ]


def check_sitting(state: Appeal, case: Case, members: tuple[CommitteeMember, ...]) -> None:
    """Whether those who sit are of the committee that was named, and enough of them. Anyone without a conflict may sit
    while none is named. Raises SitsTwice, NotOfTheCommittee, NoQuorum."""
    article = case.preset.appeals.decided_by.article
    check_once(members, article)
    if state.committee is None:
        return
    named = {member.account: member.unit for member in state.committee.members}
    for number, member in enumerate(members):
        if named.get(member.account) != member.unit:
            raise refuse.NotOfTheCommittee(f"/members/{number}", article, account=member.account)
    if len(members) < state.committee.quorum:
        raise refuse.NoQuorum("/members", article, quorum=state.committee.quorum, present=len(members))


def check_once(members: Sequence[CommitteeMember], article: str) -> None:
    """That nobody sits twice. Raises SitsTwice."""
    seen: set[str] = set()
    for number, member in enumerate(members):
        if member.account in seen:
            raise refuse.SitsTwice(f"/members/{number}/account", article, account=member.account)
        seen.add(member.account)


class Decision(msgspec.Struct, frozen=True, kw_only=True):
    """What the committee decides; `article` is empty where it cites none but the one that lets it decide."""

    outcome: Verdict
    reason: str
    members: tuple[CommitteeMember, ...]
    remedy: Remedy | None = None
    later: LaterRounds | None = None
    article: str = ""


def decide(state: Appeal, case: Case, decision: Decision, by: str) -> Events:
    """The committee decides, once. Raises NotHeardYet, RemedyNeeded, NoRemedyWhenDismissed, RemedyNotInOrder,
    LaterRoundsRestOnIt, LaterNotInOrder, and what `hear` does."""
    check_undecided(state)
    _check_accepted(state)
    if state.stage != "heard":
        raise refuse.NotHeardYet(appeal=state.id)
    check_sitting(state, case, decision.members)
    check_committee(case, decision.members, by, state.asks_for, decision.remedy or NOTHING)
    said: dict[str, Any] = {
        "regulation": state.regulation,
        "by": by,
        "competition": state.competition,
        "appeal": state.id,
        "match": state.match,
        "round": state.round,
        "team": state.team,
        "reason": decision.reason,
        "article": decision.article or case.preset.appeals.decided_by.article,
        "members": decision.members,
    }
    if decision.outcome == "dismissed":
        _check_dismissal(decision)
        return [AppealDismissed(**said)]
    remedy = _checked_remedy(case, decision)
    _check_later(case, remedy, decision.later)
    upheld = AppealUpheld if decision.outcome == "upheld" else AppealPartlyUpheld
    return [upheld(**said, remedy=remedy, later=decision.later)]


def _check_accepted(state: Appeal) -> None:
    if state.stage == "drafted":
        raise refuse.NotLodgedYet(appeal=state.id)
    if state.stage == "lodged":
        raise refuse.NotAcceptedYet(appeal=state.id)


def _check_dismissal(decision: Decision) -> None:
    if (decision.remedy or NOTHING) != NOTHING or decision.later is not None:
        raise refuse.NoRemedyWhenDismissed("/later" if decision.later else "/remedy")


def _checked_remedy(case: Case, decision: Decision) -> Remedy:
    if decision.remedy is None:
        raise refuse.RemedyNeeded("/remedy")
    check_remedy(case, decision.remedy, "/remedy")
    return decision.remedy


def _check_later(case: Case, remedy: Remedy, later: LaterRounds | None) -> None:
    """The committee says what becomes of the later matches that rest on the changed one (RULINGS, Appeals 6)."""
    if later is None:
        if case.later and remedy.kind != "none":
            matches = ", ".join(match for number in sorted(case.later) for match in case.later[number])
            raise refuse.LaterRoundsRestOnIt(case.preset.draws.format.article, matches=matches)
        return
    named = later.round in case.later if later.choice == "replay_from" else later.round is None
    if not named:
        rounds = ", ".join(str(number) for number in sorted(case.later)) or "-"
        raise refuse.LaterNotInOrder("/later/round", rounds=rounds)


# The money


def deposit_goes(state: Appeal, outcome: Outcome, preset: Preset) -> DepositDecision:
    """What becomes of the deposit of an appeal that ended so. Money for an appeal that never stood goes back, whatever
    the regulation makes of a refusal (RULINGS, Appeals 2)."""
    if not state.lodged:
        return DepositDecision("refunded", preset.appeals.deposit_due.basis)
    return deposit_outcome(preset, outcome)
