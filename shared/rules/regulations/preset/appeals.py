"""Appeals and their deposits."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from shared.rules.basis import Ruled
from shared.rules.regulations.preset.values import Count, Positive

DepositOutcome = Literal["refunded", "kept"]


class Refunds(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What becomes of an appeal's deposit."""

    upheld: Ruled[DepositOutcome]
    partly_upheld: Ruled[DepositOutcome]
    dismissed: Ruled[DepositOutcome]
    withdrawn_before_acceptance: Ruled[DepositOutcome]
    withdrawn_after_acceptance: Ruled[DepositOutcome]
    refused_form: Ruled[DepositOutcome]


class Appeals(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Whether, until when and for what deposit (fen) a ruling may be appealed; window_hours null: not at all.

    paper_hours: how long after the window papers handed over in time may still be entered, before what is incomplete
    lapses; decide_hours: from lodging, until a decision is overdue; null: it never is.
    """

    allowed: Ruled[bool]
    window_hours: Ruled[Positive | None]
    window_from: Ruled[Literal["round_closed", "match_closed", "incident", "result_posted"]]
    deposit_fen: Ruled[Count]
    deposit_due: Ruled[Literal["with_report", "within_window"]]
    appellant: Ruled[Literal["leader_of_match_team"]]
    decided_by: Ruled[Literal["organising_committee", "arbitration_committee", "chief_referee", "referee_group"]]
    deposit: Refunds
    paper_hours: Ruled[Count] | None = None
    decide_hours: Ruled[Positive | None] | None = None
