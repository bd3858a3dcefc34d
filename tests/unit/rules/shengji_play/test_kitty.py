"""What the kitty brings: jimei-2018 十一.6, zhongshan-2013 七（一）5, shandong-2023 八.10."""

from __future__ import annotations

import pytest

from shared.rules.cards import read_cards
from shared.rules.regulations import Preset, changed
from shared.rules.shengji.kitty import KittyCredit, kitty_credit, multiplier
from shared.rules.shengji.led import lead
from shared.rules.shengji.order import order


def credit(preset: Preset, led: str, trump_won: bool = False, won_by: str = "attackers") -> KittyCredit:
    format_led = lead(order(preset, "H", "2"), read_cards(led, "led"))
    assert format_led is not None
    return kitty_credit(preset, 25, format_led, trump_won, won_by)  # type: ignore[arg-type]


# 单张翻倍，带对子按4倍，含连对拖拉机按8倍，三连拖按16倍; longer ones go on doubling (assumed)
@pytest.mark.parametrize(("pairs", "times"), [(0, 2), (1, 4), (2, 8), (3, 16), (4, 32), (5, 64), (12, 8 * 2**10)])
@pytest.mark.parametrize("trump_won", [True, False])
def test_jimei(jimei: Preset, pairs: int, times: int, trump_won: bool) -> None:
    assert multiplier(jimei.kitty, pairs, trump_won) == times


# 主牌单扣乘2，双扣乘4，拖拉机以张数乘2；副牌单扣按实际，双扣乘2，拖拉机以张数
@pytest.mark.parametrize("pairs", range(6))
def test_zhongshan(zhongshan: Preset, pairs: int) -> None:
    side = {0: 1, 1: 2}.get(pairs, 2 * pairs)
    assert multiplier(zhongshan.kitty, pairs, False) == side
    assert multiplier(zhongshan.kitty, pairs, True) == 2 * side


# 单张Y*2；对子或连对Y*2*2n, as printed; 2*2^n should a superscript have been lost
@pytest.mark.parametrize("n", range(1, 6))
def test_shandong(shandong: Preset, n: int) -> None:
    assert multiplier(shandong.kitty, n, True) == multiplier(shandong.kitty, n, False) == 2 * 2 * n
    assert multiplier(shandong.kitty, 0, True) == 2
    power = changed(shandong, {"kitty.longer": "double"})
    assert multiplier(power.kitty, n, True) == 2 * 2**n


@pytest.mark.parametrize(
    ("led", "times"),
    [("SA SK", 2), ("SA SA SK", 4), ("SA SA S9 S9", 4), ("SA SA SK SK SJ", 8), ("S3 S3 S4 S4 S5 S5 SA", 16)],
)
def test_a_throw_counts_its_largest_component(jimei: Preset, led: str, times: int) -> None:
    assert credit(jimei, led).multiplier == times


def test_the_winning_play_decides_whether_it_is_trump_and_the_led_one_the_format(zhongshan: Preset) -> None:
    assert (credit(zhongshan, "SA SA").points, credit(zhongshan, "SA SA", trump_won=True).points) == (25 * 2, 25 * 4)


def test_the_dealer_side_gets_its_kitty_once(jimei: Preset, zhongshan: Preset, shandong: Preset) -> None:
    for preset in (jimei, zhongshan, shandong):
        got = credit(preset, "SA SA", won_by="dealers")
        assert (got.multiplier, got.points, got.to) == (1, 25, "dealers")


def test_the_basis_names_the_reading_of_zhongshans_table(zhongshan: Preset) -> None:
    assert {(basis.article, basis.mark) for basis in credit(zhongshan, "SA").basis} == {
        ("七（一）5", "read"),
        ("七（一）5", "assumed"),
    }


@pytest.mark.parametrize(
    ("led", "marks"),
    [
        ("S3 S3 S4 S4 S5 S5", {"stated", "assumed"}),  # 三连拖按16倍; whose format counts is assumed
        ("SA SA SK", {"stated", "assumed"}),
    ],
)
def test_the_basis_of_jimei(jimei: Preset, led: str, marks: set[str]) -> None:
    assert {basis.mark for basis in credit(jimei, led).basis} == marks


def test_the_basis_names_longer_tractors_and_throws_only_where_they_count(jimei: Preset) -> None:
    own = changed(jimei, {"kitty.longer": "linear", "kitty.single": 3})
    longer, throw = own.kitty.longer.basis, jimei.kitty.throw.basis
    assert [longer in credit(own, led).basis for led in ("S3 S3 S4 S4 S5 S5", "S3 S3 S4 S4 S5 S5 S6 S6")] == [
        False,
        True,
    ]
    own = changed(jimei, {"kitty.tractors": [9, 18]})
    assert credit(own, "S3 S3 S4 S4").basis[0].changed
    assert throw in credit(jimei, "SA SK").basis
