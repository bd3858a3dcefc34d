"""`pailu pair`: the next round of a competition file, or one that was paired repeated, without a server."""

from __future__ import annotations

import json
from typing import Any

import click
import msgspec

from shared.cli.files import Malformed, malformed, read_json, regulation_of
from shared.cli.language import Trouble, language, say
from shared.cli.tables import busy, called, screen, table
from shared.rules.basis import Text
from shared.rules.errors import DrawRefused, PairingRefused, RuleError
from shared.rules.formats import pairing_file
from shared.rules.formats.competition import Competition, from_file
from shared.rules.formats.course import CourseMatch, CourseRound, next_round
from shared.rules.formats.course.tables import of_swiss
from shared.rules.formats.pairing_file import Repeated
from shared.rules.formats.stages import stages_of
from shared.rules.formats.swiss import Barrier, HandPairing, pair_by_hand
from shared.rules.formats.swiss import pair as pair_swiss
from shared.rules.regulations import AnyPreset
from shared.rules.regulations.preset import Preset
from shared.rules.regulations.reference import resolve_any


@click.command(help=say("Pair the next round of a competition file.", "编排比赛文件的下一轮。"))
@click.argument("path", metavar=say("FILE", "文件"))
@click.option(
    "--by-hand",
    metavar=say("FILE", "文件"),
    help=say('Check this pairing, {"pairs": [["T01", "T02"]], "bye": null}.', "检查该手工编排。"),
)
@click.option(
    "--from-event",
    is_flag=True,
    help=say(
        "FILE is a pairing with its inputs (pailu-pairing/1): pair the round again and compare.",
        "文件为编排及其依据（pailu-pairing/1）：重新编排并核对。",
    ),
)
@click.option("--json", "as_json", is_flag=True, help=say("Print JSON.", "以 JSON 输出。"))
def pair(path: str, by_hand: str | None, from_event: bool, as_json: bool) -> None:
    """The next round; exit status 2 for what is no such file, 1 when no round can be paired from it, or when it comes
    out otherwise than the event says."""
    if from_event:
        if by_hand is not None:
            raise click.UsageError(say("--from-event takes no --by-hand", "--from-event 不能与 --by-hand 同用"))
        _repeat(path, as_json)
        return
    try:
        with busy():
            data = read_json(path)
            competition, preset = from_file(data), regulation_of(path, data)
            paired = _paired(preset, competition, _hand(by_hand) if by_hand is not None else None)
    except (PairingRefused, DrawRefused) as error:
        raise Trouble(error.said.en, error.said.zh) from error
    except RuleError as error:
        raise malformed(path, error) from error
    if as_json:
        click.echo(json.dumps(round_as_json(paired), ensure_ascii=False, indent=1))
    else:
        _show(competition, paired)


def _repeat(path: str, as_json: bool) -> None:
    """Pair the round of an event again; exit status 1 where that is not what the event says."""
    try:
        with busy():
            file, competition = pairing_file.from_file(read_json(path))
            found = pairing_file.repeated(resolve_any(file.regulation, file.changes), file, competition)
    except (PairingRefused, DrawRefused) as error:
        raise Trouble(error.said.en, error.said.zh) from error
    except RuleError as error:
        raise malformed(path, error) from error
    if as_json:
        said = {"repeated": found.holds, "round": file.paired.round, "differs": list(found.differs)}
        click.echo(json.dumps(said | {"inputs": found.inputs}))
    else:
        _show_repeated(file.paired.round, found)
    if not found.holds:
        raise SystemExit(1)


def _show_repeated(number: int, found: Repeated) -> None:
    if found.differs:
        fields = ", ".join(found.differs)
        en, zh = f"round {number} comes out otherwise in: {fields}", f"第 {number} 轮重新编排的结果不同：{fields}"
        click.echo(say(en, zh))
    click.echo(say(*_INPUTS[found.inputs]))
    if found.holds:
        click.echo(say(f"repeated: round {number} is paired the same", f"核验通过：第 {number} 轮编排相同"))


_INPUTS = {
    "same": ("the inputs are those that the event names", "依据与事件所记一致"),
    "other": ("the inputs are not those that the event names", "依据与事件所记不符"),
    "not_said": ("the event does not say which inputs it had", "事件未记录其依据"),
}


def _paired(preset: AnyPreset, competition: Competition, hand: HandPairing | None) -> CourseRound:
    """The next round, in a Swiss also one more than its regulation plans. Raises what the rules raise."""
    stage = stages_of(preset, len(competition.teams), competition.event)[0]
    if stage.format != "swiss" or not isinstance(preset, Preset):
        if hand is not None:
            raise PairingRefused("bad_pairing", "only a Swiss round is paired by hand", "只有瑞士制可手工编排")
        return next_round(preset, competition)
    seed = bytes.fromhex(competition.seed)
    found = pair_by_hand(preset, competition, seed, hand) if hand else pair_swiss(preset, competition, seed)
    return of_swiss(preset, stage.code, found, len(competition.teams))


def _hand(path: str) -> HandPairing:
    """The pairing made by hand in a file. Raises Malformed."""
    data = read_json(path)
    try:
        return msgspec.convert(data, HandPairing)
    except msgspec.ValidationError as error:
        raise Malformed(f"{path}: {error}", f"{path}：{error}") from error


def round_as_json(paired: CourseRound) -> dict[str, Any]:
    """A round as RECORDS has it; of a bracket also the stage, each match's part, game and minutes, and all who rest."""
    said: dict[str, Any] = {
        "round": paired.number,
        "matches": [_match(match) for match in paired.matches],
        "bye": paired.byes[0] if len(paired.byes) == 1 else None,
        "gave_up": list(paired.gave_up),
        "why": [_why(why, proof) for why, proof in zip(paired.why, paired.proofs, strict=True)],
    }
    if any(match.game for match in paired.matches):
        said |= {"stage": paired.stage, "byes": list(paired.byes)}
    return said


def _match(match: CourseMatch) -> dict[str, Any]:
    said: dict[str, Any] = {"table": match.table, "teams": list(match.teams)}
    if match.game:
        name = {"zh": match.name.zh, "en": match.name.en}
        said |= {"part": match.part, "game": match.game, "name": name, "minutes": match.terms.minutes}
    return said


def _why(why: Text, proof: Barrier | None) -> dict[str, Any]:
    said: dict[str, Any] = {"zh": why.zh, "en": why.en}
    if proof is not None:
        said["proof"] = {"without": list(proof.without), "groups": [list(group) for group in proof.groups]}
    return said


def _show(competition: Competition, paired: CourseRound) -> None:
    names = {team.id: called(team.id, team.name) for team in competition.teams}
    bracket = any(match.game for match in paired.matches)
    what = [("", ""), ("minutes", "分钟")] if bracket else []
    tables = table([("table", "台"), *what, ("pair 13", "13 方"), ("pair 24", "24 方")])
    for match in paired.matches:
        minutes = say("untimed", "不计时") if match.terms.minutes is None else str(match.terms.minutes)
        more = [f"{match.part} {say(match.name.en, match.name.zh)}".strip(), minutes] if bracket else []
        tables.add_row(str(match.table), *more, *(names[team] for team in match.teams))
    console = screen()
    console.print(say(f"Round {paired.number}", f"第 {paired.number} 轮"))
    console.print(tables)
    if paired.byes:
        resting = say(", ", "、").join(names[team] for team in paired.byes)
        console.print(say(f"bye: {resting}", f"轮空：{resting}"))
    for why in paired.why:
        console.print(why.zh if language() == "zh" else why.en)
