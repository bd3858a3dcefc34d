"""A server that this process starts as one of its own on one folder, waits for, and stops: its port, its log, its end.

The document store and the broker of one machine are such; what they are called with, when they answer and what their
last words mean is theirs to say."""

from __future__ import annotations

import os
import random
import signal
import socket
import subprocess
import time
from abc import ABC, abstractmethod
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import ClassVar, Self

HOST = "127.0.0.1"
PORTS = range(10_000, 32_000)
"""Where free ports are looked for: below those that the system gives to connections, so that a server which was killed
finds its port free when it starts again."""
TRIES = 5
"""How many free ports are tried when another process takes the one just found."""
PAUSE = 0.02
LINES = 20


class ChildError(Exception):
    """The server is not there. `log` holds the last lines it wrote."""

    def __init__(self, message: str, log: str = "") -> None:
        super().__init__(message)
        self.log = log


class PortInUse(ChildError):
    """Another program listens on the port."""


class Child(ABC):
    """Starts and stops the server. Not restarted by itself: whoever holds it asks `running()`."""

    name: ClassVar[str]
    log: ClassVar[str]
    """The file in the folder that its words go to."""
    start_seconds: ClassVar[float]
    stop_seconds: ClassVar[float]
    """How long an orderly stop may take before it is killed."""

    def __init__(self, folder: Path, port: int = 0) -> None:
        """`port` 0: any free one, kept for every later start."""
        self.folder = folder
        self.port = port
        self._chosen = port != 0
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def pid(self) -> int | None:
        """The process id, and that of its group, while it runs."""
        return self._process.pid if self._process is not None and self._process.poll() is None else None

    def running(self) -> bool:
        return self.pid is not None

    def start(self) -> None:
        """Start and wait until it answers. Raises PortInUse or another ChildError; nothing runs then."""
        for left in reversed(range(TRIES)):
            if not self._chosen:
                self.port = free_port()
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
        process = self._process
        if process is not None and process.poll() is None:
            process.terminate()
            try:
                process.wait(self.stop_seconds)
            except subprocess.TimeoutExpired:
                self.kill()
        self._process = None

    def kill(self) -> None:
        """End it as a power cut would."""
        process, self._process = self._process, None
        if process is not None:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    @abstractmethod
    def _prepare(self) -> None:
        """Make the folder ready. Raises ChildError where it cannot be used, or is."""

    @abstractmethod
    def _command(self) -> list[str]: ...

    @abstractmethod
    def _answers(self) -> bool:
        """Whether it answers on its port: it, and not another that took the port."""

    @abstractmethod
    def _failure(self, what: str, last: str) -> ChildError:
        """What became of a start that failed, by the last lines it wrote."""

    def _answered(self, begin: int) -> None:  # noqa: B027  nothing to add for most
        """It answers for the first time since it wrote from there on. Raises ChildError where it must not be used."""

    def _start(self) -> None:
        self._prepare()
        if listening(self.port):
            raise PortInUse(f"port {self.port} is in use by another program")
        with (self.folder / self.log).open("ab") as log:
            begin = log.tell()
            self._process = subprocess.Popen(  # noqa: S603  our own module
                self._command(),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                cwd=self.folder,
                env=environment(),
                start_new_session=True,  # the terminal's Ctrl-C is for the parent; and a group can be killed as one
            )
        try:
            self._await_answer(begin)
            self._answered(begin)
        except BaseException:
            self.kill()
            raise

    def _await_answer(self, begin: int) -> None:
        deadline = time.monotonic() + self.start_seconds
        while not self._answers():
            self._check_still_runs(begin)
            if time.monotonic() > deadline:
                raise self._failed(begin, f"{self.name} did not answer within {self.start_seconds:.0f} s")
            time.sleep(PAUSE)

    def _check_still_runs(self, begin: int) -> None:
        process = self._process
        if process is not None and process.poll() is not None:
            raise self._failed(begin, f"{self.name} ended with status {process.returncode}")

    def _failed(self, begin: int, what: str) -> ChildError:
        last = self._last_lines(begin)
        if "Address already in use" in last:
            return PortInUse(f"port {self.port} is in use by another program", last)
        return self._failure(f"{what}; its last lines are in {self.folder / self.log}", last)

    def _last_lines(self, begin: int) -> str:
        with (self.folder / self.log).open("rb") as log:
            log.seek(begin)
            return "\n".join(log.read().decode(errors="replace").strip().splitlines()[-LINES:])


def free_port() -> int:
    """A port that nobody uses at this moment."""
    for port in random.sample(PORTS, len(PORTS)):
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind((HOST, port))
            except OSError:
                continue
            return port
    raise PortInUse(f"every port from {PORTS.start} to {PORTS.stop} is in use")


def listening(port: int) -> bool:
    """Whether somebody listens on a port of this machine."""
    with socket.socket() as probe:
        probe.settimeout(0.2)
        return probe.connect_ex((HOST, port)) == 0


def environment(given: Mapping[str, str] = os.environ) -> dict[str, str]:
    """An environment in which a child imports this package from wherever it is here."""
    root = str(Path(__file__).resolve().parents[1])
    path = given.get("PYTHONPATH")
    return {**given, "PYTHONPATH": root if not path else root + os.pathsep + path}


def alive(pid: int) -> bool:
    """Whether there is such a process."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
