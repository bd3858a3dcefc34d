"""The prices of jimei-2018 十一.8 and the time in which they can be charged."""

from __future__ import annotations

import pytest

from shared.rules.errors import RuleError, UnknownPenalty
from shared.rules.regulations import Preset, changed
from shared.rules.shengji.penalties import in_time, price


@pytest.mark.parametrize(
    ("code", "points", "article"),
    [
        ("early_draw_unseen", 0, "十一.8①A"),  # 不予处罚
        ("early_draw_seen", 10, "十一.8①B"),  # 给予10分罚分
        ("early_draw_in_hand", 10, "十一.8①C"),  # 给予10分罚分
        ("kitty_size_before_lead", 0, "十一.8④"),
        ("kitty_size", 0, "十一.8④"),  # 做倒庄处理
        ("kitty_size_played_on", 20, "十一.8④"),  # 罚庄家20分
        ("hand_size", 20, "十一.8⑤"),  # 单方多牌或少牌皆罚20分
        ("hand_size_short", 20, "十一.8⑤"),
        ("hand_size_partners", 20, "十一.8⑤"),  # 两名牌手为同家时罚20分
        ("hand_size_opponents", 0, "十一.8⑤"),
        ("exposed_while_dealing", 20, "十一.8⑦"),  # 每次罚公开牌张一方20分
        ("signalling", 20, "十一.8⑧"),  # 每次罚20分
        ("revoke", 80, "十一.8⑨"),  # 即罚80分
    ],
)
def test_a_fixed_price(jimei: Preset, code: str, points: int, article: str) -> None:
    priced = price(jimei, code)
    assert (priced.points, priced.article) == (points, article)


@pytest.mark.parametrize(
    ("code", "article"),
    [
        ("wrong_follow", "十一.8②"),  # 按当次的出牌总张数乘以10
        ("failed_throw", "十一.8③"),  # 按甩牌被卡总张数乘以10
        ("out_of_turn", "十一.8⑥"),  # 每张牌按10分
        ("lead_out_of_turn", "十一.8⑥"),
    ],
)
@pytest.mark.parametrize("cards", [1, 2, 7])
def test_ten_points_a_card(jimei: Preset, code: str, article: str, cards: int) -> None:
    priced = price(jimei, code, cards=cards)
    assert (priced.points, priced.article) == (10 * cards, article)


def test_each_occasion_is_charged(jimei: Preset) -> None:
    assert price(jimei, "signalling", occasions=3).points == 3 * 20  # 每次罚20分
    assert price(jimei, "revoke", occasions=2).points == 2 * 80


@pytest.mark.parametrize(
    ("code", "effects"),
    [
        ("early_draw_in_hand", ("random_card_back",)),  # 任意抽出多余的牌张
        ("kitty_size", ("deal_lost",)),  # 做倒庄处理
        ("lead_out_of_turn", ("penalty_card",)),  # 越序引牌作为罚张处理
        ("out_of_turn", ()),
        ("revoke", ()),  # 比赛仍需继续
    ],
)
def test_what_else_it_costs(jimei: Preset, code: str, effects: tuple[str, ...]) -> None:
    row = jimei.penalties[code].value
    assert price(jimei, code, cards=1 if row.formula == "per_card" else None).effects == effects


def test_an_unknown_code_lists_the_known_ones(jimei: Preset) -> None:
    with pytest.raises(UnknownPenalty, match="revoke") as refused:
        price(jimei, "peeking")
    assert refused.value.code == "unknown_penalty"
    assert "failed_throw" in refused.value.known


def test_a_price_per_card_needs_the_cards(jimei: Preset) -> None:
    with pytest.raises(RuleError, match="counts cards") as refused:
        price(jimei, "failed_throw")
    assert (refused.value.code, refused.value.field, refused.value.article) == ("missing_field", "cards", "十一.8③")


@pytest.mark.parametrize("cards", [0, -1, 26, True, 2.0])
def test_a_number_of_cards_that_no_hand_holds_is_refused(jimei: Preset, cards: object) -> None:
    with pytest.raises(RuleError) as refused:
        price(jimei, "wrong_follow", cards=cards)  # type: ignore[arg-type]
    assert (refused.value.code, refused.value.field) == ("bad_value", "cards")


def test_a_fixed_price_counts_no_cards(jimei: Preset) -> None:
    with pytest.raises(RuleError, match="fixed price"):
        price(jimei, "revoke", cards=2)


def test_the_organisers_price_says_that_it_was_changed(jimei: Preset) -> None:
    priced = price(changed(jimei, {"penalties.revoke.points": 60}), "revoke")
    assert (priced.points, priced.changed, priced.article) == (60, True, "十一.8⑨")


def test_every_penalty_is_a_multiple_of_ten(jimei: Preset) -> None:
    assert {row.value.points % 10 for row in jimei.penalties.values()} == {0}


def test_a_breach_can_be_charged_until_the_next_hand_is_drawn() -> None:  # 下一局开始后不再追究
    assert in_time(hand=3, last_drawn=3)
    assert not in_time(hand=3, last_drawn=4)
