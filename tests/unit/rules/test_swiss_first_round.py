"""Round 1 (瑞士制首轮): by lot, or among the seeds by 邻近, 拦腰, 首尾 or 上下半区."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from shared.rules.errors import BadCompetition
from shared.rules.formats.competition import Competition, Team, check
from shared.rules.formats.draws import shuffle
from shared.rules.formats.swiss import Pairing, pair
from shared.rules.regulations import Preset, changed

SEED = bytes(range(16))


def seeded(teams: int, **more: object) -> Competition:
    """Teams 1, 2, … by strength."""
    return Competition(teams=tuple(Team(str(n), seed=n) for n in range(1, teams + 1)), **more)  # type: ignore[arg-type]


def by(preset: Preset, method: str, competition: Competition, seed: bytes = SEED) -> Pairing:
    return pair(changed(preset, {"draws.first_round": method}), competition, seed)


def pairs(pairing: Pairing) -> set[frozenset[str]]:
    return {frozenset(match.teams) for match in pairing.matches}


@pytest.mark.parametrize(
    ("method", "expected"),
    [
        ("adjacent", "1-2 3-4 5-6 7-8"),  # 邻近
        ("fold", "1-5 2-6 3-7 4-8"),  # 拦腰
        ("ends", "1-8 2-7 3-6 4-5"),  # 首尾
    ],
)
def test_who_meets_whom(jimei: Preset, method: str, expected: str) -> None:
    assert pairs(by(jimei, method, seeded(8))) == {frozenset(pair.split("-")) for pair in expected.split()}


@pytest.mark.parametrize("method", ["adjacent", "fold", "ends", "halves"])
def test_of_an_odd_field_the_last_seed_has_the_bye_and_the_others_meet_as_if_it_were_not_there(
    jimei: Preset, method: str
) -> None:
    pairing = by(jimei, method, seeded(9))
    assert pairing.bye == "9"
    assert method == "halves" or pairs(pairing) == pairs(by(jimei, method, seeded(8)))


def test_by_halves_each_of_the_upper_half_meets_one_of_the_lower_by_lot(jimei: Preset) -> None:
    drawn = [by(jimei, "halves", seeded(8), bytes([n]) * 16) for n in range(20)]
    assert all(sorted(min(pair) for pair in pairs(pairing)) == list("1234") for pairing in drawn)
    assert len({frozenset(pairs(pairing)) for pairing in drawn}) > 5


def test_teams_without_a_seed_follow_the_seeds_in_the_order_of_lots(jimei: Preset) -> None:
    teams = (Team("1", seed=1), *(Team(name) for name in "abc"))
    second, third, fourth = shuffle(SEED, "round 1", [team.id for team in teams if team.seed is None])
    assert pairs(by(jimei, "fold", Competition(teams=teams))) == {frozenset({"1", third}), frozenset({second, fourth})}


@pytest.mark.parametrize("method", ["fold", "ends", "halves"])
def test_when_two_may_not_meet_the_halves_are_still_kept(jimei: Preset, method: str) -> None:
    forbidden = (("1", "5"), ("1", "8"))
    made = pairs(by(jimei, method, seeded(8, forbidden=forbidden)))
    assert not made & {frozenset(pair) for pair in forbidden}
    assert sorted(min(pair) for pair in made) == list("1234")


@pytest.mark.parametrize("method", ["lot", "adjacent", "fold", "ends", "halves"])
def test_a_large_field_is_paired_in_the_same_way(jimei: Preset, method: str) -> None:
    """More teams than the matching is shown at once: 400, of which 1 may not meet 201 (拦腰)."""
    competition = seeded(400, forbidden=(("1", "201"),))
    made = by(jimei, method, competition)
    assert len(made.matches) == 200
    assert frozenset({"1", "201"}) not in pairs(made)
    if method == "fold":
        assert len(pairs(made) & {frozenset({str(n), str(n + 200)}) for n in range(1, 201)}) >= 198


def test_no_two_teams_share_a_seed() -> None:
    competition = seeded(3)
    with pytest.raises(BadCompetition, match=r"teams\[2\].seed"):
        check(replace(competition, teams=(*competition.teams[:2], Team("3", seed=1))))
