"""Match's rows: the same from the topics in any order, and never stopped by what was corrected or ruled."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from services.match.projections import (
    PROJECTION,
    CompetitionRow,
    MatchRow,
    RoundRow,
    competitions,
    match_key,
    matches,
    record_key,
    records,
    round_key,
    rounds,
)
from services.match.projections.matches import _resum
from shared.contracts.appeals import (
    AppealDismissed,
    AppealFiled,
    DepositReceived,
    DepositRefunded,
    WaiverReceived,
)
from shared.contracts.fact import Remedy
from shared.eventsourcing.records import Envelope, canonical
from tests.support.at_rest import folded, rows
from tests.support.events import CODEC, interleaved
from tests.unit.match.hall import CUP, REGULATION, correction, facts
from tests.unit.match.service import MatchService


def _competition(service: MatchService) -> CompetitionRow:
    row = service.engine.reader.get(competitions, CUP)
    assert row is not None
    return row


def _round(service: MatchService, number: int = 1) -> RoundRow:
    row = service.engine.reader.get(rounds, round_key(CUP, number))
    assert row is not None
    return row


def _match(service: MatchService, name: str = "r1t1") -> MatchRow:
    row = service.engine.reader.get(matches, match_key(CUP, name))
    assert row is not None
    return row


def _points(result: dict[str, Any] | None) -> tuple[int, ...]:
    assert result is not None
    return tuple(result["points"])


def _filed(service: MatchService, appeal: str = "a1") -> None:
    now = service.clock.now()
    event = AppealFiled(
        regulation=REGULATION,
        by="leader",
        competition=CUP,
        appeal=appeal,
        match="r1t1",
        round=1,
        team="A",
        report_received_at=now,
        deposit_received_at=now,
        deposit_fen=50_000,
        deadline=now + timedelta(hours=24),
        grounds="误判",
        asks_for=Remedy(kind="none"),
        article="十四.2",
    )
    service.say("appeals", f"appeal/{CUP}/{appeal}", event)


def _deposit(service: MatchService, kind: type[Any], **fields: Any) -> None:
    common = {"regulation": REGULATION, "by": "desk", "competition": CUP, "appeal": "a1", "amount_fen": 50_000}
    service.say("appeals", f"ledger/{CUP}", kind(**common, article="十四.2", reason="", **fields))
    service.settle()


def _whole_story() -> MatchService:
    """Everything that leaves a row: hands, corrections, penalties, a ruling, a replay, a reopening, a cancellation."""
    service = MatchService().announce().played()
    service.do("pair_next")
    service.hand(1, points=40, name="r2t1")
    service.do("correct_hand", "r2t1", correction(1, 1, 60))
    service.penalty(1, name="r2t1")
    service.do("lift_penalty", "r2t1", "p1", "误判")
    service.hand_with_record(2, name="r2t1")
    service.do("forfeit", "r2t2", [service.rounds().rounds[1].pairings[1].teams[0]], "未到")
    _filed(service)
    service.uphold("correct_hand", hand=1, facts={"dealer": 1, "points": 80})
    service.settle()
    service.uphold("replay_match", appeal="a2")
    service.settle()
    service.hand(1, dealer=2, points=100)
    service.do("call_time", 1)
    service.do("close_match", "r1t1")
    service.do("close_round", 1)
    service.do("reopen_round", 1, ["r1t2"], "记录有误")
    now = service.rounds().rounds[0].closed_at
    assert now is not None
    waiver = WaiverReceived(
        regulation=REGULATION,
        by="leader",
        competition=CUP,
        team="B",
        through_round=1,
        closed_at=(now,),
        reference="1",
    )
    service.say("appeals", f"ledger/{CUP}", waiver)
    service.cancel()
    return service


STORY = _whole_story()
TOPICS: list[list[Envelope]] = [STORY.said["registration"], STORY.journal.read(0, 1000), STORY.said["appeals"]]


def _bytes(order: list[Envelope]) -> list[bytes]:
    return [canonical([name, document]) for name, document in folded(PROJECTION, CODEC, [order])]


EXPECTED = _bytes(TOPICS[0] + TOPICS[1] + TOPICS[2])


@settings(max_examples=200)
@given(st.lists(st.integers(0, 2), max_size=100))
def test_topics_in_any_order_end_in_the_same_rows(choices: list[int]) -> None:
    assert _bytes(interleaved(TOPICS, choices)) == EXPECTED


def test_the_live_rows_are_those_of_a_plain_fold_and_nothing_is_held() -> None:
    assert STORY.engine.held() == []
    live = STORY.engine.projection.pointer().live
    found = [canonical([name, document]) for name, document in rows(PROJECTION, live, STORY.documents)]
    assert found == EXPECTED


def test_a_match_shows_its_score_hand_by_hand() -> None:
    service = MatchService().announce().paired()
    service.hand(1, points=40)
    service.penalty(1)
    row = _match(service)
    assert (row.levels, row.next_dealer) == ({"13": "2", "24": "4"}, 2)  # 40 + 80 = 120
    (score,) = row.score
    assert (score["points"], score["penalty_points"], score["attacker_points"]) == (40, 80, 120)
    assert score["gain"] == {"13": 0, "24": 2}


def test_a_hand_shows_its_record_until_it_is_taken_back() -> None:
    service = MatchService().announce().paired()
    played, kept = service.hand_with_record(1).events[1:]
    service.settle()
    (hand,) = _match(service).hands
    assert hand["record"] == played.record == kept.hash
    row = service.engine.reader.get(records, record_key(CUP, "r1t1", kept.hash))
    assert row is not None
    assert (row.hand, row.record) == (1, kept.record)
    assert [finding["code"] for finding in row.findings] == ["revoke"]
    service.do("correct_hand", "r1t1", correction(1, 1, 45, kept=()))
    service.settle()
    assert _match(service).hands[0]["record"] is None


def test_a_ruling_on_a_match_is_seen_in_score_and_result() -> None:
    service = MatchService().announce().played()
    service.uphold("correct_hand", hand=1, facts={"dealer": 1, "points": 100})
    service.settle()
    row = _match(service)
    assert _points(row.result) == (0, 2)
    assert row.levels == {"13": "2", "24": "3"}
    assert _points(_round(service).results["r1t1"]) == (0, 2)


def test_a_replay_after_another_ruling_begins_with_an_empty_score() -> None:
    service = MatchService().announce().played()
    service.uphold("correct_hand", hand=1, facts={"dealer": 1, "points": 100})
    service.settle()
    service.uphold("replay_match", appeal="a2")
    service.settle()
    row = _match(service)
    assert (row.status, row.result) == ("reopened", None)
    service.hand(1, dealer=2, points=0)
    row = _match(service)
    assert (row.status, row.levels, len(row.rulings)) == ("open", {"13": "2", "24": "7"}, 2)
    assert service.engine.held() == []


def test_a_match_that_a_ruling_no_longer_fits_does_not_stop_the_rows() -> None:
    # the ruling lands between a referee's decision and its commit, so nobody could refuse the correction
    service = MatchService().announce().played()
    service.uphold("impose_penalty", hand=1, pair="13", code="kitty_size")
    service.settle()
    row = _match(service)
    event = msgspec.convert(row.hands[0]["facts"], type(facts()))
    row.hands[0]["facts"] = msgspec.to_builtins(msgspec.structs.replace(event, dealer=2))
    _resum(row)
    assert row.levels == {"13": "2", "24": "7"}  # as if the ruling were not there: closing refuses until it fits


def test_a_match_that_stands_open_again_says_so() -> None:
    service = MatchService().announce().played()
    assert _match(service).status == "closed"
    service.do("reopen_round", 1, ["r1t1"], "记录有误")
    assert _match(service).status == "reopened"
    assert _match(service, "r1t2").status == "closed"
    assert _round(service).closed_at is None


def test_what_the_round_counts_is_the_result_of_the_match() -> None:
    service = MatchService().announce().paired()
    service.hand(1)
    service.hand(1, name="r1t2")
    service.do("call_time", 1)
    service.do("close_match", "r1t2")
    rounds = service.commands._rounds

    def stale(competition: str) -> Any:
        """The rounds as they were before the ruling that lands now."""
        found = rounds(competition)
        service.uphold("annul_hand", hand=1)
        service.settle()
        return found

    service.commands._rounds = stale  # type: ignore[method-assign]
    service.commands.close_match(service.command(), CUP, "r1t1")
    service.commands._rounds = rounds  # type: ignore[method-assign]
    service.settle()
    assert _points(_match(service).result) == (2, 0)
    service.do("close_round", 1)
    assert _points(_match(service).result) == (1, 1)
    assert _points(_round(service).results["r1t1"]) == (1, 1)


def test_a_deposit_that_nobody_confirmed_yet_counts_as_an_appeal_to_come() -> None:
    service = MatchService().announce().played()
    now = service.clock.now()
    _deposit(service, DepositReceived, received_at=now)
    assert _competition(service).undecided() == ["a1"]
    _deposit(service, DepositRefunded, source="received")
    assert _competition(service).undecided() == []


def test_an_appeal_is_undecided_from_its_lodging_to_its_decision() -> None:
    service = MatchService().announce().played()
    _filed(service)
    service.settle()
    assert _competition(service).undecided() == ["a1"]
    dismissed = AppealDismissed(
        regulation=REGULATION,
        by="committee",
        competition=CUP,
        appeal="a1",
        match="r1t1",
        round=1,
        team="A",
        reason="查无实据",
        article="十四",
        members=(),
    )
    service.say("appeals", f"appeal/{CUP}/a1", dismissed)
    service.settle()
    assert _competition(service).undecided() == []
    assert _competition(service).ruled == []
