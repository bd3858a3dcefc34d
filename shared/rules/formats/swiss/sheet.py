"""The teams of a round as a matching problem: integers in the order in which neighbours meet."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct

from shared.rules.formats.history import Field
from shared.rules.formats.swiss.first_round import meeting_order


class Sheet(Struct, frozen=True, kw_only=True):
    """What decides who meets whom. A team is its index in `teams`; the missing opponent of the bye is `len(teams)`.

    teams: in the order in which, all else being equal, neighbours meet; met: how often by opponent, empty where the
    rule is off; byes: how many each had, 0 where the rule is off; banned: by organisers' order; halves: whether those
    with even index are to meet those with odd (round 1 by halves); key: what the lot of a pair is drawn from.
    """

    teams: tuple[str, ...]
    points: tuple[int, ...]
    met: tuple[Mapping[int, int], ...]
    byes: tuple[int, ...]
    banned: tuple[frozenset[int], ...]
    halves: bool
    seed: bytes
    label: str

    @property
    def odd(self) -> bool:
        """Whether somebody has the bye."""
        return len(self.teams) % 2 == 1

    @property
    def bye(self) -> int:
        """The missing opponent."""
        return len(self.teams)

    def blocked(self, team: int) -> frozenset[int]:
        """Whom the team may not meet within the rules."""
        return self.banned[team] | self.met[team].keys()

    @property
    def most_blocked(self) -> int:
        """How many any team may not meet."""
        return max((len(self.blocked(team)) for team in range(len(self.teams))), default=0)


def sheet_of(field: Field, number: int, seed: bytes, lots: Sequence[str], free: Iterable[str]) -> Sheet:
    """The teams that are free to be paired in round `number`; lots: all that play, in the order drawn."""
    draws = field.preset.draws
    among = set(free)
    order = [team for team in lots if team in among]
    method = draws.first_round.value if number == 1 else "lot"
    teams = meeting_order(method, field.competition, order)
    index = {team: place for place, team in enumerate(teams)}
    return Sheet(
        teams=tuple(teams),
        points=tuple(field.points[team] for team in teams),
        met=tuple(_met(field, team, index) if draws.no_rematch.value else {} for team in teams),
        byes=tuple(byes(field, team) if draws.one_bye.value else 0 for team in teams),
        banned=_banned(field.competition.forbidden, index),
        halves=method in ("fold", "ends", "halves"),
        seed=seed,
        label=f"pairs of round {number}",
    )


def meetings(field: Field, team: str) -> dict[str, int]:
    """How often the team met each opponent."""
    met: dict[str, int] = {}
    for outcome in field.outcomes[team]:
        if outcome.met and outcome.opponent:
            met[outcome.opponent] = met.get(outcome.opponent, 0) + 1
    return met


def byes(field: Field, team: str) -> int:
    """How many byes the team had."""
    return sum(1 for outcome in field.outcomes[team] if outcome.kind == "bye")


def _met(field: Field, team: str, index: Mapping[str, int]) -> dict[int, int]:
    return {index[other]: times for other, times in meetings(field, team).items() if other in index}


def _banned(pairs: Iterable[tuple[str, str]], index: Mapping[str, int]) -> tuple[frozenset[int], ...]:
    banned: list[set[int]] = [set() for _ in index]
    for one, two in pairs:
        if one in index and two in index:
            banned[index[one]].add(index[two])
            banned[index[two]].add(index[one])
    return tuple(frozenset(others) for others in banned)
