"""`pailu awards`: who is given what, from a competition file or a union file, without a server."""

from __future__ import annotations

import json
from typing import Any

import click

from shared.cli.files import malformed, read_json, regulation_of, shengji_of
from shared.cli.language import Trouble, say
from shared.cli.sheet import say_articles
from shared.cli.tables import busy, called, screen, table
from shared.cli.totals import EVENTS
from shared.rules.errors import LotNeeded, PlacesOpen, RuleError
from shared.rules.formats import competition, union
from shared.rules.formats.exact import exact
from shared.rules.formats.prizes import TEAMS, Given, basis, prize_list, union_prizes
from shared.rules.formats.totals import FEN
from shared.rules.regulations import AnyPreset

Names = dict[str, str]


@click.command(help=say("The prizes of a competition file or a union file.", "由比赛或团体成绩文件列出奖项与奖金。"))
@click.argument("path", metavar=say("FILE", "文件"))
@click.option("--json", "as_json", is_flag=True, help=say("Print JSON.", "以 JSON 输出。"))
def awards(path: str, as_json: bool) -> None:
    """Who is given what; exit status 2 for what is no such file, 1 while places are open or a lot is needed."""
    try:
        with busy():
            preset, given, names = _given(path, read_json(path))
    except (LotNeeded, PlacesOpen) as error:
        raise Trouble(error.said.en, error.said.zh) from error
    except RuleError as error:
        raise malformed(path, error) from error
    if as_json:
        click.echo(json.dumps([_row(one) for one in given], ensure_ascii=False, indent=1))
    else:
        _show(preset, given, names)


def _given(path: str, data: Any) -> tuple[AnyPreset, list[Given], Names]:
    if isinstance(data, dict) and data.get("format") == union.FORMAT:
        results = union.from_file(data)
        shengji = shengji_of(path, results.regulation)
        return shengji, union_prizes(shengji, results), {team.id: called(team.id, team.name) for team in results.teams}
    played = competition.from_file(data)
    preset = regulation_of(path, data)
    return preset, prize_list(preset, played), {team.id: called(team.id, team.name) for team in played.teams}


def _row(one: Given) -> dict[str, Any]:
    return {
        "event": one.event,
        "part": one.part,
        "place": one.place,
        "to_place": one.to_place,
        "team": one.team,
        "prizes": [{"zh": prize.zh, "en": prize.en} for prize in one.prizes],
        "money_yuan": exact(one.money_fen / FEN),
        "paid_fen": one.paid_fen,
    }


def _show(preset: AnyPreset, given: list[Given], names: Names) -> None:
    events, parts = any(one.event for one in given), any(one.part for one in given)
    money, prizes = any(one.paid_fen for one in given), any(one.prizes for one in given)
    heads = {
        ("event", "项目"): events,
        ("part", "组"): parts,
        ("place", "名次"): True,
        ("team", "队"): True,
        ("prizes", "奖项"): prizes,
        ("yuan", "奖金（元）"): money,
        ("paid", "实发（元）"): money,
    }
    lines = table([head for head, is_shown in heads.items() if is_shown])
    for one in given:
        cells = (
            say(*NAMES.get(one.event or "", ("", ""))),
            one.part or "",
            _place(one),
            names[one.team],
            say(", ", "、").join(say(prize.en, prize.zh) for prize in one.prizes),
            str(exact(one.money_fen / FEN)) if one.paid_fen else "",
            f"{one.paid_fen // FEN}.{one.paid_fen % FEN:02d}" if one.paid_fen else "",
        )
        lines.add_row(*(cell for cell, is_shown in zip(cells, heads.values(), strict=True) if is_shown))
    console = screen()
    console.print(lines)
    console.print(say_articles(basis(preset)))


NAMES = {**EVENTS, TEAMS: ("teams", "团体")}


def _place(one: Given) -> str:
    if one.place is None:
        return "-"
    return str(one.place) if one.place == one.to_place else f"{one.place}–{one.to_place}"
