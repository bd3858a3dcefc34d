"""`pailu pair`: the next round of a competition file, without a server."""

from __future__ import annotations

import json
from typing import Any

import click
import msgspec
from rich.console import Console

from shared.cli.files import Malformed, malformed, read_json, shengji_of
from shared.cli.language import Trouble, language, say
from shared.cli.tables import called, table
from shared.rules.basis import Text
from shared.rules.errors import PairingRefused, RuleError
from shared.rules.formats.competition import Competition, from_file
from shared.rules.formats.swiss import Barrier, HandPairing, Pairing, pair_by_hand
from shared.rules.formats.swiss import pair as pairing_of


@click.command(help=say("Pair the next round of a competition file.", "编排比赛文件的下一轮。"))
@click.argument("path", metavar=say("FILE", "文件"))
@click.option(
    "--by-hand",
    metavar=say("FILE", "文件"),
    help=say('Check this pairing, {"pairs": [["T01", "T02"]], "bye": null}.', "检查该手工编排。"),
)
@click.option("--json", "as_json", is_flag=True, help=say("Print JSON.", "以 JSON 输出。"))
def pair(path: str, by_hand: str | None, as_json: bool) -> None:
    """The next round; exit status 2 for what is no such file, 1 when no round can be paired from it."""
    try:
        competition = from_file(read_json(path))
        preset, seed = shengji_of(path, competition.regulation), bytes.fromhex(competition.seed)
        hand = _hand(by_hand) if by_hand is not None else None
        paired = pair_by_hand(preset, competition, seed, hand) if hand else pairing_of(preset, competition, seed)
    except PairingRefused as error:
        raise Trouble(error.said.en, error.said.zh) from error
    except RuleError as error:
        raise malformed(path, error) from error
    if as_json:
        click.echo(json.dumps(_pairing(paired), ensure_ascii=False, indent=1))
    else:
        _show(competition, paired)


def _hand(path: str) -> HandPairing:
    """The pairing made by hand in a file. Raises Malformed."""
    data = read_json(path)
    try:
        return msgspec.convert(data, HandPairing)
    except msgspec.ValidationError as error:
        raise Malformed(f"{path}: {error}", f"{path}：{error}") from error


def _pairing(paired: Pairing) -> dict[str, Any]:
    return {
        "round": paired.round,
        "matches": [{"table": match.table, "teams": list(match.teams)} for match in paired.matches],
        "bye": paired.bye,
        "gave_up": list(paired.gave_up),
        "why": [_why(why, proof) for why, proof in zip(paired.why, paired.proofs, strict=True)],
    }


def _why(why: Text, proof: Barrier | None) -> dict[str, Any]:
    said: dict[str, Any] = {"zh": why.zh, "en": why.en}
    if proof is not None:
        said["proof"] = {"without": list(proof.without), "groups": [list(group) for group in proof.groups]}
    return said


def _show(competition: Competition, paired: Pairing) -> None:
    names = {team.id: called(team.id, team.name) for team in competition.teams}
    tables = table([("table", "台"), ("pair 13", "13 方"), ("pair 24", "24 方")])
    for match in paired.matches:
        tables.add_row(str(match.table), *(names[team] for team in match.teams))
    console = Console(highlight=False)
    console.print(say(f"Round {paired.round}", f"第 {paired.round} 轮"))
    console.print(tables)
    if paired.bye is not None:
        console.print(say(f"bye: {names[paired.bye]}", f"轮空：{names[paired.bye]}"))
    for why in paired.why:
        console.print(why.zh if language() == "zh" else why.en)
