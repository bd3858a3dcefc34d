"""Until an appeal is lodged, what its team gives up, and its deposit."""

from __future__ import annotations

from typing import Any

from services.appeals.api.base import APPEAL, BASE, blueprint, check_speaks_for, desk, own_names, remedy_of, said
from services.appeals.api.bodies import DepositSchema, DraftSchema, ReportSchema, WaiverSchema, WithdrawalSchema
from shared.eventsourcing.handling import Command, Outcome
from shared.web.commands import command


@command(blueprint, BASE + "/appeals", DraftSchema, roles=("leader", "organiser"))
def draft(command: Command, body: dict[str, Any], competition: str) -> Outcome:
    """Begin an appeal, during the round or inside its window."""
    asks_for, own = remedy_of(body["asks_for"]), own_names(competition, body)
    appellant = body.get("appellant")
    return desk().draft(command, competition, body["match"], own, body["grounds"], asks_for, said(body), appellant)


@command(blueprint, APPEAL + "/reports", ReportSchema, roles=("leader", "organiser"))
def report(command: Command, body: dict[str, Any], competition: str, appeal: str) -> Outcome:
    """The written report reaches the desk: a leader's when it arrives here, a paper's when the desk says."""
    check_speaks_for(competition, appeal)
    return desk().report(command, competition, appeal, body["reference"], body["bears_seal"], said(body))


@command(blueprint, APPEAL + "/deposits", DepositSchema, roles=("organiser",))
def receive_deposit(command: Command, body: dict[str, Any], competition: str, appeal: str) -> Outcome:
    """Enter the deposit. The stream, and so If-Match, is the competition's ledger."""
    return desk().receive_deposit(command, competition, appeal, body["amount_fen"], said(body))


@command(blueprint, APPEAL + "/deposits/confirmations", roles=("organiser", "committee"))
def confirm_deposit(command: Command, _body: dict[str, Any], competition: str, appeal: str) -> Outcome:
    """Confirm the deposit that another person entered."""
    return desk().confirm_deposit(command, competition, appeal)


@command(blueprint, APPEAL + "/withdrawals", WithdrawalSchema, roles=("leader", "organiser"))
def withdraw(command: Command, body: dict[str, Any], competition: str, appeal: str) -> Outcome:
    """Take an appeal back before it is decided."""
    check_speaks_for(competition, appeal)
    return desk().withdraw(command, competition, appeal, body["reason"], body["reference"])


@command(blueprint, BASE + "/waivers", WaiverSchema, roles=("leader", "organiser"))
def waive(command: Command, body: dict[str, Any], competition: str) -> Outcome:
    """Give up a team's appeals over closed rounds; by its unit or entry, those of all its teams."""
    own = own_names(competition, body)
    teams = [one.team for one in desk().records.teams_of(competition, own[0] if own else "")]
    return desk().waive(command, competition, teams, body["through_round"], body["reference"])
