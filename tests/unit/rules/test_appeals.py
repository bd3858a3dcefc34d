"""Appeals: jimei-2018 十四."""

from __future__ import annotations

import datetime as dt

import pytest

from shared.rules.appeals import (
    Outcome,
    Times,
    Window,
    check_allowed,
    check_lodging,
    deposit_outcome,
    lodged_at,
    open_windows,
    resting,
    times_of_round,
    window_closes,
    window_opens,
)
from shared.rules.errors import RuleError
from shared.rules.regulations import Preset, changed

CLOSED = dt.datetime(2018, 11, 24, 10, 15, 0, 123456, tzinfo=dt.UTC)
LAST = dt.datetime(2018, 11, 25, 10, 15, 0, 123456, tzinfo=dt.UTC)  # 可在24小时以内
EARLY = CLOSED + dt.timedelta(hours=1)
MICROSECOND = dt.timedelta(microseconds=1)


def refusal(preset: Preset, report: dt.datetime, deposit: dt.datetime | None) -> RuleError:
    with pytest.raises(RuleError) as refused:
        check_lodging(preset, CLOSED, report, deposit)
    return refused.value


def test_the_window_is_24_hours_from_the_close_of_the_round(jimei: Preset) -> None:
    assert window_closes(jimei, CLOSED) == LAST


def test_the_window_is_measured_in_hours_whatever_the_zone(jimei: Preset) -> None:
    shanghai = CLOSED.astimezone(dt.timezone(dt.timedelta(hours=8)))
    assert window_closes(jimei, shanghai) == LAST


def test_exactly_24_hours_later_is_in_time(jimei: Preset) -> None:
    assert check_lodging(jimei, CLOSED, LAST, LAST) == LAST


def test_one_microsecond_later_is_late(jimei: Preset) -> None:
    error = refusal(jimei, LAST + MICROSECOND, EARLY)
    assert (error.code, error.article) == ("appeal_late", "十四.1")


def test_an_appeal_is_lodged_when_report_and_deposit_have_both_come(jimei: Preset) -> None:
    assert lodged_at(EARLY, LAST) == LAST
    assert lodged_at(LAST, EARLY) == LAST
    assert lodged_at(EARLY, None) is None


def test_a_deposit_that_comes_after_the_window_makes_the_appeal_late(jimei: Preset) -> None:
    assert refusal(jimei, EARLY, LAST + MICROSECOND).code == "appeal_late"


def test_without_its_deposit_an_appeal_is_not_lodged(jimei: Preset) -> None:  # 提交书面报告和申诉费500元
    error = refusal(jimei, EARLY, None)
    assert (error.code, error.article) == ("deposit_missing", "十四.2")
    assert "50000 fen" in error.detail


def test_the_deposit_may_come_later_within_the_window_unless_it_is_due_with_the_report(jimei: Preset) -> None:
    assert check_lodging(jimei, CLOSED, EARLY, LAST) == LAST
    strict = changed(jimei, {"appeals.deposit_due": "with_report"})
    assert refusal(strict, EARLY, LAST).code == "deposit_late"
    assert check_lodging(strict, CLOSED, LAST, EARLY) == LAST


def test_an_appeal_may_begin_before_the_round_is_closed(jimei: Preset) -> None:
    assert check_lodging(jimei, CLOSED, CLOSED - MICROSECOND, CLOSED - MICROSECOND) == CLOSED - MICROSECOND


def test_where_no_deposit_is_asked_the_report_alone_lodges(jimei: Preset) -> None:
    free = changed(jimei, {"appeals.deposit_fen": 0})
    assert check_lodging(free, CLOSED, EARLY, None) == EARLY


def test_a_regulation_without_appeals_refuses_with_its_article(jimei: Preset) -> None:
    none = changed(jimei, {"appeals.allowed": False})
    with pytest.raises(RuleError) as refused:
        check_allowed(none)
    assert (refused.value.code, refused.value.article) == ("appeals_not_allowed", "十四.1")


@pytest.mark.parametrize(
    ("outcome", "deposit", "mark"),
    [
        ("upheld", "refunded", "stated"),  # 胜诉，退还申诉费
        ("dismissed", "kept", "stated"),  # 败诉，不退还申诉费
        ("partly_upheld", "refunded", "assumed"),
        ("withdrawn_before_acceptance", "refunded", "assumed"),
        ("withdrawn_after_acceptance", "kept", "assumed"),
        ("refused_form", "refunded", "assumed"),
    ],
)
def test_what_becomes_of_the_deposit(jimei: Preset, outcome: Outcome, deposit: str, mark: str) -> None:
    decided = deposit_outcome(jimei, outcome)
    assert (decided.outcome, decided.basis.mark, decided.basis.article) == (deposit, mark, "十四.2")


def test_an_unknown_outcome_is_refused(jimei: Preset) -> None:
    with pytest.raises(RuleError, match="outcomes are upheld"):
        deposit_outcome(jimei, "won")  # type: ignore[arg-type]


def test_a_time_without_a_zone_is_refused(jimei: Preset) -> None:
    with pytest.raises(RuleError, match="opened"):
        window_closes(jimei, dt.datetime(2018, 11, 24, 10))  # noqa: DTZ001 - the case under test


# From what a window runs

STARTS = Times(
    incident=CLOSED - dt.timedelta(minutes=40),
    match_closed=CLOSED - dt.timedelta(minutes=12),
    round_closed=CLOSED,
    result_posted=CLOSED + dt.timedelta(hours=2),
)


@pytest.mark.parametrize("start", ["incident", "match_closed", "round_closed", "result_posted"])
def test_a_window_runs_from_the_instant_the_regulation_names(jimei: Preset, start: str) -> None:
    assert window_opens(changed(jimei, {"appeals.window_from": start}), STARTS) == getattr(STARTS, start)


def test_over_a_round_the_last_incident_can_be_as_late_as_the_close_of_its_last_match() -> None:
    assert times_of_round(CLOSED, EARLY, None) == Times(
        incident=EARLY, match_closed=EARLY, round_closed=CLOSED, result_posted=None
    )
    # what was closed before matches recorded it was closed before its round
    assert times_of_round(CLOSED, None, EARLY).match_closed == CLOSED


def test_a_window_whose_start_has_not_come_is_open_without_an_end_unless_all_have_waived(jimei: Preset) -> None:
    posted = changed(jimei, {"appeals.window_from": "result_posted"})
    rounds = {1: times_of_round(CLOSED, CLOSED, None)}
    years_later = CLOSED + dt.timedelta(days=1000)
    assert open_windows(posted, rounds, ["a", "b"], {}, years_later) == [Window(1, None)]
    waived = {"a": [CLOSED], "b": [CLOSED]}
    assert open_windows(posted, rounds, ["a", "b"], waived, years_later) == []


# What rests on a match (RULINGS, Appeals 6)

LATER = {
    1: [("m1.1", ("a", "b")), ("m1.2", ("c", "d")), ("m1.3", ("e", "f")), ("m1.4", ("g", "h"))],
    2: [("m2.1", ("a", "c")), ("m2.2", ("e", "g"))],
    3: [("m3.1", ("c", "e")), ("m3.2", ("a", "g"))],
}
"""A knock-out of eight, with a match for third place. A beat B in the match in dispute."""


def test_of_a_swiss_match_every_later_pairing_rests_on_the_table_before_it() -> None:
    assert resting(LATER, 1, None) == {2: ("m2.1", "m2.2"), 3: ("m3.1", "m3.2")}
    assert resting(LATER, 2, None) == {3: ("m3.1", "m3.2")}


def test_in_a_bracket_what_the_winner_plays_rests_on_it_and_what_those_play_whom_it_met() -> None:
    # the final too: C is in it for having met A
    assert resting(LATER, 1, ("a", "b")) == {2: ("m2.1",), 3: ("m3.1", "m3.2")}
    assert resting(LATER, 2, ("e", "g")) == {3: ("m3.1", "m3.2")}


def test_what_is_still_to_be_paired_and_what_others_play_does_not_rest_on_it() -> None:
    assert resting({1: LATER[1], 2: LATER[2]}, 1, ("e", "f")) == {2: ("m2.2",)}
    assert resting(LATER, 3, ("c", "e")) == {}
