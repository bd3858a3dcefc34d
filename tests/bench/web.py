"""HTTP for the rows: servers as processes of their own, and clients that cost little, for they share the machine."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any

from deploy.names import NAMES

SECRET = "bench" * 8
START, STOP = 60.0, 40.0


@dataclass(frozen=True)
class Reply:
    """What came back."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


class Connection:
    """One connection kept alive. Requests are bytes made beforehand."""

    def __init__(self, port: int) -> None:
        self.port = port
        self._read = b""
        self._open()

    def ask(self, request: bytes) -> Reply:
        """Send and wait for the answer; on a new connection where the server has closed this one for being idle."""
        try:
            return self._ask(request)
        except ConnectionError:
            self.close()
            self._open()
            return self._ask(request)

    def _open(self) -> None:
        self._socket = socket.create_connection(("127.0.0.1", self.port), timeout=60)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def _ask(self, request: bytes) -> Reply:
        self._socket.sendall(request)
        while (end := self._read.find(b"\r\n\r\n")) < 0:
            self._more()
        head, self._read = self._read[:end].decode("latin-1"), self._read[end + 4 :]
        status, *lines = head.split("\r\n")
        headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
        length = int(headers.get("content-length", 0))
        while len(self._read) < length:
            self._more()
        body, self._read = self._read[:length], self._read[length:]
        return Reply(int(status.split(" ")[1]), headers, body)

    def close(self) -> None:
        self._socket.close()

    def _more(self) -> None:
        came = self._socket.recv(1 << 16)
        if not came:
            raise ConnectionError("the server closed the connection")
        self._read += came


def request(method: str, path: str, headers: Mapping[str, str], body: Any = None) -> bytes:
    """The bytes of a request."""
    data = b"" if body is None else json.dumps(body, ensure_ascii=False).encode()
    given = {"Host": "127.0.0.1", **headers}
    if body is not None:
        given |= {"Content-Type": "application/json", "Content-Length": str(len(data))}
    lines = [f"{method} {path} HTTP/1.1", *(f"{name}: {value}" for name, value in given.items()), "", ""]
    return "\r\n".join(lines).encode() + data


def at_once(port: int, work: Sequence[Iterable[bytes]], status: int = 201) -> list[Reply]:
    """Each list of requests on a connection of its own, all at the same time; the last reply of each. Raises
    AssertionError for another status."""

    def one(requests: Iterable[bytes]) -> Reply:
        connection = Connection(port)
        try:
            for sent in requests:
                reply = connection.ask(sent)
                assert reply.status == status, (reply.status, reply.body.decode(errors="replace"))
            return reply
        finally:
            connection.close()

    with ThreadPoolExecutor(len(work)) as pool:
        return list(pool.map(one, work))


class Process:
    """A server under way: its first process, its port, and how long it took to say that it was ready."""

    def __init__(self, arguments: Sequence[str], environment: Mapping[str, str], folder: Path) -> None:
        ready = folder / "ready.json"
        ready.unlink(missing_ok=True)
        self._output = (folder / "output").open("wb")
        begin = time.perf_counter()
        self._process = subprocess.Popen(
            [sys.executable, *arguments, "--ready-file", str(ready)],
            stdin=subprocess.DEVNULL,
            stdout=self._output,
            stderr=self._output,
            env={name: value for name, value in os.environ.items() if not name.startswith("PAILU_")}
            | dict(environment),
            start_new_session=True,
        )
        try:
            self.port = self._await(ready)
        except BaseException:
            self.stop()
            raise
        self.seconds = time.perf_counter() - begin

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def ports(self) -> dict[str, int]:
        """Where each service answers: all at the same port."""
        return dict.fromkeys(NAMES, self.port)

    def stop(self) -> None:
        """End it in order."""
        self._process.send_signal(signal.SIGTERM)
        try:
            self._process.wait(STOP)
        except subprocess.TimeoutExpired:
            os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()
        self._output.close()

    def __enter__(self) -> Process:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def _await(self, ready: Path) -> int:
        deadline = time.monotonic() + START
        while not (ready.exists() and ready.stat().st_size):
            if self._process.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError((ready.parent / "output").read_text(encoding="utf-8", errors="replace"))
            time.sleep(0.002)
        return int(json.loads(ready.read_text(encoding="utf-8"))["url"].rpartition(":")[2])


def pailu_up(folder: Path) -> Process:
    """`pailu up` as it is by default, with its data in a folder."""
    program = "from shared.cli.main import main; main()"
    arguments = ["-c", program, "up", "--port", "0"]
    return Process(arguments, {"PAILU_DATA": str(folder / "data"), "PAILU_TOKEN_SECRET": SECRET}, folder)


def until(reached: Callable[[], bool], seconds: float = 60) -> None:
    """Ask again and again. Raises TimeoutError."""
    deadline = time.monotonic() + seconds
    while not reached():
        if time.monotonic() > deadline:
            raise TimeoutError
        time.sleep(0.002)
