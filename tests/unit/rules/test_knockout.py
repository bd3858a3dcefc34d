"""Brackets: any size, byes, forfeits, double absence, matches for places."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.rules.formats.arrange import Entrant, seats_of
from shared.rules.formats.bracket import Bracket, Feed, ranks, side_of, standing
from shared.rules.formats.knockout import knockout, ladder, placement

SEED = bytes(16)
Chooser = Callable[[str, str], str | None]


def played(bracket: Bracket, winner: Chooser) -> dict[str, str | None]:
    """The results of every game that two teams come to."""
    results: dict[str, str | None] = {}
    for game in bracket.games:
        one, two = (side.team for side in standing(bracket, results)[game.id].sides)
        if one is not None and two is not None:
            results[game.id] = winner(one, two)
    return results


def better(one: str, two: str) -> str:
    """The lower number wins."""
    return min(one, two, key=int)


def teams(number: int) -> list[str]:
    return [str(n) for n in range(1, number + 1)]


def matches(bracket: Bracket) -> list[int]:
    """How many matches each round has when nobody is away."""
    results = played(bracket, better)
    counts = Counter(game.round for game in bracket.games if game.id in results)
    return [counts[number] for number in sorted(counts)]


def test_of_eight_with_a_match_for_third() -> None:  # shandong-2023 九（一）: 一等奖1、二等奖2、三等奖5
    seats = ["1", "8", "4", "5", "2", "7", "3", "6"]
    bracket = knockout("", seats, third_place=True)
    assert matches(bracket) == [4, 2, 2]
    assert ranks(bracket, played(bracket, better)) == {
        "1": 1,
        "2": 2,
        "3": 3,
        "4": 4,
        "5": 5,
        "6": 5,
        "7": 5,
        "8": 5,
    }


def test_without_such_a_match_the_losers_of_the_semi_finals_share_third() -> None:
    bracket = knockout("A", ["1", "4", "2", "3"], third_place=False)
    assert ranks(bracket, played(bracket, better)) == {"1": 1, "2": 2, "3": 3, "4": 3}


def test_a_bye_goes_on_unplayed() -> None:
    bracket = knockout("", ["1", None, "2", "3"], third_place=True)
    assert matches(bracket) == [1, 1]
    assert ranks(bracket, played(bracket, better)) == {"1": 1, "2": 2, "3": 3}


@given(st.integers(2, 40), st.booleans())
def test_a_knockout_of_n_teams_has_n_less_one_matches_and_one_more_for_third(number: int, third: bool) -> None:
    seats = seats_of([Entrant(team) for team in teams(number)], SEED, "draw", apart=False)
    bracket = knockout("", seats, third)
    assert sum(matches(bracket)) == number - 1 + (third and number >= 4)


def test_after_a_double_forfeit_the_next_opponent_advances() -> None:  # ahut-2018 四.1, assumed
    bracket = knockout("A", ["1", "2", "3", "4"], third_place=False)
    results = played(bracket, lambda one, two: None if {one, two} == {"1", "2"} else better(one, two))
    final = standing(bracket, results)["A2.1"]
    assert final.winner is not None
    assert final.winner.team == "3"
    assert ranks(bracket, results) == {"1": 3, "2": 3, "3": 1, "4": 3}


def test_a_final_that_neither_came_to_leaves_the_first_place_open() -> None:
    bracket = knockout("", ["1", "2"], third_place=True)
    assert ranks(bracket, {"1.1": None}) == {"1": 2, "2": 2}


def test_a_team_that_left_loses_what_it_has_not_played() -> None:
    bracket = knockout("", ["1", "2", "3", "4"], third_place=False)
    states = standing(bracket, {"1.1": "1", "1.2": "3"}, out=["1"])
    assert states["2.1"].winner is not None
    assert states["2.1"].winner.team == "3"
    assert states["1.1"].winner is not None
    assert states["1.1"].winner.team == "1"


def test_below_a_disqualified_team_places_move_up() -> None:  # zhongshan-2013 四, assumed
    bracket = knockout("", ["1", "4", "2", "3"], third_place=True)
    assert ranks(bracket, played(bracket, better), without=["2"]) == {"1": 1, "3": 2, "4": 3}


@pytest.mark.parametrize(
    ("pairs", "expected"),
    [
        (24, [12, 6, 3]),  # 24 → 12 → 6 → 3
        (17, [8, 4, 2]),  # 17 → 9 → 5 → 3, one bye in each
        (20, [10, 5, 2]),  # 20 → 10 → 5 → 3
        (12, [6, 3]),
        (6, [3]),
        (5, [2]),
        (4, [2, 1]),  # two of four, and the losers play for third
        (13, [6, 3, 2, 1]),  # 13 → 7 → 4, then as four
        (3, []),
    ],
)
def test_in_a_zone_until_three_are_left(pairs: int, expected: list[int]) -> None:  # 共赛三轮，决出两区的前三位
    bracket = ladder("A", teams(pairs), 3, SEED)
    assert matches(bracket) == expected
    states = standing(bracket, played(bracket, better))
    left = [side_of(feed, states).team for feed in bracket.survivors]
    assert len(left) == min(3, pairs)
    assert "1" in left


@given(st.integers(4, 60), st.integers(2, 6), st.binary(min_size=16, max_size=16))
def test_a_ladder_has_at_most_one_bye_a_round_and_nobody_a_second_without_need(
    number: int, survivors: int, seed: bytes
) -> None:
    bracket = ladder("A", teams(number), survivors, seed)
    left, idle, before = number, set[Feed](), set[Feed]()
    for round_ in sorted({game.round for game in bracket.games if "L" not in game.id}):
        row = [game for game in bracket.games if game.round == round_ and "L" not in game.id]
        assert len(row) == left // 2
        named = {feed for game in row for feed in game.feeds}
        assert len(named) == 2 * len(row)
        assert idle <= named, "who rested plays in the next round"
        winners = {Feed(winner=game.id) for game in row}
        idle = ((before or {Feed(team=team) for team in teams(number)}) - named) if left % 2 else set()
        before, left = winners | idle, left - len(row)
    assert len(bracket.survivors) == min(number, survivors)


def test_who_goes_on_without_a_match_stands_above_who_fell() -> None:
    """Of five three are left, one of them by lot; of the two who fell one is disqualified: the other is fourth of the
    zone's four, as it would be beside that one."""
    bracket = ladder("A", teams(5), 3, SEED)
    results = played(bracket, better)
    fallen = ranks(bracket, results)
    assert set(fallen.values()) == {4}
    (one, other) = fallen
    assert ranks(bracket, results, without=[other]) == {one: 4}


def test_six_play_for_every_place() -> None:  # 现场抽签进行对垒，决出前六名排名
    """Two quarter-finals, two semi-finals, and matches for 5th, 3rd and 1st."""
    bracket = placement("", ["1", None, "4", "5", "2", None, "3", "6"])
    assert matches(bracket) == [2, 2, 3]
    results = played(bracket, better)
    names = [game.name.en for game in bracket.games if game.id in results]
    assert Counter(names) == Counter(
        ["quarter-final"] * 2 + ["semi-final"] * 2 + ["final", "match for place 3", "match for place 5"]
    )
    assert ranks(bracket, results) == {str(n): n for n in range(1, 7)}


@given(st.integers(2, 16))
def test_in_a_placement_everybody_has_a_place_of_their_own(number: int) -> None:
    size = 1 << (number - 1).bit_length()
    seats: list[str | None] = [*teams(number), *[None] * (size - number)]
    bracket = placement("", seats)
    assert sorted(ranks(bracket, played(bracket, better)).values()) == list(range(1, number + 1))


def test_one_alone_is_first() -> None:
    assert ranks(placement("", ["1"]), {}) == {"1": 1}
