"""Deadlines: a regulation names local times, the log holds instants, and the instant itself is still in time (read)."""

from __future__ import annotations

import datetime as dt
from zoneinfo import ZoneInfo

from shared.rules.errors import RuleError
from shared.rules.regulations.preset import Dates
from shared.rules.regulations.schema import AnyPreset


def in_time(instant: dt.datetime, deadline: dt.datetime) -> bool:
    """Whether an aware instant is in time: at the deadline it is, one microsecond later it is not.

    Raises RuleError `bad_value` for a time without a zone.
    """
    return aware(instant, "instant") <= aware(deadline, "deadline")


def local_instant(zone: str, local: dt.datetime) -> dt.datetime:
    """The UTC instant of a local time in a zone; of a time that a change of clocks repeats, the first.

    Raises RuleError `bad_value` for a time that has a zone of its own, or whose instant no calendar year holds.
    """
    if local.tzinfo is not None:
        detail = f"{local.isoformat()} has a zone of its own; a local time was expected"
        raise RuleError(detail, f"{local.isoformat()} 带有时区；此处应为当地时间", field="local")
    try:
        return local.replace(tzinfo=ZoneInfo(zone)).astimezone(dt.UTC)
    except OverflowError as error:
        detail = f"{local.isoformat()} is outside the calendar"
        raise RuleError(detail, f"{local.isoformat()} 超出可用的日期范围", field="local") from error


def entries_close(preset: AnyPreset) -> dt.datetime:
    """The last UTC instant at which an entry is in time (jimei-2018 十二（报名）: 11月12日中午12：00前)."""
    return local_instant(preset.zone.value, preset.dates.entries_close.value)


def reporting(preset: AnyPreset, first_day: dt.date) -> dt.datetime:
    """The last UTC instant at which a team reports in time on its competition's first day of play (shandong-2023
    十一.2: 提前 15 分钟报到); the beginning of the day where the regulation says no hour."""
    dates = preset.dates
    if isinstance(dates, Dates):
        hours = [session.begins.time() for session in dates.sessions.value[:1]]
        minutes = dates.report_minutes.value or 0
    else:
        hours, minutes = [dates.play_begins.value.time()], 0
    begins = dt.datetime.combine(first_day, hours[0] if hours else dt.time())
    return local_instant(preset.zone.value, begins) - dt.timedelta(minutes=minutes)


def aware(instant: dt.datetime, field: str) -> dt.datetime:
    """The instant in UTC. Raises RuleError `bad_value` naming the field when it has no zone."""
    if instant.tzinfo is None:
        raise RuleError(
            f"{field} {instant.isoformat()} has no zone", f"{field} {instant.isoformat()} 没有时区", field=field
        )
    return instant.astimezone(dt.UTC)
