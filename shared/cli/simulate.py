"""`pailu simulate`: a whole competition with random legal play, without a server."""

from __future__ import annotations

import json
from typing import Any

import click

from shared.cli.language import Trouble, say
from shared.cli.pair import round_as_json
from shared.cli.tables import called, progress, screen, table
from shared.rules.errors import RuleError
from shared.rules.formats.competition import Competition, to_file
from shared.rules.formats.simulation import Ended, Mishaps, Simulated, ended
from shared.rules.formats.simulation import simulate as simulated
from shared.rules.formats.stages import CARDS
from shared.rules.regulations import AnyPreset, load_any


@click.command(help=say("Play a whole competition at random.", "随机模拟一场完整的比赛。"))
@click.argument("regulation", metavar=say("REGULATION", "规程"))
@click.option("--teams", type=click.IntRange(min=2), required=True, help=say("So many teams.", "队数。"))
@click.option("--seed", type=click.IntRange(min=0), required=True, help=say("The same seed, the same.", "种子。"))
@click.option("--event", default=CARDS, help=say("Another event, as xiangqi.", "其他项目，如 xiangqi。"))
@click.option("--forfeits", type=click.IntRange(min=0), default=0, help=say("One match in N.", "每 N 场有一场弃权。"))
@click.option("--withdrawals", type=click.IntRange(min=0), default=0, help=say("One in N.", "每 N 队次有一队退出。"))
@click.option("--json", "as_json", is_flag=True, help=say("Print JSON.", "以 JSON 输出。"))
def simulate(
    regulation: str, teams: int, seed: int, event: str, forfeits: int, withdrawals: int, as_json: bool
) -> None:
    """Rounds, places and the competition file. Hands are summaries drawn at random, not played card by card."""
    mishaps = Mishaps(forfeits=forfeits, withdrawals=withdrawals)
    try:
        preset = load_any(regulation)
        with progress() as bar:
            task = bar.add_task(say("playing", "模拟"), total=None)
            done = simulated(
                preset,
                teams,
                seed.to_bytes(16, "big"),
                mishaps,
                event,
                lambda paired: bar.update(task, description=say(f"round {paired.number}", f"第 {paired.number} 轮")),
            )
    except RuleError as error:
        raise Trouble(error.said.en, error.said.zh) from error
    if as_json:
        click.echo(json.dumps(_as_json(preset, regulation, done), ensure_ascii=False, indent=1))
    else:
        _show(preset, done)


def _as_json(preset: AnyPreset, regulation: str, done: Simulated) -> dict[str, Any]:
    rows = ended(preset, done)
    return {
        "regulation": regulation,
        "rounds": [round_as_json(paired) for paired in done.rounds],
        "standings": [_standing(row) for row in rows],
        "awards": [{"part": row.part, "place": row.rank, "team": row.team} for row in rows if row.awarded],
        "competition": as_file(done.competition, regulation),
    }


def as_file(competition: Competition, regulation: str) -> dict[str, Any]:
    """The competition as a file that `pailu standings` and `pailu pair` read."""
    return to_file(competition) | {"regulation": regulation}


def _standing(row: Ended) -> dict[str, Any]:
    said: dict[str, Any] = {"part": row.part, "rank": row.rank, "team": row.team}
    return said if row.points is None else said | {"points": row.points}


def _show(preset: AnyPreset, done: Simulated) -> None:
    console = screen()
    names = {team.id: called(team.id, team.name) for team in done.competition.teams}
    for paired, round_ in zip(done.rounds, done.competition.rounds, strict=True):
        console.print(say(f"Round {paired.number}", f"第 {paired.number} 轮"))
        rows = table([("table", "台"), ("", ""), ("pair 13", "13 方"), ("pair 24", "24 方"), ("result", "比分")])
        for match, played in zip(paired.matches, round_.matches, strict=True):
            score = "–".join(map(str, played.points or ()))
            what = say(match.name.en, match.name.zh)
            rows.add_row(
                str(match.table), f"{match.part} {what}".strip(), *(names[team] for team in match.teams), score
            )
        console.print(rows)
        if paired.byes:
            resting = say(", ", "、").join(names[team] for team in paired.byes)
            console.print(say(f"without a match: {resting}", f"轮空：{resting}"))
    final = table([("part", "区"), ("rank", "名次"), ("team", "队"), ("awarded", "录取")])
    for row in ended(preset, done):
        final.add_row(row.part, str(row.rank or "-"), names[row.team], "✓" if row.awarded else "")
    console.print(say("Final places", "最终名次"))
    console.print(final)
