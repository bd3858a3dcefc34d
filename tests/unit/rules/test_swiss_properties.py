"""The pairing is the best of all pairings, found again by trying every one of them.

The costs are summed here from the file's rounds alone, by other code than the engine's.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shared.rules.errors import PairingRefused
from shared.rules.formats.competition import Competition, PlayedMatch, Round, Team
from shared.rules.formats.swiss import Pairing, pair
from shared.rules.regulations import load
from tests.unit.rules.competitions import RESULTS, competitions

JIMEI = load("jimei-2018")
SEEDS = st.binary(min_size=16, max_size=16)
Pairs = tuple[tuple[str, ...], ...]


def every_pairing(teams: list[str]) -> Iterator[Pairs]:
    """All ways to put the teams in pairs; of an odd number one stands alone."""
    if not teams:
        yield ()
        return
    first, rest = teams[0], teams[1:]
    if len(teams) % 2:
        for alone in range(len(teams)):
            others = teams[:alone] + teams[alone + 1 :]
            yield from (((teams[alone],), *pairs) for pairs in every_pairing(others))
        return
    for other in rest:
        for pairs in every_pairing([team for team in rest if team != other]):
            yield ((first, other), *pairs)


def cost(competition: Competition, pairs: Pairs) -> tuple[int, ...]:
    """Repeated meetings, second byes, the bye's points, differences, squared differences."""
    points: Counter[str] = Counter()
    met: Counter[frozenset[str]] = Counter()
    byes: Counter[str] = Counter()
    for round_ in competition.rounds:
        for match in round_.matches:
            met[frozenset(match.teams)] += 1
            points.update(dict(zip(match.teams, match.points or (0, 0), strict=True)))
        for team in round_.byes:
            byes[team] += 1
            points[team] += 2
    alone = [pair[0] for pair in pairs if len(pair) == 1]
    apart = [abs(points[pair[0]] - points[pair[1]]) for pair in pairs if len(pair) == 2]
    return (
        sum(met[frozenset(pair)] for pair in pairs if len(pair) == 2),
        sum(byes[team] for team in alone),
        sum(points[team] for team in alone),
        sum(apart),
        sum(each**2 for each in apart),
    )


def as_pairs(pairing: Pairing) -> Pairs:
    alone = ((pairing.bye,),) if pairing.bye else ()
    return (*(match.teams for match in pairing.matches), *alone)


@given(competitions(sizes=(1, 8), most_rounds=5), SEEDS)
@settings(max_examples=250, deadline=None)
def test_no_other_pairing_is_better(competition: Competition, seed: bytes) -> None:
    made = as_pairs(pair(JIMEI, competition, seed))
    best = min(cost(competition, pairs) for pairs in every_pairing(list(competition.ids)))
    assert cost(competition, made) == best


@given(competitions(sizes=(1, 8), most_rounds=5), SEEDS)
@settings(max_examples=150, deadline=None)
def test_a_rule_is_given_up_exactly_when_no_pairing_keeps_it(competition: Competition, seed: bytes) -> None:
    pairing = pair(JIMEI, competition, seed)
    costs = [cost(competition, pairs) for pairs in every_pairing(list(competition.ids))]
    fewest = min(each[0] for each in costs)
    assert ("no_rematch" in pairing.gave_up) == (fewest > 0)
    assert ("one_bye" in pairing.gave_up) == (min(each[1] for each in costs if each[0] == fewest) > 0)
    assert len(pairing.why) == len(pairing.gave_up)


@st.composite
def orders(draw: st.DrawFn) -> Competition:
    """A competition in which teams are out and pairs fixed or forbidden, at random."""
    played = draw(competitions(sizes=(3, 9), most_rounds=4))
    out = draw(st.lists(st.sampled_from(played.ids), unique=True, max_size=2))
    playing = draw(st.permutations([team for team in played.ids if team not in out]))
    fixed = tuple(zip(playing[: 2 * draw(st.integers(0, 1)) : 2], playing[1::2], strict=False))
    pairs = st.tuples(st.sampled_from(played.ids), st.sampled_from(played.ids)).filter(lambda pair: pair[0] != pair[1])
    forbidden = [pair for pair in draw(st.lists(pairs, max_size=8)) if set(pair) not in [set(one) for one in fixed]]
    return msgspec.structs.replace(
        played, withdrawn=tuple(out[:1]), absent=tuple(out[1:]), fixed=fixed, forbidden=tuple(forbidden)
    )


@given(orders(), SEEDS)
@settings(max_examples=300, deadline=None)
def test_no_other_pairing_that_keeps_the_orders_is_better(competition: Competition, seed: bytes) -> None:
    playing = [team for team in competition.ids if team not in (*competition.withdrawn, *competition.absent)]
    forbidden = [set(pair) for pair in competition.forbidden]
    fixed = [set(pair) for pair in competition.fixed]
    kept = [
        cost(competition, pairs)
        for pairs in every_pairing(playing)
        if not any(set(pair) in forbidden for pair in pairs)
        and all(pair in [set(one) for one in pairs] for pair in fixed)
    ]
    if not kept:
        with pytest.raises(PairingRefused, match="forbidden"):
            pair(JIMEI, competition, seed)
        return
    pairing = pair(JIMEI, competition, seed)
    made = as_pairs(pairing)
    assert sorted(team for each in made for team in each) == sorted(playing)
    assert cost(competition, made) == min(kept)
    assert ("no_rematch" in pairing.gave_up) == (cost(competition, made)[0] > 0)
    assert ("one_bye" in pairing.gave_up) == (cost(competition, made)[1] > 0)


@given(competitions(sizes=(1, 8)), SEEDS)
@settings(max_examples=150, deadline=None)
def test_every_team_is_seated_once(competition: Competition, seed: bytes) -> None:
    seated = [team for each in as_pairs(pair(JIMEI, competition, seed)) for team in each]
    assert sorted(seated) == sorted(competition.ids)


@given(st.integers(4, 40), SEEDS, st.randoms(use_true_random=False))
@settings(max_examples=40, deadline=None)
def test_a_whole_competition_has_no_rematch_and_at_most_one_bye_a_team(n: int, seed: bytes, random: object) -> None:
    """With more than twice as many teams as rounds there is always room for both."""
    competition = Competition(teams=tuple(Team(id=f"T{i:02d}") for i in range(n)))
    met: set[frozenset[str]] = set()
    byes: list[str] = []
    for number in range(1, min(4, (n - 1) // 2) + 1):
        pairing = pair(JIMEI, competition, seed)
        assert pairing.gave_up == ()
        met_now = {frozenset(match.teams) for match in pairing.matches}
        assert not met & met_now
        met |= met_now
        byes += [pairing.bye] if pairing.bye else []
        competition = played(competition, number, pairing, random)
    assert len(set(byes)) == len(byes)


def played(competition: Competition, number: int, pairing: Pairing, random: object) -> Competition:
    matches = tuple(
        PlayedMatch(
            table=match.table,
            teams=match.teams,
            points=random.choice(RESULTS),  # type: ignore[attr-defined]
            status="played",
        )
        for match in pairing.matches
    )
    byes = (pairing.bye,) if pairing.bye else ()
    done = Round(number=number, matches=matches, byes=byes)
    return msgspec.structs.replace(competition, rounds=(*competition.rounds, done))
