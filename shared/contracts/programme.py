"""The events of a competition (项目). The cards have its id; each event at a board is a competition beside it, with
draw, rounds, standings and places of its own: `ID.xiangqi`, `ID.weiqi`. The entries are those of the one form."""

from __future__ import annotations

import re

from shared.rules.formats.stages import CARDS
from shared.rules.regulations.preset import Preset
from shared.rules.regulations.schema import AnyPreset

_BESIDE = re.compile(r"(.+)\.([a-z_]+)")
"""An id ends with a digest after a hyphen, so no competition of its own looks like this."""


def event_id(competition: str, event: str) -> str:
    """The competition under which an event of an announced competition is played."""
    return competition if event == CARDS else f"{competition}.{event}"


def parted(competition: str) -> tuple[str, str]:
    """The announced competition that an id belongs to, and the event of it."""
    found = _BESIDE.fullmatch(competition)
    return (found[1], found[2]) if found else (competition, CARDS)


def boards_of(preset: AnyPreset) -> tuple[str, ...]:
    """The events at a board that a regulation has beside the cards."""
    return tuple(preset.boards.events.value) if isinstance(preset, Preset) and preset.boards is not None else ()


def plays_for(team: str, entries: set[str] | frozenset[str]) -> str:
    """The entry that a team plays for: its own, or as one of its pairs or players (`ENTRY-1`, `ENTRY-2`)."""
    return team if team in entries else team.rpartition("-")[0]
