"""Where each field of a player's line stands, and the codes of results (TRF16).

Columns are counted from 1, both ends included. Lines of other kinds are free text after their code and a blank.
"""

from __future__ import annotations

import re

PLAYER = "001"
NAME = "012"
COUNT = "062"
TYPE = "092"
ROUNDS = "XXR"
"""The rounds planned; XXZ and XXP are likewise extensions that pairing programs share."""
AWAY = "XXZ"
"""Who will not be paired in the next round."""
APART = "XXP"
"""Who must not meet."""
COMMENT = "###"

STARTING_NUMBER = (5, 8)
PLAYER_NAME = (15, 47)
FEDERATION = (54, 56)
POINTS = (81, 84)
RANK = (86, 89)
FIRST_ROUND = 92
ROUND_WIDTH = 10
NOBODY = "0000"
"""Stands for the opponent in a round without one."""

MOST_PLAYERS = 9999

UNRATED = {"W": "1", "D": "=", "L": "0"}
"""Codes of games that do not count for a rating."""

TOGETHER = ("1", "=", "0", *UNRATED, "+", "-", " ")
"""Codes of a round with an opponent: won, drawn, lost; won or lost by forfeit; not over."""

ALONE = {"U": "bye", "F": "bye", "+": "bye", "H": "half_bye", "Z": "absent", "-": "absent", " ": "none"}
"""Codes of a round without an opponent."""

HALVES = {"1": 2, "=": 1, "0": 0, "W": 2, "D": 1, "L": 0, "+": 2, "-": 0, " ": 0, "U": 2, "F": 2, "H": 1, "Z": 0}
"""What a code scores, in half points."""

TAGGED = re.compile(r"\[(?P<id>[^\[\]]+)\](?: (?P<name>.*))?")
"""A player's name as it is written where the team's id is not its starting number."""


def round_columns(number: int) -> tuple[int, int, int]:
    """The columns of the opponent's first digit, the colour and the result of a round."""
    first = FIRST_ROUND + (number - 1) * ROUND_WIDTH
    return first, first + 5, first + 7


def score(halves: int) -> str:
    """Half points as the points column has them: 7 is "3.5"."""
    return f"{halves // 2}.{5 * (halves % 2)}"
