"""Whole competitions with random legal play, for demonstrations, tests and benchmarks."""

from shared.rules.formats.simulation.competitions import Mishaps, Simulated, simulate

__all__ = ["Mishaps", "Simulated", "simulate"]
