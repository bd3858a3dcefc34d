"""The stages without brackets: Swiss, and everybody against everybody."""

from __future__ import annotations

from shared.rules.formats.berger import berger
from shared.rules.formats.competition import Competition
from shared.rules.formats.course.values import CourseMatch, CourseRound, Played, gone
from shared.rules.formats.drawing import StageDraw
from shared.rules.formats.history import open_tables
from shared.rules.formats.rounds import rounds_for
from shared.rules.formats.stages import StageTerms, round_terms
from shared.rules.formats.swiss import Pairing, pair
from shared.rules.regulations.preset import Preset
from shared.rules.regulations.schema import AnyPreset


def walked(preset: AnyPreset, terms: StageTerms, draw: StageDraw, competition: Competition, first: int) -> Played:
    """The stage that begins with the round at index `first`."""
    planned = planned_rounds(preset, terms, draw)
    rounds = range(first, min(len(competition.rounds), first + planned))
    done = len(rounds) == planned and not open_tables(competition)
    return Played(
        terms=terms,
        draw=draw,
        brackets=(),
        rounds=tuple(n + 1 for n in rounds),
        games={},
        unplayed=frozenset(),
        done=done,
    )


def planned_rounds(preset: AnyPreset, terms: StageTerms, draw: StageDraw) -> int:
    """How many rounds the stage has; none where there is nobody to meet."""
    teams = sum(len(seats) for seats in draw.parts.values())
    if terms.format == "round_robin":
        return teams - 1 + teams % 2 if teams > 1 else 0
    assert isinstance(preset, Preset), "only 升级 regulations name it"
    return rounds_for(preset, teams)


def following(preset: AnyPreset, played: Played, competition: Competition) -> CourseRound:
    """The next round of a stage that is not done. Raises what `swiss.pair` raises."""
    if played.terms.format == "round_robin":
        return _round_robin(preset, played, competition)
    assert isinstance(preset, Preset), "only 升级 regulations name it"
    paired = pair(preset, competition, bytes.fromhex(competition.seed))
    return of_swiss(preset, played.terms.code, paired, len(competition.teams))


def of_swiss(preset: Preset, stage: str, paired: Pairing, teams: int) -> CourseRound:
    """A Swiss pairing as a round of a stage that so many teams entered."""
    timing = round_terms(preset, teams)
    return CourseRound(
        number=paired.round,
        stage=stage,
        matches=tuple(CourseMatch(table=one.table, teams=one.teams, terms=timing) for one in paired.matches),
        byes=(paired.bye,) if paired.bye is not None else (),
        gave_up=paired.gave_up,
        why=paired.why,
        proofs=paired.proofs,
    )


def _round_robin(preset: AnyPreset, played: Played, competition: Competition) -> CourseRound:
    """Who has left is met by nobody; the one whose turn it was rests."""
    numbers = [team for seats in played.draw.parts.values() for team in seats if team is not None]
    pairs, idle = berger(numbers)[len(played.rounds)]
    out = gone(competition, len(competition.rounds))
    meeting = [pair for pair in pairs if not set(pair) & out]
    resting = [team for pair in pairs if pair not in meeting for team in pair]
    timing = round_terms(preset, len(competition.teams), competition.event)
    return CourseRound(
        number=len(competition.rounds) + 1,
        stage=played.terms.code,
        matches=tuple(CourseMatch(table=n, teams=pair, terms=timing) for n, pair in enumerate(meeting, 1)),
        byes=tuple(team for team in [*resting, idle] if team is not None and team not in out),
    )
