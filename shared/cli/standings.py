"""`pailu standings`: the table of a competition file, without a server."""

from __future__ import annotations

import json
from typing import Any

import click
from rich.console import Console

from shared.cli.files import Malformed, malformed, read_json, shengji_of
from shared.cli.language import say
from shared.cli.tables import called, table
from shared.rules.errors import BadCompetition, RuleError
from shared.rules.formats.competition import Competition, from_file
from shared.rules.formats.standings import Row
from shared.rules.formats.standings import standings as standings_of
from shared.rules.regulations.preset import Preset

_FILE = click.argument("path", metavar=say("FILE", "文件"))
_JSON = click.option("--json", "as_json", is_flag=True, help=say("Print JSON.", "以 JSON 输出。"))


@click.command(help=say("The standings of a competition file.", "由比赛文件计算名次。"))
@_FILE
@click.option("--round", "round_", type=click.IntRange(min=1), help=say("After this round.", "该轮之后的名次。"))
@_JSON
def standings(path: str, round_: int | None, as_json: bool) -> None:
    """The standings after the finished rounds, or after one of them; exit status 2 for what is no such file."""
    competition, preset = _competition(path)
    try:
        rows = standings_of(preset, competition, round_)
    except RuleError as error:
        raise malformed(path, error) from error
    if as_json:
        click.echo(json.dumps([_row(row) for row in rows], ensure_ascii=False, indent=1))
    else:
        _show_rows(competition, rows)


def _competition(path: str) -> tuple[Competition, Preset]:
    """The competition in a file, and its regulation. Raises Malformed naming the place."""
    data = read_json(path)
    try:
        competition = from_file(data)
    except BadCompetition as error:
        raise Malformed(f"{path}: {error.said.en}", f"{path}：{error.said.zh}") from error
    return competition, shengji_of(path, competition.regulation)


def _row(row: Row) -> dict[str, Any]:
    return {
        "rank": row.rank,
        "team": row.team,
        "points": row.points,
        "total": {"fraction": row.total.fraction, "shown": row.total.shown, "working": row.total.working},
        "direct_win": row.direct_win,
        "cumulative": row.cumulative,
        "decided_by": row.decided_by,
        "provisional": row.provisional,
    }


_DECIDED = {
    "total": ("total", "总得分"),
    "points": ("points", "积分"),
    "direct_win": ("direct win", "直胜"),
    "cumulative": ("cumulative", "累进分"),
    "lot": ("lot", "抽签"),
    "lot_needed": ("lot to be drawn", "待抽签"),
    "shared": ("shared", "并列"),
}


def _show_rows(competition: Competition, rows: list[Row]) -> None:
    names = {team.id: called(team.id, team.name) for team in competition.teams}
    heads = [("rank", "名次"), ("team", "队"), ("points", "积分"), ("total", "总得分"), ("direct", "直胜")]
    shown = table([*heads, ("cumul.", "累进分"), ("decided by", "区分")])
    for row in rows:
        by = say(*_DECIDED[row.decided_by]) if row.decided_by else ""
        rank = "-" if row.rank is None else str(row.rank)
        figures = (str(row.points), row.total.shown, str(row.direct_win), str(row.cumulative))
        shown.add_row(rank, names[row.team], *figures, by)
    console = Console(highlight=False)
    console.print(shown)
    if any(row.provisional for row in rows):
        console.print(say("provisional: matches are open", "暂定名次：尚有未结束的场次"))
