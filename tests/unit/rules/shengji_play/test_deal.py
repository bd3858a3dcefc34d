"""Who deals: jimei-2018 十一.2 and 十一.3, zhongshan-2013 七（一）6, shandong-2023 八.7 and 八.8."""

from __future__ import annotations

import pytest

from shared.rules.cards import read_cards
from shared.rules.regulations import Preset, load
from shared.rules.shengji.deal import first_dealer, must_redeal, next_dealer


def first(preset: Preset, *showings: tuple[int, str]) -> int | None:
    return first_dealer(preset, [(seat, read_cards(cards, "cards")) for seat, cards in showings])


@pytest.mark.parametrize("regulation", ["jimei-2018", "zhongshan-2013"])
def test_the_first_to_show_deals_and_an_overturn_does_not_move_the_deal(regulation: str) -> None:  # 反主不反庄
    preset = load(regulation)
    assert first(preset, (3, "S2"), (2, "D2 D2")) == 3
    assert first(preset) is None


@pytest.mark.parametrize(
    ("showings", "dealer"),
    [
        ([(2, "SA")], 2),  # 以先亮A者为主庄家
        ([(2, "SA"), (3, "HA")], 2),
        ([(2, "SA"), (3, "HA HA")], 3),  # 可用相同的2A“反”之
        ([(2, "SA"), (3, "HA DA")], 2),
        ([(2, "SA"), (2, "SA SA")], 2),
        ([(2, "SA SA"), (3, "HA HA")], 2),
        ([(2, "SK"), (4, "DA")], 4),
        ([], None),
    ],
)
def test_shandong_aces(shandong: Preset, showings: list[tuple[int, str]], dealer: int | None) -> None:
    assert first(shandong, *showings) == dealer


def test_the_deal_kept_and_lost(jimei: Preset, zhongshan: Preset, shandong: Preset) -> None:
    assert [next_dealer(preset, 1, "dealers") for preset in (jimei, zhongshan, shandong)] == [3, 3, 1]
    assert [next_dealer(preset, 4, "attackers") for preset in (jimei, zhongshan, shandong)] == [1, 1, 1]


def test_jimei_the_same_person_dealing_twice_running_is_dealt_again(jimei: Preset, shandong: Preset) -> None:
    assert must_redeal(jimei, 1, 1)  # 发现一人连续做庄时应重新发牌
    assert not must_redeal(jimei, 1, 3)
    assert not must_redeal(shandong, 1, 1)
