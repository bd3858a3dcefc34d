"""`pailu totals`: the totals and the prize money of union teams from a file, without a server."""

from __future__ import annotations

import json
from itertools import count
from typing import Any

import click

from shared.cli.files import malformed, read_json, shengji_of
from shared.cli.language import say
from shared.cli.sheet import say_articles
from shared.cli.tables import busy, called, screen, table
from shared.rules.errors import BadUnion
from shared.rules.formats.exact import exact
from shared.rules.formats.totals import FEN, UnionRow, basis, place_name, told
from shared.rules.formats.totals import totals as totals_of
from shared.rules.formats.union import UnionResults, from_file
from shared.rules.regulations.preset import Preset

EVENTS = {"tractor": ("tractor", "拖拉机"), "xiangqi": ("xiangqi", "象棋"), "weiqi": ("weiqi", "围棋")}
_DECIDED = {"points": ("points", "总分"), "shared": ("shared", "并列")}


@click.command(
    help=say(
        "The team totals of a union file, or of an answer of the service.",
        "由部门工会成绩文件或服务的应答计算团体总分与奖金。",
    )
)
@click.argument("path", metavar=say("FILE", "文件"))
@click.option("--json", "as_json", is_flag=True, help=say("Print JSON.", "以 JSON 输出。"))
def totals(path: str, as_json: bool) -> None:
    """Totals, places and money, best first; exit status 2 for what is no such file."""
    try:
        with busy():
            results = from_file(_union(read_json(path)))
            preset = shengji_of(path, results.regulation)
            rows = totals_of(preset, results)
    except BadUnion as error:
        raise malformed(path, error) from error
    if as_json:
        click.echo(json.dumps([told(row) for row in rows], ensure_ascii=False, indent=1))
    else:
        _show(preset, results, rows)


def _union(data: Any) -> Any:
    """The union file, or the one in an answer of the service (`GET …/totals`), perhaps as of an earlier moment."""
    answered = isinstance(data, dict) and "format" not in data and isinstance(data.get("union"), dict)
    return data["union"] if answered else data


def _show(preset: Preset, results: UnionResults, rows: list[UnionRow]) -> None:
    names = {team.id: called(team.id, team.name) for team in results.teams}
    events = list(rows[0].points) if rows else []
    heads = [("rank", "名次"), ("team", "队"), *(EVENTS.get(event, (event, event)) for event in events)]
    shown = table([*heads, ("all", "总分"), ("firsts", "第一"), ("yuan", "奖金（元）"), ("decided by", "区分")])
    for row in rows:
        rank = "-" if row.rank is None else str(row.rank)
        points = (*row.points.values(), row.all)
        figures = (*(str(exact(value)) for value in points), str(row.firsts), str(exact(row.money_fen / FEN)))
        shown.add_row(rank, names[row.team], *figures, _decided(row.decided_by))
    console = screen()
    console.print(shown)
    console.print(say_articles(basis(preset)))


def _decided(by: str | None) -> str:
    if by is None:
        return ""
    if by in _DECIDED:
        return say(*_DECIDED[by])
    place = next(place for place in count(1) if place_name(place) == by)
    return say(f"more {by.replace('_', '-')}", f"第{place}名多")
