"""Guarantee: "`pailu up` is one command: it says where it is ready and in how many seconds, everything stops cleanly
and leaves nothing behind, a second start finds its data; a port in use, a locked or damaged data folder and a clock
behind the log get a clear message"."""

from __future__ import annotations

import contextlib
import json
import os
import re
import shlex
import signal
import socket
import stat
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from deploy.store import EmbeddedStore
from shared.eventsourcing.mongo import MongoJournal, connect
from shared.eventsourcing.records import Envelope
from tests.support import readme
from tests.support.servers import UP, Started, alive, family, pailu, running
from tests.support.waiting import wait_for


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return tmp_path / "var"


@pytest.fixture(scope="module")
def at_work(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Started]:
    """One that several tests look at and leave as it is."""
    with running(tmp_path_factory.mktemp("work") / "var") as up:
        yield up


ANNOUNCEMENT = {"regulation": "jimei-2018", "name": "集美区升级比赛"}


def test_it_serves_stops_at_ctrl_c_and_finds_its_data_again(data: Path) -> None:
    with running(data) as up:
        assert len(up.pids) == 3, "the arbiter, its worker and the store"
        token = pailu(data, "token", "--role", "organiser")
        assert token.stderr == ""
        assert token.stdout.count("\n") == 1
        status, answer = up.post("/registration/competitions", token.stdout.strip(), ANNOUNCEMENT, "announce-1")
        assert status == 201, answer
        wait_for(lambda: ANNOUNCEMENT["name"] in up.get("/registration/competitions")[1])
        listed = up.get("/registration/competitions")
        output = up.stop()
        assert up.process.returncode == 0
        assert re.search(rf"ready in \d+\.\d s at \S*{up.url}", output), "seconds are stated; speed is for the bench"
        assert "token --role organiser" in output
        assert "Stopped." in output
        assert "Traceback" not in output
        wait_for(lambda: not any(map(alive, up.pids)))
    assert stat.S_IMODE((data / "token-secret").stat().st_mode) == 0o600
    lines = (data / "log" / "pailu.log").read_text().splitlines()
    assert any(json.loads(line)["event"] == "request" for line in lines)
    with running(data) as again:
        assert again.get("/registration/competitions") == listed
        status, _ = again.post("/registration/competitions", token.stdout.strip(), ANNOUNCEMENT, "announce-1")
        assert status == 201, "the token still holds and the command is known"
        again.stop(signal.SIGTERM)
        assert again.process.returncode == 0
        wait_for(lambda: not any(map(alive, again.pids)))


def test_the_front_page_leads_to_every_service_and_needs_no_internet(at_work: Started) -> None:
    assert at_work.get("/livez")[0] == 200
    status, state = at_work.get("/readyz")
    assert status == 200
    helped = re.findall(r"^# HELP (\S+)", at_work.get("/metrics")[1], re.MULTILINE)
    assert sorted(helped) == sorted(set(helped)), "Prometheus takes one HELP line a metric"
    page = at_work.get("/")[1]
    for service in json.loads(state)["services"]:
        assert f'href="{service}/docs"' in page
        assert at_work.get(f"/{service}/readyz")[0] == 200
        document = json.loads(at_work.get(f"/{service}/openapi.json")[1])
        assert document["servers"] == [{"url": f"/{service}"}]
        docs = at_work.get(f"/{service}/docs")[1]
        assert "//" not in docs, "nothing is fetched from elsewhere"
        for asset in re.findall(r'(?:src|href)="([^"]+)"', docs):
            assert at_work.get(f"/{service}/{asset}")[0] == 200
    assert json.loads(at_work.get("/nothing", "zh")[1])["title"] == "没有找到"


@pytest.mark.parametrize("page", readme.READMES)
def test_a_readmes_commands_answer_what_it_shows(data: Path, page: str) -> None:
    with running(data) as up:
        token = ""
        for command, shown in readme.console(page):
            if command.startswith("TOKEN="):
                program, *arguments = shlex.split(command.removeprefix("TOKEN=$(").removesuffix(")"))
                assert program == ".venv/bin/pailu"
                token = pailu(data, *arguments).stdout.strip()
            else:
                assert _settled(up, command, token, shown) == shown


def _settled(up: Started, command: str, token: str, shown: str) -> str:
    """What a curl of a README prints, once the tables have what was written before it."""
    answers: list[str] = []

    def settled() -> bool:
        answers.append(readme.curl(command, up.url, {"TOKEN": token}))
        return answers[-1] == shown

    with contextlib.suppress(AssertionError):
        wait_for(settled, 30)
    return answers[-1]


def test_an_operator_rebuilds_and_looks_at_what_is_parked(at_work: Started) -> None:
    rebuilt = pailu(at_work.data, "rebuild", "registration")
    assert rebuilt.returncode == 0, rebuilt.stderr
    assert "generation 2" in rebuilt.stdout
    assert "Equal to the last byte" in rebuilt.stdout
    assert pailu(at_work.data, "parked").stdout == "Nothing is held.\n"
    refused = pailu(at_work.data, "parked", "retry", "registration", "nowhere")
    assert refused.returncode == 1
    assert refused.stderr.startswith("pailu: Nothing held")


def test_a_killed_worker_and_a_killed_store_come_back(data: Path) -> None:
    with running(data) as up:
        for victim in up.pids[1:]:
            os.kill(victim, signal.SIGKILL)
        wait_for(lambda: len(family(up.process.pid)) == 3 and not any(map(alive, up.pids[1:])))
        wait_for(lambda: up.get("/readyz")[0] == 200)
        up.process.kill()
        assert up.process.communicate()[0].count("Ctrl-C") == 1, "a person is welcomed once"


def test_nothing_outlives_a_killed_parent_and_the_next_start_waits_for_what_is_left(data: Path) -> None:
    with running(data) as up:
        up.process.kill()
        up.process.communicate()
        with running(data) as again:
            assert again.get("/readyz")[0] == 200
            wait_for(lambda: not any(map(alive, up.pids)))


def test_a_second_start_in_the_same_folder_and_one_on_the_same_port_are_refused(at_work: Started, data: Path) -> None:
    locked = pailu(at_work.data, *UP)
    assert locked.returncode == 1
    assert f"process {at_work.process.pid} ({at_work.url})" in locked.stderr
    port = at_work.url.rpartition(":")[2]
    taken = pailu(data, "up", "--port", port, lang="zh_CN.UTF-8")
    assert taken.returncode == 1
    assert f"127.0.0.1:{port}" in taken.stderr
    assert "另选端口" in taken.stderr
    assert "Traceback" not in locked.stderr + taken.stderr
    assert at_work.get("/livez")[0] == 200, "the one at work notices nothing"


def test_a_clock_behind_the_log_is_refused_with_both_times(data: Path) -> None:
    ahead = datetime.now(UTC) + timedelta(hours=3)
    store = EmbeddedStore(data / "store")
    store.start()
    with connect(store.url) as client:
        MongoJournal(client["pailu_registration"]).insert([recorded(ahead)])
    store.kill()
    refused = pailu(data, *UP)
    assert refused.returncode == 1
    assert ahead.isoformat(sep=" ", timespec="seconds") in refused.stderr
    assert datetime.now(UTC).strftime("%Y-%m-%d %H:") in refused.stderr
    assert "Traceback" not in refused.stderr


def test_a_damaged_folder_is_named_and_left_as_it_is(data: Path) -> None:
    store = EmbeddedStore(data / "store")
    store.start()
    store.kill()
    (data / "store" / "WiredTiger.turtle").write_bytes(b"\x00garbage" * 100)
    before = (data / "store" / "WiredTiger.turtle").read_bytes()
    refused = pailu(data, *UP)
    assert refused.returncode == 1
    assert "damaged" in refused.stderr
    assert "Traceback" not in refused.stderr
    assert (data / "store" / "WiredTiger.turtle").read_bytes() == before


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    refused = pailu(tmp_path / "file" / "var", *UP)
    assert refused.returncode == 1
    assert "cannot be written" in refused.stderr


def test_a_store_elsewhere_that_does_not_answer_is_named(data: Path) -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        nobody = probe.getsockname()[1]
    refused = pailu(data, *UP, PAILU_MONGO_URL=f"mongodb://127.0.0.1:{nobody}")
    assert refused.returncode == 1
    assert "does not answer" in refused.stderr
    assert "Traceback" not in refused.stderr


def recorded(at: datetime) -> Envelope:
    return Envelope(
        service="registration",
        stream="competition/x",
        version=1,
        type="CompetitionCancelled",
        type_version=1,
        data=b"{}",
        competition="x",
        command="c",
        actor="a",
        role="organiser",
        causation="",
        correlation="",
        received_at=at,
        position=1,
        previous=0,
        recorded_at=at,
    )
