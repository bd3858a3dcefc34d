"""A line of the standings."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct


class TotalShown(Struct, frozen=True):
    """总得分 as people read it: fraction "25/3", shown "8.333", working "8 + 38÷(12/2) − 6 = 25/3 = 8.333"."""

    fraction: str
    shown: str
    working: str


class Row(Struct, frozen=True, kw_only=True):
    """One team's line.

    rank: shared ranks leave the next ones out (1 2 2 4), None for a team without a place, which stands last; total: the
    points alone in a competition of brackets; direct_win: how many of the teams with the same 总得分 this team beat;
    cumulative: 累进分; tie_breaks: the other numbers that the regulation compares, by their names, integers or
    fractions "25/3"; decided_by: the name of what parts the team from the one above, None for the first, `lot_needed`
    for every team but the first of a group that shares a rank until lots are drawn, `shared` where the regulation draws
    none, `bracket` for a place played for; provisional: a match that these standings wait for is open; part: the zone
    or group whose ranks these are, empty where there is one ranking.
    """

    rank: int | None
    team: str
    points: int
    total: TotalShown
    direct_win: int
    cumulative: int
    tie_breaks: Mapping[str, int | str]
    decided_by: str | None
    provisional: bool
    part: str = ""
