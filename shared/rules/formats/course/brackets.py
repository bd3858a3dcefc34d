"""A stage of brackets: in a round every game is played that is ready, each part going on when its round is decided."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct

from shared.rules.basis import Text
from shared.rules.errors import BadCompetition, PairingRefused
from shared.rules.formats.arrange import Entrant
from shared.rules.formats.bracket import Bracket, Side, side_of, standing
from shared.rules.formats.competition import Competition, PlayedMatch
from shared.rules.formats.course.values import CourseMatch, CourseRound, Played, gone
from shared.rules.formats.drawing import StageDraw
from shared.rules.formats.knockout import knockout, ladder, placement
from shared.rules.formats.stages import StageTerms, round_terms
from shared.rules.regulations.schema import AnyPreset


def brackets_of(terms: StageTerms, draw: StageDraw, seed: bytes) -> tuple[Bracket, ...]:
    """The brackets of a stage as drawn; none where it is no knock-out."""
    if terms.format == "knockout":
        return tuple(knockout(part, seats, terms.third_place) for part, seats in draw.parts.items())
    if terms.format == "placement":
        return tuple(placement(part, seats) for part, seats in draw.parts.items())
    if terms.format == "ladder":
        assert terms.survivors is not None, "a ladder says where it stops"
        return tuple(
            ladder(part, [team for team in seats if team is not None], terms.survivors, seed)
            for part, seats in draw.parts.items()
        )
    return ()


def walked(terms: StageTerms, draw: StageDraw, competition: Competition, first: int) -> Played:
    """The stage that begins with the round at index `first`. Raises BadCompetition for a match that was not due."""
    brackets = brackets_of(terms, draw, bytes.fromhex(competition.seed))
    games, unplayed = dict[str, str | None](), set[str]()
    for index in range(first, len(competition.rounds) + 1):
        unplayed |= _settle(brackets, games, gone(competition, index))
        ready = _ready(brackets, games)
        if not ready or index == len(competition.rounds):
            break
        _take(competition, index, ready, games)
    return Played(
        terms=terms,
        draw=draw,
        brackets=brackets,
        rounds=tuple(range(first + 1, index + 1)),
        games=games,
        unplayed=frozenset(unplayed),
        done=not ready,
    )


def following(preset: AnyPreset, played: Played, competition: Competition) -> CourseRound:
    """The next round of a stage that is not done. Raises PairingRefused `bad_fixed`."""
    if competition.fixed:
        raise PairingRefused(
            "bad_fixed", "a bracket is paired by its draw, and no pair can be fixed", "淘汰赛按抽签编排，不能指定对阵"
        )
    ready = _ready(played.brackets, played.games)
    matches = [
        CourseMatch(
            table=table,
            teams=one.teams,
            part=one.part,
            game=one.id,
            name=one.name,
            terms=round_terms(preset, one.left, competition.event),
        )
        for table, one in enumerate(ready, 1)
    ]
    return CourseRound(
        number=len(competition.rounds) + 1,
        stage=played.terms.code,
        matches=tuple(matches),
        byes=_resting(played, ready, gone(competition, len(competition.rounds))),
    )


def survivors_of(played: Played, competition: Competition) -> list[Entrant]:
    """Who goes on from a stage, in the order of its parts; nobody for a place that nobody took.

    A team that has left is drawn with the others and loses what it does not play: so the draw rests on results alone.
    """
    units = {team.id: team.unit for team in competition.teams}
    going: list[Entrant] = []
    for bracket in played.brackets:
        states = standing(bracket, played.games)
        sides = [side_of(feed, states) for feed in bracket.survivors]
        going += [Entrant(side.team, units[side.team]) for side in sides if side.team is not None]
    return going


def _settle(brackets: Sequence[Bracket], games: dict[str, str | None], out: Iterable[str]) -> set[str]:
    """Enter what is decided without a match, so that who leaves later changes nothing of it; the games entered."""
    settled = set[str]()
    for bracket in brackets:
        for game, state in standing(bracket, games, out).items():
            if game not in games and state.winner is not None:
                games[game] = state.winner.team
                settled.add(game)
    return settled


class _Ready(Struct, frozen=True):
    """A game that is to be played."""

    id: str
    teams: tuple[str, str]
    part: str
    name: Text
    left: int


def _ready(brackets: Sequence[Bracket], games: Mapping[str, str | None]) -> list[_Ready]:
    """The games of each part's next round, the part's games of an earlier round being decided."""
    ready: list[_Ready] = []
    for bracket in brackets:
        states = standing(bracket, games)
        waiting = [game for game in bracket.games if states[game.id].winner is None]
        first = min((game.round for game in waiting), default=0)
        for game in waiting:
            one, two = (side.team for side in states[game.id].sides)
            if game.round == first and one is not None and two is not None:
                ready.append(_Ready(game.id, (one, two), bracket.part, game.name, game.left))
    return ready


def _take(competition: Competition, index: int, ready: Sequence[_Ready], games: dict[str, str | None]) -> None:
    """Enter the results of a round. Raises BadCompetition for a match that was not to be played."""
    due = {frozenset(one.teams): one.id for one in ready}
    for number, match in enumerate(competition.rounds[index].matches):
        here = f"rounds[{index}].matches[{number}]"
        game = due.get(frozenset(match.teams))
        if game is None:
            raise BadCompetition(f"{here}.teams", f"{' and '.join(match.teams)} do not meet in this round")
        if match.status in ("played", "forfeit"):
            games[game] = _winner(match, here)


def _winner(match: PlayedMatch, here: str) -> str | None:
    assert match.points is not None, "checked with the file"
    one, two = match.points
    if one == two and match.status == "played":
        raise BadCompetition(f"{here}.points", "are equal where one must go on")
    return None if one == two else match.teams[0] if one > two else match.teams[1]


def _resting(played: Played, ready: Sequence[_Ready], out: Iterable[str]) -> tuple[str, ...]:
    """Who still has something to play for, and no match in this round."""
    busy = {team for one in ready for team in one.teams} | set(out)
    resting: dict[str, None] = {}
    for bracket in played.brackets:
        states = standing(bracket, played.games)
        sides: list[Side] = [side for state in states.values() if state.winner is None for side in state.sides]
        if len(bracket.survivors) > 1:
            sides += [side_of(feed, states) for feed in bracket.survivors]
        resting |= {side.team: None for side in sides if side.team is not None and side.team not in busy}
    return tuple(resting)
