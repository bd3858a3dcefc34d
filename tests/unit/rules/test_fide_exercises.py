"""Tie-break exercises published for the FIDE handbook, worked there by hand.

Source: IA Mario Held, "Exercises in Tie-Breaking", rev. 2403220900, for the regulations C.07 of 2023 (FIDE Technical
Commission, tec.fide.com, 18 March 2024): the Swiss individual of §2.1 with exercises 1 to 8, 11 to 13, 27 to 29, 32
and 33, the round robin of §2.2 with exercises 14, 15 and 26. Points there are 1, ½, 0; here 2, 1, 0, so that every
sum of points is twice and every Sonneborn-Berger four times the published one.

Not here: tie-breaks that no preset can name (ratings, Koya, fore and average Buchholz, wins with black), and direct
encounter in the Swiss (exercises 23 to 25), where 直胜 asks for a win over all the others.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import pytest

from shared.rules.formats.competition import Competition
from shared.rules.formats.standings import standings
from shared.rules.formats.trf import read
from shared.rules.regulations import Preset, changed, load

# Opponent, colour, result; "u" pairing-allocated bye, "h" half-point bye, "z" zero-point bye.
SWISS = {
    1: "9w1 13b= 2w= 15b1 4w=",
    2: "10b1 7w1 1b= 16w1 3b=",
    3: "11w= 6b1 8w1 4b= 2w=",
    4: "12b1 h 13w1 3w= 1b=",
    5: "13w0 15b0 11w1 7b= 10w1",
    6: "14b0 3w0 u 10w1 8b1",
    7: "15w1 2b0 16b0 5w= 11b0",
    8: "16b= 14w1 3b0 13w1 6w0",
    9: "1b0 10w0 h 11b- u",
    10: "2w0 9b1 15w0 6b0 5b0",
    11: "3b= 16w0 5b0 9w+ 7w1",
    12: "4w0 u 14w+ z z",
    13: "5b1 1w= 4b0 8b0 14w0",
    14: "6w1 8b0 12b- z 13b1",
    15: "7b0 5w1 10b1 1w0 16b0",
    16: "8w= 11b1 7w1 2b0 15w1",
}
ROUND_ROBIN = {
    1: "5w= 2w1 3b1 4w0 6b1",
    2: "6w1 1b0 5w1 3w= 4b1",
    3: "4w1 6b1 1w0 2b= 5w1",
    4: "3b0 5b0 6w= 1b1 2w0",
    5: "1b= 4w1 2b0 6w- 3b0",
    6: "2b0 3w0 4b= 5b+ 1w0",
}
UNPLAYED = {"bye": "own", "absent": "own", "forfeit": "as_bye", "withdrawn": "draws", "cut_first": "missed"}
"""Article 16: a dummy opponent with the player's own points; rounds after a withdrawal are draws; article 16.5 cuts
rounds missed of one's own accord first."""

BUCHHOLZ = "12.5 13 15.5 15 8.5 12 14.5 13.5 9 13 13.5 11.5 14 11 12 12.5"
BUCHHOLZ_CUT = "11 12 13 11.5 7.5 11 12.5 12 7.5 11.5 12 9.5 12 9 11 11"
SONNEBORN = "8 9.5 10.5 9.75 4.25 6.5 3.25 5.25 2.25 1.5 5.75 4 4.25 4.5 3.5 7.25"
SONNEBORN_CUT = "7.25 8.5 9.25 8 3.25 5.5 1.25 3.75 2.25 0 4.25 4 4.25 3 2.5 5.75"
WINS = "2 3 2 2 2 3 1 2 1 1 2 2 1 2 2 3"
WON = "2 3 2 2 2 2 1 2 0 1 1 0 1 2 2 3"
BLACK = "2 3 2 2 2 2 3 2 1 3 2 0 3 2 3 2"
PROGRESSIVE = "11 13 11 11.5 5 6 6 8.5 2.5 4 5.5 7 7 6 7 10.5"
PROGRESSIVE_CUT = "10 12 10.5 10.5 5 6 5 8 2.5 4 5 7 6 5 7 10"


def report(crosstable: Mapping[int, str]) -> str:
    """The crosstable as a tournament report."""

    def cell(text: str) -> str:
        return f"  0000 - {text.upper()}" if text in "uhz" else f"  {text[:-2]:>4} {text[-2]} {text[-1]}"

    return "\n".join(f"{f'001 {n:>4}':89}{''.join(map(cell, row.split()))}" for n, row in crosstable.items())


def given(crosstable: Mapping[int, str], named: Any) -> list[int | str]:
    """What the tie-break gives each player, in order of starting number."""
    preset = changed(load("jimei-2018"), {"standings.tie_breaks": [named]})
    played, _ = read(preset, report(crosstable))
    gone = Competition(teams=played.teams, rounds=played.rounds, withdrawn=("12",) if "12" in played.ids else ())
    rows = {row.team: row for row in standings(preset, gone)}
    return [next(iter(rows[team].tie_breaks.values()), rows[team].cumulative) for team in played.ids]


@pytest.mark.parametrize(
    ("exercises", "named", "published", "scale"),
    [
        ("1-4", {"code": "buchholz", **UNPLAYED}, BUCHHOLZ, 2),
        ("5-8", {"code": "buchholz", "cut_lowest": 1, **UNPLAYED}, BUCHHOLZ_CUT, 2),
        ("11-12", {"code": "sonneborn_berger", **UNPLAYED}, SONNEBORN, 4),
        ("13", {"code": "sonneborn_berger", "cut_lowest": 1, **UNPLAYED}, SONNEBORN_CUT, 4),
        ("27", {"code": "wins", "bye": "counts"}, WINS, 1),
        ("28", {"code": "wins", "forfeit": "nothing"}, WON, 1),
        ("29", "second_mover", BLACK, 1),
        ("32", {"code": "cumulative", "name": "progressive"}, PROGRESSIVE, 2),
        ("33", {"code": "cumulative", "cut_rounds": 1}, PROGRESSIVE_CUT, 2),
    ],
    ids=lambda value: value if isinstance(value, str) and len(value) < 6 else "",
)
def test_the_swiss(exercises: str, named: Any, published: str, scale: int) -> None:
    assert given(SWISS, named) == [scale * Fraction(value) for value in published.split()]


@pytest.mark.parametrize(
    ("exercise", "cut", "published"),
    [("14", 0, "9.25 6.25 6.25 4.25 3.25 2.25"), ("15", 1, "9.25 4.75 4.75 4.25 3.25 1.5")],
)
def test_the_round_robin_where_forfeits_count_as_played(exercise: str, cut: int, published: str) -> None:
    named = {"code": "sonneborn_berger", "cut_lowest": cut}
    assert given(ROUND_ROBIN, named) == [4 * Fraction(value) for value in published.split()]


def test_exercise_26_who_beat_both_others_tied_with_it_is_first(jimei: Preset) -> None:
    # 1, 2 and 3 have 3½ points: 1 beat 2 and 3, who drew
    own = changed(jimei, {"standings.total_score.role": "unused", "standings.tie_breaks": ["direct_win"]})
    rows = standings(own, read(own, report(ROUND_ROBIN))[0])
    assert [(row.rank, row.team, row.decided_by) for row in rows[:3]] == [
        (1, "1", None),
        (2, "2", "direct_win"),
        (2, "3", "shared"),
    ]
