"""Chance drawn from a seed, so that a simulation is a function of its inputs."""

from __future__ import annotations

from shared.rules.formats.draws import key


class Chance:
    """Numbers drawn one after another under one label."""

    def __init__(self, seed: bytes, label: str):
        self.seed, self.label, self._drawn = seed, label, 0

    def below(self, bound: int) -> int:
        """The next number, from 0 on and below the bound."""
        self._drawn += 1
        return int.from_bytes(key(self.seed, f"simulate {self.label}", str(self._drawn))[:8], "big") % bound

    def one_in(self, times: int) -> bool:
        """Whether what happens once in so many times happens; never for 0."""
        return times > 0 and self.below(times) == 0
