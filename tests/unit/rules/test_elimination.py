"""Places of a knock-out: shandong-2023 六.3, ahut-2018 二.5, and all places played for in zhongshan-2013 七（一）1."""

from __future__ import annotations

import pytest

from shared.rules.formats.elimination import knocked_out
from shared.rules.formats.standings import standings
from shared.rules.regulations import Preset, load
from tests.unit.rules.tables import competition, round_of

EIGHT = (
    round_of(1, "A-E 2:0, B-F 2:0, C-G 2:0, D-H 2:0"),
    round_of(2, "A-B 2:0, D-C 0:2"),
    round_of(3, "A-C 0:2, B-D 2:0"),
)


@pytest.fixture(scope="module")
def shandong() -> Preset:
    return load("shandong-2023")


def groups(*rounds: object, teams: str = "ABCDEFGH") -> list[str]:
    return ["".join(group) for group in knocked_out(teams, rounds)]  # type: ignore[arg-type]


def test_the_final_and_the_match_for_third_part_the_first_four() -> None:
    assert groups(*EIGHT) == ["C", "A", "B", "D", "EFGH"]


def test_who_lost_in_the_same_round_and_played_no_more_shares_places() -> None:
    assert groups(*EIGHT[:2]) == ["AC", "BD", "EFGH"]
    assert groups(*EIGHT[:1]) == ["ABCD", "EFGH"]
    assert groups() == ["ABCDEFGH"]


def test_all_places_may_be_played_for() -> None:
    # two byes, two quarter-finals; then matches for 5th, 3rd and 1st
    rounds = (
        round_of(1, "C-F 2:0, D-E 0:2", bye="A B"),
        round_of(2, "A-C 0:2, B-E 2:0"),
        round_of(3, "F-D 2:0, A-E 2:0, C-B 2:0"),
    )
    assert groups(*rounds, teams="ABCDEF") == list("CBAEFD")


def test_a_forfeit_is_a_loss_and_where_neither_came_both_lose() -> None:
    rounds = (round_of(1, "A-B 2:0 forfeit, C-D 0:0 forfeit"),)
    assert groups(*rounds, teams="ABCD") == ["A", "BCD"]


def test_a_match_that_is_open_cancelled_or_drawn_moves_nobody() -> None:
    rounds = (round_of(1, "A-B unfinished, C-D 2:0 cancelled, E-F 1:1"),)
    assert groups(*rounds, teams="ABCDEF") == ["ABCDEF"]


def test_the_standings_of_a_knock_out_go_by_its_rounds(shandong: Preset) -> None:
    rows = standings(shandong, competition("A B C D E F G H", *EIGHT))
    assert [(row.rank, row.team, row.decided_by) for row in rows] == [
        (1, "C", None),
        (2, "A", "bracket"),
        (3, "B", "bracket"),
        (4, "D", "bracket"),
        (5, "E", "bracket"),
        (5, "F", "shared"),
        (5, "G", "shared"),
        (5, "H", "shared"),
    ]


def test_a_round_in_progress_parts_nobody_yet(shandong: Preset) -> None:
    final = round_of(3, "A-C unfinished, B-D 2:0")
    rows = standings(shandong, competition("A B C D E F G H", *EIGHT[:2], final))
    assert [row.rank for row in rows] == [1, 1, 3, 3, 5, 5, 5, 5]
    assert rows[0].provisional
    assert not any(row.provisional for row in standings(shandong, competition("A B C D E F G H", *EIGHT), 1))


def test_a_disqualified_team_has_no_place_and_those_below_move_up(shandong: Preset) -> None:
    rows = standings(shandong, competition("A B C D E F G H", *EIGHT, disqualified=("A",)))
    assert [(row.rank, row.team) for row in rows][:3] == [(1, "C"), (2, "B"), (3, "D")]
    assert (rows[-1].rank, rows[-1].team) == (None, "A")
