"""The crosstable: every team's rounds in the order of the standings."""

from __future__ import annotations

from msgspec import Struct

from shared.rules.formats.competition import Competition
from shared.rules.formats.history import Outcome, field_of
from shared.rules.formats.standings import standings
from shared.rules.regulations.schema import AnyPreset


class CrossRow(Struct, frozen=True, kw_only=True):
    """One team: its rank, one outcome a finished round, and its points after each."""

    rank: int | None
    team: str
    outcomes: tuple[Outcome, ...]
    running: tuple[int, ...]


def crosstable(preset: AnyPreset, competition: Competition, after_round: int | None = None) -> list[CrossRow]:
    """The rows in the order of `standings`, of the same rounds. Raises as `standings` does."""
    field = field_of(preset, competition, after_round)
    return [
        CrossRow(
            rank=row.rank,
            team=row.team,
            outcomes=tuple(field.outcomes[row.team]),
            running=tuple(field.running(row.team)),
        )
        for row in standings(preset, competition, after_round)
    ]
