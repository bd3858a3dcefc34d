"""The standings function and a plain one that was written from RULINGS alone agree on any file."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

import pytest

from shared.rules.formats.competition import from_file
from shared.rules.formats.standings import standings
from shared.rules.regulations import load
from tests.unit.rules.plain_standings import plain_standings

JIMEI = load("jimei-2018")


def any_file(dice: random.Random) -> dict[str, Any]:
    """Byes, absences, teams that came late or never played, forfeits of one or both, drawn, cancelled and open matches,
    meetings repeated, lots for some, for all, or equal ones."""
    teams = [f"T{number:02d}" for number in range(1, dice.randint(1, 14) + 1)]
    dice.shuffle(teams)
    rounds = [_round(dice, number, teams) for number in range(1, dice.randint(0, 7) + 1)]
    if not dice.randint(0, 2):
        for round_ in rounds[:-1]:
            for match in round_["matches"]:
                if match["status"] == "unfinished":
                    match |= {"status": "played", "points": [2, 0]}
    drawn = dice.sample(teams, dice.choice([0, len(teams), dice.randint(0, len(teams))]))
    return {
        "format": "pailu-competition/1",
        "regulation": "jimei-2018",
        "teams": [{"id": team} for team in teams],
        "rounds": rounds,
        "withdrawn": dice.sample(teams, dice.randint(0, 1)),
        "lots": {team: dice.randint(1, 2 * len(teams)) for team in drawn},
    }


def _round(dice: random.Random, number: int, teams: list[str]) -> dict[str, Any]:
    here = dice.sample(teams, len(teams) - dice.choice([0, 0, 0, dice.randint(0, len(teams))]))
    absent = [team for team in teams if team not in here and dice.randint(0, 1)]
    byes = [here.pop()] if len(here) % 2 else []
    if not dice.randint(0, 5) and len(here) > 2:
        byes += [here.pop(), here.pop()]
    matches = []
    for table in range(len(here) // 2):
        status = dice.choices(["played", "forfeit", "cancelled", "unfinished"], [60, 10, 3, 2])[0]
        match: dict[str, Any] = {"table": table + 1, "teams": here[2 * table : 2 * table + 2], "status": status}
        if status != "unfinished" or dice.randint(0, 1):
            outcomes = [[2, 0], [0, 2], [1, 1]] + [[0, 0]] * (status == "forfeit")
            match["points"] = dice.choice(outcomes)
        matches.append(match)
    return {"number": number, "matches": matches, "byes": byes, "absent": absent}


@pytest.mark.parametrize("seed", range(400))
def test_both_agree(seed: int) -> None:
    dice = random.Random(seed)
    file = any_file(dice)
    after = dice.choice([None, dice.randint(0, len(file["rounds"]))])
    ours = [
        {
            "team": row.team,
            "rank": row.rank,
            "points": row.points,
            "total": Fraction(row.total.fraction),
            "cumulative": row.cumulative,
            "direct_win": row.direct_win,
            "decided_by": row.decided_by,
            "provisional": row.provisional,
        }
        for row in standings(JIMEI, from_file(file), after)
    ]
    assert ours == plain_standings(file, after)
