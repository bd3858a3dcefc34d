"""Hands as a referee enters and corrects them (十一.7; RULINGS, Corrections and later hands)."""

from __future__ import annotations

import pytest

from services.match import refusals
from shared.contracts.match import HandCorrected, HandPlayed, MatchOpened
from tests.unit.match.hall import WON, Hall


def test_the_first_hand_opens_the_match_in_the_same_commit() -> None:
    opened, played = Hall().paired().hand(1, points=40)
    assert isinstance(opened, MatchOpened)
    assert isinstance(played, HandPlayed)
    assert played.teams == tuple(team.id for team in opened.teams)


def test_a_hand_holds_facts_and_no_levels_that_were_summed() -> None:
    hall = Hall().paired()
    (_, played) = hall.hand(1, dealer=2, points=40, trump="H")
    assert (played.facts.dealer, played.facts.points, played.facts.trump, played.facts.levels) == (2, 40, "H", None)
    assert hall.levels() == ("2", "5")  # 24 dealt and the attackers have 25-40: 庄家升三级


def test_levels_that_agree_are_taken_and_those_that_do_not_only_as_played() -> None:
    hall = Hall().paired().hands((1, 40))  # 13 stand at 5
    hall.hand(2, dealer=3, points=80, levels={"13": "5", "24": "2"})
    with pytest.raises(refusals.LevelsDisagree) as caught:
        hall.hand(3, dealer=4, points=80, levels={"13": "6", "24": "2"})
    assert caught.value.say("zh").startswith("录入的级数是 13:6 24:2，按此前各副应为 13:5 24:2")
    (played,) = hall.hand(3, dealer=4, points=80, levels={"13": "6", "24": "2"}, as_played=True)
    assert played.facts.levels == {"13": "6", "24": "2"}


def test_any_seat_may_deal_the_next_hand_for_facts_are_not_the_rules() -> None:
    hall = Hall().paired().hands((1, 40))
    hall.hand(2, dealer=1, points=40)  # the partner, 3, was due (十一.3)
    assert hall.levels() == ("8", "2")


def test_a_correction_has_both_versions_and_the_reason() -> None:
    hall = Hall().paired().hands((1, 40))
    (event,) = hall.correct(1, points=45)
    assert isinstance(event, HandCorrected)
    assert (event.before.points, event.after.points, event.reason) == (40, 45, "看错")
    assert hall.levels() == ("4", "2")  # 45-60: 升两级


def test_after_a_correction_later_hands_stand_as_played() -> None:
    # hand 1: 13 fall and 24 should have dealt hand 2; 3 dealt it and his gain counts for 13 as they sat
    hall = Hall().paired().hands((1, 40), (3, 20))
    hall.correct(1, points=100)
    assert hall.levels() == ("6", "3")  # 24 +1 for 100; 13 +4 for 5-20


def test_a_correction_that_wins_earlier_leaves_later_hands_without_count() -> None:
    # with 80 in hand 1 there is no win after four; two more hands are played: A, then 24 gain
    hall = Hall().paired().hands((1, 80), *WON[1:], (1, 80), (2, 0))
    assert hall.levels() == ("A", "7")  # +5 +5 +5 from 2: 7, Q, A; then 24 +5
    hall.correct(1, points=0)
    assert hall.levels() == ("A", "2")
    assert hall.close().result.how == "passed_a"


def test_a_correction_that_takes_the_win_away_lets_the_open_match_go_on() -> None:
    hall = Hall().paired().hands(*WON)
    hall.correct(1, points=80)
    hall.hand(5, dealer=1, points=0)
    assert hall.close().result.how == "passed_a"


def test_correcting_an_earlier_hand_asks_only_about_that_hand() -> None:
    hall = Hall().paired().hands((1, 40), (3, 40))
    with pytest.raises(refusals.HandIsImpossible) as caught:
        hall.correct(1, points=3)
    assert (caught.value.params["hand"], caught.value.pointer) == (1, "/points")


@pytest.mark.parametrize(
    ("fault", "pointer"),
    [
        ({"points": 7}, "/points"),
        ({"trump": "N"}, "/trump"),
        ({"dealer": 5}, "/dealer"),
        ({"levels": {"13": "1", "24": "2"}}, "/levels/13"),
    ],
)
def test_a_fault_is_shown_where_the_entry_has_it(fault: dict[str, object], pointer: str) -> None:
    with pytest.raises(refusals.HandIsImpossible) as caught:
        Hall().paired().hand(1, as_played=True, **fault)  # type: ignore[arg-type]
    assert caught.value.pointer == pointer


def test_no_hand_is_entered_for_a_match_whose_round_was_paired_anew() -> None:
    hall = Hall().drawn().play(">", ">")
    hall.pair()
    hall.hands((1, 0), name="r2t1")
    hall.rule("none", replay_from=2)
    hall.pair()
    with pytest.raises(refusals.NoSuchMatch):
        hall.hand(2, name="r2t1")
    assert hall.table().match == "r2x2t1"
    hall.hand(1, name="r2x2t1")
