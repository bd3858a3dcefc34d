"""The values of jimei-2018, each beside the words of its article."""

from __future__ import annotations

import datetime as dt

import pytest

from shared.rules.regulations import Preset, describe, digest, load, names


def test_jimei_is_among_the_regulations_that_come_with_pailu() -> None:
    assert "jimei-2018" in names()


@pytest.mark.parametrize(
    ("key", "article", "mark", "value"),
    [
        ("dates.play_from", "四", "stated", "2018-11-24"),  # 2018年11月24日-25日
        ("dates.play_to", "四", "stated", "2018-11-25"),
        ("dates.place", "五", "stated", "区青少中心二楼棋牌室"),
        ("dates.entries_close", "十二（报名）", "stated", "2018-11-12T12:00:00"),  # 11月 12 日中午12：00前
        ("entry.changes_after_close", "十二（报名）", "stated", False),  # 报名后一律不得更改
        ("entry.born_from", "八", "read", "1958-01-01"),  # 1958年1月1日-1999年12月31日出生
        ("entry.born_to", "八", "read", "1999-12-31"),
        ("entry.players_min", "九", "stated", 2),  # 运动员2 人
        ("entry.players_max", "九", "stated", 2),
        ("entry.leaders_max", "九", "stated", 1),  # 可报领队、教练员各 1 人
        ("entry.coaches_max", "九", "stated", 1),
        ("entry.teams_per_unit", "九", "stated", 1),  # 各代表队限报一队
        ("match.minutes", "十.2", "stated", 60),  # 每轮时间为60分钟
        ("match.points.win", "十.2", "stated", 2),  # 胜方得2分，负方得0分，平级各得1分
        ("match.points.draw", "十.2", "stated", 1),
        ("match.points.loss", "十.2", "stated", 0),
        ("match.points.bye", "十二（名次）.1", "stated", 2),  # 轮空选手计得2分
        ("match.start_level", "十.3", "assumed", "2"),
        ("standings.tie_breaks", "十二（名次）.2", "stated", ["direct_win", "cumulative", "lot"]),  # 直胜、累进分、抽签
        ("standings.total_score.bye_opponent_points", "十二（名次）.2", "assumed", "lowest_with_points"),
        ("awards.places", "十三", "stated", 8),  # 录取前八名
        ("appeals.window_hours", "十四.1", "stated", 24),  # 可在24小时以内
        ("appeals.window_from", "十四.1", "read", "round_closed"),
        ("appeals.deposit_fen", "十四.2", "stated", 50000),  # 申诉费500元
        ("appeals.deposit.dismissed", "十四.2", "stated", "kept"),  # 败诉，不退还申诉费
        ("appeals.deposit.upheld", "十四.2", "stated", "refunded"),  # 胜诉，退还申诉费
    ],
)
def test_a_value_stands_as_its_article_says(jimei: Preset, key: str, article: str, mark: str, value: object) -> None:
    row = {row.key: row for row in describe(jimei)}[key]
    shown = list(row.value) if isinstance(row.value, list | tuple) else row.value
    assert (row.article, row.mark, shown) == (article, mark, value)


def test_the_two_articles_twelve_are_told_apart(jimei: Preset) -> None:
    assert {row.article for row in describe(jimei) if row.article.startswith("十二")} == {
        "十二（名次）.1",
        "十二（名次）.2",
        "十二（报名）",
    }


def test_every_value_has_an_article_and_a_name_in_both_languages(jimei: Preset) -> None:
    nameless = [row.key for row in describe(jimei) if not (row.article and row.zh and row.en)]
    assert nameless == []


def test_a_stated_value_is_never_without_an_article_number_of_the_text(jimei: Preset) -> None:
    numerals = set("一二三四五六七八九十")
    assert [row.key for row in describe(jimei) if row.article[0] not in numerals] == []


def test_dates_are_typed_and_local(jimei: Preset) -> None:
    assert jimei.dates.play_from.value == dt.date(2018, 11, 24)
    assert jimei.dates.entries_close.value == dt.datetime(2018, 11, 12, 12)  # noqa: DTZ001 - local to the zone
    assert jimei.zone.value == "Asia/Shanghai"


def test_loading_twice_gives_the_same_digest(jimei: Preset) -> None:
    assert digest(load("jimei-2018")) == digest(jimei)
    assert len(digest(jimei)) == 64
