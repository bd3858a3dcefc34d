"""`pailu import entries`: a sheet of entries into a competition of the running Pailu, all of it or nothing."""

from __future__ import annotations

import hashlib
import threading
import time
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from shared.cli.client import Client
from shared.cli.files import read_bytes
from shared.cli.language import Trouble, say
from shared.cli.settings import load

MEDIA = {
    ".xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    ".csv": "text/csv",
}
LOOK = 0.1
"""Seconds between two looks at how far the server is."""


@click.command(
    help=say(
        "Enter everything that a sheet has (.xlsx or CSV, as the template), or nothing. How many entries it has is "
        "shown first.",
        "导入报名表（.xlsx 或 CSV，格式同模板）：要么全部收录，要么一份也不收。先显示份数。",
    )
)
@click.argument("competition", metavar=say("COMPETITION", "赛事"))
@click.argument("path", metavar=say("FILE", "文件"))
@click.option("--check", is_flag=True, help=say("Only look, enter nothing.", "只检查，不收录。"))
@click.option("--yes", is_flag=True, help=say("Do not ask.", "不再询问。"))
@click.option(
    "--name",
    default="organiser",
    show_default=True,
    help=say("The account of the organiser who imports.", "导入者（主办方）的账号。"),
)
@click.option(
    "--key",
    help=say(
        "Names this import; default: follows from the file, so that it is imported once.",
        "本次导入的键；默认由文件内容得出，同一文件只导入一次。",
    ),
)
def entries(competition: str, path: str, check: bool, yes: bool, name: str, key: str | None) -> None:
    """Look at the sheet, ask, import it with a bar."""
    media = MEDIA.get(Path(path).suffix.lower())
    if media is None:
        raise Trouble(f"{path}: a sheet ends in .xlsx or .csv", f"{path}：报名表应为 .xlsx 或 .csv 文件")
    content = read_bytes(path)
    at = f"/registration/competitions/{competition}/entry-imports"
    client = Client(load(), "organiser", name)
    found = client.send(f"{at}/checks", media, content, "-")
    count, persons = found["entries"], found["persons"]
    click.echo(
        say(f"{count} entries, {persons} persons; nothing is wrong.", f"{count} 份报名，{persons} 人；没有错误。")
    )
    if check or not (yes or click.confirm(say("Enter all of them?", "全部收录？"))):
        return
    own = key or f"sheet-{hashlib.sha256(content).hexdigest()[:24]}"
    event = _imported(client, at, media, content, own, count)["events"][0]["data"]
    click.echo(
        say(
            f"{len(event['teams'])} entries are in. To take them back while entries are open: "
            f"POST {at}/{event['id']}/reversals",
            f"已收录 {len(event['teams'])} 份报名。截止前如需撤回：POST {at}/{event['id']}/reversals",
        )
    )


def _imported(client: Client, at: str, media: str, content: bytes, key: str, count: int) -> Any:
    """Send the sheet and show how far the server is with it."""
    answer: list[Any] = []
    failed: list[Exception] = []

    def send() -> None:
        try:
            answer.append(client.send(at, media, content, key))
        except Exception as error:
            failed.append(error)

    sending = threading.Thread(target=send)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True)) as bar:
        shown = bar.add_task(say("checking", "检查"), total=count)
        sending.start()
        while sending.is_alive():
            _look(client, f"{at}/{key}/progress", bar, shown)
            time.sleep(LOOK)
        if answer:
            bar.update(shown, completed=count, description=say("done", "完成"))
    if failed:
        raise failed[0]
    return answer[0]


def _look(client: Client, path: str, bar: Progress, shown: Any) -> None:
    """Another process may be making the import: then the bar only shows that time passes."""
    try:
        found = client.get(path)
    except Trouble:
        return
    said = {"check": say("checking", "检查"), "enter": say("entering", "收录")}
    bar.update(shown, completed=found["done"], description=said.get(found["phase"], say("done", "完成")))
