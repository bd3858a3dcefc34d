"""What the server has, read over HTTP, turned into what the rules take; and the same worked out here."""

from __future__ import annotations

from typing import Any

import msgspec

from deploy.demo.client import Answer
from deploy.demo.failure import check
from deploy.demo.stage import Stage
from shared.rules.formats.competition import Competition, PlayedMatch, Round, Team
from shared.rules.formats.crosstable import crosstable
from shared.rules.formats.standings import Row, standings

ROW = ("rank", "team", "points", "direct_win", "cumulative", "decided_by")
TOTAL = ("fraction", "shown", "working")


def competition_of(stage: Stage, after: Answer | None = None) -> Competition:
    """The competition as the server's rounds have it, once this command is in them."""
    rounds = stage.client.get(stage.at("match", "/rounds?limit=100"), after=after).body["items"]
    teams = tuple(Team(team) for team in stage.numbers)
    return Competition(teams=teams, rounds=tuple(_round(one) for one in rounds))


def check_standings(stage: Stage, found: dict[str, Any], after_round: int, after: Answer | None = None) -> list[Row]:
    """The server's standings must be what the rules make of its results here, to the last digit."""
    check("the round that standings are after", found["after_round"], after_round)
    rows = standings(stage.preset, competition_of(stage, after), after_round)
    came = [[*(row[name] for name in ROW), *(row["total"][name] for name in TOTAL)] for row in found["rows"]]
    own = [[*(getattr(row, name) for name in ROW), *(getattr(row.total, name) for name in TOTAL)] for row in rows]
    check(f"standings after round {after_round}", came, own)
    return rows


def check_crosstable(stage: Stage, found: dict[str, Any]) -> None:
    """The same of the crosstable."""
    rows = msgspec.json.decode(msgspec.json.encode(crosstable(stage.preset, competition_of(stage))))
    came = [{name: row[name] for name in ("rank", "team", "outcomes", "running")} for row in found["rows"]]
    for row in (*came, *rows):
        for outcome in row["outcomes"]:
            del outcome["fouls"]  # they are counted from penalties, which the results alone do not show
    check("the crosstable", came, rows)


def _round(found: dict[str, Any]) -> Round:
    matches = tuple(_match(table["table"], table["result"]) for table in found["tables"])
    return Round(number=found["number"], matches=matches, byes=(found["bye"],) if found["bye"] else ())


def _match(table: int, result: dict[str, Any]) -> PlayedMatch:
    fields = {name: result[name] for name in ("teams", "points", "levels", "status")}
    return msgspec.convert({"table": table, **fields}, PlayedMatch)
