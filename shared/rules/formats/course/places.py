"""Who ended where, in a competition of brackets."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from shared.rules.formats.bracket import ranks
from shared.rules.formats.competition import Competition
from shared.rules.formats.course.values import Course, Played


class Placed(Struct, frozen=True, kw_only=True):
    """A team's place in its part; teams that nothing parts share one, and the next are left out."""

    part: str
    rank: int
    team: str


def places(run: Course, competition: Competition) -> tuple[Placed, ...]:
    """The places that the stages of brackets have decided so far, best first, by part of the last stage.

    Those that fell in an earlier stage stand below those it left, the later they fell the better. A disqualified team
    takes no place, and those below it move up (zhongshan-2013 四).
    """
    last = [stage for stage in run.stages if stage.brackets][-1:]
    if not last:
        return ()
    parts = [bracket.part for bracket in last[0].brackets]
    earlier = [stage for stage in run.stages if stage.brackets][:-1]
    if len(parts) > 1 or not earlier:
        return tuple(row for part in parts for row in _of_part(last[0], part, competition))
    rows = list(_of_part(last[0], parts[0], competition))
    going_on = {team for seats in last[0].draw.parts.values() for team in seats if team is not None}
    taken = len(going_on.difference(competition.disqualified))
    for stage in reversed(earlier):
        fallen = [row for bracket in stage.brackets for row in _of_part(stage, bracket.part, competition)]
        fallen = [row for row in fallen if row.team not in going_on]
        rows += [
            Placed(part=parts[0], rank=taken + 1 + sum(other.rank < row.rank for other in fallen), team=row.team)
            for row in sorted(fallen, key=lambda row: (row.rank, row.team))
        ]
        taken += len(fallen)
    return tuple(rows)


def _of_part(stage: Played, part: str, competition: Competition) -> Sequence[Placed]:
    bracket = next(one for one in stage.brackets if one.part == part)
    found = ranks(bracket, stage.games, competition.disqualified)
    return [Placed(part=part, rank=rank, team=team) for team, rank in sorted(found.items(), key=lambda row: row[::-1])]
