"""Small hands written as they are played."""

from __future__ import annotations

from typing import Any

from shared.rules.guandan.replay import Replayed, replay
from shared.rules.regulations import GuandanPreset


def play(text: str) -> dict[str, Any]:
    """ "1 S3 C3" is a play of seat 1, "2 -" a pass of seat 2."""
    seat, cards = text.split(" ", 1)
    return {"seat": int(seat), "pass": True} if cards == "-" else {"seat": int(seat), "cards": cards}


def record(plays: str, **more: Any) -> dict[str, Any]:
    """A record of the plays "1 S3 C3, 2 -, 3 S9 C9"; pair 13 plays its level 2 unless `more` says otherwise."""
    return {
        "format": "pailu-hand/1",
        "regulation": "ahut-2018",
        "levels": {"13": "2", "24": "2"},
        "own": "13",
        "plays": [play(line.strip()) for line in plays.split(",") if line.strip()],
        **more,
    }


def replayed(preset: GuandanPreset, plays: str, **more: Any) -> Replayed:
    """The record of these plays, replayed."""
    return replay(preset, record(plays, **more))


def breaches(found: Replayed) -> list[tuple[str, int, int]]:
    """Each irregularity as code, seat and trick."""
    return [(breach.code, breach.seat, breach.trick) for breach in found.irregularities]
