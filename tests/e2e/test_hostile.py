"""A server in a hall: phones that vanish halfway, clients that speak no HTTP, and a referee half of whose answers are
lost while parts are killed. Nobody else notices, every answer is a problem or what was asked for, nothing is lost.

What a connection may do is the same where one service is a process of its own."""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import random
import signal
import socket
import stat
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from deploy.connections import PATIENCE as CUT_OFF
from tests.support.servers import Started, family, pailu, running, serving
from tests.support.waiting import PATIENCE, wait_for


@pytest.fixture(scope="module")
def up(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Started]:
    with running(tmp_path_factory.mktemp("hostile") / "var") as up:
        yield up


@pytest.fixture(scope="module", params=["up", "serve"])
def server(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Started]:
    if request.param == "up":
        yield request.getfixturevalue("up")
    else:
        with serving(tmp_path_factory.mktemp("serve") / "var", "match") as serve:
            yield serve


def connected(server: Started, said: bytes) -> socket.socket:
    address = urlsplit(server.url)
    client = socket.create_connection((address.hostname, address.port), timeout=PATIENCE)
    client.sendall(said)
    return client


def answer(client: socket.socket) -> tuple[int, str, Any]:
    response = http.client.HTTPResponse(client)
    response.begin()
    raw = response.read()
    client.close()
    kind = response.headers.get_content_type()
    return response.status, kind, json.loads(raw) if kind.endswith("json") else raw


STALLED = {
    "silent": b"",
    "half a line": b"GET /li",
    "half a header": b"GET /livez HTTP/1.1\r\nHost: x\r\n",
    "half a body": b"POST /match/competitions/c/seeds HTTP/1.1\r\nHost: x\r\nContent-Length: 50\r\n\r\n{",
    "half a chunk": b"POST /match/competitions HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n50\r\n{",
    "answered and not closing": b"GET /livez HTTP/1.0\r\n\r\n",
    "refused and not closing": b"nonsense\r\n\r\n",
}


@pytest.mark.parametrize("said", STALLED.values(), ids=STALLED)
def test_phones_that_vanish_keep_nobody_else_from_an_answer(server: Started, said: bytes) -> None:
    """More of them than the server has threads come before those who are answered, and none is cut off yet then."""

    def not_kept() -> bool:
        with contextlib.ExitStack() as open_:
            began = time.monotonic()
            for _ in range(48):
                open_.enter_context(connected(server, said))
            for _ in range(5):
                assert server.get("/match/livez")[0] == 200
            return time.monotonic() - began < CUT_OFF

    wait_for(not_kept)  # on a slow machine the first try may tell nothing


NO_REQUEST = {
    "no HTTP": (b"\x16\x03\x01\x02\x00\x01\r\n\r\n", 400),
    "no such version": (b"GET / HTTP/3.0\r\n\r\n", 400),
    "no such method": (b"get / HTTP/1.1\r\nHost: x\r\n\r\n", 400),
    "a long line": (b"GET /?" + b"a" * 10_000 + b" HTTP/1.1\r\nHost: x\r\n\r\n", 414),
    "a long header": (b"GET / HTTP/1.1\r\nHost: x\r\nX: " + b"a" * 100_000 + b"\r\n\r\n", 431),
    "many headers": (b"GET / HTTP/1.1\r\nHost: x\r\n" + b"X: y\r\n" * 500 + b"\r\n", 431),
    "NUL in a header": (b"GET / HTTP/1.1\r\nHost: x\r\nX: a\0b\r\n\r\n", 400),
    "a folded header": (b"GET / HTTP/1.1\r\nHost: x\r\nX: a\r\n b\r\n\r\n", 400),
    "no length": (b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: x\r\n\r\n", 400),
    "two lengths": (b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab", 400),
    "a length and chunks": (
        b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        400,
    ),
    "no such coding": (b"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: sliced\r\n\r\n", 400),
}


@pytest.mark.parametrize(("said", "status"), NO_REQUEST.values(), ids=NO_REQUEST)
def test_what_is_no_request_is_answered_with_a_problem(server: Started, said: bytes, status: int) -> None:
    told, kind, problem = answer(connected(server, said))
    assert (told, kind, problem["status"]) == (status, "application/problem+json", status)
    assert problem["type"].startswith("https://pailu.example/problems/")
    assert len(json.dumps(problem)) < 500, "it does not repeat what it was sent"


@pytest.mark.parametrize("chunks", [b"zz\r\n", b"-5\r\nx", b"5;" + b"a" * 100_000 + b"\r\n", b"2\r\n{}xx0\r\n\r\n"])
def test_chunks_that_are_none_are_a_bad_request(server: Started, chunks: bytes) -> None:
    said = post("/match/competitions/c/seeds", token(server, "organiser"), "chunks")
    told, kind, _ = answer(connected(server, said + b"Transfer-Encoding: chunked\r\n\r\n" + chunks))
    assert (told, kind) == (400, "application/problem+json")


def test_nobody_says_for_a_proxy_what_was_asked_for(server: Started) -> None:
    said = b"GET /readyz HTTP/1.1\r\nHost: x\r\nScript-Name: /evil\r\nSCRIPT_NAME: /evil\r\nPATH_INFO: /livez\r\n\r\n"
    told, _, body = answer(connected(server, said))
    assert "services" in body, told


def test_the_data_folder_is_its_owners_alone(up: Started) -> None:
    """The keys of persons and the seeds of draws are in the store."""
    for folder in (up.data, up.data / "store"):
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700


def post(path: str, bearer: str, key: str) -> bytes:
    """The head of a command, but for how long its body is."""
    return (
        f"POST {path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {bearer}\r\nIdempotency-Key: {key}\r\n"
        "Content-Type: application/json\r\n"
    ).encode()


def token(up: Started, role: str, name: str = "") -> str:
    return pailu(up.data, "token", "--role", role, "--name", name or role).stdout.strip()


class Phone:
    """A referee's phone: half of the answers are lost on the way, and what was not answered is sent again."""

    def __init__(self, up: Started, bearer: str, seed: int) -> None:
        self._url = urlsplit(up.url)
        self._bearer = bearer
        self._random = random.Random(seed)

    def send(self, path: str, body: Any, key: str, lossy: bool = True) -> tuple[int, Any]:
        """Until it is answered."""
        answers: list[tuple[int, Any]] = []

        def answered() -> bool:
            with contextlib.suppress(OSError, http.client.HTTPException):
                answers.append(self._once(path, body, key, lossy))
            return bool(answers) and answers[-1][0] not in (0, 503)

        wait_for(answered)
        return answers[-1]

    def _once(self, path: str, body: Any, key: str, lossy: bool) -> tuple[int, Any]:
        connection = http.client.HTTPConnection(self._url.netloc, timeout=PATIENCE)
        headers = {
            "Authorization": f"Bearer {self._bearer}",
            "Idempotency-Key": key,
            "Content-Type": "application/json",
        }
        with contextlib.closing(connection):
            connection.request("POST", path, json.dumps(body), headers)
            luck = self._random.random() if lossy else 1.0
            if luck < 0.25:
                return 0, None
            response = connection.getresponse()
            said = json.loads(response.read())
            return (0, None) if luck < 0.5 else (response.status, said)


def started(up: Started, teams: int, name: str = "organiser") -> tuple[str, list[str]]:
    """A competition with its first round paired, by an organiser of this name; its path, and its matches."""
    organiser = Phone(up, token(up, "organiser", name), 0)
    keys = iter(range(1_000))

    def sent(path: str, body: Any = None) -> Any:
        status, said = organiser.send(path, body or {}, f"o-{next(keys)}", lossy=False)
        assert status == 201, said
        return said["events"][-1]["data"]

    dates = {"plays_from": "2100-01-01", "plays_to": "2100-01-02", "entries_close": "2099-12-01T12:00:00"}
    cup = sent("/registration/competitions", {"regulation": "jimei-2018"} | dates)["competition"]
    wait_for(lambda: up.get(f"/match/competitions/{cup}")[0] == 200)
    sent(f"/match/competitions/{cup}/seeds")
    sent(f"/registration/competitions/{cup}/entry-openings")
    for n in range(teams):
        players = [{"part": "player", "name": f"{n}{x}", "born": "1985-03-01"} for x in "甲乙"]
        sent(f"/registration/competitions/{cup}/entries", {"unit": f"{n}", "name": f"{n}队", "members": players})
    sent(f"/registration/competitions/{cup}/entry-closings", {"reason": "full"})

    def drawable() -> bool:
        status, _ = organiser.send(f"/match/competitions/{cup}/draws", {}, "draw", lossy=False)
        return status == 201

    wait_for(drawable)
    paired = sent(f"/match/competitions/{cup}/rounds")
    return f"/match/competitions/{cup}", [match["match"] for match in paired["matches"]]


def part_of(pid: int) -> str:
    """Which of the processes of a `pailu up` it is."""
    return "store" if b"store_process" in Path(f"/proc/{pid}/cmdline").read_bytes() else "worker"


def kill(up: Started, part: str) -> None:
    """What is not there at the moment cannot be killed."""
    with contextlib.suppress(StopIteration, OSError):
        os.kill(next(pid for pid in family(up.process.pid)[1:] if part_of(pid) == part), signal.SIGKILL)


@pytest.mark.parametrize("parts", [("worker", "store"), ("store", "worker"), ("store", "store")])
@pytest.mark.parametrize("gap", [0.05, 0.4])
def test_two_parts_killed_one_after_the_other_end_nothing(up: Started, parts: tuple[str, str], gap: float) -> None:
    """The second one is killed while what replaces the first is about to start."""
    kill(up, parts[0])
    time.sleep(gap)
    kill(up, parts[1])

    def at_work() -> bool:
        with contextlib.suppress(OSError, http.client.HTTPException):
            return up.get("/readyz")[0] == 200 and up.get("/match/readyz")[0] == 200
        return False

    wait_for(at_work, possible=up.running)


def test_every_hand_of_a_referee_on_a_bad_network_is_there_once_though_parts_are_killed(tmp_path: Path) -> None:
    with running(tmp_path / "var") as up:
        base, matches = started(up, 6)
        phones = {match: [Phone(up, token(up, "referee", f"{match}-{n}"), n) for n in range(2)] for match in matches}
        entered: dict[str, list[tuple[int, int]]] = {match: [] for match in matches}
        faults: list[str] = []

        def at_table(match: str) -> None:
            numbers = random.Random(match)
            for hand in range(1, 11):
                tries = [{"hand": hand, "dealer": 1, "points": numbers.choice([80, 85, 90])} for _ in range(2)]
                told: list[tuple[int, Any]] = [(0, None)] * 2

                def enter(n: int, hand: int = hand, tries: Any = tries, told: Any = told) -> None:
                    body = tries[n] | {"equals_another": True}
                    told[n] = phones[match][n].send(f"{base}/matches/{match}/hands", body, f"{hand}-{n}")

                both = [threading.Thread(target=enter, args=(n,)) for n in range(2)]
                for one in both:
                    one.start()
                for one in both:
                    one.join()
                if any(status not in (200, 201) for status, _ in told):
                    faults.append(f"{match} hand {hand}: {told}")
                    return
                events = [event for _, said in told for event in said["events"] if "facts" in event["data"]]
                if len(events) != len({t["points"] for t in tries}):
                    faults.append(f"{match} hand {hand}: {len(events)} versions of {tries}")
                entered[match] += [
                    (hand, event["data"]["facts"]["points"]) for event in events if event["type"] == "HandPlayed"
                ]

        tables = [threading.Thread(target=at_table, args=(match,)) for match in matches]
        for table in tables:
            table.start()
        for part, hands in (("store", 3), ("worker", 15), ("store", 30)):
            wait_for(lambda n=hands: bool(faults) or sum(map(len, entered.values())) >= n)  # type: ignore[misc]
            kill(up, part)
        for table in tables:
            table.join()
        assert not faults
        for match in matches:
            wait_for(lambda: up.get("/readyz")[0] == 200)
            events = json.loads(up.get(f"{base}/matches/{match}/events")[1])["items"]
            hands = [event["data"] for event in events if event["type"] == "HandPlayed"]
            assert [(hand["hand"], hand["facts"]["points"]) for hand in hands] == entered[match]
            assert len(hands) == 10
