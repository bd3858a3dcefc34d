"""Regulations: one YAML each, every value with its article and mark, read into a typed `Preset`."""

from shared.rules.regulations.describe import Described, describe
from shared.rules.regulations.loader import load, names
from shared.rules.regulations.preset import Preset

__all__ = ["Described", "Preset", "describe", "load", "names"]
