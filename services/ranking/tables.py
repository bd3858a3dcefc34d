"""From a book to tables, by the one standings function and the one crosstable of the rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from services.ranking import refusals as refuse
from services.ranking.projections import Book, Round, Seat
from shared.rules.basis import Text
from shared.rules.formats import competition as rules
from shared.rules.formats.boards import joined
from shared.rules.formats.bracket import Bracket, side_of, standing
from shared.rules.formats.course import Played, course
from shared.rules.formats.course.values import gone
from shared.rules.formats.crosstable import CrossRow, crosstable
from shared.rules.formats.drawing import StageDraw
from shared.rules.formats.history import field_of
from shared.rules.formats.lots import with_lots
from shared.rules.formats.prizes import Given, prize_list
from shared.rules.formats.standings import Row, lots_needed, standings
from shared.rules.regulations.preset import Preset
from shared.rules.regulations.reference import resolve_any
from shared.rules.regulations.schema import AnyPreset


class Table(msgspec.Struct, frozen=True, kw_only=True):
    """The standings of a book after a round; `needs_lot` are the groups that nothing parts."""

    after_round: int
    rows: tuple[Row, ...]
    needs_lot: tuple[tuple[str, ...], ...]


def preset_of(book: Book) -> AnyPreset:
    """The regulation of a competition with its organiser's changes."""
    return resolve_any(book.regulation, book.changes)


def table(book: Book, after_round: int | None = None) -> Table:
    """The standings after all closed rounds, or after the first `after_round`. Raises RoundNotClosed."""
    preset = preset_of(book)
    competition = _with_lots(book, preset, after_round)
    rows = standings(preset, competition, after_round)
    counted = field_of(preset, competition, after_round).rounds
    return Table(after_round=counted, rows=tuple(rows), needs_lot=tuple(lots_needed(rows)))


def cross(book: Book, after_round: int | None = None) -> list[CrossRow]:
    """The crosstable of the same rounds. Raises RoundNotClosed."""
    preset = preset_of(book)
    return crosstable(preset, _with_lots(book, preset, after_round), after_round)


def prizes(book: Book) -> list[Given]:
    """Who is given what for the final places; nothing until they are put forward, and while they may be others. Raises
    PlacesOpen, LotNeeded."""
    if book.places is None or book.places.overtaken:
        return []
    preset = preset_of(book)
    return prize_list(preset, _with_lots(book, preset, None))


def _with_lots(book: Book, preset: AnyPreset, after_round: int | None) -> rules.Competition:
    """The competition with the lots that these standings need and that were drawn. Raises RoundNotClosed."""
    plain = competition_of(book)
    _check(preset, plain, after_round)
    out = tuple(sorted({*book.disqualified, *book.struck}))
    return with_lots(preset, msgspec.structs.replace(plain, disqualified=out), book.lots, after_round)


def counted_of(book: Book) -> rules.Competition:
    """The competition with every lot that was drawn and is needed."""
    return with_lots(preset_of(book), competition_of(book), book.lots)


class BracketGame(msgspec.Struct, frozen=True, kw_only=True):
    """A game of a bracket. `sides` are its teams, None while one is not known or where nobody is; `winner` None while
    it is open and where nobody won; `match` is where it is played, empty before its round is paired and where it was
    decided without one."""

    game: str
    round: int
    name: Text
    sides: tuple[str | None, str | None]
    winner: str | None
    decided: bool
    unplayed: bool
    match: str


class BracketPart(msgspec.Struct, frozen=True, kw_only=True):
    """A zone or group of a stage: its seats as drawn, its games in the order of rounds, and who goes on from it."""

    stage: str
    name: Text
    part: str
    seats: tuple[str | None, ...]
    games: tuple[BracketGame, ...]
    survivors: tuple[str, ...]


def brackets(book: Book, after_round: int | None = None) -> list[BracketPart]:
    """Every bracket that was drawn, as its results stand after all rounds or the first `after_round`; none where the
    regulation has no knock-out. Raises RoundNotClosed."""
    preset, competition = preset_of(book), competition_of(book)
    _check(preset, competition, after_round)
    if after_round is not None:
        left = gone(competition, after_round)
        competition = msgspec.structs.replace(
            competition,
            rounds=competition.rounds[:after_round],
            withdrawn=tuple(team for team in competition.withdrawn if team in left),
        )
    if not book.draws:
        return []
    made = {
        drawn.stage: StageDraw(stage=drawn.stage, parts={part: tuple(seats) for part, seats in drawn.parts.items()})
        for drawn in book.draws
    }
    matches = {(current.stage, seat.game): seat.match for current in book.rounds for seat in current.seats if seat.game}
    return [
        _part(played, bracket, matches)
        for played in course(preset, competition, made).stages
        for bracket in played.brackets
    ]


def _part(played: Played, bracket: Bracket, matches: Mapping[tuple[str, str], str]) -> BracketPart:
    states = standing(bracket, played.games)
    games = [
        BracketGame(
            game=game.id,
            round=game.round,
            name=game.name,
            sides=(states[game.id].sides[0].team, states[game.id].sides[1].team),
            winner=played.games.get(game.id),
            decided=game.id in played.games,
            unplayed=game.id in played.unplayed,
            match="" if game.id in played.unplayed else matches.get((played.terms.code, game.id), ""),
        )
        for game in bracket.games
    ]
    going = [side_of(feed, states).team for feed in bracket.survivors]
    return BracketPart(
        stage=played.terms.code,
        name=played.terms.name,
        part=bracket.part,
        seats=played.draw.parts[bracket.part],
        games=tuple(games),
        survivors=tuple(team for team in going if team is not None),
    )


def competition_of(book: Book) -> rules.Competition:
    """The competition as the rules read it, without lots. In a bracket a result that was changed and let stand is the
    one it goes on with."""
    seeds = {team: seed for seed, team in enumerate(book.seeded, 1)}
    preset = preset_of(book)
    return rules.Competition(
        teams=tuple(rules.Team(team.id, team.name, team.unit, seeds.get(team.id)) for team in book.teams),
        rounds=tuple(_round(current, preset, book.fouls) for current in _readable(book.rounds)),
        seed=book.seed,
        draws={
            drawn.stage: rules.HallDraw(
                parts={part: tuple(seats) for part, seats in drawn.parts.items()}, witness=drawn.witness
            )
            for drawn in book.draws
            if drawn.witness
        },
        withdrawn=tuple(book.withdrawn),
        disqualified=tuple(book.disqualified),
        regulation=book.regulation,
        name=book.name,
        event=book.event,
    )


def _check(preset: AnyPreset, competition: rules.Competition, after_round: int | None) -> None:
    closed = field_of(preset, competition).rounds
    if after_round is not None and after_round > closed:
        raise refuse.RoundNotClosed(round=after_round, closed=closed)


def _readable(rounds: Sequence[Round]) -> Sequence[Round]:
    """The rounds, without a last one that has no match and is not closed: it is not over, but nothing in it would say
    so."""
    if rounds and not rounds[-1].closings and not rounds[-1].seats:
        return rounds[:-1]
    return rounds


def _match(tables: Sequence[Seat], preset: AnyPreset, fouls: Mapping[str, Mapping[str, str]]) -> rules.PlayedMatch:
    """A game, the points of its tables added."""
    played = [
        rules.PlayedMatch(
            table=seat.table,
            teams=seat.teams,
            points=seat.let_stand if seat.game and seat.let_stand else seat.points,
            levels=seat.levels,
            status=seat.status,
            fouls=_fouls(seat.teams, fouls.get(seat.match, {})),
        )
        for seat in tables
    ]
    if not tables[0].board or not isinstance(preset, Preset):
        return played[0]
    return joined(played, preset.match.points.win.value, preset.match.points.loss.value)


def _round(current: Round, preset: AnyPreset, fouls: Mapping[str, Mapping[str, str]]) -> rules.Round:
    """A round as the rules read it. Absent teams that forfeited a match stand in that match."""
    seated = {team for seat in current.seats for team in seat.teams}
    games: dict[str, list[Seat]] = {}
    for seat in current.seats:
        games.setdefault(seat.game if seat.board else seat.match, []).append(seat)
    return rules.Round(
        number=current.number,
        matches=tuple(_match(tables, preset, fouls) for tables in games.values()),
        byes=tuple(current.byes),
        absent=tuple(team for team in current.absent if team not in seated and team not in current.byes),
    )


def _fouls(teams: tuple[str, str], penalties: Mapping[str, str]) -> tuple[int, int] | None:
    """How many penalties each team has; None where there are none."""
    counted = [sum(1 for team in penalties.values() if team == own) for own in teams]
    return (counted[0], counted[1]) if any(counted) else None
