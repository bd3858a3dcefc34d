"""How the two teams of a match sit."""

from __future__ import annotations

import msgspec

from shared.rules.shengji.facts import Pair

SIDES: tuple[Pair, Pair] = ("13", "24")
"""The pairs as the two teams of a match sit."""


class Seated(msgspec.Struct, frozen=True, kw_only=True):
    """A match as the pairing seats it: the first team as pair 13."""

    match: str
    table: int
    teams: tuple[str, str]
