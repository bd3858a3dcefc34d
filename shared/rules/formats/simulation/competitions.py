"""A competition from its draw to its last round."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct
from msgspec.structs import replace

from shared.rules.errors import RuleError
from shared.rules.formats.competition import Competition, PlayedMatch, Round, Team
from shared.rules.formats.course import Course, CourseMatch, CourseRound, course, next_round
from shared.rules.formats.simulation.chance import Chance
from shared.rules.formats.simulation.matches import play
from shared.rules.formats.stages import CARDS
from shared.rules.regulations.preset import Preset
from shared.rules.regulations.schema import AnyPreset


class Mishaps(Struct, frozen=True, kw_only=True):
    """What happens once in so many times, 0 for never: forfeits, in matches (every fourth of both teams); withdrawals,
    of teams after a round."""

    forfeits: int = 0
    withdrawals: int = 0


NONE = Mishaps()


class Simulated(Struct, frozen=True, kw_only=True):
    """A competition as it was played, its rounds as they were paired, and its course."""

    competition: Competition
    rounds: tuple[CourseRound, ...]
    course: Course


def simulate(
    preset: AnyPreset,
    teams: int,
    seed: bytes,
    mishaps: Mishaps = NONE,
    event: str = CARDS,
    tell: Callable[[CourseRound], None] = lambda _: None,
) -> Simulated:
    """A whole competition, a function of its inputs; `tell` is called for each round as it is paired.

    Teams are T001 to so many; where a unit's two pairs enter (`knockout.zones`), two teams are of one unit. Raises
    RuleError `bad_value` for fewer than two teams.
    """
    if teams < 2:
        raise RuleError(f"{teams} teams are no competition", f"{teams} 队无法比赛", field="teams")
    competition = Competition(
        regulation=preset.name,
        name=f"{preset.title.zh}（模拟）",
        seed=seed.hex(),
        teams=_teams(preset, teams),
        event=event,
    )
    rounds: list[CourseRound] = []
    while not (run := course(preset, competition)).finished:
        paired = next_round(preset, competition)
        tell(paired)
        rounds.append(paired)
        competition = _with_round(preset, competition, paired, seed, mishaps)
    return Simulated(competition=competition, rounds=tuple(rounds), course=run)


def _teams(preset: AnyPreset, number: int) -> tuple[Team, ...]:
    zones = len(preset.knockout.zones.value) if isinstance(preset, Preset) and preset.knockout else 0
    each = max(zones, 1)
    width = max(3, len(str(number)))
    return tuple(
        Team(id=f"T{n:0{width}d}", name=f"第{n}队", unit=f"U{(n - 1) // each + 1:0{width}d}")
        for n in range(1, number + 1)
    )


def _with_round(
    preset: AnyPreset, competition: Competition, paired: CourseRound, seed: bytes, mishaps: Mishaps
) -> Competition:
    chance = Chance(seed, f"mishaps {paired.number}")
    matches = tuple(_match(preset, paired.number, match, seed, chance, mishaps) for match in paired.matches)
    round_ = Round(number=paired.number, matches=matches, byes=paired.byes)
    left = [
        team
        for match in matches
        for team in match.teams
        if team not in competition.withdrawn and chance.one_in(mishaps.withdrawals)
    ]
    most = max(len(competition.teams) - len(competition.withdrawn) - 2, 0)
    return replace(
        competition,
        rounds=(*competition.rounds, round_),
        withdrawn=(*competition.withdrawn, *left[:most]),
    )


def _match(
    preset: AnyPreset, number: int, match: CourseMatch, seed: bytes, chance: Chance, mishaps: Mishaps
) -> PlayedMatch:
    if chance.one_in(mishaps.forfeits):
        points = ((1, 0), (0, 1), (1, 0), (0, 0))[chance.below(4)]
        win = preset.match.points.win.value if isinstance(preset, Preset) else 1
        given = (points[0] * win, points[1] * win)
        return PlayedMatch(table=match.table, teams=match.teams, points=given, status="forfeit")
    found = play(preset, match.terms, Chance(seed, f"round {number} table {match.table}"))
    return PlayedMatch(table=match.table, teams=match.teams, points=found.points, levels=found.levels, status="played")
