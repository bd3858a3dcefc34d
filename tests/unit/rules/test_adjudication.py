"""A record as those who enter hands need it: what the hand was, and which breaches it shows, charged to nobody."""

from __future__ import annotations

import hashlib
import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shared.rules.adjudication import adjudicate, adjudicate_entry, digest, disagreements
from shared.rules.errors import RuleError
from shared.rules.guandan import random_hands as guandan
from shared.rules.guandan.sheet import FinishFacts
from shared.rules.regulations import load, load_any
from shared.rules.shengji import random_hands as shengji
from shared.rules.shengji.sheet import HandFacts

TRACTOR = ("jimei-2018", "zhongshan-2013", "shandong-2023")
WORTH = {"5": 5, "T": 10, "K": 10}
seeds = st.integers(0, 2**32)


def drawn(regulation: str, seed: int = 1, breach: str | None = None) -> dict[str, Any]:
    preset = load_any(regulation)
    if regulation in TRACTOR:
        return shengji.random_hand(load(regulation), seed, breach).record
    return guandan.random_hand(preset, seed, breach).record  # type: ignore[arg-type]


def worth(cards: str) -> int:
    return sum(WORTH.get(card[1], 0) for card in cards.split(" ") if card[0] in "SHCD")


@pytest.mark.parametrize("regulation", TRACTOR)
@given(seed=seeds)
@settings(max_examples=25, deadline=None)
def test_the_entry_that_a_tractor_record_makes(regulation: str, seed: int) -> None:
    """Its dealer, trumps and levels, and the attackers' cards with the kitty; what a revoke costs is no part of it."""
    record = drawn(regulation, seed, "revoke")
    found = adjudicate_entry(load(regulation), record)
    attackers = {1 + record["dealer"] % 4, 1 + (record["dealer"] + 2) % 4}
    tricks = zip(record["tricks"], found.told["tricks"], strict=True)
    taken = [worth(" ".join(trick["plays"])) for trick, told in tricks if told["winner"] in attackers]
    kitty = found.told["kitty"]
    assert found.facts == HandFacts(
        dealer=record["dealer"],
        points=sum(taken) + (kitty["points"] if kitty["to"] == "attackers" else 0),
        trump=record["trump"],
        levels=record["levels"],
    )
    assert [finding.code for finding in found.findings] == ["revoke"]


@given(seed=seeds)
@settings(max_examples=15, deadline=None)
def test_the_entry_that_a_guandan_record_makes(seed: int) -> None:
    record = drawn("ahut-2018", seed)
    found = adjudicate_entry(load_any("ahut-2018"), record)
    assert isinstance(found.facts, FinishFacts)
    assert list(found.facts.finish) == found.told["finish"]
    assert (found.facts.own, found.facts.levels) == (record["own"], record["levels"])
    assert found.findings == ()


def test_a_finding_names_what_a_referee_needs_to_claim_it() -> None:
    # 出牌错误，按当次的出牌总张数乘以10
    record = drawn("jimei-2018", 5, "wrong_follow")
    (finding,) = adjudicate(load("jimei-2018"), record).findings
    play = next(
        play for trick in record["tricks"] for play in trick["plays"] if isinstance(play, dict) and "corrected" in play
    )
    cards = len(play["corrected"].split(" "))
    assert (finding.penalty, finding.counted, finding.points) == ("wrong_follow", cards, 10 * cards)
    assert (finding.article, finding.mark, finding.name.zh) == ("十一.8②", "stated", "跟错牌")


def test_a_guandan_finding_says_what_it_costs_instead_of_points() -> None:
    (finding,) = adjudicate(load_any("ahut-2018"), drawn("ahut-2018", 5, "not_announced")).findings
    assert (finding.penalty, finding.points, finding.also) == ("not_announced", 0, ("reminder",))
    assert finding.article == "二.4"


@pytest.mark.parametrize("regulation", [*TRACTOR, "ahut-2018"])
def test_what_was_entered_otherwise_is_named_with_both_values(regulation: str) -> None:
    facts = adjudicate_entry(load_any(regulation), drawn(regulation)).facts
    assert facts is not None
    assert disagreements(facts, facts) == ()
    if isinstance(facts, HandFacts):
        posted: Any = HandFacts(dealer=facts.dealer % 4 + 1, points=facts.points + 5)
        expected = [("dealer", posted.dealer, facts.dealer), ("points", posted.points, facts.points)]
    else:
        posted = FinishFacts(finish=facts.finish[::-1])
        expected = [("finish", facts.finish[::-1], facts.finish)]
    assert [(one.field, one.posted, one.adjudicated) for one in disagreements(posted, facts)] == expected


@pytest.mark.parametrize(("posted", "agrees"), [((1, 3), True), ((1, 3, 2, 4), True), ((1, 2, 3, 4), False)])
def test_behind_first_and_second_of_one_pair_nobody_went_out(posted: tuple[int, ...], agrees: bool) -> None:
    assert (disagreements(FinishFacts(finish=posted), FinishFacts(finish=(1, 3))) == ()) == agrees


def test_facts_of_two_games_cannot_be_compared() -> None:
    with pytest.raises(TypeError, match="two games"):
        disagreements(FinishFacts(finish=(1, 3)), HandFacts(dealer=1, points=0))


@pytest.mark.parametrize(
    ("regulation", "changes", "field"),
    [
        ("jimei-2018", {"regulation": "zhongshan-2013"}, "regulation"),
        ("jimei-2018", {"referee": "王"}, "referee"),
        ("jimei-2018", {"incidents": [{"code": "signalling", "seat": 1, "note": "王"}]}, "incidents[0].note"),
        ("jimei-2018", {"tricks": []}, "tricks"),
        ("ahut-2018", {"table": 3}, "table"),
        ("ahut-2018", {"plays": []}, "plays"),
    ],
)
def test_what_is_not_kept_with_a_hand(regulation: str, changes: dict[str, Any], field: str) -> None:
    with pytest.raises(RuleError) as refused:
        adjudicate_entry(load_any(regulation), drawn(regulation) | changes)
    assert (refused.value.code, refused.value.field) == ("bad_value", field)


def test_a_record_that_does_not_tell_what_was_buried_gives_no_points() -> None:
    # one card too few was played, so one stays in a hand, and no deal says which it is
    record = drawn("jimei-2018", 10, "wrong_count")
    without = {name: value for name, value in record.items() if name not in ("dealt", "kitty", "kitty_dealt")}
    assert adjudicate(load("jimei-2018"), without).facts is None
    with pytest.raises(RuleError) as refused:
        adjudicate_entry(load("jimei-2018"), without)
    assert refused.value.field == "kitty"


def test_the_hash_is_that_of_the_sorted_json_and_not_of_the_order_it_came_in() -> None:
    record = drawn("jimei-2018")
    turned = dict(reversed(record.items()))
    text = json.dumps(record, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    assert digest(record) == digest(turned) == hashlib.sha256(text.encode()).hexdigest()
