"""What became of each team round by round: the one reading of a competition that ranking, pairing and pages share."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct

from shared.rules.errors import RuleError
from shared.rules.formats.competition import Competition, PlayedMatch, Round, check
from shared.rules.formats.stages import CARDS
from shared.rules.regulations.preset import Level, Preset
from shared.rules.regulations.schema import AnyPreset

Kind = Literal["played", "forfeit", "bye", "half_bye", "absent", "unfinished", "cancelled"]


class Outcome(Struct, frozen=True, kw_only=True):
    """What one round was for one team. points: what it got; the other fields are None where there was no opponent."""

    round: int
    kind: Kind
    points: int
    opponent: str | None = None
    opponent_points: int | None = None
    table: int | None = None
    levels: tuple[Level, Level] | None = None
    """own, then the opponent's"""
    fouls: int = 0
    second: bool = False
    """the second mover of a match"""

    @property
    def met(self) -> bool:
        """Whether the match counts as a meeting: played, or forfeited."""
        return self.kind in ("played", "forfeit")

    @property
    def without_opponent(self) -> bool:
        """Whether there were points and no opponent: a bye."""
        return self.kind in ("bye", "half_bye")


class Field(Struct, frozen=True, kw_only=True):
    """The teams after the counted rounds.

    outcomes: by team, one a counted round; points: by team; lowest: the lowest points of any team that has points, 0
    when none has; highest: the most of any; provisional: a match that these rounds wait for is open.
    """

    regulation: AnyPreset
    competition: Competition
    rounds: int
    outcomes: Mapping[str, tuple[Outcome, ...]]
    points: Mapping[str, int]
    lowest: int
    highest: int
    provisional: bool

    @property
    def preset(self) -> Preset:
        """The regulation, of a game whose standings count points."""
        assert isinstance(self.regulation, Preset), "a bracket has no tie-breaks"
        return self.regulation

    def running(self, team: str) -> list[int]:
        """The team's total after each round."""
        totals, total = [], 0
        for outcome in self.outcomes[team]:
            total += outcome.points
            totals.append(total)
        return totals

    def margins(self, team: str, forfeits: bool = True) -> dict[str, int]:
        """The team's points less the opponent's, by opponent met, over all their matches with each other.

        forfeits: whether a forfeited match is a meeting.
        """
        margins: dict[str, int] = {}
        for outcome in self.outcomes[team]:
            if outcome.opponent is not None and (outcome.met if forfeits else outcome.kind == "played"):
                margin = outcome.points - (outcome.opponent_points or 0)
                margins[outcome.opponent] = margins.get(outcome.opponent, 0) + margin
        return margins


def field_of(preset: AnyPreset, competition: Competition, after_round: int | None = None) -> Field:
    """The field after the finished rounds, or after the first `after_round` of them.

    The last round counts only when all its matches are over. An open match of an earlier round (one that is played
    again) counts for nobody while the rest of its round stands. Raises BadCompetition, and RuleError `bad_value` for a
    round that there is not.
    """
    check(competition)
    counted, provisional = finished(competition, after_round)
    named = [(_outcomes(preset, competition.event, round_), _absent(round_)) for round_ in counted]
    outcomes = {team: tuple(by_team.get(team, absent) for by_team, absent in named) for team in competition.ids}
    points = {team: sum(outcome.points for outcome in row) for team, row in outcomes.items()}
    return Field(
        regulation=preset,
        competition=competition,
        rounds=len(counted),
        outcomes=outcomes,
        points=points,
        lowest=min((value for value in points.values() if value > 0), default=0),
        highest=max(points.values(), default=0),
        provisional=provisional,
    )


def finished(competition: Competition, after_round: int | None = None) -> tuple[tuple[Round, ...], bool]:
    """The rounds that count, see `field_of`, and whether one of those asked for waits for a match that is open.

    Raises RuleError `bad_value` for a round that there is not.
    """
    wanted = len(competition.rounds) if after_round is None else after_round
    if not 0 <= wanted <= len(competition.rounds):
        played = len(competition.rounds)
        detail = f"round {after_round} is not among {played} rounds"
        raise RuleError(detail, f"共 {played} 轮，没有第 {after_round} 轮", field="after_round")
    chosen = competition.rounds[:wanted]
    in_progress = wanted == len(competition.rounds) and chosen and _open(chosen[-1])
    return chosen[:-1] if in_progress else chosen, any(_open(round_) for round_ in chosen)


def open_tables(competition: Competition) -> tuple[str, ...]:
    """The tables whose matches are not over, as "round/table"."""
    return tuple(f"{round_.number}/{match.table}" for round_ in competition.rounds for match in _open(round_))


def _open(round_: Round) -> list[PlayedMatch]:
    return [match for match in round_.matches if match.status == "unfinished"]


def _outcomes(preset: AnyPreset, event: str, round_: Round) -> dict[str, Outcome]:
    """The outcome of each team that the round names."""
    outcomes = dict.fromkeys(round_.absent, _absent(round_))
    bye, draw = _without_play(preset, event)
    for team in round_.byes:
        outcomes[team] = Outcome(round=round_.number, kind="bye", points=bye)
    for team in round_.half_byes:
        outcomes[team] = Outcome(round=round_.number, kind="half_bye", points=draw)
    for match in round_.matches:
        outcomes[match.teams[0]] = _side(round_, match, 0)
        outcomes[match.teams[1]] = _side(round_, match, 1)
    return outcomes


def _without_play(preset: AnyPreset, event: str) -> tuple[int, int]:
    """The points of a bye and of a draw; none where only the bracket counts, or where everybody rests once (assumed of
    a round robin at a board, for which no bye is stated)."""
    if not isinstance(preset, Preset) or event != CARDS:
        return 0, 0
    return preset.match.points.bye.value, preset.match.points.draw.value


def _absent(round_: Round) -> Outcome:
    return Outcome(round=round_.number, kind="absent", points=0)


def _side(round_: Round, match: PlayedMatch, own: int) -> Outcome:
    """A match as one of its teams sees it; only what is over gives points."""
    over = match.status in ("played", "forfeit")
    points = match.points if over and match.points else (0, 0)
    levels = match.levels
    return Outcome(
        round=round_.number,
        kind=match.status,
        points=points[own],
        opponent=match.teams[1 - own],
        opponent_points=points[1 - own],
        table=match.table,
        levels=(levels[own], levels[1 - own]) if levels else None,
        fouls=match.fouls[own] if over and match.fouls else 0,
        second=own == 1,
    )
