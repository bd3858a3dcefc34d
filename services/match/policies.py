"""Match's policies: a draw's seed is committed when entries open, and an appeal decided for the team becomes a ruling,
each exactly once."""

from __future__ import annotations

import msgspec

from services.match.commands import Matches
from services.match.model.rulings import Decision
from shared.contracts.appeals import AppealPartlyUpheld, AppealUpheld
from shared.contracts.registration import EntriesOpened
from shared.eventsourcing.handling import Command
from shared.eventsourcing.policy import Policy
from shared.eventsourcing.records import Envelope


def seeds() -> Policy:
    """The policy that commits seeds, before it has anything to react with."""
    return Policy("match.seeds", ["registration"])


def rulings() -> Policy:
    """The policy that applies decisions, before it has anything to react with."""
    return Policy("match.rulings", ["appeals"])


def commit_seeds(policy: Policy, use_cases: Matches) -> None:
    """Where nobody has committed a seed when entries open, one is, for the cards and for each board: forgotten until
    they close, it could never be."""

    def commit(event: EntriesOpened, _: Envelope, command: Command) -> None:
        for competition in use_cases.events(event.competition):
            own = command.id if competition == event.competition else f"{command.id} {competition}"
            use_cases.commit_seed_if_none(msgspec.structs.replace(command, id=own), competition)

    policy.on(EntriesOpened, commit)


def apply_rulings(policy: Policy, use_cases: Matches) -> None:
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
