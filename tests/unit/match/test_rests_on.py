"""A round says what it rests on: which closing of each round before, and whether a result has changed since, by opening
it again or by a committee's ruling."""

from __future__ import annotations

from typing import Any

import pytest

from services.match.projections import competitions
from tests.unit.match.hall import CUP, facts
from tests.unit.match.service import MatchService


def rests_on(service: MatchService, number: int) -> list[tuple[int, int, bool]]:
    row = service.engine.reader.get(competitions, CUP)
    assert row is not None
    return [(one["round"], one["closing"], one["changed"]) for one in row.rests_on(number)]


def test_after_a_round_was_reopened_every_later_one_says_that_what_it_rests_on_has_changed() -> None:
    service = MatchService().announce().played()
    service.do("pair_next")
    assert rests_on(service, 1) == []
    assert rests_on(service, 2) == [(1, 1, False)]
    service.do("reopen_round", 1, ["r1t1"], "记分有误")
    assert rests_on(service, 2) == [(1, 1, True)]
    service.do("close_match", "r1t1")
    service.do("close_round", 1)
    assert rests_on(service, 2) == [(1, 1, True)], "it was paired on the first closing, and there is a second"


def test_a_round_paired_anew_rests_on_what_is_there_then() -> None:
    service = MatchService().announce().played()
    service.do("reopen_round", 1, ["r1t1"], "记分有误")
    service.do("close_match", "r1t1")
    service.do("close_round", 1)
    service.do("pair_next")
    assert rests_on(service, 2) == [(1, 2, False)]


LATER_HAND = {"hand": 1, "facts": facts(1, 80)}


@pytest.mark.parametrize(
    ("kind", "remedy"),
    [
        ("correct_hand", LATER_HAND),  # 十: of 80 the attackers take the deal, nobody gains
        ("annul_hand", {"hand": 1}),
        ("impose_penalty", {"hand": 1, "pair": "13", "code": "revoke"}),
        ("award_match", {"team": None}),
        ("replay_match", {}),
    ],
)
def test_a_ruling_that_changes_a_result_changes_what_later_rounds_rest_on(kind: str, remedy: dict[str, Any]) -> None:
    service = MatchService().announce().played()
    service.do("pair_next")
    loser = service.match().opened.teams[1].id  # type: ignore[union-attr]
    service.uphold(kind, **{name: loser if name == "team" else value for name, value in remedy.items()})
    service.settle()
    assert rests_on(service, 2) == [(1, 1, True)]


def test_it_stays_so_when_another_ruling_changes_the_result_again() -> None:
    """Round 2 was paired while a penalty stood; that is lifted, and imposed again."""
    service = MatchService().announce().played()
    service.do("pair_next")
    service.uphold("impose_penalty", hand=1, pair="13", code="revoke")
    service.uphold("lift_penalty", penalty="ruling-1", appeal="a2")
    service.settle()
    assert rests_on(service, 2) == [(1, 1, True)]


def test_a_disqualified_team_leaves_its_results() -> None:
    """jimei-2018 七.7: its own result is cancelled, and what its opponents won against it stands."""
    service = MatchService().announce().played()
    service.do("pair_next")
    service.uphold("disqualify_team", team=service.match().opened.teams[0].id)  # type: ignore[union-attr]
    service.settle()
    assert rests_on(service, 2) == [(1, 1, False)]


def test_a_ruling_before_the_pairing_is_what_it_was_paired_on() -> None:
    service = MatchService().announce().played()
    service.uphold("annul_hand", hand=1)
    service.settle()
    service.do("pair_next")
    assert rests_on(service, 2) == [(1, 1, False)]
