"""A board at which one player is alone, or nobody plays, as it may come where few enter or the organiser lets teams
enter without a board: zhongshan-2013 says nothing of so few (assumed: decision 0022)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.e2e.stories.test_zhongshan import OCTOBER, SEPTEMBER, _form
from tests.support.courses import Hall
from tests.support.world import World

DEPARTMENTS = ("内科", "外科", "儿科", "药学部")
NO_BOARD_NEEDED = {"entry.roster.xiangqi.least": 0, "entry.roster.weiqi.least": 0, "entry.players_min": 4}
"""六（一）: 象棋选手1至2名，围棋选手1至2名, which this organiser does not ask for."""


def form(department: str) -> dict[str, Any]:
    """No player of 象棋, and one of 围棋 in the first department alone."""
    full = _form(department)
    kept = {"tractor_pairs", None} | ({"weiqi"} if department == DEPARTMENTS[0] else set())
    full["members"] = [m for m in full["members"] if m.get("event") in kept and m["name"] != f"{department}weiqi2"]
    return full


def with_cards_played() -> Hall:
    """The cards are over; no board is drawn."""
    forms = [form(each) for each in DEPARTMENTS]
    hall = Hall(World(SEPTEMBER), "zhongshan-2013", forms, OCTOBER, NO_BOARD_NEEDED)
    hall.to_the_end(lambda paired: (hall.hands(paired["matches"]), hall.finish(paired)))
    return hall


@pytest.fixture(scope="module")
def hall() -> Hall:
    return with_cards_played()


@pytest.fixture(scope="module")
def alone(hall: Hall) -> Hall:
    """围棋, drawn: the place of the one player is decided."""
    weiqi = hall.beside("weiqi")
    weiqi.draw()
    return weiqi


def test_one_alone_takes_the_first_place_without_a_game(hall: Hall, alone: Hall) -> None:
    assert alone.refused(f"/match/{alone.base}/rounds") == "all-rounds-paired"
    (row,) = alone.standings()
    assert (row["rank"], row["points"], row["decided_by"]) == (1, 0, None)
    (place,) = alone.declare()
    assert (place["rank"], place["award"]) == (1, 1)
    (given,) = alone.see(f"/ranking/{alone.base}/awards")["awards"]
    assert given["prizes"] == ["gift", "medal"]  # 五（三）, 五（四）


def test_nobody_is_drawn_where_nobody_plays(hall: Hall) -> None:
    assert hall.refused(f"/match/{hall.base}.xiangqi/draws") == "too-few-teams"
    assert hall.see(f"/match/{hall.base}.xiangqi")["drawn"] == []


def test_the_totals_wait_for_neither_and_the_first_place_counts(hall: Hall, alone: Hall) -> None:
    hall.declare()
    answer = hall.see(f"/ranking/{hall.base}/totals")
    assert not answer["provisional"]
    assert [(event["event"], event["decided"]) for event in answer["events"]] == [
        ("tractor", True),
        ("xiangqi", True),
        ("weiqi", True),
    ]
    assert sorted((row["points"]["weiqi"] for row in answer["rows"]), reverse=True) == [7, 0, 0, 0]  # 五（一）
    assert {row["points"]["xiangqi"] for row in answer["rows"]} == {0}


def test_until_it_is_drawn_the_totals_wait_for_the_one_player() -> None:
    hall = with_cards_played()
    hall.declare()
    answer = hall.see(f"/ranking/{hall.base}/totals")
    assert answer["provisional"]
    assert [event["decided"] for event in answer["events"]] == [True, True, False]
