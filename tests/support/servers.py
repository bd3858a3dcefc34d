"""Pailu as processes of its own, as a person starts them, and what is asked of them over HTTP."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from deploy.store import EmbeddedStore
from tests.support.waiting import PATIENCE, wait_for

PAILU = Path(sys.executable).with_name("pailu")
UP = ("up", "--port", "0")


def environment(data: Path, lang: str = "C.UTF-8", **settings: str) -> dict[str, str]:
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("PAILU_", "LC_", "LANG"))}
    return clean | {"PAILU_DATA": str(data), "LANG": lang, "PYTHONUNBUFFERED": "1"} | settings


def pailu(data: Path, *arguments: str, lang: str = "C.UTF-8", **settings: str) -> subprocess.CompletedProcess[str]:
    """A command that ends by itself."""
    return subprocess.run(
        [PAILU, *arguments],
        env=environment(data, lang, **settings),
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )


class Started:
    """A command that goes on until it is stopped, with what it printed. `before` is put before it: `nohup`."""

    def __init__(self, data: Path, *arguments: str, before: Sequence[str] = (), **settings: str) -> None:
        self.data = data
        self._ready = data.with_name(f"{'-'.join(arguments[:2])}.ready")
        self._ready.unlink(missing_ok=True)
        self.process = subprocess.Popen(
            [*before, PAILU, *arguments, "--ready-file", str(self._ready)],
            env=environment(data, **settings),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )

    def running(self) -> bool:
        return self.process.poll() is None

    def ready(self) -> bool:
        return self._ready.exists() and self._ready.stat().st_size > 0

    def await_ready(self) -> None:
        """Fails when it ends instead, with what it printed."""
        try:
            wait_for(self.ready, possible=self.running)
        except AssertionError as error:
            if not self.running():
                error.add_note(self.process.communicate()[0])
            raise
        self.url = str(json.loads(self._ready.read_text()).get("url", ""))
        self.pids = family(self.process.pid)

    def stop(self, how: signal.Signals = signal.SIGINT) -> str:
        """End it and say what it printed."""
        self.process.send_signal(how)
        output, _ = self.process.communicate(timeout=PATIENCE)
        return output

    def get(self, path: str, language: str = "en") -> tuple[int, str]:
        return ask(self.url + path, {"Accept-Language": language})

    def post(self, path: str, token: str, body: dict[str, Any], key: str) -> tuple[int, str]:
        headers = {"Authorization": f"Bearer {token}", "Idempotency-Key": key, "Content-Type": "application/json"}
        return ask(self.url + path, headers, json.dumps(body).encode())


@contextlib.contextmanager
def started(data: Path, *arguments: str, before: Sequence[str] = (), **settings: str) -> Iterator[Started]:
    """A command that does not outlive the test; not ready yet."""
    command = Started(data, *arguments, before=before, **settings)
    try:
        yield command
    finally:
        if command.running():
            command.process.kill()
            command.process.communicate()


@contextlib.contextmanager
def running(data: Path, *arguments: str) -> Iterator[Started]:
    """A `pailu up` on a free port, ready."""
    with started(data, *UP, *arguments) as up:
        up.await_ready()
        yield up


@contextlib.contextmanager
def serving(data: Path, service: str) -> Iterator[Started]:
    """A `pailu serve` on a free port over a store of its own, ready."""
    arguments = ("serve", service, "--bind", "127.0.0.1:0")
    with EmbeddedStore(data / "store") as store, started(data, *arguments, PAILU_MONGO_URL=store.url) as serve:
        serve.await_ready()
        yield serve


def ask(url: str, headers: dict[str, str], data: bytes | None = None) -> tuple[int, str]:
    """Status and body."""
    try:
        with urllib.request.urlopen(urllib.request.Request(url, data, headers), timeout=PATIENCE) as response:
            return response.status, response.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()


def alive(pid: int) -> bool:
    """Whether it is a process that has not ended."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def family(pid: int) -> list[int]:
    """A process and its children."""
    parents = {}
    for stat_file in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            parents[int(stat_file.parent.name)] = int(stat_file.read_text().rsplit(")", 1)[1].split()[1])
    return [pid, *(child for child, parent in parents.items() if parent == pid)]
