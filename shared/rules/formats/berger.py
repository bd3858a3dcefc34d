"""Round robin by Berger tables (FIDE Handbook C.05 annex 1): everybody meets everybody once."""

from __future__ import annotations

from collections.abc import Sequence


def berger(teams: Sequence[str]) -> list[tuple[tuple[tuple[str, str], ...], str | None]]:
    """The rounds for the teams in the order of their numbers: the pairs, first-named first, and who rests.

    Of an odd number the one who would meet the missing last number rests.
    """
    size = len(teams) + len(teams) % 2
    if len(teams) < 2:
        return []
    return [_round(teams, size, number) for number in range(size - 1)]


def _round(teams: Sequence[str], size: int, number: int) -> tuple[tuple[tuple[str, str], ...], str | None]:
    """Round `number` from 0: the last number against the leader, who moves on half the table each round; the others
    at equal distance around the leader, the one behind it first-named."""
    ring = size - 1
    leader = number * (size // 2) % ring
    first = (leader, ring) if number % 2 == 0 else (ring, leader)
    numbered = [first, *(((leader + step) % ring, (leader - step) % ring) for step in range(1, size // 2))]
    pairs, rests = list[tuple[str, str]](), None
    for one, two in numbered:
        if max(one, two) < len(teams):
            pairs.append((teams[one], teams[two]))
        else:
            rests = teams[min(one, two)]
    return tuple(pairs), rests
