"""Who may appeal and until when: jimei-2018 十四.1, RULINGS “Appeals” 1, 2 and 9."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import msgspec
import pytest

from services.appeals import facts, model
from services.appeals import refusals as refuse
from shared.contracts.appeals import AppealDrafted, ReportReceived
from shared.contracts.fact import Remedy
from shared.rules.regulations.loader import load_any
from tests.unit.appeals.desk import (
    CLOSED,
    DEADLINE,
    DRAFTED,
    EARLY,
    LATE,
    LIFT,
    LODGED,
    MATCH_CLOSED,
    MICROSECOND,
    PENALISED,
    PLAYED,
    REPORTED,
    after,
    begin,
    case,
    only,
    report,
    under,
)


def test_the_window_closes_24_hours_after_the_close_of_the_round() -> None:
    assert case().closes(LIFT) == DEADLINE == CLOSED + timedelta(hours=24)


def test_an_appeal_is_begun_at_the_last_instant() -> None:
    drafted = only(begin(at=DEADLINE)(after()), AppealDrafted)
    assert (drafted.match, drafted.round, drafted.team, drafted.begun_at) == ("m2.1", 2, "red", DEADLINE)


def test_an_appeal_is_not_begun_one_microsecond_later() -> None:
    with pytest.raises(refuse.WindowClosed) as refused:
        begin(at=DEADLINE + MICROSECOND)(after())
    assert refused.value.article == "十四.1"
    assert "2018-11-25 10:30:00.123456 (Asia/Shanghai)" in refused.value.say("zh")


def test_an_appeal_may_be_begun_during_the_round() -> None:
    during = case(round_closed_at=None)
    assert during.closes(LIFT) is None
    assert only(begin(match=during)(after()), AppealDrafted)


def test_a_round_closed_anew_has_a_new_window() -> None:
    reclosed = case(round_closed_at=CLOSED + timedelta(hours=5))
    assert only(begin(at=DEADLINE + timedelta(hours=5), match=reclosed)(after()), AppealDrafted)


def test_an_organiser_may_give_another_window() -> None:
    with pytest.raises(refuse.WindowClosed):
        begin(at=CLOSED + timedelta(hours=2, microseconds=1), match=under(appeals__window_hours=2))(after())


def test_a_report_at_exactly_24_hours_is_in_time() -> None:
    assert only(report(at=DEADLINE)(after(*DRAFTED)), ReportReceived).received_at == DEADLINE


def test_a_report_one_microsecond_later_is_late() -> None:
    with pytest.raises(refuse.WindowClosed) as refused:
        report(at=LATE)(after(*DRAFTED))
    assert refused.value.article == "十四.1"


def test_a_regulation_without_appeals_says_by_which_article() -> None:
    with pytest.raises(refuse.AppealsNotAllowed) as refused:
        begin(match=under(appeals__allowed=False))(after())
    assert refused.value.article == "十四.1"


@pytest.mark.parametrize(("regulation", "article"), [("zhongshan-2013", "九"), ("ahut-2018", "二.6")])
def test_what_the_hall_rules_in_these_regulations_stands_by_their_article(regulation: str, article: str) -> None:
    with pytest.raises(refuse.AppealsNotAllowed) as refused:
        begin(match=case(preset=load_any(regulation)))(after())
    assert refused.value.article == article
    assert "不收取申诉费" in refused.value.say("zh")


HAND_2 = Remedy(kind="annul_hand", hand=2)
REPLAY = Remedy(kind="replay_match")
POSTED = CLOSED + timedelta(hours=2)

STARTS = [
    ("round_closed", LIFT, CLOSED),
    ("match_closed", LIFT, MATCH_CLOSED),
    ("result_posted", LIFT, POSTED),
    ("incident", LIFT, PENALISED),  # the penalty in dispute was issued then
    ("incident", HAND_2, PLAYED + timedelta(minutes=8)),  # the hand in dispute was entered then
    ("incident", REPLAY, MATCH_CLOSED),  # the whole match is in dispute
]


@pytest.mark.parametrize(("start", "asks_for", "opens"), STARTS)
def test_a_window_runs_from_what_the_regulation_says(start: str, asks_for: Remedy, opens: datetime) -> None:
    match = msgspec.structs.replace(under(appeals__window_from=start), posted_at=POSTED)
    last = opens + timedelta(hours=24)
    assert only(begin(at=last, asks_for=asks_for, match=match)(after()), AppealDrafted)
    with pytest.raises(refuse.WindowClosed) as refused:
        begin(at=last + MICROSECOND, asks_for=asks_for, match=match)(after())
    assert refused.value.params["closes_at"] == last
    drafted = after(begin(asks_for=asks_for, match=match, at=last))
    assert only(report(at=last, match=match)(drafted), ReportReceived)
    with pytest.raises(refuse.WindowClosed):
        report(at=last + MICROSECOND, match=match)(drafted)


@pytest.mark.parametrize(
    ("start", "open_still"),
    [
        ("round_closed", {"round_closed_at": None}),
        ("match_closed", {"match_closed_at": None}),
        ("result_posted", {"posted_at": None}),
        ("incident", {"match_closed_at": None}),
    ],
)
def test_until_that_has_happened_everything_is_in_time(start: str, open_still: dict[str, None]) -> None:
    match = msgspec.structs.replace(under(appeals__window_from=start), posted_at=POSTED)
    match = msgspec.structs.replace(match, **open_still)
    assert match.closes(REPLAY) is None
    assert only(begin(at=LATE, asks_for=REPLAY, match=match)(after()), AppealDrafted)


def test_a_cancelled_competition_takes_no_appeal() -> None:
    with pytest.raises(refuse.CompetitionIsCancelled):
        begin(match=case(cancelled="台风"))(after())


def test_a_match_that_was_paired_anew_takes_no_appeal() -> None:
    with pytest.raises(refuse.NoSuchMatch):
        begin(match=case(replaced=True))(after())


@pytest.mark.parametrize("name", ["red", "红队单位"])
def test_the_leader_of_a_team_in_the_match_may_appeal_by_team_or_unit(name: str) -> None:
    assert facts.appellant(case(), (name,), name) == "red"


@pytest.mark.parametrize("names", [("green",), ()])
def test_another_teams_leader_may_not(names: tuple[str, ...]) -> None:
    with pytest.raises(refuse.NotYourMatch) as refused:
        facts.appellant(case(), names, "green")
    assert refused.value.article == "十四.2"


def capacity(entered: tuple[str, ...], given: Any) -> str:
    return facts.capacity(case(parts={"red": entered, "blue": ()}), "red", given)


def test_its_leader_appeals_and_no_one_else_while_there_is_one() -> None:
    assert capacity(("leader", "coach", "player"), "leader") == "leader"
    for other in ("coach", "player"):
        with pytest.raises(refuse.LeaderAppeals) as refused:
            capacity(("leader", "coach", "player"), other)
        assert refused.value.article == "十四.2"


def test_where_none_was_entered_its_coach_or_a_player_appeals() -> None:
    assert capacity(("coach", "player"), "coach") == "coach"
    assert capacity(("coach", "player"), "player") == "player"


def test_nobody_appeals_in_a_part_that_the_team_did_not_enter() -> None:
    with pytest.raises(refuse.NotEntered) as refused:
        capacity(("player",), "leader")
    assert (refused.value.pointer, refused.value.article) == ("/appellant", "十四.2")
    assert "领队" in refused.value.say("zh")


def test_who_does_not_say_appeals_as_who_may() -> None:
    assert capacity(("leader", "player"), None) == "leader"
    assert capacity(("coach", "player"), None) == "coach"
    assert capacity(("player",), None) == "player"
    assert only(begin()(after()), AppealDrafted).appellant == "leader"


def test_who_waived_may_not_appeal() -> None:
    with pytest.raises(refuse.AppealsWaived):
        begin(waived=True)(after())
    with pytest.raises(refuse.AppealsWaived):
        report(waived=True)(after(*DRAFTED))


def test_an_appeal_names_something_that_exists() -> None:
    with pytest.raises(refuse.RemedyNotInOrder) as refused:
        begin(asks_for=Remedy(kind="lift_penalty", penalty="p9"))(after())
    assert refused.value.pointer == "/asks_for/penalty"


def test_a_report_without_the_seal_is_kept_and_counts_for_nothing() -> None:
    unsealed = report(bears_seal=False)
    assert only(unsealed(after(*DRAFTED)), ReportReceived).bears_seal is False
    state = after(*DRAFTED, unsealed)
    assert state.report_at is None
    assert after(*DRAFTED, unsealed, report(at=DEADLINE)).report_at == DEADLINE


def test_one_sealed_report_is_enough() -> None:
    with pytest.raises(refuse.ReportAlreadyReceived):
        report()(after(*REPORTED))


def test_a_lodged_appeal_takes_no_report() -> None:
    with pytest.raises(refuse.AlreadyLodged):
        report()(after(*LODGED))


def test_what_was_never_begun_takes_no_report() -> None:
    with pytest.raises(refuse.NoSuchAppeal):
        report()(after())


# The time of receipt


def test_a_leader_is_timed_by_the_servers_clock() -> None:
    assert model.received_online(EARLY, None) == model.Receipt(at=EARLY)
    with pytest.raises(refuse.TimeIsTheServers):
        model.received_online(EARLY, CLOSED)
    with pytest.raises(refuse.TimeIsTheServers) as refused:
        model.received_online(EARLY, None, "officer-lin")
    assert refused.value.pointer == "/officer"


def test_a_paper_is_timed_by_the_desk_with_the_reason() -> None:
    received = model.received_on_paper(LATE, DEADLINE, "officer-lin", "柜台收件，系统补登")
    assert received == model.Receipt(at=DEADLINE, on_paper=True, officer="officer-lin", reason="柜台收件，系统补登")
    reported = model.receive_report(after(*DRAFTED), case(), False, "1号", True, received, "desk-1")
    event = only(reported, ReportReceived)
    assert (event.by, event.officer, event.on_paper, event.reason) == (
        "desk-1",
        "officer-lin",
        True,
        "柜台收件，系统补登",
    )


def test_a_paper_handed_over_at_the_last_instant_is_in_time_however_late_it_is_entered() -> None:
    received = model.received_on_paper(LATE + timedelta(hours=3), DEADLINE, "officer-lin", "柜台收件")
    assert model.receive_report(after(*DRAFTED), case(), False, "1号", True, received, "desk-1")


@pytest.mark.parametrize(("given", "reason"), [(None, "柜台收件"), (EARLY, "")])
def test_a_paper_without_time_or_reason_is_not_entered(given: None, reason: str) -> None:
    with pytest.raises(refuse.PaperNeedsTimeAndReason):
        model.received_on_paper(LATE, given, "officer-lin", reason)


def test_nothing_is_received_in_the_future() -> None:
    assert model.received_on_paper(EARLY, EARLY, "officer-lin", "柜台收件").at == EARLY
    with pytest.raises(refuse.ReceivedInFuture):
        model.received_on_paper(EARLY, EARLY + MICROSECOND, "officer-lin", "柜台收件")


def test_money_counts_from_when_it_is_entered_unless_the_desk_says_earlier_and_why() -> None:
    assert model.received_in_cash(EARLY, None, "desk-1", "").at == EARLY
    assert model.received_in_cash(LATE, DEADLINE, "officer-lin", "柜台收款后停电").at == DEADLINE
    with pytest.raises(refuse.PaperNeedsTimeAndReason):
        model.received_in_cash(LATE, DEADLINE, "officer-lin", "")
