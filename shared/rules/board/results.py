"""The match points of a board game: all that a format or a table of standings needs of it."""

from __future__ import annotations

from msgspec import Struct

from shared.rules.basis import Basis, gather
from shared.rules.board.games import Game, Player, boards_of, check_game
from shared.rules.regulations.preset import Preset, Way


def without_game(preset: Preset, event: str, winner: Player | None) -> tuple[int, int]:
    """The match points, of player one and two, of a match that no game decided: a player did not come, or a decision
    gave it. winner: None where neither came. Raises RuleError `bad_value` for an event that the regulation has not."""
    terms = boards_of(preset, event).points
    win, loss = terms.win.value, terms.loss.value
    return (loss, loss) if winner is None else (win, loss) if winner == 1 else (loss, win)


class GameResult(Struct, frozen=True, kw_only=True):
    """points: of player one, then player two; winner: None for a draw, so that a knock-out must still decide who goes
    on; colours: of player one, then player two."""

    points: tuple[int, int]
    winner: Player | None
    how: Way
    colours: tuple[str, str]
    basis: tuple[Basis, ...]


def result(preset: Preset, game: Game) -> GameResult:
    """The result of a game. Raises RuleError as `check_game` does."""
    check_game(preset, game)
    boards = boards_of(preset, game.event)
    terms = boards.points
    win, draw, loss = terms.win.value, terms.draw.value, terms.loss.value
    points = (draw, draw) if game.winner is None else (win, loss) if game.winner == 1 else (loss, win)
    first, second = boards.colours.value[game.event]
    used = [terms.draw] if game.winner is None else [terms.win, terms.loss]
    return GameResult(
        points=points,
        winner=game.winner,
        how=game.how,
        colours=(first, second) if game.first == 1 else (second, first),
        basis=gather([*(rule.basis for rule in used), boards.ways.basis]),
    )
