"""A competition over HTTP: draw, rounds, who is away, lots, places, decisions set aside."""

from __future__ import annotations

from typing import Any

import marshmallow as ma

from services.match import refusals as refuse
from services.match.api.base import (
    BASE,
    ROUND,
    Id,
    ReasonSchema,
    blueprint,
    known,
    use,
)
from services.match.model.places import DrawnByHand
from services.match.model.rounds import ByHand, Lots, PairOrder
from services.match.projections import (
    CompetitionRow,
    MatchRow,
    match_key,
    matches,
    round_key,
    rounds,
)
from shared.contracts.programme import parted
from shared.eventsourcing.handling import Command, Outcome
from shared.rules.regulations.reference import resolve_any
from shared.web.commands import command
from shared.web.context import identity, service
from shared.web.problems import BOTH
from shared.web.reads import Found, PageQuery, after, page, paged, plain, read
from shared.web.words import lines

SET_ASIDE = BASE + "/decisions/<appeal>/set-asides"


class TeamReasonSchema(ReasonSchema):
    """Which team, and why."""

    team = ma.fields.String(required=True, validate=Id)


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


class TimeCallSchema(ma.Schema):
    """Why time is called before the clock has run out."""

    reason = ma.fields.String(load_default="", validate=lines(500, 0))


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
    hand_begun = ma.fields.String(
        required=True,
        metadata={"description": "from what on it is one: first_card_drawn, play_or_burying or first_play"},
    )
    rests_on = ma.fields.List(
        ma.fields.Dict(),
        required=True,
        metadata={"description": "the rounds before, as they were closed when this one was paired, and whether since"},
    )
    time_called_at = ma.fields.String(required=True, allow_none=True)
    closed_at = ma.fields.String(required=True, allow_none=True)
    posted_at = ma.fields.String(required=True, allow_none=True)


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
    regulation's; no hand is entered by it. Then each table says how far its hand was (…/unfinished-hands)."""
    return use().call_time(command, competition, number, body["reason"])


@command(blueprint, ROUND + "/time-calls/liftings", ReasonSchema, roles=("referee",), chief=True)
def lift_time_call(command: Command, body: dict[str, Any], competition: str, number: int) -> Outcome:
    """Lift a time call that was a mistake, while no match was closed since: the round goes on. The chief referee's."""
    return use().lift_time_call(command, competition, number, body["reason"])


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
    begun = resolve_any(of.regulation, of.changes).match.hand_begun.value
    return {**row, "tables": tables, "rests_on": of.rests_on(row["number"]), "hand_begun": begun}
