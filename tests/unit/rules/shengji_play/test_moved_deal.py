"""Penalties that move the deal: zhongshan-2013 七（一）3, 7 and 8, jimei-2018 十一.8④."""

from __future__ import annotations

import pytest

from shared.rules.regulations import Preset, changed
from shared.rules.shengji.facts import HandFact, Pair, PenaltyFact
from shared.rules.shengji.levels import level_change
from shared.rules.shengji.match import resum
from shared.rules.shengji.moved_deal import also, moved_change


def test_a_dealer_side_that_errs_loses_the_deal_and_points_give_levels(zhongshan: Preset) -> None:
    # 庄家方下台，抓分方上台……然后再加减分计算升级
    change = moved_change(zhongshan, 40, "5", "7", [("revoke", "dealers")])
    assert (change.deal, change.dealer_gain, change.dealer_level, change.attacker_level) == ("attackers", 1, "6", "7")
    change = moved_change(zhongshan, 160, "5", "7", [("hand_size", "dealers")])
    assert (change.deal, change.attacker_gain, change.attacker_level) == ("attackers", 2, "9")


@pytest.mark.parametrize(("points", "gain", "deal"), [(40, 1 + 1, "dealers"), (80, 0 + 1, "attackers")])
def test_attackers_who_err_give_the_dealer_a_level(zhongshan: Preset, points: int, gain: int, deal: str) -> None:
    # 庄家方自动升一级
    change = moved_change(zhongshan, points, "5", "7", [("hand_size", "attackers")])
    assert (change.dealer_gain, change.deal) == (gain, deal)


def test_that_level_can_pass_a(zhongshan: Preset) -> None:
    assert moved_change(zhongshan, 80, "A", "7", [("revoke", "attackers")]).won_by == "dealers"


def test_a_side_that_comes_to_a_by_it_has_not_passed_a(zhongshan: Preset) -> None:
    # 40 points give the dealer at K one level, the attackers' error another one; A was not played yet
    change = moved_change(zhongshan, 40, "K", "7", [("revoke", "attackers")])
    assert (change.dealer_gain, change.dealer_level, change.won_by) == (1 + 1, "A", None)


# 抓分方直接上庄，并按得分每满40分升1级，最多只能连升3级
@pytest.mark.parametrize("points", [-10, 0, 35, 40, 75, 80, 115, 120, 160, 300])
def test_a_kitty_of_a_wrong_size(zhongshan: Preset, points: int) -> None:
    change = moved_change(zhongshan, points, "5", "2", [("kitty_size", "dealers")])
    gain = min(max(points, 0) // 40, 3)
    assert (change.deal, change.attacker_gain, change.dealer_gain, change.dealer_level) == ("attackers", gain, 0, "5")


@pytest.mark.parametrize("points", [0, 80, 200])
def test_jimei_the_dealer_falls_and_nobody_gains(jimei: Preset, points: int) -> None:  # 做倒庄处理
    change = moved_change(jimei, points, "5", "7", [("kitty_size", "dealers")])
    assert (change.deal, change.dealer_gain, change.attacker_gain) == ("attackers", 0, 0)
    assert (change.dealer_level, change.attacker_level, change.won_by) == ("5", "7", None)


def test_the_first_of_several_is_what_a_fallen_dealer_rests_on(jimei: Preset) -> None:
    own = changed(jimei, {"penalties.revoke.effects": ["deal_lost"]})
    change = moved_change(own, 80, "5", "7", [("kitty_size", "dealers"), ("revoke", "dealers")])
    assert [basis.article for basis in change.basis] == ["十一.8④"]


def test_attackers_at_a_are_stopped_there_and_pass_nothing(zhongshan: Preset) -> None:
    own = changed(zhongshan, {"levels.past_top": "wrap"})
    assert moved_change(own, 160, "5", "A", [("kitty_size", "dealers")]).attacker_level == "4"
    own = changed(zhongshan, {"levels.must_play": ["J", "A"]})
    for played in ("T", "A"):
        change = moved_change(own, 160, "5", played, [("kitty_size", "dealers")])  # type: ignore[arg-type]
        assert (change.attacker_level, change.won_by) == ({"T": "J", "A": "A"}[played], None)
        assert any(basis.changed for basis in change.basis), "what stopped them"


def test_without_such_a_penalty_the_table_decides(zhongshan: Preset) -> None:
    assert moved_change(zhongshan, 40, "5", "7", []) == level_change(zhongshan, 40, "5", "7")


@pytest.mark.parametrize(
    ("effects", "offender", "cost"),
    [
        (("deal_or_level",), "dealers", "deal_lost"),
        (("deal_or_level",), "attackers", "level_to_opponents"),
        (("deal_lost",), "dealers", "deal_lost"),
        (("put_right",), "dealers", None),
    ],
)
def test_what_a_record_calls_it(effects: tuple[str, ...], offender: str, cost: str | None) -> None:
    assert also(effects, offender) == cost  # type: ignore[arg-type]


@pytest.mark.parametrize(("pair", "levels"), [("13", ("3", "2")), ("24", ("4", "2"))])
def test_a_match_counts_it(zhongshan: Preset, pair: Pair, levels: tuple[str, str]) -> None:
    """Pair 13 deals at 40 points, worth one level; its own error costs the deal, the opponents' gives one more."""
    fact = PenaltyFact(id="p", code="revoke", hand=1, pair=pair, points=0, effects=("deal_or_level",))
    summary = resum(zhongshan, [HandFact(number=1, dealer_seat=1, points=40)], [fact])
    assert (summary.levels["13"], summary.levels["24"]) == levels
    assert summary.rows[0].deal == ("attackers" if pair == "13" else "dealers")
