"""Who is awarded (jimei-2018 十三: 比赛录取前八名进行奖励，不足九队减一录取)."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from shared.rules.errors import LotNeeded
from shared.rules.formats.standings import Row, lots_needed
from shared.rules.regulations.preset import Preset
from shared.rules.regulations.schema import AnyPreset


class Award(Struct, frozen=True):
    """A place that is awarded, and its team."""

    place: int
    team: str


def places_awarded(preset: AnyPreset, teams: int) -> int:
    """How many places are awarded among this many teams, in each group where there are groups; never below 0."""
    if not isinstance(preset, Preset):
        return min(preset.awards.places_per_group.value, teams)
    terms = preset.awards
    if teams >= terms.full_from.value:
        return terms.places.value
    return min(terms.places.value, max(teams - terms.fewer_by.value, 0))


def places_of(preset: AnyPreset, rows: Sequence[Row]) -> dict[str, int]:
    """The awarded place of each team that is awarded one: of its group, where there are groups. Raises LotNeeded."""
    if isinstance(preset, Preset):
        return {award.team: award.place for award in awards(preset, rows)}
    most = preset.awards.places_per_group.value
    return {row.team: row.rank for row in rows if row.rank is not None and row.rank <= most}


def awards(preset: Preset, rows: Sequence[Row]) -> list[Award]:
    """The awarded places, best first, from final standings.

    Every team of the standings counts for the number of places, a disqualified one too, but gets none.
    Raises LotNeeded while an awarded place is shared.
    """
    places = places_awarded(preset, len(rows))
    winners = [row for row in rows if row.rank is not None and row.rank <= places]
    shared = [group for group in lots_needed(rows) if any(row.team in group for row in winners)]
    if shared:
        raise LotNeeded(shared)
    return [Award(row.rank, row.team) for row in winners if row.rank is not None]
