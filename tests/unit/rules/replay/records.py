"""Hand records written as they are played."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from shared.rules.regulations import Preset, load
from shared.rules.shengji.replay import Replayed, replay

Tricks = list[tuple[int, list[Any]]]

OWN = str(Path(__file__).parents[4] / "docs/regulations/shuangsheng-40.yaml")
REGULATIONS = ("jimei-2018", "zhongshan-2013", "shandong-2023", OWN)


def record(tricks: Tricks, **more: Any) -> dict[str, Any]:
    """A record without a deal: seat 1 deals at level 2, spades are trumps, unless `more` says otherwise."""
    return {
        "format": "pailu-hand/1",
        "regulation": "any",
        "dealer": 1,
        "levels": {"13": "2", "24": "3"},
        "trump": "S",
        "tricks": [{"leader": leader, "plays": plays} for leader, plays in tricks],
        **more,
    }


def replayed(preset: Preset | str, tricks: Tricks, **more: Any) -> Replayed:
    """The record of these tricks, replayed."""
    return replay(load(preset) if isinstance(preset, str) else preset, record(tricks, **more))


def breaches(found: Replayed) -> list[tuple[str, int, int]]:
    """Each irregularity as code, seat and trick."""
    return [(breach.code, breach.seat, breach.trick) for breach in found.irregularities]
