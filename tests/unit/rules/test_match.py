"""Re-summing a match (RULINGS, Corrections and later hands; jimei-2018 十一.3, 十一.7, 十一.8)."""

from __future__ import annotations

from typing import Any

import pytest

from shared.rules.basis import Basis
from shared.rules.errors import RuleError, UnknownPenalty
from shared.rules.regulations import Preset
from shared.rules.shengji.facts import HandFact, Pair, PenaltyFact, largest_points
from shared.rules.shengji.match import MatchSummary, resum


def hands(*rows: tuple[int, int]) -> list[HandFact]:
    """Hands from (dealer's seat, attackers' points), numbered from 1."""
    return [HandFact(number=n, dealer_seat=seat, points=points) for n, (seat, points) in enumerate(rows, 1)]


def charge(hand: int, pair: Pair, points: int, code: str = "wrong_follow", **more: Any) -> PenaltyFact:
    return PenaltyFact(id=f"p{hand}{pair}{points}", code=code, hand=hand, pair=pair, points=points, **more)


def levels(summary: MatchSummary) -> tuple[str, str]:
    return summary.levels["13"], summary.levels["24"]


def test_before_the_first_hand_both_pairs_stand_at_two_and_nobody_is_due_to_deal(jimei: Preset) -> None:
    summary = resum(jimei, [])
    assert (levels(summary), summary.next_dealer, summary.won_by) == (("2", "2"), None, None)


def test_a_dealer_who_keeps_the_deal_gains_and_the_partner_deals_next(jimei: Preset) -> None:
    summary = resum(jimei, hands((1, 40)))  # 25-40: 庄家升三级
    assert levels(summary) == ("5", "2")
    assert summary.next_dealer == 3


def test_a_lost_deal_goes_to_the_next_seat(jimei: Preset) -> None:
    assert resum(jimei, hands((1, 80))).next_dealer == 2
    assert resum(jimei, hands((4, 95))).next_dealer == 1


def test_attackers_gain_for_the_pair_that_attacked(jimei: Preset) -> None:
    assert levels(resum(jimei, hands((1, 120)))) == ("2", "4")  # 120 is 80 + 2 x 20: 防家升二级
    assert levels(resum(jimei, hands((2, 120)))) == ("4", "2")


def test_levels_add_up_over_hands(jimei: Preset) -> None:
    # 13 deal: +3 -> 5; 13 deal and fall at 100: 24 +1 -> 3; 24 deal: 0 points, +5 -> 8
    assert levels(resum(jimei, hands((1, 30), (3, 100), (4, 0)))) == ("5", "8")


def test_a_penalty_on_an_attacker_lowers_the_points(jimei: Preset) -> None:
    row = resum(jimei, hands((1, 80)), [charge(1, "24", 10)]).rows[0]
    assert (row.points, row.penalty_points, row.attacker_points) == (80, -10, 70)
    assert (row.dealer_gain, row.deal) == (1, "dealers")  # 65-75: 庄家升一级


def test_a_penalty_on_the_dealer_side_raises_the_points(jimei: Preset) -> None:
    row = resum(jimei, hands((1, 80)), [charge(1, "13", 80, "revoke")]).rows[0]
    assert row.attacker_points == 160  # 80 + 4 x 20
    assert row.attacker_gain == 4


def test_penalties_may_bring_the_points_below_zero(jimei: Preset) -> None:
    row = resum(jimei, hands((1, 20)), [charge(1, "24", 80, "revoke")]).rows[0]
    assert (row.attacker_points, row.dealer_gain) == (-60, 5)  # 零分或负分时庄家升五级


def test_a_lifted_penalty_counts_nothing(jimei: Preset) -> None:
    facts = hands((1, 80), (2, 40))
    lifted = resum(jimei, facts, [charge(1, "24", 10, lifted=True)])
    assert levels(lifted) == levels(resum(jimei, facts))


def test_a_penalty_is_charged_to_its_own_hand_alone(jimei: Preset) -> None:
    rows = resum(jimei, hands((1, 80), (2, 80)), [charge(2, "13", 10)]).rows
    assert [row.attacker_points for row in rows] == [80, 70]


def test_a_penalty_for_the_hand_in_play_waits_for_it(jimei: Preset) -> None:
    assert levels(resum(jimei, hands((1, 40)), [charge(2, "13", 80)])) == ("5", "2")


def test_a_kitty_of_a_wrong_size_found_late_costs_the_deal_and_nobody_gains(jimei: Preset) -> None:  # 做倒庄处理
    penalty = charge(1, "13", 0, "kitty_size", effects=("deal_lost",))
    summary = resum(jimei, hands((1, 0)), [penalty])
    assert levels(summary) == ("2", "2")
    assert summary.rows[0].deal == "attackers"
    assert summary.next_dealer == 2
    assert Basis("十一.8④", "stated") in summary.rows[0].basis


def test_only_the_dealer_side_can_lose_the_deal(jimei: Preset) -> None:
    with pytest.raises(RuleError, match="did not deal hand 1"):
        resum(jimei, hands((1, 0)), [charge(1, "24", 0, "kitty_size", effects=("deal_lost",))])


def test_attackers_at_a_stay_there_without_gain(jimei: Preset) -> None:  # 防家必打级（A）该局不升级
    # 13 deal four hands of zero: 2 -> 7 -> Q -> A; then 24 deal and lose 180
    rows = resum(jimei, hands((1, 0), (3, 0), (1, 0), (2, 180))).rows
    assert [row.levels_after["13"] for row in rows] == ["7", "Q", "A", "A"]
    assert (rows[3].attacker_gain, rows[3].won_by) == (0, None)


def test_a_dealer_at_a_who_gains_wins_the_match(jimei: Preset) -> None:
    summary = resum(jimei, hands((1, 0), (3, 0), (1, 0), (3, 75)))
    assert (summary.won_by, summary.won_in, levels(summary)) == ("13", 4, ("A", "2"))
    assert summary.next_dealer is None


def test_hands_after_a_win_count_nothing(jimei: Preset) -> None:
    summary = resum(jimei, hands((1, 0), (3, 0), (1, 0), (3, 75), (1, 200)))
    assert (summary.won_by, levels(summary)) == ("13", ("A", "2"))
    last = summary.rows[-1]
    assert (last.counted, last.reason, last.deal) == (False, "match_won", None)
    assert last.basis == (Basis("十一.8", "assumed"),)


def test_a_correction_that_wins_earlier_silences_the_later_hands(jimei: Preset) -> None:
    played = hands((1, 0), (3, 0), (1, 0), (3, 80), (4, 0))
    assert resum(jimei, played).won_by is None
    corrected = resum(jimei, played, [charge(4, "24", 10)])  # 80 - 10: the dealer at A gains one
    assert (corrected.won_by, corrected.won_in) == ("13", 4)
    assert levels(corrected) == ("A", "2")


def test_a_correction_that_takes_a_win_away_leaves_the_levels_reached(jimei: Preset) -> None:
    played = hands((1, 0), (3, 0), (1, 0), (3, 75))
    corrected = resum(jimei, played, [charge(4, "13", 10)])  # 75 + 10: the dealer falls
    assert (corrected.won_by, levels(corrected)) == (None, ("A", "2"))


def test_later_hands_stand_as_played_whoever_should_have_dealt(jimei: Preset) -> None:
    # after the correction 13 keep the deal and seat 3 should have dealt; seat 2 did, and its gain counts for 24
    summary = resum(jimei, hands((1, 80), (2, 40)), [charge(1, "24", 10)])
    assert (summary.rows[1].due_dealer, summary.rows[1].dealer_seat) == (3, 2)
    assert levels(summary) == ("3", "5")


def test_an_annulled_hand_keeps_its_number_and_counts_nothing(jimei: Preset) -> None:
    facts = [HandFact(number=1, dealer_seat=1, points=0, annulled=True), *hands((1, 80), (3, 40))[1:]]
    summary = resum(jimei, facts)
    assert levels(summary) == ("5", "2")
    assert (summary.rows[0].counted, summary.rows[0].reason) == (False, "annulled")


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"points": 42}, "points"),
        ({"points": -5}, "points"),
        ({"points": 40.0}, "points"),
        ({"points": True}, "points"),
        ({"dealer_seat": 0}, "dealer_seat"),
        ({"dealer_seat": 5}, "dealer_seat"),
        ({"trump": "X"}, "trump"),
        ({"number": 2}, "number"),
        ({"levels": {"13": "2"}}, "levels"),
        ({"levels": {"13": "2", "24": "1"}}, "levels.24"),
    ],
)
def test_a_fact_that_cannot_be_is_refused(jimei: Preset, changes: dict[str, Any], field: str) -> None:
    fact = HandFact(**{"number": 1, "dealer_seat": 1, "points": 80, **changes})
    with pytest.raises(RuleError) as refused:
        resum(jimei, [fact])
    assert (refused.value.code, refused.value.field) == ("bad_value", field)


def test_a_hand_without_trumps_is_refused_with_the_article(jimei: Preset) -> None:  # 本次比赛采用有将定约
    with pytest.raises(RuleError) as refused:
        resum(jimei, [HandFact(number=1, dealer_seat=1, points=80, trump="N")])
    assert refused.value.article == "十一.2"


def test_a_hand_number_that_skips_is_refused(jimei: Preset) -> None:
    first, _, third = hands((1, 80), (2, 80), (3, 80))
    with pytest.raises(RuleError, match="hand 3 stands where hand 2 belongs"):
        resum(jimei, [first, third])


def test_a_penalty_for_a_hand_that_is_not_there_is_refused(jimei: Preset) -> None:
    with pytest.raises(RuleError, match="for hand 3, and 1 are entered"):
        resum(jimei, hands((1, 80)), [charge(3, "13", 10)])


def test_an_unknown_penalty_is_refused(jimei: Preset) -> None:
    with pytest.raises(UnknownPenalty):
        resum(jimei, hands((1, 80)), [charge(1, "13", 10, "peeking")])


@pytest.mark.parametrize("points", [-10, 12])
def test_penalty_points_that_no_article_gives_are_refused(jimei: Preset, points: int) -> None:
    with pytest.raises(RuleError) as refused:
        resum(jimei, hands((1, 80)), [charge(1, "13", points)])
    assert refused.value.field == "points"


def test_the_most_points_that_a_hand_can_give(jimei: Preset) -> None:
    # 200 points in two decks; 8 cards of 10 buried; twelve pairs in a hand of 25: 单2 对4 两连8 三连16, then doubling
    multiplier = 16 * 2 ** (12 - 3)
    assert largest_points(jimei) == (200 - 80) + 80 * multiplier
    with pytest.raises(RuleError, match="no hand can give"):
        resum(jimei, hands((1, largest_points(jimei) + 5)))
