"""What the committee does."""

from __future__ import annotations

from typing import Any

import msgspec

from services.appeals import model
from services.appeals.api.base import APPEAL, blueprint, desk, members_of, remedy_of
from services.appeals.api.bodies import CommitteeSchema, DecisionSchema, HearingSchema, ReasonSchema
from services.appeals.committee import Committee
from shared.contracts.fact import LaterRounds
from shared.eventsourcing.handling import Command, Outcome
from shared.web.commands import command


@command(blueprint, APPEAL + "/acceptances", roles=("committee",))
def accept(command: Command, _body: dict[str, Any], competition: str, appeal: str) -> Outcome:
    """Accept an appeal that is in form."""
    return desk().accept(command, competition, appeal)


@command(blueprint, APPEAL + "/refusals", ReasonSchema, roles=("committee",))
def refuse_form(command: Command, body: dict[str, Any], competition: str, appeal: str) -> Outcome:
    """Refuse an appeal for its form; its deposit goes back."""
    return desk().refuse(command, competition, appeal, body["reason"])


@command(blueprint, APPEAL + "/committees", CommitteeSchema, roles=("organiser",))
def name_committee(command: Command, body: dict[str, Any], competition: str, appeal: str) -> Outcome:
    """Name who shall decide, with a quorum and a date; anew, with substitutes where members may not sit."""
    named = Committee(
        members=members_of(body), quorum=body["quorum"], decide_by=body["decide_by"], reason=body["reason"]
    )
    return desk().name_committee(command, competition, appeal, named)


@command(blueprint, APPEAL + "/hearings", HearingSchema, roles=("committee",))
def hear(command: Command, body: dict[str, Any], competition: str, appeal: str) -> Outcome:
    """Record that the appeal was heard, who sat, and with which others over the match it was heard."""
    return desk().hear(command, competition, appeal, members_of(body), tuple(dict.fromkeys(body["together_with"])))


@command(blueprint, APPEAL + "/decisions", DecisionSchema, roles=("committee",))
def decide(command: Command, body: dict[str, Any], competition: str, appeal: str) -> Outcome:
    """Decide an appeal."""
    decision = model.Decision(
        outcome=body["outcome"],
        reason=body["reason"],
        members=members_of(body),
        remedy=remedy_of(body["remedy"]) if "remedy" in body else None,
        later=msgspec.convert(body["later"], LaterRounds) if "later" in body else None,
        article=body["article"],
    )
    return desk().decide(command, competition, appeal, decision)
