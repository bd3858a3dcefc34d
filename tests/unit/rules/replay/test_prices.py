"""What a breach costs, article by article; every price is worked out here from the words of the text."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shared.rules.errors import RuleError
from shared.rules.regulations import load
from shared.rules.shengji.random_hands import random_hand
from shared.rules.shengji.replay import replay
from tests.unit.rules.replay.records import Tricks, breaches, replayed

A_CARD = 10
REVOKE = 80
NEXT: tuple[int, list[Any]] = (3, ["CA", "C6", "C4", "H7"])
WITHHELD: tuple[int, list[Any]] = (1, ["H5", "D3", "HK", "H3"])
"""Seat 2 discards a diamond on hearts and shows a heart in the trick after."""


def only(regulation: str, tricks: Tricks, **more: Any) -> Any:
    (breach,) = replayed(regulation, tricks, **more).irregularities
    return breach


def test_jimei_a_revoke_is_80_once_a_card_of_the_next_trick_is_played() -> None:
    hand = replayed("jimei-2018", [WITHHELD, NEXT])
    (breach,) = hand.irregularities
    assert (breach.code, breach.seat, breach.trick, breach.discovered_at) == ("revoke", 2, 1, 2)
    assert (breach.withheld, breach.cards, breach.article) == ("suit", "D3", "十一.8⑨")
    assert breach.penalty_points == REVOKE
    assert hand.attacker_points == 0 - REVOKE


def test_jimei_each_revoked_trick_is_80() -> None:
    again: tuple[int, list[Any]] = (3, ["HA", "H6", "H8", "D4"])
    hand = replayed("jimei-2018", [WITHHELD, again, (3, ["CA", "C3", "C7", "C8"]), (3, ["C9", "CT", "CJ", "H7"])])
    assert breaches(hand) == [("revoke", 2, 1), ("revoke", 2, 2)]
    assert sum(breach.penalty_points for breach in hand.irregularities) == 2 * REVOKE


def test_jimei_a_wrong_follow_in_time_is_10_for_each_card_of_that_play() -> None:
    taken_back = {"cards": "H7 H8", "corrected": "H7 D3"}
    breach = only("jimei-2018", [(1, ["H5 H5", taken_back, "HK H9", "H3 H4"]), (1, ["CA", "C3", "C4", "C6"])])
    assert (breach.code, breach.withheld, breach.article) == ("wrong_follow", "suit", "十一.8②")
    assert breach.penalty_points == 2 * A_CARD


def test_jimei_a_wrong_follow_in_the_last_trick_of_the_record_can_still_be_put_right() -> None:
    drawn = random_hand(load("jimei-2018"), 8).record
    trick = drawn["tricks"][0]
    led, seat = trick["plays"][0], trick["leader"] % 4 + 1
    hand = drawn["dealt"][str(seat)].split(" ")
    assert (" " in led, seat == drawn["dealer"], drawn["trump"] == led[0]) == (False, False, False)
    assert any(card[0] == led[0] for card in hand)
    wrong = next(card for card in hand if card[0] not in (led[0], drawn["trump"]) and "J" not in card)
    tricks = [{"leader": trick["leader"], "plays": [led, wrong, *trick["plays"][2:]]}]
    hand_ = replay(load("jimei-2018"), drawn | {"tricks": tricks})
    assert breaches(hand_) == [("wrong_follow", seat, 1)]


@pytest.mark.parametrize(
    ("regulation", "points"),
    [("jimei-2018", 2 * A_CARD), ("zhongshan-2013", A_CARD)],
)
def test_a_failed_throw_counts_the_beaten_or_the_cards_taken_back(regulation: str, points: int) -> None:
    """HQ and HJ are both beaten: jimei counts both (被卡总张数), zhongshan the one that goes back (拿回多少张)."""
    thrown = {"cards": "HJ", "attempted": "HQ HJ"}
    tricks: Tricks = [(1, [thrown, "H7", "HK", "H6"]), (3, ["C3", "CA", "HQ", "C5"])]
    breach = only(regulation, tricks)
    assert (breach.code, breach.seat, breach.trick) == ("failed_throw", 1, 1)
    assert breach.penalty_points == points


def test_zhongshan_a_beaten_throw_found_later_costs_only_when_the_partner_hid_the_card() -> None:
    by_partner: Tricks = [(1, ["HQ HJ", "H7 H8", "H9 HT", "H4 H5"]), (1, ["C3", "CA", "HK", "C5"])]
    breach = only("zhongshan-2013", by_partner)
    assert (breach.code, breach.penalty_points, breach.also) == ("failed_throw", 0, ("deal_lost",))
    by_opponent: Tricks = [(1, ["HQ HJ", "H7 H8", "H9 HT", "H4 H5"]), (1, ["C3", "HK", "CA", "C5"])]
    breach = only("zhongshan-2013", by_opponent)
    assert (breach.code, breach.penalty_points, breach.also) == ("failed_throw", 0, ())


def test_a_beaten_throw_that_stood_is_seen_at_once() -> None:
    """RULINGS, common 5: a throw is checked against the other three hands when it is led."""
    tricks: Tricks = [(1, ["HQ HJ", "H7 H8", "H9 HT", "H4 H5"]), (1, ["C3", "CA", "HK", "C5"])]
    for regulation in ("jimei-2018", "zhongshan-2013"):
        breach = only(regulation, tricks)
        assert (breach.code, breach.trick, breach.discovered_at) == ("failed_throw", 1, 1)


@pytest.mark.parametrize(("seat", "also"), [(2, "level_to_opponents"), (3, "deal_lost")])
def test_zhongshan_a_wrong_suit_found_after_the_next_lead_moves_the_deal(seat: int, also: str) -> None:
    plays = ["H5", "H6", "HK", "H4"]
    plays[seat - 1] = "D3"
    after = {2: ["CA", "H7", "C4", "C6"], 3: ["CA", "C7", "H7", "C6"]}[seat]
    leader = 3 if seat == 2 else 2
    order = [(leader, [after[(leader - 1 + step) % 4] for step in range(4)])]
    breach = only("zhongshan-2013", [(1, plays), *order])
    assert (breach.code, breach.seat, breach.penalty_points, breach.also) == ("revoke", seat, 0, (also,))
    assert breach.article == "七（一）8"


def test_zhongshan_a_pair_not_followed_is_10_for_each_card_missing() -> None:
    """少跟1对，扣20分, whatever the number of cards of the play."""
    taken_back = {"cards": "H7 H7", "corrected": "H7 H8"}
    breach = only("zhongshan-2013", [(1, ["H5 H5", taken_back, "HK H9", "H3 H4"]), (2, ["C3", "H8", "C4", "C6"])])
    assert (breach.code, breach.withheld, breach.penalty_points) == ("wrong_follow", "pair", 2 * A_CARD)


@pytest.mark.parametrize(("wrong", "count"), [("H7 D3", 1), ("D3 D4", 2)])
def test_zhongshan_a_wrong_suit_in_time_is_10_for_each_wrong_card(wrong: str, count: int) -> None:
    taken_back = {"cards": "H7 H8", "corrected": wrong}
    breach = only("zhongshan-2013", [(1, ["H5 H5", taken_back, "HK H9", "H3 H4"]), (1, ["C3", "D3", "C4", "C6"])])
    assert (breach.code, breach.withheld, breach.penalty_points) == ("wrong_follow", "suit", count * A_CARD)


@pytest.mark.parametrize(
    ("regulation", "points", "also"),
    [("jimei-2018", 20, ()), ("zhongshan-2013", 0, ("level_to_opponents",)), ("shandong-2023", 0, ())],
)
def test_a_wrong_number_of_cards_that_stood(regulation: str, points: int, also: tuple[str, ...]) -> None:
    """jimei ⑤: 单方少牌（多出牌），则打到无牌为止……皆罚20分, nothing is drawn;
    zhongshan 7: 不做庄的多牌，庄家升一级; shandong names no price."""
    breach = only(regulation, [(1, ["H5", "H7 H8", "HK", "H3"]), (3, ["CA", "C5", "C4", "C6"])], trump="D")
    assert (breach.code, breach.seat) == ("wrong_count", 2)
    assert (breach.penalty_points, breach.also) == (points, also)


def test_jimei_of_a_hand_that_played_too_few_the_rest_is_drawn() -> None:
    """单方多牌（少出牌），则在被发现时让他方任意抽掉多余牌张 (十一.8⑤)."""
    breach = only("jimei-2018", [(1, ["H5 H5", "H7", "HK HQ", "H3 H4"]), (1, ["CA", "C5", "C4", "C6"])], trump="D")
    assert (breach.code, breach.seat, breach.penalty_points, breach.also) == ("wrong_count", 2, 20, ("cards_drawn",))


def test_zhongshan_a_wrong_number_in_time_is_10_for_each_card_too_many() -> None:
    taken_back = {"cards": "H7", "corrected": "H7 H8 H9"}
    breach = only("zhongshan-2013", [(1, ["H5", taken_back, "HK", "H4"]), (3, ["CA", "C5", "C4", "C6"])])
    assert (breach.code, breach.penalty_points, breach.article) == ("wrong_count", 2 * A_CARD, "七（一）8")


@pytest.mark.parametrize(
    ("regulation", "points", "also"),
    [("jimei-2018", A_CARD, ("penalty_card",)), ("zhongshan-2013", 0, ("warning",)), ("shandong-2023", 0, ())],
)
def test_a_lead_out_of_turn(regulation: str, points: int, also: tuple[str, ...]) -> None:
    breach = only(regulation, [(2, ["H5", "HK", "H4", "H7"])])
    assert (breach.code, breach.seat, breach.trick) == ("out_of_turn", 2, 1)
    assert (breach.penalty_points, breach.also) == (points, also)


def test_jimei_a_follow_out_of_turn_is_10_a_card() -> None:
    breach = only("jimei-2018", [(1, ["H5 H5", {"cards": "HK HK", "seat": 3}, "H7 H8", "H4 H6"])])
    assert (breach.code, breach.seat, breach.penalty_points, breach.also) == ("out_of_turn", 3, 2 * A_CARD, ())


def test_shandong_a_throw_is_refused_and_costs_no_card_points() -> None:
    thrown = {"cards": "HJ", "attempted": "HQ HJ"}
    breach = only("shandong-2023", [(1, [thrown, "H7", "HK", "H6"])])
    assert (breach.code, breach.article, breach.mark, breach.penalty_points) == ("illegal_throw", "八.6", "stated", 0)


@pytest.mark.parametrize(("discarded", "article"), [("D3", "八.14(6)"), ("S3", "八.14(7)")])
def test_shandong_a_revoke_by_ruffing_has_its_own_article(discarded: str, article: str) -> None:
    following = (2, ["H7", "C3", "C4", "C6"]) if discarded == "S3" else NEXT
    hand = replayed("shandong-2023", [(1, ["H5", discarded, "HK", "H4"]), following])
    (breach,) = hand.irregularities
    assert (breach.code, breach.article, breach.penalty_points) == ("revoke", article, 0)
    assert breach.also == ("warning_or_match_points",)
    assert hand.attacker_points == (5 + 10 if discarded == "S3" else 0)


def test_shandong_the_referee_prices_the_revoke_that_was_found() -> None:
    entered = {"code": "revoke", "seat": 2, "after_trick": 2, "lost": "3/2", "compensation": "1/2"}
    breach = only("shandong-2023", [WITHHELD, NEXT], incidents=[entered])
    assert (breach.code, breach.trick, breach.lost, breach.compensation) == ("revoke", 1, 3, 1)


@pytest.mark.parametrize("lost", ["1/4", "9/2", "-1", "x"])
def test_shandong_a_price_outside_the_range_is_refused(lost: str) -> None:
    entered = {"code": "peeking", "seat": 2, "after_trick": 1, "lost": lost}
    with pytest.raises(RuleError, match=r"incidents\[0\]"):
        replayed("shandong-2023", [(1, ["H5", "H7", "HK", "H4"])], incidents=[entered])


@pytest.mark.parametrize(
    ("code", "more", "points"),
    [
        ("early_draw_unseen", {}, 0),
        ("early_draw_seen", {}, 10),
        ("early_draw_in_hand", {}, 10),
        ("exposed_while_dealing", {}, 20),
        ("exposed_while_dealing", {"occasions": 3}, 60),
        ("signalling", {}, 20),
        ("hand_size_partners", {}, 20),
        ("hand_size_opponents", {}, 0),
        ("out_of_turn", {"cards": 3}, 30),
        ("out_of_turn", {"cards": "H5 H6"}, 20),
        ("signalling", {"claimed_late": True}, 0),
    ],
)
def test_jimei_incidents_are_priced_by_the_preset(code: str, more: dict[str, Any], points: int) -> None:
    hand = replayed(
        "jimei-2018",
        [(1, ["H5", "H7", "HK", "H4"])],
        incidents=[{"code": code, "seat": 3, "after_trick": 0, **more}],
    )
    (breach,) = hand.irregularities
    assert breach.penalty_points == points
    assert breach.code == ("late_claim" if more.get("claimed_late") else code)
    assert hand.attacker_points == points


@pytest.mark.parametrize("after", [(1, 2), (2, 1), (2, 2), (0, 1, 2)])
def test_the_same_incident_again_costs_again(after: tuple[int, ...]) -> None:
    """每次罚20分 (jimei 十一.8⑧): in whatever order the referee enters them."""
    tricks: list[Any] = [(1, ["H5", "H7", "HK", "H4"]), (3, ["HA", "H6", "H8", "H9"])]
    incidents = [{"code": "signalling", "seat": 3, "after_trick": trick} for trick in after]
    hand = replayed("jimei-2018", tricks, incidents=incidents)
    assert [breach.penalty_points for breach in hand.irregularities] == [20] * len(after)


def test_a_penalty_on_the_attackers_lowers_their_points() -> None:
    incidents = [{"code": "signalling", "seat": seat, "after_trick": 0} for seat in (2, 3, 4)]
    assert replayed("jimei-2018", [(1, ["H5", "H7", "HK", "H4"])], incidents=incidents).attacker_points == -20


@pytest.mark.parametrize(
    ("led", "points", "also"),
    [({"cards": "H5", "corrected": "H5 C8 H6"}, A_CARD, ()), ("H5 C8 H6", 0, ("deal_lost",))],
)
def test_zhongshan_a_lead_of_two_suits_in_time_and_later(led: Any, points: int, also: tuple[str, ...]) -> None:
    """出错一张牌扣10分: C8 is the wrong one; 庄家方出错牌，庄家方下台 once nothing can be put right."""
    others = ["H7", "H8", "H9"] if isinstance(led, dict) else ["H7 HT HT", "H8 D4 D5", "H9 D6 D7"]
    leader = 4 if isinstance(led, dict) else 1
    breach = only("zhongshan-2013", [(1, [led, *others]), (leader, ["CA", "C3", "C4", "C6"])])
    assert (breach.code, breach.penalty_points, breach.also) == ("illegal_lead", points, also)


@given(seed=st.integers(0, 1000))
@settings(max_examples=15, deadline=None)
def test_a_card_not_held_moves_the_deal_in_zhongshan_and_is_free_elsewhere(seed: int) -> None:
    for regulation, moved in (("zhongshan-2013", True), ("jimei-2018", False), ("shandong-2023", False)):
        preset = load(regulation)
        hand = replay(preset, random_hand(preset, seed, "card_not_held").record)
        (breach,) = hand.irregularities
        late = breach.trick < len(hand.tricks)
        assert breach.penalty_points == (A_CARD if regulation == "zhongshan-2013" and not late else 0)
        assert bool(breach.also) == (moved and late)
