"""A hand posted with its card record: the two must agree, the record is kept beside the hand, and charges nobody."""

from __future__ import annotations

import hashlib
import json
from typing import Any

import pytest

from services.match.model.matches import Match
from services.match.refusals import (
    LevelsDisagree,
    NothingCorrected,
    RecordDisagrees,
    RecordInvalid,
)
from shared.contracts.fact import HandFacts
from shared.contracts.match import HandCorrected, HandPlayed, HandRecordKept
from shared.rules.adjudication import adjudicate
from shared.rules.regulations import load
from shared.rules.shengji.random_hands import random_hand
from tests.unit.match.hall import Hall

JIMEI = load("jimei-2018")
START = {"13": "2", "24": "2"}


def drawn(seed: int = 1, breach: str | None = None, **more: Any) -> dict[str, Any]:
    """A record of the first hand of a match: both pairs at 2."""
    return random_hand(JIMEI, seed, breach, **({"levels": START} | more)).record


def shown(record: dict[str, Any]) -> HandFacts:
    """The entry that the record makes; how it comes about is the business of the rules' own tests."""
    facts = adjudicate(JIMEI, record).facts
    assert isinstance(facts, HandFacts)
    return facts


def enter(hall: Hall, record: dict[str, Any], number: int = 1, **changes: Any) -> list[Any]:
    facts = shown(record)
    given = {"dealer": facts.dealer, "points": facts.points} | changes
    return hall.hand(number, given.pop("dealer"), given.pop("points"), record=record, **given)


@pytest.fixture
def hall() -> Hall:
    return Hall().paired()


def test_the_record_is_kept_with_the_hand_and_the_hand_names_it_by_its_hash(hall: Hall) -> None:
    record = drawn()
    played, kept = enter(hall, record)[1:]
    text = json.dumps(record, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    assert isinstance(played, HandPlayed)
    assert isinstance(kept, HandRecordKept)
    assert played.record == kept.hash == hashlib.sha256(text.encode()).hexdigest()
    assert (kept.hand, kept.record, kept.findings) == (1, record, ())


def test_a_hand_without_a_record_is_as_it_was(hall: Hall) -> None:
    (played,) = hall.hand(1)[1:]
    assert played.record is None


def test_what_the_entry_leaves_out_is_as_the_record_has_it(hall: Hall) -> None:
    record = drawn()
    played = enter(hall, record)[1]
    assert (played.facts.trump, played.facts.levels) == (record["trump"], START)


@pytest.mark.parametrize(
    ("field", "wrong", "zh"),
    [
        ("dealer", lambda facts: facts.dealer % 4 + 1, "庄家"),
        ("points", lambda facts: facts.points + 5, "得分"),
        ("trump", lambda facts: "SHCD"["SHCD".index(facts.trump) - 1], "将牌"),
        ("levels", lambda _: {"13": "2", "24": "3"}, "级数"),
    ],
)
def test_an_entry_that_disagrees_is_refused_with_both_values(hall: Hall, field: str, wrong: Any, zh: str) -> None:
    record = drawn()
    facts = shown(record)
    posted = wrong(facts)
    with pytest.raises(RecordDisagrees) as refused:
        enter(hall, record, **{field: posted})
    assert refused.value.members == {"posted": {field: posted}, "adjudicated": {field: getattr(facts, field)}}
    assert [at for at, _ in refused.value.wrong] == [f"/{field}"]
    assert zh in refused.value.say("zh")
    assert field in refused.value.say("en")
    assert hall.matches.get("r1t1", Match()).hands == ()


def test_what_a_record_shows_is_told_and_charges_nobody(hall: Hall) -> None:
    # 藏张一旦成立，即罚80分; here nobody has claimed it
    record = drawn(3, "revoke")
    (finding,) = enter(hall, record)[-1].findings
    assert (finding.code, finding.penalty, finding.points, finding.article) == ("revoke", "revoke", 80, "十一.8⑨")
    assert hall.matches["r1t1"].sheet.penalties == ()
    assert hall.matches["r1t1"].sheet.hands[0].points == shown(record).points


def test_a_finding_can_be_claimed_as_it_stands(hall: Hall) -> None:
    # 出牌错误，按当次的出牌总张数乘以10
    (finding,) = enter(hall, drawn(5, "wrong_follow"))[-1].findings
    pair = "13" if finding.seat % 2 else "24"
    issued = hall.penalty(1, pair, finding.penalty, cards=finding.counted)
    assert (issued.points, issued.article) == (finding.points, finding.article)


@pytest.mark.parametrize(
    ("changes", "pointer"),
    [
        ({"format": "pailu-hand/2"}, "/record/format"),
        ({"regulation": "zhongshan-2013"}, "/record/regulation"),
        ({"dealer": 5}, "/record/dealer"),
        ({"levels": {"13": "2"}}, "/record/levels/24"),
        ({"trump": "N"}, "/record/trump"),  # 本次比赛采用有将定约
        ({"tricks": [{"leader": 1, "plays": ["H5", "H1"]}]}, "/record/tricks/0/plays/1"),
        ({"tricks": []}, "/record/tricks"),
        ({"referee": "王"}, "/record/referee"),
        ({"incidents": [{"code": "signalling", "seat": 1}] * 3000}, "/record"),
    ],
)
def test_what_is_no_record_of_a_hand_here_names_the_place(hall: Hall, changes: dict[str, Any], pointer: str) -> None:
    record = drawn()
    facts = shown(record)
    with pytest.raises(RecordInvalid) as refused:
        hall.hand(1, facts.dealer, facts.points, record=record | changes)
    assert refused.value.pointer == pointer
    assert refused.value.article == ("十一.2" if "trump" in changes else None)


def test_a_record_of_other_levels_than_the_logs_must_be_said_to_be_right(hall: Hall) -> None:
    record = drawn(levels={"13": "5", "24": "2"})
    with pytest.raises(LevelsDisagree):
        enter(hall, record)
    assert enter(hall, record, as_played=True)[1].facts.levels == {"13": "5", "24": "2"}


def test_the_record_of_another_hand_is_no_record_of_this_one(hall: Hall) -> None:
    record = drawn()
    enter(hall, record)
    with pytest.raises(RecordInvalid, match="record of hand 1") as refused:
        enter(hall, record, 2, as_played=True)
    assert refused.value.pointer == "/record"


def test_a_hand_with_a_record_is_not_corrected_past_it(hall: Hall) -> None:
    record = drawn()
    facts = shown(record)
    enter(hall, record)
    with pytest.raises(RecordDisagrees) as refused:
        hall.correct(1, facts.dealer, facts.points + 5, kept=("trump", "levels", "record"))
    assert refused.value.members == {
        "posted": {"points": facts.points + 5},
        "adjudicated": {"points": facts.points},
    }


def test_a_wrong_record_is_corrected_with_the_right_one(hall: Hall) -> None:
    enter(hall, drawn(1))
    right = drawn(2)
    facts = shown(right)
    corrected, kept = hall.correct(1, facts.dealer, facts.points, record=right)
    assert isinstance(corrected, HandCorrected)
    assert (corrected.after, corrected.record) == (facts, kept.hash)
    assert hall.matches["r1t1"].records == (kept.hash,)


def test_a_record_can_be_added_to_a_hand_that_had_none(hall: Hall) -> None:
    record = drawn()
    facts = shown(record)
    hall.hand(1, facts.dealer, facts.points, trump=facts.trump, levels=facts.levels)
    corrected, kept = hall.correct(1, facts.dealer, facts.points, record=record)
    assert (corrected.before, corrected.after, corrected.record) == (facts, facts, kept.hash)
    with pytest.raises(NothingCorrected):
        hall.correct(1, facts.dealer, facts.points, record=record)


def test_a_record_that_was_none_is_taken_back_with_a_reason(hall: Hall) -> None:
    record = drawn()
    facts = shown(record)
    enter(hall, record)
    (corrected,) = hall.correct(1, facts.dealer, facts.points + 5, record=None, kept=("trump", "levels"))
    assert (corrected.after.points, corrected.record) == (facts.points + 5, None)
    assert hall.matches["r1t1"].records == (None,)


def test_a_replay_begins_without_records(hall: Hall) -> None:
    enter(hall, drawn())
    hall.call_time()
    hall.matches.update({p.match: hall.matches.get(p.match, Match()) for p in hall.state.rounds[0].pairings})
    hall.rule("replay_match")
    enter(hall, drawn())
    assert len(hall.matches["r1t1"].records) == 1
