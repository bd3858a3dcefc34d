"""Penalties by code and count (十一.8), and until when they can be claimed."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from services.match import refusals
from services.match.model.matches import Match, Seat, open_
from services.match.model.penalties import Claim, issue_penalty
from services.match.model.seated import Seated
from services.match.refusals import PenaltyInvalid
from shared.contracts.match import PenaltyIssued
from shared.rules.regulations import Preset, load
from shared.rules.regulations.reference import reference
from tests.unit.match.hall import CUP, Hall, team


@pytest.mark.parametrize(
    ("code", "cards", "occasions", "points", "article"),
    [
        ("revoke", None, 1, 80, "十一.8⑨"),
        ("revoke", None, 2, 160, "十一.8⑨"),
        ("wrong_follow", 3, 1, 30, "十一.8②"),
        ("failed_throw", 2, 1, 20, "十一.8③"),
        ("hand_size", None, 1, 20, "十一.8⑤"),
        ("out_of_turn", 1, 1, 10, "十一.8⑥"),
        ("exposed_while_dealing", None, 2, 40, "十一.8⑦"),
        ("signalling", None, 1, 20, "十一.8⑧"),
        ("early_draw_unseen", None, 1, 0, "十一.8①A"),
    ],
)
def test_a_penalty_is_priced_by_its_article(
    code: str, cards: int | None, occasions: int, points: int, article: str
) -> None:
    event = Hall().paired().hands((1, 40)).penalty(1, code=code, cards=cards, occasions=occasions)
    assert (event.points, event.article) == (points, article)


def test_a_penalty_names_the_team_that_the_pair_is() -> None:
    hall = Hall().paired().hands((1, 40))
    one, two = hall.seated().teams
    assert hall.penalty(1, "13").team == one
    assert hall.penalty(1, "24").team == two


def test_a_penalty_on_the_dealers_raises_the_attackers_points() -> None:
    hall = Hall().paired().hands((1, 40))
    hall.penalty(1, "13", "exposed_while_dealing", occasions=2)
    assert hall.levels() == ("2", "2")  # 40 + 40 = 80: 倒庄


def test_a_penalty_on_an_attacker_can_take_them_below_zero() -> None:
    hall = Hall().paired().hands((1, 40))
    hall.penalty(1, "24")
    assert hall.levels() == ("7", "2")  # 40 - 80: 零分或负分, 升五级


def test_a_penalty_in_the_hand_in_play_waits_for_it() -> None:
    hall = Hall().paired().hands((1, 40))
    hall.penalty(2, "13")
    assert hall.levels() == ("5", "2")
    hall.hand(2, dealer=3, points=20)
    assert hall.levels() == ("5", "3")  # 20 + 80 = 100: 防家升一级


def test_a_penalty_before_the_first_hand_is_entered_opens_the_match() -> None:
    hall = Hall().paired()
    hall.penalty(1, "24", "exposed_while_dealing")
    hall.hand(1, points=40)
    assert hall.levels() == ("6", "2")  # 40 - 20 = 20: 升四级


def test_said_to_have_been_claimed_in_time_it_is_taken_late() -> None:
    event = Hall().paired().hands((1, 40), (3, 40)).penalty(1, during=1)
    assert (event.hand, event.claimed_during) == (1, 1)


def test_left_unsaid_it_was_claimed_now() -> None:
    hall = Hall().paired().hands((1, 40))
    assert hall.penalty(1).claimed_during == 1
    assert hall.penalty(2).claimed_during == 2
    hall.hand(2, dealer=3)
    with pytest.raises(refusals.ClaimTooLate) as caught:
        hall.penalty(1)
    assert caught.value.params == {"hand": 1, "during": 2}


def test_a_lifted_penalty_counts_nothing() -> None:
    hall = Hall().paired().hands((1, 40))
    hall.penalty(1, "13")
    assert hall.levels() == ("2", "4")  # 120: 80 + 2 x 20
    hall.lift()
    assert hall.levels() == ("5", "2")


def test_a_dealer_who_falls_by_penalty_gains_nothing_and_neither_do_the_others() -> None:
    hall = Hall().paired().hands((1, 0))
    hall.penalty(1, "13", "kitty_size")
    assert hall.levels() == ("2", "2")  # 底牌扣错张数，倒庄


def test_who_was_to_lose_the_deal_must_have_had_it() -> None:
    hall = Hall().paired()
    hall.penalty(1, "13", "kitty_size")
    with pytest.raises(refusals.HandIsImpossible) as caught:
        hall.hand(1, dealer=2)
    assert caught.value.pointer == "/dealer"
    hall.lift()
    hall.hand(1, dealer=2)
    assert hall.levels() == ("2", "7")


def test_the_same_breach_twice_is_two_penalties() -> None:
    hall = Hall().paired().hands((1, 40))
    assert [hall.penalty(1, "24", "signalling").penalty for _ in range(2)] == ["p1", "p2"]
    assert hall.levels() == ("7", "2")  # 40 - 40 = 0


LEEWAY = {"penalties.signalling.leeway": {"least": 0, "most": 40}}
"""An organiser who lets the referee set what suspected signalling costs; the article says 20 (十一.8⑧)."""


def _with_leeway() -> Hall:
    return Hall(penalties__signalling__leeway=LEEWAY["penalties.signalling.leeway"]).paired().hands((1, 80))


def test_within_the_leeway_the_referees_points_count_and_the_articles_stand_beside_them() -> None:
    hall = _with_leeway()
    issued = hall.penalty(1, "24", "signalling", points=40, reason="再犯")
    assert (issued.points, issued.tariff, issued.article) == (40, 20, "十一.8⑧")
    assert hall.matches["r1t1"].sheet.penalties[0].points == 40


def test_without_a_reason_they_do_not() -> None:
    with pytest.raises(PenaltyInvalid) as refused:
        _with_leeway().penalty(1, "24", "signalling", points=40)
    assert (refused.value.pointer, refused.value.article) == ("/reason", "十一.8⑧")


@pytest.mark.parametrize("points", [45, 12])
def test_outside_the_leeway_they_are_refused_with_the_article(points: int) -> None:
    with pytest.raises(PenaltyInvalid) as refused:
        _with_leeway().penalty(1, "24", "signalling", points=points, reason="再犯")
    assert (refused.value.pointer, refused.value.article) == ("/points", "十一.8⑧")


def test_an_article_that_names_its_price_leaves_the_referee_none() -> None:
    # 即罚80分
    with pytest.raises(PenaltyInvalid) as refused:
        Hall().paired().hands((1, 80)).penalty(1, "24", "revoke", points=40, reason="初犯")
    assert (refused.value.pointer, refused.value.article) == ("/points", "十一.8⑨")


def test_what_the_article_gives_is_no_override_and_needs_no_reason() -> None:
    issued = Hall().paired().hands((1, 80)).penalty(1, "24", "revoke", points=80)
    assert (issued.points, issued.tariff) == (80, None)


def _shandong() -> tuple[Match, Preset, Seat]:
    """A match under shandong-2023, whose rounds are the business of its format: the decision alone."""
    preset = load("shandong-2023")
    seat = Seat(
        competition=CUP,
        regulation=reference(preset),
        changes={},
        round=1,
        seated=Seated(match="r1t1", table=1, teams=("A", "B")),
        teams=(team("A"), team("B")),
        opening=0,
        replay=False,
        rulings=(),
        time_called=False,
    )
    return open_(Match(), seat, "ref")[0], preset, seat


def _foul(**price: str) -> PenaltyIssued:
    state, preset, seat = _shandong()
    foul: dict[str, Any] = {"hand": 1, "claimed_during": None, "pair": "24", "code": "left_table", "cards": None}
    claim = msgspec.convert(foul | {"occasions": 1, "reason": ""} | price, Claim)
    (issued,) = issue_penalty(state, preset, seat, claim, "ref")
    assert isinstance(issued, PenaltyIssued)
    return issued


def test_shandong_the_referee_prices_in_halves_with_a_compensation() -> None:
    # 警告或判违规者失 0.5 分—4 分，并给予对方适当的补偿
    issued = _foul(lost="7/2", compensation="1/2")
    assert (issued.lost, issued.compensation, issued.points, issued.effects) == (7, 1, 0, ())
    assert issued.article == "八.14(4)"
    assert _foul().effects == ("warning",)


@pytest.mark.parametrize(
    ("price", "pointer"),
    [({"lost": "9/2"}, "/lost"), ({"lost": "1/4"}, "/lost"), ({"compensation": "1"}, "/compensation")],
)
def test_shandong_outside_the_range_it_is_refused_with_the_article(price: dict[str, str], pointer: str) -> None:
    with pytest.raises(PenaltyInvalid) as refused:
        _foul(**price)
    assert (refused.value.pointer, refused.value.article) == (pointer, "八.14(4)")
