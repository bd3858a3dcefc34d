"""The whole competition as it will be, worked out from the seed by the rules alone, before the server plays it.

The story follows this script, and what the server pairs, sums and ranks must come out as it says."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from itertools import count
from random import Random

from msgspec import Struct
from msgspec.structs import replace

from deploy.demo.hands import Disputed, Hand, Played, play, play_disputed
from shared.rules.formats.competition import Competition, PlayedMatch, Round, Team
from shared.rules.formats.rounds import rounds_for
from shared.rules.formats.standings import Row, lots_needed, standings
from shared.rules.formats.swiss import Pairing, pair
from shared.rules.regulations.preset import Preset
from shared.rules.shengji.results import MatchResult, forfeit

FORFEIT_ROUND = 2
WITHDRAWN_AFTER = 2
STRONGEST = 0.6
TRIES = 40
"""How often the last round is made up anew before the whole competition is."""


class Fixture(Struct, frozen=True, kw_only=True):
    """A match of the script. played is None where a team does not come; disputed where it is appealed over."""

    table: int
    teams: tuple[str, str]
    played: Played | None = None
    absent: str | None = None
    disputed: Disputed | None = None
    result: MatchResult


class RoundScript(Struct, frozen=True, kw_only=True):
    """A round of the script."""

    number: int
    fixtures: tuple[Fixture, ...]
    bye: str | None


class Script(Struct, frozen=True, kw_only=True):
    """Everything that will happen. withdrawn leaves after WITHDRAWN_AFTER; before and after: the standings with the
    wrong penalty and without."""

    rounds: tuple[RoundScript, ...]
    withdrawn: str
    before: tuple[Row, ...]
    after: tuple[Row, ...]

    @property
    def disputed(self) -> tuple[Fixture, Disputed]:
        """The match that is appealed over; it is of the last round."""
        fixture = next(f for f in self.rounds[-1].fixtures if f.disputed)
        assert fixture.disputed is not None
        return fixture, fixture.disputed

    @property
    def requests(self) -> int:
        """About how many requests are to come, for a progress bar."""
        played = [f.played for r in self.rounds for f in r.fixtures if f.played]
        return sum(len(match.hands) + len(match.breaches) + 1 for match in played) + 100


def draw_seed(name: str) -> bytes:
    """The seed of the draw that the demo's own server commits to, so that every run shows the same competition."""
    return hashlib.sha256(f"pailu demo {name}".encode()).digest()


def script(preset: Preset, teams: Sequence[Team], seed: bytes, name: str) -> Script:
    """The first competition from this name in which the appeal makes another team champion."""
    for attempt in count():
        made = _Making(preset, teams, seed, Random(f"{name}/{attempt}")).script()  # noqa: S311  a story, no secret
        if made is not None:
            return made
    raise AssertionError


class _Making:
    """One attempt at a competition."""

    def __init__(self, preset: Preset, teams: Sequence[Team], seed: bytes, random: Random) -> None:
        self._preset, self._seed, self._random = preset, seed, random
        self._strength = {team.id: random.uniform(-STRONGEST, STRONGEST) for team in teams}
        self._competition = Competition(teams=tuple(teams), seed=seed.hex())

    def script(self) -> Script | None:
        rounds: list[RoundScript] = []
        last = rounds_for(self._preset, len(self._competition.teams))
        withdrawn = ""
        for number in range(1, last):
            rounds.append(self._round(number))
            self._add(rounds[-1])
            if number == WITHDRAWN_AFTER:
                withdrawn = self._weakest(rounds[-1])
                self._competition = replace(self._competition, withdrawn=(withdrawn,))
        if not _worth_watching(rounds):
            return None
        for _ in range(TRIES):
            final = self._final(last)
            before, after = self._ranked(final, wrongly=True), self._ranked(final, wrongly=False)
            if _is_a_story(final, before, after):
                return Script(
                    rounds=(*(_with_misread(r) for r in rounds), final), withdrawn=withdrawn, before=before, after=after
                )
        return None

    def _round(self, number: int) -> RoundScript:
        pairing = pair(self._preset, self._competition, self._seed)
        absent = pairing.matches[-1].teams[1] if number == FORFEIT_ROUND else None
        fixtures = [
            self._forfeited(match.table, match.teams)
            if absent in match.teams
            else self._fixture(match.table, match.teams)
            for match in pairing.matches
        ]
        return RoundScript(number=number, fixtures=tuple(fixtures), bye=pairing.bye)

    def _final(self, number: int) -> RoundScript:
        """The last round: what is appealed over is the match of the two leaders."""
        pairing: Pairing = pair(self._preset, self._competition, self._seed)
        first, *rest = pairing.matches
        disputed = play_disputed(self._preset, self._random, self._edge(first.teams))
        top = Fixture(
            table=first.table,
            teams=first.teams,
            played=disputed.charged,
            disputed=disputed,
            result=disputed.charged.result,
        )
        others = (self._fixture(match.table, match.teams) for match in rest)
        return RoundScript(number=number, fixtures=(top, *others), bye=pairing.bye)

    def _fixture(self, table: int, teams: tuple[str, str]) -> Fixture:
        played = play(self._preset, self._random, self._edge(teams))
        return Fixture(table=table, teams=teams, played=played, result=played.result)

    def _forfeited(self, table: int, teams: tuple[str, str]) -> Fixture:
        return Fixture(table=table, teams=teams, absent=teams[1], result=forfeit(self._preset, 2))

    def _edge(self, teams: tuple[str, str]) -> float:
        return self._strength[teams[0]] - self._strength[teams[1]]

    def _add(self, made: RoundScript) -> None:
        self._competition = with_round(self._competition, made, {f.table: f.result for f in made.fixtures})

    def _weakest(self, made: RoundScript) -> str:
        """The last of the standings among those that came."""
        absent = {fixture.absent for fixture in made.fixtures}
        rows = standings(self._preset, self._competition)
        return next(row.team for row in reversed(rows) if row.team not in absent)

    def _ranked(self, final: RoundScript, wrongly: bool) -> tuple[Row, ...]:
        results = {
            f.table: f.disputed.rightly.result if f.disputed and not wrongly else f.result for f in final.fixtures
        }
        return tuple(standings(self._preset, with_round(self._competition, final, results)))


def with_round(competition: Competition, made: RoundScript, results: Mapping[int, MatchResult]) -> Competition:
    """The competition after a round with these results, by table."""
    matches = tuple(
        PlayedMatch(
            table=fixture.table,
            teams=fixture.teams,
            points=results[fixture.table].points,
            levels=results[fixture.table].levels,
            status="forfeit" if fixture.absent else "played",
        )
        for fixture in made.fixtures
    )
    added = Round(number=made.number, matches=matches, byes=(made.bye,) if made.bye else ())
    return replace(competition, rounds=(*competition.rounds, added))


def _worth_watching(rounds: Sequence[RoundScript]) -> bool:
    """Somebody passed A, and each round saw a penalty."""
    played = [[f.played for f in made.fixtures if f.played] for made in rounds]
    passed = any(match.summary.won_by for matches in played for match in matches)
    return passed and all(any(match.breaches for match in matches) for matches in played)


def _is_a_story(final: RoundScript, before: Sequence[Row], after: Sequence[Row]) -> bool:
    """The dispute decides who is first; all that parts teams does, and no lot is needed."""
    one, two = final.fixtures[0].teams
    firsts = {before[0].team, after[0].team}
    rules = {row.decided_by for row in after}
    if firsts != {one, two} or not {"direct_win", "cumulative"} <= rules:
        return False
    return not lots_needed(before) and not lots_needed(after)


MISREAD_ROUND, MISREAD_TABLE, MISREAD_HAND = 1, 3, 2


def _with_misread(made: RoundScript) -> RoundScript:
    """One hand of the first round is entered wrongly at first."""
    if made.number != MISREAD_ROUND:
        return made
    return replace(made, fixtures=tuple(_misread(f) if f.table == MISREAD_TABLE else f for f in made.fixtures))


def _misread(fixture: Fixture) -> Fixture:
    assert fixture.played is not None
    hands = tuple(_misread_hand(h) if h.number == MISREAD_HAND else h for h in fixture.played.hands)
    return replace(fixture, played=replace(fixture.played, hands=hands))


def _misread_hand(hand: Hand) -> Hand:
    return replace(hand, misread=hand.points + 50 if hand.points < 100 else hand.points - 50)
