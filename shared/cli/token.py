"""`pailu token`: prints a token and nothing else, for use in $(…)."""

from __future__ import annotations

from datetime import timedelta
from typing import cast, get_args

import click

from shared.cli.language import Trouble, say
from shared.cli.settings import load, token_secret
from shared.eventsourcing.clock import SystemClock
from shared.web.identity import EVERYWHERE, Identity, Role, mint


@click.command(
    help=say(
        "Print a token that lets a person act, signed with this installation's secret.",
        "输出一个令牌，持有者可以此身份操作；由本机密钥签名。",
    )
)
@click.option("--role", required=True, type=click.Choice(get_args(Role)), help=say("What the person is.", "身份。"))
@click.option(
    "--name",
    default="",
    metavar=say("NAME", "名字"),
    help=say(
        "Account in the log; the role where none is given. Where two people are needed, give two names.",
        "记入日志的账号，默认与身份同名；须由两人完成的操作请用两个名字。",
    ),
)
@click.option(
    "--competition",
    "competitions",
    multiple=True,
    metavar="ID",
    help=say("Only for this competition; may be repeated. All otherwise.", "仅限此赛事，可重复；默认全部赛事。"),
)
@click.option(
    "--team", metavar=say("TEAM", "队伍"), help=say("The leader's team, by id or unit.", "领队所属队伍（编号或单位）。")
)
@click.option("--chief", is_flag=True, help=say("The chief referee.", "裁判长。"))
@click.option(
    "--hours",
    type=click.FloatRange(min=0, min_open=True, max=24 * 366),
    default=12.0,
    metavar=say("HOURS", "小时"),
    show_default=True,
    help=say("How long it holds.", "有效小时数。"),
)
def token(role: str, name: str, competitions: tuple[str, ...], team: str | None, chief: bool, hours: float) -> None:
    """Print a token."""
    if role == "leader" and not team:
        raise Trouble("a leader speaks for a team: add --team", "领队须指明队伍：请加 --team")
    if chief and role != "referee":
        raise Trouble("--chief is for a referee", "--chief 仅用于 --role referee（裁判）")
    who = Identity(
        sub=name or role,
        role=cast(Role, role),
        competitions=competitions or (EVERYWHERE,),
        team=team,
        chief=chief,
    )
    click.echo(mint(who, token_secret(load()), SystemClock().now(), timedelta(hours=hours)))
