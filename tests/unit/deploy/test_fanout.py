"""One thread's worth of work holds all listeners: each hears all that is public after its place, whoever else is slow,
gone, or silent; and it costs one look for all who are at the same place."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator

import pytest

from deploy import fanout as module
from deploy.fanout import BEHIND, HEARTBEAT, LOOK, Fanout
from shared.web.listening import Listeners, Stream
from tests.support.events_source import SERVICES, Told, messages, places

NOWHERE = dict.fromkeys(SERVICES, 0)


class Hall:
    """A fan-out on a clock that is moved by hand, and its clients."""

    def __init__(self) -> None:
        self.time = 0.0
        self.fanout = Fanout(lambda: self.time)
        self.source = Told()
        self.listeners = Listeners(per_client=1000)
        self.clients: list[socket.socket] = []

    def listen(self, after: dict[str, int] | None = None, competition: str = "c") -> socket.socket:
        ours, theirs = socket.socketpair()
        theirs.settimeout(5)
        self.clients.append(theirs)
        self.fanout.add(Stream(self.source, competition, after or NOWHERE, self.listeners.admit("x")), ours)
        return theirs

    def look(self) -> None:
        """One look, and what it leads to."""
        self.time += LOOK
        self.fanout.step()

    def close(self) -> None:
        self.fanout.close()
        for client in self.clients:
            client.close()


@pytest.fixture
def hall() -> Iterator[Hall]:
    made = Hall()
    yield made
    made.close()


def heard(client: socket.socket) -> bytes:
    """What has come until now."""
    client.setblocking(False)
    got = b""
    try:
        while more := client.recv(1 << 20):
            got += more
    except BlockingIOError:
        return got
    return got + b"CLOSED"


def test_each_hears_what_is_public_after_the_own_place(hall: Hall) -> None:
    for service in ("registration", "match", "match"):
        hall.source.tell(service)
    one, other = hall.listen(), hall.listen({"registration": 1, "match": 1, "appeals": 0})
    elsewhere = hall.listen(competition="d")
    hall.look()
    assert places(messages(heard(one))) == [("registration", 1), ("match", 1), ("match", 2)]
    assert places(messages(heard(other))) == [("match", 2)]
    hall.source.tell("appeals", public=False)
    hall.source.tell("match")
    hall.look()
    assert places(messages(heard(one))) == places(messages(heard(other))) == [("match", 3)]
    assert messages(heard(elsewhere)) == []


def test_one_that_comes_again_with_its_last_id_misses_nothing(hall: Hall) -> None:
    hall.source.tell("match")
    client = hall.listen()
    hall.look()
    client.close()
    hall.source.tell("match")
    hall.look()
    hall.source.tell("match")
    again = hall.listen({"registration": 0, "match": 1, "appeals": 0})
    hall.look()
    assert places(messages(heard(again))) == [("match", 2), ("match", 3)]
    assert hall.listeners.count() == 1, "who has closed is let go"


def test_two_hundred_at_one_place_cost_one_read(hall: Hall) -> None:
    clients = [hall.listen() for _ in range(200)]
    hall.look()
    hall.source.tell("match")
    reads = hall.source.reads
    hall.look()
    assert hall.source.reads - reads == 1
    assert all(places(messages(heard(client))) == [("match", 1)] for client in clients)


def test_while_nothing_happens_nothing_is_read(hall: Hall) -> None:
    hall.source.tell("match")
    hall.listen()
    hall.look()
    reads = hall.source.reads
    for _ in range(10):
        hall.look()
    assert hall.source.reads == reads


def test_a_look_reads_so_many_pages_and_the_others_come_first_at_the_next(
    hall: Hall, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "READS", 3)
    for _ in range(10):
        hall.source.tell("match")
    clients = [hall.listen({"registration": 0, "match": n, "appeals": 0}) for n in range(8)]
    hall.look()
    assert hall.source.reads == 3
    hall.look()
    hall.look()
    for n, client in enumerate(clients):
        assert places(messages(heard(client))) == [("match", position) for position in range(n + 1, 11)]


def test_one_far_behind_catches_up_page_by_page(hall: Hall) -> None:
    for n in range(500):
        hall.source.tell(SERVICES[n % 3])
    client = hall.listen()
    for _ in range(4):
        hall.look()
    assert sorted(places(messages(heard(client)))) == sorted(hall.source.public())


def test_one_that_takes_nothing_is_let_go_and_the_others_hear_all_the_same(
    hall: Hall, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "BEHIND", 10_000)
    slow, prompt = hall.listen(), hall.listen()
    said: list[tuple[str, int]] = []
    while hall.listeners.count() == 2:
        for _ in range(100):
            hall.source.tell("match")
        hall.look()
        said += places(messages(heard(prompt)))
        assert len(said) < 100_000, "the slow one is kept for ever"
    assert said == hall.source.public()
    assert heard(slow).endswith(b"CLOSED")
    assert BEHIND > 10_000


def test_in_silence_a_comment_is_sent(hall: Hall) -> None:
    client = hall.listen()
    hall.look()
    opening = heard(client)
    assert opening.startswith(b"retry: ")
    hall.time += HEARTBEAT
    hall.look()
    assert heard(client) == b":\n\n"
    hall.look()
    assert heard(client) == b""


def test_while_the_store_is_away_the_heart_beats_and_later_nothing_is_missing(hall: Hall) -> None:
    client = hall.listen()
    hall.look()
    heard(client)
    hall.source.fails = True
    hall.source.tell("match")
    hall.time += HEARTBEAT
    hall.look()
    assert heard(client) == b":\n\n"
    hall.source.fails = False
    hall.look()
    assert places(messages(heard(client))) == [("match", 1)]


def test_its_own_thread_does_the_same(hall: Hall) -> None:
    ours, theirs = socket.socketpair()
    hall.clients.append(theirs)
    theirs.settimeout(10)
    fanout = Fanout()
    hall.source.tell("match")
    fanout.take(Stream(hall.source, "c", NOWHERE, lambda: None), ours)
    wait_until(theirs, lambda got: places(messages(got)) == [("match", 1)])
    hall.source.tell("appeals")
    wait_until(theirs, lambda got: places(messages(got)) == [("appeals", 1)])


def wait_until(client: socket.socket, enough: Callable[[bytes], bool]) -> None:
    got = b""
    while not enough(got):
        more = client.recv(1 << 16)
        assert more, f"closed after {got!r}"
        got += more
