"""Who stays away gets nothing for it: whatever rounds a team misses, no order of leaving and returning brings a point
or a bye (RULINGS, Draws, pairing, byes: absence is for one round, one bye a team, a late team gets nothing for rounds
before it came)."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from shared.rules.formats.competition import Competition, PlayedMatch, Round, Team
from shared.rules.formats.history import field_of
from shared.rules.formats.swiss import Pairing, pair
from shared.rules.regulations import load

JIMEI = load("jimei-2018")
AWAY = "T1"
Plan = list[bool]
"""By round, whether the team is away."""


def played(paired: Pairing, absent: tuple[str, ...], wins: bool) -> Round:
    """A round in which the team that stays away at times always wins, or always loses; else the first named wins."""
    matches = tuple(
        PlayedMatch(
            table=match.table,
            teams=match.teams,
            points=(0, 2) if AWAY in match.teams and (match.teams[1] == AWAY) == wins else (2, 0),
            status="played",
        )
        for match in paired.matches
    )
    byes = (paired.bye,) if paired.bye else ()
    return Round(number=paired.round, matches=matches, byes=byes, absent=absent)


def after(plan: Plan, teams: int, seed: bytes, wins: bool) -> tuple[Competition, list[Pairing]]:
    competition = Competition(teams=tuple(Team(f"T{n}", "", "") for n in range(1, teams + 1)))
    pairings = []
    for away in plan:
        absent = (AWAY,) if away else ()
        entered = Competition(teams=competition.teams, rounds=competition.rounds, absent=absent)
        pairings.append(pair(JIMEI, entered, seed))
        done = played(pairings[-1], absent, wins)
        competition = Competition(teams=competition.teams, rounds=(*competition.rounds, done))
    return competition, pairings


@given(
    plan=st.lists(st.booleans(), min_size=1, max_size=4),
    teams=st.integers(5, 9),
    seed=st.binary(min_size=16, max_size=16),
    wins=st.booleans(),
)
def test_no_order_of_leaving_and_returning_gains_a_point_or_a_bye(
    plan: Plan, teams: int, seed: bytes, wins: bool
) -> None:
    competition, pairings = after(plan, teams, seed, wins)
    field = field_of(JIMEI, competition)
    won = sum(2 for outcome in field.outcomes[AWAY] if outcome.kind == "played" and wins)
    byes = [paired.round for paired in pairings if paired.bye == AWAY]
    assert all(
        outcome.kind == "absent" and outcome.points == 0
        for outcome, away in zip(field.outcomes[AWAY], plan, strict=True)
        if away
    ), "a round that it missed brings nothing"
    assert not [number for number in byes if plan[number - 1]], "nor the bye of one"
    assert len(byes) <= 1, "and one bye a team, wherever it was meanwhile"
    assert field.points[AWAY] == won + 2 * len(byes) <= 2 * plan.count(False)
