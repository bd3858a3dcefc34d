"""Large Swiss fields, and the cost of pairing one in a process that does nothing else."""

from __future__ import annotations

import random
import time

import msgspec

from shared.rules.formats.competition import Competition, PlayedMatch, Round, Team
from shared.rules.formats.swiss import pair
from shared.rules.regulations import load

ROUND = 4
SEED = bytes(16)
RESULTS = ((2, 0), (1, 1), (0, 2))


def alone(teams: int) -> None:
    """Print the seconds of processor time of one pairing, and the kilobytes of this process."""
    import resource

    preset, played = load("jimei-2018"), field(teams, random.Random(1))
    begin = time.process_time()
    pair(preset, played, SEED)
    seconds = time.process_time() - begin
    print(seconds, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)  # noqa: T201


def field(teams: int, dice: random.Random) -> Competition:
    """A field that we paired ourselves, with any results, before the round that is measured."""
    preset = load("jimei-2018")
    competition = Competition(teams=tuple(Team(str(number)) for number in range(1, teams + 1)))
    for number in range(1, ROUND):
        matches = tuple(
            PlayedMatch(table=match.table, teams=match.teams, points=dice.choice(RESULTS), status="played")
            for match in pair(preset, competition, SEED).matches
        )
        competition = msgspec.structs.replace(
            competition, rounds=(*competition.rounds, Round(number=number, matches=matches))
        )
    return competition
