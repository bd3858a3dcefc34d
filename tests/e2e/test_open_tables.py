"""A round is paired, and a stage drawn, from confirmed results only; who asks too early is told which tables are
missing (jimei-2018 十.1 pairs by points, zhongshan-2013 七（一）1 draws the second stage among those left)."""

from __future__ import annotations

from typing import Any

from tests.e2e.stories import test_jimei as jimei
from tests.e2e.stories import test_zhongshan as zhongshan
from tests.support.courses import Hall
from tests.support.world import World


def told(hall: Hall, path: str) -> tuple[str, str]:
    problem: Any = hall.world.post(f"/match/{hall.base}/{path}").get_json()
    return problem["type"].rpartition("/")[2], problem["detail"]


def test_a_pairing_that_comes_too_early_names_the_tables() -> None:
    hall = jimei.entered(World())
    hall.draw()
    first = hall.pair()
    hall.hands(first["matches"])
    hall.call_time(first)
    hall.close(first["matches"][1]["match"])
    assert told(hall, "rounds") == ("open-matches", "Round 1 has open matches at tables 1, 3.")
    hall.close(*(match["match"] for match in first["matches"] if match["table"] != 2))
    assert told(hall, "rounds") == ("round-is-open", "Round 1 is not closed yet.")
    hall.close_round(first)
    hall.pair()


def test_of_a_round_that_was_opened_again_the_match_in_question_is_named() -> None:
    hall = jimei.entered(World())
    hall.draw()
    first = hall.pair()
    hall.hands(first["matches"])
    hall.finish(first)
    hall.reopen(1, first["matches"][2]["match"])
    assert told(hall, "rounds") == ("open-matches", "Round 1 has open matches at tables 3.")


def test_a_stage_that_is_drawn_too_early_names_them_too() -> None:
    hall = zhongshan.entered(World(zhongshan.SEPTEMBER))
    hall.draw()
    first = hall.pair()
    hall.hands(first["matches"])
    assert told(hall, "draws") == ("open-matches", "Round 1 has open matches at tables 1, 2, 3, 4.")
