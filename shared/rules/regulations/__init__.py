"""Regulations: one YAML each, every value with its article and mark, read into a typed `Preset`."""

from shared.rules.regulations.changes import changed, digest
from shared.rules.regulations.describe import Described, describe
from shared.rules.regulations.guandan import GuandanPreset
from shared.rules.regulations.loader import all_names, load, load_any, names
from shared.rules.regulations.preset import Preset
from shared.rules.regulations.schema import AnyPreset

__all__ = [
    "AnyPreset",
    "Described",
    "GuandanPreset",
    "Preset",
    "all_names",
    "changed",
    "describe",
    "digest",
    "load",
    "load_any",
    "names",
]
