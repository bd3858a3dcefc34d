"""One thread that holds all listeners of a process: it looks for new events once for all of them, and writes what each
can take. A listener costs a socket and its place in the log, and no thread."""

from __future__ import annotations

import contextlib
import selectors
import socket
import threading
import time
from collections import deque
from collections.abc import Callable
from typing import Any

import structlog

from shared.web.listening import Page, Positions, Source, Stream, page

LOOK = 0.2
"""Seconds between two looks for new events."""
HEARTBEAT = 15.0
"""Seconds of silence after which a listener gets a comment, so that it, and every proxy between, knows of it."""
BEHIND = 1 << 18
"""Bytes that a listener may leave unread; one more, and it is let go: it comes again and says where it was."""
READS = 50
"""Pages that are read from the store at one look; who is behind may have to wait for the next."""
UNANSWERED_MS = 60_000
"""How long what was sent may stay without an answer of the client's machine."""
READ, WRITE = selectors.EVENT_READ, selectors.EVENT_WRITE

log = structlog.get_logger("pailu.server")


class Listener:
    """A client's socket, where it is in the log, and what it has not taken yet."""

    def __init__(self, stream: Stream, client: socket.socket, now: float) -> None:
        self.stream = stream
        self.client = client
        self.positions: Positions = stream.positions
        self.unsent = bytearray(stream.opening)
        self.heard_at = now
        self.ended = False

    @property
    def channel(self) -> tuple[Source, str]:
        return self.stream.source, self.stream.competition


class Fanout:
    """Takes streams over. `step` is one bounded piece of its work; `take` starts a thread that calls it."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._selector = selectors.DefaultSelector()
        self._waiting: deque[tuple[Stream, socket.socket]] = deque()
        self._listeners: deque[Listener] = deque()
        self._look_at = 0.0
        self._failing = False
        self._wakes, self._waker = socket.socketpair()
        self._wakes.setblocking(False)
        self._waker.setblocking(False)
        self._selector.register(self._wakes, READ)
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None

    def take(self, stream: Stream, client: socket.socket) -> None:
        """Go on with a stream, whose head was sent, on this socket."""
        self.add(stream, client)
        with self._lock:
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="fanout", daemon=True)
                self._thread.start()

    def add(self, stream: Stream, client: socket.socket) -> None:
        """As `take`, where somebody else calls `step`."""
        client.setblocking(False)
        with contextlib.suppress(OSError):
            client.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, UNANSWERED_MS)
        self._waiting.append((stream, client))
        with contextlib.suppress(BlockingIOError):  # it has been woken often enough
            self._waker.send(b"\0")

    def step(self) -> int:
        """Wait for whatever comes first: a socket, the next look, or the next heartbeat; and do it. How many listeners
        there are."""
        for key, events in self._selector.select(self._patience()):
            if key.data is None:
                self._woken()
            else:
                self._ready(key.data, events)
        now = self._now()
        if self._listeners and now >= self._look_at:
            self._look_at = now + LOOK
            self._look_if_possible()
        for listener in [one for one in self._listeners if now - one.heard_at >= HEARTBEAT]:
            listener.heard_at = now
            self._send(listener, b":\n\n")
        return len(self._listeners)

    def close(self) -> None:
        """Let everybody go."""
        for listener in list(self._listeners):
            self._end(listener)

    def _run(self) -> None:
        while True:
            self.step()

    def _patience(self) -> float | None:
        """Without listeners there is nothing to look for."""
        return max(0.0, self._look_at - self._now()) if self._listeners else None

    def _woken(self) -> None:
        with contextlib.suppress(BlockingIOError):
            self._wakes.recv(4096)
        while self._waiting:
            listener = Listener(*self._waiting.popleft(), self._now())
            self._listeners.append(listener)
            self._selector.register(listener.client, READ, listener)
            self._send(listener, b"")
            self._look_at = 0.0

    def _ready(self, listener: Listener, events: int) -> None:
        if events & WRITE:
            self._send(listener, b"")
        if events & READ and not listener.ended:
            try:
                said = listener.client.recv(4096)
            except BlockingIOError:
                return
            except OSError:
                said = b""
            if not said:
                self._end(listener)

    def _look_if_possible(self) -> None:
        """What cannot be read now is read at a later look; nobody loses their place by it."""
        try:
            self._look()
        except Exception as error:
            if not self._failing:
                log.warning("listeners hear nothing new", error=f"{type(error).__name__}: {error}")
            self._failing = True
        else:
            self._failing = False

    def _look(self) -> None:
        """Read what is new, once for all who are at the same place of the same competition. Whoever found no place in
        this look is first in the next."""
        channels: dict[Source, set[str]] = {}
        for source, competition in (one.channel for one in self._listeners):
            channels.setdefault(source, set()).add(competition)
        known = {source: source.positions(competitions) for source, competitions in channels.items()}
        read: dict[Any, Page] = {}
        for listener in list(self._listeners):
            source, competition = listener.channel
            upto = known[source][competition]
            if all(listener.positions.get(name, 0) >= upto.get(name, 0) for name in source.services):
                continue
            at = (source, competition, *sorted(listener.positions.items()))
            if at not in read:
                if len(read) >= READS:
                    self._look_at = 0.0
                    self._listeners.rotate(-self._listeners.index(listener))
                    return
                read[at] = page(source, competition, listener.positions, upto)
            listener.positions = read[at].positions
            if any(listener.positions.get(name, 0) < upto.get(name, 0) for name in source.services):
                self._look_at = 0.0
            if read[at].sent:
                self._send(listener, read[at].sent)

    def _send(self, listener: Listener, more: bytes) -> None:
        """Send what the client can take now, and the rest when it can."""
        listener.unsent += more
        try:
            while listener.unsent:
                del listener.unsent[: listener.client.send(listener.unsent)]
                listener.heard_at = self._now()
        except BlockingIOError:
            pass
        except OSError:
            self._end(listener)
            return
        if len(listener.unsent) > BEHIND:
            self._end(listener)
            return
        self._selector.modify(listener.client, READ | WRITE if listener.unsent else READ, listener)

    def _end(self, listener: Listener) -> None:
        listener.ended = True
        self._listeners.remove(listener)
        self._selector.unregister(listener.client)
        listener.client.close()
        listener.stream.close()
