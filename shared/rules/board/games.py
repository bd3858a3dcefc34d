"""A board game as the referee enters it: who had which colour, how it ended, what the clocks showed."""

from __future__ import annotations

from typing import Any, Literal

from msgspec import Struct

from shared.rules.basis import Ruled
from shared.rules.errors import RuleError
from shared.rules.regulations.preset import Boards, Preset, Way, terms_of_event

Player = Literal[1, 2]
"""The players as the pairing names them."""

DECIDED: frozenset[Way] = frozenset({"mate", "resignation", "time", "count"})
"""Ends that nobody can draw by."""


class Game(Struct, frozen=True, kw_only=True):
    """One game.

    event: of `boards.events`; first: who had the colour that moves first; winner: None for a draw; clocks: seconds left
    to player one and two, None where they were not noted; note: why it was adjudicated.
    """

    event: str
    first: Player
    winner: Player | None
    how: Way
    clocks: tuple[int, int] | None = None
    note: str = ""


def boards_of(preset: Preset, event: str) -> Boards:
    """The terms of a board event, with its own articles. Raises RuleError `bad_value` for an event that the regulation
    has not."""
    boards = preset.boards
    if boards is None:
        detail = f"event is {event!r}; the regulation has no board events"
        raise RuleError(detail, f"规程没有棋类项目（{event}）", field="event")
    if event not in boards.events.value:
        known = ", ".join(boards.events.value)
        raise _refused(boards.events, "event", f"is {event!r}; events are {known}", f"为 {event}；棋类项目为 {known}")
    return terms_of_event(boards, event)


def check_game(preset: Preset, game: Game) -> None:
    """Refuse a game that cannot have ended so. Raises RuleError `bad_value` with field and article."""
    boards = boards_of(preset, game.event)
    ways = boards.ways.value.get(game.event, ())
    if game.how not in ways:
        known = ", ".join(ways)
        problem = f"is {game.how!r}; a game of {game.event} ends by {known}"
        raise _refused(boards.ways, "how", problem, f"为 {game.how}；{game.event} 的结束方式为 {known}")
    if game.winner is None and game.how in (*DECIDED, "forfeit"):
        raise _refused(boards.points.draw, "winner", f"is missing; {game.how} is no draw", f"缺失；{game.how} 必有胜方")
    if game.winner is not None and game.how == "agreement":
        raise _refused(boards.points.draw, "winner", "is given for a game agreed drawn", "不应填写；双方议和为和棋")
    if game.how == "adjudication" and not game.note.strip():
        raise _refused(boards.ways, "note", "says nothing of why it was adjudicated", "缺失；判决须说明理由")
    _check_clocks(boards, game)


def _check_clocks(boards: Boards, game: Game) -> None:
    if game.clocks is None:
        return
    rule = boards.clocks
    if not rule.value:
        raise _refused(rule, "clocks", "are given; no clocks are used", "不应填写；本比赛不用赛钟")
    if any(type(left) is not int or left < 0 for left in game.clocks):
        raise _refused(rule, "clocks", f"are {game.clocks}, not seconds left", f"为 {game.clocks}，应为剩余秒数")
    if game.how == "time" and game.winner is not None:
        own, other = game.clocks[game.winner - 1], game.clocks[2 - game.winner]
        if other or not own:
            raise _refused(rule, "clocks", f"are {game.clocks}; who lost on time has 0", "不符；超时负方应为 0 秒")


def _refused(rule: Ruled[Any], field: str, problem: str, zh: str) -> RuleError:
    return RuleError(f"{field} {problem}", f"{field} {zh}", article=rule.article, field=field)
