"""How the hands of a match are written down: by points (升级), or by who went out when (掼蛋)."""

from __future__ import annotations

from typing import cast

from services.match import refusals as refuse
from services.match.model.matches import F, Match, opened_of
from services.match.model.scoring.base import Scoring, Summary
from services.match.model.scoring.finishes import Finishes
from services.match.model.scoring.points import Points
from services.match.model.seated import Seat
from shared.rules.regulations.preset import Preset
from shared.rules.regulations.schema import AnyPreset

__all__ = ["Finishes", "Points", "Scoring", "Summary", "scoring_of"]


def scoring_of(preset: AnyPreset, state: Match, seat: Seat, facts: type[F]) -> Scoring[F]:
    """The scoring of a match, into which such facts are entered. Raises OtherGame."""
    own: Points | Finishes = Points(preset, seat) if isinstance(preset, Preset) else Finishes(preset, seat)
    if own.facts is not facts:
        raise refuse.OtherGame(match=opened_of(state).match, expects=own.entries)
    return cast("Scoring[F]", own)
