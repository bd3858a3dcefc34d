"""Whole competitions with random legal play, for demonstrations, tests and benchmarks."""

from shared.rules.formats.simulation.competitions import Mishaps, Simulated, simulate
from shared.rules.formats.simulation.outcome import Ended, ended

__all__ = ["Ended", "Mishaps", "Simulated", "ended", "simulate"]
