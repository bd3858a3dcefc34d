"""A hand of 掼蛋 that comes twice (ahut-2018): as of any other hand, both versions are kept and the chief referee
chooses. 双下 gains three levels, a winner whose partner is last one (二.5)."""

from __future__ import annotations

from typing import Any

import pytest

from services.match import refusals as refuse
from shared.contracts.fact import FinishFacts
from shared.contracts.match import FinishCorrected, FinishVersionKept, HandVersionChosen
from tests.unit.match.hall import Hall
from tests.unit.match.pairs import DOWN1, DOWN3, UP1, UP3, Pairs


def played(*finishes: tuple[int, ...]) -> Pairs:
    """Hands entered by `ref` in the first match of a round with a clock."""
    hall = Pairs(18)
    hall.drawn().pair()
    return hall.outs(*finishes)


def contested() -> Pairs:
    """One referee has seen 双下, another who had not seen that entry a win with the partner last."""
    hall = played(UP3)
    hall.out(1, UP1, by="another")
    return hall


def choose(hall: Pairs, version: int, hand: int = 1) -> list[Any]:
    return hall.choose(hand, version, of=FinishFacts)


def levels(hall: Pairs) -> tuple[str, str] | None:
    hall.call_time()
    found: tuple[str, str] | None = hall.close().result.levels
    return found


@pytest.mark.parametrize("by", ["ref", "another"])
def test_the_same_hand_again_is_nothing_new_however_much_of_it_is_said(by: str) -> None:
    hall = played(UP3)
    assert hall.out(1, (1, 3, 2, 4), by=by) == [], "after 双下 the others did not finish"
    with_level = played()
    with_level.out(1, UP3, levels={"13": "2", "24": "2"})
    assert with_level.out(1, UP3, by=by) == [], "what is left out is not denied"


def test_two_referees_with_two_versions_are_both_kept_and_the_first_counts_meanwhile() -> None:
    hall = played(UP3)
    (kept,) = hall.out(1, UP1, by="another")
    assert isinstance(kept, FinishVersionKept)
    assert (kept.version, kept.facts.finish, kept.by) == (2, UP1, "another")
    match = hall.matches["r1t1"]
    assert (match.conflicts, match.finishes[0].finish) == ({1}, UP3)


def test_who_entered_it_or_has_seen_it_corrects_it_instead() -> None:
    hall = played(UP3)
    with pytest.raises(refuse.HandAlreadyEntered):
        hall.out(1, UP1)
    with pytest.raises(refuse.HandAlreadyEntered):
        hall.out(1, UP1, by="another", seen=True)


def test_nothing_is_closed_corrected_or_confirmed_over_a_conflict() -> None:
    hall = contested()
    hall.call_time()
    for act in (hall.close, hall.close_round, lambda: hall.put_right(1, DOWN3), lambda: hall.confirm("13")):
        with pytest.raises(refuse.HandsInConflict):
            act()


def test_the_chief_referee_chooses_with_a_reason_and_the_hand_is_that() -> None:
    hall = contested()
    chosen, corrected = choose(hall, 2)
    assert isinstance(chosen, HandVersionChosen)
    assert isinstance(corrected, FinishCorrected)
    assert (chosen.reason, corrected.before.finish, corrected.after.finish) == ("以记分表为准", UP3, UP1)
    assert levels(hall) == ("3", "2")


def test_choosing_what_counts_changes_nothing_but_the_conflict() -> None:
    hall = contested()
    assert [type(event) for event in choose(hall, 1)] == [HandVersionChosen]
    assert levels(hall) == ("5", "2")


def test_a_version_that_was_not_chosen_raises_no_conflict_when_it_comes_again() -> None:
    hall = contested()
    choose(hall, 1)
    assert hall.out(1, UP1, by="third") == []


def test_what_a_correction_replaced_stays_known() -> None:
    hall = played(UP3)
    hall.put_right(1, DOWN3)
    assert hall.out(1, UP3, by="another") == []
    (kept,) = hall.out(1, UP1, by="another")
    assert kept.version == 3


def test_after_the_close_another_version_is_kept_and_chosen_once_the_round_is_open_again() -> None:
    hall = played(UP3)
    hall.call_time()
    hall.close()
    assert [type(event) for event in hall.out(1, UP1, by="another")] == [FinishVersionKept]
    with pytest.raises(refuse.MatchIsClosed):
        choose(hall, 2)


@pytest.mark.parametrize(("hand", "version", "refusal"), [(1, 3, refuse.NoSuchVersion), (2, 1, refuse.NoSuchHand)])
def test_only_a_version_that_there_is_is_chosen(hand: int, version: int, refusal: type[Exception]) -> None:
    with pytest.raises(refusal):
        choose(contested(), version, hand)


def test_without_a_conflict_there_is_nothing_to_choose() -> None:
    with pytest.raises(refuse.NotInConflict):
        choose(played(UP3), 1)


def test_a_hand_equal_to_another_is_questioned_and_taken_when_it_is_said_to_be_so() -> None:
    hall = played(UP1, DOWN1)
    with pytest.raises(refuse.HandEqualsAnother):
        hall.out(3, UP1, equals_another=False)
    with pytest.raises(refuse.HandEqualsAnother):
        hall.out(1, DOWN1, by="another", equals_another=False)
    hall.out(3, UP1, levels={"13": "3", "24": "3"}, equals_another=False)  # what is noted of it parts it
    hall.out(4, UP1, equals_another=True)


def test_choices_are_made_as_the_game_has_its_hands() -> None:
    with pytest.raises(refuse.OtherGame, match="finishes"):
        contested().choose(1, 1)
    with pytest.raises(refuse.OtherGame, match="hands"):
        Hall().paired().hands((1, 40)).choose(1, 1, of=FinishFacts)
