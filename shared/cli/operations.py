"""What an operator asks of a running Pailu: `pailu rebuild` and `pailu parked`."""

from __future__ import annotations

import time
from typing import Any

import click

from shared.cli.client import Client
from shared.cli.language import Trouble, say
from shared.cli.settings import load

SERVICES = ("registration", "match", "ranking", "appeals")
PATIENCE = 600.0
"""Seconds `pailu rebuild` watches a rebuild, which goes on without it."""


@click.command(
    help=say(
        "Build a service's read models anew from the log, beside the live ones, and swap them in.",
        "由事件日志重建一个服务的读模型：先在旁边建好，再整体切换，读者不受影响。",
    )
)
@click.argument("service", type=click.Choice(SERVICES), metavar=say("SERVICE", "服务"))
def rebuild(service: str) -> None:
    """Ask for a rebuild and wait for the swap."""
    client = Client(load())
    before = _generation(client, service, "live")
    number = client.post(f"/{service}/projection/rebuilds")["generation"]
    deadline = time.monotonic() + PATIENCE
    while client.get(f"/{service}/readyz")["generation"]["live"] < number:
        if time.monotonic() > deadline:
            raise Trouble(
                f"generation {number} is still being built; it goes on by itself. `pailu parked` shows whether "
                "an event holds it up",
                f"第 {number} 代仍在建立，将自行继续；pailu parked 可查看是否有事件受阻",
            )
        time.sleep(0.1)
    live = _generation(client, service, "live")
    for row in (before, live):
        if row:
            click.echo(
                say(
                    f"{service} generation {row['generation']}: {row['rows']} rows, sha256 {row['digest']}",
                    f"{service} 第 {row['generation']} 代：{row['rows']} 行，sha256 {row['digest']}",
                )
            )
    if before and live and before["digest"] == live["digest"]:
        click.echo(say("Equal to the last byte; the new one is live.", "逐字节相同；新的一代已启用。"))
    else:
        click.echo(say("The new one is live.", "新的一代已启用。"))


@click.group(
    invoke_without_command=True,
    help=say(
        "Events that could not be handled, and every later one of the same competition, wait until they are retried. "
        "Without a subcommand: list them.",
        "无法处理的事件及同一赛事其后的事件会被搁置，直至重试。不带子命令时列出。",
    ),
)
@click.pass_context
def parked(context: click.Context) -> None:
    """List, or go on to a subcommand."""
    if context.invoked_subcommand is None:
        _list(Client(load()))


@parked.command("list", help=say("List what is held.", "列出搁置的事件。"))
def parked_list() -> None:
    """List what is held."""
    _list(Client(load()))


@parked.command("retry", help=say("Try a competition's held events again.", "重试一个赛事的搁置事件。"))
@click.argument("service", type=click.Choice(SERVICES), metavar=say("SERVICE", "服务"))
@click.argument("competition", metavar=say("COMPETITION", "赛事"))
def retry(service: str, competition: str) -> None:
    """Try again."""
    Client(load()).post(f"/{service}/held/{competition}/retries")
    click.echo(
        say(
            f"{competition} is tried again now; `pailu parked` shows what is left.",
            f"正在重试 {competition}；用 pailu parked 查看结果。",
        )
    )


def _list(client: Client) -> None:
    rows = [(service, row) for service in SERVICES for row in client.get(f"/{service}/held")["items"]]
    if not rows:
        click.echo(say("Nothing is held.", "没有搁置的事件。"))
    for service, row in rows:
        state = say("parked", "已搁置") if row["parked"] else say("is tried again by itself", "自动重试中")
        click.echo(f"{service}  {row['competition']}  {row['consumer']}  {row['first']}  ({row['tries']}×, {state})")
        click.echo(f"    {row['error']}")
    if any(row["parked"] for _, row in rows):
        click.echo(say("Retry with: pailu parked retry SERVICE COMPETITION", "重试：pailu parked retry 服务 赛事"))


def _generation(client: Client, service: str, state: str) -> dict[str, Any] | None:
    generations = client.get(f"/{service}/projection")["generations"]
    return next((row for row in generations if row["state"] == state), None)
