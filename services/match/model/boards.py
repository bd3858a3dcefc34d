"""From a board game as it was entered to a match's result."""

from __future__ import annotations

from services.match import refusals as refuse
from services.match.model.seated import Seat, Seated
from shared.contracts.fact import GameFacts, MatchResult
from shared.rules.basis import Text
from shared.rules.board.games import Game, Player
from shared.rules.board.results import GameResult, result
from shared.rules.board.results import without_game as points_without_game
from shared.rules.errors import RuleError
from shared.rules.regulations.preset import Preset


def game_outcome(preset: Preset, seated: Seated, played: GameFacts) -> MatchResult:
    """What a match comes to by its last game. Raises GameImpossible."""
    found = game_result(preset, seated, played)
    return MatchResult(
        match=seated.match,
        table=seated.table,
        teams=seated.teams,
        points=found.points,
        levels=None,
        how=found.how,
        status="forfeit" if found.how == "forfeit" else "played",
    )


def without_game(preset: Preset, seat: Seat, winner: Player | None, how: str) -> MatchResult:
    """A match at a board that no game decided; winner None: neither player came."""
    return MatchResult(
        match=seat.seated.match,
        table=seat.seated.table,
        teams=seat.seated.teams,
        points=points_without_game(preset, seat.event, winner),
        levels=None,
        how=how,
        status="forfeit",
    )


def game_result(preset: Preset, seated: Seated, played: GameFacts) -> GameResult:
    """A board game by the rules. Raises GameImpossible."""
    game = Game(
        event=played.event,
        first=_player(seated, "first", played.first),
        winner=None if played.winner is None else _player(seated, "winner", played.winner),
        how=played.how,
        clocks=_clocks(seated, played.clocks),
        note=played.note,
    )
    try:
        return result(preset, game)
    except RuleError as error:
        raise refuse.GameImpossible(f"/{error.field}", error.article, match=seated.match, reason=error.said) from error


def _player(seated: Seated, field: str, team: str) -> Player:
    if team not in seated.teams:
        said = Text(f"{team} 不是本场的队伍", f"{team} is no team of this match")
        raise refuse.GameImpossible(f"/{field}", match=seated.match, reason=said)
    return 1 if team == seated.teams[0] else 2


def _clocks(seated: Seated, clocks: dict[str, int] | None) -> tuple[int, int] | None:
    if clocks is None:
        return None
    if set(clocks) != set(seated.teams):
        said = Text("应填写双方的剩余秒数，或都不填", "give the seconds left to both teams, or to none")
        raise refuse.GameImpossible("/clocks", match=seated.match, reason=said)
    return clocks[seated.teams[0]], clocks[seated.teams[1]]
