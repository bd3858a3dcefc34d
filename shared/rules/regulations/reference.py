"""A regulation as events name it: `name/version`, with the organiser's changes beside it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import msgspec

from shared.rules.errors import UnknownRegulation
from shared.rules.regulations.loader import load, names
from shared.rules.regulations.preset import Preset


def reference(preset: Preset) -> str:
    """`name/version`, as events carry it."""
    return f"{preset.name}/{preset.version}"


def resolve(reference: str, changes: Mapping[str, Any]) -> Preset:
    """The preset an event was decided under. Raises UnknownRegulation for a name or version this code has not,
    BadRegulation for changes that do not fit it."""
    return _resolve(reference, msgspec.json.encode(dict(changes), order="sorted"))


@lru_cache(maxsize=128)
def _resolve(reference: str, changes: bytes) -> Preset:
    name, _, version = reference.rpartition("/")
    preset = load(name)
    if str(preset.version) != version:
        raise UnknownRegulation(reference, names())
    overrides = msgspec.json.decode(changes)
    return preset.changed(overrides) if overrides else preset
