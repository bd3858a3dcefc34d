"""A match played at several tables is one match of the bracket (shandong-2023 八.13): its points are added."""

from __future__ import annotations

from collections.abc import Sequence

from shared.rules.formats.competition import PlayedMatch


def joined(tables: Sequence[PlayedMatch], win: int, loss: int) -> PlayedMatch:
    """The match that its tables make: unfinished while one is, or while their points are equal; else a win.

    tables: in order, of the same two teams in the same order. A team that forfeited at one of them has forfeited the
    match. win, loss: the match points of a match, whatever was scored at the tables.
    """
    first = tables[0]
    if len(tables) == 1 and first.status != "played":
        return first
    if any(table.status == "unfinished" or table.points is None for table in tables):
        return PlayedMatch(table=first.table, teams=first.teams, status="unfinished")
    given = [table for table in tables if table.status == "forfeit"]
    lead = _lead(given or tables)
    if lead == 0 and not given:
        return PlayedMatch(table=first.table, teams=first.teams, status="unfinished")
    points = (win, loss) if lead > 0 else (loss, win) if lead < 0 else (loss, loss)
    fouls = [table.fouls for table in tables if table.fouls is not None]
    return PlayedMatch(
        table=first.table,
        teams=first.teams,
        points=points,
        status="forfeit" if given else "played",
        fouls=(sum(one for one, _ in fouls), sum(two for _, two in fouls)) if fouls else None,
    )


def _lead(tables: Sequence[PlayedMatch]) -> int:
    """How far team one is ahead over these tables."""
    return sum(table.points[0] - table.points[1] for table in tables if table.points is not None)
