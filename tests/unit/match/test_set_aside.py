"""A decision that match can never apply is set aside by two people with a reason, and nothing waits behind it any more
(RULINGS, Appeals 5: a decision becomes a ruling exactly once; who is late or wrong loses nobody's appeal)."""

from __future__ import annotations

from datetime import timedelta

import pytest

from services.match import refusals
from services.match.commands import rounds_stream
from tests.unit.match.hall import CUP
from tests.unit.match.service import MatchService

WHY = "本场只打了一副牌"


def _stuck() -> MatchService:
    """The committee annulled hand 9 of a match of one hand, and hand 1 in its second decision."""
    service = MatchService().announce().played()
    service.uphold("annul_hand", hand=9)
    service.uphold("annul_hand", appeal="a2", hand=1)
    service.settle()
    return service


def _rulings(service: MatchService) -> list[str]:
    return [
        event.appeal
        for _, events in service.engine.commands.history(rounds_stream(CUP))
        for event in events
        if type(event).__name__ == "RulingApplied"
    ]


def test_two_people_set_it_aside_and_what_waited_behind_it_is_applied() -> None:
    service = _stuck()
    service.do("propose_set_aside", "a1", WHY, by="chief")
    assert _rulings(service) == []
    service.do("set_aside", "a1", by="bureau")
    assert _rulings(service) == ["a2"]
    assert service.engine.held() == []


def test_even_when_it_was_parked_for_good() -> None:
    service = _stuck()
    for _ in range(8):
        service.clock.advance(timedelta(hours=1))
        service.settle()
    assert [entry["parked"] for entry in service.engine.held()] == [True]
    service.do("propose_set_aside", "a1", WHY, by="chief")
    service.do("set_aside", "a1", by="bureau")
    assert _rulings(service) == ["a2"]


def test_it_says_which_rule_refuses_the_ruling_and_who_set_it_aside() -> None:
    service = _stuck()
    service.do("propose_set_aside", "a1", WHY, by="chief")
    (event,) = service.do("set_aside", "a1", by="bureau").events
    assert (event.appeal, event.match, event.refusal) == ("a1", "r1t1", "remedy-impossible")
    assert "9" in event.refused[0]
    assert "9" in event.refused[1]
    assert (event.reason, event.proposed_by, event.by) == (WHY, "chief", "bureau")
    assert service.commands._competition(CUP).set_asides["a1"]["confirmed_by"] == "bureau"


def test_one_person_alone_does_not() -> None:
    service = _stuck()
    with pytest.raises(refusals.SetAsideNotProposed):
        service.do("set_aside", "a1", by="bureau")
    service.do("propose_set_aside", "a1", WHY, by="chief")
    with pytest.raises(refusals.TwoPeopleNeeded):
        service.do("set_aside", "a1", by="chief")
    assert _rulings(service) == []


def test_what_can_be_applied_is_nobodys_to_set_aside() -> None:
    service = MatchService().announce().paired()
    service.uphold("annul_hand", hand=1)  # decided faster than the referee entered the hand
    service.settle()
    service.do("propose_set_aside", "a1", WHY, by="chief")
    service.hand(1)
    with pytest.raises(refusals.RulingCanBeApplied):
        service.do("set_aside", "a1", by="bureau")


def test_what_was_applied_or_set_aside_or_never_decided_is_not_set_aside() -> None:
    service = _stuck()
    with pytest.raises(refusals.NoSuchDecision):
        service.do("propose_set_aside", "a3", WHY)
    service.do("propose_set_aside", "a1", WHY, by="chief")
    service.do("set_aside", "a1", by="bureau")
    with pytest.raises(refusals.RulingIsSetAside):
        service.do("propose_set_aside", "a1", WHY)
    with pytest.raises(refusals.RulingIsApplied):
        service.do("propose_set_aside", "a2", WHY)


def test_another_reason_than_was_proposed_is_proposed_anew() -> None:
    service = MatchService().announce().paired()
    service.uphold("annul_hand", hand=9)
    service.uphold("correct_hand", appeal="a2", name="r9t9", hand=1, facts={"dealer": 1, "points": 0})
    service.settle()
    service.do("propose_set_aside", "a1", WHY, by="chief")
    service.do("unpair", 1, "编排有误")  # and so the match itself is gone
    with pytest.raises(refusals.SetAsideHasChanged):
        service.do("set_aside", "a1", by="bureau")


def test_it_is_never_applied_afterwards() -> None:
    service = MatchService().announce().paired()
    service.uphold("annul_hand", hand=1)
    service.settle()
    service.do("propose_set_aside", "a1", WHY, by="chief")
    service.do("set_aside", "a1", by="bureau")
    service.hand(1)
    service.clock.advance(timedelta(hours=1))
    service.settle()
    assert _rulings(service) == []
    assert service.engine.held() == []


def test_places_do_not_wait_for_it() -> None:
    service = _stuck()
    service.do("propose_set_aside", "a1", WHY, by="chief")
    service.do("set_aside", "a1", by="bureau")
    state, appealed = service.rounds(), service.commands._competition(CUP).appealed()
    assert [appeal for appeal in appealed.ruled if appeal not in state.appeals | state.set_aside] == []
