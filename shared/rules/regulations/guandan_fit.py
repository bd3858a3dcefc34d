"""Values of a 掼蛋 regulation that are well typed and do not fit each other."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import get_args

from shared.rules.regulations.guandan import GuandanPreset, Place

FOUND = ("illegal_play", "out_of_turn", "card_not_held", "hand_size", "not_announced", "slow_play")
"""The breaches that a replay finds by itself; a regulation says of each what it costs."""


def guandan_misfits(preset: GuandanPreset) -> Iterator[tuple[str, str, str]]:
    """Each misfit: key, problem, what is allowed."""
    levels, rounds = preset.levels, preset.draws.rounds.value
    for code in FOUND:
        if code not in preset.penalties:
            yield f"penalties.{code}", "is missing", "an object"
    if set(levels.gains.value) != set(get_args(Place)):
        yield "levels.gains", "does not cover every place of the partner once", "second, third, last"
    if not levels.pass_with.value:
        yield "levels.pass_with", "is empty", "second, third, last"
    if not rounds or any(later.teams * 2 != earlier.teams for earlier, later in pairwise(rounds)):
        yield "draws.rounds", "do not halve the teams from round to round", "teams halving"
    if len(set(preset.draws.groups.value)) != len(preset.draws.groups.value):
        yield "draws.groups", "names a group twice", "each once"
