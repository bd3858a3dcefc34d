"""What a regulation says of each tie-break: which matches count in it, and what stands for a missing opponent.

A preset names a tie-break by its code alone, or as an object with the code and the terms that differ from the defaults:
`tie_breaks: [direct_win, {code: buchholz, cut_lowest: 1}, lot]`.
"""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct

Count = Annotated[int, Meta(ge=0)]
Name = Annotated[str, Meta(pattern="^[a-z][a-z0-9_]*$")]

Missing = Literal["0", "lowest_with_points", "own"]
"""What the opponent missing counts: nothing, the lowest points of any team that has points, or the team's own."""

Counted = Literal["counts", "nothing"]


class _Terms(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True, tag_field="code"):
    """name: what answers call the tie-break, where its code and cuts do not say enough."""

    name: Name | None = None

    @property
    def code(self) -> str:
        """The code that a preset gives."""
        return str(self.__struct_config__.tag)

    @property
    def called(self) -> str:
        """What answers call the tie-break."""
        return self.name or self.code


class Total(_Terms, frozen=True, kw_only=True, tag="total"):
    """总得分, where it is not compared first; its terms are `standings.total_score`."""


class Points(_Terms, frozen=True, kw_only=True, tag="points"):
    """积分, the match points."""


class Lot(_Terms, frozen=True, kw_only=True, tag="lot"):
    """抽签, the lots drawn."""


class DirectWin(_Terms, frozen=True, kw_only=True, tag="direct_win"):
    """直胜: among teams that are equal, who beat all the others. forfeit: whether a forfeited match is a meeting."""

    forfeit: Counted = "counts"


class Cumulative(_Terms, frozen=True, kw_only=True, tag="cumulative"):
    """累进分, the sum of the running totals, without the first `cut_rounds` of them.

    bye, forfeit: whether points from a bye, from a forfeited match, run up; what a withdrawn opponent lost stands.
    """

    cut_rounds: Count = 0
    bye: Counted = "counts"
    forfeit: Counted = "counts"

    @property
    def called(self) -> str:
        return self.name or (f"{self.code}_cut_{self.cut_rounds}" if self.cut_rounds else self.code)


class _Opponents(_Terms, frozen=True, kw_only=True):
    """The points of the opponents.

    cut_lowest, cut_highest: how many opponents are left out at each end; cut_first `missed`: as the lowest, rounds
    first that the team missed of its own accord (absent, or forfeited by it), where that takes no less away.
    bye, absent: what stands for the missing opponent. forfeit: the opponent of a forfeited match counts as one played,
    as in a bye, or nothing. withdrawn: the points of an opponent that withdrew as they stand, with a draw for every
    round after the last it showed up in, or nothing.
    """

    cut_lowest: Count = 0
    cut_highest: Count = 0
    cut_first: Literal["lowest", "missed"] = "lowest"
    bye: Missing = "lowest_with_points"
    absent: Missing = "0"
    forfeit: Literal["as_played", "as_bye", "nothing"] = "as_played"
    withdrawn: Literal["as_they_stand", "draws", "nothing"] = "as_they_stand"

    @property
    def called(self) -> str:
        if self.name or not (self.cut_lowest or self.cut_highest):
            return self.name or self.code
        if self.cut_lowest == self.cut_highest:
            return f"{self.code}_median_{self.cut_lowest}"
        cuts = (f"cut_{self.cut_lowest}", f"cut_highest_{self.cut_highest}")
        return "_".join([self.code, *(cut for cut in cuts if not cut.endswith("_0"))])


class Buchholz(_Opponents, frozen=True, kw_only=True, tag="buchholz"):
    """对手分, the sum of the opponents' points."""


class SonnebornBerger(_Opponents, frozen=True, kw_only=True, tag="sonneborn_berger"):
    """小分, the sum of the opponents' points, each times the points won from that opponent."""


class _Matches(_Terms, frozen=True, kw_only=True):
    """Something added over the matches. forfeit: a forfeited match; withdrawn: a match with a team that withdrew."""

    forfeit: Counted = "counts"
    withdrawn: Counted = "counts"


class Wins(_Matches, frozen=True, kw_only=True, tag="wins"):
    """胜场, the matches won. bye: whether a bye is one."""

    bye: Counted = "nothing"


class LevelDifference(_Matches, frozen=True, kw_only=True, tag="level_difference"):
    """级差, own levels less the opponents'. A bye has none."""


class LevelsGained(_Matches, frozen=True, kw_only=True, tag="levels_gained"):
    """升级数, the levels above the one at which a match starts. A bye has none."""


class Fouls(_Matches, frozen=True, kw_only=True, tag="fouls"):
    """犯规, the fouls recorded, fewer first. A bye has none."""


class SecondMover(_Matches, frozen=True, kw_only=True, tag="second_mover"):
    """后手局, the matches in which the team was the second mover, more first. A bye has none."""

    forfeit: Counted = "nothing"


TieBreakTerms: TypeAlias = (
    Total
    | Points
    | Lot
    | DirectWin
    | Cumulative
    | Buchholz
    | SonnebornBerger
    | Wins
    | LevelDifference
    | LevelsGained
    | Fouls
    | SecondMover
)

TieBreakCode = Literal[
    "total",
    "points",
    "direct_win",
    "cumulative",
    "buchholz",
    "sonneborn_berger",
    "wins",
    "level_difference",
    "levels_gained",
    "fouls",
    "second_mover",
    "lot",
]

_DEFAULTS: dict[str, TieBreakTerms] = {
    terms.code: terms
    for terms in (
        Total(),
        Points(),
        Lot(),
        DirectWin(),
        Cumulative(),
        Buchholz(),
        SonnebornBerger(),
        Wins(),
        LevelDifference(),
        LevelsGained(),
        Fouls(),
        SecondMover(),
    )
}


def terms_of(named: TieBreakCode | TieBreakTerms) -> TieBreakTerms:
    """The terms of a tie-break as a preset names it."""
    return _DEFAULTS[named] if isinstance(named, str) else named
