"""ahut-2018 as its preset: each value, its article and how surely the article says it."""

from __future__ import annotations

import pytest

from shared.rules.errors import BadRegulation
from shared.rules.regulations import GuandanPreset, all_names, changed, describe, digest, load, load_any


def test_ahut_is_among_the_regulations_that_come_with_pailu() -> None:
    assert "ahut-2018" in all_names()


@pytest.mark.parametrize(
    ("key", "article", "mark", "value"),
    [
        ("dates.entries_close", "一", "stated", "2018-05-04T16:00:00"),  # 5月4日下午4:00前
        ("dates.play_begins", "四.1", "stated", "2018-05-06T08:00:00"),  # 5月6日上午8:00准时
        ("entry.membership", "一", "stated", "union_member"),  # 队员须为工会会员
        ("entry.leaders", "一", "stated", 1),  # 报领队1名
        ("entry.late_entry", "一", "stated", "forfeited"),  # 逾期按弃权处理
        ("entry.pairs_per_unit", "一", "assumed", None),
        ("draws.groups", "二", "stated", ["A", "B"]),  # 分A、B组进行
        ("draws.format", "二", "stated", "knockout"),  # 分别抽签进行淘汰赛
        ("draws.groups_cross", "二.5", "stated", False),  # 不交叉进行比赛
        ("draws.size", "二.5", "stated", 32),  # 32进16
        ("draws.byes", "二.5", "read", "lot"),
        ("draws.drawn_by", "四.1", "stated", "leaders"),  # 各参赛选手由领队抽签
        ("draws.keep_units_apart", "四.1", "assumed", False),
        ("match.start_level", "二.3", "stated", "2"),  # 从2打到A
        ("match.timed_order", "二.5", "stated", ["passed_top", "level", "reached_first"]),
        ("match.unfinished_hand", "二.5", "stated", "finish"),  # 只要开始摸牌，就要将该牌打完
        ("match.hand_begun", "二.5", "stated", "first_card_drawn"),
        ("match.late_minutes", "四.1", "stated", 15),  # 迟到15分钟以上
        ("cards.decks", "二.1", "stated", 2),  # 两副牌
        ("cards.wrong_hand", "二.4", "assumed", "redeal"),
        ("plays.wild", "二.1", "stated", "heart_level"),  # 主牌有两张红桃称为逢人配
        ("plays.full_house_joker_pair", "二.1", "assumed", True),
        ("plays.straight_flush_over", "二.2", "stated", 5),  # 六张和六张以上炸弹—同花顺—五张炸弹
        ("table.tribute", "二.4", "stated", False),  # 比赛不进贡
        ("table.draws_first", "二.4", "read", "last"),  # 下游先抓牌
        ("table.leads", "二.4", "stated", "first"),  # 上游先出牌
        ("table.leads_first_hand", "二.4", "stated", "face_up_card"),
        ("table.wind", "二.4", "stated", "partner"),  # 对家接风
        ("table.announce_at", "二.4", "stated", 7),  # 手中牌剩余7张时应主动报牌
        ("table.announce_counted", "二.4", "read", "pair_and_match"),
        ("table.play_seconds", "二.4", "stated", 10),  # 不超过10秒
        ("levels.gains", "二.5", "stated", {"second": 3, "third": 2, "last": 1}),
        ("levels.must_play", "二.5", "stated", "A"),  # 只有A必打
        ("levels.stop", "二.5", "read", "at_must_play"),
        ("levels.pass_with", "二.5", "stated", ["second", "third"]),  # 头游+二游或头游+三游
        ("levels.failures", "二.5", "stated", {"stages": ["final"], "limit": 3, "back_to": "2"}),  # A三牌不过返回2
        (
            "penalties.not_announced",
            "二.4",
            "stated",
            {"steps": [["reminder"], ["level_to_opponents"], ["match_lost"]]},
        ),
        ("penalties.signalling", "二.6", "stated", {"steps": [["warning"], ["match_lost"]]}),
        ("penalties.cheating", "二.6", "stated", {"steps": [["disqualified"]]}),
        ("penalties.slow_play", "二.4", "assumed", {"steps": [["warning"]]}),
        ("awards.places_per_group", "三", "stated", 8),  # A、B两组各取前八名
        ("awards.rest", "三", "stated", "encouragement"),  # 获参赛鼓励奖
        ("appeals.allowed", "二.6", "read", False),
    ],
)
def test_a_value_stands_as_its_article_says(
    ahut: GuandanPreset, key: str, article: str, mark: str, value: object
) -> None:
    row = {row.key: row for row in describe(ahut)}[key]
    assert (row.article, row.mark, row.value) == (article, mark, value)


def test_every_value_has_an_article_and_a_name_in_both_languages(ahut: GuandanPreset) -> None:
    assert [row.key for row in describe(ahut) if not (row.article and row.zh and row.en)] == []


def test_what_the_text_states_is_quoted(ahut: GuandanPreset) -> None:
    assert [row.key for row in describe(ahut) if row.mark == "stated" and not row.quote] == []


def test_one_hour_for_two_rounds_and_no_time_from_the_last_eight(ahut: GuandanPreset) -> None:
    rounds = [(row.teams, row.stage, row.minutes) for row in ahut.draws.rounds.value]
    assert rounds[:2] == [(32, "group", 60), (16, "group", 60)]
    assert rounds[2:] == [(8, "last8", None), (4, "last8", None), (2, "final", None)]


def test_it_is_no_regulation_of_another_game() -> None:
    with pytest.raises(BadRegulation, match="guandan"):
        load("ahut-2018")


@pytest.mark.parametrize(
    ("changes", "key"),
    [
        ({"levels.pass_with": []}, "levels.pass_with"),
        ({"draws.rounds": [{"teams": 8, "stage": "group", "minutes": 60}] * 2}, "draws.rounds"),
        ({"draws.groups": ["A", "A"]}, "draws.groups"),
        ({"levels.gains": {"second": 3}}, "levels.gains"),
        ({"zone": "Asia/Nowhere"}, "zone"),
        ({"penalties.cheating.steps": []}, "penalties.cheating.steps"),
    ],
)
def test_values_that_do_not_fit_are_refused(ahut: GuandanPreset, changes: dict[str, object], key: str) -> None:
    with pytest.raises(BadRegulation) as refused:
        changed(ahut, changes)
    assert refused.value.key == key


def test_a_change_is_flagged_and_changes_the_digest(ahut: GuandanPreset) -> None:
    own = changed(ahut, {"table.play_seconds": 20})
    assert own.table.play_seconds.changed
    assert digest(own) != digest(ahut)
    assert digest(changed(own, {"table.play_seconds": 20})) == digest(own)
    assert digest(load_any("ahut-2018")) == digest(ahut)
