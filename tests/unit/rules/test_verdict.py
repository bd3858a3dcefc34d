"""What a refereed hand comes to: void, the match lost, or levels, each term of their sum from an article; the same as
the match makes of the same facts and penalties."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shared.rules.adjudication import adjudicate
from shared.rules.guandan import random_hands as guandan
from shared.rules.guandan.charges import Charge, summed
from shared.rules.guandan.levels import pair_of
from shared.rules.guandan.matches import GuandanHand
from shared.rules.guandan.record import read_record
from shared.rules.guandan.replay import replay_record
from shared.rules.guandan.verdict import verdict as guandan_verdict
from shared.rules.regulations import GuandanPreset, Preset, changed, load, load_any
from shared.rules.shengji.facts import HandFact, PenaltyFact
from shared.rules.shengji.match import resum
from shared.rules.shengji.moved_deal import moved_change
from shared.rules.shengji.random_hands import breaches, random_hand
from shared.rules.shengji.replay import replay
from shared.rules.shengji.verdict import verdict

LEVELS = "23456789TJQKA"
TRACTOR = ("jimei-2018", "zhongshan-2013", "shandong-2023")
seeds = st.integers(0, 2**32)


def _ahut() -> GuandanPreset:
    preset = load_any("ahut-2018")
    assert isinstance(preset, GuandanPreset)
    return preset


AHUT = _ahut()


def told(regulation: str, record: dict[str, Any]) -> dict[str, Any]:
    return adjudicate(load_any(regulation), record).told


def climbed(levels: dict[str, str], before: dict[str, str], pair: str) -> int:
    return LEVELS.index(levels[pair]) - LEVELS.index(before[pair])


# Void hands


def test_guandan_a_hand_of_a_wrong_size_is_void_and_changes_nothing() -> None:
    """RULINGS, ahut-2018 9: void and redealt."""
    record = guandan.random_hand(AHUT, 11, "hand_size").record
    found = told("ahut-2018", record)
    assert found["complete"]
    assert found["level_change"] is None
    assert found["verdict"] == {
        "void": {"penalty": "hand_size", "article": "二.4", "mark": "assumed"},
        "levels": record["levels"],
        "won_by": None,
        "lost_by": None,
        "sum": [],
    }


def wrong_kitty(seed: int) -> dict[str, Any]:
    """All hands right and three cards of the kitty never dealt: 底牌张数不符，各家张数无误."""
    record = random_hand(load("jimei-2018"), seed).record
    left_out = record["kitty"].split(" ")[:3]
    kitty = record["kitty_dealt"].split(" ")
    if any(card not in kitty for card in left_out):
        return wrong_kitty(seed + 1)
    for card in left_out:
        kitty.remove(card)
    return record | {"kitty_dealt": " ".join(kitty), "kitty": " ".join(record["kitty"].split(" ")[3:])}


def test_jimei_a_kitty_of_a_wrong_size_after_the_deal_makes_the_hand_void() -> None:
    """若各家张数无误，则换牌重洗重抓 (十一.1): however it was played, no levels."""
    record = wrong_kitty(0)
    found = told("jimei-2018", record)
    assert [breach["also"] for breach in found["irregularities"]] == [["reshuffle"]]
    assert found["complete"]
    assert found["level_change"] is None
    assert found["verdict"]["void"] == {"penalty": "kitty_count", "article": "十一.1", "mark": "stated"}
    assert found["verdict"]["levels"] == record["levels"]
    assert found["verdict"]["sum"] == []


def test_where_the_regulation_voids_no_hand_the_same_record_counts() -> None:
    """Zhongshan's 多埋或少埋底牌 costs the deal; nothing is dealt again."""
    found = told("zhongshan-2013", wrong_kitty(0))
    assert found["verdict"]["void"] is None
    assert found["level_change"] is not None


# 掼蛋: what the steps cost


def omissions(earlier: int) -> dict[str, Any]:
    """A hand in which somebody did not announce, who did so as often before."""
    drawn = guandan.random_hand(AHUT, 4, "not_announced", levels={"13": "5", "24": "8"})
    assert drawn.breach is not None
    pair = pair_of(drawn.breach.seat)
    counts = {"13": 0, "24": 0} | {pair: earlier}
    return drawn.record | {"earlier": {"not_announced": counts}, "offender": pair}


@pytest.mark.parametrize("earlier", [0, 1, 2, 5])
def test_guandan_an_omission_reaches_the_levels_and_the_match(earlier: int) -> None:
    """违规1次可由裁判或对手进行提醒，2次违规将给对手升一级，3次及以上判负 (二.4)."""
    record = omissions(earlier)
    offender = record.pop("offender")
    opponents = "24" if offender == "13" else "13"
    found = told("ahut-2018", record)
    by_finish, verdict_ = found["level_change"]["levels"], found["verdict"]
    assert found["level_change"]["gain"][pair_of(found["finish"][0])] in (1, 2, 3)
    if earlier < 2:
        more = {opponents: 1} if earlier else {}
        for pair in ("13", "24"):
            assert climbed(verdict_["levels"], by_finish, pair) == more.get(pair, 0)
        assert (verdict_["won_by"], verdict_["lost_by"]) == (None, None)
        given = [term for term in verdict_["sum"] if term["why"] == "penalty"]
        assert [(term["pair"], term["levels"], term["article"]) for term in given] == [(opponents, 1, "二.4")] * earlier
    else:
        assert (verdict_["won_by"], verdict_["lost_by"]) == (opponents, "not_announced")
        assert verdict_["levels"] == record["levels"]
        assert verdict_["sum"] == []


@pytest.mark.parametrize(
    ("code", "times", "lost"), [("signalling", 1, False), ("signalling", 2, True), ("cheating", 1, True)]
)
def test_guandan_what_a_referee_enters_can_lose_the_match(code: str, times: int, lost: bool) -> None:
    """第一次进行口头警告，第二次判该队负……对作弊的行为，一经发现立即取消比赛资格 (二.6)."""
    record = guandan.random_hand(AHUT, 7).record
    incidents = [{"code": code, "seat": seat, "after_trick": 1} for seat in (2, 4)[:times]]
    found = told("ahut-2018", record | {"incidents": incidents})["verdict"]
    assert (found["won_by"], found["lost_by"]) == (("13", code) if lost else (None, None))


def test_guandan_the_match_is_lost_though_the_record_stops_early() -> None:
    record = guandan.random_hand(AHUT, 7).record
    cut = record | {"plays": record["plays"][:9], "incidents": [{"code": "cheating", "seat": 1, "after_trick": 1}]}
    found = told("ahut-2018", cut)
    assert not found["complete"]
    assert (found["verdict"]["won_by"], found["verdict"]["levels"]) == ("24", record["levels"])
    assert told("ahut-2018", cut | {"incidents": []})["verdict"]["levels"] is None


def test_guandan_a_level_given_stops_at_a() -> None:
    """只有A必打: nothing goes past it, and nothing passes it but a hand of one's own."""
    drawn = guandan.random_hand(AHUT, 4, "not_announced", levels={"13": "A", "24": "A"})
    assert drawn.breach is not None
    pair = pair_of(drawn.breach.seat)
    other = "24" if pair == "13" else "13"
    record = drawn.record | {"earlier": {"not_announced": {"13": 1, "24": 1}}}
    found = told("ahut-2018", record)["verdict"]
    assert found["levels"][other] == "A"
    given = [(term["why"], term["levels"]) for term in found["sum"] if term["pair"] == other]
    assert given[-2:] == [("penalty", 1), ("stop", -1)]


def test_guandan_three_failures_in_the_final_go_back_in_the_sum() -> None:
    """A三牌不过返回2: from A, twelve levels down."""
    record = guandan.random_hand(AHUT, 3, own="13", levels={"13": "A", "24": "5"}).record
    final = {"stage": "final", "a_failures": {"13": 2, "24": 0}}
    for seed in range(40):
        record = guandan.random_hand(AHUT, seed, own="13", levels={"13": "A", "24": "5"}).record | final
        found = told("ahut-2018", record)
        if found["verdict"]["won_by"] is None:
            break
    back = [(term["pair"], term["levels"]) for term in found["verdict"]["sum"] if term["why"] == "failures"]
    assert back == [("13", -12)]
    assert found["verdict"]["levels"]["13"] == "2"


@given(
    seed=seeds,
    code=st.sampled_from(["not_announced", "signalling", "cheating", "slow_play"]),
    earlier=st.integers(0, 3),
)
@settings(max_examples=60, deadline=None)
def test_guandan_the_verdict_is_the_match_that_the_same_facts_make(seed: int, code: str, earlier: int) -> None:
    levels: Any = {"13": "2", "24": "2"}
    record = guandan.random_hand(AHUT, seed, code, own="13", levels=levels).record
    read = read_record(AHUT, record | {"earlier": {code: {"13": earlier, "24": earlier}}})
    hand = replay_record(AHUT, read)
    found = guandan_verdict(AHUT, read, hand)
    charges = [Charge(code=b.code, hand=1, pair=pair_of(b.seat), effects=b.also) for b in hand.irregularities]
    match = summed(AHUT, "group", [GuandanHand(number=1, finish=hand.finish)], charges)
    assert (found.levels, found.won_by, found.lost_by) == (match.levels, match.won_by, match.lost_by)


# 升级: the terms


def terms(preset: Preset, points: int, dealer: str, attacker: str, *offences: Any) -> list[tuple[str, int, str]]:
    change = moved_change(preset, points, dealer, attacker, offences)  # type: ignore[arg-type]
    return [(term.who, term.levels, term.why) for term in change.terms]


def test_jimei_the_terms_of_a_sum() -> None:
    jimei = load("jimei-2018")
    # 防家得45-60分，庄家升两级
    assert terms(jimei, 60, "5", "7") == [("dealers", 2, "table")]
    # 超过80分后每增加20分防家升一级: 200 is six, 升级以5级封顶
    assert terms(jimei, 200, "5", "7") == [("attackers", 6, "table"), ("attackers", -1, "cap")]
    # from Q five levels reach past A, which must be played: 必打级
    assert terms(jimei, 0, "Q", "7") == [("dealers", 5, "table"), ("dealers", -3, "stop")]
    # 防家必打级（A）该局不升级
    assert terms(jimei, 120, "5", "A") == [("attackers", 2, "table"), ("attackers", -2, "must_play")]
    # 做倒庄处理: nobody gains
    assert terms(jimei, 0, "5", "7", ("kitty_size", "dealers")) == [("dealers", 0, "penalty")]


def test_zhongshan_the_terms_of_a_sum() -> None:
    zhongshan = load("zhongshan-2013")
    # 40分小光 is one, 庄家方自动升一级 another: from K only one of them fits below A
    found = terms(zhongshan, 40, "K", "7", ("revoke", "attackers"))
    assert found == [("dealers", 1, "table"), ("dealers", 1, "penalty"), ("dealers", -1, "stop")]
    # 按得分每满40分升1级: 130 points are three
    found = terms(zhongshan, 130, "5", "7", ("kitty_size", "dealers"))
    assert found == [("dealers", 0, "penalty"), ("attackers", 3, "penalty")]


def test_each_term_names_its_article() -> None:
    record = random_hand(load("zhongshan-2013"), 11, "kitty_size").record
    found = told("zhongshan-2013", record)["verdict"]["sum"]
    assert {(term["article"], term["mark"], term["penalty"]) for term in found} == {
        ("七（一）8", "stated", "kitty_size")
    }


@pytest.mark.parametrize("regulation", TRACTOR)
@given(seed=seeds, data=st.data())
@settings(max_examples=40, deadline=None)
def test_the_terms_add_up_to_the_levels(regulation: str, seed: int, data: st.DataObject) -> None:
    preset = load(regulation)
    code = data.draw(st.sampled_from([None, *breaches(preset)]))
    record = random_hand(preset, seed, code).record
    found = verdict(replay(preset, record))
    if found.void is not None or found.levels is None:
        return
    for pair in ("13", "24"):
        total = sum(term.levels for term in found.terms if term.who == pair)
        if pair != found.won_by:  # who passed the top stands at A whatever is left of the climb
            assert (LEVELS.index(record["levels"][pair]) + total) % len(LEVELS) == LEVELS.index(found.levels[pair])


@pytest.mark.parametrize("regulation", TRACTOR)
@given(seed=seeds, data=st.data())
@settings(max_examples=30, deadline=None)
def test_the_verdict_is_the_match_that_the_same_facts_make(regulation: str, seed: int, data: st.DataObject) -> None:
    """RULINGS, Corrections 1: the hand's facts, and its penalties beside them, summed by the match."""
    preset = load(regulation)
    code = data.draw(st.sampled_from([None, *breaches(preset)]))
    record = random_hand(preset, seed, code, levels={"13": "2", "24": "2"}).record
    hand = replay(preset, record)
    found = adjudicate(preset, record)
    if hand.level_change is None or hand.void is not None:
        return
    penalties = [
        PenaltyFact(
            id=f"p{n}",
            code=breach.penalty,
            hand=1,
            pair="13" if breach.seat % 2 else "24",
            points=breach.penalty_points,
            effects=breach.effects,
        )
        for n, breach in enumerate(hand.irregularities)
        if breach.penalty is not None and not breach.lost
    ]
    facts: Any = found.facts
    match = resum(preset, [HandFact(number=1, dealer_seat=facts.dealer, points=facts.points)], penalties)
    assert verdict(hand).levels == match.levels
    assert verdict(hand).won_by == match.won_by


def test_a_price_that_the_organiser_changed_says_so_in_the_sum() -> None:
    own = changed(load("zhongshan-2013"), {"penalties.kitty_size.levels_per": {"points": 40, "most": 1}})
    found = adjudicate(own, random_hand(own, 11, "kitty_size").record).told
    assert [term["changed"] for term in found["verdict"]["sum"]] == [True, True]
    assert found["regulation"]["changed"] == ["penalties.kitty_size"]
