"""gunicorn's threaded worker for phones that vanish: no connection holds a thread, or the loop that serves all of them,
for longer than its request is worth.

As it comes, the worker gives each new connection a thread before it has said anything, waits for the rest of a request
without end, and lingers at a closing connection in its one loop. 32 phones that lost their reception halfway, or one
that does not close, would stop everybody."""

from __future__ import annotations

import contextlib
import errno
import json
import resource
import selectors
import socket
import threading
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from functools import partial
from typing import Any, TypeVar

from gunicorn.http import errors
from gunicorn.workers.gthread import TConn, ThreadWorker

from deploy.fanout import Fanout
from shared.web.listening import Stream
from shared.web.problems import TYPE

T = TypeVar("T")

PROMPT = 0.5
"""Seconds from its first byte in which a request and its answer go through, where reception is good."""
PATIENCE = 10.0
"""Seconds that a slower one may take."""
SLOW = 12
"""How many slower ones hold a thread at once; one more is cut off, and repeats with the same key."""
FILES = 4096
"""File descriptors that a worker may have open, where the system allows it: sockets above all."""
LINGER = 2.0
"""Seconds that a client may take to close a connection that was closed here."""

INTERNAL = (500, "internal", "Internal Server Error", "系统出错，出错已记录 / A fault of ours; it was logged.")
STATUS: dict[type[Exception], tuple[int, str, str, str]] = {
    errors.LimitRequestLine: (414, "uri-too-long", "URI Too Long", "请求行过长 / The request line is too long."),
    errors.LimitRequestHeaders: (
        431,
        "headers-too-large",
        "Request Header Fields Too Large",
        "请求头过大 / The header fields are too large.",
    ),
    errors.ExpectationFailed: (417, "expectation-failed", "Expectation Failed", "无法满足 Expect / Cannot be met."),
    errors.InvalidResponseHeader: INTERNAL,
    errors.InvalidResponseHeaderName: INTERNAL,
    errors.ParseException: (400, "bad-request", "Bad Request", "请求无法读取 / The request cannot be read."),
    Exception: INTERNAL,
}
"""What is no request never reaches an app, so its problem is said here, in both languages since none was asked for."""


class Connection(socket.socket):
    """A client's socket. While a request is in hand each wait is bounded, together by PROMPT, and by PATIENCE for those
    that have one of the few places of the slow ones."""

    _places = threading.BoundedSemaphore(SLOW)
    _slow = False
    _until = float("inf")

    def begin(self) -> None:
        """A request has begun to arrive."""
        self._until = time.monotonic() + PROMPT

    def end(self) -> None:
        """It is answered, or given up."""
        if self._slow:
            self._slow = False
            self._places.release()

    def recv(self, *args: Any) -> bytes:
        """As a socket's. Raises ConnectionResetError when the time is over."""
        receive = super().recv
        return self._in_time(lambda: receive(*args))

    def send(self, *args: Any) -> int:
        """As a socket's. Raises ConnectionResetError when the time is over."""
        send = super().send
        return self._in_time(lambda: send(*args))

    def sendall(self, data: Any, *args: Any) -> None:
        """As a socket's. Raises ConnectionResetError when the time is over."""
        left = memoryview(data).cast("B")
        while left:
            left = left[self.send(left, *args) :]

    def _in_time(self, call: Callable[[], T]) -> T:
        while True:
            left = self._until - time.monotonic()
            try:
                if left > 0 or not self._slow:
                    self.settimeout(max(left, 0.0))
                    return call()
            except (TimeoutError, BlockingIOError):
                pass
            finally:
                self.settimeout(None)
            if self._slow or not self._places.acquire(blocking=False):
                raise ConnectionResetError(errno.ECONNRESET, "too slow")
            self._slow, self._until = True, time.monotonic() + PATIENCE


class Body:
    """A request's body. What is wrong with its chunks is told as a client that goes away is: then it is a bad request
    to the app, and not a fault of it."""

    def __init__(self, body: Any) -> None:
        self._body = body

    def read(self, size: int = -1) -> bytes:
        try:
            return bytes(self._body.read(size))
        except errors.ParseException as error:
            raise ConnectionResetError(errno.ECONNRESET, str(error)) from error


def reading_bodies(app: Callable[..., Any]) -> Callable[..., Any]:
    """The WSGI app, its requests' bodies read through `Body`."""

    def wrapped(environ: dict[str, Any], start_response: Any) -> Any:
        return app(environ | {"wsgi.input": Body(environ["wsgi.input"])}, start_response)

    return wrapped


def handing_over(app: Callable[..., Any], fanout: Fanout) -> Callable[..., Any]:
    """The WSGI app; an answer of it that goes on is not written here but handed over with its socket, and its thread is
    free. What is raised then is gunicorn's own way to say that a connection needs nothing more."""

    def wrapped(environ: dict[str, Any], start_response: Any) -> Any:
        told: list[Any] = []

        def noted(status: str, headers: list[tuple[str, str]], error: Any = None) -> Any:
            told[:] = status, headers
            return start_response(status, headers, error)

        answer = app(environ, noted)
        if not isinstance(answer, Stream):
            return answer
        status, headers = told
        head = "".join(f"{name}: {value}\r\n" for name, value in [*headers, ("Connection", "close")])
        client = environ["gunicorn.socket"]
        try:
            client.sendall(f"HTTP/1.1 {status}\r\n{head}\r\n".encode("latin-1"))
        except OSError:
            answer.close()
            raise
        fanout.take(answer, socket.socket(fileno=client.detach()))
        raise StopIteration

    return wrapped


def _allow_files() -> None:
    """A listener holds a file descriptor, and many systems allow 1,024 unless one asks for more."""
    allowed, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = FILES if most == resource.RLIM_INFINITY else min(FILES, most)
    if allowed != resource.RLIM_INFINITY and allowed < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, most))


class PatientWorker(ThreadWorker):
    """A connection waits for its first byte, and for its client to close it, in the poller; one that is listened to is
    the fan-out's."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._lingering: deque[TConn] = deque()

    def load_wsgi(self) -> None:
        """The app, in this process; so the fan-out and its thread are this process's too."""
        super().load_wsgi()
        _allow_files()
        self.wsgi = handing_over(self.wsgi, Fanout())

    def accept(self, listener: socket.socket) -> None:
        """Take a new connection; a thread takes it over when it has something to say."""
        try:
            accepted, address = listener.accept()
        except OSError as error:
            if error.errno not in (errno.EAGAIN, errno.ECONNABORTED, errno.EWOULDBLOCK):
                raise
            return
        self.nr_conns += 1
        conn = TConn(self.cfg, Connection(fileno=accepted.detach()), address, listener.getsockname())
        conn.set_timeout()
        self.pending_conns.append(conn)
        self.poller.register(conn.sock, selectors.EVENT_READ, partial(self.on_pending_socket_readable, conn))

    def handle(self, conn: TConn) -> Any:
        """One request of a connection, in a thread."""
        conn.sock.begin()
        try:
            return super().handle(conn)
        finally:
            conn.sock.end()

    def finish_request(self, conn: TConn, done: Future[Any]) -> None:
        """In the loop: keep the connection for its next request, or close it."""
        if done.cancelled() or done.exception() is not None or done.result():
            super().finish_request(conn, done)
            return
        if conn.sock.fileno() < 0:  # handed over
            self._close(conn)
            return
        conn.timeout = time.monotonic() + LINGER
        try:
            conn.sock.setblocking(False)
            conn.sock.shutdown(socket.SHUT_WR)
            self.poller.register(conn.sock, selectors.EVENT_READ, partial(self._drain, conn))
        except OSError:
            self._close(conn)
        else:
            self._lingering.append(conn)

    def murder_pending(self) -> None:
        """Close connections that have said nothing, or were not closed by their clients, for too long."""
        super().murder_pending()
        while self._lingering and self._lingering[0].timeout <= time.monotonic():
            self._end(self._lingering[0])

    def handle_error(self, _req: Any, client: socket.socket, _addr: Any, exc: Exception) -> None:
        """Answer what is no request, or what went wrong outside the apps."""
        status, slug, reason, detail = next(told for kind, told in STATUS.items() if isinstance(exc, kind))
        if status == 500:
            self.log.exception("request not handled")
        problem = {"type": TYPE + slug, "title": reason, "status": status, "detail": detail}
        body = json.dumps(problem, ensure_ascii=False).encode()
        head = (
            f"HTTP/1.1 {status} {reason}\r\nConnection: close\r\nContent-Type: application/problem+json\r\n"
            f"Content-Length: {len(body)}\r\n\r\n"
        )
        with contextlib.suppress(OSError):
            client.sendall(head.encode() + body)

    def _drain(self, conn: TConn, _sock: socket.socket) -> None:
        """Bytes left unread would make the kernel reset the connection, and the client lose its answer."""
        try:
            left = socket.socket.recv(conn.sock, 1 << 16)
        except BlockingIOError:
            return
        except OSError:
            left = b""
        if not left:
            self._end(conn)

    def _end(self, conn: TConn) -> None:
        self._lingering.remove(conn)
        with contextlib.suppress(OSError, KeyError, ValueError):
            self.poller.unregister(conn.sock)
        self._close(conn)

    def _close(self, conn: TConn) -> None:
        self.nr_conns -= 1
        conn.close()
