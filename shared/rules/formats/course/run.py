"""From the draw and the results so far to the next draw or round."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from shared.rules.errors import BadCompetition, PairingRefused
from shared.rules.formats.arrange import Entrant
from shared.rules.formats.competition import Competition
from shared.rules.formats.course import brackets, tables
from shared.rules.formats.course.values import Course, CourseRound, Played
from shared.rules.formats.drawing import StageDraw, draw_by_hand, draw_stage
from shared.rules.formats.stages import StageTerms, stages_of
from shared.rules.formats.swiss.engine import refuse_open
from shared.rules.regulations.schema import AnyPreset

Draws = Mapping[str, StageDraw]
"""The draws made, by stage."""


def course(preset: AnyPreset, competition: Competition, draws: Draws | None = None) -> Course:
    """How far the competition has come.

    draws: None: those of the file, and the others from its seed. Raises BadCompetition for rounds that the draw and the
    results before them do not lead to, DrawRefused.
    """
    entrants = entrants_of(competition)
    stages: list[Played] = []
    taken = 0
    for terms in stages_of(preset, len(entrants), competition.event):
        among = entrants
        if terms.source is not None:
            before = next(stage for stage in stages if stage.terms.code == terms.source)
            among = brackets.survivors_of(before, competition)
        draw = draws.get(terms.code) if draws is not None else _drawn(terms, among, competition)
        if draw is None or (taken == len(competition.rounds) and not _still_holds(terms, draw, among)):
            return Course(stages=tuple(stages), due=(terms, tuple(among)), finished=False)
        if terms.format in ("swiss", "round_robin"):
            played = tables.walked(preset, terms, draw, competition, taken)
        else:
            played = brackets.walked(terms, draw, competition, taken)
        stages.append(played)
        taken += len(played.rounds)
        if not played.done:
            return Course(stages=tuple(stages), due=None, finished=False)
    if taken < len(competition.rounds):
        raise BadCompetition(f"rounds[{taken}]", "comes after the last stage")
    return Course(stages=tuple(stages), due=None, finished=True)


def _still_holds(terms: StageTerms, draw: StageDraw, among: Sequence[Entrant]) -> bool:
    """Whether a stage that nobody has begun is still drawn among those that the stage before leaves."""
    drawn = {team for seats in draw.parts.values() for team in seats if team is not None}
    return terms.source is None or drawn == {one.team for one in among}


def next_round(preset: AnyPreset, competition: Competition, draws: Draws | None = None) -> CourseRound:
    """The round to be paired.

    Raises what `course` raises, and PairingRefused: `open_matches`, `draw_due` where a stage must be drawn first,
    `finished`, and what `swiss.pair` raises.
    """
    refuse_open(competition)
    run = course(preset, competition, draws)
    if run.due is not None:
        name = run.due[0].name
        raise PairingRefused("draw_due", f"the stage {name.en!r} must be drawn first", f"须先抽签：{name.zh}")
    if run.finished:
        raise PairingRefused("finished", "every round has been played", "各轮均已打完")
    played = run.stages[-1]
    following = tables.following if played.terms.format in ("swiss", "round_robin") else brackets.following
    return following(preset, played, competition)


def entrants_of(competition: Competition) -> list[Entrant]:
    """Who is drawn into the first stage."""
    return [Entrant(team.id, team.unit, team.seed) for team in competition.teams]


def _drawn(terms: StageTerms, among: Sequence[Entrant], competition: Competition) -> StageDraw:
    hall = competition.draws.get(terms.code)
    if hall is not None:
        return draw_by_hand(terms, among, hall.parts, hall.witness)
    return draw_stage(terms, among, bytes.fromhex(competition.seed))
