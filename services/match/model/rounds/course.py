"""A competition's way through the stages of its regulation."""

from __future__ import annotations

from collections.abc import Mapping

from services.match.model.rounds.state import Rounds, as_competition
from shared.rules.formats.course import Course, course, planned_rounds
from shared.rules.formats.drawing import StageDraw
from shared.rules.formats.stages import stages_of
from shared.rules.regulations.schema import AnyPreset


def course_of(state: Rounds, preset: AnyPreset) -> Course:
    """How far the competition has come."""
    return course(preset, as_competition(state, in_bracket=True), draws_of(state, preset))


def planned(state: Rounds, preset: AnyPreset) -> int:
    """How many rounds there are in all when nobody else leaves."""
    return planned_rounds(preset, as_competition(state, in_bracket=True), draws_of(state, preset))


def draws_of(state: Rounds, preset: AnyPreset) -> Mapping[str, StageDraw]:
    """The draws made; a draw from before stages were recorded is the first one's, by its numbers."""
    if state.draws or not state.teams:
        return state.draws
    first = stages_of(preset, len(state.teams), state.event)[0].code
    ordered = sorted(state.teams, key=lambda drawn: drawn.number)
    return {first: StageDraw(stage=first, parts={"": tuple(drawn.team.id for drawn in ordered)})}
