"""The data folder of one machine: held by one `pailu up` at a time."""

from __future__ import annotations

import fcntl
import json
import os
import time
from pathlib import Path

from deploy.child import alive
from shared.cli.language import Trouble
from shared.cli.settings import Settings

PATIENCE = 20.0
"""Seconds that what is left of a killed `pailu up` may take to end."""


class DataFolder:
    """The folder, made where it is not there. Raises Trouble when it cannot be written."""

    def __init__(self, settings: Settings) -> None:
        self.path = settings.data.absolute()
        self._settings = settings
        self._lock: int | None = None
        try:
            self.path.mkdir(mode=0o700, parents=True, exist_ok=True)
            probe = self.path / f".probe.{os.getpid()}"
            probe.write_bytes(b"")
            probe.unlink()
        except OSError as error:
            reason = error.strerror or str(error)
            raise Trouble(
                f"the data folder {self.path} cannot be written: {reason}. Choose another with PAILU_DATA",
                f"数据目录 {self.path} 无法写入：{reason}。可用 PAILU_DATA 另选",
            ) from error

    @property
    def store(self) -> Path:
        return self.path / "store"

    @property
    def logs(self) -> Path:
        return self.path / "log"

    def hold(self) -> None:
        """Keep others out until `release` or the end of this process and its workers. Raises Trouble when another
        one is at work; where that one was killed, what is left of it is waited for."""
        lock = os.open(self.path / ".lock", os.O_RDWR | os.O_CREAT, 0o644)
        deadline = time.monotonic() + PATIENCE
        while True:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                holder = os.pread(lock, 20, 0).decode(errors="replace").strip()
                if (holder.isdigit() and alive(int(holder))) or time.monotonic() > deadline:
                    os.close(lock)
                    raise self._held(holder) from None
                time.sleep(0.05)
            else:
                break
        os.ftruncate(lock, 0)
        os.pwrite(lock, str(os.getpid()).encode(), 0)
        self._lock = lock

    def announce(self, url: str, pid: int, service: str = "") -> None:
        """Tell other commands where this one answers, for one service or for all."""
        running = self._settings.running_file(service)
        fresh = running.with_suffix(".new")
        fresh.write_text(json.dumps({"url": url, "pid": pid}) + "\n", encoding="utf-8")
        fresh.replace(running)

    def release(self, service: str = "") -> None:
        """Let others in."""
        self._settings.running_file(service).unlink(missing_ok=True)
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    def _held(self, holder: str) -> Trouble:
        try:
            url = " (" + str(json.loads(self._settings.running_file().read_text(encoding="utf-8"))["url"]) + ")"
        except (OSError, ValueError, KeyError):
            url = ""
        return Trouble(
            f"another `pailu up` is at work on {self.path}: process {holder}{url}. Stop that one first, "
            "or choose another folder with PAILU_DATA",
            f"另一个 pailu up 正在使用 {self.path}：进程 {holder}{url}。请先停止它，或用 PAILU_DATA 另选目录",
        )
