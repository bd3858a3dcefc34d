"""Games that feed each other: any knock-out, with byes, forfeits and matches for places.

A side of a game is a team, the winner or the loser of an earlier game, or nobody (a bye). A team without an opponent
goes on unplayed; so does the next opponent of a game that neither side came to (ahut-2018 四.1, double forfeit). A team
that has left loses every game it has not played.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec import Struct

from shared.rules.basis import Text


class Feed(Struct, frozen=True, omit_defaults=True):
    """Where a side comes from; nothing set: nobody."""

    team: str | None = None
    winner: str | None = None
    loser: str | None = None


class Game(Struct, frozen=True, kw_only=True):
    """A game. id: unique in its stage; round: counted from 1 in its part; left: so many teams were left in the part, or
    were to be; places: what its winner and its loser take when they play on for nothing; deserted: what both take when
    neither came."""

    id: str
    round: int
    name: Text
    left: int
    feeds: tuple[Feed, Feed]
    places: tuple[int | None, int | None]
    deserted: int


class Bracket(Struct, frozen=True, kw_only=True):
    """The games of one part (zone, group) in the order of rounds; survivors: where those who go on come from."""

    part: str
    games: tuple[Game, ...]
    survivors: tuple[Feed, ...]


class Side(Struct, frozen=True):
    """What is known of a side: not yet (known False), nobody (team None), or a team."""

    known: bool
    team: str | None = None


class State(Struct, frozen=True, kw_only=True):
    """A game as it stands. winner: None while open; then a side, which nobody may be on."""

    sides: tuple[Side, Side]
    winner: Side | None

    @property
    def loser(self) -> Side | None:
        """The side that lost, which nobody is on after a double forfeit; None while open."""
        if self.winner is None:
            return None
        lost = [side.team for side in self.sides if side.team != self.winner.team]
        return Side(True, lost[0] if len(lost) == 1 else None)


Results = Mapping[str, str | None]
"""The winner by game; None after a double forfeit."""


def standing(bracket: Bracket, results: Results, out: Iterable[str] = ()) -> dict[str, State]:
    """Every game as the results leave it. out: teams that left, which lose what they have not played."""
    gone, states = frozenset(out), dict[str, State]()
    for game in bracket.games:
        sides = (side_of(game.feeds[0], states), side_of(game.feeds[1], states))
        states[game.id] = State(sides=sides, winner=_winner(sides, results, game.id, gone))
    return states


def side_of(feed: Feed, states: Mapping[str, State]) -> Side:
    """Who comes from a feed."""
    if feed.winner is not None:
        return states[feed.winner].winner or Side(False)
    if feed.loser is not None:
        return states[feed.loser].loser or Side(False)
    return Side(True, feed.team)


def _winner(sides: tuple[Side, Side], results: Results, game: str, gone: frozenset[str]) -> Side | None:
    if game in results:
        return Side(True, results[game])
    if not all(side.known for side in sides):
        return None
    staying = [side for side in sides if side.team is not None and side.team not in gone]
    if len(staying) == 2:
        return None
    return staying[0] if staying else Side(True)


def ranks(bracket: Bracket, results: Results, without: Iterable[str] = ()) -> dict[str, int]:
    """The place of each team that plays on for nothing, the best 1; teams that nothing parts share one.

    without: disqualified, who take no place, so that those below move up. A place that a game without a winner leaves
    open stays open; one that stands below all the teams there are does not.
    """
    states = standing(bracket, results)
    alone = [feed.team for feed in bracket.survivors] if not bracket.games else []
    taken: dict[str, int] = {team: 1 for team in alone if team is not None and len(alone) == 1}
    for game in bracket.games:
        state = states[game.id]
        for side in state.sides if state.winner is not None else ():
            place = _place(game, state, side.team)
            if side.team is not None and place is not None:
                taken[side.team] = place
    barred = [taken.pop(team) for team in set(without) if team in taken]
    taken = {team: place - sum(1 for other in barred if other < place) for team, place in taken.items()}
    feeds = {*bracket.survivors, *(feed for game in bracket.games for feed in game.feeds)}
    teams = len({feed.team for feed in feeds} - {None}) - len(barred)
    behind = {team: sum(1 for other in taken.values() if other > place) for team, place in taken.items()}
    return {team: min(place, max(teams, 1) - behind[team]) for team, place in taken.items()}


def _place(game: Game, state: State, team: str | None) -> int | None:
    assert state.winner is not None, "asked of decided games only"
    if state.winner.team is None:
        return game.deserted
    return game.places[0] if team == state.winner.team else game.places[1]
