"""A match at a board (zhongshan-2013 七（二）): its game is entered, corrected and closed. Which rounds there are is
the business of its format, so each decision is asked by itself."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest

from services.match.model import games, hands, matches, signing
from services.match.model.hands import HandEntry
from services.match.model.matches import Match, evolve, open_
from services.match.model.seated import Seat, Seated
from services.match.projections.matches import MatchRow, game_corrected, game_played
from services.match.refusals import (
    GameAlreadyEntered,
    GameImpossible,
    GameNotDue,
    NoBoardMatch,
    NoCardMatch,
    NoGameEntered,
    NoSuchGame,
    NothingCorrected,
    WinnerNeeded,
)
from shared.contracts.fact import GameFacts, MatchResult, Remedy
from shared.contracts.match import GameCorrected, GamePlayed, MatchClosed
from shared.contracts.programme import event_id
from shared.contracts.refusal import Refusal
from shared.rules.regulations import load
from shared.rules.regulations.reference import reference
from tests.unit.match.hall import CUP, facts, team

ZHONGSHAN = load("zhongshan-2013")
NOW = datetime(2013, 10, 31, 12, tzinfo=UTC)


def game(**changes: Any) -> GameFacts:
    """A had red and mated B."""
    given: dict[str, Any] = {"event": "xiangqi", "first": "A", "winner": "A", "how": "mate"}
    return GameFacts(**(given | changes))


DRAW = game(winner=None, how="agreement")


class Board:
    """A match of 象棋 between A and B; `decisive`: of a knock-out."""

    def __init__(self, decisive: bool = False, event: str = "xiangqi") -> None:
        self.seat = Seat(
            competition=event_id(CUP, event),
            regulation=reference(ZHONGSHAN),
            changes={},
            round=1,
            seated=Seated(match="r1t1", table=1, teams=("A", "B")),
            teams=(team("A"), team("B")),
            opening=0,
            replay=False,
            rulings=(),
            time_called=False,
            decisive=decisive,
            event=event,
        )
        self.state, _ = open_(Match(), self.seat, "ref")

    def _then(self, decided: Sequence[Any]) -> Any:
        for event in decided:
            self.state = evolve(self.state, event)
        return decided[-1]

    def play(self, played: GameFacts, number: int = 1) -> Any:
        return self._then(games.record_game(self.state, ZHONGSHAN, self.seat, number, played, "ref"))

    def correct(self, after: GameFacts, number: int = 1) -> Any:
        return self._then(games.correct_game(self.state, ZHONGSHAN, self.seat, number, after, "看错", "ref"))

    def close(self) -> Any:
        return self._then(matches.close(self.state, ZHONGSHAN, self.seat, NOW, "ref"))

    def result(self) -> MatchResult:
        closed = self.close()
        assert isinstance(closed, MatchClosed)
        return closed.result


def test_a_game_is_entered_with_colours_clocks_and_how_it_ended() -> None:
    played = game(clocks={"A": 300, "B": 12})
    event = Board().play(played)
    assert isinstance(event, GamePlayed)
    assert (event.game, event.facts, event.teams) == (1, played, ("A", "B"))


@pytest.mark.parametrize(
    ("played", "points", "status"),
    [
        (game(), (2, 0), "played"),
        (game(winner="B"), (0, 2), "played"),
        (DRAW, (1, 1), "played"),
        (game(how="forfeit"), (2, 0), "forfeit"),
    ],
)
def test_the_match_is_closed_by_its_game(played: GameFacts, points: tuple[int, int], status: str) -> None:
    board = Board()
    board.play(played)
    result = board.result()
    assert (result.points, result.how, result.status, result.levels) == (points, played.how, status, None)


def test_where_somebody_must_win_a_game_follows_a_draw_and_decides() -> None:
    board = Board(decisive=True)
    board.play(DRAW)
    with pytest.raises(WinnerNeeded):
        board.close()
    board.play(game(first="B", winner="B"), 2)
    assert board.result().points == (0, 2)


@pytest.mark.parametrize(("event", "rules"), [("xiangqi", "七（二）"), ("weiqi", "七（三）")])
def test_a_board_cites_its_own_articles(event: str, rules: str) -> None:
    """七（二） is of 象棋, 七（三） of 围棋; 七（一） is the tractor's."""
    board = Board(decisive=True, event=event)
    with pytest.raises(NoGameEntered) as nothing:
        board.close()
    assert (nothing.value.article, "no game yet" in nothing.value.say("en")) == (rules, True)
    assert board.play(game(event=event, winner=None, how="agreement")).article == rules
    with pytest.raises(WinnerNeeded) as drawn:
        board.close()
    assert drawn.value.article == rules + "1"  # 视报名人数再定是否用分区淘汰赛制进行
    assert "POST …/games" in drawn.value.say("en")
    assert "再下一局" in drawn.value.say("zh")
    with pytest.raises(GameImpossible) as impossible:
        board.play(game(event=event, how="mate" if event == "weiqi" else "count"), 2)
    assert impossible.value.article == rules
    board.play(game(event=event, how="resignation"), 2)
    assert board.close().article == rules
    later = signing.flag_unconfirmed(board.state, ZHONGSHAN, 0, NOW, "timer")
    assert [one.article for one in later] == [rules]  # type: ignore[attr-defined]


def test_a_game_in_truth_drawn_is_corrected() -> None:
    board = Board()
    board.play(game())
    event = board.correct(DRAW)
    assert isinstance(event, GameCorrected)
    assert (event.before, event.after) == (game(), DRAW)
    assert board.result().points == (1, 1)


def test_a_ruling_awards_the_match_past_its_game() -> None:
    board = Board()
    board.play(game())
    remedy = msgspec.convert({"kind": "award_match", "team": "B"}, Remedy)
    board.seat = msgspec.structs.replace(board.seat, rulings=(remedy,))
    assert board.result().how == "awarded"


def test_a_replay_begins_without_a_game() -> None:
    board = Board()
    board.play(game())
    board.seat = msgspec.structs.replace(board.seat, opening=1, replay=True)
    board.state, _ = open_(board.state, board.seat, "ref")
    for event in open_(Board().state, board.seat, "ref")[1]:
        board.state = evolve(board.state, event)
    assert board.play(DRAW).game == 1


def test_the_match_shows_its_games_and_their_corrections() -> None:
    board, row = Board(), MatchRow(id="cup/r1t1")
    game_played(row, board.play(game(clocks={"A": 300, "B": 12})), SimpleNamespace(version=2))
    game_corrected(row, board.correct(DRAW), SimpleNamespace(version=3))
    (shown,) = row.games
    assert (shown["game"], shown["facts"]["winner"], row.version) == (1, None, 3)
    assert shown["corrections"][0]["before"]["clocks"] == {"A": 300, "B": 12}


def _played(*played: GameFacts, decisive: bool = False) -> Board:
    board = Board(decisive)
    for number, one in enumerate(played, 1):
        board.play(one, number)
    return board


@pytest.mark.parametrize(
    ("kind", "act"),
    [
        (NoBoardMatch, lambda: Board(event="cards").play(game())),
        (NoBoardMatch, lambda: Board(event="weiqi").play(game())),
        (GameAlreadyEntered, lambda: _played(game()).play(game())),
        (GameNotDue, lambda: _played(game()).play(game(), 2)),
        (GameNotDue, lambda: _played(DRAW).play(game(), 2)),  # of a round robin: a draw is a result
        (GameNotDue, lambda: _played(game(), decisive=True).play(game(), 2)),
        (GameNotDue, lambda: _played(DRAW, game(), decisive=True).correct(game(), 1)),
        (GameNotDue, lambda: Board().play(game(), 2)),
        (NoSuchGame, lambda: _played(game()).correct(DRAW, 2)),
        (NothingCorrected, lambda: _played(game()).correct(game())),
        (NoGameEntered, lambda: Board().close()),
        (
            NoCardMatch,
            lambda: hands.record_hand(
                Board().state, ZHONGSHAN, Board().seat, HandEntry(hand=1, facts=facts(1, 40)), "ref"
            ),
        ),
    ],
)
def test_what_is_refused(kind: type[Refusal], act: Callable[[], object]) -> None:
    with pytest.raises(kind) as refused:
        act()
    assert "{" not in refused.value.say("zh") + refused.value.say("en")


@pytest.mark.parametrize(
    ("changes", "pointer", "article"),
    [
        ({"first": "C"}, "/first", None),
        ({"winner": "C"}, "/winner", None),
        ({"winner": None}, "/winner", "七（二）"),
        ({"how": "count"}, "/how", "七（二）"),
        ({"how": "adjudication"}, "/note", "七（二）"),
        ({"clocks": {"A": 5}}, "/clocks", None),
        ({"clocks": {"A": 5, "C": 5}}, "/clocks", None),
        ({"how": "time", "clocks": {"A": 0, "B": 5}}, "/clocks", "七（二）2"),
    ],
)
def test_a_game_that_cannot_be_names_the_field_and_the_article(
    changes: dict[str, Any], pointer: str, article: str | None
) -> None:
    with pytest.raises(GameImpossible) as refused:
        Board().play(game(**changes))
    assert (refused.value.pointer, refused.value.article) == (pointer, article)
