"""Every citation of the presets against the published texts: the article is there, and it has the words that the preset
quotes; and what each breach cites, read beside the article."""

from __future__ import annotations

from typing import Any

import pytest

from shared.rules.guandan import random_hands as guandan
from shared.rules.guandan.replay import replay as replay_guandan
from shared.rules.regulations import Preset, all_names, describe, load, load_any
from shared.rules.shengji import random_hands as shengji
from shared.rules.shengji.replay import replay
from tests.unit.rules.articles import bare, words
from tests.unit.rules.replay.records import replayed

NAMES = all_names()


@pytest.mark.parametrize("regulation", NAMES)
def test_every_quote_stands_in_the_article_it_is_cited_from(regulation: str) -> None:
    for row in describe(load_any(regulation)):
        article = words(regulation, row.article)
        for part in row.quote.split("……"):
            assert bare(part) in article, f"{row.key} [{row.article}]: {part}"


def test_words_that_an_article_does_not_have_are_noticed() -> None:
    assert "藏张一旦成立" in words("jimei-2018", "十一.8⑨")
    assert "藏张一旦成立" not in words("jimei-2018", "十一.8⑧")
    assert "11月12日中午" in words("jimei-2018", "十二（报名）")
    assert "11月12日中午" not in words("jimei-2018", "十二（名次）.1")
    assert "一律按逆时针方向出牌" in words("shandong-2023", "八.11")
    assert "一律按逆时针方向出牌" not in words("shandong-2023", "八.4")
    for nowhere in ("十五", "十一.9", "十一.8⑩"):
        with pytest.raises((LookupError, ValueError)):
            words("shandong-2023", nowhere)


@pytest.mark.parametrize("regulation", NAMES)
def test_a_penalty_that_is_stated_or_read_quotes_its_article(regulation: str) -> None:
    rows = load_any(regulation).penalties
    assert {code for code, row in rows.items() if row.mark != "assumed" and not row.quote} == set()


PRICED = {
    "jimei-2018": {
        # ①A 一经发现马上退回，不予处罚; B, C 给予10分罚分
        "early_draw_unseen": ("十一.8①A", "stated"),
        "early_draw_seen": ("十一.8①B", "stated"),
        "early_draw_in_hand": ("十一.8①C", "stated"),
        # ② 出牌错误（跟错牌、垫错牌、错将吃）: a wrong number is not among them, unless as a 跟错牌
        "wrong_follow": ("十一.8②", "stated"),
        "wrong_count": ("十一.8②", "read"),
        "failed_throw": ("十一.8③", "stated"),  # 甩错牌，按甩牌被卡总张数
        "kitty_count": ("十一.1", "stated"),  # 若各家张数无误，则换牌重洗重抓
        # ④ speaks of a miscount found after the dealer led, and so by silence of the time before
        "kitty_size_before_lead": ("十一.8④", "read"),
        "kitty_size": ("十一.8④", "stated"),
        "kitty_size_played_on": ("十一.8④", "stated"),
        # ⑤ 单方多牌或少牌皆罚20分; 两名牌手为同家时罚20分; between opponents only 任意抽取
        "hand_size": ("十一.8⑤", "stated"),
        "hand_size_short": ("十一.8⑤", "stated"),
        "hand_size_partners": ("十一.8⑤", "stated"),
        "hand_size_opponents": ("十一.8⑤", "stated"),
        # ⑥ 越序引牌, 越序跟牌或越序垫牌，每张牌按10分
        "out_of_turn": ("十一.8⑥", "stated"),
        "lead_out_of_turn": ("十一.8⑥", "stated"),
        "exposed_while_dealing": ("十一.8⑦", "stated"),
        "signalling": ("十一.8⑧", "stated"),
        "revoke": ("十一.8⑨", "stated"),
    },
    "zhongshan-2013": {
        "wrong_follow": ("七（一）8", "stated"),  # 花色不对、牌型不对……每张10分,收回重出
        "pair_not_followed": ("七（一）8", "stated"),  # 少跟多少个,则扣牌数×10分
        "failed_throw": ("七（一）8", "stated"),  # 拿回多少张就扣×10分
        "wrong_count": ("七（一）8", "stated"),  # 出多牌、出少牌者,每张都扣10分
        # 3 and 8 hold for what is put right in time, 7 for the rest (RULINGS)
        "wrong_card": ("七（一）3", "read"),
        "wrong_card_late": ("七（一）7", "read"),
        "revoke": ("七（一）8", "read"),  # 对手直接上庄; to one that deals already 7 gives a level
        "failed_throw_late": ("七（一）8", "stated"),  # 为自己对家隐瞒的,对手上庄
        "hand_size": ("七（一）7", "read"),
        "kitty_size": ("七（一）8", "stated"),  # 多埋或少埋底牌
        "out_of_turn": ("七（一）6", "stated"),  # 不许后一方比前一方先出牌，否则给予警告
    },
    "shandong-2023": {
        "signalling": ("八.14(1)", "stated"),
        "looked_back": ("八.14(2)", "stated"),
        "peeking": ("八.14(3)", "stated"),
        "left_table": ("八.14(4)", "stated"),
        "cheating": ("八.14(5)", "stated"),
        "revoke": ("八.14(6)", "stated"),  # 有所出花色却不跟的；有对子不出的
        "revoke_tractor": ("八.14(6)", "read"),  # of pairs it speaks, not of 连对
        "revoke_ruff": ("八.14(7)", "stated"),  # 用主牌去“毙”的
        "disturbing": ("八.14(8)", "stated"),
    },
    "ahut-2018": {
        # what it costs is not said; the articles are those of the plays and of the order of play
        "illegal_play": ("二.2", "assumed"),
        "out_of_turn": ("二.4", "assumed"),
        "card_not_held": ("二.4", "assumed"),
        "hand_size": ("二.4", "assumed"),
        "slow_play": ("二.4", "assumed"),
        "looked_back": ("二.4", "assumed"),
        "not_announced": ("二.4", "stated"),  # 提醒……升一级……判负
        "signalling": ("二.6", "stated"),
        "cheating": ("二.6", "stated"),
    },
}


@pytest.mark.parametrize("regulation", NAMES)
def test_each_penalty_cites_the_article_that_prices_it(regulation: str) -> None:
    rows = load_any(regulation).penalties
    assert {code: (row.article, row.mark) for code, row in rows.items()} == PRICED[regulation]


UNPRICED = {
    "jimei-2018": {
        "illegal_lead": ("十一.4", "assumed"),  # nothing is said of a lead of several suits
        "card_not_held": ("十一.4", "assumed"),
        "slow_play": ("十一.4", "stated"),  # 也不得拖延出牌时间
        "illegal_declaration": ("十一.2", "assumed"),
        "late_claim": ("十一.8", "stated"),  # 下一局开始后不再追究
    },
    "zhongshan-2013": {
        "slow_play": ("七（一）6", "assumed"),
        "illegal_declaration": ("七（一）4", "stated"),  # 一对2可以反，一对小王可以反
        "late_claim": ("七（一）8", "assumed"),
    },
    "shandong-2023": {
        "out_of_turn": ("八.11", "stated"),  # 一律按逆时针方向出牌
        "wrong_count": ("八.11", "assumed"),
        "illegal_lead": ("八.11", "assumed"),
        "card_not_held": ("八.11", "assumed"),
        "slow_play": ("八.11", "assumed"),
        "illegal_throw": ("八.6", "stated"),  # 不准同花色甩牌
        "kitty_size": ("八.9", "stated"),  # 庄家扣底牌 4 张
        "hand_size": ("八.9", "read"),  # 104 of 108 cards for four
        "illegal_declaration": ("八.2", "stated"),
        "late_claim": ("八.14", "assumed"),
    },
}
"""What a breach cites that no row prices: the rule it broke, or the article under which the text is silent."""

CASES = [(name, code) for name in UNPRICED for code in (*shengji.breaches(load(name)), "slow_play")]


@pytest.mark.parametrize(("regulation", "code"), CASES)
def test_each_breach_cites_its_price_or_the_rule_it_broke(regulation: str, code: str) -> None:
    for seed in range(6):
        for breach in _found(load(regulation), seed, code):
            cited = UNPRICED[regulation].get(breach.code)
            if breach.penalty is not None:
                cited = PRICED[regulation][breach.penalty]
            assert (breach.article, breach.mark) == cited, breach.code


def _found(preset: Preset, seed: int, code: str) -> tuple[Any, ...]:
    if code == "slow_play":  # no limit in seconds here: a referee enters it
        entered = [{"code": code, "seat": 2, "after_trick": 0}]
        return replayed(preset, [(1, ["H5", "H7", "HK", "H4"])], incidents=entered).irregularities
    found = replay(preset, shengji.random_hand(preset, seed, code).record).irregularities
    assert found
    return found


@pytest.mark.parametrize("code", guandan.breaches(load_any("ahut-2018")))  # type: ignore[arg-type]
def test_each_breach_of_guandan_cites_its_row(code: str) -> None:
    preset: Any = load_any("ahut-2018")
    (breach,) = replay_guandan(preset, guandan.random_hand(preset, 2, code).record).irregularities
    assert (breach.article, breach.mark) == PRICED["ahut-2018"][breach.code]


def test_jimei_a_component_that_was_not_due_cites_the_ruling_on_what_must_be_led() -> None:
    """RULINGS, Common 5: the lowest beaten component must be played."""
    dealt = {"1": "HQ HQ HJ", "2": "HA HK C3", "3": "C4 C5 C6", "4": "C7 C8 C9"}
    thrown = {"cards": "HQ HQ", "attempted": "HQ HQ HJ"}
    found = replayed("jimei-2018", [(1, [thrown, "HA HK", "C4 C5", "C7 C8"])], dealt=dealt, kitty_dealt="", kitty="")
    wrong = [(one.article, one.mark) for one in found.irregularities if one.code == "illegal_lead"]
    assert wrong == [("十一.8③", "assumed")]
