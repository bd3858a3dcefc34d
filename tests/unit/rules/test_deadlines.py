"""Deadlines: the instant itself is in time, one microsecond later is not (RULINGS, Corrections 4)."""

from __future__ import annotations

import datetime as dt

import pytest

from shared.rules.deadlines import entries_close, in_time, local_instant
from shared.rules.errors import RuleError
from shared.rules.regulations import Preset, changed

MICROSECOND = dt.timedelta(microseconds=1)


def test_entries_close_at_noon_of_12_november_in_shanghai(jimei: Preset) -> None:  # 于11月12日中午12：00前
    # Shanghai is eight hours ahead of UTC
    assert entries_close(jimei) == dt.datetime(2018, 11, 12, 4, tzinfo=dt.UTC)


def test_the_instant_itself_is_in_time(jimei: Preset) -> None:
    close = entries_close(jimei)
    assert in_time(close - MICROSECOND, close)
    assert in_time(close, close)
    assert not in_time(close + MICROSECOND, close)


def test_an_instant_may_come_in_any_zone(jimei: Preset) -> None:
    noon = dt.datetime(2018, 11, 12, 12, tzinfo=dt.timezone(dt.timedelta(hours=8)))
    assert in_time(noon, entries_close(jimei))


def test_this_years_deadline_is_read_in_the_regulations_zone(jimei: Preset) -> None:
    own = changed(jimei, {"dates.entries_close": "2026-11-30T09:30:00"})
    assert entries_close(own) == dt.datetime(2026, 11, 30, 1, 30, tzinfo=dt.UTC)


def test_a_time_without_a_zone_is_no_instant(jimei: Preset) -> None:
    with pytest.raises(RuleError, match="has no zone") as refused:
        in_time(dt.datetime(2018, 11, 12, 12), entries_close(jimei))  # noqa: DTZ001 - the case under test
    assert refused.value.field == "instant"


def test_a_time_with_a_zone_is_no_local_time() -> None:
    with pytest.raises(RuleError, match="zone of its own"):
        local_instant("Asia/Shanghai", dt.datetime(2018, 11, 12, tzinfo=dt.UTC))
