"""`pailu regulations`: what Pailu knows by heart, with the article behind every value."""

from __future__ import annotations

import json
import sys
from collections import Counter

import click

from shared.cli.language import Trouble, language, say
from shared.rules.errors import BadRegulation, UnknownRegulation
from shared.rules.regulations import AnyPreset, Described, all_names, describe, digest, load_any
from shared.rules.regulations.cautions import cautions
from shared.rules.regulations.changes import overrides

MARKS = {
    "stated": ("", ""),
    "read": ("read: the text can be read two ways", "理解：条文有两种读法"),
    "assumed": ("assumed: the text is silent", "约定：条文未规定"),
}

CHANGED = ("changed by the organiser", "主办方改定")


@click.group(help=say("Show the regulations that come with Pailu.", "查看内置的竞赛规程。"))
def regulations() -> None:
    """The regulations."""


@regulations.command("list", help=say("One line a regulation.", "每行一个规程。"))
def listed() -> None:
    """One line a regulation."""
    for name in all_names():
        preset = load_any(name)
        click.echo(f"{name}  {_title(preset)}")


@regulations.command(
    help=say("Every value with its article; NAME may be a YAML file.", "各项取值及其条文；名称也可以是 YAML 文件。")
)
@click.argument("name", metavar=say("NAME", "名称"))
def show(name: str) -> None:
    """Every value with its article."""
    preset = _load(name)
    click.echo(f"{preset.name}/{preset.version}  {_title(preset)}")
    click.echo(f"sha256 {digest(preset)}")
    section = ""
    for row in describe(preset):
        if row.key.partition(".")[0] != section:
            section = row.key.partition(".")[0]
            click.echo()
        click.secho(f"{row.key} = {_plain(row.value)}", bold=True)
        mark = say(*CHANGED) if row.changed else say(*MARKS[row.mark])
        click.echo("    " + "  ".join(part for part in (say(row.en, row.zh), f"[{row.article}]", mark) if part))
        if row.quote:
            click.echo("    " + (say("the text says: ", "条文原文：") if row.changed else "") + f"“{row.quote}”")
    _caution(preset)


@regulations.command(
    help=say("What two regulations say differently; each may be a YAML file.", "两个规程的不同之处；均可为 YAML 文件。")
)
@click.argument("first", metavar=say("FIRST", "规程一"))
@click.argument("second", metavar=say("SECOND", "规程二"))
def diff(first: str, second: str) -> None:
    """Every key whose value differs, with both values and articles. Exit status 1 when anything differs."""
    one, two = ({row.key: row for row in describe(_load(name))} for name in (first, second))
    differing = [key for key in dict.fromkeys((*one, *two)) if _value(one.get(key)) != _value(two.get(key))]
    for key in differing:
        row = one.get(key) or two[key]
        click.secho(f"{key}  {say(row.en, row.zh)}", bold=True)
        click.echo(f"  - {_said(one.get(key))}\n  + {_said(two.get(key))}")
    if differing:
        sys.exit(1)


@regulations.command(
    help=say("Whether a YAML file is a regulation that can be used.", "检查 YAML 文件是否为可用的规程。")
)
@click.argument("path", metavar=say("FILE", "文件"))
def check(path: str) -> None:
    """Say what is wrong with a file, with its line and what is allowed there; exit status 1 when it cannot be used."""
    preset = _load(path)
    marks = Counter[str](row.mark for row in describe(preset) if not row.changed)
    counted = ", ".join(f"{marks[mark]} {mark}" for mark in MARKS)
    counted_zh = f"明文 {marks['stated']} 项，理解 {marks['read']} 项，约定 {marks['assumed']} 项"
    click.echo(say(f"{path} can be used: {counted}", f"{path} 可用：{counted_zh}"))
    own = ", ".join(overrides(preset))
    if own:
        click.echo(say(f"changed by the organiser: {own}", f"主办方改定：{own}"))
    _caution(preset)


def _load(name: str) -> AnyPreset:
    try:
        return load_any(name)
    except (UnknownRegulation, BadRegulation) as error:
        raise Trouble(error.said.en, error.said.zh) from error


def _caution(preset: AnyPreset) -> None:
    for caution in cautions(preset):
        click.secho(say("note: ", "提示：") + f"{say(caution.said.en, caution.said.zh)} [{caution.article}]", err=True)


def _value(row: Described | None) -> tuple[object, ...]:
    """What `diff` compares: the value alone, and whether there is one."""
    return () if row is None else (row.value,)


def _said(row: Described | None) -> str:
    """A value with its article."""
    return say("not there", "无此项") if row is None else f"{_plain(row.value)}  [{row.article}]"


def _plain(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _title(preset: AnyPreset) -> str:
    return preset.title.zh if language() == "zh" else preset.title.en
