"""The standings of competitions of brackets: shandong 六.3 and 九（一）, ahut 二.5, zhongshan 七（一）1."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from shared.rules.errors import BadCompetition
from shared.rules.formats.competition import Competition, HallDraw, Team
from shared.rules.formats.course import course, places
from shared.rules.formats.simulation import Mishaps, simulate
from shared.rules.formats.standings import Row, basis, standings
from shared.rules.regulations import AnyPreset, load_any
from tests.unit.rules.tables import round_of

ZHONGSHAN, SHANDONG, AHUT = (load_any(name) for name in ("zhongshan-2013", "shandong-2023", "ahut-2018"))
SEATS = HallDraw(parts={"": tuple("AEDHCGBF")}, witness="the hall")
EIGHT = Competition(
    teams=tuple(Team(team) for team in "ABCDEFGH"),
    rounds=(
        round_of(1, "A-E 9:3, D-H 7:5, C-G 8:6, B-F 6:2"),
        round_of(2, "A-D 8:1, C-B 7:4"),
        round_of(3, "A-C 2:5, D-B 3:6"),
    ),
    draws={"knockout": SEATS},
)


def shown(preset: AnyPreset, table: Competition, after: int | None = None) -> list[tuple[int | None, str, str | None]]:
    return [(row.rank, row.team, row.decided_by) for row in standings(preset, table, after)]


def test_the_final_and_the_match_for_third_part_the_first_four_and_the_others_share() -> None:
    assert shown(SHANDONG, EIGHT) == [
        (1, "C", None),
        (2, "A", "bracket"),
        (3, "B", "bracket"),
        (4, "D", "bracket"),
        (5, "E", "bracket"),
        (5, "F", "shared"),
        (5, "G", "shared"),
        (5, "H", "shared"),
    ]
    assert not any(row.provisional for row in standings(SHANDONG, EIGHT))


def test_points_are_those_of_the_matches() -> None:
    found = {row.team: row.points for row in standings(SHANDONG, EIGHT)}
    assert (found["A"], found["C"], found["E"]) == (9 + 8 + 2, 8 + 7 + 5, 3)


def test_those_whose_place_is_open_share_the_best_that_is() -> None:
    assert [row.rank for row in standings(SHANDONG, EIGHT, 2)] == [1, 1, 1, 1, 5, 5, 5, 5]
    assert [row.rank for row in standings(SHANDONG, EIGHT, 0)] == [1] * 8


def test_a_round_in_progress_parts_nobody_yet() -> None:
    playing = replace(EIGHT, rounds=(*EIGHT.rounds[:2], round_of(3, "A-C unfinished, D-B 3:6")))
    rows = standings(SHANDONG, playing)
    assert [row.rank for row in rows] == [1, 1, 1, 1, 5, 5, 5, 5]
    assert all(row.provisional for row in rows)


def test_a_team_that_withdrew_later_stands_where_it_was_before() -> None:
    gone = replace(EIGHT, withdrawn=("A",))
    assert shown(SHANDONG, gone, 2) == shown(SHANDONG, EIGHT, 2)


def test_a_disqualified_team_has_no_place_and_those_below_move_up() -> None:
    rows = shown(SHANDONG, replace(EIGHT, disqualified=("A",)))
    assert rows[:3] == [(1, "C", None), (2, "B", "bracket"), (3, "D", "bracket")]
    assert rows[-1] == (None, "A", None)


def test_each_group_has_ranks_of_its_own() -> None:
    done = simulate(AHUT, 20, bytes(16)).competition
    rows = standings(AHUT, done)
    assert [row.part for row in rows] == ["A"] * 10 + ["B"] * 10
    for part in "AB":
        assert [row.rank for row in rows if row.part == part] == [1, 2, 3, 3, 5, 5, 5, 5, 9, 9]
    assert [row.decided_by for row in rows if row.rank == 1] == [None, None]


def test_zones_have_ranks_of_their_own_until_the_six_play_for_their_places() -> None:
    done = simulate(ZHONGSHAN, 24, bytes(16)).competition
    zones = standings(ZHONGSHAN, done, 1)
    assert {row.part for row in zones} == {"A", "B"}
    assert [row.rank for row in standings(ZHONGSHAN, done)][:7] == [1, 2, 3, 4, 5, 6, 7]


def test_boards_of_few_players_go_by_their_points() -> None:  # 七（二）1: round robin
    done = simulate(ZHONGSHAN, 5, bytes(16), event="xiangqi").competition
    rows = standings(ZHONGSHAN, done)
    assert [row.points for row in rows] == sorted((row.points for row in rows), reverse=True)


@given(
    st.sampled_from([ZHONGSHAN, SHANDONG, AHUT]),
    st.integers(2, 40),
    st.binary(min_size=16, max_size=16),
    st.integers(0, 5),
)
@settings(max_examples=60, deadline=None)
def test_places_that_were_decided_are_as_the_course_has_them(
    preset: AnyPreset, teams: int, seed: bytes, trouble: int
) -> None:
    done = simulate(preset, teams, seed, Mishaps(forfeits=trouble, withdrawals=trouble)).competition
    rows = standings(preset, done)
    assert sorted(row.team for row in rows) == sorted(done.ids)
    decided = {row.team: (row.part, row.rank) for row in places(course(preset, done), done)}
    assert {row.team: (row.part, row.rank) for row in rows if row.team in decided} == decided
    _check_shared(rows)


def _check_shared(rows: list[Row]) -> None:
    for part in {row.part for row in rows}:
        ranks = [row.rank for row in rows if row.part == part]
        assert ranks == sorted(ranks, key=lambda rank: rank or 0)


def test_rounds_that_the_draw_does_not_lead_to_are_taken_by_who_lost_to_whom() -> None:
    elsewhere = replace(EIGHT, draws={}, seed="00" * 16)
    assert shown(SHANDONG, elsewhere) == shown(SHANDONG, EIGHT)
    rows = standings(SHANDONG, replace(elsewhere, disqualified=("A",)))
    assert [(row.rank, row.team) for row in rows][:3] == [(1, "C"), (2, "B"), (3, "D")]


def test_in_groups_they_are_refused_since_nothing_says_who_is_in_which() -> None:
    with pytest.raises(BadCompetition) as refused:
        standings(AHUT, replace(EIGHT, draws={}, seed="00" * 16))
    assert refused.value.place.startswith("rounds[0].matches[")


def test_they_rest_on_the_articles_of_the_knock_out() -> None:
    assert [(one.article, one.mark) for one in basis(SHANDONG)] == [("六.3", "stated"), ("九（一）", "assumed")]
    assert {one.article for one in basis(ZHONGSHAN, "xiangqi")} == {"七（二）", "七（二）1"}
    assert {one.article for one in basis(ZHONGSHAN, "weiqi")} == {"七（三）", "七（三）1"}
    assert ("二", "stated") in [(one.article, one.mark) for one in basis(AHUT)]
