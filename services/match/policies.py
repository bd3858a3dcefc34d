"""Match's policy: an appeal decided for the team becomes a ruling, exactly once."""

from __future__ import annotations

from services.match.commands import Matches
from services.match.model.rulings import Decision
from shared.contracts.appeals import AppealPartlyUpheld, AppealUpheld
from shared.eventsourcing.handling import Command
from shared.eventsourcing.policy import Policy
from shared.eventsourcing.records import Envelope


def rulings() -> Policy:
    """The policy, before it has anything to react with."""
    return Policy("match.rulings", ["appeals"])


def connect(policy: Policy, use_cases: Matches) -> None:
    """Decisions with a remedy are applied to the match they name."""

    def rule(event: AppealUpheld | AppealPartlyUpheld, _: Envelope, command: Command) -> None:
        if event.remedy.kind == "none":
            return
        decision = Decision(
            match=event.match,
            remedy=event.remedy,
            later=event.later,
            appeal=event.appeal,
            reason=event.reason,
            article=event.article,
        )
        use_cases.apply_ruling(command, event.competition, decision)

    policy.on(AppealUpheld, rule)
    policy.on(AppealPartlyUpheld, rule)
