"""象棋 and 围棋 beside the cards (zhongshan-2013 七（二）, 七（三）): no move is known, only an entry can be wrong."""

from __future__ import annotations

from typing import Any

import pytest

from shared.rules.board.games import Game, check_game
from shared.rules.board.results import result
from shared.rules.errors import BadRegulation, RuleError
from shared.rules.regulations import Preset, changed, load

ZHONGSHAN = load("zhongshan-2013")


def game(**changes: Any) -> Game:
    """Player one had red and mated."""
    given: dict[str, Any] = {"event": "xiangqi", "first": 1, "winner": 1, "how": "mate"}
    return Game(**(given | changes))


def refused(preset: Preset = ZHONGSHAN, **changes: Any) -> RuleError:
    with pytest.raises(RuleError) as caught:
        check_game(preset, game(**changes))
    return caught.value


# 胜 2, 和 1, 负 0 as in the national rules of both games, which 七（二） takes over without naming points (assumed)
@pytest.mark.parametrize(("winner", "points"), [(1, (2, 0)), (2, (0, 2))])
def test_a_win_is_two_points(winner: int, points: tuple[int, int]) -> None:
    found = result(ZHONGSHAN, game(winner=winner))
    assert (found.points, found.winner, found.how) == (points, winner, "mate")
    assert {(basis.article, basis.mark) for basis in found.basis} == {("七（二）", "assumed")}


def test_a_draw_is_one_point_each_and_decides_nothing() -> None:
    found = result(ZHONGSHAN, game(winner=None, how="agreement"))
    assert (found.points, found.winner) == ((1, 1), None)


def test_an_organiser_may_set_other_points() -> None:
    own = changed(ZHONGSHAN, {"boards.points.win": 3})
    assert result(own, game(winner=2)).points == (0, 3)


@pytest.mark.parametrize(
    ("event", "first", "colours"),
    [
        ("xiangqi", 1, ("red", "black")),  # 红先
        ("xiangqi", 2, ("black", "red")),
        ("weiqi", 1, ("black", "white")),  # 黑先
        ("weiqi", 2, ("white", "black")),
    ],
)
def test_the_colour_that_moves_first(event: str, first: int, colours: tuple[str, str]) -> None:
    assert result(ZHONGSHAN, game(event=event, first=first, how="resignation")).colours == colours


@pytest.mark.parametrize("how", ["mate", "resignation", "time", "forfeit"])
def test_ends_that_have_a_winner(how: str) -> None:
    assert result(ZHONGSHAN, game(how=how)).how == how
    assert refused(how=how, winner=None).field == "winner"


def test_an_agreed_draw_has_none() -> None:
    assert refused(how="agreement").field == "winner"


@pytest.mark.parametrize("winner", [1, 2, None])
def test_an_adjudication_may_go_either_way_and_says_why(winner: int | None) -> None:
    assert result(ZHONGSHAN, game(how="adjudication", winner=winner, note="长打")).winner == winner
    assert refused(how="adjudication", winner=winner, note=" ").field == "note"


def test_a_game_of_stones_is_counted_and_not_mated() -> None:
    assert result(ZHONGSHAN, game(event="weiqi", how="count")).points == (2, 0)
    assert refused(event="weiqi", how="mate").field == "how"
    assert refused(how="count").field == "how"


# 双方需规定使用赛钟
@pytest.mark.parametrize("clocks", [(0, 15), (600, 0), (0, 0), None])
def test_clocks_are_as_the_referee_enters_them(clocks: tuple[int, int] | None) -> None:
    assert result(ZHONGSHAN, game(clocks=clocks)).winner == 1


def test_who_loses_on_time_has_none_left() -> None:
    assert result(ZHONGSHAN, game(how="time", clocks=(15, 0))).winner == 1
    for clocks in ((0, 15), (15, 15), (0, 0)):
        error = refused(how="time", clocks=clocks)
        assert (error.field, error.article) == ("clocks", "七（二）2")


@pytest.mark.parametrize("clocks", [(-1, 5), (5, True)])
def test_no_time_is_negative(clocks: tuple[int, int]) -> None:
    assert refused(clocks=clocks).field == "clocks"


def test_without_clocks_none_are_noted() -> None:
    without = changed(ZHONGSHAN, {"boards.clocks": False})
    check_game(without, game())
    assert refused(without, clocks=(5, 5)).article == "七（二）2"


@pytest.mark.parametrize(("regulation", "event"), [("jimei-2018", "xiangqi"), ("zhongshan-2013", "bridge")])
def test_an_event_that_the_regulation_has_not(regulation: str, event: str) -> None:
    error = refused(load(regulation), event=event)
    assert (error.code, error.field) == ("bad_value", "event")


@pytest.mark.parametrize("key", ["boards.ways", "boards.colours"])
def test_every_event_has_its_colours_and_ways(key: str) -> None:
    described: dict[str, Any] = {"boards.ways": {"xiangqi": ["mate"]}, "boards.colours": {"weiqi": ["black", "white"]}}
    with pytest.raises(BadRegulation) as caught:
        changed(ZHONGSHAN, {key: described[key]})
    assert caught.value.key == key
