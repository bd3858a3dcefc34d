"""Who is awarded (jimei-2018 十三: 比赛录取前八名进行奖励，不足九队减一录取)."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from shared.rules.errors import LotNeeded
from shared.rules.formats.standings import Row, lots_needed
from shared.rules.regulations.preset import Preset


class Award(Struct, frozen=True):
    """A place that is awarded, and its team."""

    place: int
    team: str


def places_awarded(preset: Preset, teams: int) -> int:
    """How many places are awarded among this many teams, never below 0."""
    terms = preset.awards
    if teams >= terms.full_from.value:
        return terms.places.value
    return min(terms.places.value, max(teams - terms.fewer_by.value, 0))


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
