"""Six writers on three services over HTTP, who keep outside what was acknowledged to them.

Each sends a command until it is answered, with one Idempotency-Key; what they remember is compared with the stores at
the end."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from deploy.demo.client import Answer, Client
from deploy.demo.people import BUREAU, SECOND, forms, referee
from shared.web.identity import Identity
from tests.support.waiting import PATIENCE, wait_for


@dataclass(frozen=True)
class Acknowledged:
    """One command that was answered 201."""

    service: str
    actor: str
    key: str
    events: list[Any]
    replayed: bool


@dataclass
class Record:
    """What was acknowledged to all writers, and what befell them."""

    commands: list[Acknowledged] = field(default_factory=list)
    requests: int = 0
    sent_again: int = 0
    lodged: set[str] = field(default_factory=set)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def by_service(self) -> Counter[str]:
        with self.lock:
            return Counter(one.service for one in self.commands)


class Hall:
    """Two competitions: one that is open for entries, and one in its first round at six tables."""

    def __init__(self, urls: Mapping[str, str], secret: str) -> None:
        self.record = Record()
        self._urls = urls
        self._secret = secret
        self._client = Client(urls, secret, patience=PATIENCE)
        self.entering = self._announce("报名中的比赛")
        self.playing, self.teams, self.paired = self._first_round()
        self._client.close()

    def client(self) -> Client:
        return Client(self._urls, self._secret, patience=PATIENCE)

    def _announce(self, name: str) -> str:
        day = datetime.now(ZoneInfo("Asia/Shanghai")).date() + timedelta(days=30)
        body = {
            "regulation": "jimei-2018",
            "name": name,
            "plays_from": day.isoformat(),
            "plays_to": (day + timedelta(days=1)).isoformat(),
            "entries_close": datetime.combine(day - timedelta(days=10), time(12)).isoformat(),
        }
        announced = self._client.post("/registration/competitions", BUREAU, body)
        competition = str(announced.events[0]["competition"])
        self._client.post(f"/match/competitions/{competition}/seeds", BUREAU, after=announced)
        self._client.post(f"/registration/competitions/{competition}/entry-openings", BUREAU)
        return competition

    def _first_round(self) -> tuple[str, dict[str, str], Answer]:
        competition = self._announce("进行中的比赛")
        registration, match = (f"/{service}/competitions/{competition}" for service in ("registration", "match"))
        for form in forms("chaos")[:-1]:
            self._client.post(f"{registration}/entries", BUREAU, form.body)
        closed = self._client.post(f"{registration}/entry-closings", BUREAU, {"reason": "all are here"})
        drawn = self._client.post(f"{match}/draws", BUREAU, after=closed)
        paired = self._client.post(f"{match}/rounds", BUREAU, after=drawn)
        for fixture in paired.events[0]["matches"]:
            hand = {"hand": 1, "dealer": 1, "points": 40, "trump": "S"}
            self._client.post(f"{match}/matches/{fixture['match']}/hands", referee(fixture["table"]), hand)
        teams = {fixture["match"]: fixture["teams"][0] for fixture in paired.events[0]["matches"]}
        return competition, teams, paired


class Writer(threading.Thread):
    """Sends one command after another until it is told to end. `error` is what stopped it before."""

    def __init__(self, hall: Hall, number: int) -> None:
        super().__init__(name=f"writer {number}", daemon=True)
        self.error: BaseException | None = None
        self._hall = hall
        self._number = number
        self._client = hall.client()
        self._ended = threading.Event()
        self._sent = 0

    def end(self) -> None:
        """The command in hand is still answered."""
        self._ended.set()

    def run(self) -> None:
        try:
            for _ in self._commands():
                if self._ended.is_set():
                    break
        except BaseException as error:
            self.error = error
        record = self._hall.record
        with record.lock:
            record.requests += self._client.asked
            record.sent_again += self._client.sent_again
        self._client.close()

    def _commands(self) -> Iterator[None]:
        return (self._enter, self._correct, self._appeal)[self._number % 3]()

    def _post(
        self, path: str, who: Identity, body: Any = None, after: Answer | None = None, seen: int | None = None
    ) -> Answer:
        self._sent += 1
        key = f"w{self._number}-{self._sent}"
        answer = self._client.post(path, who, body, key=key, after=after, seen=seen)
        done = Acknowledged(path.split("/")[1], who.sub, key, answer.body["events"], answer.replayed)
        with self._hall.record.lock:
            self._hall.record.commands.append(done)
        return answer

    def _enter(self) -> Iterator[None]:
        path = f"/registration/competitions/{self._hall.entering}/entries"
        while True:
            unit = f"单位 {self._number}-{self._sent}"
            members = [{"part": "player", "name": name, "born": date(1970, 1, 1).isoformat()} for name in ("甲", "乙")]
            self._post(path, BUREAU, {"unit": unit, "name": unit, "members": members})
            yield

    def _correct(self) -> Iterator[None]:
        table = self._number // 3 + 1
        match = f"/match/competitions/{self._hall.playing}/matches/r1t{table}"
        seen = 2  # it was opened, and its first hand entered
        while True:
            body = {"dealer": 1, "points": 5 * (self._sent % 16), "trump": "SHCD"[self._sent % 4], "reason": "misread"}
            seen = self._post(f"{match}/hands/1/corrections", referee(table), body, seen=seen).body["version"]
            yield

    def _appeal(self) -> Iterator[None]:
        """Drafted, reported, paid and confirmed: then a policy lodges it."""
        match = f"r1t{self._number // 3 + 3}"
        base = f"/appeals/competitions/{self._hall.playing}/appeals"
        team = self._hall.teams[match]
        who = Identity(sub=f"leader-{team}", role="leader", team=team, competitions=(self._hall.playing,))
        while True:
            body = {"match": match, "grounds": "wrong", "asks_for": {"kind": "replay_match"}}
            drafted = self._post(base, who, body, after=self._hall.paired)
            appeal = str(drafted.events[0]["appeal"])
            yield
            self._post(f"{base}/{appeal}/reports", who, {"reference": "report 1", "bears_seal": True})
            yield
            self._post(f"{base}/{appeal}/deposits", BUREAU, {"amount_fen": 50_000})
            yield
            self._post(f"{base}/{appeal}/deposits/confirmations", SECOND)
            with self._hall.record.lock:
                self._hall.record.lodged.add(appeal)
            yield


class Writers:
    """All six, and how far they are."""

    def __init__(self, hall: Hall, count: int = 6) -> None:
        self.record = hall.record
        self.all = [Writer(hall, number) for number in range(count)]

    def start(self) -> None:
        for writer in self.all:
            writer.start()

    def check(self) -> None:
        """Raises what stopped one of them."""
        for writer in self.all:
            if writer.error is not None:
                raise writer.error

    def await_more(self, services: tuple[str, ...], more: int) -> None:
        """Until so many commands more were acknowledged in each of these services."""
        before = self.record.by_service()

        def came() -> bool:
            self.check()
            now = self.record.by_service()
            return all(now[service] >= before[service] + more for service in services)

        wait_for(came)

    def stop(self) -> None:
        for writer in self.all:
            writer.end()
        for writer in self.all:
            writer.join(PATIENCE)
        self.check()


WRITING = ("registration", "match", "appeals")
"""The services that are written to."""
