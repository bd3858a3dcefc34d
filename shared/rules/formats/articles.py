"""Which articles the acts of a competition rest on, whatever its game."""

from __future__ import annotations

from msgspec import Struct

from shared.rules.regulations.preset import Preset
from shared.rules.regulations.schema import AnyPreset


class Articles(Struct, frozen=True, kw_only=True):
    """forfeit: what becomes of a match to which a team does not come; ending: when a match is over; equal: what becomes
    of an equal one; lots: what parts a tie that nothing else parts; places: who is awarded; fraud: what
    disqualifies a team; players: who plays for it."""

    forfeit: str
    ending: str
    equal: str
    lots: str
    places: str
    fraud: str
    players: str


def articles(preset: AnyPreset) -> Articles:
    """The articles of a regulation."""
    if isinstance(preset, Preset):
        return Articles(
            forfeit=preset.match.forfeit.article,
            ending=preset.match.minutes.article,
            equal=preset.match.equal.article,
            lots=preset.standings.tie_breaks.article,
            places=preset.awards.places.article,
            fraud=preset.entry.fraud.article,
            players=preset.entry.substitutes.article,
        )
    return Articles(
        forfeit=preset.match.late_minutes.article,
        ending=preset.draws.rounds.article,
        equal=preset.match.timed_order.article,
        lots=preset.draws.drawn_by.article,
        places=preset.awards.places_per_group.article,
        fraud=preset.penalties["cheating"].article,
        players=preset.entry.players.article,
    )
