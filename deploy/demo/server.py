"""The demo's own server: a process of its own on a free port over a temporary folder, gone when the demo is."""

from __future__ import annotations

import json
import os
import secrets
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from types import TracebackType

from deploy.child import environment
from deploy.demo.kills import Kills
from deploy.endings import undisturbed
from deploy.names import NAMES
from shared.cli.language import Trouble

START = 120.0
STOP = 30.0
"""Seconds that the server may take to be ready, and to stop in order."""
PAUSE = 0.02


class Server:
    """Starts on entering, stops on leaving; `urls` and `token_secret` are for its guest."""

    patience = 0.0
    """Seconds in which an answer must come of itself, since nothing is killed here."""
    kills = Kills()

    def __init__(self, draw_seed: bytes) -> None:
        self.token_secret = secrets.token_urlsafe(32)
        self.urls: dict[str, str] = {}
        self._draw_seed = draw_seed
        self._folder: Path | None = None
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Server:
        self._folder = Path(tempfile.mkdtemp(prefix="pailu-demo-"))
        try:
            self._start(self._folder)
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def stop(self) -> None:
        """Stop the server and remove its folder. A second Ctrl-C meanwhile changes nothing."""
        with undisturbed():
            self._stop()

    @property
    def pid(self) -> int | None:
        """The first process of the server, while it runs."""
        return self._process.pid if self._process is not None else None

    def errors(self) -> list[str]:
        """What the server has logged as errors, to be read before it stops."""
        if self._folder is None:
            return []
        log = self._folder / "data" / "log" / "pailu.log"
        lines = [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()] if log.exists() else []
        return [str(line.get("exception", line["event"])) for line in lines if line["level"] == "error"]

    def _stop(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            process.terminate()
            try:
                process.wait(STOP)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)  # the store is no child of this group and ends by itself
                process.wait()
            if process.stdin:
                process.stdin.close()
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)

    def _start(self, folder: Path) -> None:
        ready, output = folder / "ready.json", folder / "output"
        with output.open("wb") as out:
            self._process = subprocess.Popen(  # noqa: S603  our own module
                self._command(folder, ready),
                stdin=subprocess.PIPE,
                stdout=out,
                stderr=out,
                env=_environment(folder, self.token_secret),
                start_new_session=True,  # the terminal's Ctrl-C is for the demo, which stops the server
            )
        deadline = time.monotonic() + START
        while True:
            try:
                url = str(json.loads(ready.read_text(encoding="utf-8"))["url"])
            except (OSError, ValueError):
                if self._process.poll() is not None or time.monotonic() > deadline:
                    said = output.read_text(encoding="utf-8", errors="replace").strip()
                    raise Trouble(f"the demo's server did not start: {said}", f"演示用服务未能启动：{said}") from None
                time.sleep(PAUSE)
            else:
                self.urls = dict.fromkeys(NAMES, url)
                return

    def _command(self, folder: Path, ready: Path) -> list[str]:
        module = [sys.executable, "-m", "deploy.demo.serve", self._draw_seed.hex(), str(folder)]
        return [*module, "--bind", "127.0.0.1:0", "--ready-file", str(ready)]


def _environment(folder: Path, token_secret: str) -> dict[str, str]:
    """The caller's, without its settings of Pailu."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PAILU_")}
    return environment(kept) | {
        "PAILU_DATA": str(folder / "data"),
        "PAILU_TOKEN_SECRET": token_secret,
    }
