"""How a simulated competition ended: its places, lots drawn where nothing else parts, and who is awarded."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from shared.rules.formats.awards import places_awarded
from shared.rules.formats.competition import Competition
from shared.rules.formats.course import places
from shared.rules.formats.draws import lots
from shared.rules.formats.simulation.competitions import Simulated
from shared.rules.formats.standings import Row, lots_needed, standings
from shared.rules.regulations.preset import Preset
from shared.rules.regulations.schema import AnyPreset


class Ended(Struct, frozen=True, kw_only=True):
    """A team's final place in its group (part), and whether it is awarded; rank None for a disqualified team, points
    None in a knock-out."""

    part: str
    rank: int | None
    team: str
    points: int | None
    awarded: bool


def ended(preset: AnyPreset, done: Simulated) -> list[Ended]:
    """The final places, best first, by part."""
    run, teams = done.course, len(done.competition.teams)
    most = places_awarded(preset, teams) if isinstance(preset, Preset) else preset.awards.places_per_group.value
    if isinstance(preset, Preset) and not run.stages[0].brackets:
        return [
            Ended(part="", rank=row.rank, team=row.team, points=row.points, awarded=bool(row.rank and row.rank <= most))
            for row in _ranked(preset, done.competition)
        ]
    return [
        Ended(part=row.part, rank=row.rank, team=row.team, points=None, awarded=row.rank <= most)
        for row in places(run, done.competition)
    ]


def _ranked(preset: Preset, competition: Competition) -> list[Row]:
    """The standings, with every lot that they need drawn from the seed."""
    rows, drawn = standings(preset, competition), dict[str, int]()
    seed = bytes.fromhex(competition.seed)
    for group in lots_needed(rows):
        drawn |= lots(seed, "lot " + " ".join(sorted(group)), group)
    return standings(preset, replace(competition, lots=drawn)) if drawn else rows
