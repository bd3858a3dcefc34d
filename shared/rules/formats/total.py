"""总得分, the total score (jimei-2018 十二（名次）.2): P + S / (M/2) - R.

P own points, S the sum of the opponents' points as they stand, M the most points, R the rounds played. With M = 2R the
middle term less R is zero for an average field. A played or forfeited match counts its opponent; a bye counts what the
preset says; an absence, a cancelled or an open match counts nothing.
"""

from __future__ import annotations

from fractions import Fraction

from msgspec import Struct

from shared.rules.formats.history import Field, Outcome


class Total(Struct, frozen=True, kw_only=True):
    """A total score, exact, with the numbers it is made of."""

    value: Fraction
    points: int
    opponents: int
    most: int
    rounds: int

    @property
    def fraction(self) -> str:
        """In lowest terms with a stroke: "25/3", "8/1"."""
        return f"{self.value.numerator}/{self.value.denominator}"

    @property
    def working(self) -> str:
        """The sum in the regulation's form: "8 + 38÷(12/2) − 6 = 25/3 = 8.333"."""
        if not self.most:
            return f"{self.points} − {self.rounds} = {shown(self.value)}" if self.rounds else shown(self.value)
        exact = "" if self.value.denominator == 1 else f" = {self.fraction}"
        return f"{self.points} + {self.opponents}÷({self.most}/2) − {self.rounds}{exact} = {shown(self.value)}"


def total_score(field: Field, team: str) -> Total:
    """The team's total score after the field's rounds; its points alone before the first."""
    opponents = sum(_opponent(field, team, outcome) for outcome in field.outcomes[team])
    points, most = field.points[team], _most(field)
    middle = Fraction(2 * opponents, most) if most else Fraction(0)
    return Total(
        value=points + middle - field.rounds, points=points, opponents=opponents, most=most, rounds=field.rounds
    )


def shown(value: Fraction) -> str:
    """The value to three decimals, halves away from zero, by integers alone: 25/3 is 8.333, -1/2000 is -0.001."""
    thousandths = (abs(value.numerator) * 2000 + value.denominator) // (2 * value.denominator)
    sign = "-" if value < 0 and thousandths else ""
    return f"{sign}{thousandths // 1000}.{thousandths % 1000:03d}"


def _most(field: Field) -> int:
    if field.preset.standings.total_score.max_points.value == "attainable":
        return field.rounds * field.preset.match.points.win.value
    return field.highest


def _opponent(field: Field, team: str, outcome: Outcome) -> int:
    if outcome.without_opponent:
        return _missing(field, team)
    return field.points[outcome.opponent] if outcome.met and outcome.opponent is not None else 0


def _missing(field: Field, team: str) -> int:
    """What the opponent missing in a bye counts."""
    rule = field.preset.standings.total_score.bye_opponent_points.value
    if rule == "own":
        return field.points[team]
    return 0 if rule == "0" else field.lowest
