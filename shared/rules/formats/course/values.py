"""What there is to say of a competition on its way."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from shared.rules.basis import Text
from shared.rules.formats.arrange import Entrant
from shared.rules.formats.bracket import Bracket
from shared.rules.formats.competition import Competition
from shared.rules.formats.drawing import StageDraw
from shared.rules.formats.stages import RoundTerms, StageTerms
from shared.rules.formats.swiss.paired import Barrier, Rule


class CourseMatch(Struct, frozen=True, kw_only=True):
    """A match to be played; the first team sits as pair 13. game: its place in the bracket, empty where there is none;
    name: what is played for."""

    table: int
    teams: tuple[str, str]
    part: str = ""
    game: str = ""
    name: Text = Text("", "")
    terms: RoundTerms


class CourseRound(Struct, frozen=True, kw_only=True):
    """A round to be played. byes: teams that go on, or rest, without a match; the rest as in `swiss.Pairing`."""

    number: int
    stage: str
    matches: tuple[CourseMatch, ...]
    byes: tuple[str, ...]
    gave_up: tuple[Rule, ...] = ()
    why: tuple[Text, ...] = ()
    proofs: tuple[Barrier | None, ...] = ()


class Played(Struct, frozen=True, kw_only=True):
    """A stage as far as it was played. rounds: the numbers of its rounds in the competition; games: the winner by game,
    None where nobody won; unplayed: those of them that were decided without a match; done: nothing is left to play.
    """

    terms: StageTerms
    draw: StageDraw
    brackets: tuple[Bracket, ...]
    rounds: tuple[int, ...]
    games: Mapping[str, str | None]
    unplayed: frozenset[str]
    done: bool


class Course(Struct, frozen=True, kw_only=True):
    """A competition through its stages. stages: those that were drawn; due: a stage that can be drawn now, and who is
    in it; finished: nothing is left to play."""

    stages: tuple[Played, ...]
    due: tuple[StageTerms, tuple[Entrant, ...]] | None
    finished: bool


def gone(competition: Competition, rounds: int) -> frozenset[str]:
    """The teams that play no more after so many rounds.

    A team leaves after the last round that names it in a match or a bye, and that has said so or was disqualified.
    """
    left = {*competition.withdrawn, *competition.disqualified}
    later = competition.rounds[rounds:]
    named = {team for round_ in later for match in round_.matches for team in match.teams}
    return frozenset(left - named - {team for round_ in later for team in round_.byes})
