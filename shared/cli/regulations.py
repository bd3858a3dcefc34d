"""`pailu regulations`: what Pailu knows by heart, with the article behind every value."""

from __future__ import annotations

import json

import click

from shared.cli.language import Trouble, language, say
from shared.rules.errors import BadRegulation, UnknownRegulation
from shared.rules.regulations import describe, load, names
from shared.rules.regulations.preset import Preset

MARKS = {
    "stated": ("", ""),
    "read": ("read: the text can be read two ways", "理解：条文有两种读法"),
    "assumed": ("assumed: the text is silent", "约定：条文未规定"),
}


@click.group(help=say("Show the regulations that come with Pailu.", "查看内置的竞赛规程。"))
def regulations() -> None:
    """The regulations."""


@regulations.command("list", help=say("One line a regulation.", "每行一个规程。"))
def listed() -> None:
    """One line a regulation."""
    for name in names():
        preset = load(name)
        click.echo(f"{name}  {_title(preset)}")


@regulations.command(
    help=say("Every value with its article; NAME may be a YAML file.", "各项取值及其条文；名称也可以是 YAML 文件。")
)
@click.argument("name", metavar=say("NAME", "名称"))
def show(name: str) -> None:
    """Every value with its article."""
    try:
        preset = load(name)
    except (UnknownRegulation, BadRegulation) as error:
        raise Trouble(str(error), str(error)) from error
    click.echo(f"{preset.name}/{preset.version}  {_title(preset)}")
    click.echo(f"sha256 {preset.digest}")
    section = ""
    for row in describe(preset):
        if row.key.partition(".")[0] != section:
            section = row.key.partition(".")[0]
            click.echo()
        name_of_value = row.zh if language() == "zh" else row.en
        click.secho(f"{row.key} = {json.dumps(row.value, ensure_ascii=False)}", bold=True)
        mark = say(*MARKS[row.mark])
        click.echo("    " + "  ".join(part for part in (name_of_value, f"[{row.article}]", mark) if part))
        if row.quote:
            click.echo(f"    “{row.quote}”")


def _title(preset: Preset) -> str:
    return preset.title.zh if language() == "zh" else preset.title.en
