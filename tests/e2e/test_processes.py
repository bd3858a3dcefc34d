"""`pailu serve`, `pailu work` and `pailu store`, each as a process of its own: they wait for what is not there yet, end
in order, and say what a person must do."""

from __future__ import annotations

import os
import signal
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from deploy.child import free_port
from deploy.store import EmbeddedStore
from tests.support.servers import alive, family, pailu, serving, started
from tests.support.waiting import wait_for

SERVE = ("serve", "match", "--bind", "127.0.0.1:0")
WORK = ("work", "match")
STORE = ("store", "--port", "0")


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return tmp_path / "var"


@pytest.fixture
def store(tmp_path: Path) -> Iterator[EmbeddedStore]:
    with EmbeddedStore(tmp_path / "store") as store:
        yield store


def test_a_service_and_its_worker_wait_for_a_store_that_comes_later_and_end_in_order(data: Path) -> None:
    port = free_port()
    url = f"mongodb://127.0.0.1:{port}/?directConnection=true"
    with (
        started(data, *SERVE, PAILU_MONGO_URL=url) as serve,
        started(data, *WORK, PAILU_MONGO_URL=url) as work,
        started(data, "store", "--port", str(port)) as store,
    ):
        for process in (store, serve, work):
            process.await_ready()
        wait_for(lambda: serve.get("/match/readyz")[0] == 200)
        for process in (work, serve, store):
            output = process.stop(signal.SIGTERM)
            assert process.process.returncode == 0, output
            assert "Traceback" not in output
            wait_for(lambda pids=process.pids: not any(map(alive, pids)))  # type: ignore[misc]


def test_a_killed_http_worker_and_a_killed_store_are_started_again(data: Path) -> None:
    with serving(data, "match") as serve:
        os.kill(serve.pids[1], signal.SIGKILL)
        wait_for(lambda: not alive(serve.pids[1]) and len(family(serve.process.pid)) == len(serve.pids))
        assert serve.get("/match/livez")[0] == 200
    with started(data, *STORE) as store:
        store.await_ready()
        os.kill(store.pids[1], signal.SIGKILL)
        wait_for(lambda: not alive(store.pids[1]) and len(family(store.process.pid)) == len(store.pids))


@pytest.mark.parametrize("command", [WORK, STORE], ids=lambda words: str(words[0]))
def test_nohup_keeps_it_when_its_terminal_ends(data: Path, store: EmbeddedStore, command: tuple[str, ...]) -> None:
    with started(data, *command, before=["nohup"], PAILU_MONGO_URL=store.url) as kept:
        kept.await_ready()
        (ignored,) = (
            int(line.split()[1], 16)
            for line in Path(f"/proc/{kept.process.pid}/status").read_text().splitlines()
            if line.startswith("SigIgn")
        )
        assert ignored & 1 << signal.SIGHUP - 1


def test_nohup_keeps_a_service_when_its_terminal_ends(data: Path, store: EmbeddedStore) -> None:
    with started(data, *SERVE, before=["nohup"], PAILU_MONGO_URL=store.url) as kept:
        kept.await_ready()
        kept.process.send_signal(signal.SIGHUP)
        for _ in range(50):
            assert kept.get("/match/livez")[0] == 200


@pytest.mark.parametrize("command", [SERVE, WORK, STORE], ids=lambda words: str(words[0]))
def test_the_end_of_its_terminal_ends_it_in_order(data: Path, store: EmbeddedStore, command: tuple[str, ...]) -> None:
    with started(data, *command, PAILU_MONGO_URL=store.url) as ended:
        ended.await_ready()
        ended.stop(signal.SIGHUP)
        assert ended.process.returncode == 0


def test_a_port_in_use_is_named_with_another_to_choose(data: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        refused = pailu(data, "serve", "match", "--bind", f"127.0.0.1:{port}", PAILU_MONGO_URL="mongodb://127.0.0.1:1")
    assert refused.returncode == 1
    assert f"cannot serve on 127.0.0.1:{port}" in refused.stderr
    assert "serve match --bind" in refused.stderr


@pytest.mark.parametrize("command", [SERVE, WORK], ids=lambda words: str(words[0]))
def test_without_a_store_that_others_reach_it_says_how_to_start_one(data: Path, command: tuple[str, ...]) -> None:
    refused = pailu(data, *command)
    assert refused.returncode == 1
    assert "PAILU_MONGO_URL" in refused.stderr
    assert "pailu store" in refused.stderr
