"""The appeals desk over HTTP: shapes in and out, no rules."""

from __future__ import annotations

from typing import Any, cast

import marshmallow as ma
import msgspec
from flask_smorest import Blueprint

from services.appeals import facts, model
from services.appeals import refusals as refuse
from services.appeals.commands import DESK, Appeals, Said
from services.appeals.projections import AppealRow, MatchRow
from services.appeals.records import deadlines, missing, next_step, window
from shared.contracts.appeals import CommitteeMember
from shared.contracts.fact import LaterRounds, Remedy
from shared.eventsourcing.handling import Command, Outcome
from shared.web.commands import command
from shared.web.context import identity, service
from shared.web.reads import Found, PageQuery, after, page, paged, plain, read
from shared.web.words import lines, words

blueprint = Blueprint("appeals", __name__, description="Appeals, deposits, deadlines")

BASE = "/competitions/<competition>"
APPEAL = BASE + "/appeals/<appeal>"
Name = words(100)
Reason = lines(500)
LEVELS = ("2", "3", "4", "5", "6", "7", "8", "9", "T", "J", "Q", "K", "A")
KINDS = (
    "correct_hand",
    "annul_hand",
    "impose_penalty",
    "lift_penalty",
    "award_match",
    "replay_match",
    "disqualify_team",
    "none",
)
FEN = 100_000_000


def _desk() -> Appeals:
    return cast(Appeals, service().use_cases)


# Schemas


class LevelsSchema(ma.Schema):
    """Levels by pair."""

    north = ma.fields.String(data_key="13", required=True, validate=ma.validate.OneOf(LEVELS))
    east = ma.fields.String(data_key="24", required=True, validate=ma.validate.OneOf(LEVELS))


class HandFactsSchema(ma.Schema):
    """A hand as it should have been entered."""

    dealer = ma.fields.Integer(required=True, strict=True, validate=ma.validate.Range(1, 4))
    points = ma.fields.Integer(required=True, strict=True, validate=ma.validate.Range(0, 100_000))
    trump = ma.fields.String(allow_none=True, load_default=None, validate=ma.validate.OneOf("SHCDN"))
    levels = ma.fields.Nested(LevelsSchema, allow_none=True, load_default=None)


class RemedySchema(ma.Schema):
    """What shall be done to the match: correct_hand (hand, facts), annul_hand (hand), impose_penalty (hand, pair,
    code, cards), lift_penalty (penalty), award_match (team), replay_match, disqualify_team (team), none."""

    kind = ma.fields.String(required=True, validate=ma.validate.OneOf(KINDS))
    hand = ma.fields.Integer(strict=True, validate=ma.validate.Range(1, 1000))
    facts = ma.fields.Nested(HandFactsSchema)
    penalty = ma.fields.String(validate=Name)
    pair = ma.fields.String(validate=ma.validate.OneOf(["13", "24"]))
    code = ma.fields.String(validate=Name)
    cards = ma.fields.Integer(strict=True, validate=ma.validate.Range(1, 108))
    team = ma.fields.String(validate=Name)


class SaidSchema(ma.Schema):
    """For what the desk enters from paper: when it was handed over (without a zone: local), to whom (`officer`; left
    out: who enters it), and why the desk does."""

    received_at = ma.fields.DateTime(format="iso")
    officer = ma.fields.String(validate=Name)
    reason = ma.fields.String(load_default="", validate=lines(500, 0))


class DraftSchema(SaidSchema):
    """An appeal begun. `team` is for the desk; a leader's is the token's. `appellant` is in what capacity the person
    appeals: its coach or a player only for a team that entered no leader; left out, as who may."""

    match = ma.fields.String(required=True, validate=Name)
    grounds = ma.fields.String(required=True, validate=lines(5000))
    asks_for = ma.fields.Nested(RemedySchema, required=True)
    team = ma.fields.String(validate=Name)
    appellant = ma.fields.String(validate=ma.validate.OneOf(["leader", "coach", "player"]))


class ReportSchema(SaidSchema):
    """The written report: how it is filed, and whether it bears the unit's seal."""

    reference = ma.fields.String(required=True, validate=Name)
    bears_seal = ma.fields.Boolean(required=True)


class DepositSchema(SaidSchema):
    """Money over the counter, in fen. `received_at` only with a reason; else now."""

    amount_fen = ma.fields.Integer(required=True, strict=True, validate=ma.validate.Range(1, FEN))


class ReasonSchema(ma.Schema):
    """Why."""

    reason = ma.fields.String(required=True, validate=Reason)


class WithdrawalSchema(ReasonSchema):
    """Why a team takes its appeal back. `reference` names its paper, and is for the desk."""

    reference = ma.fields.String(load_default="", validate=lines(100, 0))


class MemberSchema(ma.Schema):
    """A member of the committee who sat."""

    account = ma.fields.String(required=True, validate=Name)
    unit = ma.fields.String(required=True, validate=Name)


class HearingSchema(ma.Schema):
    """Who sat."""

    members = ma.fields.List(ma.fields.Nested(MemberSchema), required=True, validate=ma.validate.Length(1, 30))


class LaterSchema(ma.Schema):
    """What becomes of later rounds that rest on the match."""

    choice = ma.fields.String(required=True, validate=ma.validate.OneOf(["let_stand", "replay_from"]))
    round = ma.fields.Integer(strict=True, validate=ma.validate.Range(1, 999))


class DecisionSchema(HearingSchema):
    """A decision. `remedy` where it upholds, `later` where paired rounds rest on the match; `article` where it rests
    on one."""

    outcome = ma.fields.String(required=True, validate=ma.validate.OneOf(["upheld", "partly_upheld", "dismissed"]))
    remedy = ma.fields.Nested(RemedySchema)
    later = ma.fields.Nested(LaterSchema)
    reason = ma.fields.String(required=True, validate=lines(5000))
    article = ma.fields.String(load_default="", validate=lines(100, 0))


class WaiverSchema(ma.Schema):
    """Appeals over rounds up to one are given up in writing. `team` and `reference` are for the desk; a leader's team
    is the token's."""

    team = ma.fields.String(validate=Name)
    through_round = ma.fields.Integer(required=True, strict=True, validate=ma.validate.Range(1, 999))
    reference = ma.fields.String(load_default="", validate=lines(100, 0))


class EndSchema(ma.Schema):
    """How it ended: refused, withdrawn or decided."""

    at = ma.fields.String(required=True)
    by = ma.fields.String(required=True)
    reason = ma.fields.String(required=True)
    article = ma.fields.String(required=True, allow_none=True)
    remedy = ma.fields.Dict(required=True, allow_none=True)
    later = ma.fields.Dict(required=True, allow_none=True)
    members = ma.fields.List(ma.fields.Dict(), required=True, allow_none=True)


class AppealSchema(ma.Schema):
    """A lodged appeal as everyone may see it."""

    appeal = ma.fields.String(required=True)
    match = ma.fields.String(required=True)
    round = ma.fields.Integer(required=True)
    team = ma.fields.String(required=True)
    status = ma.fields.String(required=True)
    begun_at = ma.fields.String(required=True)
    filed = ma.fields.Dict(required=True, allow_none=True)
    ended = ma.fields.Nested(EndSchema, required=True, allow_none=True)


class WindowSchema(ma.Schema):
    """A window: not_running, open, closed or waived; the instant it closes is still in time."""

    state = ma.fields.String(required=True)
    opens = ma.fields.String(required=True, allow_none=True)
    closes = ma.fields.String(required=True, allow_none=True)


class StepSchema(ma.Schema):
    """What comes next, and whose turn it is."""

    code = ma.fields.String(required=True)
    who = ma.fields.String(required=True)
    zh = ma.fields.String(required=True)
    en = ma.fields.String(required=True)


class FollowedSchema(AppealSchema):
    """An appeal as those concerned follow it."""

    window = ma.fields.Nested(WindowSchema, required=True)
    missing = ma.fields.List(
        ma.fields.String(), required=True, metadata={"description": "report, seal, deposit, confirmation"}
    )
    next_step = ma.fields.Nested(StepSchema, required=True)
    deposit = ma.fields.Dict(required=True, allow_none=True)


class DisputedMatchSchema(ma.Schema):
    """The match in dispute: hands, penalties, results and rulings; `disputed` marks what the appeal asks to change."""

    match = ma.fields.String(required=True)
    round = ma.fields.Integer(required=True)
    table = ma.fields.Integer(required=True)
    teams = ma.fields.List(ma.fields.String(), required=True)
    hands = ma.fields.List(ma.fields.Dict(), required=True)
    penalties = ma.fields.List(ma.fields.Dict(), required=True)
    closings = ma.fields.List(ma.fields.Dict(), required=True)
    rulings = ma.fields.List(ma.fields.Dict(), required=True)
    later = ma.fields.Dict(required=True, metadata={"description": "later paired rounds, and their matches"})


class AppealDetailSchema(FollowedSchema):
    """An appeal with its grounds, papers and the match in dispute. `version` goes into If-Match; `officer` took the
    paper, where it was begun on paper."""

    version = ma.fields.Integer(required=True)
    grounds = ma.fields.String(required=True)
    asks_for = ma.fields.Dict(required=True)
    begun_by = ma.fields.String(required=True)
    appellant = ma.fields.String(required=True, allow_none=True, metadata={"description": "leader, coach or player"})
    officer = ma.fields.String(required=True)
    reports = ma.fields.List(ma.fields.Dict(), required=True)
    accepted = ma.fields.Dict(required=True, allow_none=True)
    hearings = ma.fields.List(ma.fields.Dict(), required=True)
    disputed = ma.fields.Nested(DisputedMatchSchema, required=True)


class PostingSchema(ma.Schema):
    """An amount in fen added to an account."""

    account = ma.fields.String(required=True)
    fen = ma.fields.Integer(required=True)


class EntrySchema(ma.Schema):
    """An entry of the books; its postings are zero together."""

    number = ma.fields.Integer(required=True)
    at = ma.fields.String(required=True)
    kind = ma.fields.String(required=True, metadata={"description": "received, confirmed, refunded or forfeited"})
    appeal = ma.fields.String(required=True)
    amount_fen = ma.fields.Integer(required=True)
    by = ma.fields.String(required=True)
    received_at = ma.fields.String(required=True, allow_none=True)
    officer = ma.fields.String(required=True, allow_none=True)
    reason = ma.fields.String(required=True, allow_none=True)
    article = ma.fields.String(required=True, allow_none=True)
    postings = ma.fields.List(ma.fields.Nested(PostingSchema), required=True)


class LedgerSchema(ma.Schema):
    """A competition's deposit ledger. `sum` is of all accounts, and always zero."""

    entries = ma.fields.List(ma.fields.Nested(EntrySchema), required=True)
    accounts = ma.fields.List(ma.fields.Nested(PostingSchema), required=True)
    moved = ma.fields.Dict(required=True, metadata={"description": "fen received, confirmed, refunded, forfeited"})
    sum = ma.fields.Integer(required=True)


class RoundDeadlineSchema(WindowSchema):
    """A round's window, who has waived it, who can still appeal, and which lodged appeals are undecided."""

    round = ma.fields.Integer(required=True)
    closing = ma.fields.Integer(required=True)
    waived_by = ma.fields.List(ma.fields.String(), required=True)
    can_appeal = ma.fields.List(ma.fields.String(), required=True)
    undecided = ma.fields.List(ma.fields.String(), required=True)


class DeadlinesSchema(ma.Schema):
    """Until when what can be appealed, and by which article; without windows where the regulation has no appeals."""

    allowed = ma.fields.Boolean(required=True)
    article = ma.fields.String(required=True)
    window_from = ma.fields.String(required=True, allow_none=True)
    mark = ma.fields.String(required=True)
    window_hours = ma.fields.Integer(required=True, allow_none=True)
    deposit_fen = ma.fields.Integer(required=True)
    rounds = ma.fields.List(ma.fields.Nested(RoundDeadlineSchema), required=True)


# Until it is lodged


@command(blueprint, BASE + "/appeals", DraftSchema, roles=("leader", "organiser"))
def draft(command: Command, body: dict[str, Any], competition: str) -> Outcome:
    """Begin an appeal, during the round or inside its window."""
    asks_for, own = _remedy(body["asks_for"]), _own(body)
    appellant = body.get("appellant")
    return _desk().draft(command, competition, body["match"], own, body["grounds"], asks_for, _said(body), appellant)


@command(blueprint, APPEAL + "/reports", ReportSchema, roles=("leader", "organiser"))
def report(command: Command, body: dict[str, Any], competition: str, appeal: str) -> Outcome:
    """The written report reaches the desk: a leader's when it arrives here, a paper's when the desk says."""
    _speaks_for(competition, appeal)
    return _desk().report(command, competition, appeal, body["reference"], body["bears_seal"], _said(body))


@command(blueprint, APPEAL + "/deposits", DepositSchema, roles=("organiser",))
def receive_deposit(command: Command, body: dict[str, Any], competition: str, appeal: str) -> Outcome:
    """Enter the deposit. The stream, and so If-Match, is the competition's ledger."""
    return _desk().receive_deposit(command, competition, appeal, body["amount_fen"], _said(body))


@command(blueprint, APPEAL + "/deposits/confirmations", roles=("organiser", "committee"))
def confirm_deposit(command: Command, _body: dict[str, Any], competition: str, appeal: str) -> Outcome:
    """Confirm the deposit that another person entered."""
    return _desk().confirm_deposit(command, competition, appeal)


@command(blueprint, APPEAL + "/withdrawals", WithdrawalSchema, roles=("leader", "organiser"))
def withdraw(command: Command, body: dict[str, Any], competition: str, appeal: str) -> Outcome:
    """Take an appeal back before it is decided."""
    _speaks_for(competition, appeal)
    return _desk().withdraw(command, competition, appeal, body["reason"], body["reference"])


# The committee


@command(blueprint, APPEAL + "/acceptances", roles=("committee",))
def accept(command: Command, _body: dict[str, Any], competition: str, appeal: str) -> Outcome:
    """Accept an appeal that is in form."""
    return _desk().accept(command, competition, appeal)


@command(blueprint, APPEAL + "/refusals", ReasonSchema, roles=("committee",))
def refuse_form(command: Command, body: dict[str, Any], competition: str, appeal: str) -> Outcome:
    """Refuse an appeal for its form; its deposit goes back."""
    return _desk().refuse(command, competition, appeal, body["reason"])


@command(blueprint, APPEAL + "/hearings", HearingSchema, roles=("committee",))
def hear(command: Command, body: dict[str, Any], competition: str, appeal: str) -> Outcome:
    """Record that the appeal was heard, and who sat."""
    return _desk().hear(command, competition, appeal, _members(body))


@command(blueprint, APPEAL + "/decisions", DecisionSchema, roles=("committee",))
def decide(command: Command, body: dict[str, Any], competition: str, appeal: str) -> Outcome:
    """Decide an appeal."""
    decision = model.Decision(
        outcome=body["outcome"],
        reason=body["reason"],
        members=_members(body),
        remedy=_remedy(body["remedy"]) if "remedy" in body else None,
        later=msgspec.convert(body["later"], LaterRounds) if "later" in body else None,
        article=body["article"],
    )
    return _desk().decide(command, competition, appeal, decision)


@command(blueprint, BASE + "/waivers", WaiverSchema, roles=("leader", "organiser"))
def waive(command: Command, body: dict[str, Any], competition: str) -> Outcome:
    """Give up a team's appeals over closed rounds."""
    own = _own(body)
    team = _desk().records.team(competition, own[0] if own else "")
    return _desk().waive(command, competition, team.team, body["through_round"], body["reference"])


# Reads


@read(blueprint, BASE + "/appeals", paged(AppealSchema), PageQuery)
def list_appeals(query: dict[str, Any], competition: str) -> Found:
    """The lodged appeals, in the order in which they were begun. Grounds are not public, drafts neither."""
    return _listed(query, competition, {"listed": competition}, plain)


@read(
    blueprint,
    BASE + "/docket",
    paged(FollowedSchema),
    PageQuery,
    roles=("leader", "organiser", "committee", "referee", "auditor"),
    leader="narrowed",
)
def list_docket(query: dict[str, Any], competition: str) -> Found:
    """All appeals with what they lack and what comes next, drafts too; a leader's own team's only."""
    who, desk = identity(), _desk()
    equal = {"competition": competition}
    if who.role == "leader":
        equal["team"] = desk.records.team(competition, who.team or "").team
    return _listed(query, competition, equal, _followed)


@read(
    blueprint,
    APPEAL,
    AppealDetailSchema,
    roles=("leader", "organiser", "committee", "referee", "auditor"),
)
def show_appeal(_query: dict[str, Any], competition: str, appeal: str) -> Found:
    """An appeal with the hands and penalties in dispute, for the desk, and for the leaders of the match's teams (a
    draft for its own team's only). Its ETag is the stream's version; since it shows more than that, it is never 304."""
    records = _desk().records
    row = records.appeal(competition, appeal)
    match = records.match(competition, row.match)
    case = records.case(competition, row.match)
    teams = [t for t in case.teams if t == row.team or row.filed is not None]
    identity().speaks_for(row.team, *teams, *(case.teams[t] for t in teams))
    asks_for = msgspec.convert(row.asks_for, Remedy)
    body = _followed(row) | {"disputed": _disputed(match, asks_for, case)}
    return Found(body, row.version, conditional=False)


@read(blueprint, BASE + "/ledger", LedgerSchema, roles=("organiser", "committee", "auditor"))
def show_ledger(_query: dict[str, Any], competition: str) -> Found:
    """The deposit ledger: every entry, every account's balance. Its ETag is the stream's version."""
    desk = _desk()
    desk.records.competition(competition)
    row = desk.records.ledger(competition)
    accounts = [{"account": name, "fen": fen} for name, fen in sorted(row.accounts.items())]
    body = {"entries": row.entries, "accounts": accounts, "moved": row.moved, "sum": sum(row.accounts.values())}
    return Found(body, row.version)


@read(blueprint, BASE + "/deadlines", DeadlinesSchema)
def show_deadlines(_query: dict[str, Any], competition: str) -> Found:
    """Per round: its window, who has waived, who can still appeal, and what is undecided."""
    return Found(deadlines(_desk().records, competition, service().clock.now()))


# Shapes


def _own(body: dict[str, Any]) -> tuple[str, ...]:
    """The names of the team that is spoken for: a leader's by the token, for the desk the one in the body. Raises
    TeamNeeded, OtherTeam."""
    who, named = identity(), body.get("team")
    if who.role == DESK:
        if named is None:
            raise refuse.TeamNeeded("/team")
        return (named,)
    if named is not None:
        who.speaks_for(named)
    return (who.team,) if who.team else ()


def _speaks_for(competition: str, appeal: str) -> None:
    identity().speaks_for(*_desk().names_of(competition, appeal))


def _said(body: dict[str, Any]) -> Said:
    return Said(received_at=body.get("received_at"), officer=body.get("officer", ""), reason=body["reason"])


def _remedy(body: dict[str, Any]) -> Remedy:
    given = dict(body)
    if given.get("facts"):
        facts = dict(given["facts"])
        if levels := facts["levels"]:
            facts["levels"] = {"13": levels["north"], "24": levels["east"]}
        given["facts"] = facts
    return msgspec.convert(given, Remedy)


def _members(body: dict[str, Any]) -> tuple[CommitteeMember, ...]:
    return tuple(CommitteeMember(**member) for member in body["members"])


def _listed(query: dict[str, Any], competition: str, equal: dict[str, Any], shape: Any) -> Found:
    records = _desk().records
    records.competition(competition)
    rows = records.appeals(equal, after(query), query["limit"] + 1)
    found = page(rows, query, lambda row: str(row.order))
    return Found(found | {"items": [shape(row) for row in found["items"]]})


def _followed(row: AppealRow) -> dict[str, Any]:
    case = _desk().records.case(row.competition, row.match)
    opened = case.opens(msgspec.convert(row.asks_for, Remedy))
    now = window(case.preset, opened, service().clock.now())
    lacks = missing(row, case.preset)
    step = next_step(row, lacks, now["state"], case.preset.appeals.deposit_due.value)
    return {**plain(row), "window": now, "missing": lacks, "next_step": step}


def _disputed(match: MatchRow, asks_for: Remedy, case: facts.Case) -> dict[str, Any]:
    """The match as its log has it, with the entries marked that the appeal asks to change."""
    shown = plain(match)
    for hand in shown["hands"]:
        hand["disputed"] = hand["hand"] == asks_for.hand and not hand["void"]
    for penalty in shown["penalties"]:
        penalty["disputed"] = penalty["penalty"] == asks_for.penalty and not penalty["void"]
    return {**shown, "later": {str(number): list(matches) for number, matches in case.later.items()}}
