"""A match over HTTP: hands, finishes, games, penalties, forfeits, and what became of them."""

from __future__ import annotations

from typing import Any, cast, get_args

import marshmallow as ma
import msgspec

from services.match import refusals as refuse
from services.match.api.base import (
    MATCH,
    PAIR,
    PAIRS,
    EntrySchema,
    Id,
    Reason,
    ReasonSchema,
    blueprint,
    held_of,
    known,
    use,
)
from services.match.commands import match_stream, rounds_stream
from services.match.model.hands import Correction, HandEntry
from services.match.model.penalties import Claim
from services.match.model.rounds import names_match
from services.match.model.versions import Choice
from services.match.projections import (
    MatchRow,
    match_key,
    matches,
    record_key,
    records,
    rounds,
)
from shared.contracts.fact import FinishFacts, GameFacts, HandFacts
from shared.eventsourcing.handling import Command, Outcome
from shared.eventsourcing.records import Commit
from shared.rules.adjudication import adjudicate
from shared.rules.regulations.preset import Way
from shared.rules.regulations.reference import resolve_any
from shared.web.batches import batches
from shared.web.commands import command
from shared.web.context import service
from shared.web.reads import Found, plain, read
from shared.web.words import lines

LEVELS = ("2", "3", "4", "5", "6", "7", "8", "9", "T", "J", "Q", "K", "A")
TRUMP = "S ♠, H ♥, C ♣, D ♦, N no trump 无主; null where it was not noted"
AS_PLAYED = "the levels the hand was played at, where the score sheet has them; they are checked"
EQUALS_ANOTHER = "it was played just as another hand of the match 与另一副确实相同"
RECORD = "the hand's card record (`pailu-hand/1`); it must agree with what is entered 牌谱，须与录入一致"


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
    equals_another = ma.fields.Boolean(load_default=False, metadata={"description": EQUALS_ANOTHER})
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
    """A breach. `claimed_during`: the hand that had begun when it was claimed; where left out it was claimed now, and
    in a batch it is not left out.
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
    equals_another = ma.fields.Boolean(load_default=False, metadata={"description": EQUALS_ANOTHER})
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


class PenaltyLiftingSchema(EntrySchema, ReasonSchema):
    """Why a penalty no longer counts."""


class ChoiceSchema(ReasonSchema):
    """Which version of a hand in conflict is right, as `conflicts` of the match numbers them, and why."""

    version = ma.fields.Integer(required=True, strict=True, validate=ma.validate.Range(1, 1000))


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
    unfinished = ma.fields.Dict(
        required=True,
        allow_none=True,
        metadata={"description": "the hand in play when time was called: how far it was, and whether it counts"},
    )
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
    hand trick by trick, what it comes to, and the values of the regulation that were used."""

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


@command(blueprint, MATCH + "/hands", HandSchema, roles=("referee",), shares=True)
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


@command(
    blueprint, MATCH + "/hands/<int(max=1000):hand>/choices", ChoiceSchema, roles=("referee",), chief=True, shares=True
)
def choose_version(command: Command, body: dict[str, Any], competition: str, match: str, hand: int) -> Outcome:
    """Choose between the versions of a hand in conflict, with a reason. The chief referee's."""
    choice = Choice(hand=hand, version=body["version"], reason=body["reason"], facts=HandFacts)
    return use().choose_version(command, competition, match, choice)


@command(
    blueprint,
    MATCH + "/hands/<int(max=1000):hand>/corrections",
    CorrectionSchema,
    roles=("referee",),
    replaces=True,
    shares=True,
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


@command(blueprint, MATCH + "/finishes", FinishSchema, roles=("referee",), shares=True)
def record_finish(command: Command, body: dict[str, Any], competition: str, match: str) -> Outcome:
    """Enter the next hand of 掼蛋, or again one that is there: as at `hands`."""
    entry = HandEntry(
        hand=body["hand"],
        facts=_finish(body),
        as_played=body["as_played"],
        record=body["record"],
        equals_another=body["equals_another"],
    )
    return use().record_hand(command, competition, match, entry, held_of(body))


@command(
    blueprint,
    MATCH + "/finishes/<int(max=1000):hand>/choices",
    ChoiceSchema,
    roles=("referee",),
    chief=True,
    shares=True,
)
def choose_finish(command: Command, body: dict[str, Any], competition: str, match: str, hand: int) -> Outcome:
    """Choose between the versions of a hand of 掼蛋 in conflict, with a reason. The chief referee's."""
    choice = Choice(hand=hand, version=body["version"], reason=body["reason"], facts=FinishFacts)
    return use().choose_version(command, competition, match, choice)


@command(
    blueprint,
    MATCH + "/finishes/<int(max=1000):hand>/corrections",
    FinishCorrectionSchema,
    roles=("referee",),
    replaces=True,
    shares=True,
)
def correct_finish(command: Command, body: dict[str, Any], competition: str, match: str, hand: int) -> Outcome:
    """Correct a hand of 掼蛋 as it was seen, with a reason."""
    correction = Correction(
        hand=hand,
        after=_finish({"own": None, "levels": None} | body),
        reason=body["reason"],
        record=body.get("record"),
        kept=tuple(name for name in ("own", "levels", "record") if name not in body),
    )
    return use().correct_hand(command, competition, match, correction, held_of(body))


@command(blueprint, MATCH + "/games", GameSchema, roles=("referee",), shares=True)
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
    shares=True,
)
def correct_game(command: Command, body: dict[str, Any], competition: str, match: str, game: int) -> Outcome:
    """Correct a game as it was seen, with a reason."""
    held, reason = held_of(body), body.pop("reason")
    return use().correct_game(command, competition, match, game, GameFacts(**body), reason, held)


@command(blueprint, MATCH + "/penalties", PenaltySchema, roles=("referee",), shares=True)
def issue_penalty(command: Command, body: dict[str, Any], competition: str, match: str) -> Outcome:
    """Issue a penalty by its code."""
    held = held_of(body)
    return use().issue_penalty(command, competition, match, Claim(**body), held)


@command(blueprint, MATCH + "/penalties/<penalty>/liftings", PenaltyLiftingSchema, roles=("referee",), shares=True)
def lift_penalty(command: Command, body: dict[str, Any], competition: str, match: str, penalty: str) -> Outcome:
    """Lift a penalty, with a reason."""
    held = held_of(body)
    return use().lift_penalty(command, competition, match, penalty, body["reason"], held)


@command(blueprint, MATCH + "/forfeits", ForfeitSchema, roles=("referee", "organiser"), shares=True)
def forfeit(command: Command, body: dict[str, Any], competition: str, match: str) -> Outcome:
    """Close a match because a team, or both, did not come."""
    return use().forfeit(command, competition, match, body["absent"], body["reason"], body["late"])


@command(blueprint, MATCH + "/closings", roles=("referee",), shares=True)
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
UNFINISHED = "unfinished-hands"
"""What is said of the hand in play when time was called, and so before the hands that come after it."""
ENTRIES = ("hands", "finishes", "games", "penalties", "confirmations", "incidents", UNFINISHED)
"""What a phone holds back."""
LAST = 10_000
"""After every hand."""


def _in_play(to: str, body: dict[str, Any]) -> tuple[str, int, int]:
    """Where a command that was held back belongs: by its match, its hand, and what it does there."""
    parts = to.split("/")
    if parts[-1] == UNFINISHED:
        return "/".join(parts[:2]), 0, 0
    hand = body.get("hand")
    kind = KINDS.index(parts[-1]) if parts[-1] in KINDS else len(KINDS)
    return "/".join(parts[:2]), hand if type(hand) is int else LAST, kind


def _says_where(to: str, body: dict[str, Any]) -> None:
    """Every entry at a table that was held back says where it belongs, and a penalty when it was claimed: what has been
    entered by the time it arrives says nothing of that. Raises HeldNeeded, ClaimNeeded."""
    kind = to.split("/")[-1]
    if kind in ENTRIES and body.get("held") is None:
        raise refuse.HeldNeeded("/held")
    if kind == "penalties" and body.get("claimed_during") is None:
        raise refuse.ClaimNeeded("/claimed_during")


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
