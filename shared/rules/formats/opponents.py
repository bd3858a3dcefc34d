"""Tie-breaks made of the opponents' points: 对手分 (Buchholz) and 小分 (Sonneborn-Berger).

Every round gives one entry, except a match that is open or cancelled, which gives none. The opponent counts the points
it has now, not those it had when they met.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias

from msgspec import Struct

from shared.rules.formats.history import Field, Outcome
from shared.rules.regulations.tie_break_terms import Buchholz, Missing, SonnebornBerger

Terms: TypeAlias = Buchholz | SonnebornBerger


class Entry(Struct, frozen=True):
    """What a round counts. points: the opponent's; value: what is summed; missed: of the team's own accord."""

    points: int
    value: int
    missed: bool


def buchholz(field: Field, terms: Buchholz) -> dict[str, int]:
    """对手分 of every team: the sum of its opponents' points, after the cuts."""
    return _summed(field, terms, lambda points, _: points)


def sonneborn_berger(field: Field, terms: SonnebornBerger) -> dict[str, int]:
    """小分 of every team: the sum of its opponents' points, each times the points won from it, after the cuts."""
    return _summed(field, terms, lambda points, outcome: points * outcome.points)


def missing(field: Field, team: str, rule: Missing) -> int:
    """What the opponent missing in a round of the team counts."""
    if rule == "own":
        return field.points[team]
    return field.lowest if rule == "lowest_with_points" else 0


def _summed(field: Field, terms: Terms, value: Callable[[int, Outcome], int]) -> dict[str, int]:
    standing = {team: _standing(field, team, terms) for team in field.outcomes}
    sums: dict[str, int] = {}
    for team, row in field.outcomes.items():
        entries = [
            Entry(points, value(points, outcome), _missed(outcome))
            for outcome in row
            if (points := _points(field, team, outcome, terms, standing)) is not None
        ]
        sums[team] = sum(entry.value for entry in _cut(entries, terms))
    return sums


def _standing(field: Field, team: str, terms: Terms) -> int:
    """What the team counts as an opponent."""
    if terms.withdrawn == "as_they_stand" or team not in field.competition.withdrawn:
        return field.points[team]
    if terms.withdrawn == "nothing":
        return 0
    shown_up = [number for number, outcome in enumerate(field.outcomes[team], 1) if not _missed(outcome)]
    after = field.outcomes[team][shown_up[-1] if shown_up else 0 :]
    drawn = field.preset.match.points.draw.value * sum(1 for outcome in after if outcome.kind == "absent")
    return field.points[team] + drawn


def _missed(outcome: Outcome) -> bool:
    """A round that the team was not there for, or in which it forfeited its match."""
    return outcome.kind in ("absent", "half_bye") or (
        outcome.kind == "forfeit" and outcome.points <= (outcome.opponent_points or 0)
    )


def _points(field: Field, team: str, outcome: Outcome, terms: Terms, standing: Mapping[str, int]) -> int | None:
    """The points that the round's opponent counts; None where the round is none."""
    if outcome.without_opponent:
        return missing(field, team, terms.bye)
    if outcome.kind == "absent":
        return missing(field, team, terms.absent)
    if not outcome.met or outcome.opponent is None:
        return None
    if outcome.kind == "played" or terms.forfeit == "as_played":
        return standing[outcome.opponent]
    return missing(field, team, terms.bye) if terms.forfeit == "as_bye" else 0


def _cut(entries: list[Entry], terms: Terms) -> list[Entry]:
    """The entries without the lowest and the highest opponents; of equal opponents the less is the lower one.

    With `cut_first: missed` a round that was missed goes first, where that takes no less away.
    """
    kept = sorted(entries, key=lambda entry: (entry.points, entry.value))
    for _ in range(min(terms.cut_lowest, len(kept))):
        missed = [entry for entry in kept if entry.missed] if terms.cut_first == "missed" else []
        least = min(missed, key=lambda entry: entry.value, default=kept[0])
        kept.remove(least if least.value >= kept[0].value else kept[0])
    return kept[: max(len(kept) - terms.cut_highest, 0)]
