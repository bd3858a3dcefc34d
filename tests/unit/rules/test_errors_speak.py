"""What the rules refuse is said in both languages: a Chinese reader gets no English sentence, and the reverse."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable
from typing import Any

import pytest

from shared.rules.appeals import check_lodging, deposit_outcome
from shared.rules.deadlines import aware, local_instant
from shared.rules.errors import BadRegulation, LotNeeded, RuleError
from shared.rules.formats import competition, union
from shared.rules.formats.competition import Competition, PlayedMatch, Round, Team
from shared.rules.formats.draws import commitment
from shared.rules.formats.standings import standings
from shared.rules.formats.swiss import pair
from shared.rules.regulations import Preset, changed, load
from shared.rules.shengji.facts import HandFact, PenaltyFact
from shared.rules.shengji.levels import level_change
from shared.rules.shengji.match import resum
from shared.rules.shengji.penalties import price

HAN = re.compile(r"[一-鿿]")
WORDS = re.compile(r"(?<![`\w])(?:is|are|no|the|not|must|has|have|from|was|were) ")
NOON = dt.datetime(2018, 11, 12, 4, 0, tzinfo=dt.UTC)
TEAMS = (Team("A"), Team("B"))


def _hand(**fields: Any) -> HandFact:
    return HandFact(**{"number": 1, "dealer_seat": 1, "points": 0, **fields})


def _penalty(**fields: Any) -> PenaltyFact:
    return PenaltyFact(**{"id": "p1", "code": "kitty_size", "hand": 1, "pair": "13", "points": 0, **fields})


def _open() -> Competition:
    match = PlayedMatch(table=1, teams=("A", "B"), status="unfinished")
    return Competition(teams=TEAMS, rounds=(Round(number=1, matches=(match,)),))


def _cup(**fields: Any) -> dict[str, Any]:
    teams = [{"id": "A"}, {"id": "B"}]
    return {"format": "pailu-competition/1", "regulation": "jimei-2018", "teams": teams, "rounds": [], **fields}


def _played(**fields: Any) -> dict[str, Any]:
    match = {"table": 1, "teams": ["A", "B"], "points": [2, 0], "status": "played", **fields}
    return _cup(rounds=[{"number": 1, "matches": [match]}])


SEED = bytes(32)
REFUSED: dict[str, Callable[[Preset], object]] = {
    "unknown regulation": lambda _: load("nowhere-1999"),
    "unknown penalty": lambda p: price(p, "coughing"),
    "cards missing": lambda p: price(p, "wrong_follow"),
    "cards not counted": lambda p: price(p, "revoke", cards=2),
    "too many cards": lambda p: price(p, "wrong_follow", cards=26),
    "no occasion": lambda p: price(p, "signalling", occasions=0),
    "points no multiple": lambda p: resum(p, [_hand(points=7)]),
    "points below zero": lambda p: resum(p, [_hand(points=-5)]),
    "points beyond all": lambda p: resum(p, [_hand(points=10_000_000)]),
    "no seat": lambda p: resum(p, [_hand(dealer_seat=5)]),
    "no trumps": lambda p: resum(p, [_hand(trump="N")]),
    "no such trump": lambda p: resum(p, [_hand(trump="X")]),
    "no such level": lambda p: resum(p, [_hand(levels={"13": "1", "24": "2"})]),
    "no such pair": lambda p: resum(p, [_hand(levels={"12": "2", "34": "2"})]),
    "hand out of place": lambda p: resum(p, [_hand(number=2)]),
    "penalty for no hand": lambda p: resum(p, [], [_penalty(hand=2)]),
    "penalty on no pair": lambda p: resum(p, [_hand()], [_penalty(pair="12")]),
    "deal lost by attackers": lambda p: resum(p, [_hand()], [_penalty(pair="24", effects=("deal_lost",))]),
    "attackers' points": lambda p: level_change(p, 7, "2", "2"),
    "attackers' points of no kind": lambda p: level_change(p, "80", "2", "2"),  # type: ignore[arg-type]
    "open matches": lambda p: pair(p, _open(), SEED),
    "nobody left": lambda p: pair(p, Competition(teams=TEAMS, withdrawn=("A", "B")), SEED),
    "fixed team away": lambda p: pair(p, Competition(teams=TEAMS, fixed=(("A", "B"),), absent=("B",)), SEED),
    "fixed and forbidden": lambda p: pair(
        p, Competition(teams=TEAMS, fixed=(("A", "B"),), forbidden=(("A", "B"),)), SEED
    ),
    "fixed twice": lambda p: pair(
        p, Competition(teams=(*TEAMS, Team("C")), fixed=(("A", "B"), ("A", "C")), forbidden=()), SEED
    ),
    "all forbidden": lambda p: pair(p, Competition(teams=TEAMS, forbidden=(("A", "B"),)), SEED),
    "no such round": lambda p: standings(p, Competition(teams=TEAMS), after_round=3),
    "short seed": lambda _: commitment(b"x"),
    "time with a zone": lambda p: local_instant(p.zone.value, NOON),
    "time before the calendar": lambda p: local_instant(p.zone.value, dt.datetime(1, 1, 1)),  # noqa: DTZ001
    "time without a zone": lambda _: aware(NOON.replace(tzinfo=None), "report"),
    "no appeals": lambda p: check_lodging(changed(p, {"appeals.allowed": False}), NOON, NOON, NOON),
    "no deposit": lambda p: check_lodging(p, NOON, NOON, None),
    "late": lambda p: check_lodging(p, NOON, NOON + dt.timedelta(hours=24, microseconds=1), NOON),
    "deposit after report": lambda p: check_lodging(
        changed(p, {"appeals.deposit_due": "with_report"}), NOON, NOON, NOON + dt.timedelta(seconds=1)
    ),
    "no such outcome": lambda p: deposit_outcome(p, "lost"),  # type: ignore[arg-type]
    "unknown value": lambda p: changed(p, {"match.minute": 45}),
    "value of another type": lambda p: changed(p, {"match.minutes": "long"}),
    "value too small": lambda p: changed(p, {"match.minutes": -1}),
    "value not allowed": lambda p: changed(p, {"match.unfinished_hand": "toss"}),
    "values that do not fit": lambda p: changed(p, {"dates.play_to": "2018-11-01"}),
    "no time zone": lambda p: changed(p, {"zone": "Asia/Jimei"}),
    "no file": lambda _: competition.from_file([]),
    "another format": lambda _: competition.from_file({"format": "x"}),
    "part of a file missing": lambda _: union.from_file({"format": "pailu-union/1"}),
    "field of another type": lambda _: competition.from_file(_cup(teams=1)),
    "field that is not known": lambda _: competition.from_file(_cup(teams=[{"id": "A", "colour": "red"}])),
    "field missing": lambda _: competition.from_file(_cup(teams=[{}])),
    "empty id": lambda _: competition.from_file(_cup(teams=[{"id": ""}])),
    "lists too short": lambda _: competition.from_file(_played(teams=["A"])),
    "points below nothing": lambda _: competition.from_file(_played(points=[2, -1])),
    "status that there is not": lambda _: competition.from_file(_played(status="lost")),
    "points missing": lambda _: competition.from_file(_played(points=None)),
    "team given twice": lambda _: competition.from_file(_cup(teams=[{"id": "A"}, {"id": "A"}])),
    "stranger": lambda _: competition.from_file(_cup(withdrawn=["C"])),
    "team that plays itself": lambda _: competition.from_file(_played(teams=["A", "A"])),
    "round out of place": lambda _: competition.from_file(_cup(rounds=[{"number": 2, "matches": []}])),
    "paired with itself": lambda _: competition.from_file(_cup(fixed=[["A", "A"]])),
    "odd seed": lambda _: competition.from_file(_cup(seed="xyz")),
    "tie-break twice": lambda p: changed(p, {"standings.tie_breaks": ["lot", "lot"]}),
}


@pytest.mark.parametrize("refused", REFUSED.values(), ids=REFUSED.keys())
def test_a_refusal_of_the_rules_is_said_in_both_languages(refused: Callable[[Preset], object], jimei: Preset) -> None:
    with pytest.raises(RuleError) as caught:
        refused(jimei)
    said = caught.value.said
    assert said.en == caught.value.detail
    assert HAN.search(said.zh), f"not Chinese: {said.zh}"
    assert not WORDS.search(said.zh), f"English words in {said.zh}"
    assert not HAN.search(said.en), f"Chinese in {said.en}"


def test_a_lot_that_is_needed_is_said_in_both_languages() -> None:
    assert LotNeeded([("A", "B")]).said.zh == "须抽签区分：A, B"


def test_a_problem_that_no_pattern_knows_is_still_told() -> None:
    assert "odd" in BadRegulation("file", None, "key", "is odd").said.zh
