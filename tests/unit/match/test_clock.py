"""The clock of a round (jimei-2018 十.2: 每轮时间为60分钟)."""

from __future__ import annotations

from datetime import timedelta

import pytest

from services.match import refusals
from services.match.model.rounds import round_of
from tests.unit.match.hall import MICROSECOND, Hall

HOUR = timedelta(minutes=60)


def started() -> Hall:
    hall = Hall().paired()
    hall.start()
    return hall


def test_a_round_has_the_minutes_of_its_regulation() -> None:
    hall = Hall().paired()
    assert hall.start().minutes == 60
    assert Hall(match__minutes=45).paired().start().minutes == 45


def test_time_is_called_when_the_clock_has_run_out_and_not_a_microsecond_before() -> None:
    hall = started()
    hall.now += HOUR - MICROSECOND
    with pytest.raises(refusals.TimeNotUp):
        hall.call_time()
    hall.now += MICROSECOND
    (called,) = hall.call_time()
    assert called.reason == ""


def test_what_stood_still_is_played_afterwards() -> None:
    hall = started()
    hall.now += timedelta(minutes=20)
    hall.pause()
    hall.now += timedelta(minutes=15)
    assert hall.resume().ends_at == round_of(hall.state, 1).started_at + HOUR + timedelta(minutes=15)  # type: ignore[operator]
    hall.now += timedelta(minutes=40) - MICROSECOND
    with pytest.raises(refusals.TimeNotUp):
        hall.call_time()
    hall.now += MICROSECOND
    hall.call_time()


def test_a_paused_clock_never_runs_out() -> None:
    hall = started()
    hall.pause()
    hall.now += 10 * HOUR
    with pytest.raises(refusals.TimeNotUp):
        hall.call_time()


def test_time_is_called_early_with_a_reason_that_is_kept() -> None:
    (called,) = started().call_time(reason="场馆清场")
    assert called.reason == "场馆清场"


def test_without_a_clock_whoever_calls_time_keeps_it() -> None:
    (called,) = Hall().paired().call_time(reason="手表")
    assert called.reason == ""


def test_a_pause_is_neither_doubled_nor_ended_twice() -> None:
    hall = started()
    hall.pause()
    with pytest.raises(refusals.ClockStands):
        hall.pause()
    hall.resume()
    with pytest.raises(refusals.ClockRuns):
        hall.resume()


def test_a_round_that_has_begun_is_not_unpaired() -> None:
    with pytest.raises(refusals.RoundHasBegun):
        started().unpair()


def test_after_time_was_called_the_clock_is_over() -> None:
    hall = started()
    hall.now += HOUR
    hall.call_time()
    for act in (hall.start, hall.pause, hall.resume):
        with pytest.raises(refusals.TimeAlreadyCalled):
            act()
