"""What ranking refuses, and why."""

from __future__ import annotations

from shared.contracts.refusal import Invalid, NotFound


class NoSuchCompetition(
    NotFound,
    zh=("没有这项赛事", "没有编号为 {competition} 的赛事。"),
    en=("No such competition", "There is no competition {competition}."),
):
    """The competition was never announced."""


class NotAnnouncedThen(
    NotFound,
    zh=("当时尚未公布", "在 {as_of} 时，赛事 {competition} 尚未公布。"),
    en=("Not announced then", "Competition {competition} was not announced yet as of {as_of}."),
):
    """The moment asked for is before the competition's announcement."""


class RoundNotClosed(
    NotFound,
    zh=("该轮尚未结束", "第 {round} 轮没有可用的成绩；已结束 {closed} 轮。"),
    en=("Round not closed", "Round {round} has no standings; {closed} rounds are closed."),
):
    """Standings are made of closed rounds only."""


class NoTeamTotals(
    NotFound,
    zh=("没有团体总分", "赛事 {competition} 的规程没有团体总分；棋类项目的成绩计入所属赛事的团体总分。"),
    en=(
        "No team totals",
        "The regulation of {competition} has no team totals; an event at a board counts in those of its competition.",
    ),
):
    """Only a regulation of several events for union teams has them, and only as a whole."""


class NoSuchPosition(
    NotFound,
    zh=("没有这个位置", "记录中没有位置 {position}，或尚未到达成绩服务。"),
    en=("No such position", "The log has no position {position}, or it has not arrived here yet."),
):
    """No event of this position has arrived."""


class BadAsOf(
    Invalid,
    zh=("as_of 无法识别", "as_of 应为带时区的时间（如 2018-11-25T10:00:00Z）或日志位置（如 match:123）。"),
    en=("Bad as_of", "as_of takes a time with its zone (2018-11-25T10:00:00Z) or a position (match:123)."),
):
    """`as_of` is neither a time nor a position."""


class AsOfInFuture(
    Invalid,
    zh=("as_of 在将来", "{as_of} 尚未到来；现在是 {now}。"),
    en=("as_of is in the future", "{as_of} has not come yet; it is {now}."),
):
    """Nobody knows the standings of a time to come."""
