"""`pailu demo`: one competition from its announcement to its rebuilt read models, over HTTP, in half a minute."""

from __future__ import annotations

import sys
import time

import click
from rich.console import Console

from deploy.demo.client import Client
from deploy.demo.failure import Failed
from deploy.demo.many import ManyServers
from deploy.demo.plan import draw_seed
from deploy.demo.server import Server
from deploy.demo.show import WIDTH, Show
from deploy.demo.stage import REGULATION, Stage
from deploy.demo.story import tell
from deploy.endings import as_ctrl_c
from shared.cli.language import choose, say
from shared.contracts.refusal import Language
from shared.rules.regulations import load

INTERRUPTED = 130


@click.command(
    help=say(
        "Play the 集美 2018 competition from entry to appeal on a server of its own, and check every step. Leaves "
        "nothing behind. Exit status 0: every step gave what it should.",
        "在临时服务上演示 2018 集美升级赛：从报名到申诉，逐步核对；结束后不留任何数据。退出码 0 表示各步均符合预期。",
    )
)
@click.option("--lang", type=click.Choice(["en", "zh"]), help=say("English or 中文.", "语言。"))
@click.option(
    "--seed",
    default="2018",
    show_default="2018",
    metavar=say("TEXT", "文字"),
    help=say("Another text makes another competition.", "换一个种子，换一场比赛。"),
)
@click.option(
    "--event-log",
    type=click.Choice(["mongo", "kafka"]),
    default="mongo",
    show_default=True,
    help=say(
        "kafka: as eight processes over an Apache Kafka of its own, two of which are killed on the way.",
        "kafka：以八个进程运行于临时 Kafka 之上，途中强制终止其中两个。",
    ),
)
def demo(lang: Language | None, seed: str, event_log: str) -> None:
    """Start a server, tell the story, stop the server."""
    if lang is not None:
        choose(lang)
    as_ctrl_c()
    usual = Console()
    console = Console(width=min(usual.width, WIDTH), highlight=False)
    show = Show(console)
    try:
        _play(show, seed, ManyServers if event_log == "kafka" else Server)
    except Failed as failed:
        _explain(show, failed)
        sys.exit(1)
    except KeyboardInterrupt:
        click.echo(say("Interrupted; nothing is left behind.", "已中断，没有留下任何数据。"), err=True)
        sys.exit(INTERRUPTED)


def _play(show: Show, seed: str, servers: type[Server | ManyServers]) -> None:
    began = time.monotonic()
    many = servers is ManyServers
    show.title(
        say("Pailu 牌录: the 集美 2018 competition", "牌录：2018 集美升级赛"),
        say(
            "On eight processes and a Kafka, over HTTP.  ✓ done  ✗ refused as must be  = checked"
            if many
            else "On a server of its own, over HTTP.  ✓ done  ✗ refused as it must be  = checked",
            "以八个进程运行于 Kafka 之上，只经 HTTP 访问。  ✓ 完成  ✗ 依规拒绝  = 核对"
            if many
            else "在临时服务上进行，只经 HTTP 访问。  ✓ 完成  ✗ 依规拒绝  = 本机核对",
        ),
    )
    with show.progress(), servers(draw_seed(seed)) as server:
        client = Client(server.urls, server.token_secret, show.tick, server.patience)
        try:
            _tell(Stage(client=client, show=show, preset=load(REGULATION), seed=seed, kills=server.kills))
        except Failed as failed:
            failed.errors = server.errors()
            raise
        finally:
            client.close()
        show.begin(say("All as it should be", "一切符合预期"))
        seconds = time.monotonic() - began
        show.line(
            say(
                f"{client.asked} requests in {seconds:.0f} s, each with the answer it should have. The server stops, "
                "its data is removed.",
                f"{seconds:.0f} 秒内 {client.asked} 个请求，应答均符合预期。服务停止，数据清除。",
            )
        )


def _tell(stage: Stage) -> None:
    """The story; an answer without what it should hold fails its step too."""
    try:
        tell(stage)
    except (LookupError, TypeError, ValueError, StopIteration) as error:
        raise Failed(stage.client.last, say("an answer that can be read", "可读的应答"), repr(error)) from error


def _explain(show: Show, failed: Failed) -> None:
    """Which step, what was expected, what came."""
    click.echo(
        say(
            f"\nNot as it should be, in “{show.act}”.\n  step      {failed.what}\n  expected  {failed.expected!r}\n"
            f"  came      {failed.came!r}",
            f"\n“{show.act}”不符合预期。\n  步骤  {failed.what}\n  应为  {failed.expected!r}\n  实为  {failed.came!r}",
        ),
        err=True,
    )
    for error in failed.errors:
        click.echo(error, err=True)
