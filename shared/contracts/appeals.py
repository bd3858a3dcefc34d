"""Events of appeals (申诉). Streams: `appeal/<competition>/<appeal id>` and `ledger/<competition>` (deposits and
waivers)."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

import msgspec

from shared.contracts.fact import Fact, LaterRounds, Remedy

DepositAccount = Literal["received", "held"]
"""Where an appeal's deposit stands in the books until it is settled: handed over, or confirmed by another person."""

Appellant = Literal["leader", "coach", "player"]
"""Who of a team's entry appeals for it: the leader, and where none was entered the coach or a player."""


EvidenceSide = Literal["appellant", "opponent", "desk", "referee", "committee"]
"""Who brings evidence: the team that appeals, the other team of the match, or one of those who run it."""


class CommitteeMember(msgspec.Struct, frozen=True, kw_only=True):
    """Who sat: the account, and the unit the person belongs to, by which a conflict of interest is judged."""

    account: str
    unit: str


class AppealDrafted(Fact, frozen=True, kw_only=True):
    """A team's leader begins an appeal at `begun_at`. Nothing is lodged yet. Where the desk began it for a team whose
    paper it holds, `begun_at` is when the paper was handed over, `officer` took it, and `reason` says why the desk
    began it. `appellant` is None in events from before it was recorded."""

    competition: str
    appeal: str
    match: str
    round: int
    team: str
    grounds: str
    asks_for: Remedy
    begun_at: datetime
    reason: str
    appellant: Appellant | None = None
    officer: str = ""


class ReportReceived(Fact, frozen=True, kw_only=True):
    """The written report reached the desk at `received_at`; for a paper, which `officer` took, the desk entered the
    time, with a reason. Without the unit's seal it is kept as evidence and lodges nothing."""

    competition: str
    appeal: str
    reference: str
    bears_seal: bool
    received_at: datetime
    on_paper: bool
    reason: str
    article: str
    officer: str = ""


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
    """Taken back by the team; `accepted` tells whether it had been accepted, which decides over the deposit.
    `reference` names the paper, where the desk entered what the team wrote."""

    competition: str
    appeal: str
    accepted: bool
    reason: str
    reference: str = ""


class CommitteeNamed(Fact, frozen=True, kw_only=True):
    """The organiser names who shall decide an appeal: of `members` at least `quorum` sit, by `decide_by` where a date
    is set. Named anew, with substitutes for members who may not sit, it takes the place of what was named before."""

    competition: str
    appeal: str
    members: tuple[CommitteeMember, ...]
    quorum: int
    decide_by: datetime | None
    reason: str
    article: str


class EvidenceFiled(Fact, frozen=True, kw_only=True):
    """Something is to be considered: a file, kept sealed outside the log (`sha256` is of the sealed bytes), or an event
    of the log (`event` is its id, `<stream>@<version>`). `side` is who brings it."""

    competition: str
    appeal: str
    evidence: str
    side: EvidenceSide
    title: str
    event: str = ""
    media: str = ""
    size: int = 0
    sha256: str = ""


class EvidenceStruck(Fact, frozen=True, kw_only=True):
    """What was filed by mistake is not considered; its file is gone, its hash stays."""

    competition: str
    appeal: str
    evidence: str
    reason: str


class EvidenceRead(Fact, frozen=True, kw_only=True):
    """An account was given the file of a piece of evidence."""

    competition: str
    appeal: str
    evidence: str
    role: str


class AppealHeard(Fact, frozen=True, kw_only=True):
    """The committee heard the appeal: who sat, and which other appeals over the match were heard together with it."""

    competition: str
    appeal: str
    members: tuple[CommitteeMember, ...]
    together_with: tuple[str, ...] = ()


class _Decided(Fact, frozen=True, kw_only=True):
    competition: str
    appeal: str
    match: str
    round: int
    team: str
    reason: str
    article: str
    members: tuple[CommitteeMember, ...]


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
    """Money was handed over at `received_at` and entered by one person; it counts once another confirms it. Where it
    was entered later than it was handed over, `officer` took it and `reason` says why."""

    competition: str
    appeal: str
    amount_fen: int
    received_at: datetime
    reason: str
    article: str
    officer: str = ""


class DepositConfirmed(Fact, frozen=True, kw_only=True):
    """Another person confirms the receipt: the money is held. `received_at` is the entry's, which the window counts."""

    competition: str
    appeal: str
    amount_fen: int
    received_at: datetime


class DepositRefunded(Fact, frozen=True, kw_only=True):
    """The deposit goes back to the team, out of the account where it stood."""

    competition: str
    appeal: str
    amount_fen: int
    source: DepositAccount
    reason: str
    article: str


class DepositForfeited(Fact, frozen=True, kw_only=True):
    """Held money is kept."""

    competition: str
    appeal: str
    amount_fen: int
    reason: str
    article: str


class DecisionOverdue(Fact, frozen=True, kw_only=True):
    """An appeal was to be decided by `due_at` and was not. It stays as it is: nobody loses an appeal by it."""

    competition: str
    appeal: str
    due_at: datetime
    article: str


class AppealWindowClosed(Fact, frozen=True, kw_only=True):
    """The window over a round, as that was closed at `round_closed_at`, is closed: the last instant in time was
    `closes`; or, with `waived`, all teams have waived it. For those who wait for it: whether an appeal is in time is
    judged by the instants alone."""

    competition: str
    round: int
    closing: int
    round_closed_at: datetime
    closes: datetime
    waived: bool
    article: str


class WaiverReceived(Fact, frozen=True, kw_only=True):
    """A team waives, in writing, appeals over the rounds up to `through_round`, which closes its windows early.
    `closed_at` says of each of these rounds, from the first, which closing of it the team knew: a round that is
    reopened or paired anew can be appealed again once it is closed."""

    competition: str
    team: str
    through_round: int
    closed_at: tuple[datetime, ...]
    reference: str


EVENTS: tuple[type[Fact], ...] = (
    AppealDrafted,
    ReportReceived,
    AppealFiled,
    AppealAccepted,
    AppealRefused,
    AppealWithdrawn,
    CommitteeNamed,
    EvidenceFiled,
    EvidenceStruck,
    EvidenceRead,
    AppealHeard,
    AppealUpheld,
    AppealPartlyUpheld,
    AppealDismissed,
    DepositReceived,
    DepositConfirmed,
    DepositRefunded,
    DepositForfeited,
    WaiverReceived,
    DecisionOverdue,
    AppealWindowClosed,
)
