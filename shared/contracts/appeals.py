"""Events of appeals (申诉). Streams: `appeal/<appeal id>` and `ledger/<competition>` (deposits and waivers)."""

from __future__ import annotations

from datetime import datetime

from shared.contracts.fact import Fact, LaterRounds, Remedy


class AppealDrafted(Fact, frozen=True, kw_only=True):
    """A team's leader begins an appeal. Nothing is lodged yet."""

    competition: str
    appeal: str
    match: str
    round: int
    team: str
    grounds: str
    asks_for: Remedy


class ReportReceived(Fact, frozen=True, kw_only=True):
    """The written report reached the desk at `received_at`; for a paper the desk entered the time, with a reason."""

    competition: str
    appeal: str
    reference: str
    bears_seal: bool
    received_at: datetime
    on_paper: bool
    reason: str
    article: str


class AppealFiled(Fact, frozen=True, kw_only=True):
    """The appeal is lodged: report and deposit have both reached the desk inside the window. `deadline` is None
    where the round was not closed yet."""

    competition: str
    appeal: str
    match: str
    round: int
    team: str
    report_received_at: datetime
    deposit_received_at: datetime
    deposit_fen: int
    deadline: datetime | None
    grounds: str
    asks_for: Remedy
    article: str


class AppealAccepted(Fact, frozen=True, kw_only=True):
    """In form: it will be heard."""

    competition: str
    appeal: str


class AppealRefused(Fact, frozen=True, kw_only=True):
    """Not in form: it will not be heard, and the deposit goes back."""

    competition: str
    appeal: str
    reason: str
    article: str


class AppealWithdrawn(Fact, frozen=True, kw_only=True):
    """Taken back by the team; `accepted` tells whether it had been accepted, which decides over the deposit."""

    competition: str
    appeal: str
    accepted: bool
    reason: str


class AppealHeard(Fact, frozen=True, kw_only=True):
    """The committee heard the appeal: who sat."""

    competition: str
    appeal: str
    members: tuple[str, ...]


class _Decided(Fact, frozen=True, kw_only=True):
    competition: str
    appeal: str
    match: str
    round: int
    team: str
    reason: str
    article: str
    members: tuple[str, ...]


class AppealUpheld(_Decided, frozen=True, kw_only=True):
    """The team is right; the remedy becomes a ruling in match, exactly once. `later` says what happens to rounds
    that rest on the changed match, where there are any."""

    remedy: Remedy
    later: LaterRounds | None


class AppealPartlyUpheld(_Decided, frozen=True, kw_only=True):
    """The team is right in part; see AppealUpheld."""

    remedy: Remedy
    later: LaterRounds | None


class AppealDismissed(_Decided, frozen=True, kw_only=True):
    """The team is not right; the result stands."""


class DepositReceived(Fact, frozen=True, kw_only=True):
    """Money was handed over at `received_at` and entered by one person; it counts once another confirms it."""

    competition: str
    appeal: str
    amount_fen: int
    received_at: datetime
    article: str


class DepositConfirmed(Fact, frozen=True, kw_only=True):
    """Another person confirms the receipt: the money is held. `received_at` is the entry's, which the window counts."""

    competition: str
    appeal: str
    amount_fen: int
    received_at: datetime


class DepositRefunded(Fact, frozen=True, kw_only=True):
    """Held money goes back to the team."""

    competition: str
    appeal: str
    amount_fen: int
    reason: str
    article: str


class DepositForfeited(Fact, frozen=True, kw_only=True):
    """Held money is kept."""

    competition: str
    appeal: str
    amount_fen: int
    reason: str
    article: str


class WaiverReceived(Fact, frozen=True, kw_only=True):
    """A team waives, in writing, appeals over the rounds up to `through_round`, which closes its windows early."""

    competition: str
    team: str
    through_round: int
    reference: str


EVENTS: tuple[type[Fact], ...] = (
    AppealDrafted,
    ReportReceived,
    AppealFiled,
    AppealAccepted,
    AppealRefused,
    AppealWithdrawn,
    AppealHeard,
    AppealUpheld,
    AppealPartlyUpheld,
    AppealDismissed,
    DepositReceived,
    DepositConfirmed,
    DepositRefunded,
    DepositForfeited,
    WaiverReceived,
)
