"""The values of zhongshan-2013 and shandong-2023, each beside the words of its article."""

from __future__ import annotations

import pytest

from shared.rules.errors import BadRegulation, RuleError
from shared.rules.formats.awards import places_awarded
from shared.rules.formats.rounds import rounds_for
from shared.rules.regulations import changed, describe, load, names
from shared.rules.regulations.cautions import cautions

ZHONGSHAN = [
    ("dates.entries_close", "六（二）", "stated", "2013-10-08T15:00:00"),  # 在10月8日下午3时送到工会办公室
    ("entry.substitutes", "六（一）", "stated", {"least": 3, "most": 4}),  # 候补队员3至4名
    ("entry.outsider", "六（一）", "stated", "chief_referee_consent"),  # 需要通过裁判长同意才能上场
    ("entry.lapses_when", "六（二）", "stated", "no_form_and_absent"),  # 不到会者又未见报名表的视为放弃
    ("entry.full_entry", "五（二）", "read", {"tractor_pairs": 2, "xiangqi": 2, "weiqi": 2}),  # 满额报名
    ("match.minutes", "七（一）2", "stated", 45),  # 比赛时间45分钟
    ("match.start_level", "七（一）2", "stated", "2"),  # 从“2”打起
    ("match.equal", "七（一）2", "read", "next_dealer_wins"),  # 级别相同时，做庄者为胜出
    ("match.unfinished_hand", "七（一）2", "stated", "finish"),  # 时间结束时未完牌局至打完
    ("follow.tractors", "七（一）6", "stated", "led_or_longest"),  # 必须出拖拉机；无拖拉机牌时，有对必须出对
    ("tractors.skip_level", "七（一）7", "stated", True),  # 主副牌都可以隔拖
    ("trump.comeback", "七（一）4", "stated", "own_single_pair"),  # 原先的一方可以用一对黑桃2反过来
    ("deal.overturn_moves_deal", "七（一）6", "stated", False),  # 反主不反庄
    ("penalties.failed_throw", "七（一）8", "stated", 10),  # 甩牌者拿回多少张就扣×10分
    ("union.money_fen", "五（二）", "stated", [200000, 160000, 140000, 120000, 110000, 100000]),
    ("union.participation_fen", "五（二）", "stated", 80000),  # 800元“参与奖”
    ("appeals.allowed", "九", "read", False),  # 以当场裁判长的裁决为准
    ("knockout.zone_survivors", "七（一）1", "stated", 3),  # 决出两区的前三位
]
SHANDONG = [
    ("dates.entries_close", "十一.1", "assumed", "2023-06-02T00:00:00"),  # 6月1日截至, 24:00 of that day
    ("dates.report_minutes", "十一.2", "stated", 15),  # 提前15分钟
    ("entry.large_units", "六.2", "stated", {"above": 150, "teams": 2}),  # 超过150人的单位可报两队
    ("entry.ages", "七.1", "assumed", {"men": 60, "women": 55, "confirm_from": 80}),
    ("entry.fee_fen", "十.1", "stated", 0),  # 一律不交报名费
    ("match.hands", "八.13", "stated", 12),  # 每轮打12副牌
    ("match.tables", "八.13", "read", 2),
    ("match.scores", "八.12", "stated", "levels_gained"),  # 每升一级得一分
    ("cards.kitty", "八.9", "stated", 4),  # 庄家扣底牌4张
    ("throws.allowed", "八.6", "stated", False),  # 不准同花色甩牌
    ("deal.kept", "八.8", "read", "same"),  # 则轮换庄家 only when the deal is lost
    ("levels.past_top", "八.12", "assumed", "wrap"),
    ("trump.kitty_overturn", "八.3", "stated", False),  # 这种主牌其他人不可双X“反”主
    ("appeals.decided_by", "十二.3", "stated", "arbitration_committee"),
    ("knockout.third_place", "九（一）", "assumed", True),
]


@pytest.mark.parametrize(
    ("regulation", "key", "article", "mark", "value"),
    [("zhongshan-2013", *row) for row in ZHONGSHAN] + [("shandong-2023", *row) for row in SHANDONG],
)
def test_a_value_stands_as_its_article_says(regulation: str, key: str, article: str, mark: str, value: object) -> None:
    row = {row.key: row for row in describe(load(regulation))}[key]
    shown = row.value["points"] if key.startswith("penalties") else row.value  # type: ignore[index]
    assert (row.article, row.mark, shown) == (article, mark, value)


@pytest.mark.parametrize("regulation", ["zhongshan-2013", "shandong-2023", "jimei-2018"])
def test_every_value_has_its_article_and_a_name_in_both_languages(regulation: str) -> None:
    rows = describe(load(regulation))
    assert [row.key for row in rows if not (row.article and row.zh and row.en)] == []
    stated = {row.key for row in rows if row.mark == "stated" and not row.quote}
    assert stated <= {"dates.place", "appeals.allowed"}  # what is stated quotes the words


def test_names_are_the_regulations_of_tractor_games() -> None:
    assert names() == ("jimei-2018", "shandong-2023", "zhongshan-2013")
    with pytest.raises(BadRegulation) as refused:
        load("ahut-2018")
    assert refused.value.key == "game"


def test_the_organiser_is_told_once_that_shandong_has_no_single_level_for_attackers() -> None:
    [caution] = cautions(load("shandong-2023"))
    assert (caution.key, caution.article) == ("levels.attacker_bands", "八.8")
    assert cautions(load("jimei-2018")) == cautions(load("zhongshan-2013")) == []


def test_a_knockout_has_no_fixed_number_of_rounds() -> None:
    with pytest.raises(RuleError) as refused:
        rounds_for(load("shandong-2023"), 16)
    assert (refused.value.code, refused.value.article) == ("no_rounds", "六.3")


def test_places_awarded() -> None:
    assert places_awarded(load("shandong-2023"), 30) == 1 + 2 + 5  # 一等奖一名、二等奖二名、三等奖五名
    assert places_awarded(load("zhongshan-2013"), 20) == 6


@pytest.mark.parametrize(
    ("key", "value", "wrong"),
    [
        ("cards.kitty", 6, "cards.kitty"),
        ("cards.decks", 3, "cards.decks"),
        ("kitty.tractors", [], "kitty.tractors"),
        ("match.ends", "hands", "match.hands"),
        ("appeals.allowed", True, "appeals.window_hours"),
        ("penalties.revoke.formula", "referee", "penalties.revoke.halves"),
        ("penalties.revoke.compensation", True, "penalties.revoke.formula"),
        ("trump.order", ["level_triple"], "trump.order"),
    ],
)
def test_values_that_do_not_fit_are_refused(key: str, value: object, wrong: str) -> None:
    with pytest.raises(BadRegulation) as refused:
        changed(load("zhongshan-2013"), {key: value})
    assert refused.value.key.startswith(wrong)
