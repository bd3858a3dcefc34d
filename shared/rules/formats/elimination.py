"""Places of a knock-out from its results alone (淘汰赛): who lost to whom, and when.

All teams begin as one group that shares the first place. In a round the teams of a group meet each other: those who
lose stay below the rest, and each part goes on as a group of its own. So the final parts the first two, a match of the
semi-finals' losers the third from the fourth, and teams that play no more share the places of the round they lost in.
A match between teams of two groups moves nobody, nor does one that nobody won; where neither came both lose.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from shared.rules.formats.competition import PlayedMatch, Round
from shared.rules.formats.tiebreaks import Group


def knocked_out(teams: Sequence[str], rounds: Iterable[Round]) -> list[Group]:
    """The teams in groups that share a place, best first, each in the order given."""
    groups = [tuple(teams)] if teams else []
    for round_ in rounds:
        groups = [part for group in groups for part in _parted(group, round_)]
    return groups


def _parted(group: Group, round_: Round) -> list[Group]:
    members = frozenset(group)
    lost = {team for match in round_.matches if members.issuperset(match.teams) for team in _losers(match)}
    parts = tuple(team for team in group if team not in lost), tuple(team for team in group if team in lost)
    return [part for part in parts if part]


def _losers(match: PlayedMatch) -> tuple[str, ...]:
    if match.points is None or match.status not in ("played", "forfeit"):
        return ()
    one, two = match.points
    if one == two:
        return match.teams if match.status == "forfeit" else ()
    return (match.teams[0 if one < two else 1],)
