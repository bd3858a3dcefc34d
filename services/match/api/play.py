"""Draws, rounds, hands, penalties and places over HTTP."""

from __future__ import annotations

from typing import Any, cast, get_args

import marshmallow as ma
import msgspec

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
from services.match.commands import match_stream, rounds_stream
from services.match.model.finishes import FinishCorrection, FinishEntry
from services.match.model.hands import Correction, HandEntry
from services.match.model.penalties import Claim
from services.match.model.places import DrawnByHand
from services.match.model.rounds import ByHand, Lots, PairOrder, names_match
from services.match.projections import (
    CompetitionRow,
    MatchRow,
    match_key,
    matches,
    record_key,
    records,
    round_key,
    rounds,
)
from shared.contracts.fact import FinishFacts, GameFacts, HandFacts
from shared.contracts.programme import parted
from shared.eventsourcing.handling import Command, Outcome
from shared.eventsourcing.records import Commit
from shared.rules.adjudication import adjudicate
from shared.rules.regulations.preset import Way
from shared.rules.regulations.reference import resolve_any
from shared.web.batches import batches
from shared.web.commands import command
from shared.web.context import identity, service
from shared.web.problems import BOTH
from shared.web.reads import Found, PageQuery, after, page, paged, plain, read
from shared.web.words import lines

LEVELS = ("2", "3", "4", "5", "6", "7", "8", "9", "T", "J", "Q", "K", "A")
TRUMP = "S ♠, H ♥, C ♣, D ♦, N no trump 无主; null where it was not noted"
AS_PLAYED = "the levels the hand was played at, where the score sheet has them; they are checked"
RECORD = "the hand's card record (`pailu-hand/1`); it must agree with what is entered 牌谱，须与录入一致"
SET_ASIDE = BASE + "/decisions/<appeal>/set-asides"


# Schemas


class ReasonSchema(ma.Schema):
    """Why."""

    reason = ma.fields.String(required=True, validate=Reason)


class TeamReasonSchema(ReasonSchema):
    """Which team, and why."""

    team = ma.fields.String(required=True, validate=Id)


class LevelsSchema(ma.Schema):
    """Levels by pair: 13 is the team named first, 24 the other. T is ten."""

    north = ma.fields.String(data_key="13", required=True, validate=ma.validate.OneOf(LEVELS))
    east = ma.fields.String(data_key="24", required=True, validate=ma.validate.OneOf(LEVELS))


class HandFactsSchema(EntrySchema):
    """A hand as played: the dealer's seat, the attackers' points with kitty and without penalties."""

    dealer = ma.fields.Integer(
        required=True,
        strict=True,
        validate=ma.validate.Range(1, 4),
        metadata={"description": "seat: 1 and 3 are the team named first, 2 and 4 the other 座位"},
    )
    points = ma.fields.Integer(
        required=True,
        strict=True,
        validate=ma.validate.Range(0, 1_000_000),
        metadata={
            "description": "the attackers' points with the kitty, without penalties 抓分方得分（含底牌，不含罚分）"
        },
    )
    trump = ma.fields.String(
        allow_none=True, load_default=None, validate=ma.validate.OneOf("SHCDN"), metadata={"description": TRUMP}
    )
    levels = ma.fields.Nested(LevelsSchema, allow_none=True, load_default=None, metadata={"description": AS_PLAYED})


class HandSchema(HandFactsSchema):
    """The next hand of a match. `as_played`: the levels given differ from the log's and are right. `trump` and `levels`
    are the record's where they are left out."""

    hand = ma.fields.Integer(required=True, strict=True, validate=ma.validate.Range(1, 1000))
    as_played = ma.fields.Boolean(load_default=False)
    equals_another = ma.fields.Boolean(
        load_default=False,
        metadata={"description": "it was played just as another hand of the match 与另一副确实相同"},
    )
    record = ma.fields.Dict(
        keys=ma.fields.String(), allow_none=True, load_default=None, metadata={"description": RECORD}
    )


class CorrectionSchema(HandFactsSchema):
    """What the hand was in truth, and why it is corrected. `trump`, `levels` and `record` stay as entered where left
    out; a hand that has a record is corrected with another one, or with `null` for none."""

    trump = ma.fields.String(allow_none=True, validate=ma.validate.OneOf("SHCDN"), metadata={"description": TRUMP})
    levels = ma.fields.Nested(LevelsSchema, allow_none=True, metadata={"description": AS_PLAYED})
    record = ma.fields.Dict(keys=ma.fields.String(), allow_none=True, metadata={"description": RECORD})
    reason = ma.fields.String(required=True, validate=Reason)


MATCH_POINTS = ma.validate.Regexp(r"[0-9]{1,2}(/[0-9]|\.[0-9])?\Z")


class PenaltySchema(EntrySchema):
    """A breach. `claimed_during`: the hand that had begun when it was claimed; where left out it was claimed now.
    Its price is the article's; `points` sets another one where the article leaves room, and then needs a `reason`;
    `lost` and `compensation` are match points where the regulation lets the referee price."""

    hand = ma.fields.Integer(required=True, strict=True, validate=ma.validate.Range(1, 1000))
    claimed_during = ma.fields.Integer(strict=True, load_default=None, validate=ma.validate.Range(1, 1000))
    pair = ma.fields.String(
        required=True, validate=ma.validate.OneOf(PAIRS), metadata={"description": f"who is penalised; {PAIR}"}
    )
    code = ma.fields.String(
        required=True,
        validate=Id,
        metadata={
            "description": "`penalties.CODE` of the regulation (/registration/regulations/NAME)",
            "example": "revoke",
        },
    )
    cards = ma.fields.Integer(
        strict=True,
        allow_none=True,
        load_default=None,
        validate=ma.validate.Range(1, 108),
        metadata={"description": "where the price is by the card"},
    )
    occasions = ma.fields.Integer(strict=True, load_default=1, validate=ma.validate.Range(1, 100))
    points = ma.fields.Integer(
        strict=True,
        allow_none=True,
        load_default=None,
        validate=ma.validate.Range(0, 100_000),
        metadata={"description": "in place of the article's, within its leeway 裁判在条文范围内另定的罚分"},
    )
    lost = ma.fields.String(
        load_default="0",
        validate=MATCH_POINTS,
        metadata={"description": "match points taken 扣场分", "example": "1/2"},
    )
    compensation = ma.fields.String(
        load_default="0",
        validate=MATCH_POINTS,
        metadata={"description": "match points given to the opponents 补偿对方", "example": "1/2"},
    )
    reason = ma.fields.String(load_default="", validate=lines(500, 0))


class GameFactsSchema(EntrySchema):
    """A board game as it was played. `winner` null: a draw; `clocks`: seconds left by team; `note`: why it was
    adjudicated."""

    event = ma.fields.String(required=True, validate=Id, metadata={"example": "xiangqi"})
    first = ma.fields.String(
        required=True, validate=Id, metadata={"description": "the team that moved first: 红方、黑方（围棋）"}
    )
    winner = ma.fields.String(required=True, allow_none=True, validate=Id)
    how = ma.fields.String(required=True, validate=ma.validate.OneOf(get_args(Way)))
    clocks = ma.fields.Dict(
        keys=ma.fields.String(validate=Id),
        values=ma.fields.Integer(strict=True, validate=ma.validate.Range(0, 86_400)),
        allow_none=True,
        load_default=None,
    )
    note = ma.fields.String(load_default="", validate=lines(500, 0))


class GameSchema(GameFactsSchema):
    """The next game of a match at a board; there is more than one only where somebody must win."""

    game = ma.fields.Integer(strict=True, load_default=1, validate=ma.validate.Range(1, 100))


class GameCorrectionSchema(GameFactsSchema):
    """What the game was in truth, and why it is corrected."""

    reason = ma.fields.String(required=True, validate=Reason)


class FinishFactsSchema(EntrySchema):
    """A hand of 掼蛋 as played: the seats in the order in which they went out."""

    finish = ma.fields.List(
        ma.fields.Integer(strict=True, validate=ma.validate.Range(1, 4)),
        required=True,
        validate=ma.validate.Length(2, 4),
        metadata={"description": "上游、二游、三游、末游; the last two may be left out when partners went out first"},
    )
    own = ma.fields.String(
        allow_none=True,
        load_default=None,
        validate=ma.validate.OneOf(PAIRS),
        metadata={"description": f"whose level was played 打谁的级; {PAIR}"},
    )
    levels = ma.fields.Nested(LevelsSchema, allow_none=True, load_default=None, metadata={"description": AS_PLAYED})


class FinishSchema(FinishFactsSchema):
    """The next hand of a match of 掼蛋. `as_played`: the levels given differ from the log's and are right."""

    hand = ma.fields.Integer(required=True, strict=True, validate=ma.validate.Range(1, 1000))
    as_played = ma.fields.Boolean(load_default=False)
    record = ma.fields.Dict(
        keys=ma.fields.String(), allow_none=True, load_default=None, metadata={"description": RECORD}
    )


class FinishCorrectionSchema(FinishFactsSchema):
    """What the hand was in truth, and why it is corrected. `own`, `levels` and `record` stay as entered where left
    out."""

    own = ma.fields.String(allow_none=True, validate=ma.validate.OneOf(PAIRS))
    levels = ma.fields.Nested(LevelsSchema, allow_none=True, metadata={"description": AS_PLAYED})
    record = ma.fields.Dict(keys=ma.fields.String(), allow_none=True, metadata={"description": RECORD})
    reason = ma.fields.String(required=True, validate=Reason)


class ForfeitSchema(ReasonSchema):
    """Who is absent: one team, or both. `late`: by team, how many minutes after the start it had not come; where the
    regulation says how late is too late, it is checked."""

    absent = ma.fields.List(ma.fields.String(validate=Id), required=True, validate=ma.validate.Length(1, 2))
    late = ma.fields.Dict(
        keys=ma.fields.String(validate=Id),
        values=ma.fields.Integer(strict=True, validate=ma.validate.Range(0, 1440)),
        load_default=dict,
        metadata={"description": "minutes by team 迟到分钟数"},
    )


class ReopeningSchema(ReasonSchema):
    """The matches the round is opened for, and why."""

    matches = ma.fields.List(ma.fields.String(validate=Id), required=True, validate=ma.validate.Length(1, 500))


class PartSchema(ma.Schema):
    """A zone or group as drawn."""

    part = ma.fields.String(load_default="", validate=lines(20, 0))
    seats = ma.fields.List(
        ma.fields.String(validate=Id, allow_none=True),
        required=True,
        validate=ma.validate.Length(1, 1024),
        metadata={"description": "the teams in bracket order or in the order of lots; null: a bye 轮空"},
    )


class DrawSchema(ma.Schema):
    """How the stage is drawn. `parts` with `witness` are the lots of the hall; left out, the committed seed draws."""

    seeded = ma.fields.List(
        ma.fields.String(validate=Id),
        load_default=list,
        validate=ma.validate.Length(0, 64),
        metadata={"description": "the seeded teams, the strongest first 种子队"},
    )
    parts = ma.fields.List(ma.fields.Nested(PartSchema), allow_none=True, load_default=None)
    witness = ma.fields.String(load_default="", validate=lines(100, 0))


PairOfTeams = ma.fields.List(ma.fields.String(validate=Id), required=True, validate=ma.validate.Length(2, 2))


class PairingSchema(ma.Schema):
    """A round paired by hand; left out, the engine pairs it."""

    pairs = ma.fields.List(
        ma.fields.List(ma.fields.String(validate=Id), validate=ma.validate.Length(2, 2)),
        allow_none=True,
        load_default=None,
        metadata={"description": "the team named first sits 1 and 3"},
    )
    bye = ma.fields.String(allow_none=True, load_default=None, validate=Id)
    reason = ma.fields.String(load_default="", validate=lines(500, 0))

    @ma.validates_schema
    def check_reason(self, data: dict[str, Any], **_: Any) -> None:
        """A round is paired by hand for a reason."""
        if data.get("pairs") is not None and not data.get("reason", "").strip():
            raise ma.ValidationError(f"手工编排须说明理由。{BOTH}A pairing by hand needs a reason.", "reason")


class PenaltyLiftingSchema(EntrySchema, ReasonSchema):
    """Why a penalty no longer counts."""


class TimeCallSchema(ma.Schema):
    """Why time is called before the clock has run out."""

    reason = ma.fields.String(load_default="", validate=lines(500, 0))


class ChoiceSchema(ReasonSchema):
    """Which version of a hand in conflict is right, as `conflicts` of the match numbers them, and why."""

    version = ma.fields.Integer(required=True, strict=True, validate=ma.validate.Range(1, 1000))


class LiftingSchema(ReasonSchema):
    """Which pair, and why."""

    teams = PairOfTeams


class PairOrderSchema(LiftingSchema):
    """A pair that is to meet in the next round, or never."""

    kind = ma.fields.String(required=True, validate=ma.validate.OneOf(("fixed", "forbidden")))


class LotSchema(ma.Schema):
    """The teams of a tie. For lots drawn in the hall: in order, the better place first, and the witness."""

    teams = ma.fields.List(ma.fields.String(validate=Id), required=True, validate=ma.validate.Length(2, 500))
    by_hand = ma.fields.Boolean(load_default=False)
    witness = ma.fields.String(load_default="", validate=lines(100, 0))

    @ma.validates_schema
    def check_witness(self, data: dict[str, Any], **_: Any) -> None:
        """Lots drawn by hand need a witness."""
        if data.get("by_hand") and not data.get("witness", "").strip():
            raise ma.ValidationError(f"手工抽签须有见证人。{BOTH}Lots drawn by hand need a witness.", "witness")

    @ma.validates_schema
    def check_teams(self, data: dict[str, Any], **_: Any) -> None:
        """No team draws twice."""
        if len(set(data["teams"])) < len(data["teams"]):
            raise ma.ValidationError(f"同一队列了两次。{BOTH}A team is named twice.", "teams")


class CompetitionSchema(ma.Schema):
    """A competition's way: draw, rounds, places."""

    id = ma.fields.String(required=True)
    name = ma.fields.String(required=True)
    regulation = ma.fields.String(required=True)
    event = ma.fields.String(required=True, metadata={"description": "cards, or one of the boards", "example": "cards"})
    events = ma.fields.List(
        ma.fields.String(),
        required=True,
        metadata={"description": "the competitions it is played as: itself, and beside it one for each board 项目"},
    )
    cancelled = ma.fields.Boolean(required=True)
    rehearsal = ma.fields.Boolean(required=True, metadata={"description": "for practice: it never counts 演练"})
    commitment = ma.fields.String(required=True)
    seed = ma.fields.String(required=True, metadata={"description": "empty until the draw reveals it"})
    drawn = ma.fields.List(ma.fields.Dict(), required=True)
    draws = ma.fields.List(
        ma.fields.Dict(), required=True, metadata={"description": "the stages drawn: seats by zone or group"}
    )
    orders = ma.fields.List(ma.fields.Dict(), required=True, metadata={"description": "pairs fixed or forbidden"})
    withdrawn = ma.fields.Dict(required=True, metadata={"description": "team to the first round without it"})
    absent = ma.fields.List(ma.fields.Dict(), required=True)
    rounds_planned = ma.fields.Integer(required=True)
    rounds = ma.fields.List(ma.fields.Dict(), required=True)
    lots = ma.fields.List(ma.fields.List(ma.fields.String()), required=True)
    undecided_appeals = ma.fields.List(ma.fields.String(), required=True)
    set_asides = ma.fields.Dict(
        required=True,
        metadata={"description": "by appeal, decisions that cannot be applied: why, and by whom set aside"},
    )
    proposed = ma.fields.Dict(required=True, allow_none=True)
    declared = ma.fields.Dict(required=True, allow_none=True)


class TableSchema(ma.Schema):
    """A table of a round. `names` stand as `teams` do: the first sits at 1 and 3."""

    table = ma.fields.Integer(required=True)
    match = ma.fields.String(required=True)
    teams = ma.fields.List(ma.fields.String(), required=True)
    names = ma.fields.List(ma.fields.String(), required=True)
    status = ma.fields.String(required=True)
    hands = ma.fields.Integer(required=True)
    levels = ma.fields.Dict(required=True)
    result = ma.fields.Dict(required=True, allow_none=True)
    part = ma.fields.String(required=True, metadata={"description": "zone or group, empty where there is none"})
    game = ma.fields.String(required=True, metadata={"description": "its place in the bracket, empty without one"})
    minutes = ma.fields.Integer(required=True, allow_none=True, metadata={"description": "null: untimed"})
    board = ma.fields.Integer(
        required=True, metadata={"description": "which of the game's tables, 0 where it has one only"}
    )


class RoundSchema(ma.Schema):
    """A round with its tables."""

    number = ma.fields.Integer(required=True)
    attempt = ma.fields.Integer(required=True)
    status = ma.fields.String(required=True)
    tables = ma.fields.List(ma.fields.Nested(TableSchema), required=True)
    stage = ma.fields.String(required=True)
    bye = ma.fields.String(required=True, allow_none=True)
    byes = ma.fields.List(ma.fields.String(), required=True, metadata={"description": "all who have no match"})
    absent = ma.fields.List(ma.fields.String(), required=True)
    by_hand = ma.fields.String(required=True, metadata={"description": "why it was paired by hand, empty if not"})
    gave_up = ma.fields.List(ma.fields.String(), required=True)
    why = ma.fields.List(ma.fields.Dict(), required=True, metadata={"description": "zh and en, as `gave_up`"})
    started_at = ma.fields.String(required=True, allow_none=True)
    minutes = ma.fields.Integer(
        required=True, allow_none=True, metadata={"description": "of its clock; null: untimed, or not started"}
    )
    paused_at = ma.fields.String(required=True, allow_none=True)
    ends_at = ma.fields.String(
        required=True, allow_none=True, metadata={"description": "when the clock runs out; while it is paused, later"}
    )
    unfinished_hand = ma.fields.String(
        required=True, metadata={"description": "once time was called: discard or finish a hand in play 未完的一副"}
    )
    rests_on = ma.fields.List(
        ma.fields.Dict(),
        required=True,
        metadata={"description": "the rounds before, as they were closed when this one was paired, and whether since"},
    )
    time_called_at = ma.fields.String(required=True, allow_none=True)
    closed_at = ma.fields.String(required=True, allow_none=True)
    posted_at = ma.fields.String(required=True, allow_none=True)


class MatchSchema(ma.Schema):
    """A match with its hands, penalties and running score. `conflicts` are the hands that came in several versions,
    each with them all, until the chief referee chooses. In `score`, `due_dealer` is the seat that should have dealt
    by the hands before, null where none was due; a `dealer` that differs was entered so."""

    match = ma.fields.String(required=True)
    round = ma.fields.Integer(required=True)
    table = ma.fields.Integer(required=True)
    teams = ma.fields.List(ma.fields.Dict(), required=True)
    status = ma.fields.String(required=True)
    hands = ma.fields.List(ma.fields.Dict(), required=True)
    conflicts = ma.fields.List(ma.fields.Dict(), required=True)
    counters = ma.fields.Dict(
        required=True, metadata={"description": "by pair and code, the penalties and warnings that were not lifted"}
    )
    confirmed = ma.fields.Dict(required=True, metadata={"description": "by pair, who has confirmed the sheet"})
    incidents = ma.fields.List(ma.fields.Dict(), required=True)
    games = ma.fields.List(ma.fields.Dict(), required=True)
    penalties = ma.fields.List(ma.fields.Dict(), required=True)
    rulings = ma.fields.List(ma.fields.Dict(), required=True)
    score = ma.fields.List(ma.fields.Dict(), required=True)
    levels = ma.fields.Dict(required=True)
    won_by = ma.fields.String(required=True, allow_none=True)
    next_dealer = ma.fields.Integer(required=True, allow_none=True)
    result = ma.fields.Dict(required=True, allow_none=True)


class HandRecordSchema(ma.Schema):
    """The card record of a hand. `hash`: SHA-256 of the record as JSON with sorted keys, as the hand's event has it;
    `findings`: the breaches found when it was handed in, with article and price, charged to nobody; `adjudication`: the
    hand trick by trick."""

    hand = ma.fields.Integer(required=True)
    hash = ma.fields.String(required=True)
    by = ma.fields.String(required=True)
    record = ma.fields.Dict(required=True)
    findings = ma.fields.List(ma.fields.Dict(), required=True)
    adjudication = ma.fields.Dict(required=True)


class RecordSchema(ma.Schema):
    """An event as it stands in the log."""

    id = ma.fields.String(required=True)
    type = ma.fields.String(required=True)
    version = ma.fields.Integer(required=True)
    received_at = ma.fields.String(required=True)
    by = ma.fields.String(required=True)
    role = ma.fields.String(required=True)
    command = ma.fields.String(required=True)
    causation = ma.fields.String(required=True)
    commit_hash = ma.fields.String(required=True)
    data = ma.fields.Dict(required=True)


class RecordsSchema(ma.Schema):
    """The events of a match in order, those of the rounds stream that name it among them."""

    items = ma.fields.List(ma.fields.Nested(RecordSchema), required=True)


# Draw and rounds


@command(blueprint, BASE + "/seeds", roles=("organiser",))
def commit_seed(command: Command, _body: dict[str, Any], competition: str) -> Outcome:
    """Commit the draw's seed: its hash is public at once, the seed only at the draw."""
    return use().commit_seed(command, competition)


@command(blueprint, BASE + "/draws", DrawSchema, roles=("organiser",))
def draw(command: Command, body: dict[str, Any], competition: str) -> Outcome:
    """Draw the stage that is due: from the committed seed, or as the lots fell in the hall."""
    parts = {row["part"]: tuple(row["seats"]) for row in body["parts"]} if body["parts"] is not None else None
    lots = Lots(seeded=tuple(body["seeded"]), parts=parts, witness=body["witness"])
    return use().draw(command, competition, lots)


@command(blueprint, BASE + "/rounds", PairingSchema, roles=("organiser",))
def pair_next(command: Command, body: dict[str, Any], competition: str) -> Outcome:
    """Pair the next round: by the stage the competition is in, or by hand, checked by the same rules."""
    by_hand = None
    if body["pairs"] is not None:
        pairs = tuple((one, two) for one, two in body["pairs"])
        by_hand = ByHand(pairs=pairs, bye=body["bye"], reason=body["reason"])
    return use().pair_next(command, competition, by_hand)


@command(blueprint, ROUND + "/undoings", ReasonSchema, roles=("organiser",))
def unpair(command: Command, body: dict[str, Any], competition: str, number: int) -> Outcome:
    """Undo the pairing of the last round while nobody has begun it."""
    return use().unpair(command, competition, number, body["reason"])


@command(blueprint, BASE + "/pair-orders", PairOrderSchema, roles=("organiser",))
def order_pair(command: Command, body: dict[str, Any], competition: str) -> Outcome:
    """Have two teams meet in the next round, or keep them from ever meeting."""
    one, two = body["teams"]
    return use().order_pair(command, competition, PairOrder(kind=body["kind"], teams=(one, two), reason=body["reason"]))


@command(blueprint, BASE + "/pair-orders/liftings", LiftingSchema, roles=("organiser",))
def lift_order(command: Command, body: dict[str, Any], competition: str) -> Outcome:
    """Lift the order about a pair."""
    one, two = body["teams"]
    return use().lift_order(command, competition, (one, two), body["reason"])


@command(blueprint, BASE + "/absences", TeamReasonSchema, roles=("organiser", "referee"))
def announce_absence(command: Command, body: dict[str, Any], competition: str) -> Outcome:
    """A team will miss the next round."""
    return use().announce_absence(command, competition, body["team"], body["reason"])


@command(blueprint, BASE + "/absences/liftings", TeamReasonSchema, roles=("organiser", "referee"))
def lift_absence(command: Command, body: dict[str, Any], competition: str) -> Outcome:
    """Take back an absence that was entered by mistake, while its round is not paired."""
    return use().lift_absence(command, competition, body["team"], body["reason"])


@command(blueprint, BASE + "/withdrawals", TeamReasonSchema, roles=("organiser", "leader"))
def withdraw_team(command: Command, body: dict[str, Any], competition: str) -> Outcome:
    """A team leaves the competition."""
    drawn = {d["team"]["id"]: d["team"]["unit"] for d in known(competition).drawn}
    identity().speaks_for(body["team"], drawn.get(body["team"], body["team"]))
    return use().withdraw_team(command, competition, body["team"], body["reason"])


@command(blueprint, ROUND + "/time-calls", TimeCallSchema, roles=("referee", "organiser"))
def call_time(command: Command, body: dict[str, Any], competition: str, number: int) -> Outcome:
    """Call time; before the clock of the round has run out with a reason. What becomes of a hand in play is the
    regulation's; no hand is entered by it."""
    return use().call_time(command, competition, number, body["reason"])


@command(blueprint, ROUND + "/closings", roles=("referee", "organiser"))
def close_round(command: Command, _body: dict[str, Any], competition: str, number: int) -> Outcome:
    """Close a round."""
    return use().close_round(command, competition, number)


@command(blueprint, ROUND + "/extra-hands", roles=("referee", "organiser"))
def order_extra_hands(command: Command, _body: dict[str, Any], competition: str, number: int) -> Outcome:
    """One more hand at each table of the games whose points are equal after the last (同分加赛)."""
    return use().order_extra_hands(command, competition, number)


@command(blueprint, ROUND + "/postings", roles=("referee", "organiser"))
def post_results(command: Command, _body: dict[str, Any], competition: str, number: int) -> Outcome:
    """Post the results of a closed round (公布成绩). Where the regulation lets appeal windows run from it, they do."""
    return use().post_results(command, competition, number)


@command(blueprint, ROUND + "/reopenings", ReopeningSchema, roles=("referee",), chief=True)
def reopen_round(command: Command, body: dict[str, Any], competition: str, number: int) -> Outcome:
    """Reopen a closed round for some matches. The chief referee's."""
    return use().reopen_round(command, competition, number, body["matches"], body["reason"])


@command(blueprint, BASE + "/lots", LotSchema, roles=("organiser",))
def draw_lot(command: Command, body: dict[str, Any], competition: str) -> Outcome:
    """Part a tie by lot: from the seed, or as drawn in the hall."""
    by_hand = DrawnByHand(order=tuple(body["teams"]), witness=body["witness"]) if body["by_hand"] else None
    return use().draw_lot(command, competition, body["teams"], by_hand)


@command(blueprint, BASE + "/place-proposals", roles=("organiser",))
def propose_places(command: Command, _body: dict[str, Any], competition: str) -> Outcome:
    """Put the final places forward."""
    return use().propose_places(command, competition)


@command(blueprint, BASE + "/place-declarations", roles=("organiser",))
def declare_places(command: Command, _body: dict[str, Any], competition: str) -> Outcome:
    """Declare the places that another person has proposed."""
    return use().declare_places(command, competition)


@command(blueprint, SET_ASIDE, ReasonSchema, roles=("organiser", "referee", "operator"), chief=True)
def propose_set_aside(command: Command, body: dict[str, Any], competition: str, appeal: str) -> Outcome:
    """Put forward that a decision which can never be applied is not waited for any more (搁置裁决). Of referees the
    chief's."""
    return use().propose_set_aside(command, competition, appeal, body["reason"])


@command(blueprint, SET_ASIDE + "/confirmations", roles=("organiser", "referee", "operator"), chief=True)
def set_aside(command: Command, _body: dict[str, Any], competition: str, appeal: str) -> Outcome:
    """Confirm it, as another person: later decisions of the competition are applied, and places can be declared."""
    return use().set_aside(command, competition, appeal)


@read(blueprint, BASE, CompetitionSchema)
def show_competition(_query: dict[str, Any], competition: str) -> Found:
    """A competition's draw, rounds and places. Its ETag is the rounds stream's version."""
    row = known(competition)
    told = {"undecided_appeals": row.undecided(), "events": use().events(parted(competition)[0])}
    return Found({**plain(row), **told}, row.version, conditional=False)


@read(blueprint, BASE + "/rounds", paged(RoundSchema), PageQuery)
def list_rounds(query: dict[str, Any], competition: str) -> Found:
    """The rounds with their tables."""
    of = known(competition)
    rows = service().engine.reader.find(
        rounds, {"competition": competition}, "number", after(query, int), query["limit"] + 1
    )
    shown = [_round(of, plain(row)) for row in rows if row.number <= len(of.rounds)]
    return Found(page(shown, query, lambda row: int(row["number"])))


@read(blueprint, ROUND, RoundSchema)
def show_round(_query: dict[str, Any], competition: str, number: int) -> Found:
    """A round with its tables."""
    of = known(competition)
    row = service().engine.reader.get(rounds, round_key(competition, number))
    if row is None or number > len(of.rounds):
        raise refuse.NoSuchRound(competition=competition, round=number)
    return Found(_round(of, plain(row)))


# Matches


@command(blueprint, MATCH + "/hands", HandSchema, roles=("referee",))
def record_hand(command: Command, body: dict[str, Any], competition: str, match: str) -> Outcome:
    """Enter the next hand, or again one that is there. The same again is nothing new; another version of it, from
    somebody who had not seen the first, is kept beside it, and the hand is in conflict until the chief referee
    chooses. One that is equal to another hand of the match is questioned."""
    entry = HandEntry(
        hand=body["hand"],
        facts=_facts(body),
        as_played=body["as_played"],
        record=body["record"],
        equals_another=body["equals_another"],
    )
    return use().record_hand(command, competition, match, entry, held_of(body))


@command(blueprint, MATCH + "/hands/<int(max=1000):hand>/choices", ChoiceSchema, roles=("referee",), chief=True)
def choose_version(command: Command, body: dict[str, Any], competition: str, match: str, hand: int) -> Outcome:
    """Choose between the versions of a hand in conflict, with a reason. The chief referee's."""
    return use().choose_version(command, competition, match, hand, body["version"], body["reason"])


@command(
    blueprint,
    MATCH + "/hands/<int(max=1000):hand>/corrections",
    CorrectionSchema,
    roles=("referee",),
    replaces=True,
)
def correct_hand(command: Command, body: dict[str, Any], competition: str, match: str, hand: int) -> Outcome:
    """Correct a hand as it was seen, with a reason."""
    kept = tuple(name for name in ("trump", "levels", "record") if name not in body)
    correction = Correction(
        hand=hand,
        after=_facts({"trump": None, "levels": None} | body),
        reason=body["reason"],
        record=body.get("record"),
        kept=kept,
    )
    return use().correct_hand(command, competition, match, correction, held_of(body))


@command(blueprint, MATCH + "/finishes", FinishSchema, roles=("referee",))
def record_finish(command: Command, body: dict[str, Any], competition: str, match: str) -> Outcome:
    """Enter the next hand of 掼蛋."""
    entry = FinishEntry(hand=body["hand"], facts=_finish(body), as_played=body["as_played"], record=body["record"])
    return use().record_finish(command, competition, match, entry, held_of(body))


@command(
    blueprint,
    MATCH + "/finishes/<int(max=1000):hand>/corrections",
    FinishCorrectionSchema,
    roles=("referee",),
    replaces=True,
)
def correct_finish(command: Command, body: dict[str, Any], competition: str, match: str, hand: int) -> Outcome:
    """Correct a hand of 掼蛋 as it was seen, with a reason."""
    correction = FinishCorrection(
        hand=hand,
        after=_finish({"own": None, "levels": None} | body),
        reason=body["reason"],
        record=body.get("record"),
        kept=tuple(name for name in ("own", "levels", "record") if name not in body),
    )
    return use().correct_finish(command, competition, match, correction, held_of(body))


@command(blueprint, MATCH + "/games", GameSchema, roles=("referee",))
def record_game(command: Command, body: dict[str, Any], competition: str, match: str) -> Outcome:
    """Enter the game of a match at a board."""
    held, game = held_of(body), body.pop("game")
    return use().record_game(command, competition, match, game, GameFacts(**body), held)


@command(
    blueprint,
    MATCH + "/games/<int(max=100):game>/corrections",
    GameCorrectionSchema,
    roles=("referee",),
    replaces=True,
)
def correct_game(command: Command, body: dict[str, Any], competition: str, match: str, game: int) -> Outcome:
    """Correct a game as it was seen, with a reason."""
    held, reason = held_of(body), body.pop("reason")
    return use().correct_game(command, competition, match, game, GameFacts(**body), reason, held)


@command(blueprint, MATCH + "/penalties", PenaltySchema, roles=("referee",))
def issue_penalty(command: Command, body: dict[str, Any], competition: str, match: str) -> Outcome:
    """Issue a penalty by its code."""
    held = held_of(body)
    return use().issue_penalty(command, competition, match, Claim(**body), held)


@command(blueprint, MATCH + "/penalties/<penalty>/liftings", PenaltyLiftingSchema, roles=("referee",))
def lift_penalty(command: Command, body: dict[str, Any], competition: str, match: str, penalty: str) -> Outcome:
    """Lift a penalty, with a reason."""
    held = held_of(body)
    return use().lift_penalty(command, competition, match, penalty, body["reason"], held)


@command(blueprint, MATCH + "/forfeits", ForfeitSchema, roles=("referee", "organiser"))
def forfeit(command: Command, body: dict[str, Any], competition: str, match: str) -> Outcome:
    """Close a match because a team, or both, did not come."""
    return use().forfeit(command, competition, match, body["absent"], body["reason"], body["late"])


@command(blueprint, MATCH + "/closings", roles=("referee",))
def close_match(command: Command, _body: dict[str, Any], competition: str, match: str) -> Outcome:
    """Close a match: a pair has passed A, or time was called."""
    return use().close_match(command, competition, match)


@read(blueprint, MATCH, MatchSchema)
def show_match(_query: dict[str, Any], competition: str, match: str) -> Found:
    """A match. Its ETag is its stream's version, 0 before its first hand."""
    row = service().engine.reader.get(matches, match_key(competition, match))
    if row is None or not row.teams:
        row = _unopened(competition, match, row)
    told = {**plain(row), "conflicts": row.in_conflict(), "counters": row.counters()}
    return Found(told, row.version, conditional=False)


@read(blueprint, MATCH + "/hands/<int(max=1000):hand>/record", HandRecordSchema)
def show_hand_record(_query: dict[str, Any], competition: str, match: str, hand: int) -> Found:
    """The card record of a hand, and what refereeing it gives, trick by trick, as `pailu adjudicate --json` does."""
    known(competition)
    reader = service().engine.reader
    row = reader.get(matches, match_key(competition, match))
    entered = row.hands if row else []
    if row is None or not 1 <= hand <= len(entered):
        raise refuse.NoSuchHand(match=match, hand=hand, entered=len(entered))
    held = entered[hand - 1]["record"]
    found = reader.get(records, record_key(competition, match, held)) if held else None
    if found is None:
        raise refuse.NoSuchRecord(match=match, hand=hand)
    told = adjudicate(resolve_any(row.regulation, row.changes), found.record).told
    body = {"hand": hand, "hash": held, "by": found.by, "record": found.record, "findings": found.findings}
    return Found(body | {"adjudication": told})


@read(blueprint, MATCH + "/events", RecordsSchema)
def list_events(_query: dict[str, Any], competition: str, match: str) -> Found:
    """The events of a match in order, as they stand in the log: its own, and those of its round that concern it."""
    known(competition)
    found = [
        (commit, commit.first + n, event)
        for stream in (rounds_stream(competition), match_stream(competition, match))
        for commit, events in service().engine.commands.history(stream)
        for n, event in enumerate(events)
    ]
    own = [item for item in found if names_match(item[2], match)]
    if not own:
        raise refuse.NoSuchMatch(competition=competition, match=match)
    ordered = sorted(own, key=lambda item: (item[0].stamp, item[0].stream, item[1]))
    return Found({"items": [_record(commit, version, event) for commit, version, event in ordered]})


KINDS = ("hands", "finishes", "games", "penalties", "forfeits", "corrections", "liftings", "confirmations", "closings")
"""What is done at a table, in the order in which it can be."""
ENTRIES = ("hands", "finishes", "games", "penalties", "confirmations", "incidents")
"""What a phone holds back."""
LAST = 10_000
"""After every hand."""


def _in_play(to: str, body: dict[str, Any]) -> tuple[str, int, int]:
    """Where a command that was held back belongs: by its match, its hand, and what it does there."""
    parts = to.split("/")
    hand = body.get("hand")
    kind = KINDS.index(parts[-1]) if parts[-1] in KINDS else len(KINDS)
    return "/".join(parts[:2]), hand if type(hand) is int else LAST, kind


def _says_where(to: str, body: dict[str, Any]) -> None:
    """Every entry at a table that was held back says where it belongs. Raises HeldNeeded."""
    if to.split("/")[-1] in ENTRIES and body.get("held") is None:
        raise refuse.HeldNeeded("/held")


batches(blueprint, _in_play, _says_where)


def _unopened(competition: str, match: str, ruled: MatchRow | None) -> MatchRow:
    """A paired match in which nothing was entered yet; `ruled` is its row where a ruling is on it. Raises
    NoSuchMatch."""
    row = known(competition)
    teams = {d["team"]["id"]: d["team"] for d in row.drawn}
    for current in service().engine.reader.find(rounds, {"competition": competition}, "number"):
        for table in current.tables:
            if table["match"] == match:
                return MatchRow(
                    id=match_key(competition, match),
                    competition=competition,
                    match=match,
                    round=current.number,
                    table=table["table"],
                    teams=[teams.get(team, {"id": team}) for team in table["teams"]],
                    rulings=ruled.rulings if ruled else [],
                )
    raise refuse.NoSuchMatch(competition=competition, match=match)


def _round(of: CompetitionRow, row: dict[str, Any]) -> dict[str, Any]:
    names = {d["team"]["id"]: d["team"]["name"] for d in of.drawn}
    keys = [match_key(of.id, table["match"]) for table in row["tables"]]
    played = service().engine.reader.many(matches, keys)
    tables = []
    for table, key in zip(row["tables"], keys, strict=True):
        found = played.get(key) or MatchRow(id=key)
        result = row["results"].get(table["match"]) or found.result
        tables.append(
            {
                "part": "",
                "game": "",
                "minutes": None,
                "board": 0,
                **table,
                "names": [names.get(team, team) for team in table["teams"]],
                "status": found.status,
                "hands": len(found.hands),
                "levels": found.levels,
                "result": result,
            }
        )
    return {**row, "tables": tables, "rests_on": of.rests_on(row["number"])}


def _facts(body: dict[str, Any]) -> HandFacts:
    return HandFacts(dealer=body["dealer"], points=body["points"], trump=body["trump"], levels=_levels(body))


def _finish(body: dict[str, Any]) -> FinishFacts:
    return FinishFacts(finish=tuple(body["finish"]), own=body["own"], levels=cast(Any, _levels(body)))


def _levels(body: dict[str, Any]) -> dict[str, str] | None:
    levels = body["levels"]
    return {"13": levels["north"], "24": levels["east"]} if levels else None


def _record(commit: Commit, version: int, event: Any) -> dict[str, Any]:
    return {
        "id": f"{commit.stream}@{version}",
        "type": type(event).__name__,
        "version": version,
        "received_at": msgspec.to_builtins(commit.received_at),
        "by": commit.actor,
        "role": commit.role,
        "command": commit.command,
        "causation": commit.causation,
        "commit_hash": commit.hash,
        "data": msgspec.to_builtins(event),
    }
