"""Lots as they were drawn, applied to standings (jimei-2018 十二（名次）.2: 抽签)."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from shared.rules.formats.competition import Competition
from shared.rules.formats.standings import lots_needed, standings
from shared.rules.regulations.schema import AnyPreset


def with_lots(
    preset: AnyPreset, competition: Competition, draws: Sequence[Sequence[str]], after_round: int | None = None
) -> Competition:
    """The competition with the lots that its standings need and that were drawn.

    draws: each an order of teams, the better place first. A lot parts only teams that were all in one draw, for the
    numbers of two draws do not compare; the first such draw stands. Raises what `standings` does.
    """
    if not draws:
        return competition
    lots: dict[str, int] = {}
    for group in lots_needed(standings(preset, competition, after_round)):
        order = next((draw for draw in draws if set(group) <= set(draw)), ())
        lots |= {team: number for number, team in enumerate(order, 1) if team in group}
    return replace(competition, lots=lots)
