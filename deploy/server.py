"""gunicorn with one worker process that holds everything which moves: four apps, and the threads that call steps.

The arbiter, which is `pailu up` itself, opens no database client; it holds the listening socket, the store's process
and the data folder, and starts another worker when one dies. The worker makes its clients after the fork."""

from __future__ import annotations

import gc
import logging
import os
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NoReturn

import structlog
from gunicorn.app.base import BaseApplication
from gunicorn.arbiter import Arbiter
from gunicorn.glogging import Logger
from gunicorn.workers.base import Worker
from pymongo import MongoClient

from deploy import front
from deploy.child import ChildError
from deploy.connections import PatientWorker, reading_bodies
from deploy.endings import ends_at_hangup
from deploy.store import EmbeddedStore
from deploy.wiring import PARTS, ClockBehind, Wiring, apps
from shared.cli.language import Trouble
from shared.eventsourcing.errors import NotNow, StoreUnavailable
from shared.eventsourcing.kafka.address import Address
from shared.eventsourcing.mongo import connect
from shared.eventsourcing.ports import Document
from shared.eventsourcing.workers import POLL, Workers
from shared.web.context import Service

THREADS = 32
DRAIN = 10
"""Seconds that requests in hand may take when the server stops."""
ALONE = 0.5
"""Seconds between an idle part's looks where all parts are in one process and wake one another."""
PAUSE = 0.1
STORE_PATIENCE = 1.0
"""Seconds after which a document store that did not answer once is taken to be away, at a first start."""

HTTP: Mapping[str, Any] = {
    "worker_class": PatientWorker,
    "threads": THREADS,
    "sendfile": False,  # it would go past the bounds on a connection
    "forwarded_allow_ips": "",  # no proxy is known, so nobody may say what path or scheme was asked for
    "graceful_timeout": DRAIN,
    "control_socket_disable": True,
}
"""How gunicorn serves."""

log = structlog.get_logger("pailu.server")


@dataclass(frozen=True)
class Plan:
    """What the server needs to know. It serves the services named, and does their work too where it `works`; where it
    does not, another process does, and it is ready without. It `waits` for a store that is away at the start as long
    as it takes, or says so and ends. `proxies` are trusted to name a client. `in_worker` is called at the start of each
    worker, `on_ready` once, in the first worker, with the services' names when all are ready, `on_stop` in the arbiter
    when an orderly stop begins."""

    listener: socket.socket
    mongo_url: str
    kafka: Address | None
    token_secret: str
    command: str
    store: EmbeddedStore | None
    in_worker: Callable[[], None]
    on_ready: Callable[[Sequence[str]], None]
    on_stop: Callable[[], None]
    names: Sequence[str] = tuple(PARTS)
    works: bool = True
    waits: bool = False
    proxies: frozenset[str] = frozenset()


class Server(BaseApplication):
    """The application that gunicorn runs, and its settings."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._arbiter = os.getpid()
        self._first = True
        self._worker: Worker | None = None
        self._client: MongoClient[Document] | None = None
        self._services: dict[str, Service] = {}
        self._workers: Workers | None = None
        self._wiring: Wiring | None = None
        super().__init__()

    def run(self) -> NoReturn:
        """Serve until a signal ends it. Raises SystemExit: 0 after an orderly stop."""
        gc.collect()
        gc.freeze()  # what is loaded stays shared with the worker
        try:
            Supervisor(self, self._plan).run()
            sys.exit(0)
        except BaseException as end:
            if os.getpid() != self._arbiter:  # a worker's end must not undo what the arbiter holds
                logging.shutdown()
                sys.stdout.flush()
                os._exit(end.code if isinstance(end, SystemExit) and isinstance(end.code, int) else 1)
            raise

    def load_config(self) -> None:
        settings: dict[str, Any] = {
            **HTTP,
            "bind": f"fd://{self._plan.listener.detach()}",
            "workers": 1,
            "logger_class": ServerLog,
            "post_fork": self._forked,
            "post_worker_init": self._loaded,
            "worker_exit": self._ending,
        }
        for name, value in settings.items():
            self.cfg.set(name, value)

    def load(self) -> Any:
        """In the worker: connect, check, wire. What a person must know is said, and ends the server."""
        self._plan.in_worker()
        try:
            return self._wire()
        except Trouble as trouble:
            trouble.show()
            sys.exit(Arbiter.APP_LOAD_ERROR)

    def _wire(self) -> Any:
        self._client = connect(self._plan.mongo_url)
        wiring = self._wiring = Wiring(self._client, self._plan.token_secret, self._plan.kafka)
        while not self._services:
            try:
                self._await_store(self._client)
                wiring.check_clock()
                self._services = wiring.services(self._plan.names)
            except ClockBehind as behind:
                raise clock_trouble(behind) from behind
            except NotNow as error:
                if self._first and not self._plan.waits:
                    raise store_trouble(error) from error
                self._pause()  # the store went away once more; a worker that gave up would end the server
        engines = [service.engine for service in self._services.values()]
        if self._plan.works:
            alone = self._plan.store is not None and self._plan.kafka is None
            self._workers = Workers(engines, ALONE if alone else POLL)
        app = front.wsgi(self._services, apps(self._services), self._plan.command)
        return front.behind(self._plan.proxies, reading_bodies(app))

    def _await_store(self, client: MongoClient[Document]) -> None:
        """A worker that replaces another waits as long as it takes: the store may be away at that moment too."""
        deadline = time.monotonic() + STORE_PATIENCE
        while True:
            try:
                client.admin.command("ping")
            except Exception as error:
                if self._first and not self._plan.waits and time.monotonic() > deadline:
                    raise StoreUnavailable(str(error)) from error
                self._pause()
            else:
                return

    def _pause(self) -> None:
        """While waiting; the arbiter would take a worker that says nothing for one that hangs, and kill it."""
        if self._worker is not None:
            self._worker.notify()
        time.sleep(PAUSE)

    def _forked(self, _arbiter: Any, worker: Worker) -> None:
        self._worker = worker
        self._first = worker.age == 1

    def _loaded(self, _worker: Any) -> None:
        """The terminal's Ctrl-C and hang-up reach every process of the group; the arbiter alone acts upon them."""
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
        if self._workers is not None:
            self._workers.start()
        if self._first:
            threading.Thread(target=self._announce, name="ready", daemon=True).start()

    def _announce(self) -> None:
        while self._plan.works and not front.ready(self._services)[0]:
            time.sleep(0.01)
        self._plan.on_ready(tuple(self._services))

    def _ending(self, _arbiter: Any, _worker: Any) -> None:
        """In the worker, when its requests are answered. Where the arbiter was killed the store is ending too, and
        whatever waits for it would wait in vain."""
        if os.getppid() != self._arbiter:
            return
        if self._workers is not None:
            self._workers.stop()
        if self._wiring is not None:
            self._wiring.close()
        if self._client is not None:
            self._client.close()


class Supervisor(Arbiter):
    """gunicorn's arbiter, which also keeps the store alive and drains at Ctrl-C and hang-up as at SIGTERM."""

    def __init__(self, server: Server, plan: Plan) -> None:
        super().__init__(server)
        self._plan = plan
        self._ends_at_hangup = ends_at_hangup()

    def manage_workers(self) -> None:
        """At every turn of the arbiter, and whenever a child has ended."""
        store = self._plan.store
        if store is not None and not store.running():
            log.error("the store has ended; starting it again")
            try:
                store.start()
            except ChildError as error:
                log.error("the store does not start", error=str(error), output=error.log)
        super().manage_workers()

    def handle_term(self) -> None:
        self._plan.on_stop()
        super().handle_term()

    def handle_int(self) -> None:
        self.handle_term()

    def handle_hup(self) -> None:
        if self._ends_at_hangup:
            self.handle_term()


class ServerLog(Logger):
    """gunicorn's own words go where all logs go. Requests are logged by the apps."""

    def setup(self, cfg: Any) -> None:  # noqa: ARG002  gunicorn's signature
        self.error_log = logging.getLogger("pailu.server")
        self.access_log = self.error_log

    def access(self, resp: Any, req: Any, environ: Any, request_time: Any) -> None:
        """Nothing."""

    def reopen_files(self) -> None:
        """The log's handlers do so by themselves."""

    def close_on_exec(self) -> None:
        """Python opens files so."""


def clock_trouble(behind: ClockBehind) -> Trouble:
    """Both times, and what to do."""
    now, recorded = (at.isoformat(sep=" ", timespec="seconds") for at in (behind.now, behind.recorded))
    return Trouble(
        f"this machine's clock is behind the log.\n"
        f"  clock          {now}\n"
        f"  last recorded  {recorded}\n"
        "Times and deadlines would be wrong, so nothing was started or changed. Set the clock, then start again.",
        f"本机时钟落后于日志。\n"
        f"  时钟      {now}\n"
        f"  最后记录  {recorded}\n"
        "时间与期限会出错，因此没有启动，也没有改动任何内容。请校准时钟后再启动。",
    )


def store_trouble(error: NotNow) -> Trouble:
    """The first line of what the driver said."""
    reason = str(error).partition(", Timeout:")[0]
    return Trouble(f"the document store does not answer: {reason}", f"数据存储没有应答：{reason}")
