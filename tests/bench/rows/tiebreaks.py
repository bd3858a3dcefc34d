"""Standings with all tie-breaks of a large field, beside the tie-breaks of gacrux on the same report: of both the
processor time, since each is one thread that waits for nothing."""

from __future__ import annotations

import copy
import random
import statistics
import time
from collections.abc import Sequence
from typing import Any

from gacrux import tiebreak, trf2json

from shared.rules.formats.competition import Competition, PlayedMatch, Round, Status, Team
from shared.rules.formats.standings import standings
from shared.rules.formats.trf import written
from shared.rules.regulations import changed, load
from shared.rules.shengji.levels import LEVELS
from tests.bench.bench import Bench, Row
from tests.bench.measuring import Line, Tick, absolute, pairs, ticks

TEAMS, ROUNDS = 1_000, 9
OURS = [
    "direct_win",
    "cumulative",
    {"code": "cumulative", "cut_rounds": 1},
    "buchholz",
    {"code": "buchholz", "cut_lowest": 1},
    {"code": "buchholz", "cut_lowest": 1, "cut_highest": 1},
    "sonneborn_berger",
    "wins",
    "level_difference",
    "levels_gained",
    "fouls",
    "second_mover",
    "lot",
]
THEIRS = ["PTS", "DE", "PS", "PS/C1", "BH", "BH/C1", "BH/M1", "SB", "WIN", "BPG"]
"""Those of ours that gacrux knows; it has no 总得分, levels or fouls."""


def measure(bench: Bench, tick: Tick) -> Sequence[Line]:
    preset = changed(load("jimei-2018"), {"standings.tie_breaks": OURS})
    played = field(random.Random(1))
    report = written(preset, played)[0]
    file = trf2json.trf2json()
    file.parse_file(report, False)
    tournament = file.get_tournament(1)

    def own(_: int) -> float:
        begin = time.process_time()
        assert len(standings(preset, played)) == TEAMS
        return time.process_time() - begin

    def theirs(_: int) -> float:
        fresh = copy.deepcopy(tournament)
        begin = time.process_time()
        computed(fresh)
        return time.process_time() - begin

    taken = pairs(own, theirs, tick)
    ours, others = taken
    ratios = [mine / their for mine, their in zip(ours, others, strict=True)]
    what = f"standings with all tie-breaks, {TEAMS:,} teams after {ROUNDS} rounds"
    return [
        Line(
            row="tiebreaks",
            what=what,
            beside="gacrux, those it knows of them",
            kind="ratio",
            value=statistics.median(ratios),
            unit="×",
            reach=0.5,
            better="lower",
            measured="s",
            ours=ours,
            others=others,
        ),
        absolute("tiebreaks", what, statistics.median(ours), "s", 0.2, ours),
    ]


def computed(tournament: dict[str, Any]) -> Any:
    """What gacrux makes of a report that it has read."""
    params = {"tiebreak": list(THEIRS), "check": False, "unrated": None, "pre_determined": False, "swiss": True}
    return tiebreak.tiebreak(tournament, ROUNDS, params).compute_tiebreaks(tournament, params)


def field(dice: random.Random) -> Competition:
    """A field in which neighbours by points meet, with a forfeit here and there and any levels."""
    ids = [str(number) for number in range(1, TEAMS + 1)]
    points = dict.fromkeys(ids, 0)
    rounds = []
    for number in range(1, ROUNDS + 1):
        order = sorted(ids, key=lambda team: (-points[team], dice.random()))
        matches = []
        for table in range(TEAMS // 2):
            pair = (order[2 * table], order[2 * table + 1])
            given = dice.choice([(2, 0), (2, 0), (1, 1), (0, 2), (0, 2)])
            forfeit = given != (1, 1) and dice.random() < 0.02
            levels = (dice.choice(LEVELS), dice.choice(LEVELS))
            status: Status = "forfeit" if forfeit else "played"
            matches.append(PlayedMatch(table=table + 1, teams=pair, points=given, levels=levels, status=status))
            for team, gained in zip(pair, given, strict=True):
                points[team] += gained
        rounds.append(Round(number=number, matches=tuple(matches)))
    return Competition(teams=tuple(Team(team) for team in ids), rounds=tuple(rounds))


ROW = Row("tiebreaks", "standings with all tie-breaks", ticks(), measure)
