"""The games of a match at a board: 象棋 and 围棋 (zhongshan-2013 七（二）, 七（三）)."""

from __future__ import annotations

from services.match import refusals as refuse
from services.match.model.boards import game_result
from services.match.model.matches import Events, Match, head_of, ids_of, opened_of
from services.match.model.seated import Seat
from shared.contracts.fact import GameFacts
from shared.contracts.match import GameCorrected, GamePlayed, MatchOpened
from shared.rules.formats.articles import articles
from shared.rules.formats.stages import CARDS
from shared.rules.regulations.preset import Preset
from shared.rules.regulations.schema import AnyPreset


def record_game(state: Match, any_preset: AnyPreset, seat: Seat, game: int, played: GameFacts, by: str) -> Events:
    """The next game. Raises NoBoardMatch, GameAlreadyEntered, GameNotDue, GameImpossible."""
    opened, preset = _at_a_board(state, any_preset, seat, played)
    due = len(state.games) + 1
    if game < due:
        raise refuse.GameAlreadyEntered(match=opened.match, game=game)
    if game > due or not _another(seat, state.games):
        raise refuse.GameNotDue(match=opened.match, game=game)
    game_result(preset, seat.seated, played)
    return [
        GamePlayed(
            **head_of(state, by),
            round=opened.round,
            table=opened.table,
            teams=ids_of(opened),
            game=game,
            facts=played,
            article=articles(preset, seat.event).ending,
        )
    ]


def correct_game(
    state: Match, any_preset: AnyPreset, seat: Seat, game: int, after: GameFacts, reason: str, by: str
) -> Events:
    """A game was entered wrongly. Raises NoBoardMatch, NoSuchGame, NothingCorrected, GameImpossible, GameNotDue."""
    opened, preset = _at_a_board(state, any_preset, seat, after)
    if not 1 <= game <= len(state.games):
        raise refuse.NoSuchGame(match=opened.match, game=game, entered=len(state.games))
    before = state.games[game - 1]
    if before == after:
        raise refuse.NothingCorrected("")
    game_result(preset, seat.seated, after)
    if after.winner is not None and game < len(state.games):
        raise refuse.GameNotDue(match=opened.match, game=game + 1)
    return [
        GameCorrected(
            **head_of(state, by),
            game=game,
            before=before,
            after=after,
            reason=reason,
        )
    ]


def _at_a_board(state: Match, preset: AnyPreset, seat: Seat, played: GameFacts) -> tuple[MatchOpened, Preset]:
    opened = opened_of(state)
    if not isinstance(preset, Preset) or seat.event == CARDS or seat.event != played.event:
        raise refuse.NoBoardMatch(match=opened.match, event=played.event)
    return opened, preset


def _another(seat: Seat, games: tuple[GameFacts, ...]) -> bool:
    """Whether a game is still to be played: the first, and the next after draws where somebody must win."""
    return not games or (seat.decisive and all(game.winner is None for game in games))
