"""Listeners on a real server: hundreds hold no thread, one that was cut off misses nothing though parts are killed, and
where services are processes of their own it is the same."""

from __future__ import annotations

import contextlib
import json
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from deploy.server import THREADS
from deploy.store import EmbeddedStore
from deploy.wiring import Wiring
from services.registration.app import create_app
from shared.eventsourcing.mongo import connect
from shared.eventsourcing.workers import Workers
from shared.web.identity import Identity, mint
from tests.e2e.test_hostile import Phone, kill, started, token
from tests.support.events_source import messages, places
from tests.support.servers import PAILU, Started, environment, running
from tests.support.waiting import wait_for
from tests.support.world import SECRET

HOUR = timedelta(hours=1)


class Ear:
    """A client that listens, in a thread of the test's own. `heard` are the events in the order in which they came."""

    def __init__(self, url: str, competition: str, bearer: str = "", last: str | None = None) -> None:
        address = urlsplit(url)
        self.client = socket.create_connection((address.hostname, address.port), timeout=60)
        lines = [f"GET /ranking/competitions/{competition}/events HTTP/1.1", f"Host: {address.netloc}"]
        lines += [f"Authorization: Bearer {bearer}"] if bearer else []
        lines += [f"Last-Event-ID: {last}"] if last is not None else []
        self.client.sendall("\r\n".join([*lines, "", ""]).encode())
        self.got = b""
        self.ended = threading.Event()
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        with contextlib.suppress(OSError):
            while more := self.client.recv(1 << 16):
                self.got += more
        self.ended.set()

    @property
    def status(self) -> int:
        return int(self.got.split(b" ")[1]) if b"\r\n\r\n" in self.got else 0

    @property
    def heard(self) -> list[dict[str, Any]]:
        return messages(self.got.partition(b"\r\n\r\n")[2])

    def close(self) -> None:
        with contextlib.suppress(OSError):
            self.client.shutdown(socket.SHUT_RDWR)
        self.client.close()


@pytest.fixture(scope="module")
def up(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Started]:
    with running(tmp_path_factory.mktemp("listeners") / "var") as up:
        yield up


def test_two_hundred_listeners_hold_no_thread_hear_all_and_keep_no_command_waiting(up: Started) -> None:
    base, tables = started(up, 4, "wang")
    competition = base.rpartition("/")[2]
    referee = Phone(up, token(up, "referee"), 1)
    secret = (up.data / "token-secret").read_text().strip()
    bearers = [mint(Identity(sub=f"p{n}", role="auditor"), secret, datetime.now(UTC), HOUR) for n in range(10)]
    with contextlib.ExitStack() as stack:
        ears = [Ear(up.url, competition, bearers[n % 10]) for n in range(200)]
        for ear in ears:
            stack.callback(ear.close)
        assert len(ears) > THREADS
        wait_for(lambda: all(ear.status == 200 for ear in ears), 60)
        for number in range(1, 6):
            body = {"hand": number, "dealer": 1, "points": 5 * number}
            status, said = referee.send(f"{base}/matches/{tables[0]}/hands", body, f"hand-{number}", lossy=False)
            assert status in (201, 409), said
        wait_for(lambda: all(len(ear.heard) >= 2 for ear in ears), 30)
        heard = ears[0].heard
        assert heard[0]["type"] == "MatchOpened"
        wait_for(lambda: all(ear.heard == ears[0].heard for ear in ears), 30)


def test_the_twenty_first_stream_of_one_address_is_429_and_a_closed_one_makes_room(up: Started) -> None:
    base, _ = started(up, 2, "li")
    competition = base.rpartition("/")[2]
    with contextlib.ExitStack() as stack:
        ears = [Ear(up.url, competition) for _ in range(20)]
        for ear in ears:
            stack.callback(ear.close)
        wait_for(lambda: all(ear.status == 200 for ear in ears), 30)
        refused = Ear(up.url, competition)
        wait_for(lambda: refused.status == 429)
        assert b"too-many-streams" in refused.got
        ears[0].close()

        def admitted() -> bool:
            with contextlib.closing(Ear(up.url, competition)) as again:
                wait_for(lambda: again.status != 0)
                return again.status == 200

        wait_for(admitted)


def test_one_that_is_cut_off_again_and_again_misses_nothing_though_parts_are_killed(up: Started) -> None:
    base, tables = started(up, 4, "chen")
    competition = base.rpartition("/")[2]
    referee = Phone(up, token(up, "referee"), 2)
    heard: list[dict[str, Any]] = []
    last = ""
    for number in range(1, 7):
        ear = listening(up, competition, last)
        body = {"hand": number, "dealer": 1, "points": 80 + 5 * (number % 2), "equals_another": True}
        assert referee.send(f"{base}/matches/{tables[0]}/hands", body, f"{number}", lossy=False)[0] in (201, 409)
        if number in (2, 4):
            kill(up, "worker" if number == 2 else "store")
        if number % 2:
            wait_for(lambda ear=ear: len(ear.heard) > 0, 30)
        ear.close()
        ear.ended.wait(10)
        heard += ear.heard
        last = heard[-1]["id"] if heard else last
    events = json.loads(wait_for_answer(up, f"{base}/matches/{tables[0]}/events"))["items"]
    played = sum(event["type"] == "HandPlayed" for event in events)
    ear = listening(up, competition, last)
    wait_for(lambda: sum(e["type"] == "HandPlayed" for e in [*heard, *ear.heard]) >= played, 30)
    heard += ear.heard
    ear.close()
    assert len(set(places(heard))) == len(heard), "nothing twice"
    hands = [event["hand"] for event in heard if event["type"] == "HandPlayed"]
    assert hands == list(range(1, played + 1)), "nothing lost, and in order"
    assert {"CompetitionAnnounced", "RoundPaired"} <= {event["type"] for event in heard}


def listening(up: Started, competition: str, last: str) -> Ear:
    """An ear that was admitted, whatever is starting again at the moment."""
    found: list[Ear] = []

    def admitted() -> bool:
        with contextlib.suppress(OSError):
            ear = Ear(up.url, competition, last=last)
            wait_for(lambda: ear.status != 0 or ear.ended.is_set(), 20)
            if ear.status == 200:
                found.append(ear)
                return True
            ear.close()
        return False

    wait_for(admitted, 30)
    return found[0]


def wait_for_answer(up: Started, path: str) -> str:
    answers: list[str] = []

    def answered() -> bool:
        with contextlib.suppress(OSError):
            status, body = up.get(path)
            if status == 200:
                answers.append(body)
        return bool(answers)

    wait_for(answered, 30)
    return answers[0]


def test_a_service_that_serves_alone_tells_what_another_process_has_projected(tmp_path: Path) -> None:
    """`pailu serve ranking` beside `pailu work ranking`; registration is a third process, this one."""
    with contextlib.ExitStack() as stack:
        store = stack.enter_context(EmbeddedStore(tmp_path / "store"))
        more = {"PAILU_MONGO_URL": store.url, "PAILU_TOKEN_SECRET": SECRET}
        ready = {name: tmp_path / f"{name}.ready" for name in ("serve", "work")}
        for name, arguments in {"serve": ["--bind", "127.0.0.1:0"], "work": []}.items():
            process = subprocess.Popen(
                [PAILU, name, "ranking", *arguments, "--ready-file", str(ready[name])],
                env=environment(tmp_path / "var") | more,
                stdout=sys.stderr,
            )
            stack.callback(process.wait, 30)
            stack.callback(process.terminate)
        wait_for(lambda: all(file.exists() for file in ready.values()), 60)
        url = json.loads(ready["serve"].read_text())["url"]

        client = connect(store.url)
        stack.callback(client.close)
        wiring = Wiring(client, SECRET)
        service = wiring.services(["registration"])["registration"]
        workers = Workers([service.engine])
        workers.start()
        stack.callback(workers.stop)
        app = create_app(service)
        announce = command(app, "/competitions", {"regulation": "jimei-2018"}, "1")
        competition = announce["stream"].partition("/")[2]
        ears: list[Ear] = []

        def admitted() -> bool:
            ear = Ear(url, competition, last="")
            wait_for(lambda: ear.status != 0)
            ears.append(ear)
            return ear.status == 200

        wait_for(admitted, 30)
        command(app, f"/competitions/{competition}/cancellations", {"reason": "雨"}, "2")
        wait_for(lambda: len(ears[-1].heard) == 2, 30)
        assert [event["type"] for event in ears[-1].heard] == ["CompetitionAnnounced", "CompetitionCancelled"]
        for ear in ears:
            ear.close()


def command(app: Any, path: str, body: Any, key: str) -> Any:
    bearer = mint(Identity(sub="o", role="organiser"), SECRET, datetime.now(UTC), HOUR)
    headers = {"Authorization": f"Bearer {bearer}", "Idempotency-Key": key}
    answer = app.test_client().post(path, json=body, headers=headers)
    assert answer.status_code == 201, answer.get_data(as_text=True)
    return answer.get_json()
