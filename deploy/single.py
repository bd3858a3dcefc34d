"""`pailu up`: everything on one machine, by one command."""

from __future__ import annotations

import importlib
import json
import os
import shutil
import socket
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from importlib import metadata
from pathlib import Path

import click

from deploy import logs
from deploy.child import ChildError
from deploy.endings import as_ctrl_c
from deploy.folder import DataFolder
from deploy.names import NAMES
from deploy.store import EmbeddedStore, StoreDamaged, StoreLocked
from shared.cli.language import Trouble, say
from shared.cli.settings import UP, load, make_token_secret

BACKLOG = 512
LEFT_BEHIND = 20.0
"""Seconds that the store of a killed `pailu up` may take to end."""


@click.command(
    help=say(
        "Start the document store, the four services and everything that moves, on this machine. Ctrl-C stops it.",
        "在本机启动数据存储与四个服务。按 Ctrl-C 停止。",
    )
)
@click.option(
    "--bind",
    metavar="HOST:PORT",
    help=say(
        "Where to serve; 0.0.0.0:8080 for a hall's network. [PAILU_BIND or 127.0.0.1:8080]",
        "服务地址；供赛场网络使用时为 0.0.0.0:8080。[PAILU_BIND 或 127.0.0.1:8080]",
    ),
)
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    metavar="PORT",
    help=say("Another port; 0 takes a free one and says which.", "另选端口；0 表示任选空闲端口并告知。"),
)
@click.option(
    "--ready-file",
    type=click.Path(path_type=Path, dir_okay=False),
    help=say("Write url and pid here when ready (JSON).", "就绪后把网址与进程号写入此文件（JSON）。"),
)
@click.option(
    "--log-to-stderr",
    is_flag=True,
    help=say("Logs to stderr, not to log/pailu.log in the data folder.", "日志输出到标准错误，不写入数据目录。"),
)
def up(bind: str | None, port: int | None, ready_file: Path | None, log_to_stderr: bool) -> None:
    """Start everything, serve, and stop everything."""
    began = time.monotonic()
    as_ctrl_c()
    settings = load()
    host, usual_port = address(bind or settings.bind or UP)
    with ExitStack() as held:
        folder = DataFolder(settings)
        log_folder = None if log_to_stderr else folder.logs
        logs.configure(log_folder, settings.log_level)
        secret = make_token_secret(settings)
        if settings.mongo_url is None:
            folder.hold()
        held.callback(folder.release)
        listener = held.enter_context(listening(host, usual_port if port is None else port, "up --port 8081"))
        url = f"http://{shown(*listener.getsockname()[:2])}"
        store = None
        if settings.mongo_url is None:
            store = EmbeddedStore(folder.store)
            held.callback(store.stop)
            start(store)
        from deploy.server import Plan, Server  # loaded while the store was starting

        pid = os.getpid()

        def on_ready(services: Sequence[str]) -> None:
            folder.announce(url, pid)
            click.echo(welcome(services, url, folder.path, log_folder, time.monotonic() - began))
            if ready_file is not None:
                ready_file.write_text(json.dumps({"url": url, "pid": pid}) + "\n", encoding="utf-8")

        plan = Plan(
            listener=listener,
            mongo_url=settings.mongo_url or (store.url if store else ""),
            kafka=settings.kafka,
            token_secret=secret,
            command=called(),
            store=store,
            in_worker=lambda: logs.configure(log_folder, settings.log_level, rotates=True),
            on_ready=on_ready,
            on_stop=lambda: click.echo(say("Stopping …", "正在停止……")),
            proxies=settings.proxies,
        )
        try:
            Server(plan).run()
        except SystemExit as end:
            code = 1 if end.code else 0
    if code == 0:
        click.echo(say(f"Stopped. The data is in {folder.path}.", f"已停止。数据在 {folder.path}。"))
    sys.exit(code)


def start(store: EmbeddedStore) -> None:
    """Start the store, and load the server's code meanwhile. Raises Trouble."""
    with ThreadPoolExecutor(1) as pool:
        starting = pool.submit(_start, store)
        importlib.import_module("deploy.server")
        try:
            starting.result()
        except StoreDamaged as error:
            log = store.folder / store.log
            raise Trouble(
                f"{error}. Nothing was changed. Put a backup of the folder in its place; details are in {log}",
                f"数据目录 {store.folder} 已损坏，无法打开。没有改动任何内容。请用备份替换；详情见 {log}",
            ) from error
        except StoreLocked as error:
            raise Trouble(
                f"{error}, though no `pailu up` holds it", f"另一个程序正在使用数据目录 {store.folder}"
            ) from error
        except ChildError as error:
            raise Trouble(str(error), f"数据存储未能启动：{error}") from error


def _start(store: EmbeddedStore) -> None:
    """The folder is ours; a store that still works on it is what a killed `pailu up` left, and about to end."""
    deadline = time.monotonic() + LEFT_BEHIND
    while True:
        try:
            store.start()
        except StoreLocked:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.1)
        else:
            return


def address(bind: str) -> tuple[str, int]:
    """Host and port of `HOST:PORT`; an IPv6 host stands in brackets. Raises Trouble."""
    host, colon, port = bind.rpartition(":")
    if not colon or not port.isascii() or not port.isdigit() or int(port) > 65535:
        raise Trouble(
            f"{bind!r} is no address to serve on: write HOST:PORT, as 127.0.0.1:8080",
            f"{bind!r} 不是服务地址：请写成 主机:端口，例如 127.0.0.1:8080",
        )
    return host.strip("[]") or "0.0.0.0", int(port)  # noqa: S104  an empty host is every interface, as asked


def listening(host: str, port: int, otherwise: str) -> socket.socket:
    """A socket that listens already, so that two starts cannot both believe the port theirs. Raises Trouble, which says
    what else to call (`otherwise`) where it cannot."""
    listener = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((host, port))
        listener.listen(BACKLOG)
    except OSError as error:
        listener.close()
        where, reason = shown(host, port), error.strerror or str(error)
        raise Trouble(
            f"cannot serve on {where}: {reason}. Choose another port, for example: {called()} {otherwise}",
            f"无法在 {where} 上提供服务（{reason}）。请另选端口，例如：{called()} {otherwise}",
        ) from error
    return listener


def shown(host: str, port: int) -> str:
    """An address as it stands in a URL."""
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def called() -> str:
    """How this command is called from here: `pailu` where it is on the path, else by its file."""
    program = Path(sys.argv[0]).absolute()
    on_path = shutil.which("pailu")
    if program.name != "pailu" or (on_path and Path(on_path).absolute() == program):
        return "pailu"
    return str(program.relative_to(Path.cwd())) if program.is_relative_to(Path.cwd()) else str(program)


def welcome(services: Sequence[str], url: str, data: Path, log_folder: Path | None, seconds: float) -> str:
    """What a person sees when everything is up."""
    rows = [(f"{name} {NAMES[name][0]}", f"{url}/{name}/docs") for name in services]
    lines = [
        "",
        click.style(f"  Pailu 牌录 {metadata.version('pailu')}", bold=True)
        + say(f"   ready in {seconds:.1f} s at ", f"   {seconds:.1f} 秒就绪：")
        + click.style(url, bold=True, underline=True),
        "",
        *(f"    {name:<{20 - _wide(name)}}{where}" for name, where in rows),
        "",
        f"    {say('data', '数据'):<{20 - _wide(say('data', '数据'))}}{data}",
    ]
    if log_folder is not None:
        lines.append(f"    {say('log', '日志'):<{20 - _wide(say('log', '日志'))}}{log_folder / logs.NAME}")
    lines += [
        "",
        say("  In another terminal, a token to act with:", "  在另一终端签发令牌："),
        "",
        f"    {called()} token --role organiser --name wang",
        f"    {called()} token --help",
        "",
        say("  Ctrl-C stops everything.", "  按 Ctrl-C 停止。"),
        "",
    ]
    return "\n".join(lines)


def _wide(text: str) -> int:
    """How many of its characters take two columns."""
    return sum(character > "\u2e80" for character in text)
