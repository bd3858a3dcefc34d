"""A round says what it rests on: which closing of each round before, and whether that was opened again since."""

from __future__ import annotations

from services.match.projections import competitions
from tests.unit.match.hall import CUP
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
