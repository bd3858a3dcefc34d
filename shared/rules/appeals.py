"""Appeals: the window, when an appeal is lodged, and what becomes of the deposit (jimei-2018 十四)."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Mapping, Sequence
from typing import Literal
from zoneinfo import ZoneInfo

from msgspec import Struct

from shared.rules.basis import Basis
from shared.rules.deadlines import aware, in_time
from shared.rules.errors import RuleError
from shared.rules.regulations.preset import DepositOutcome, Preset

Outcome = Literal[
    "upheld", "partly_upheld", "dismissed", "withdrawn_before_acceptance", "withdrawn_after_acceptance", "refused_form"
]
"""How an appeal ends."""


class DepositDecision(Struct, frozen=True):
    """What becomes of the deposit."""

    outcome: DepositOutcome
    basis: Basis


def check_allowed(preset: Preset) -> None:
    """Raise RuleError `appeals_not_allowed`, with the article, where the regulation has no appeals."""
    rule = preset.appeals.allowed
    if not rule.value:
        raise RuleError(
            "the regulation allows no appeals", "规程不设申诉", code="appeals_not_allowed", article=rule.article
        )


def window_closes(preset: Preset, opened: dt.datetime) -> dt.datetime:
    """The last UTC instant at which an appeal is in time.

    opened: the aware instant that `appeals.window_from` names (jimei-2018: the close of the round in dispute).
    Raises RuleError `bad_value` without a zone, `appeals_not_allowed`.
    """
    check_allowed(preset)
    hours: int = preset.appeals.window_hours.value or 0
    return aware(opened, "opened") + dt.timedelta(hours=hours)


class Times(Struct, frozen=True, kw_only=True):
    """The instants from which a window may run (`appeals.window_from`), None for what has not happened yet: the ruling
    or entry in dispute was made, its match closed, its round closed, the round's results posted."""

    incident: dt.datetime | None
    match_closed: dt.datetime | None
    round_closed: dt.datetime | None
    result_posted: dt.datetime | None


def window_opens(preset: Preset, times: Times) -> dt.datetime | None:
    """The instant from which a window runs, None while it does not yet. Raises RuleError `appeals_not_allowed`."""
    check_allowed(preset)
    found: dt.datetime | None = getattr(times, preset.appeals.window_from.value)
    return found


def times_of_round(
    closed_at: dt.datetime, matches_closed_at: dt.datetime | None, posted_at: dt.datetime | None
) -> Times:
    """The latest instants from which a window over a closed round may run: no incident is later than the close of its
    match. matches_closed_at: of its last match, None where that was not recorded; then it was not after the round's."""
    last = matches_closed_at or closed_at
    return Times(incident=last, match_closed=last, round_closed=closed_at, result_posted=posted_at)


class Window(Struct, frozen=True):
    """A window over a round, and the last UTC instant at which an appeal is in time: None while what it runs from has
    not happened."""

    round: int
    closes: dt.datetime | None


def open_windows(
    preset: Preset,
    rounds: Mapping[int, Times],
    teams: Collection[str],
    waived: Mapping[str, Sequence[dt.datetime]],
    now: dt.datetime,
) -> list[Window]:
    """The windows open at `now`, in order of round: those of `windows` that have not passed. Raises RuleError
    `bad_value` for a time without zone."""
    return [
        window
        for window in windows(preset, rounds, teams, waived)
        if window.closes is None or in_time(now, window.closes)
    ]


def windows(
    preset: Preset,
    rounds: Mapping[int, Times],
    teams: Collection[str],
    waived: Mapping[str, Sequence[dt.datetime]],
) -> list[Window]:
    """The windows that time alone closes, in order of round; none where the regulation has no appeals.

    rounds: each closed round; waived: by team, from round 1 on, the closing of each round over which it waived in
    writing: of a round closed anew since, nothing is waived. Waivers of all the competition's teams, those that have
    left it too, close a window early (assumed).
    """
    if not preset.appeals.allowed.value:
        return []
    return [
        _window(preset, number, times)
        for number, times in sorted(rounds.items())
        if not all(_waived(waived.get(team, ()), number, times.round_closed) for team in teams)
    ]


def _window(preset: Preset, number: int, times: Times) -> Window:
    opened = window_opens(preset, times)
    return Window(number, None if opened is None else window_closes(preset, opened))


def _waived(closings: Sequence[dt.datetime], number: int, closed: dt.datetime | None) -> bool:
    return number <= len(closings) and closings[number - 1] == closed


def resting(
    rounds: Mapping[int, Sequence[tuple[str, tuple[str, ...]]]], number: int, of_bracket: Collection[str] | None
) -> dict[int, tuple[str, ...]]:
    """By round the matches after `number` that rest on one of it, each with its teams given; rounds without one are
    left out. of_bracket: the teams of the match where it is one of a bracket, so that what they play later rests on it,
    and what those play whom they met; None where every later pairing does, as in a Swiss tournament."""
    concerned = None if of_bracket is None else set(of_bracket)
    found: dict[int, tuple[str, ...]] = {}
    for later in sorted(later for later in rounds if later > number):
        names = []
        for match, teams in rounds[later]:
            if concerned is None or concerned & set(teams):
                names.append(match)
                concerned = None if concerned is None else concerned | set(teams)
        if names:
            found[later] = tuple(names)
    return found


def lapses_at(preset: Preset, closes: dt.datetime) -> dt.datetime:
    """The last UTC instant at which papers that were handed over in time are still entered; what is incomplete then
    lapses. closes: the last instant of its window."""
    rule = preset.appeals.paper_hours
    return aware(closes, "closes") + dt.timedelta(hours=rule.value if rule else 0)


def decision_due(preset: Preset, lodged: dt.datetime) -> dt.datetime | None:
    """The last UTC instant at which a decision is not overdue, None where it never is. lodged: when it was."""
    rule = preset.appeals.decide_hours
    hours = rule.value if rule else None
    return None if hours is None else aware(lodged, "lodged") + dt.timedelta(hours=hours)


def lodged_at(report: dt.datetime, deposit: dt.datetime | None) -> dt.datetime | None:
    """When report and deposit had both reached the desk, in UTC; None while the deposit has not.

    Where no deposit is asked, pass the report's time for both. An appeal is in time when `in_time(lodged, closes)`.
    """
    if deposit is None:
        return None
    return max(aware(report, "report"), aware(deposit, "deposit"))


def check_lodging(preset: Preset, opened: dt.datetime, report: dt.datetime, deposit: dt.datetime | None) -> dt.datetime:
    """The UTC instant at which the appeal is lodged.

    Raises RuleError `deposit_missing`, `deposit_late` (deposit_due `with_report`: it came after the report) or
    `appeal_late`, each with its article, `appeals_not_allowed`, and `bad_value` for a time without a zone.
    """
    terms = preset.appeals
    closes = window_closes(preset, opened)
    lodged = lodged_at(report, report if terms.deposit_fen.value == 0 else deposit)
    if lodged is None:
        detail = f"the deposit of {terms.deposit_fen.value} fen has not been received"
        zh = f"尚未收到申诉费 {_yuan(terms.deposit_fen.value)}"
        raise RuleError(detail, zh, code="deposit_missing", article=terms.deposit_fen.article)
    if not in_time(lodged, closes):
        detail = f"lodged at {lodged.isoformat()}, the window closed at {closes.isoformat()}"
        zone = ZoneInfo(preset.zone.value)
        at, until = (instant.astimezone(zone).isoformat() for instant in (lodged, closes))
        zh = f"提交齐备于 {at}，申诉期已于 {until} 届满"
        raise RuleError(detail, zh, code="appeal_late", article=terms.window_hours.article)
    if terms.deposit_due.value == "with_report" and lodged > aware(report, "report"):
        raise RuleError(
            "the deposit came after the report",
            "申诉费晚于书面报告",
            code="deposit_late",
            article=terms.deposit_due.article,
        )
    return lodged


def _yuan(fen: int) -> str:
    return f"{fen // 100}元" if fen % 100 == 0 else f"{fen // 100}.{fen % 100:02d}元"


def deposit_outcome(preset: Preset, outcome: Outcome) -> DepositDecision:
    """What becomes of the deposit when an appeal ends so. Raises RuleError `bad_value` for an unknown outcome."""
    rows = {
        "upheld": preset.appeals.deposit.upheld,
        "partly_upheld": preset.appeals.deposit.partly_upheld,
        "dismissed": preset.appeals.deposit.dismissed,
        "withdrawn_before_acceptance": preset.appeals.deposit.withdrawn_before_acceptance,
        "withdrawn_after_acceptance": preset.appeals.deposit.withdrawn_after_acceptance,
        "refused_form": preset.appeals.deposit.refused_form,
    }
    if outcome not in rows:
        known = ", ".join(rows)
        raise RuleError(
            f"no outcome {outcome!r}; outcomes are {known}", f"没有结局 {outcome}；可取：{known}", field="outcome"
        )
    return DepositDecision(rows[outcome].value, rows[outcome].basis)
