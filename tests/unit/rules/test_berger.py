"""Berger tables, against those printed in the FIDE Handbook (C.05, annex 1: Details of Berger Table)."""

from __future__ import annotations

from itertools import combinations

import pytest

from shared.rules.formats.berger import berger

FOUR = ["1-4 2-3", "4-3 1-2", "2-4 3-1"]
SIX = ["1-6 2-5 3-4", "6-4 5-3 1-2", "2-6 3-1 4-5", "6-5 1-4 2-3", "3-6 4-2 5-1"]
EIGHT = [
    "1-8 2-7 3-6 4-5",
    "8-5 6-4 7-3 1-2",
    "2-8 3-1 4-7 5-6",
    "8-6 7-5 1-4 2-3",
    "3-8 4-2 5-1 6-7",
    "8-7 1-6 2-5 3-4",
    "4-8 5-3 6-2 7-1",
]


@pytest.mark.parametrize("printed", [FOUR, SIX, EIGHT])
def test_the_printed_tables(printed: list[str]) -> None:
    numbers = [str(n) for n in range(1, len(printed) + 2)]
    made = [" ".join("-".join(pair) for pair in pairs) for pairs, _ in berger(numbers)]
    assert made == printed


@pytest.mark.parametrize("number", range(2, 13))
def test_everybody_meets_everybody_once_and_of_an_odd_number_each_rests_once(number: int) -> None:
    teams = [str(n) for n in range(number)]
    rounds = berger(teams)
    met = [frozenset(pair) for pairs, _ in rounds for pair in pairs]
    assert sorted(map(sorted, met)) == sorted(map(list, combinations(sorted(teams), 2)))
    assert sorted(rests for _, rests in rounds if rests) == (sorted(teams) if number % 2 else [])


def test_one_alone_meets_nobody() -> None:
    assert berger(["1"]) == []
