"""`pailu adjudicate`: a hand record refereed, trick by trick, with what was broken and by which article."""

from __future__ import annotations

import json
import sys
from typing import Any

import click

from shared.cli import guandan_sheet, shengji_sheet
from shared.cli.files import malformed, read_json, regulation_of
from shared.cli.language import choose, say
from shared.cli.sheet import Sheet
from shared.contracts.refusal import Language
from shared.rules.basis import Basis
from shared.rules.errors import RuleError
from shared.rules.guandan.ask import replay_answer
from shared.rules.guandan.record import read_record as read_guandan
from shared.rules.guandan.replay import replay_record as replay_guandan
from shared.rules.regulations import AnyPreset
from shared.rules.regulations.preset import Preset
from shared.rules.shengji.replay import replay as replay_shengji
from shared.rules.shengji.told import replayed_told

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
        told, bases, sheet = _judged(preset, data)
    except RuleError as error:
        raise malformed(path, error) from error
    if as_json:
        told["basis"] = [{"article": basis.article, "mark": basis.mark} for basis in bases]
        click.echo(json.dumps(told, ensure_ascii=False, indent=1))
    else:
        sheet.articles(bases)
        sheet.print()
    sys.exit(IRREGULAR if told["irregularities"] else CLEAN)


def _judged(preset: AnyPreset, data: object) -> tuple[dict[str, Any], tuple[Basis, ...], Sheet]:
    """The answer of `replay`, what it rests on, and the sheet for a person. Raises RuleError."""
    if isinstance(preset, Preset):
        replayed = replay_shengji(preset, data)
        return replayed_told(replayed), replayed.basis, shengji_sheet.sheet(preset, replayed)
    record = read_guandan(preset, data)
    hand = replay_guandan(preset, record)
    return replay_answer(hand), hand.basis, guandan_sheet.sheet(preset, record, hand)
