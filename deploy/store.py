"""The document store of the single-machine default: SecantusDB as a process of its own, under one folder."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from types import TracebackType

from pymongo import MongoClient
from pymongo.errors import PyMongoError

HOST = "127.0.0.1"
LOG = "store.log"
START = 20.0
"""Seconds the store may take to answer: after a kill it first replays its log."""
STOP = 15.0
"""Seconds an orderly stop may take before the store is killed; what it acknowledged is durable either way."""
STORES_OWN = "local"
"""The database of the store's own log, which it reads to its end by itself when it starts."""
TRIES = 5
"""How many free ports are tried when another process takes the one just found."""


class StoreError(Exception):
    """The embedded store is not there. `log` holds the last lines it wrote."""

    def __init__(self, message: str, log: str = "") -> None:
        super().__init__(message)
        self.log = log


class StoreLocked(StoreError):
    """Another process works on this data folder."""


class StoreDamaged(StoreError):
    """The data folder's files cannot be read."""


class PortInUse(StoreError):
    """Another program listens on the port."""


class StoreDied(StoreError):
    """The store ended, or did not answer in time."""


class EmbeddedStore:
    """Starts and stops the store on one data folder. Not restarted by itself: whoever holds it asks `running()`."""

    def __init__(self, folder: Path, port: int = 0) -> None:
        """`port` 0: any free one, kept for every later start."""
        self.folder = folder
        self.port = port
        self._chosen = port != 0
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"mongodb://{HOST}:{self.port}/?directConnection=true"

    @property
    def pid(self) -> int | None:
        """The process id while the store runs."""
        return self._process.pid if self._process is not None and self._process.poll() is None else None

    def running(self) -> bool:
        return self.pid is not None

    def start(self) -> None:
        """Start and wait until it answers. Raises StoreLocked, StoreDamaged, PortInUse or StoreDied; nothing runs
        then."""
        for left in reversed(range(TRIES)):
            if not self._chosen:
                self.port = _free_port()
            try:
                self._start()
            except PortInUse:
                if self._chosen or not left:
                    raise
            else:
                self._chosen = True
                return

    def stop(self) -> None:
        """End it in order, and by force when that takes too long. Does nothing when it is not running."""
        process, self._process = self._process, None
        if process is None or process.poll() is not None:
            return
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(STOP)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()

    def kill(self) -> None:
        """End it as a power cut would (for tests)."""
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.wait()

    def __enter__(self) -> EmbeddedStore:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def _start(self) -> None:
        if self.running():
            raise StoreLocked(f"{self.folder} is in use by this process already")
        try:
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)  # the keys of persons are in it
            log = (self.folder / LOG).open("ab")
        except OSError as error:
            raise StoreDied(f"the data folder {self.folder} cannot be used: {error}") from error
        if _listening(self.port):
            log.close()
            raise PortInUse(f"port {self.port} is in use by another program")
        with log:
            begin = log.tell()
            self._process = subprocess.Popen(  # noqa: S603
                self._command(),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                cwd=self.folder,
                env=_environment(),
                start_new_session=True,  # the terminal's Ctrl-C is for the parent, which stops the store last
            )
        try:
            self._await_answer(begin)
            self._read_everything_once(begin)
        except BaseException:
            self.kill()
            raise

    def _command(self) -> list[str]:
        options = ["--host", HOST, "--port", str(self.port), "--storage-path", str(self.folder.resolve())]
        options += ["--sync-on-commit", "--log-level", "WARNING"]
        return [sys.executable, "-m", "deploy.store_process", str(os.getpid()), *options]

    def _await_answer(self, begin: int) -> None:
        process = self._process
        assert process is not None
        deadline = time.monotonic() + START
        while not _answers(self.url, process.pid):
            self._check_still_runs(begin)
            if time.monotonic() > deadline:
                raise self._failure(begin, f"the store did not answer within {START:.0f} s")
            time.sleep(0.01)

    def _read_everything_once(self, begin: int) -> None:
        """The store opens a table when it is first read, so damage shows only then: look for something in every
        collection by each of its indexes. (Not without an index: the store would read the collection to its end.)"""
        client: MongoClient[dict[str, object]] = MongoClient(
            self.url, serverSelectionTimeoutMS=1_000, socketTimeoutMS=int(START * 1000)
        )
        try:
            ours = (name for name in client.list_database_names() if name != STORES_OWN)
            for database in map(client.get_database, ours):
                for collection in map(database.get_collection, database.list_collection_names()):
                    for index in collection.index_information().values():
                        collection.find_one(index.get("partialFilterExpression", {index["key"][0][0]: ""}))
        except PyMongoError as error:
            self._check_still_runs(begin)
            raise self._damaged(self._last_lines(begin)) from error
        finally:
            client.close()

    def _check_still_runs(self, begin: int) -> None:
        process = self._process
        if process is not None and process.poll() is not None:
            raise self._failure(begin, f"the store ended with status {process.returncode}")

    def _damaged(self, last: str) -> StoreDamaged:
        return StoreDamaged(f"the data folder {self.folder} is damaged and cannot be read", last)

    def _last_lines(self, begin: int) -> str:
        with (self.folder / LOG).open("rb") as log:
            log.seek(begin)
            return "\n".join(log.read().decode(errors="replace").strip().splitlines()[-10:])

    def _failure(self, begin: int, what: str) -> StoreError:
        """Which situation the store's own last lines tell of."""
        last = self._last_lines(begin)
        if "Device or resource busy" in last:
            return StoreLocked(f"another process works on the data folder {self.folder}", last)
        if "Address already in use" in last:
            return PortInUse(f"port {self.port} is in use by another program", last)
        if "WiredTigerError" in last or "WT_PANIC" in last:
            return self._damaged(last)
        return StoreDied(f"{what}; its last lines are in {self.folder / LOG}", last)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        return int(probe.getsockname()[1])


def _listening(port: int) -> bool:
    with socket.socket() as probe:
        probe.settimeout(0.2)
        return probe.connect_ex((HOST, port)) == 0


def _answers(url: str, pid: int) -> bool:
    """Whether this very process answers there, not another that took the port."""
    _, _, address = url.partition("//")
    if not _listening(int(address.split(":")[1].split("/")[0])):
        return False
    client: MongoClient[dict[str, object]] = MongoClient(url, serverSelectionTimeoutMS=500, socketTimeoutMS=2_000)
    try:
        return bool(client.admin.command("serverStatus")["pid"] == pid)
    except PyMongoError:
        return False
    finally:
        client.close()


def _environment() -> dict[str, str]:
    """The child imports this package from wherever the parent has it."""
    root = str(Path(__file__).resolve().parents[1])
    path = os.environ.get("PYTHONPATH")
    return os.environ | {"PYTHONPATH": root if not path else root + os.pathsep + path}
