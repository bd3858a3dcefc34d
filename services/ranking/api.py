"""Ranking over HTTP: shapes out, no rules. Everything here is public."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

import marshmallow as ma
import msgspec
from flask_smorest import Blueprint

from services.ranking.live import Live
from services.ranking.moments import Moment, Ranking
from services.ranking.projections import LISTED, Card, card_beside, cards
from services.ranking.reasons import Reason
from shared.contracts.fact import Team
from shared.contracts.programme import parted
from shared.rules.basis import Text
from shared.rules.formats.articles import articles
from shared.rules.formats.awards import places_awarded
from shared.rules.formats.stages import CARDS
from shared.rules.formats.standings import basis, name_of
from shared.rules.formats.totals import basis as totals_basis
from shared.rules.formats.totals import told
from shared.rules.formats.union import to_file
from shared.rules.regulations.preset import Preset
from shared.web.context import service
from shared.web.listening import listen
from shared.web.problems import language
from shared.web.reads import Found, PageQuery, QuerySchema, after, page, paged, plain, read

blueprint = Blueprint("ranking", __name__, description="Standings, crosstables and places")


def _use() -> Ranking:
    return cast(Ranking, service().use_cases)


# Schemas


class AsOfQuery(QuerySchema):
    """At which moment: a time with its zone, or a position as `rests_on` has them."""

    as_of = ma.fields.String(
        validate=ma.validate.Length(1, 64), metadata={"description": "2018-11-25T10:00:00Z or match:123"}
    )


class TableQuery(AsOfQuery):
    """After which round, and at which moment."""

    round = ma.fields.Integer(
        validate=ma.validate.Range(0, 1000), metadata={"description": "after this round; default: the last closed one"}
    )


class TotalSchema(ma.Schema):
    """总得分 as people read it."""

    fraction = ma.fields.String(required=True, metadata={"example": "25/3"})
    shown = ma.fields.String(required=True, metadata={"example": "8.333"})
    working = ma.fields.String(required=True, metadata={"example": "8 + 38÷(12/2) − 6 = 25/3 = 8.333"})


class RankedSchema(ma.Schema):
    """A team's line. `rank` is null for a disqualified team, and for one whose union team's results are cancelled
    (`cancelled`: disqualified in any event, or an entry found not to hold); `decided_by` tells what parts it
    from the line above; `part` is the zone whose ranks these are."""

    part = ma.fields.String(required=True, metadata={"description": "empty where there is one ranking"})
    rank = ma.fields.Integer(required=True, allow_none=True)
    team = ma.fields.String(required=True)
    name = ma.fields.String(required=True)
    unit = ma.fields.String(required=True)
    points = ma.fields.Integer(required=True)
    total = ma.fields.Nested(TotalSchema, required=True)
    direct_win = ma.fields.Integer(required=True)
    cumulative = ma.fields.Integer(required=True)
    tie_breaks = ma.fields.Dict(
        keys=ma.fields.String(),
        required=True,
        metadata={
            "description": "what else the regulation compares, integers or fractions",
            "example": {"buchholz": 38},
        },
    )
    decided_by = ma.fields.String(required=True, allow_none=True)
    decided_by_name = ma.fields.String(required=True, allow_none=True)
    withdrawn = ma.fields.Boolean(required=True)
    disqualified = ma.fields.Boolean(required=True)
    cancelled = ma.fields.Boolean(required=True)


class ReasonSchema(ma.Schema):
    """Why standings are provisional. `until` is the last instant of the reason, null where no time ends it."""

    code = ma.fields.String(required=True)
    text = ma.fields.String(required=True)
    round = ma.fields.Integer(required=True, allow_none=True)
    appeal = ma.fields.String(required=True, allow_none=True)
    teams = ma.fields.List(ma.fields.String(), required=True)
    until = ma.fields.String(required=True, allow_none=True)


class ProgressSchema(ma.Schema):
    """A match of the open round, which counts in no standings yet. `levels` and `points` stand as `teams` do."""

    match = ma.fields.String(required=True)
    round = ma.fields.Integer(required=True)
    table = ma.fields.Integer(required=True)
    teams = ma.fields.List(ma.fields.String(), required=True)
    hands = ma.fields.Integer(required=True)
    levels = ma.fields.List(ma.fields.String(), required=True)
    won_by = ma.fields.String(required=True, allow_none=True)
    state = ma.fields.String(required=True, metadata={"description": "not_started, playing or over"})
    points = ma.fields.List(ma.fields.Integer(), required=True, allow_none=True)
    conflicts = ma.fields.List(
        ma.fields.Integer(), required=True, metadata={"description": "hands entered in several versions 待裁判长选定"}
    )


class PositionsSchema(ma.Schema):
    """The position of the last event that counts here, by service; 0 for none."""

    registration = ma.fields.Integer(required=True)
    match = ma.fields.Integer(required=True)
    appeals = ma.fields.Integer(required=True)


class BasisSchema(ma.Schema):
    """An article that the answer rests on, and how surely it says so."""

    article = ma.fields.String(required=True)
    mark = ma.fields.String(required=True, metadata={"description": "stated, read or assumed"})
    changed = ma.fields.Boolean(required=True, metadata={"description": "the organiser announced another value"})


class AnswerSchema(ma.Schema):
    """What every answer about a competition begins with."""

    competition = ma.fields.String(required=True)
    name = ma.fields.String(required=True)
    rehearsal = ma.fields.Boolean(required=True, metadata={"description": "for practice: it never counts 演练"})
    regulation = ma.fields.String(required=True)
    event = ma.fields.String(required=True, metadata={"description": "cards, or one of the boards", "example": "cards"})
    as_of = ma.fields.String(required=True, allow_none=True, metadata={"description": "as asked; null for now"})
    rests_on = ma.fields.Nested(PositionsSchema, required=True)


class TableSchema(AnswerSchema):
    """What standings and crosstable have in common."""

    after_round = ma.fields.Integer(required=True)
    rounds_planned = ma.fields.Integer(required=True, metadata={"description": "0 before the first pairing"})
    provisional = ma.fields.Boolean(required=True)
    reasons = ma.fields.List(ma.fields.Nested(ReasonSchema), required=True)


class StandingsSchema(TableSchema):
    """The standings. `in_progress` is the open round's, and empty where a round was asked for."""

    rows = ma.fields.List(ma.fields.Nested(RankedSchema), required=True)
    in_progress = ma.fields.List(ma.fields.Nested(ProgressSchema), required=True)
    basis = ma.fields.List(ma.fields.Nested(BasisSchema), required=True)


class OutcomeSchema(ma.Schema):
    """What a round was for a team; levels are its own, then the opponent's."""

    round = ma.fields.Integer(required=True)
    kind = ma.fields.String(
        required=True, metadata={"description": "played, forfeit, bye, absent, unfinished or cancelled"}
    )
    points = ma.fields.Integer(required=True)
    opponent = ma.fields.String(required=True, allow_none=True)
    opponent_points = ma.fields.Integer(required=True, allow_none=True)
    table = ma.fields.Integer(required=True, allow_none=True)
    levels = ma.fields.List(ma.fields.String(), required=True, allow_none=True)
    fouls = ma.fields.Integer(required=True, metadata={"description": "fouls of the team"})
    second = ma.fields.Boolean(required=True, metadata={"description": "whether it moved second 后手"})


class CrossSchema(ma.Schema):
    """A team's rounds, and its points after each."""

    rank = ma.fields.Integer(required=True, allow_none=True)
    team = ma.fields.String(required=True)
    name = ma.fields.String(required=True)
    outcomes = ma.fields.List(ma.fields.Nested(OutcomeSchema), required=True)
    running = ma.fields.List(ma.fields.Integer(), required=True)


class CrosstableSchema(TableSchema):
    """The crosstable, in the order of the standings."""

    rows = ma.fields.List(ma.fields.Nested(CrossSchema), required=True)


class GameSchema(ma.Schema):
    """A game of a bracket. A side is null while it is not known, and where nobody is; `winner` is null while the game
    is open, and where nobody won; `unplayed`: it was decided without a match."""

    game = ma.fields.String(required=True)
    round = ma.fields.Integer(required=True, metadata={"description": "of its zone or group"})
    name = ma.fields.String(required=True, metadata={"example": "半决赛"})
    sides = ma.fields.List(ma.fields.String(allow_none=True), required=True)
    winner = ma.fields.String(required=True, allow_none=True)
    decided = ma.fields.Boolean(required=True)
    unplayed = ma.fields.Boolean(required=True)
    match = ma.fields.String(required=True, metadata={"description": "empty before its round is paired"})


class BracketPartSchema(ma.Schema):
    """A zone or group of a stage: seats as drawn (null: a bye), games in the order of rounds, and who goes on."""

    stage = ma.fields.String(required=True)
    name = ma.fields.String(required=True)
    part = ma.fields.String(required=True)
    seats = ma.fields.List(ma.fields.String(allow_none=True), required=True)
    games = ma.fields.List(ma.fields.Nested(GameSchema), required=True)
    survivors = ma.fields.List(ma.fields.String(), required=True)


class BracketSchema(TableSchema):
    """The brackets of a knock-out; none where the regulation has no such."""

    brackets = ma.fields.List(ma.fields.Nested(BracketPartSchema), required=True)
    names = ma.fields.Dict(keys=ma.fields.String(), required=True, metadata={"description": "team to name"})


class PlaceSchema(ma.Schema):
    """A final place."""

    rank = ma.fields.Integer(required=True)
    team = ma.fields.String(required=True)
    name = ma.fields.String(required=True)
    unit = ma.fields.String(required=True)
    points = ma.fields.Integer(required=True)
    total = ma.fields.String(required=True)
    decided_by = ma.fields.String(required=True, allow_none=True)
    award = ma.fields.Integer(required=True, allow_none=True, metadata={"description": "the place it is awarded"})
    part = ma.fields.String(required=True, metadata={"description": "the group the place is one of, if any"})


class PlacesSchema(AnswerSchema):
    """The final places and awards as two people put them forward and declared them. `changed_since`: something was
    decided after that."""

    status = ma.fields.String(required=True, metadata={"description": "none, proposed or declared"})
    changed_since = ma.fields.Boolean(required=True)
    after_round = ma.fields.Integer(required=True, allow_none=True)
    proposed_by = ma.fields.String(required=True, allow_none=True)
    declared_by = ma.fields.String(required=True, allow_none=True)
    article = ma.fields.String(required=True)
    places_awarded = ma.fields.Integer(required=True)
    places = ma.fields.List(ma.fields.Nested(PlaceSchema), required=True)


class GivenSchema(ma.Schema):
    """What a team is given. `to_place` is the last of the places that a shared one covers; both are null for what goes
    to no place."""

    part = ma.fields.String(
        required=True, allow_none=True, metadata={"description": "the group, null where there is one"}
    )
    place = ma.fields.Integer(required=True, allow_none=True)
    to_place = ma.fields.Integer(required=True, allow_none=True)
    team = ma.fields.String(required=True)
    name = ma.fields.String(required=True)
    unit = ma.fields.String(required=True)
    prizes = ma.fields.List(ma.fields.String(), required=True)


class AwardsSchema(AnswerSchema):
    """The prize list, empty until the final places are put forward."""

    status = ma.fields.String(required=True, metadata={"description": "none, proposed or declared"})
    awards = ma.fields.List(ma.fields.Nested(GivenSchema), required=True)


class UnionEventSchema(ma.Schema):
    """An event of the totals. One whose places are not all decided counts nothing yet."""

    event = ma.fields.String(required=True, metadata={"example": "xiangqi"})
    decided = ma.fields.Boolean(required=True)
    provisional = ma.fields.Boolean(required=True, metadata={"description": "it may change, as its standings say"})


class UnionRowSchema(ma.Schema):
    """A team's line. `rank` is null for a team whose results and money are cancelled; points and money are integers or
    fractions; `paid_fen` is the payout in whole fen."""

    rank = ma.fields.Integer(required=True, allow_none=True)
    team = ma.fields.String(required=True)
    name = ma.fields.String(required=True)
    points = ma.fields.Dict(required=True, metadata={"description": "by event, and `all`", "example": {"all": 19}})
    firsts = ma.fields.Integer(required=True)
    money_yuan = ma.fields.Raw(required=True)
    paid_fen = ma.fields.Integer(required=True)
    decided_by = ma.fields.String(required=True, allow_none=True)
    prizes = ma.fields.List(ma.fields.String(), required=True)


class TotalsSchema(AnswerSchema):
    """Team totals, best first. `union` is the file `pailu-union/1` from which `pailu totals` makes the same."""

    provisional = ma.fields.Boolean(required=True)
    events = ma.fields.List(ma.fields.Nested(UnionEventSchema), required=True)
    rows = ma.fields.List(ma.fields.Nested(UnionRowSchema), required=True)
    union = ma.fields.Dict(required=True)
    basis = ma.fields.List(ma.fields.Nested(BasisSchema), required=True)


class CompetitionSchema(ma.Schema):
    """A competition in the list."""

    id = ma.fields.String(required=True)
    name = ma.fields.String(required=True)
    rehearsal = ma.fields.Boolean(required=True, metadata={"description": "for practice: it never counts 演练"})
    regulation = ma.fields.String(required=True)
    event = ma.fields.String(required=True, metadata={"description": "cards, or one of the boards"})
    status = ma.fields.String(
        required=True,
        metadata={
            "description": "announced, entries_open, entries_closed, drawn, in_play, finished, proposed, declared or "
            "cancelled"
        },
    )
    teams = ma.fields.Integer(required=True)
    rounds_closed = ma.fields.Integer(required=True)
    rounds_planned = ma.fields.Integer(required=True)


# Reads


@read(blueprint, "/competitions", paged(CompetitionSchema), PageQuery)
def list_competitions(query: dict[str, Any]) -> Found:
    """All competitions, by id, with how far they have come; those at boards stand after the one they are beside."""
    reader = service().engine.reader
    rows = reader.find(cards, {"listed": LISTED}, "_id", after(query), query["limit"] + 1)
    announced = {row.id: parted(row.id)[0] for row in rows if row.event != CARDS}
    known = reader.many(cards, sorted(set(announced.values()))) if announced else {}
    rows = [card_beside(row, known[announced[row.id]]) if announced.get(row.id) in known else row for row in rows]
    return Found(page([_card(row) for row in rows], query, lambda row: str(row["id"])))


@read(blueprint, "/competitions/<competition>/standings", StandingsSchema, TableQuery)
def standings(query: dict[str, Any], competition: str) -> Found:
    """The standings of closed rounds with their working, what parts each place from the one above, and why they are
    provisional; beside them the tables of the open round."""
    moment, after_round = _asked(query, competition)
    book, teams = moment.book, _teams(moment)
    rows = [
        {
            **plain(row),
            **teams[row.team],
            "decided_by_name": _say(name_of(moment.preset, row.decided_by)) if row.decided_by else None,
            "withdrawn": row.team in book.withdrawn,
            "disqualified": row.team in book.disqualified,
            "cancelled": row.team in book.struck,
        }
        for row in _use().table(moment, after_round).rows
    ]
    return Found(
        _head(moment)
        | _state(moment, after_round)
        | {
            "rows": rows,
            "in_progress": [plain(one) for one in moment.progress] if after_round is None else [],
            "basis": [msgspec.structs.asdict(one) for one in basis(moment.preset, moment.book.event)],
        }
    )


@read(blueprint, "/competitions/<competition>/crosstable", CrosstableSchema, TableQuery)
def crosstable(query: dict[str, Any], competition: str) -> Found:
    """Every team's rounds, in the order of the standings."""
    moment, after_round = _asked(query, competition)
    teams = _teams(moment)
    rows = [{**plain(row), **teams[row.team]} for row in _use().cross(moment, after_round)]
    return Found(_head(moment) | _state(moment, after_round) | {"rows": rows})


@read(blueprint, "/competitions/<competition>/bracket", BracketSchema, TableQuery)
def bracket(query: dict[str, Any], competition: str) -> Found:
    """The brackets of every stage that was drawn, with what closed rounds have decided."""
    moment, after_round = _asked(query, competition)
    parts = [
        {
            **plain(part),
            "name": _say(part.name),
            "games": [{**plain(game), "name": _say(game.name)} for game in part.games],
        }
        for part in _use().brackets(moment, after_round)
    ]
    names = {team.id: team.name for team in moment.book.teams}
    return Found(_head(moment) | _state(moment, after_round) | {"brackets": parts, "names": names})


@read(blueprint, "/competitions/<competition>/places", PlacesSchema, AsOfQuery)
def places(query: dict[str, Any], competition: str) -> Found:
    """The final places and awards, put forward or declared."""
    moment = _use().moment(competition, query.get("as_of"))
    book, teams = moment.book, _teams(moment)
    known: dict[str, Any] = {
        "status": "none",
        "changed_since": False,
        "after_round": None,
        "proposed_by": None,
        "declared_by": None,
        "article": articles(moment.preset).places,
        "places_awarded": places_awarded(moment.preset, len(book.teams)),
        "places": [],
    }
    if (final := book.places) is not None:
        known |= plain(final) | {
            "status": "declared" if final.declared_by else "proposed",
            "changed_since": final.overtaken,
            "places": [{**plain(place), **teams[place.team]} for place in final.places],
        }
    return Found(_head(moment) | known)


@read(blueprint, "/competitions/<competition>/awards", AwardsSchema, AsOfQuery)
def awards(query: dict[str, Any], competition: str) -> Found:
    """Who is given what for the final places, those that share a place with all that it covers."""
    moment = _use().moment(competition, query.get("as_of"))
    teams, final = _teams(moment), moment.book.places
    given = [
        {
            "part": one.part,
            "place": one.place,
            "to_place": one.to_place,
            **teams[one.team],
            "team": one.team,
            "prizes": [_say(prize) for prize in one.prizes],
        }
        for one in _use().prizes(moment)
    ]
    status = "none" if final is None else "declared" if final.declared_by else "proposed"
    return Found(_head(moment) | {"status": status, "awards": given})


@read(blueprint, "/competitions/<competition>/totals", TotalsSchema, AsOfQuery)
def totals(query: dict[str, Any], competition: str) -> Found:
    """The totals of union teams over all events of a competition, and the prize money (团体总分), now or as they were:
    `as_of` may be a position of any of the events."""
    union = _use().totals(competition, query.get("as_of"))
    moment, events, found = union.moment, union.events, union.totals
    preset = cast(Preset, moment.preset)
    told_events = [
        {
            "event": code,
            "decided": decided,
            "provisional": bool(_use().reasons(events[code], None)) if _drawn(events, code) else not decided,
        }
        for code, decided in found.decided.items()
    ]
    names = {team.id: team.name for team in found.results.teams}
    rows = [
        {
            **told(row),
            "name": names[row.team],
            "paid_fen": row.paid_fen,
            "prizes": [_say(prize) for prize in found.prizes.get(row.team, ())],
        }
        for row in found.rows
    ]
    return Found(
        _head(moment)
        | {
            "rests_on": union.positions,
            "provisional": any(event["provisional"] for event in told_events),
            "events": told_events,
            "rows": rows,
            "union": to_file(found.results),
            "basis": [msgspec.structs.asdict(one) for one in totals_basis(preset)],
        }
    )


@listen(blueprint, "/competitions/<competition>/events", lambda: _use().listeners)
def events(competition: str) -> Live:
    """What happens in a competition, as it happens, as server-sent events: public facts of registration, match and
    appeals, each when standings show it already. Each has an `id`; a client that names the last one it heard in
    Last-Event-ID misses nothing."""
    _use().check_known(competition)
    return _use().live


def _drawn(events: Mapping[str, Moment], code: str) -> bool:
    return code in events and bool(events[code].book.teams)


def _asked(query: Mapping[str, Any], competition: str) -> tuple[Moment, int | None]:
    return _use().moment(competition, query.get("as_of")), query.get("round")


def _head(moment: Moment) -> dict[str, Any]:
    return {
        "competition": moment.book.id,
        "name": moment.book.name,
        "rehearsal": moment.book.rehearsal,
        "regulation": moment.book.regulation,
        "event": moment.book.event,
        "as_of": moment.as_of,
        "rests_on": moment.positions,
    }


def _state(moment: Moment, after_round: int | None) -> dict[str, Any]:
    found = _use().reasons(moment, after_round)
    return {
        "after_round": _use().table(moment, after_round).after_round,
        "rounds_planned": moment.book.planned,
        "provisional": bool(found),
        "reasons": [_reason(reason) for reason in found],
    }


def _reason(reason: Reason) -> dict[str, Any]:
    return plain(reason) | {"text": _say(reason.text)}


def _card(row: Card) -> dict[str, Any]:
    return plain(row) | {"status": row.status, "rounds_closed": len(row.closed), "rounds_planned": row.planned}


def _teams(moment: Moment) -> dict[str, dict[str, Any]]:
    """Name and unit of every team, by id."""
    return {team.id: _named(team) for team in moment.book.teams}


def _named(team: Team) -> dict[str, Any]:
    return {"name": team.name, "unit": team.unit}


def _say(text: Text) -> str:
    return text.zh if language() == "zh" else text.en
