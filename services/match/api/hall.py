"""The hall over HTTP: tables and who is there, confirmations, incidents, and what a referee has to look at."""

from __future__ import annotations

from typing import Any

import marshmallow as ma

from services.match import refusals as refuse
from services.match.api.base import (
    BASE,
    MATCH,
    PAIR,
    PAIRS,
    ROUND,
    EntrySchema,
    Id,
    Reason,
    blueprint,
    held_of,
    known,
    use,
)
from services.match.model.signing import Signed
from services.match.model.tables import Substitution
from services.match.projections import (
    CompetitionRow,
    MatchRow,
    RoundRow,
    TableRow,
    match_key,
    matches,
    round_key,
    rounds,
    tables,
)
from shared.eventsourcing.handling import Command, Outcome
from shared.rules.formats.stages import CARDS
from shared.rules.unfinished import PHASES
from shared.web.commands import command
from shared.web.context import identity, service
from shared.web.identity import OneTableOnly
from shared.web.reads import Found, QuerySchema, read
from shared.web.words import lines, words

Device = words(100)
Number = ma.validate.Range(0, 100)
OVER = ("closed", "forfeited")


# What comes in


class DeviceSchema(ma.Schema):
    """A device, by a name that it keeps."""

    device = ma.fields.String(required=True, validate=Device, metadata={"example": "phone-7f3a"})


class CheckInSchema(ma.Schema):
    """Which team has come."""

    team = ma.fields.String(required=True, validate=Id)


class LineUpSchema(CheckInSchema):
    """Who of a team sits where."""

    seats = ma.fields.Dict(
        keys=ma.fields.String(validate=ma.validate.OneOf(("1", "2", "3", "4"))),
        values=ma.fields.Integer(strict=True, validate=Number),
        required=True,
        validate=ma.validate.Length(1, 2),
        metadata={
            "description": "by seat, the member of the entry, counted from 0; at a board one seat, 1 or 2",
            "example": {"1": 0, "3": 1},
        },
    )


class SubstitutionSchema(CheckInSchema):
    """Which member of the entry comes in, at which seat, from which hand on, and why."""

    seat = ma.fields.Integer(required=True, strict=True, validate=ma.validate.Range(1, 4))
    member = ma.fields.Integer(required=True, strict=True, validate=Number)
    hand = ma.fields.Integer(required=True, strict=True, validate=ma.validate.Range(1, 1000))
    reason = ma.fields.String(required=True, validate=Reason)


class ConfirmationSchema(EntrySchema):
    """The sheet that a pair confirms: how many hands (at a board: games) it has, and the levels and the number of
    penalties (without those lifted) where they are named; it is refused where that is not what is entered. A referee
    says why it is done for the pair."""

    pair = ma.fields.String(required=True, validate=ma.validate.OneOf(PAIRS), metadata={"description": PAIR})
    hands = ma.fields.Integer(required=True, strict=True, validate=ma.validate.Range(1, 1000))
    levels = ma.fields.Dict(
        keys=ma.fields.String(validate=ma.validate.OneOf(PAIRS)),
        values=ma.fields.String(validate=words(2)),
        allow_none=True,
        load_default=None,
        validate=ma.validate.Length(2, 2),
        metadata={"example": {"13": "5", "24": "2"}},
    )
    penalties = ma.fields.Integer(
        strict=True, allow_none=True, load_default=None, validate=ma.validate.Range(0, 10_000)
    )
    reason = ma.fields.String(load_default="", validate=lines(500, 0))


class IncidentSchema(EntrySchema):
    """What happened, without a price. Name no person in it: the log is for ever."""

    what = ma.fields.String(required=True, validate=Reason)
    hand = ma.fields.Integer(strict=True, allow_none=True, load_default=None, validate=ma.validate.Range(1, 1000))
    pair = ma.fields.String(allow_none=True, load_default=None, validate=ma.validate.OneOf(PAIRS))


class UnfinishedHandSchema(EntrySchema):
    """Which hand was in play when time was called, and how far: `shuffling` also between two hands, the next then being
    the one. `reason` where it was said otherwise before."""

    hand = ma.fields.Integer(required=True, strict=True, validate=ma.validate.Range(1, 1000))
    phase = ma.fields.String(
        required=True,
        validate=ma.validate.OneOf(PHASES),
        metadata={"description": "洗牌 shuffling, 摸牌 drawing, 埋底 burying, 出牌 playing"},
    )
    reason = ma.fields.String(load_default="", validate=lines(500, 0))


class WhySchema(ma.Schema):
    """Why."""

    reason = ma.fields.String(required=True, validate=Reason)


class TeamOutSchema(CheckInSchema):
    """Which team, and why."""

    reason = ma.fields.String(required=True, validate=Reason)


class HallQuery(QuerySchema):
    """Which round, the last one where it is left out; `mine`: the tables of the one who asks alone."""

    round = ma.fields.Integer(validate=ma.validate.Range(1, 999))
    mine = ma.fields.Boolean(load_default=False)


# What is answered


class AroundSchema(ma.Schema):
    """What happens around a table. `claims`: the devices that enter there; more than one is a warning, and no lock.
    `line_ups`: by team and seat the member of the entry, counted from 0."""

    match = ma.fields.String(required=True)
    claims = ma.fields.List(ma.fields.Dict(), required=True)
    checked_in = ma.fields.Dict(required=True, metadata={"description": "team to when it came, by the server's clock"})
    line_ups = ma.fields.Dict(required=True)
    substitutions = ma.fields.List(ma.fields.Dict(), required=True)


class DeskSchema(ma.Schema):
    """A table as its referee has to look at it. `counters`: by pair and code, the penalties and warnings of this
    match; `missing`: teams that have not checked in; `confirmed`: the pairs that have; `overdue`: the time for it has
    passed; `unfinished`: the hand in play when time was called, how far it was, and whether it counts."""

    match = ma.fields.String(required=True)
    table = ma.fields.Integer(required=True)
    teams = ma.fields.List(ma.fields.String(), required=True)
    status = ma.fields.String(required=True)
    hands = ma.fields.Integer(required=True)
    mine = ma.fields.Boolean(required=True)
    claims = ma.fields.List(ma.fields.Dict(), required=True)
    missing = ma.fields.List(ma.fields.String(), required=True)
    conflicts = ma.fields.List(ma.fields.Integer(), required=True)
    counters = ma.fields.Dict(required=True)
    confirmed = ma.fields.List(ma.fields.String(), required=True)
    overdue = ma.fields.Boolean(required=True)
    unfinished = ma.fields.Dict(required=True, allow_none=True)


class HallSchema(ma.Schema):
    """A round as its referees have to look at it: the tables, and by match what is open, what is in conflict, what is
    over and not confirmed by both pairs, and what of that is overdue; `unsaid`: open after time was called, and nobody
    has said how far the hand in play was."""

    round = ma.fields.Integer(required=True)
    status = ma.fields.String(required=True)
    tables = ma.fields.List(ma.fields.Nested(DeskSchema), required=True)
    open = ma.fields.List(ma.fields.String(), required=True)
    in_conflict = ma.fields.List(ma.fields.String(), required=True)
    unconfirmed = ma.fields.List(ma.fields.String(), required=True)
    overdue = ma.fields.List(ma.fields.String(), required=True)
    unsaid = ma.fields.List(ma.fields.String(), required=True)


# Calls


@command(blueprint, MATCH + "/claims", DeviceSchema, roles=("referee",), shares=True)
def claim_table(command: Command, body: dict[str, Any], competition: str, match: str) -> Outcome:
    """Take a table with a device. Where others have it, the answer names them in `beside`; nobody is locked out."""
    return use().claim_table(command, competition, match, body["device"])


@command(blueprint, MATCH + "/claims/releases", DeviceSchema, roles=("referee",), shares=True)
def release_table(command: Command, body: dict[str, Any], competition: str, match: str) -> Outcome:
    """Leave a table."""
    return use().release_table(command, competition, match, body["device"])


@command(blueprint, MATCH + "/check-ins", CheckInSchema, roles=("referee", "organiser"), shares=True)
def check_in(command: Command, body: dict[str, Any], competition: str, match: str) -> Outcome:
    """A team is at its table (签到)."""
    return use().check_in(command, competition, match, body["team"])


@command(blueprint, MATCH + "/line-ups", LineUpSchema, roles=("referee", "organiser"), shares=True)
def line_up(command: Command, body: dict[str, Any], competition: str, match: str) -> Outcome:
    """Who of a team sits where (上场名单)."""
    return use().line_up(command, competition, match, body["team"], body["seats"])


@command(blueprint, MATCH + "/substitutions", SubstitutionSchema, roles=("referee",), shares=True)
def substitute(command: Command, body: dict[str, Any], competition: str, match: str) -> Outcome:
    """Another member of the entry comes in (换人). Who is not on the form is let in at the entry desk first."""
    return use().substitute(command, competition, match, Substitution(**body))


@command(blueprint, MATCH + "/confirmations", ConfirmationSchema, roles=("referee", "leader"), shares=True)
def confirm_match(command: Command, body: dict[str, Any], competition: str, match: str) -> Outcome:
    """A pair confirms its match, or the referee does for it, with a reason."""
    who, held = identity(), held_of(body)
    if who.role == "leader":
        who.speaks_for(*_names(competition, match, body["pair"]))
    signed = Signed(for_pair=who.role != "leader", **body)
    return use().confirm(command, competition, match, signed, held)


@command(blueprint, MATCH + "/incidents", IncidentSchema, roles=("referee",), shares=True)
def note_incident(command: Command, body: dict[str, Any], competition: str, match: str) -> Outcome:
    """Note something that has no price."""
    held = held_of(body)
    return use().note_incident(command, competition, match, body["hand"], body["pair"], body["what"], held)


@command(blueprint, MATCH + "/unfinished-hands", UnfinishedHandSchema, roles=("referee",), shares=True)
def note_unfinished(command: Command, body: dict[str, Any], competition: str, match: str) -> Outcome:
    """Say which hand was in play when time was called, and how far. `counts` of the answer: it is played to its end and
    entered; otherwise it stops at once. Hands before it may come as late as they do, none after it is taken."""
    held = held_of(body)
    return use().note_unfinished(command, competition, match, body["hand"], body["phase"], body["reason"], held)


@command(blueprint, ROUND + "/starts", roles=("referee", "organiser"))
def start_round(command: Command, _body: dict[str, Any], competition: str, number: int) -> Outcome:
    """Start the clock of a round (开赛计时)."""
    return use().start_round(command, competition, number)


@command(blueprint, ROUND + "/pauses", WhySchema, roles=("referee", "organiser"))
def pause_round(command: Command, body: dict[str, Any], competition: str, number: int) -> Outcome:
    """Let the clock of a round stand still (暂停)."""
    return use().pause_round(command, competition, number, body["reason"])


@command(blueprint, ROUND + "/resumptions", roles=("referee", "organiser"))
def resume_round(command: Command, _body: dict[str, Any], competition: str, number: int) -> Outcome:
    """Let the clock run again, for as long as was left (继续)."""
    return use().resume_round(command, competition, number)


@command(blueprint, BASE + "/disqualifications", TeamOutSchema, roles=("referee",), chief=True)
def disqualify_team(command: Command, body: dict[str, Any], competition: str) -> Outcome:
    """Disqualify a team (取消资格). The chief referee's; its open match is then forfeited. Declared places are put
    forward and declared anew."""
    return use().disqualify_team(command, competition, body["team"], body["reason"])


@read(blueprint, MATCH + "/table", AroundSchema)
def show_table(_query: dict[str, Any], competition: str, match: str) -> Found:
    """What happens around the table of a match."""
    _names(competition, match, PAIRS[0])
    row = service().engine.reader.get(tables, match_key(competition, match)) or TableRow(id="")
    shown = {name: getattr(row, name) for name in ("claims", "checked_in", "line_ups", "substitutions")}
    return Found({"match": match, **shown}, row.version, conditional=False)


@read(blueprint, BASE + "/hall", HallSchema, HallQuery, roles=("referee", "organiser", "auditor"), table="narrowed")
def show_hall(query: dict[str, Any], competition: str) -> Found:
    """What a referee has to look at: the own tables, what is open, in conflict and not confirmed. A table is the own
    one of who has claimed it with a device, has entered a hand there, or has a credential for it alone: that sees no
    other one."""
    of, only = known(competition), identity().table
    number = query.get("round", len(of.rounds) if only is None else only[0])
    if only is not None and number != only[0]:
        raise OneTableOnly(round=only[0], table=only[1])
    current = service().engine.reader.get(rounds, round_key(competition, number))
    if current is None or not 1 <= number <= len(of.rounds):
        raise refuse.NoSuchRound(competition=competition, round=number)
    desks = [desk for desk in _desks(of, current) if only is None or desk["table"] == only[1]]
    shown = [desk for desk in desks if desk["mine"] or not query["mine"]]
    over = [desk for desk in shown if desk["status"] == "closed" and len(desk["confirmed"]) < len(PAIRS)]
    timed = {table["match"] for table in current.tables if current.is_out_of_time(table) and of.event == CARDS}
    unsaid = {d["match"] for d in shown if d["match"] in timed and d["status"] not in OVER and not d["unfinished"]}
    return Found(
        {
            "round": number,
            "status": current.status,
            "tables": shown,
            "open": [desk["match"] for desk in shown if desk["status"] not in OVER],
            "in_conflict": [desk["match"] for desk in shown if desk["conflicts"]],
            "unconfirmed": [desk["match"] for desk in over],
            "overdue": [desk["match"] for desk in over if desk["overdue"]],
            "unsaid": [desk["match"] for desk in shown if desk["match"] in unsaid],
        }
    )


def _desks(of: CompetitionRow, current: RoundRow) -> list[dict[str, Any]]:
    reader = service().engine.reader
    keys = [match_key(of.id, table["match"]) for table in current.tables]
    played, around = reader.many(matches, keys), reader.many(tables, keys)
    return [
        _desk(table, played.get(key) or MatchRow(id=key), around.get(key) or TableRow(id=key))
        for table, key in zip(current.tables, keys, strict=True)
    ]


def _desk(table: dict[str, Any], played: MatchRow, around: TableRow) -> dict[str, Any]:
    own = {claim["by"] for claim in around.claims} | {hand["by"] for hand in played.hands}
    begun = bool(played.hands or played.games)
    return {
        "match": table["match"],
        "table": table["table"],
        "teams": table["teams"],
        "status": played.status,
        "hands": len(played.hands) or len(played.games),
        "mine": identity().sub in own or identity().table is not None,
        "claims": around.claims,
        "missing": [team for team in table["teams"] if not begun and team not in around.checked_in],
        "conflicts": played.conflicts,
        "counters": played.counters(),
        "confirmed": sorted(played.confirmed),
        "overdue": played.overdue,
        "unfinished": played.unfinished,
    }


def _names(competition: str, match: str, pair: str) -> tuple[str, str]:
    """The id and the unit of the team at a side of a match. Raises NoSuchMatch."""
    of = known(competition)
    units = {drawn["team"]["id"]: drawn["team"]["unit"] for drawn in of.drawn}
    for current in service().engine.reader.find(rounds, {"competition": competition}, "number"):
        for table in current.tables:
            if table["match"] == match and current.number <= len(of.rounds):
                team = table["teams"][PAIRS.index(pair)]
                return team, units.get(team, team)
    raise refuse.NoSuchMatch(competition=competition, match=match)
