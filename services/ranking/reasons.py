"""Why standings are provisional (RULINGS, Appeals 7): each reason with its text, and its last instant where a time ends
it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from zoneinfo import ZoneInfo

import msgspec

from services.ranking.projections import Book, Round
from services.ranking.tables import Table
from shared.rules.appeals import Times, open_windows, times_of_round
from shared.rules.basis import Text
from shared.rules.regulations.preset import Preset
from shared.rules.regulations.schema import AnyPreset

TEXTS = {
    "competition_cancelled": Text("赛事已取消", "the competition is cancelled"),
    "not_drawn": Text("尚未抽签", "lots were not drawn yet"),
    "round_in_play": Text("第 {round} 轮正在进行", "round {round} is being played"),
    "round_reopened": Text("第 {round} 轮已重新开启", "round {round} is open again"),
    "hand_in_conflict": Text(
        "第 {round} 轮比赛 {match} 第 {hands} 副有不同的录入，待裁判长选定",
        "match {match} of round {round} has hands entered in several versions ({hands}); the chief referee chooses",
    ),
    "rounds_to_play": Text("共 {planned} 轮，已完成 {closed} 轮", "{closed} of {planned} rounds are closed"),
    "appeal_undecided": Text(
        "第 {round} 轮的申诉 {appeal} 尚未裁决", "appeal {appeal} over round {round} is undecided"
    ),
    "ruling_pending": Text(
        "申诉 {appeal} 已裁决，结果尚未更正", "appeal {appeal} is decided, its ruling not applied yet"
    ),
    "appeal_window_open": Text(
        "第 {round} 轮的申诉期至 {until}（含）", "appeals over round {round} are in time until {until}, inclusive"
    ),
    "results_not_posted": Text(
        "第 {round} 轮的成绩尚未公布，申诉期未起算",
        "the results of round {round} are not posted, from when appeals over it are in time",
    ),
    "lot_needed": Text("须抽签区分：{teams}", "a lot must part {teams}"),
    "changed_since": Text("名次提出后又有变更", "something was decided after the places were put forward"),
    "places_not_declared": Text("最终名次尚未公布", "the final places are not declared"),
}


class Reason(msgspec.Struct, frozen=True, kw_only=True):
    """Why standings may still change. `until` is the last instant of it where a time ends it."""

    code: str
    text: Text
    round: int | None = None
    appeal: str | None = None
    teams: tuple[str, ...] = ()
    until: datetime | None = None


def reasons(book: Book, preset: AnyPreset, table: Table, now: datetime, latest: bool) -> list[Reason]:
    """All reasons for which a table is provisional at an instant; none once its places are declared and nothing was
    decided since. `latest`: of the table as it stands, not of one after an earlier round, which only its own rounds
    concern."""
    declared = book.places is not None and book.places.declared_by is not None
    if declared and book.places is not None and not book.places.overtaken:
        return []
    rounds = [one for one in book.rounds if latest or one.number <= table.after_round]
    found = [*_play(book, rounds, table, latest), *_appeals(book, preset, rounds, now)]
    if latest and book.planned and table.after_round == book.planned:
        found += [_reason("lot_needed", teams=teams) for teams in table.needs_lot]
    if book.places is not None and book.places.overtaken:
        found.append(_reason("changed_since"))
    if not declared:
        found.append(_reason("places_not_declared"))
    return found


def _play(book: Book, rounds: Sequence[Round], table: Table, latest: bool) -> Iterator[Reason]:
    if book.cancelled:
        yield _reason("competition_cancelled")
    if not book.teams:
        yield _reason("not_drawn")
    for current in rounds:
        if current.open:
            yield _reason("round_reopened" if current.closings else "round_in_play", round=current.number)
        for seat in current.seats:
            if hands := book.conflicts.get(seat.match):
                said = ", ".join(map(str, hands))
                yield _reason("hand_in_conflict", round=current.number, match=seat.match, hands=said)
    if latest and table.after_round < book.planned:
        yield _reason("rounds_to_play", planned=book.planned, closed=table.after_round)


def _appeals(book: Book, preset: AnyPreset, rounds: Sequence[Round], now: datetime) -> Iterator[Reason]:
    concerned = {current.number for current in rounds}
    ruled = {ruling.appeal for ruling in book.rulings} | set(book.set_aside)
    for id, appeal in sorted(book.appeals.items()):
        if appeal.state == "undecided" and appeal.round in concerned:
            yield _reason("appeal_undecided", round=appeal.round, appeal=id)
        if appeal.state == "upheld" and appeal.remedy != "none" and id not in ruled:
            yield _reason("ruling_pending", round=appeal.round, appeal=id)
    if not isinstance(preset, Preset):
        return  # a game whose regulations have no appeals has no windows
    teams = [team.id for team in book.teams]
    closed = {one.number: _times(one) for one in rounds if not one.open}
    waived = {team: [datetime.fromisoformat(at) for at in closings] for team, closings in book.waivers.items()}
    for window in open_windows(preset, closed, teams, waived, now):
        code = "results_not_posted" if window.closes is None else "appeal_window_open"
        yield _reason(code, round=window.round, until=window.closes, zone=preset.zone.value)


def _times(current: Round) -> Times:
    """When a closed round, its last match and the posting of its results were."""
    told = (current.closed_at, current.matches_closed_at, current.posted_at)
    closed, matches, posted = (datetime.fromisoformat(at) if at else None for at in told)
    assert closed is not None, "the round is closed"
    return times_of_round(closed, matches, posted)


def _reason(
    code: str,
    *,
    round: int | None = None,
    appeal: str | None = None,
    teams: tuple[str, ...] = (),
    until: datetime | None = None,
    zone: str = "UTC",
    **more: int | str,
) -> Reason:
    ended = until.astimezone(ZoneInfo(zone)).isoformat(" ") if until else None
    said = {"round": round, "appeal": appeal, "teams": ", ".join(teams), "until": ended, **more}
    text = TEXTS[code]
    return Reason(
        code=code,
        text=Text(text.zh.format(**said), text.en.format(**said)),
        round=round,
        appeal=appeal,
        teams=teams,
        until=until,
    )
