"""A regulation as events name it: `name/version`, with the organiser's changes beside it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import msgspec

from shared.rules.errors import BadRegulation, UnknownRegulation
from shared.rules.regulations.changes import changed
from shared.rules.regulations.loader import all_names, load_any
from shared.rules.regulations.preset import Preset
from shared.rules.regulations.schema import AnyPreset


def reference(preset: AnyPreset) -> str:
    """`name/version`, as events carry it."""
    return f"{preset.name}/{preset.version}"


def resolve(reference: str, changes: Mapping[str, Any]) -> Preset:
    """The preset of 升级 or 拖拉机 that an event was decided under; see `resolve_any`. Raises BadRegulation too for one
    of another game."""
    preset = resolve_any(reference, changes)
    if not isinstance(preset, Preset):
        raise BadRegulation(preset.name, None, "game", f"invalid enum value {preset.game!r}", "shengji")
    return preset


def resolve_any(reference: str, changes: Mapping[str, Any]) -> AnyPreset:
    """The preset an event was decided under. Raises UnknownRegulation for a name or version this code has not,
    BadRegulation for changes that do not fit it."""
    return _resolve(reference, msgspec.json.encode(dict(changes), order="sorted"))


@lru_cache(maxsize=128)
def _resolve(reference: str, changes: bytes) -> AnyPreset:
    name, _, version = reference.rpartition("/")
    preset = load_any(name)
    if str(preset.version) != version:
        raise UnknownRegulation(reference, all_names())
    overrides = msgspec.json.decode(changes)
    return changed(preset, overrides) if overrides else preset
