"""A hand that comes twice: the same is nothing new, another version is kept and the chief referee chooses; and entries
that phones held back, at the right table and under the right regulation or not at all."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from services.match import refusals
from services.match.model.held import check_held, with_held
from services.match.model.rounds import match_at, seat_of
from shared.contracts.fact import Held
from shared.contracts.match import HandCorrected, HandVersionChosen, HandVersionKept
from tests.unit.match.hall import CUP, REGULATION, Hall


def played(*points: int) -> Hall:
    """Hands of 13's deal entered by `ref` in the only open match."""
    return Hall().paired().hands(*((1, each) for each in points))


def versions(hall: Hall, hand: int = 1) -> list[int]:
    return [one.facts.points for one in hall.matches["r1t1"].versions[hand]]


@pytest.mark.parametrize("by", ["ref", "another"])
def test_the_same_hand_again_is_nothing_new(by: str) -> None:
    hall = played(40)
    assert hall.hand(1, 1, 40, by=by) == []
    assert hall.hand(1, 1, 40, by=by, trump=None) == []


def test_less_of_what_is_entered_is_nothing_new_and_more_of_it_is_kept() -> None:
    hall = Hall().paired()
    hall.hand(1, 1, 40, trump="S")
    assert hall.hand(1, 1, 40, by="another") == [], "what is left out is not denied"
    hall = played(40)
    assert [type(e) for e in hall.hand(1, 1, 40, by="another", trump="S")] == [HandVersionKept]


def test_two_referees_with_two_versions_are_both_kept_and_the_first_counts_meanwhile() -> None:
    hall = played(40)
    (kept,) = hall.hand(1, 1, 45, by="another")
    assert (kept.version, kept.facts.points, kept.by) == (2, 45, "another")
    assert versions(hall) == [40, 45]
    assert hall.levels() == ("5", "2")  # 25-40: 庄家升三级, as the first entry has it
    assert hall.matches["r1t1"].conflicts == {1}


def test_one_person_with_two_phones_has_two_versions_too() -> None:
    hall = Hall().paired()
    hall.hand(1, 1, 40, device="phone 1")
    assert [type(e) for e in hall.hand(1, 1, 45, device="phone 2")] == [HandVersionKept]


def test_who_entered_it_or_has_seen_it_corrects_it_instead() -> None:
    hall = played(40)
    with pytest.raises(refusals.HandAlreadyEntered):
        hall.hand(1, 1, 45, by="ref")
    with pytest.raises(refusals.HandAlreadyEntered):
        hall.hand(1, 1, 45, by="another", seen=True)


def test_no_match_and_no_round_closes_over_a_conflict() -> None:
    hall = played(40)
    hall.hand(1, 1, 45, by="another")
    hall.call_time()
    with pytest.raises(refusals.HandsInConflict):
        hall.close()
    with pytest.raises(refusals.HandsInConflict):
        hall.correct(1, 1, 50)
    with pytest.raises(refusals.HandsInConflict):
        hall.close_round()


def test_the_chief_referee_chooses_with_a_reason_and_the_hand_is_that() -> None:
    hall = played(40)
    hall.hand(1, 1, 45, by="another")
    chosen, corrected = hall.choose(1, 2)
    assert isinstance(chosen, HandVersionChosen)
    assert isinstance(corrected, HandCorrected)
    assert (chosen.reason, corrected.before.points, corrected.after.points) == ("以记分表为准", 40, 45)
    assert hall.levels() == ("4", "2")  # 45-60: 庄家升两级
    hall.call_time()
    hall.close()


def test_choosing_what_counts_changes_nothing_but_the_conflict() -> None:
    hall = played(40)
    hall.hand(1, 1, 45, by="another")
    assert [type(event) for event in hall.choose(1, 1)] == [HandVersionChosen]
    assert hall.matches["r1t1"].conflicts == frozenset()


def test_a_version_that_was_not_chosen_raises_no_conflict_when_it_comes_again() -> None:
    hall = played(40)
    hall.hand(1, 1, 45, by="another")
    hall.choose(1, 1)
    assert hall.hand(1, 1, 45, by="third") == []


def test_a_correction_is_a_version_and_what_it_replaced_stays_known() -> None:
    hall = played(40)
    hall.correct(1, 1, 50)
    assert hall.hand(1, 1, 40, by="another") == []
    (kept,) = hall.hand(1, 1, 45, by="another")
    assert kept.version == 3
    chosen, corrected = hall.choose(1, 1)
    assert (chosen.version, corrected.before.points, corrected.after.points) == (1, 50, 40)


def test_a_version_that_comes_after_the_match_was_closed_is_kept_and_its_result_stands() -> None:
    hall = played(40)
    hall.call_time()
    result = hall.close().result
    assert [type(event) for event in hall.hand(1, 1, 45, by="another")] == [HandVersionKept]
    assert hall.matches["r1t1"].closed == result
    with pytest.raises(refusals.MatchIsClosed):
        hall.choose(1, 2)
    hall.choose(1, 1)
    with pytest.raises(refusals.MatchIsClosed):
        hall.hand(2, 3, 80)


def test_in_a_closed_round_another_version_is_chosen_once_it_was_reopened() -> None:
    hall = played(40)
    hall.call_time()
    hall.close()
    hall.unfinished(2, "shuffling", name="r1t2")
    hall.hand(1, 3, 20, name="r1t2")
    hall.close("r1t2")
    hall.close_round()
    hall.hand(1, 1, 100, by="another")
    hall.reopen("r1t1")
    hall.choose(1, 2)
    hall.close()
    hall.close_round()
    assert hall.result().points == (0, 2)  # from 80 on the dealer falls, at 100 防家升一级


@pytest.mark.parametrize(("hand", "version"), [(1, 0), (1, 3)])
def test_only_a_version_that_there_is_is_chosen(hand: int, version: int) -> None:
    hall = played(40)
    hall.hand(1, 1, 45, by="another")
    with pytest.raises(refusals.NoSuchVersion):
        hall.choose(hand, version)


def test_a_hand_equal_to_another_is_questioned_and_taken_when_it_is_said_to_be_so() -> None:
    hall = played(40)
    with pytest.raises(refusals.HandEqualsAnother) as caught:
        hall.hand(2, 1, 40, equals_another=False)
    assert "equals_another" in caught.value.say("zh")
    hall.hand(2, 1, 40, equals_another=True)
    hall.hand(3, 1, 40, trump="S", equals_another=False)  # what is noted of it parts it from the others


def test_a_second_version_that_equals_another_hand_is_questioned_too() -> None:
    """It may have come under the wrong number."""
    hall = played(40, 45)
    with pytest.raises(refusals.HandEqualsAnother):
        hall.hand(1, 1, 45, by="another", equals_another=False)


# Entries that were held back


def held(**more: Any) -> Held:
    said: dict[str, Any] = {"competition": CUP, "round": 1, "table": 1, "regulation": REGULATION, "device": "phone"}
    return Held(**(said | more))


def check(said: Held, name: str = "r1t1") -> None:
    hall = Hall().paired()
    check_held(said, seat_of(hall.state, name), match_at(hall.state, said.round, said.table))


def test_an_entry_for_its_own_table_is_taken() -> None:
    check(held())


def test_an_entry_for_another_table_is_refused_and_the_right_one_named() -> None:
    with pytest.raises(refusals.EntryOfAnotherTable) as caught:
        check(held(table=2))
    assert caught.value.members == {"right": {"round": 1, "table": 2, "match": "r1t2"}}
    assert "r1t2" in caught.value.say("zh")


def test_an_entry_of_a_round_that_is_not_paired_names_no_match() -> None:
    with pytest.raises(refusals.EntryOfAnotherTable) as caught:
        check(held(round=2))
    assert caught.value.members["right"] == {"round": 2, "table": 1, "match": None}


def test_an_entry_of_another_competition_is_refused_and_the_right_one_named() -> None:
    with pytest.raises(refusals.EntryOfAnotherCompetition) as caught:
        check(held(competition="league"))
    assert "league" in caught.value.say("en")


def test_an_entry_under_another_version_of_the_regulation_is_refused() -> None:
    with pytest.raises(refusals.EntryUnderAnotherRegulation):
        check(held(regulation="jimei-2018/2"))


def test_what_the_device_said_is_kept_as_it_was_said() -> None:
    said = held(at="1970-01-01T00:00:00+08:00")
    (_, event) = Hall().paired().hand(1, 1, 40)
    (noted,) = with_held([event], said)
    assert noted.held == said
    assert msgspec.structs.replace(noted, held=None) == event
