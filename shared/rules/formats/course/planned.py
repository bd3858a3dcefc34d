"""How many rounds a competition has in all, as far as it can be known."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from shared.rules.formats.competition import Competition, PlayedMatch, Round
from shared.rules.formats.course.run import course, next_round
from shared.rules.formats.drawing import StageDraw, draw_stage
from shared.rules.formats.rounds import rounds_for
from shared.rules.formats.stages import stages_of
from shared.rules.regulations.preset import Preset
from shared.rules.regulations.schema import AnyPreset


def planned_rounds(preset: AnyPreset, competition: Competition, draws: Mapping[str, StageDraw]) -> int:
    """The rounds played and those to come when nobody else leaves and every match is played.

    Where it depends on who wins, the first-named team of every match is taken to. Open matches count as played.
    """
    first = stages_of(preset, len(competition.teams), competition.event)[0]
    if first.format == "swiss" and isinstance(preset, Preset):
        return rounds_for(preset, len(competition.teams))
    made = dict(draws)
    competition = replace(competition, rounds=tuple(_played(round_) for round_ in competition.rounds), fixed=())
    while not (run := course(preset, competition, made)).finished:
        if run.due is not None:
            terms, entrants = run.due
            made[terms.code] = draw_stage(terms, entrants, bytes(16))
            continue
        paired = next_round(preset, competition, made)
        matches = tuple(
            PlayedMatch(table=match.table, teams=match.teams, points=(1, 0), status="played")
            for match in paired.matches
        )
        done = Round(number=paired.number, matches=matches, byes=paired.byes)
        competition = replace(competition, rounds=(*competition.rounds, done))
    return len(competition.rounds)


def _played(round_: Round) -> Round:
    matches = tuple(
        replace(match, points=(1, 0), status="played") if match.status == "unfinished" else match
        for match in round_.matches
    )
    return replace(round_, matches=matches)
