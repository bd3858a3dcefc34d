"""`pailu serve`, `pailu work`, `pailu store`: the same services as many processes, each started and scaled by itself.

They share nothing but the document store and the event log. Each waits for these as long as it takes, so the order of
their start does not matter; logs go to stderr."""

from __future__ import annotations

import json
import os
import sys
import threading
import time
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import click
import structlog
from pymongo import MongoClient

from deploy import logs
from deploy.endings import as_ctrl_c, on_ending
from deploy.folder import DataFolder
from deploy.names import NAMES
from deploy.single import address, called, listening, shown, start
from deploy.store import EmbeddedStore
from shared.cli.language import Trouble, say
from shared.cli.settings import Settings, load, make_token_secret
from shared.eventsourcing.ports import Document

PORTS = {name: 8081 + number for number, name in enumerate(NAMES)}
"""Where each service serves unless told otherwise."""
STORE_PORT = 27017
PAUSE = 0.2
KINDS = ("relay", "projection", "policies")

log = structlog.get_logger("pailu.work")

_ready_file = click.option(
    "--ready-file",
    type=click.Path(path_type=Path, dir_okay=False),
    help=say("Write pid (and url) here when ready (JSON).", "就绪后把进程号（及网址）写入此文件（JSON）。"),
)
_service = click.argument("name", type=click.Choice(list(NAMES)), metavar=say("SERVICE", "服务"))


@click.command(help=say("Serve one service over HTTP; `pailu work` does its work.", "提供一个服务的 HTTP 接口。"))
@_service
@click.option(
    "--bind",
    metavar="HOST:PORT",
    help=say("Where to serve. [PAILU_BIND or 127.0.0.1:808x]", "服务地址。[PAILU_BIND 或 127.0.0.1:808x]"),
)
@_ready_file
def serve(name: str, bind: str | None, ready_file: Path | None) -> None:
    """Serve, and stop in order."""
    as_ctrl_c()
    settings = _settings()
    host, port = address(bind or settings.bind or f"127.0.0.1:{PORTS[name]}")
    with ExitStack() as held:
        folder = DataFolder(settings)
        held.callback(folder.release, name)
        secret = make_token_secret(settings)
        listener = held.enter_context(listening(host, port, f"serve {name} --bind 127.0.0.1:8091"))
        url = f"http://{shown(*listener.getsockname()[:2])}"
        from deploy.server import Plan, Server

        pid = os.getpid()

        def on_ready(_services: Sequence[str]) -> None:
            folder.announce(url, pid, name)
            _say_ready(ready_file, {"url": url, "pid": pid})
            click.echo(say(f"{name} serves at {url}/{name}", f"{name} 服务于 {url}/{name}"))

        plan = Plan(
            listener=listener,
            mongo_url=settings.mongo_url or "",
            kafka=settings.kafka,
            token_secret=secret,
            command=called(),
            store=None,
            in_worker=lambda: logs.configure(None, settings.log_level),
            on_ready=on_ready,
            on_stop=lambda: None,
            names=(name,),
            works=False,
            waits=True,
            proxies=settings.proxies,
        )
        Server(plan).run()


@click.command(
    help=say(
        "Do one service's work: relay, projection, policies. Several may run; they share the work.",
        "执行一个服务的后台工作：转发、投影、策略。可同时运行多个，自行分工。",
    )
)
@_service
@click.option(
    "--part",
    "parts",
    type=click.Choice(KINDS),
    multiple=True,
    help=say("Only this part; may be repeated. All otherwise.", "仅此部分，可重复；默认全部。"),
)
@_ready_file
def work(name: str, parts: tuple[str, ...], ready_file: Path | None) -> None:
    """Call the steps until a signal ends it."""
    ended = threading.Event()
    on_ending(lambda _signal, _frame: ended.set())
    settings = _settings()
    DataFolder(settings)
    secret = make_token_secret(settings)
    from deploy.server import clock_trouble
    from deploy.wiring import ClockBehind, Wiring
    from shared.eventsourcing.errors import StoreUnavailable
    from shared.eventsourcing.mongo import connect
    from shared.eventsourcing.workers import Workers

    client: MongoClient[Document] = connect(settings.mongo_url or "")
    wiring = Wiring(client, secret, settings.kafka)
    workers: Workers | None = None
    while workers is None and not ended.is_set():
        try:
            wiring.check_clock()
            service = wiring.services([name])[name]
            workers = Workers([service.engine], wanted=lambda part: not parts or _kind(part) in parts)
        except ClockBehind as behind:
            raise clock_trouble(behind) from behind
        except StoreUnavailable as error:
            log.warning("the store does not answer yet", error=str(error))
            ended.wait(PAUSE)
    if workers is not None:
        workers.start()
        _say_ready(ready_file, {"pid": os.getpid()})
        click.echo(say(f"{name} works", f"{name} 开始工作") + f": {', '.join(w.name for w in workers.all)}")
        ended.wait()
        workers.stop()
    wiring.close()
    client.close()


@click.command(help=say("Start the embedded document store alone, for many processes.", "仅启动内嵌数据存储。"))
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=STORE_PORT,
    show_default=True,
    metavar="PORT",
    help=say("Where it listens, on 127.0.0.1; 0 takes a free one.", "监听端口（127.0.0.1）；0 表示任选。"),
)
@_ready_file
def store(port: int, ready_file: Path | None) -> None:
    """Hold the data folder, start the store, start it again when it ends, stop it."""
    as_ctrl_c()
    folder = DataFolder(load())
    folder.hold()
    embedded = EmbeddedStore(folder.store, port)
    try:
        start(embedded)
        _say_ready(ready_file, {"url": embedded.url, "pid": os.getpid(), "store": embedded.pid})
        click.echo(f"  PAILU_MONGO_URL={embedded.url}")
        while True:
            time.sleep(PAUSE)
            if not embedded.running():
                start(embedded)
                _say_ready(ready_file, {"url": embedded.url, "pid": os.getpid(), "store": embedded.pid})
    except KeyboardInterrupt:
        click.echo(say("Stopping …", "正在停止……"))
    finally:
        embedded.stop()
        folder.release()


def _settings() -> Settings:
    """The settings, with a store that is not inside `pailu up`. Raises Trouble."""
    settings = load()
    logs.configure(None, settings.log_level)
    if settings.mongo_url is None:
        raise Trouble(
            "one process alone needs a document store that others reach: set PAILU_MONGO_URL, "
            "or start one with `pailu store`. `pailu up` needs neither",
            "单独的进程需要共用的数据存储：请设置 PAILU_MONGO_URL，或用 pailu store 启动一个；pailu up 则不需要",
        )
    return settings


def _kind(part: str) -> str:
    """Which kind of part a step's name tells of: "match.relay" → relay."""
    kind = part.partition(".")[2]
    return kind if kind in KINDS else "policies"


def _say_ready(file: Path | None, what: dict[str, Any]) -> None:
    if file is not None:
        fresh = file.with_suffix(".new")
        fresh.write_text(json.dumps(what) + "\n", encoding="utf-8")
        fresh.replace(file)
    sys.stdout.flush()
