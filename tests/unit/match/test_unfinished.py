"""Time is called while a hand is in play: its referee says how far it was, the regulation whether it counts, and only
such hands are entered afterwards (jimei-2018 十.2, zhongshan-2013 七（一）2, ahut-2018 二.5)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from services.match import refusals as refuse
from shared.contracts.match import UnfinishedHandNoted
from shared.rules.regulations import load
from shared.rules.regulations.reference import reference
from shared.rules.unfinished import Phase
from tests.unit.match.hall import MICROSECOND, WON, Hall
from tests.unit.match.pairs import UP1, UP2, Pairs


def called(hands: int = 1) -> Hall:
    """jimei: so many hands were entered when time was called."""
    hall = Hall().paired().hands(*[(1, 80)] * hands)
    hall.call_time()
    return hall


def zhongshan(phase: Phase) -> Hall:
    """45 minutes are over, one hand is entered, and the second was so far."""
    hall = Hall(12, regulation=reference(load("zhongshan-2013")), each=2).paired().hands((1, 0))
    hall.call_time()
    hall.unfinished(2, phase)
    return hall


def guandan(phase: Phase) -> Pairs:
    """An hour is over, one hand is entered, and the second was so far."""
    hall = Pairs(18)
    hall.drawn().pair()
    hall.outs(UP1).call_time()
    hall.unfinished(2, phase)
    return hall


@pytest.mark.parametrize("phase", ["burying", "playing"])
def test_zhongshan_a_hand_whose_burying_or_play_has_begun_is_finished(phase: Phase) -> None:
    hall = zhongshan(phase)
    hall.hand(2, 1, 0)  # 0分大光: three levels more
    with pytest.raises(refuse.HandOutOfTime) as caught:
        hall.hand(3, 1, 0)
    assert caught.value.article == "七（一）2"
    assert hall.close().result.levels == ("8", "2")


@pytest.mark.parametrize("phase", ["shuffling", "drawing"])
def test_zhongshan_shuffling_and_drawing_stop_at_once(phase: Phase) -> None:
    hall = zhongshan(phase)
    with pytest.raises(refuse.HandOutOfTime):
        hall.hand(2, 1, 0)
    assert hall.close().result.levels == ("5", "2")


@pytest.mark.parametrize(("phase", "counts"), [("shuffling", False), ("drawing", True), ("playing", True)])
def test_ahut_a_hand_is_finished_once_its_first_card_is_drawn(phase: Phase, counts: bool) -> None:
    hall = guandan(phase)
    unfinished = hall.matches["r1t1"].unfinished
    assert unfinished is not None
    assert unfinished.counts == counts
    if counts:
        hall.outs(UP2)
    else:
        with pytest.raises(refuse.HandOutOfTime, match="hand 1"):
            hall.outs(UP2)
    assert hall.close().result.levels == ("5" if counts else "3", "2")


@pytest.mark.parametrize("phase", ["shuffling", "drawing", "burying", "playing"])
def test_jimei_it_does_not_count_however_far_it_was(phase: Phase) -> None:
    hall = called()
    (noted,) = hall.unfinished(2, phase)
    assert isinstance(noted, UnfinishedHandNoted)
    assert (noted.counts, noted.article) == (False, "十.2")
    with pytest.raises(refuse.HandOutOfTime):
        hall.hand(2, 3, 0)
    hall.close()


def test_what_was_over_by_then_is_entered_however_late_it_comes() -> None:
    hall = called()
    hall.unfinished(4)
    hall.hands((1, 80), (1, 80))
    with pytest.raises(refuse.HandOutOfTime):
        hall.hand(4, 1, 0)
    assert hall.hand(2, 1, 80) == [], "the same again is nothing new"


def test_nothing_is_taken_after_time_before_somebody_has_said_how_far_the_hand_was() -> None:
    hall = called()
    with pytest.raises(refuse.UnfinishedHandUnknown) as caught:
        hall.hand(2, 3, 0)
    assert "unfinished-hands" in caught.value.say("zh")


def test_a_match_is_not_closed_over_hands_that_are_still_to_come() -> None:
    hall = zhongshan("playing")
    with pytest.raises(refuse.HandsOutstanding) as caught:
        hall.close()
    assert (caught.value.params["entered"], caught.value.params["due"]) == (1, 2)
    hall.hand(2, 1, 0)
    hall.close()


def test_nobody_has_to_say_anything_where_nothing_comes_late() -> None:
    called().close()


def test_before_time_is_called_there_is_nothing_to_say() -> None:
    with pytest.raises(refuse.NoUnfinishedHand):
        Hall().paired().unfinished(1)


def test_where_no_clock_ends_the_match_there_is_nothing_to_say() -> None:
    hall = Pairs(8)
    hall.drawn().pair()
    with pytest.raises(refuse.NoUnfinishedHand):
        hall.unfinished(1)


def test_said_again_it_is_nothing_new_and_said_otherwise_it_needs_a_reason() -> None:
    hall = zhongshan("drawing")
    assert hall.unfinished(2, "drawing") == []
    with pytest.raises(refuse.UnfinishedHandDiffers, match="drawing"):
        hall.unfinished(2, "burying")
    (noted,) = hall.unfinished(2, "burying", reason="底牌已扣")
    assert (noted.counts, noted.reason) == (True, "底牌已扣")
    hall.hand(2, 1, 0)


def test_once_the_hand_is_entered_nothing_else_is_said_of_it() -> None:
    hall = zhongshan("playing")
    hall.hand(2, 1, 0)
    assert hall.unfinished(2, "playing") == [], "the same again, from a second phone"
    with pytest.raises(refuse.HandAlreadyEntered):
        hall.unfinished(2, "drawing", reason="看错")
    with pytest.raises(refuse.HandAlreadyEntered):
        called(2).unfinished(2)


def test_nothing_is_buried_in_guandan() -> None:
    with pytest.raises(refuse.PhaseInvalid, match="shuffling, drawing, playing"):
        guandan("burying")


def test_a_match_that_is_played_again_has_its_own_time() -> None:
    hall = called()
    hall.unfinished(2)
    hall.close()
    hall.rule("replay_match")
    hall.hand(1)
    hall.hand(2, 3)
    assert hall.matches["r1t1"].unfinished is None


# A call that was a mistake


def test_a_time_call_that_was_a_mistake_is_lifted_and_the_round_goes_on() -> None:
    hall = called()
    (lifted,) = hall.lift_time_call()
    assert (lifted.round, lifted.reason) == (1, "叫错轮次")
    hall.hand(2, 1, 85)
    with pytest.raises(refuse.TimeNotCalled):
        hall.close()
    hall.call_time()
    hall.close()


def test_what_was_said_at_a_call_that_was_lifted_says_nothing_of_the_next() -> None:
    hall = called()
    hall.unfinished(2)
    hall.lift_time_call()
    hall.hands((1, 85), (1, 90))
    hall.call_time()
    with pytest.raises(refuse.UnfinishedHandUnknown):
        hall.hand(4, 1, 95)
    hall.unfinished(5)
    hall.hand(4, 1, 95)
    hall.close()


def closed_at_one() -> Hall:
    """At the second table the match was closed by the call."""
    hall = called()
    hall.close("r1t2")
    return hall


def test_a_call_on_which_a_result_rests_is_not_lifted() -> None:
    with pytest.raises(refuse.MatchesClosedSince, match="tables 2"):
        closed_at_one().lift_time_call()


def test_a_match_that_was_over_before_the_call_does_not_hold_it() -> None:
    hall = Hall().paired()
    hall.hands(*WON, name="r1t2").close("r1t2")
    hall.now += MICROSECOND
    hall.call_time()
    hall.lift_time_call()


def test_there_is_nothing_to_lift_where_time_was_not_called_or_the_round_is_over() -> None:
    with pytest.raises(refuse.NoTimeCall):
        Hall().paired().lift_time_call()
    hall = called()
    hall.lift_time_call()
    with pytest.raises(refuse.NoTimeCall):
        hall.lift_time_call()
    with pytest.raises(refuse.RoundIsClosed):
        called().finish().lift_time_call()


@pytest.mark.parametrize(
    "act",
    [
        lambda: Hall().paired().lift_time_call(),
        lambda: closed_at_one().lift_time_call(),
        lambda: Hall().paired().unfinished(1),
        lambda: guandan("burying"),
        lambda: zhongshan("drawing").unfinished(2, "playing"),
        lambda: called().hand(2, 3, 0),
        lambda: zhongshan("drawing").hand(2, 1, 0),
        lambda: zhongshan("playing").close(),
    ],
)
def test_every_refusal_is_whole_in_both_languages(act: Callable[[], Any]) -> None:
    with pytest.raises((refuse.Refused, refuse.Invalid)) as caught:
        act()
    assert "{" not in caught.value.say("zh") + caught.value.say("en")
