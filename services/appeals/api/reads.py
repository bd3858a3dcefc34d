"""What may be read, and by whom."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from services.appeals import facts
from services.appeals.api.answers import AppealDetailSchema, AppealSchema, DeadlinesSchema, FollowedSchema
from services.appeals.api.base import APPEAL, BASE, blueprint, desk
from services.appeals.projections import AppealRow, MatchRow
from services.appeals.records import deadlines, decide_by, missing, next_step, window
from shared.contracts.fact import Remedy
from shared.web.context import identity, service
from shared.web.reads import Found, PageQuery, after, page, paged, plain, read


@read(blueprint, BASE + "/appeals", paged(AppealSchema), PageQuery)
def list_appeals(query: dict[str, Any], competition: str) -> Found:
    """The lodged appeals, in the order in which they were begun. Grounds are not public, drafts neither."""
    return listed(query, competition, [{"listed": competition}], plain)


@read(
    blueprint,
    BASE + "/docket",
    paged(FollowedSchema),
    PageQuery,
    roles=("leader", "organiser", "committee", "referee", "auditor"),
    leader="narrowed",
)
def list_docket(query: dict[str, Any], competition: str) -> Found:
    """All appeals with what they lack and what comes next, drafts too; a leader's own team's only."""
    who = identity()
    if who.role != "leader":
        return listed(query, competition, [{"competition": competition}], followed)
    own = desk().records.teams_of(competition, who.team or "")
    return listed(query, competition, [{"competition": competition, "team": one.team} for one in own], followed)


@read(
    blueprint,
    APPEAL,
    AppealDetailSchema,
    roles=("leader", "organiser", "committee", "referee", "auditor"),
)
def show_appeal(_query: dict[str, Any], competition: str, appeal: str) -> Found:
    """An appeal with the hands and penalties in dispute, for the desk, and for the leaders of the match's teams (a
    draft for its own team's only). Its ETag is the stream's version; since it shows more than that, it is never 304."""
    records = desk().records
    row = records.appeal(competition, appeal)
    match = records.match(competition, row.match)
    case = records.case(competition, row.match)
    teams = [t for t in case.teams if t == row.team or row.filed is not None]
    identity().speaks_for(row.team, *(name for team in teams for name in sorted(case.names(team))))
    asks_for = msgspec.convert(row.asks_for, Remedy)
    body = followed(row) | {"disputed": disputed(match, asks_for, case)}
    return Found(body, row.version, conditional=False)


@read(blueprint, BASE + "/deadlines", DeadlinesSchema)
def show_deadlines(_query: dict[str, Any], competition: str) -> Found:
    """Per round: its window, who has waived, who can still appeal, and what is undecided."""
    return Found(deadlines(desk().records, competition, service().clock.now()))


def listed(query: dict[str, Any], competition: str, equals: Sequence[dict[str, Any]], shape: Any) -> Found:
    """A page of the appeals that any of these fields find."""
    records = desk().records
    records.competition(competition)
    found_by = [records.appeals(equal, after(query), query["limit"] + 1) for equal in equals]
    rows = sorted((row for rows in found_by for row in rows), key=lambda row: row.order)[: query["limit"] + 1]
    found = page(rows, query, lambda row: str(row.order))
    return Found(found | {"items": [shape(row) for row in found["items"]]})


def followed(row: AppealRow) -> dict[str, Any]:
    case = desk().records.case(row.competition, row.match)
    opened = case.opens(msgspec.convert(row.asks_for, Remedy))
    now = window(case.preset, opened, service().clock.now())
    lacks = missing(row, case.preset)
    step = next_step(row, lacks, now["state"], case.preset.appeals.deposit_due.value)
    due = decide_by(row, case.preset)
    return {
        **plain(row),
        "window": now,
        "missing": lacks,
        "next_step": step,
        "decide_by": msgspec.to_builtins(due),
    }


def disputed(match: MatchRow, asks_for: Remedy, case: facts.Case) -> dict[str, Any]:
    """The match as its log has it, with the entries marked that the appeal asks to change."""
    shown = plain(match)
    for hand in shown["hands"]:
        hand["disputed"] = hand["hand"] == asks_for.hand and not hand["void"]
    for penalty in shown["penalties"]:
        penalty["disputed"] = penalty["penalty"] == asks_for.penalty and not penalty["void"]
    return {**shown, "later": {str(number): list(matches) for number, matches in case.later.items()}}
