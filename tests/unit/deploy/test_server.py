"""A worker that waits for its store tells the arbiter that it lives."""

from __future__ import annotations

import socket
from collections.abc import Callable
from typing import Any

import pytest

from deploy import server
from deploy.server import Plan, Server
from shared.eventsourcing.errors import StoreUnavailable


class Beating:
    """A worker that counts how often it said so."""

    def __init__(self) -> None:
        self.beats = 0

    def notify(self) -> None:
        self.beats += 1


class Away:
    """A store that does not answer so many times."""

    def __init__(self, times: int) -> None:
        self.left = times
        self.admin = self

    def command(self, _name: str) -> None:
        if self.left:
            self.left -= 1
            raise OSError("away")


@pytest.fixture
def waiting(monkeypatch: pytest.MonkeyPatch) -> Callable[[bool], Any]:
    monkeypatch.setattr(server, "PAUSE", 0)
    monkeypatch.setattr(server, "STORE_PATIENCE", -1)

    def make(waits: bool) -> Any:
        made: Any = Server(
            Plan(
                listener=socket.socket(),
                mongo_url="",
                kafka=None,
                token_secret="",
                command="pailu",
                store=None,
                in_worker=lambda: None,
                on_ready=lambda _names: None,
                on_stop=lambda: None,
                waits=waits,
            )
        )
        made._worker = Beating()
        return made

    return make


def test_one_that_waits_as_long_as_it_takes_is_not_taken_for_one_that_hangs(
    waiting: Callable[[bool], Any],
) -> None:
    made = waiting(True)
    made._await_store(Away(3))
    assert made._worker.beats == 3


def test_one_that_does_not_wait_says_that_the_store_is_away(waiting: Callable[[bool], Any]) -> None:
    made = waiting(False)
    with pytest.raises(StoreUnavailable):
        made._await_store(Away(3))
