"""A claimed breach and its price: by code and counts, within an article's leeway, or by the referee within a range."""

from __future__ import annotations

from typing import Any

import pytest

from shared.rules.errors import BadRegulation, RuleError, UnknownPenalty
from shared.rules.regulations import Preset, changed, load
from shared.rules.shengji.claims import charge

LEEWAY = {"penalties.signalling.leeway": {"least": 0, "most": 40}}


@pytest.fixture
def open_article() -> Preset:
    """jimei-2018 whose organiser lets the referee set what suspected signalling costs, and wrong cards."""
    return changed(load("jimei-2018"), LEEWAY | {"penalties.wrong_follow.leeway": {"least": 5, "most": 10}})


def refused(preset: Preset, code: str, **counts: Any) -> RuleError:
    with pytest.raises(RuleError) as caught:
        charge(preset, code, **counts)
    return caught.value


def test_code_and_counts_give_the_price(jimei: Preset) -> None:
    # 将按当次的出牌总张数乘以10作为罚分
    charged = charge(jimei, "wrong_follow", cards=3)
    assert (charged.points, charged.tariff, charged.lost, charged.article) == (3 * 10, None, 0, "十一.8②")
    assert charge(jimei, "signalling", occasions=2).points == 2 * 20  # 每次罚20分


def test_points_that_the_article_gives_anyway_are_no_override(jimei: Preset) -> None:
    assert charge(jimei, "revoke", points=80).tariff is None


def test_an_article_that_names_a_price_leaves_no_room(jimei: Preset) -> None:
    # 即罚80分
    error = refused(jimei, "revoke", points=60)
    assert (error.code, error.article, error.field) == ("bad_value", "十一.8⑨", "points")
    assert "80" in error.said.en
    assert "80" in error.said.zh


@pytest.mark.parametrize("regulation", ["jimei-2018", "zhongshan-2013"])
def test_no_article_of_the_two_leaves_room(regulation: str) -> None:
    assert [code for code, row in load(regulation).penalties.items() if row.value.leeway is not None] == []


@pytest.mark.parametrize(("points", "occasions"), [(0, 1), (40, 1), (5, 1), (80, 2), (35, 2)])
def test_within_the_leeway_the_referee_sets_the_points(open_article: Preset, points: int, occasions: int) -> None:
    charged = charge(open_article, "signalling", points=points, occasions=occasions)
    assert (charged.points, charged.tariff) == (points, 20 * occasions)


@pytest.mark.parametrize(("points", "occasions"), [(45, 1), (85, 2), (-5, 1), (12, 1)])
def test_outside_it_they_are_refused_with_the_article(open_article: Preset, points: int, occasions: int) -> None:
    error = refused(open_article, "signalling", points=points, occasions=occasions)
    assert (error.code, error.article, error.field) == ("bad_value", "十一.8⑧", "points")


def test_the_leeway_counts_by_the_card_as_the_price_does(open_article: Preset) -> None:
    assert charge(open_article, "wrong_follow", cards=3, points=15).points == 15  # 5 to 10 a card
    assert refused(open_article, "wrong_follow", cards=3, points=10).article == "十一.8②"


@pytest.mark.parametrize("leeway", [{"least": 25, "most": 40}, {"least": 0, "most": 15}, {"least": 3, "most": 40}])
def test_a_leeway_holds_its_price_in_whole_steps(leeway: dict[str, int]) -> None:
    with pytest.raises(BadRegulation) as caught:
        changed(load("jimei-2018"), {"penalties.signalling.leeway": leeway})
    assert caught.value.key == "penalties.signalling.leeway"


# 警告或判违规者失 0.5 分—4 分，并给予对方适当的补偿
@pytest.mark.parametrize(
    ("lost", "compensation", "halves"),
    [("0", "0", (0, 0)), ("1/2", "0", (1, 0)), ("4", "1/2", (8, 1)), ("0.5", "0.5", (1, 1))],
)
def test_shandong_the_referee_prices_in_half_points(
    shandong: Preset, lost: str, compensation: str, halves: tuple[int, int]
) -> None:
    charged = charge(shandong, "left_table", lost=lost, compensation=compensation)
    assert (charged.lost, charged.compensation) == halves
    assert (charged.points, charged.tariff) == (0, None)
    assert charged.effects == (() if halves[0] else ("warning",))


@pytest.mark.parametrize(
    ("counts", "field"),
    [
        ({"lost": "9/2"}, "lost"),
        ({"lost": "1/4"}, "lost"),
        ({"lost": "1", "compensation": "9/2"}, "compensation"),
        ({"compensation": "1"}, "compensation"),
        ({"cards": 2}, "cards"),
        ({"occasions": 2}, "occasions"),
        ({"points": 20}, "points"),
    ],
)
def test_shandong_what_the_referee_cannot_give(shandong: Preset, counts: dict[str, Any], field: str) -> None:
    error = refused(shandong, "left_table", **counts)
    assert (error.code, error.article, error.field) == ("bad_value", "八.14(4)", field)


@pytest.mark.parametrize("field", ["lost", "compensation"])
def test_match_points_are_not_taken_where_the_hand_is_charged(jimei: Preset, field: str) -> None:
    error = refused(jimei, "signalling", **{field: "1/2"})
    assert (error.article, error.field) == ("十一.8⑧", field)


def test_a_code_that_the_regulation_has_not(jimei: Preset) -> None:
    with pytest.raises(UnknownPenalty):
        charge(jimei, "sneezing")
