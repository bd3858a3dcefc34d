"""Awards: jimei-2018 十三, 比赛录取前八名进行奖励，不足九队减一录取."""

from __future__ import annotations

import pytest

from shared.rules.errors import LotNeeded
from shared.rules.formats.awards import awards, places_awarded
from shared.rules.formats.standings import Row, standings
from shared.rules.regulations import Preset, changed
from tests.unit.rules.tables import competition, round_of


@pytest.mark.parametrize(("teams", "places"), [(12, 8), (9, 8), (8, 7), (5, 4), (2, 1), (1, 0), (0, 0)])
def test_the_number_of_places(jimei: Preset, teams: int, places: int) -> None:
    assert places_awarded(jimei, teams) == places


def parted(preset: Preset, teams: int, **more: object) -> list[Row]:
    """Standings of teams that only their lots part."""
    names = [f"T{n:02d}" for n in range(1, teams + 1)]
    return standings(preset, competition(" ".join(names), lots={t: n for n, t in enumerate(names, 1)}, **more))


def test_the_first_eight_of_twelve(jimei: Preset) -> None:
    given = awards(jimei, parted(jimei, 12))
    assert [(award.place, award.team) for award in given] == [(n, f"T{n:02d}") for n in range(1, 9)]


def test_of_six_teams_the_first_five(jimei: Preset) -> None:
    assert [award.team for award in awards(jimei, parted(jimei, 6))] == ["T01", "T02", "T03", "T04", "T05"]


def test_a_disqualified_team_gets_nothing_and_the_next_moves_up(jimei: Preset) -> None:
    given = awards(jimei, parted(jimei, 9, disqualified=("T01",)))
    assert (given[0].place, given[0].team) == (1, "T02")
    assert len(given) == 8


def test_a_shared_place_among_the_awarded_waits_for_its_lot(jimei: Preset) -> None:
    rows = standings(jimei, competition("A B C D", round_of(1, "A-B 1:1, C-D 1:1")))
    with pytest.raises(LotNeeded) as refused:
        awards(jimei, rows)
    assert refused.value.teams == (("A", "B", "C", "D"),)


def test_a_place_shared_below_the_awarded_needs_no_lot(jimei: Preset) -> None:
    # A has 3 points and leads; whatever is shared below, only the first place is awarded
    own = changed(jimei, {"awards.places": 1})
    rows = standings(own, competition("A B C D", round_of(1, "A-B 2:0, C-D 1:1"), round_of(2, "A-C 2:0, B-D 1:1")))
    assert [award.team for award in awards(own, rows)] == ["A"]
