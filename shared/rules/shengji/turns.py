"""Who made each play of a trick (jimei-2018 十一.4, zhongshan-2013 七（一）6, shandong-2023 八.11).

Plays run from the leader in order of play. One that was made out of turn names its seat; a play without a seat is of
the first who has not played yet. After an act out of turn play can have gone on from there as well as from whose turn
it was, so the next act breaks nothing in either case: one breach is one irregularity.
"""

from __future__ import annotations

from collections.abc import Sequence

from shared.rules.errors import refused
from shared.rules.shengji.record import Play, Trick

FROM: tuple[tuple[int, ...], ...] = ((), (1, 2, 3, 4), (2, 3, 4, 1), (3, 4, 1, 2), (4, 1, 2, 3))
"""The seats in order of play, from each leader."""


def seats_of(trick: Trick, index: int, holding: Sequence[int]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The seat of each play, and the places of those made out of turn, the lead left out.

    holding: the seats that have cards; one that has none is passed over when the trick has fewer than four plays.
    Raises RuleError for a fifth play and for a seat that plays twice.
    """
    plays = trick.plays
    due = list(FROM[trick.leader])
    if len(plays) < len(due) and len(holding) < len(due):
        due = [seat for seat in due if seat in holding]
    if len(plays) > len(due):
        place = f"tricks[{index}].plays[{len(due)}]"
        raise refused(place, "is one play more than a trick has", "超出一圈的出牌")
    if all(isinstance(play, str) or play.seat is None for play in plays):
        return tuple(due[: len(plays)]), ()
    taken: list[int] = []
    early: list[int] = []
    for number, play in enumerate(plays):
        named = play.seat if isinstance(play, Play) else None
        if named is not None and named not in due:
            place = f"tricks[{index}].plays[{number}]"
            raise refused(place, f"is of seat {named}, which has played already", f"座位 {named} 已出过牌")
        seat = named or due[0]
        if number and seat not in _in_turn(due, taken, bool(early)):
            early.append(number)
        early = early or ([0] if number == 0 and seat != due[0] else [])
        due.remove(seat)
        taken.append(seat)
    return tuple(taken), tuple(number for number in early if number)


def _in_turn(due: Sequence[int], taken: Sequence[int], disturbed: bool) -> set[int]:
    """The seats that may play now."""
    seats = {due[0]}
    if disturbed:
        following = FROM[taken[-1]][1:]
        seats |= {next(seat for seat in following if seat in due)}
    return seats
