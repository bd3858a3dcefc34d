"""`pailu`: the group of all subcommands."""

from __future__ import annotations

import importlib
import sys
from typing import cast

import click

from shared.cli.language import choose, say

COMMANDS: dict[str, tuple[str, str, str]] = {
    "up": ("deploy.single:up", "Start everything on this machine.", "在本机启动全部服务。"),
    "demo": ("deploy.demo:demo", "Watch one competition from entry to appeal.", "演示一场比赛：从报名到申诉。"),
    "token": ("shared.cli.token:token", "Mint a token for a person.", "为某人签发令牌。"),
    "regulations": ("shared.cli.regulations:regulations", "Show the regulations Pailu knows.", "查看内置的竞赛规程。"),
    "ask": ("shared.cli.ask:ask", "Answer questions about the rules.", "回答有关规则的提问。"),
    "adjudicate": ("shared.cli.adjudicate:adjudicate", "Referee a hand record.", "裁定一份牌谱。"),
    "record": ("shared.cli.record:record", "Make hand records.", "生成牌谱。"),
    "standings": ("shared.cli.standings:standings", "The standings of a competition file.", "由比赛文件计算名次。"),
    "pair": ("shared.cli.pair:pair", "Pair the next round of a competition file.", "编排比赛文件的下一轮。"),
    "totals": ("shared.cli.totals:totals", "The team totals of a union file.", "由成绩文件计算团体总分。"),
    "awards": ("shared.cli.awards:awards", "The prizes of a competition or union file.", "由文件列出奖项与奖金。"),
    "draw": ("shared.cli.draw:draw", "Draw a stage, or repeat a published draw.", "抽签，或核验已公布的抽签。"),
    "simulate": ("shared.cli.simulate:simulate", "Play a whole competition at random.", "随机模拟一场完整的比赛。"),
    "import": ("shared.cli.exchange:import_", "Read a file of another program.", "读入其他软件的文件。"),
    "export": ("shared.cli.exchange:export", "Write a file for another program.", "写出供其他软件使用的文件。"),
    "rebuild": ("shared.cli.operations:rebuild", "Rebuild a service's read models.", "由事件日志重建读模型。"),
    "parked": ("shared.cli.operations:parked", "List and retry events that failed.", "查看并重试搁置的事件。"),
    "serve": ("deploy.processes:serve", "Serve one service over HTTP.", "提供一个服务的 HTTP 接口。"),
    "work": ("deploy.processes:work", "Do one service's work.", "执行一个服务的后台工作。"),
    "store": ("deploy.processes:store", "Start the document store alone.", "仅启动数据存储。"),
    "kafka": ("deploy.kafka:kafka", "Start an Apache Kafka on this machine.", "在本机启动 Apache Kafka。"),
    "roles": ("deploy.roles:roles", "Show who may use which endpoint.", "查看各接口的权限表。"),
    "contracts": ("shared.cli.contracts:contracts", "Write the contracts of the events.", "输出事件契约文档。"),
}
"""Subcommand to where it is, and what it does in English and Chinese."""


class Lazy(click.Group):
    """Imports a subcommand when it is called."""

    def list_commands(self, _context: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, _context: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS:
            return None
        module, _, attribute = COMMANDS[name][0].partition(":")
        return cast(click.Command, getattr(importlib.import_module(module), attribute))

    def format_help_text(self, _context: click.Context, formatter: click.HelpFormatter) -> None:
        formatter.write_paragraph()
        with formatter.indentation():
            formatter.write_text(
                say(
                    "Pailu 牌录 runs card tournaments from their published regulation and keeps every deciding fact "
                    "in an auditable log.",
                    "Pailu 牌录：按公布的竞赛规程举办牌类赛事，所有决定名次的事实都记入可审计的日志。",
                )
            )

    def format_commands(self, _context: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section(say("Commands", "命令")):
            formatter.write_dl([(name, say(en, zh)) for name, (_, en, zh) in COMMANDS.items()])


@click.command(cls=Lazy, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.option(
    "--lang",
    type=click.Choice(["en", "zh"]),
    is_eager=True,
    expose_value=False,
    callback=lambda _context, _parameter, value: choose(value),
    help="English or 中文; the locale decides otherwise.",
)
@click.version_option(package_name="pailu", message="Pailu 牌录 %(version)s")
def pailu() -> None:
    """All subcommands."""


def main() -> None:
    """Entry of the console command."""
    if not (3, 11) <= sys.version_info[:2] <= (3, 13):
        found = ".".join(map(str, sys.version_info[:3]))
        sys.exit(f"pailu: needs Python 3.11 to 3.13, this is {found} 需要 Python 3.11 至 3.13")
    pailu()


if __name__ == "__main__":
    main()
