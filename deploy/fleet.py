"""All of Pailu as a venue runs it, on this machine: a store, a Kafka, and for each service a process that serves and
one that works. For the demo and the tests, which kill any of them and start it again."""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import TracebackType

from deploy.child import HOST, environment, free_port
from deploy.kafka import LocalKafka
from deploy.names import NAMES
from deploy.store import EmbeddedStore

START = 180.0
STOP = 20.0
"""Seconds that a process may take to be ready, and to stop in order."""
PAUSE = 0.02


class FleetError(Exception):
    """A process is not there. `output` is what it has printed."""

    def __init__(self, message: str, output: str) -> None:
        super().__init__(message)
        self.output = output


class Process:
    """One pailu command as a process, with all that it forks; started again under the same name and address."""

    def __init__(self, name: str, folder: Path, seed: str, arguments: Sequence[str]) -> None:
        self.name = name
        self.starts = 0
        self.output = folder / f"{name}.out"
        self._ready = folder / f"{name}.ready"
        self._command = [sys.executable, "-m", "deploy.guarded", seed, *arguments, "--ready-file", str(self._ready)]
        self._process: subprocess.Popen[bytes] | None = None

    def start(self, environment: dict[str, str]) -> None:
        """Start it; it is not ready yet when this returns."""
        self._ready.unlink(missing_ok=True)
        self.starts += 1
        with self.output.open("ab") as out:
            self._process = subprocess.Popen(  # noqa: S603  our own module
                self._command,
                stdin=subprocess.PIPE,
                stdout=out,
                stderr=out,
                env=environment,
                start_new_session=True,  # the terminal's Ctrl-C is for who holds the fleet; a group is killed as one
            )

    def running(self) -> bool:
        return self._process is not None and self._process.poll() is None

    def ready(self) -> bool:
        return self._ready.exists()

    def await_ready(self) -> None:
        """Raises FleetError when it ends or takes too long."""
        deadline = time.monotonic() + START
        while not self.ready():
            if not self.running() or time.monotonic() > deadline:
                raise FleetError(f"{self.name} did not start", self.output.read_text(errors="replace")[-2_000:])
            time.sleep(PAUSE)

    def kill(self) -> None:
        """End it and what it forked as a power cut would."""
        process, self._process = self._process, None
        if process is not None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            _close(process)

    def stop(self) -> None:
        """End it in order."""
        self.terminate()
        self.join()

    def terminate(self) -> None:
        if self._process is not None:
            self._process.terminate()

    def join(self) -> None:
        process = self._process
        if process is not None:
            try:
                process.wait(STOP)
            except subprocess.TimeoutExpired:
                self.kill()
            else:
                _close(process)
                self._process = None


class Fleet:
    """`serving` and `working` by service; `store` and `broker`. Everything of it lives in one folder."""

    def __init__(
        self, folder: Path, *, seed: bytes = b"", partitions: int = 4, parts: Sequence[Sequence[str]] = ((),)
    ) -> None:
        """`parts` divides each service's work among processes: each has the parts named, or all where none is."""
        self.folder = folder
        self.token_secret = secrets.token_urlsafe(32)
        self.store = EmbeddedStore(folder / "store")
        self.broker = LocalKafka(folder / "kafka")
        self.urls: dict[str, str] = {}
        self.serving: dict[str, Process] = {}
        self.working: dict[str, Process] = {}
        self._partitions = partitions
        for name in NAMES:
            port = free_port()
            self.urls[name] = f"http://{HOST}:{port}"
            arguments = ["serve", name, "--bind", f"{HOST}:{port}"]
            self.serving[name] = Process(f"serve-{name}", folder, seed.hex(), arguments)
            for some in parts:
                only = [word for part in some for word in ("--part", part)]
                key = "-".join([name, *some[:1]])
                self.working[key] = Process(f"work-{key}", folder, seed.hex(), ["work", name, *only])

    @property
    def event_log(self) -> str:
        """The address of the event log, as PAILU_EVENT_LOG takes it."""
        return f"{self.broker.url}?partitions={self._partitions}&session_ms=2000"

    @property
    def processes(self) -> list[Process]:
        return [*self.serving.values(), *self.working.values()]

    def environment(self) -> dict[str, str]:
        """The caller's, without its settings of Pailu and with the fleet's."""
        kept = {name: value for name, value in os.environ.items() if not name.startswith("PAILU_")}
        return environment(kept) | {
            "PAILU_DATA": str(self.folder / "data"),
            "PAILU_MONGO_URL": self.store.url,
            "PAILU_EVENT_LOG": self.event_log,
            "PAILU_TOKEN_SECRET": self.token_secret,
            "PAILU_LOG_LEVEL": "WARNING",
        }

    def start(self) -> None:
        """Start everything and wait until it is ready. Raises FleetError, and what store and broker raise."""
        self.store.start()
        self.broker.start()
        for process in self.processes:
            process.start(self.environment())
        for process in self.processes:
            process.await_ready()

    def restart(self, process: Process) -> None:
        """Start a process that was killed or stopped; it is not ready yet when this returns."""
        process.start(self.environment())

    def stop(self) -> None:
        """Stop everything in order, the store last."""
        for process in self.processes:
            process.terminate()
        for process in self.processes:
            process.join()
        self.broker.stop()
        self.store.stop()

    def errors(self) -> Iterator[str]:
        """What the processes have logged as errors."""
        for process in self.processes:
            for line in process.output.read_text(errors="replace").splitlines() if process.output.exists() else ():
                with contextlib.suppress(ValueError, TypeError, KeyError):
                    told = json.loads(line)
                    if told["level"] in ("error", "critical"):
                        yield f"{process.name}: {told.get('exception', told['event'])}"

    def __enter__(self) -> Fleet:
        try:
            self.start()
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()


def _close(process: subprocess.Popen[bytes]) -> None:
    if process.stdin:
        process.stdin.close()
