"""A seed is committed when entries open; an upheld appeal becomes a ruling exactly once, and one that cannot be
applied is held, not lost (RULINGS, Draws; Appeals 5)."""

from __future__ import annotations

from datetime import timedelta

import pytest

from services.match.commands import rounds_stream
from shared.contracts.registration import EntriesOpened
from tests.unit.match.hall import CUP, NOON, REGULATION
from tests.unit.match.service import MatchService

pytestmark = pytest.mark.over("memory", "kafka")


def _rulings(service: MatchService, competition: str = CUP) -> int:
    return service.events(rounds_stream(competition)).count("RulingApplied")


def test_an_upheld_appeal_is_applied_with_what_it_rests_on() -> None:
    service = MatchService().announce().played()
    service.uphold("annul_hand", hand=1)
    service.settle()
    (ruling,) = [
        event
        for _, events in service.engine.commands.history(rounds_stream(CUP))
        for event in events
        if type(event).__name__ == "RulingApplied"
    ]
    assert (ruling.appeal, ruling.article, ruling.reason) == ("a1", "十四.2", "查实")
    assert (ruling.before.points, ruling.after.points) == ((2, 0), (1, 1))
    assert ruling.by == "policy:match.rulings"


def test_an_appeal_delivered_again_is_applied_once() -> None:
    service = MatchService().announce().played()
    upheld = service.uphold("annul_hand", hand=1)
    service.settle()
    consumer = service.engine.policies[-1]
    consumer.drop()  # a group that has forgotten where it was
    service.settle()
    service.log.publish([upheld])
    service.settle()
    assert _rulings(service) == 1


def test_a_decision_without_a_remedy_changes_nothing() -> None:
    service = MatchService().announce().played()
    service.uphold("none")
    service.settle()
    assert _rulings(service) == 0
    assert service.engine.held() == []


def test_a_ruling_that_cannot_be_applied_is_held_with_the_later_ones_of_its_competition() -> None:
    service = MatchService().announce().announce("bowl").played()
    service.uphold("annul_hand", hand=9)
    service.uphold("annul_hand", appeal="a2", hand=1)
    service.settle()
    (held,) = service.engine.held()
    assert (held["competition"], held["first"]) == (CUP, "appeal/cup/a1@1")
    assert "RemedyImpossible" in held["error"]
    assert _rulings(service) == 0


def test_a_held_ruling_is_applied_when_it_has_become_possible() -> None:
    service = MatchService().announce().paired()
    service.uphold("annul_hand", hand=1)  # decided faster than the referee entered the hand
    service.uphold("annul_hand", appeal="a2", hand=2)
    service.settle()
    assert _rulings(service) == 0
    service.hand(1)
    service.hand(2, dealer=3)
    service.clock.advance(timedelta(hours=1))
    service.settle()
    assert _rulings(service) == 2
    assert service.engine.held() == []


def test_places_are_not_declared_over_a_ruling_that_is_held() -> None:
    service = MatchService().announce().played()
    service.uphold("annul_hand", hand=9)
    service.settle()
    row = service.commands._competition(CUP)
    assert row.appealed().ruled == ("a1",)
    assert "a1" not in service.rounds().appeals


def _opened(service: MatchService, competition: str = CUP) -> None:
    opened = EntriesOpened(
        regulation=REGULATION, by="bureau", competition=competition, closes_at=NOON, article="十二（报名）"
    )
    service.say("registration", f"competition/{competition}", opened)


def _seeds(service: MatchService, competition: str = CUP) -> list[str]:
    return [
        event.by
        for _, events in service.engine.commands.history(rounds_stream(competition))
        for event in events
        if type(event).__name__ == "SeedCommitted"
    ]


def test_when_entries_open_a_seed_is_committed_that_nobody_can_forget() -> None:
    service = MatchService().announce()
    _opened(service)
    service.settle()
    assert _seeds(service) == ["policy:match.seeds"]


def test_a_seed_that_a_person_committed_stands() -> None:
    service = MatchService().announce()
    service.do("commit_seed")
    _opened(service)
    service.settle()
    assert _seeds(service) == ["bureau"]


def test_after_entries_closed_no_seed_is_chosen_any_more() -> None:
    # whoever chose it then would know the entries (RULINGS, Draws)
    service = MatchService().announce()
    service.close_entries()
    _opened(service)
    service.settle()
    assert _seeds(service) == []
    assert service.engine.held() == []
