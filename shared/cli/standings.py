"""`pailu standings`: the table of a competition file, without a server."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import click

from shared.cli.files import malformed, read_json, regulation_of
from shared.cli.language import say
from shared.cli.sheet import say_articles
from shared.cli.tables import Lines, as_many_as_fit, busy, called, screen, table
from shared.rules.basis import Text
from shared.rules.errors import BadCompetition, RuleError
from shared.rules.formats.competition import Competition, from_file
from shared.rules.formats.standings import Row, basis, name_of
from shared.rules.formats.standings import standings as standings_of
from shared.rules.formats.tiebreaks import TieBreak, rules_of
from shared.rules.regulations import AnyPreset
from shared.rules.regulations.preset import Preset

_PROVISIONAL = (
    "provisional: matches are open; they count for nobody, and a last round only when it is over",
    "暂定名次：尚有未结束的场次，均不计；最后一轮打完方计入",
)
_FILE = click.argument("path", metavar=say("FILE", "文件"))
_JSON = click.option("--json", "as_json", is_flag=True, help=say("Print JSON.", "以 JSON 输出。"))


@click.command(help=say("The standings of a competition file.", "由比赛文件计算名次。"))
@_FILE
@click.option("--round", "round_", type=click.IntRange(min=0), help=say("After this round.", "该轮之后的名次。"))
@click.option("--working", is_flag=True, help=say("Show how each total comes about.", "列出总得分算式。"))
@_JSON
def standings(path: str, round_: int | None, working: bool, as_json: bool) -> None:
    """The standings after the finished rounds, or after one of them; exit status 2 for what is no such file."""
    try:
        with busy():
            competition, preset = read_competition(path)
            rows = standings_of(preset, competition, round_)
    except RuleError as error:
        raise malformed(path, error) from error
    if as_json:
        parts = any(row.part for row in rows)
        shown = [({"part": row.part} if parts else {}) | _row(row) for row in rows]
        click.echo(json.dumps(shown, ensure_ascii=False, indent=1))
    else:
        _show_rows(preset, competition, rows, working)


def read_competition(path: str) -> tuple[Competition, AnyPreset]:
    """The competition in a file, and its regulation. Raises Malformed naming the place."""
    data = read_json(path)
    try:
        competition = from_file(data)
    except BadCompetition as error:
        raise malformed(path, error) from error
    return competition, regulation_of(path, data)


def _row(row: Row) -> dict[str, Any]:
    return {
        "rank": row.rank,
        "team": row.team,
        "points": row.points,
        "total": {"fraction": row.total.fraction, "shown": row.total.shown, "working": row.total.working},
        "direct_win": row.direct_win,
        "cumulative": row.cumulative,
        **row.tie_breaks,
        "decided_by": row.decided_by,
        "provisional": row.provisional,
    }


def _show_rows(preset: AnyPreset, competition: Competition, rows: list[Row], working: bool) -> None:
    compared = [] if working else [rule for rule in _rules(preset) if rule.code in _shown(rows)]
    console = screen()
    fitting = as_many_as_fit(console, lambda figures: _table(preset, competition, rows, figures, working), compared)
    console.print(_table(preset, competition, rows, fitting, working))
    if left_out := [rule.name for rule in compared if rule not in fitting]:
        en, zh = ", ".join(name.en for name in left_out), "、".join(name.zh for name in left_out)
        console.print(say(f"too wide to show, see --json: {en}", f"过宽未列，见 --json：{zh}"))
    if any(row.provisional for row in rows):
        console.print(say(*_PROVISIONAL))
    console.print(say_articles(basis(preset, competition.event)))


def _table(
    preset: AnyPreset, competition: Competition, rows: list[Row], figures: Sequence[TieBreak], working: bool
) -> Lines:
    names = {team.id: called(team.id, team.name) for team in competition.teams}
    parts, totals = any(row.part for row in rows), bool(_rules(preset))
    heads = [("part", "组")] * parts + [("rank", "名次"), ("team", "队"), ("points", "积分")]
    heads += [("total", "总得分")] * totals + [(rule.name.en, rule.name.zh) for rule in figures]
    lines = table([*heads, ("decided by", "区分")])
    for row in rows:
        rank = "-" if row.rank is None else str(row.rank)
        total = row.total.working if working else row.total.shown
        own = (str(_shown([row])[rule.code]) for rule in figures)
        by = name_of(preset, row.decided_by) if row.decided_by else Text("", "")
        cells = ([row.part] * parts, rank, names[row.team], str(row.points), [total] * totals, *own, say(by.en, by.zh))
        lines.add_row(*(text for cell in cells for text in ([cell] if isinstance(cell, str) else cell)))
    return lines


def _rules(preset: AnyPreset) -> list[TieBreak]:
    """What is compared; nothing in a competition of brackets."""
    if not isinstance(preset, Preset) or preset.standings.total.value == "bracket":
        return []
    return rules_of(preset)


def _shown(rows: list[Row]) -> dict[str, int | str]:
    """What a line shows of each tie-break that is a number, beside points and total."""
    if not rows:
        return {}
    return {"direct_win": rows[0].direct_win, "cumulative": rows[0].cumulative, **rows[0].tie_breaks}
