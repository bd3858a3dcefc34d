"""`pailu import` and `pailu export`: files that other programs write and read."""

from __future__ import annotations

import json
from collections.abc import Sequence

import click

from shared.cli.entries import entries
from shared.cli.files import Malformed, malformed, read_bytes, shengji_of
from shared.cli.language import language, say
from shared.cli.standings import read_competition
from shared.cli.tables import busy
from shared.rules.basis import Text
from shared.rules.errors import BadFile, RuleError
from shared.rules.formats.competition import to_file
from shared.rules.formats.trf import read, regulation_of, written

_FILE = click.argument("path", metavar=say("FILE", "文件"))
DEFAULT = "jimei-2018"
"""The regulation of a report that names none: the one that is played by the Swiss system."""


@click.group("import", help=say("Read a file of another program.", "读入其他软件的文件。"))
def import_() -> None:
    """What other programs write."""


import_.add_command(entries)


@click.group(help=say("Write a file for another program.", "写出供其他软件使用的文件。"))
def export() -> None:
    """What other programs read."""


@import_.command(
    "trf",
    help=say(
        "Turn a FIDE tournament report (TRF16) into a competition file.", "将 FIDE 赛事报告（TRF16）转换为比赛文件。"
    ),
)
@_FILE
@click.option(
    "--regulation",
    metavar=say("NAME", "规程"),
    help=say(
        f"The regulation; default: as the report says, else {DEFAULT}.", f"规程；默认依报告所写，否则 {DEFAULT}。"
    ),
)
@click.option("--encoding", default="utf-8-sig", show_default=True, help=say("Of the report.", "报告的编码。"))
def import_trf(path: str, regulation: str | None, encoding: str) -> None:
    """Prints the competition; exit status 2 for what is no report."""
    text = _text(path, encoding)
    preset = shengji_of(path, regulation or regulation_of(text) or DEFAULT)
    try:
        with busy():
            competition, lost = read(preset, text)
    except BadFile as error:
        raise malformed(path, error) from error
    _say_lost(lost)
    click.echo(json.dumps(to_file(competition), ensure_ascii=False, indent=1))


@export.command(
    "trf",
    help=say(
        "Turn a competition file into a FIDE tournament report (TRF16).", "将比赛文件转换为 FIDE 赛事报告（TRF16）。"
    ),
)
@_FILE
def export_trf(path: str) -> None:
    """Prints the report; exit status 2 for what is no competition file or has results without a code."""
    competition, _ = read_competition(path)
    preset = shengji_of(path, competition.regulation)
    try:
        with busy():
            text, lost = written(preset, competition)
    except RuleError as error:
        raise malformed(path, error) from error
    _say_lost(lost)
    click.echo(text.encode(), nl=False)


def _text(path: str, encoding: str) -> str:
    try:
        return read_bytes(path).decode(encoding)
    except LookupError as error:
        raise click.BadParameter(str(error), param_hint="--encoding") from error
    except UnicodeDecodeError as error:
        before = error.object[: error.start]
        line, column = before.count(b"\n") + 1, error.start - before.rfind(b"\n")
        raise Malformed(
            f"{path}: line {line}, byte {column}: is not {encoding} text; name another with --encoding",
            f"{path}：第 {line} 行第 {column} 字节：不是 {encoding} 文本；可用 --encoding 指定编码",
        ) from error


def _say_lost(lost: Sequence[Text]) -> None:
    """Tell beside the output what could not be carried."""
    if lost:
        zh, en = "、".join(text.zh for text in lost), "; ".join(text.en for text in lost)
        click.echo(f"未能带过：{zh}" if language() == "zh" else f"not carried: {en}", err=True)
