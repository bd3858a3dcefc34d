"""`pailu record`: hand records drawn at random, for tests, demonstrations and benchmarks."""

from __future__ import annotations

import json
from typing import Any

import click

from shared.cli.language import Trouble, say
from shared.rules.errors import RuleError
from shared.rules.guandan import random_hands as guandan
from shared.rules.regulations import AnyPreset, load_any
from shared.rules.regulations.preset import Preset
from shared.rules.shengji import random_hands as shengji


@click.group(help=say("Make hand records.", "生成牌谱。"))
def record() -> None:
    """Hand records."""


@record.command("random", help=say("Complete hands drawn from a seed.", "由种子抽出完整的牌局。"))
@click.option("--regulation", required=True, help=say("A regulation, or a YAML file.", "规程名称或 YAML 文件。"))
@click.option("--seed", type=int, required=True, help=say("The same seed, the same hand.", "种子相同，牌局相同。"))
@click.option("--count", type=click.IntRange(min=1), default=1, help=say("So many, one a line.", "副数，每行一副。"))
@click.option("--breach", help=say("With one breach of this code.", "含一次该代码的违规。"))
def random(regulation: str, seed: int, count: int, breach: str | None) -> None:
    """One record as JSON, or `count` of them, one a line, of the seeds from `seed` on."""
    try:
        preset = load_any(regulation)
        for number in range(seed, seed + count):
            drawn = _drawn(preset, number, breach)
            drawn["regulation"] = regulation
            click.echo(json.dumps(drawn, ensure_ascii=False, indent=1 if count == 1 else None))
    except RuleError as error:
        raise Trouble(error.said.en, error.said.zh) from error


def _drawn(preset: AnyPreset, seed: int, breach: str | None) -> dict[str, Any]:
    if isinstance(preset, Preset):
        return shengji.random_hand(preset, seed, breach).record
    return guandan.random_hand(preset, seed, breach).record
