"""The standings of a competition of brackets: its places as far as they are decided (淘汰赛)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import accumulate, groupby

from msgspec import Struct
from msgspec.structs import replace

from shared.rules.errors import BadCompetition, DrawRefused
from shared.rules.formats.competition import Competition, Round
from shared.rules.formats.course import Course, course, places
from shared.rules.formats.course.values import gone
from shared.rules.formats.elimination import knocked_out
from shared.rules.formats.history import finished
from shared.rules.formats.row import Row, TotalShown
from shared.rules.formats.stages import stages_of
from shared.rules.formats.total import shown
from shared.rules.regulations.schema import AnyPreset


class Block(Struct, frozen=True, kw_only=True):
    """Teams of a part that share a rank, in order of id."""

    part: str
    rank: int
    teams: tuple[str, ...]


def bracket_rows(preset: AnyPreset, competition: Competition, after_round: int | None = None) -> list[Row]:
    """The lines of the standings, best first, part by part; those whose place is open share the best that is.

    Rounds that the draw does not lead to, as other programs pair them, are taken by who lost to whom alone where there
    is one part. Raises RuleError `bad_value` for a round that there is not, and what `course` raises.
    """
    counted, waiting = finished(competition, after_round)
    out = tuple(sorted(gone(competition, len(counted))))
    blocks, _ = _placed(preset, replace(competition, rounds=counted, withdrawn=out, fixed=()))
    gained = {team: [_points(round_, team) for round_ in counted] for team in competition.ids}

    def line(team: str, part: str, rank: int | None, by: str | None) -> Row:
        points = sum(gained[team])
        return Row(
            rank=rank,
            team=team,
            points=points,
            total=TotalShown(f"{points}/1", shown(Fraction(points)), shown(Fraction(points))),
            direct_win=0,
            cumulative=sum(accumulate(gained[team])),
            tie_breaks={},
            decided_by=by,
            provisional=waiting,
            part=part,
        )

    rows: list[Row] = []
    for block in blocks:
        above = "bracket" if rows and rows[-1].part == block.part else None
        rows += [line(t, block.part, block.rank, "shared" if n else above) for n, t in enumerate(block.teams)]
    return rows + [line(team, "", None, None) for team in sorted(competition.disqualified)]


def has_brackets(preset: AnyPreset, competition: Competition) -> bool:
    """Whether the competition's places come from brackets, not from points."""
    stages = stages_of(preset, len(competition.teams), competition.event)
    return any(stage.format in ("knockout", "ladder", "placement") for stage in stages)


def all_decided(preset: AnyPreset, competition: Competition) -> bool:
    """Whether every place of a competition of brackets is decided. Raises what `course` raises."""
    return _placed(preset, replace(competition, fixed=()))[1]


def _placed(preset: AnyPreset, competition: Competition) -> tuple[list[Block], bool]:
    """Who stands where, and whether every place is decided. Before the first round there are no parts yet."""
    try:
        run = course(preset, competition)
    except (BadCompetition, DrawRefused):
        stages = stages_of(preset, len(competition.teams), competition.event)
        if competition.rounds and any(len(stage.parts) > 1 for stage in stages):
            raise
        blocks = _by_losses(competition)
        return blocks, bool(competition.rounds) and len(blocks[0].teams) == 1
    if not competition.rounds and not run.finished:
        return _by_losses(competition), False
    return list(_blocks(run, competition)), run.finished


def _by_losses(competition: Competition) -> list[Block]:
    """As who lost to whom alone places them; below a disqualified team they move up."""
    blocks: list[Block] = []
    rank = 1
    for group in knocked_out(sorted(competition.ids), competition.rounds):
        placed = tuple(team for team in group if team not in competition.disqualified)
        if placed:
            blocks.append(Block(part="", rank=rank, teams=placed))
            rank += len(placed)
    return blocks


def _points(round_: Round, team: str) -> int:
    """The team's match points of a round."""
    for match in round_.matches:
        if team in match.teams and match.points is not None and match.status in ("played", "forfeit"):
            return match.points[match.teams.index(team)]
    return 0


def _blocks(run: Course, competition: Competition) -> Iterator[Block]:
    placed = places(run, competition)
    parts = _parts(run, competition)
    for part, teams in parts.items():
        of_part = [row for row in placed if row.part == part]
        ranks = {row.team: row.rank for row in of_part}
        taken = {place for rank, group in _shared(ranks) for place in range(rank, rank + len(group))}
        open_ = [team for team in teams if team not in ranks and team not in competition.disqualified]
        best = next(place for place in range(1, len(teams) + 2) if place not in taken)
        everybody = _shared(ranks | dict.fromkeys(open_, best))
        yield from (Block(part=part, rank=rank, teams=group) for rank, group in everybody)


def _shared(ranks: dict[str, int]) -> list[tuple[int, tuple[str, ...]]]:
    """The teams by rank, best first."""
    ordered = sorted(ranks, key=lambda team: (ranks[team], team))
    return [(rank, tuple(group)) for rank, group in groupby(ordered, key=lambda team: ranks[team])]


def _parts(run: Course, competition: Competition) -> dict[str, Sequence[str]]:
    """The teams of each part that has places of its own; all of one where there is one only."""
    last = [stage for stage in run.stages if stage.brackets][-1]
    if len([stage for stage in run.stages if stage.brackets]) > 1 or len(last.brackets) == 1:
        return {last.brackets[0].part: competition.ids}
    return {part: [team for team in seats if team is not None] for part, seats in last.draw.parts.items()}
