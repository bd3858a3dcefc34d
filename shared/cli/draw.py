"""`pailu draw` and `pailu draw verify`: a draw made, and a published one repeated, without a server."""

from __future__ import annotations

import json
from typing import Any

import click

from shared.cli.files import malformed, read_json, regulation_of
from shared.cli.language import Trouble, say
from shared.cli.tables import busy, called, screen, table
from shared.rules.errors import DrawRefused, RuleError
from shared.rules.formats import draw_file
from shared.rules.formats.arrange import NotKept
from shared.rules.formats.draw_file import DrawFile, Verified
from shared.rules.formats.drawing import StageDraw
from shared.rules.formats.draws import commitment

_FILE = click.argument("path", metavar=say("FILE", "文件"))
_JSON = click.option("--json", "as_json", is_flag=True, help=say("Print JSON.", "以 JSON 输出。"))


class _FileOrCommand(click.Group):
    """A first word that is no subcommand is the file to draw."""

    def resolve_command(
        self, context: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] in self.commands:
            return super().resolve_command(context, args)
        return "draw", make, args

    def parse_args(self, context: click.Context, args: list[str]) -> list[str]:
        """Options of the drawing may stand before the file."""
        if args and args[0] == "--json":
            args = [*args[1:], args[0]]
        return super().parse_args(context, args)


@click.group(
    cls=_FileOrCommand,
    subcommand_metavar=say("FILE [--json] | verify FILE [--json]", "文件 [--json] | verify 文件 [--json]"),
    help=say(
        "Draw a stage from a committed seed, or repeat a published draw.", "由承诺的种子抽签，或核验已公布的抽签。"
    ),
)
def draw() -> None:
    """Draws."""


@click.command("draw", help=say("Draw a stage.", "抽签。"))
@_FILE
@_JSON
def make(path: str, as_json: bool) -> None:
    """The draw; exit status 2 for what is no such file, 1 when no draw can be made from it."""
    try:
        with busy():
            data = read_json(path)
            drawn = draw_file.from_file(data)
            result = draw_file.made(regulation_of(path, data), drawn)
    except DrawRefused as error:
        raise Trouble(error.said.en, error.said.zh) from error
    except RuleError as error:
        raise malformed(path, error) from error
    if as_json:
        click.echo(json.dumps(_drawn(drawn, result), ensure_ascii=False, indent=1))
    else:
        _show(drawn, result)


@draw.command("verify", help=say("Repeat a published draw from its own data.", "由公布的数据重做抽签并核对。"))
@_FILE
@_JSON
def verify(path: str, as_json: bool) -> None:
    """Exit status 0 when the draw holds, 1 when it does not, 2 for what is no such file."""
    try:
        with busy():
            data = read_json(path)
            found = draw_file.verified(regulation_of(path, data), draw_file.from_file(data))
    except DrawRefused as error:
        raise Trouble(error.said.en, error.said.zh) from error
    except RuleError as error:
        raise malformed(path, error) from error
    if as_json:
        said = {"verified": found.holds, "findings": list(found.findings)}
        click.echo(json.dumps(said | {"differs": {part: list(seats) for part, seats in found.differs.items()}}))
    else:
        _show_verified(found)
    if not found.holds:
        raise SystemExit(1)


def _drawn(drawn: DrawFile, result: StageDraw) -> dict[str, Any]:
    """The draw in the shape of the file, so that what is published can be verified."""
    by_hand = bool(result.witness)
    return {
        "format": draw_file.FORMAT,
        "regulation": drawn.regulation,
        "name": drawn.name,
        "stage": result.stage,
        "event": drawn.event,
        "commitment": "" if by_hand else drawn.commitment or commitment(bytes.fromhex(drawn.seed)),
        "seed": "" if by_hand else drawn.seed,
        "teams": [_team(drawn, index) for index in range(len(drawn.teams))],
        "parts": {part: list(seats) for part, seats in result.parts.items()},
        "witness": result.witness,
        "not_kept": [_not_kept(row) for row in result.not_kept],
    }


def _team(drawn: DrawFile, index: int) -> dict[str, Any]:
    team = drawn.teams[index]
    return {"id": team.id, "name": team.name, "unit": team.unit} | ({"seed": team.seed} if team.seed else {})


def _not_kept(row: NotKept) -> dict[str, Any]:
    return {"unit": row.unit, "teams": list(row.teams), "part": row.part, "block": row.block}


def _show(drawn: DrawFile, result: StageDraw) -> None:
    console = screen()
    names = {team.id: called(team.id, team.name) for team in drawn.teams}
    units = {team.id: team.unit for team in drawn.teams}
    for part, seats in result.parts.items():
        if part:
            console.print(say(f"Part {part}", f"{part} 区"))
        rows = table([("place", "签位"), ("team", "队"), ("unit", "单位")])
        for place, team in enumerate(seats, 1):
            rows.add_row(str(place), names[team] if team else say("bye", "轮空"), units[team] if team else "")
        console.print(rows)
    for kept in result.not_kept:
        teams = say(", ", "、").join(kept.teams)
        if kept.block:
            en = f"not kept apart: {teams} of {kept.unit}, in {kept.block} neighbouring places"
            console.print(say(en, f"未能回避：{kept.unit} 的 {teams} 在相邻 {kept.block} 个签位内"))
        else:
            en = f"not kept apart: {teams} of {kept.unit}, in one part"
            console.print(say(en, f"未能回避：{kept.unit} 的 {teams} 在同一区"))
    if result.witness:
        console.print(say(f"drawn in the hall, witness: {result.witness}", f"现场抽签，见证人：{result.witness}"))
    else:
        committed = drawn.commitment or commitment(bytes.fromhex(drawn.seed))
        console.print(say(f"commitment (sha256 of the seed): {committed}", f"承诺值（种子的 sha256）：{committed}"))


_FINDINGS = {
    "not_committed": ("the seed is not the one whose commitment was published", "种子与公布的承诺值不符"),
    "no_commitment": ("no commitment was published", "没有公布承诺值"),
    "another_draw": ("the seed gives another draw", "由种子得到的抽签结果不同"),
    "no_parts": ("no result was published", "没有公布抽签结果"),
    "by_hand": (
        "lots drawn in the hall cannot be repeated; they rest on their witness",
        "现场抽签无法重做，以见证人为准",
    ),
}


def _show_verified(found: Verified) -> None:
    for finding in found.findings:
        click.echo(say(*_FINDINGS[finding]))
    for part, seats in found.differs.items():
        places = ", ".join(map(str, seats))
        click.echo(say(f"part {part or '-'}: places {places}", f"{part or '-'} 区：签位 {places}"))
    if found.holds:
        click.echo(say("verified: the published data lead to this draw", "核验通过：由公布的数据得到同一结果"))
