"""`pailu adjudicate`: a hand record refereed, trick by trick, with what was broken and by which article."""

from __future__ import annotations

import json
import sys

import click

from shared.cli import guandan_sheet, shengji_sheet
from shared.cli.files import malformed, read_json, regulation_of
from shared.cli.language import choose, say
from shared.contracts.refusal import Language
from shared.rules.adjudication import adjudicate as judge
from shared.rules.adjudication import not_read
from shared.rules.errors import RuleError
from shared.rules.guandan.record import read_record as read_guandan
from shared.rules.guandan.replay import Replayed as Guandan
from shared.rules.guandan.replay import replay_record as replay_guandan
from shared.rules.regulations import AnyPreset, digest
from shared.rules.regulations.preset import Preset
from shared.rules.shengji.replay import Replayed as Shengji
from shared.rules.shengji.replay import replay as replay_shengji

CLEAN, IRREGULAR = 0, 3


@click.command(help=say("Referee a hand record, - for standard input.", "裁定一份牌谱，- 为标准输入。"))
@click.argument("path", metavar=say("RECORD.json", "牌谱.json"))
@click.option("--lang", type=click.Choice(["en", "zh"]), help="English or 中文")
@click.option("--json", "as_json", is_flag=True, help=say("Print JSON.", "以 JSON 输出。"))
def adjudicate(path: str, lang: Language | None, as_json: bool) -> None:
    """Exit status 0 when nothing is wrong, 3 when irregularities were found, 2 for what is no record."""
    if lang is not None:
        choose(lang)
    data = read_json(path)
    preset = regulation_of(path, data)
    try:
        clean = _print_json(preset, data) if as_json else _print_sheet(preset, data)
    except RuleError as error:
        raise malformed(path, error) from error
    if names := ", ".join(not_read(preset, data)):
        click.echo(
            say(f"Not read, since no rule asks for it: {names}", f"以下字段与裁定无关，未读取：{names}"), err=True
        )
    sys.exit(CLEAN if clean else IRREGULAR)


def _print_json(preset: AnyPreset, data: object) -> bool:
    """The answer of `replay`, its basis, the verdict and which values were used; whether nothing is wrong. Raises
    RuleError."""
    found = judge(preset, data)
    click.echo(json.dumps(found.told, ensure_ascii=False, indent=1))
    return not found.findings


def _print_sheet(preset: AnyPreset, data: object) -> bool:
    """The hand as people read it; whether nothing is wrong. Raises RuleError."""
    hand: Shengji | Guandan
    if isinstance(preset, Preset):
        hand = replay_shengji(preset, data)
        sheet = shengji_sheet.sheet(preset, hand)
    else:
        record = read_guandan(preset, data)
        hand = replay_guandan(preset, record)
        sheet = guandan_sheet.sheet(preset, record, hand)
    sheet.articles(hand.basis)
    sheet.line(say("Values: ", "取值：") + f"{preset.name}/{preset.version}, sha256", dim=True)
    sheet.line(f"  {digest(preset)}", dim=True)
    sheet.print()
    return not hand.irregularities
