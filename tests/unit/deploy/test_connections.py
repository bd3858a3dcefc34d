"""A slow client holds a thread for a bounded time, and only few of them at once; a prompt one notices nothing of it."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator

import pytest

from deploy import connections
from deploy.connections import Connection
from tests.support.waiting import PATIENCE, wait_for


@pytest.fixture(autouse=True)
def _short(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "PROMPT", 0.05)
    monkeypatch.setattr(connections, "PATIENCE", 0.3)
    monkeypatch.setattr(Connection, "_places", threading.BoundedSemaphore(1))


@pytest.fixture
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """A slow one is never given up while a test lasts."""
    monkeypatch.setattr(connections, "PATIENCE", PATIENCE)


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
    assert time.monotonic() - began >= connections.PATIENCE, "not before its time is over"


def test_one_that_comes_byte_by_byte_is_given_up_too(pair: Pair) -> None:
    connection, client = pair
    over = threading.Event()

    def drip() -> None:
        while not over.wait(0.01):
            client.sendall(b"x")

    def given_up() -> bool:
        try:
            return not connection.recv(100)
        except ConnectionResetError:
            return True

    dripping = threading.Thread(target=drip)
    dripping.start()
    connection.begin()
    wait_for(given_up)
    over.set()
    dripping.join()


def test_an_answer_that_is_not_taken_is_given_up(pair: Pair) -> None:
    connection, _ = pair
    connection.begin()
    with pytest.raises(ConnectionResetError):
        connection.sendall(b"x" * (1 << 24))


@pytest.mark.usefixtures("patient")
def test_a_slow_one_finds_no_place_where_others_have_them_all_and_a_prompt_one_needs_none(
    pair: Pair, other: Pair
) -> None:
    slow, its_client = pair
    prompt, client = other
    slow.begin()
    waiting = threading.Thread(target=slow.recv, args=(100,))
    waiting.start()
    wait_for(lambda: slow._slow)
    prompt.begin()
    client.sendall(b"whole")
    assert prompt.recv(100) == b"whole"
    with pytest.raises(ConnectionResetError):
        prompt.recv(100)
    assert waiting.is_alive(), "the second was slow in its turn, and was not waited for as the first is"
    its_client.sendall(b"late")
    waiting.join()


@pytest.mark.usefixtures("patient")
def test_a_place_is_given_back(pair: Pair) -> None:
    connection, client = pair

    def send_late() -> None:
        wait_for(lambda: connection._slow)
        client.sendall(b"late")

    for _ in range(3):
        connection.begin()
        late = threading.Thread(target=send_late)
        late.start()
        assert connection.recv(100) == b"late"
        late.join()
        connection.end()


def test_an_answer_after_long_thought_is_sent_all_the_same(pair: Pair, monkeypatch: pytest.MonkeyPatch) -> None:
    """The time of a request runs while the app works; what the client can take at once is sent though it is over."""
    monkeypatch.setattr(connections, "PROMPT", 0.0)
    connection, client = pair
    connection.begin()
    connection.sendall(b"answer")
    assert client.recv(100) == b"answer"
