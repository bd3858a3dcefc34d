"""A slow client holds a thread for a bounded time, and only few of them at once; a prompt one notices nothing of it."""

from __future__ import annotations

import contextlib
import socket
import threading
import time
from collections.abc import Iterator

import pytest

from deploy import connections
from deploy.connections import Connection


@pytest.fixture(autouse=True)
def _short(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "PROMPT", 0.05)
    monkeypatch.setattr(connections, "PATIENCE", 0.3)
    monkeypatch.setattr(Connection, "_places", threading.BoundedSemaphore(1))


@pytest.fixture
def pair() -> Iterator[tuple[Connection, socket.socket]]:
    """A server's end, and its client's."""
    ours, theirs = socket.socketpair()
    connection = Connection(fileno=ours.detach())
    with connection, theirs:
        yield connection, theirs


@pytest.fixture
def other() -> Iterator[tuple[Connection, socket.socket]]:
    ours, theirs = socket.socketpair()
    connection = Connection(fileno=ours.detach())
    with connection, theirs:
        yield connection, theirs


Pair = tuple[Connection, socket.socket]


def test_what_comes_at_once_is_read_at_once(pair: Pair) -> None:
    connection, client = pair
    for message in (b"one", b"two"):
        connection.begin()
        client.sendall(message)
        assert connection.recv(100) == message
        connection.sendall(message)
        assert client.recv(100) == message
        connection.end()


def test_a_request_that_never_ends_is_given_up(pair: Pair) -> None:
    connection, client = pair
    client.sendall(b"half")
    connection.begin()
    began = time.monotonic()
    assert connection.recv(100) == b"half"
    with pytest.raises(ConnectionResetError):
        connection.recv(100)
    assert 0.3 <= time.monotonic() - began < 2


def test_one_that_comes_byte_by_byte_is_given_up_too(pair: Pair) -> None:
    connection, client = pair
    over = threading.Event()

    def drip() -> None:
        while not over.wait(0.01):
            client.sendall(b"x")

    dripping = threading.Thread(target=drip)
    dripping.start()
    connection.begin()
    began = time.monotonic()
    with contextlib.suppress(ConnectionResetError):
        while connection.recv(100) and time.monotonic() - began < 5:
            pass
    over.set()
    dripping.join()
    assert time.monotonic() - began < 2


def test_an_answer_that_is_not_taken_is_given_up(pair: Pair) -> None:
    connection, _ = pair
    connection.begin()
    with pytest.raises(ConnectionResetError):
        connection.sendall(b"x" * (1 << 24))


def test_a_slow_one_finds_no_place_where_others_have_them_all_and_a_prompt_one_needs_none(
    pair: Pair, other: Pair
) -> None:
    slow, _ = pair
    prompt, client = other
    slow.begin()

    def wait() -> None:
        with pytest.raises(ConnectionResetError):
            slow.recv(100)

    waiting = threading.Thread(target=wait)
    waiting.start()
    time.sleep(0.1)
    prompt.begin()
    client.sendall(b"whole")
    assert prompt.recv(100) == b"whole"
    began = time.monotonic()
    with pytest.raises(ConnectionResetError):
        prompt.recv(100)
    assert time.monotonic() - began < 0.2, "it was slow in its turn, and was not waited for"
    waiting.join()


def test_a_place_is_given_back(pair: Pair) -> None:
    connection, client = pair
    for _ in range(3):
        connection.begin()
        threading.Timer(0.1, client.sendall, [b"late"]).start()
        assert connection.recv(100) == b"late"
        connection.end()


def test_an_answer_after_long_thought_is_sent_all_the_same(pair: Pair) -> None:
    """The time of a request runs while the app works; what the client can take at once is sent though it is over."""
    connection, client = pair
    connection.begin()
    time.sleep(0.1)
    connection.sendall(b"answer")
    assert client.recv(100) == b"answer"
