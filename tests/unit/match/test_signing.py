"""Both pairs confirm the sheet of their match, or the referee for them; and incidents without a price."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from services.match import refusals
from services.match.model import signing
from services.match.model.matches import MATCH
from tests.unit.match.hall import CUP, MICROSECOND, Hall
from tests.unit.match.service import MatchService

TEN_MINUTES = timedelta(minutes=10)
"""十.2, assumed: in which both pairs confirm a match."""


def confirmed(hall: Hall) -> set[str]:
    return set(hall.matches["r1t1"].confirmed)


def test_a_pair_confirms_the_sheet_it_has_seen() -> None:
    hall = Hall().paired().hands((1, 40))  # 25-40: 庄家升三级
    (event,) = hall.confirm("13", 1, {"13": "5", "24": "2"})
    assert (event.pair, event.hands, event.levels, event.for_pair) == ("13", 1, {"13": "5", "24": "2"}, False)
    assert event.team == hall.table().teams[0]
    assert hall.confirm("13", 1) == [], "once more is nothing new"
    hall.confirm("24", 1)
    assert confirmed(hall) == {"13", "24"}


@pytest.mark.parametrize(("hands", "levels"), [(2, None), (1, {"13": "4", "24": "2"})])
def test_a_sheet_that_is_not_what_is_entered_is_not_confirmed(hands: int, levels: Any) -> None:
    with pytest.raises(refusals.SheetDiffers):
        Hall().paired().hands((1, 40)).confirm("13", hands, levels)


def test_a_sheet_on_which_a_penalty_is_missing_is_not_confirmed_yet() -> None:
    hall = Hall().paired().hands((1, 40))
    with pytest.raises(refusals.SheetDiffers):
        hall.confirm("13", 1, penalties=1)
    hall.penalty(1)
    hall.confirm("13", 1, penalties=1)
    hall.lift()
    hall.confirm("13", 1, penalties=0)


@pytest.mark.parametrize(
    "change", [lambda h: h.hand(2, 3, 80), lambda h: h.correct(1, 1, 45), lambda h: h.penalty(1), lambda h: h.lift()]
)
def test_what_is_changed_afterwards_has_to_be_confirmed_again(change: Any) -> None:
    hall = Hall().paired().hands((1, 40))
    hall.penalty(1)
    hall.confirm("13")
    change(hall)
    assert confirmed(hall) == set()


def test_a_closed_match_is_confirmed_and_stays_closed() -> None:
    hall = Hall().paired().hands((1, 40))
    hall.call_time()
    closed = hall.close().result
    hall.confirm("13")
    assert (hall.matches["r1t1"].closed, confirmed(hall)) == (closed, {"13"})


def test_a_referee_confirms_for_a_pair_with_a_reason() -> None:
    hall = Hall().paired().hands((1, 40))
    (event,) = hall.confirm("13", for_pair=True, reason="已在记分表签字")
    assert (event.for_pair, event.reason) == (True, "已在记分表签字")


def test_an_incident_is_noted_in_any_match_and_changes_nothing() -> None:
    hall = Hall().paired().hands((1, 40))
    hall.confirm("13")
    assert (hall.incident(hand=2).incident, hall.incident().incident) == ("i1", "i2")
    assert confirmed(hall) == {"13"}
    with pytest.raises(refusals.HandNotThereYet):
        hall.incident(hand=3)


# As time passes


def closed() -> MatchService:
    service = MatchService().announce().paired()
    service.hand(1)
    service.do("call_time", 1)
    service.do("close_match", "r1t1")
    return service


def overdue(service: MatchService) -> int:
    return service.events(f"match/{CUP}/r1t1").count("ConfirmationOverdue")


def sign(service: MatchService, pair: Any) -> None:
    signed = signing.Signed(pair=pair, hands=1, levels=None, penalties=None, for_pair=True, reason="代签")
    service.do("confirm", "r1t1", signed)


def test_the_last_instant_is_in_time_and_one_microsecond_later_it_is_flagged_once() -> None:
    service = closed()
    service.clock.advance(TEN_MINUTES)
    service.settle()
    assert overdue(service) == 0
    service.clock.advance(MICROSECOND)
    service.settle()
    service.clock.advance(TEN_MINUTES)
    service.settle()
    assert overdue(service) == 1


def test_a_match_that_both_have_confirmed_is_not_flagged_and_one_of_them_is_not_enough() -> None:
    for pairs, flagged in ((("13", "24"), 0), (("13",), 1)):
        service = closed()
        for pair in pairs:
            sign(service, pair)
        service.clock.advance(TEN_MINUTES + MICROSECOND)
        service.settle()
        assert overdue(service) == flagged


def test_a_match_reopened_meanwhile_is_waited_for_anew() -> None:
    service = closed()
    service.do("note_unfinished", "r1t2", 2, "shuffling")
    service.hand(1, name="r1t2")
    service.do("close_match", "r1t2")
    service.do("close_round", 1)
    service.do("reopen_round", 1, ["r1t1"], "记分有误")
    service.do("close_match", "r1t1")
    service.clock.advance(TEN_MINUTES + MICROSECOND)
    service.settle()
    assert overdue(service) == 1
    assert service.engine.commands.load(f"match/{CUP}/r1t1", MATCH).state.opening == 1
