"""`gacrux`, the FIDE technical commission's tie-break program, and ours over 1,000 random reports.

Both know points, progressive score, wins, games with black, Buchholz and Sonneborn-Berger with cuts; ours with the
terms by which they follow FIDE's C.07 of 2023 for rounds that were not played. On these they agree without exception.
They differ in direct encounter among three and more, and in FIDE's rules of 2026: the last two tests say how. Points
are 1, ½, 0 there and 2, 1, 0 here.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import pytest
from gacrux import tiebreak, trf2json

from shared.rules.formats.competition import Competition, PlayedMatch, Round, Status, Team
from shared.rules.formats.standings import standings
from shared.rules.formats.trf import read, written
from shared.rules.regulations import changed, load

REPORTS = 1_000
UNPLAYED = {"bye": "own", "absent": "own", "forfeit": "as_bye", "withdrawn": "draws"}
FIRST = {**UNPLAYED, "cut_first": "missed"}
BOTH: dict[str, tuple[Any, int]] = {
    "PS": ("cumulative", 2),
    "PS/C1": ({"code": "cumulative", "cut_rounds": 1}, 2),
    "PS/C3": ({"code": "cumulative", "cut_rounds": 3}, 2),
    "WIN": ({"code": "wins", "bye": "counts"}, 1),
    "WON": ({"code": "wins", "forfeit": "nothing", "name": "won"}, 1),
    "BPG": ("second_mover", 1),
    "BH/V1": ({"code": "buchholz", **UNPLAYED}, 2),
    "BH/C1/V1": ({"code": "buchholz", "cut_lowest": 1, **FIRST}, 2),
    "BH/C2/V1": ({"code": "buchholz", "cut_lowest": 2, **FIRST}, 2),
    "BH/M1/V1": ({"code": "buchholz", "cut_lowest": 1, "cut_highest": 1, **FIRST}, 2),
    "BH/C1/N/V1": ({"code": "buchholz", "cut_lowest": 1, **UNPLAYED, "name": "plain_cut"}, 2),
    "SB/V1": ({"code": "sonneborn_berger", **UNPLAYED}, 4),
    "SB/C1/V1": ({"code": "sonneborn_berger", "cut_lowest": 1, **FIRST}, 4),
}
"""What gacrux calls a tie-break, what a preset says for it, and how many times theirs ours is."""

PRESET = changed(load("jimei-2018"), {"standings.tie_breaks": [named for named, _ in BOTH.values()]})


def random_report(seed: int) -> str:
    """A report of 2 to 16 players and 1 to 9 rounds, which came, went, were late, forfeited and had byes."""
    dice = random.Random(seed)
    teams = tuple(Team(str(number)) for number in range(1, dice.randint(2, 16) + 1))
    here = dict.fromkeys([team.id for team in teams], True)
    rounds = [_round(dice, number, here) for number in range(1, dice.randint(1, 9) + 1)]
    rounds = [round_ for round_ in rounds if round_.matches or round_.byes] or [
        Round(number=1, matches=(), byes=("1",))
    ]
    numbered = tuple(
        Round(number=n, matches=r.matches, byes=r.byes, half_byes=r.half_byes, absent=r.absent)
        for n, r in enumerate(rounds, 1)
    )
    return "042 2024-08-01\r\n" + written(PRESET, Competition(teams=teams, rounds=numbered))[0]


def _round(dice: random.Random, number: int, here: dict[str, bool]) -> Round:
    for team in here:
        if dice.random() < 0.08:
            here[team] = not here[team]
    playing = [team for team, is_here in here.items() if is_here]
    dice.shuffle(playing)
    half_byes = tuple(team for team in playing if dice.random() < 0.04)
    playing = [team for team in playing if team not in half_byes]
    byes = (playing.pop(),) if len(playing) % 2 else ()
    matches = []
    for table in range(len(playing) // 2):
        forfeit = dice.random() < 0.1
        status: Status = "forfeit" if forfeit else "played"
        points = dice.choice([(2, 0), (0, 2), (0, 0)] if forfeit else [(2, 0), (0, 2), (1, 1)])
        pair = (playing[2 * table], playing[2 * table + 1])
        matches.append(PlayedMatch(table=table + 1, teams=pair, points=points, status=status))
    absent = tuple(team for team, is_here in here.items() if not is_here and dice.random() < 0.5)
    return Round(number=number, matches=tuple(matches), byes=byes, half_byes=half_byes, absent=absent)


def theirs(report: str, rounds: int) -> dict[str, list[Fraction]]:
    """By player, the tie-breaks in the order of BOTH."""
    rows = computed(report, rounds, ["PTS", *BOTH])
    return {str(row["cid"]): [Fraction(value) for value in row["tiebreakScore"]] for row in rows}


def computed(report: str, rounds: int, codes: list[str]) -> list[dict[str, Any]]:
    """What gacrux makes of a report after these rounds."""
    file = trf2json.trf2json()
    file.parse_file(report, False)
    tournament = file.get_tournament(1)
    params = {"tiebreak": codes, "check": False, "unrated": None, "pre_determined": False, "swiss": True}
    found: list[dict[str, Any]] = tiebreak.tiebreak(tournament, rounds, params).compute_tiebreaks(tournament, params)[
        "competitors"
    ]
    return found


def ours(report: str) -> tuple[dict[str, list[Fraction]], int]:
    """The same, and the number of rounds."""
    played, _ = read(PRESET, report)
    table = Competition(teams=played.teams, rounds=played.rounds, withdrawn=played.ids)
    scales = [scale for _, scale in BOTH.values()]
    found = {}
    for row in standings(PRESET, table):
        values = [row.cumulative, *row.tie_breaks.values()]
        found[row.team] = [Fraction(row.points, 2), *(Fraction(v) / s for v, s in zip(values, scales, strict=True))]
    return found, len(played.rounds)


@pytest.mark.parametrize("start", range(0, REPORTS, 100))
def test_both_agree_on_every_player_of_a_hundred_reports(start: int) -> None:
    for seed in range(start, start + 100):
        report = random_report(seed)
        own, rounds = ours(report)
        other: Mapping[str, list[Fraction]] = theirs(report, rounds)
        differing = {
            (player, name): (str(mine), str(their))
            for player, values in own.items()
            for name, mine, their in zip(("PTS", *BOTH), values, other[player], strict=True)
            if mine != their
        }
        assert not differing, f"report {seed}:\n{report}"


def test_direct_encounter_of_two_is_our_direct_win_and_of_more_it_parts_no_fewer() -> None:
    """FIDE compares the points among all who are tied and met. 直胜 (jimei 十二（名次）) lifts out one who beat all the
    others, and nobody else, so whom we put first among the tied gacrux has first; of two tied it says the same.
    """
    listed = [{"code": "direct_win", "forfeit": "nothing"}]
    own = changed(PRESET, {"standings.tie_breaks": listed, "standings.total_score.role": "unused"})
    lifted = 0
    for seed in range(REPORTS):
        report = random_report(seed)
        played, _ = read(own, report)
        ranks = {row.team: row.rank for row in standings(own, played)}
        points = {row.team: row.points for row in standings(own, played)}
        fide = {str(row["cid"]): row["rank"] for row in computed(report, len(played.rounds), ["PTS", "DE"])}
        for value in set(points.values()):
            tied = [team for team in points if points[team] == value]
            if len(tied) == 2:
                assert [ranks[team] for team in tied] == [fide[team] for team in tied], f"report {seed}:\n{report}"
            first = min(tied, key=lambda team: ranks[team] or 0)
            if [ranks[team] for team in tied].count(ranks[first]) == 1:
                lifted += len(tied) > 2
                assert fide[first] == min(fide[team] for team in tied), f"report {seed}:\n{report}"
    assert lifted, "no report had one who beat two others"


def test_under_the_rules_of_2026_a_round_without_an_opponent_counts_no_more_than_draws_throughout() -> None:
    """Article 16.4 of 2026 caps what the dummy opponent counts; no preset asks for it. One player with a bye and two
    wins: its own 3 points against 1½ from three draws."""
    report = "042 2026-05-01\n" + "\n".join(
        [
            f"{'001    1':89}  0000 - U     2 w 1     3 b 1",
            f"{'001    2':89}     3 w =     1 b 0  0000 - U",
            f"{'001    3':89}     2 b =  0000 - U     1 w 0",
        ]
    )
    named = {"code": "buchholz", **UNPLAYED}
    own = changed(PRESET, {"standings.tie_breaks": [named]})
    played, _ = read(own, report)
    rows = {row.team: row.tie_breaks["buchholz"] for row in standings(own, played)}
    fide = {row["cid"]: row["tiebreakScore"][0] for row in computed(report, 3, ["BH"])}
    # players 2 and 3 have 1½ points each
    assert rows["1"] == 2 * (3 + Fraction(3, 2) + Fraction(3, 2))
    assert Fraction(fide[1]) == Fraction(3, 2) + Fraction(3, 2) + Fraction(3, 2)
