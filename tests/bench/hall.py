"""A competition in a running Pailu, from its announcement to its first pairing, over HTTP; then hand after hand."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from shared.web.identity import Identity, mint
from tests.bench.web import SECRET, Connection, Reply, at_once, request

CONNECTIONS = 8
DAY = timedelta(days=1)
_BUREAU = Identity(sub="organiser", role="organiser")
_REFEREE = Identity(sub="referee", role="referee")


class Hall:
    """One competition with its first round paired. `ports` says where each service answers."""

    def __init__(self, ports: Mapping[str, int], name: str, teams: int) -> None:
        self.ports = ports
        self._name = name
        self._now = datetime.now(UTC)
        self._keys = 0
        self._connections = {port: Connection(port) for port in {*ports.values()}}
        day = (self._now + 14 * DAY).date().isoformat()
        closes = (self._now + 7 * DAY).isoformat()
        body = {"regulation": "jimei-2018", "name": name, "plays_from": day, "plays_to": day, "entries_close": closes}
        announced = self._post("/registration/competitions", _BUREAU, body)
        self.competition: str = announced.json["events"][0]["data"]["competition"]
        self._post(self._at("match", "/seeds"), _BUREAU, {}, announced)
        self._post(self._at("registration", "/entry-openings"), _BUREAU, {})
        entries = [self._entry(number) for number in range(teams)]
        at_once(ports["registration"], [entries[n::CONNECTIONS] for n in range(CONNECTIONS)])
        closed = self._post(self._at("registration", "/entry-closings"), _BUREAU, {"reason": "all are here"})
        self._post(self._at("match", "/draws"), _BUREAU, {}, closed)
        self.paired = self._post(self._at("match", "/rounds"), _BUREAU, {})
        paired = self.paired.json["events"][0]["data"]
        self.matches: list[str] = [one["match"] for one in paired["matches"]]
        self._regulation: str = paired["regulation"]
        self._tables: dict[str, int] = {one["match"]: one["table"] for one in paired["matches"]}

    def hands(self, matches: list[str], first: int, last: int) -> Iterator[bytes]:
        """Requests that enter these hands at these tables, the first hand at all of them, then the second."""
        token = self._token(_REFEREE)
        for item in self._items(matches, first, last):
            headers = token | {"Idempotency-Key": item["key"]}
            yield request("POST", self._at("match", f"/{item['to']}"), headers, item["body"])

    def held(self, matches: list[str], first: int, last: int) -> bytes:
        """One request that enters these hands as a batch, each with what a phone says of an entry that it holds."""
        items = list(self._items(matches, first, last))
        return request("POST", self._at("match", "/batches"), self._token(_REFEREE), {"items": items})

    def _items(self, matches: list[str], first: int, last: int) -> Iterator[dict[str, Any]]:
        for hand in range(first, last + 1):
            for match in matches:
                played = {"hand": hand, "dealer": 1 + (hand - 1) % 4, "points": 80, "trump": "SHCD"[hand % 4]}
                where = {"round": 1, "table": self._tables[match], "regulation": self._regulation}
                held = {"held": where | {"competition": self.competition}}
                body = played | {"equals_another": True} | held
                yield {"key": f"{self._name}-{match}-{hand}", "to": f"matches/{match}/hands", "body": body}

    def enter(self, sent: bytes) -> Reply:
        """Send one of these requests."""
        return self._connections[self.ports["match"]].ask(sent)

    def standings(self, after: Reply) -> Reply:
        """The standings, not before what a command wrote is in them."""
        headers = {"Pailu-Position": after.headers["pailu-position"]}
        asked = request("GET", self._at("ranking", "/standings"), headers)
        while (reply := self._connections[self.ports["ranking"]].ask(asked)).status == 503:
            pass
        assert reply.status == 200, reply
        return reply

    def shown(self, after: Reply) -> int:
        """How many hands the standings show."""
        return sum(one["hands"] for one in self.standings(after).json["in_progress"])

    def _entry(self, number: int) -> bytes:
        unit = f"{self._name} {number}"
        members = [{"part": "player", "name": f"{person}{number}", "born": "1970-01-01"} for person in "甲乙"]
        leader = Identity(sub=f"leader-{number}", role="leader", team=unit, competitions=(self.competition,))
        headers = self._token(leader) | {"Idempotency-Key": f"{self._name}-entry-{number}"}
        body = {"unit": unit, "name": unit, "members": members}
        return request("POST", self._at("registration", "/entries"), headers, body)

    def _post(self, path: str, who: Identity, body: object, after: Reply | None = None) -> Reply:
        self._keys += 1
        headers = self._token(who) | {"Idempotency-Key": f"{self._name}-{self._keys}"}
        if after is not None:
            headers["Pailu-Position"] = after.headers["pailu-position"]
        service = path.split("/")[1]
        while (reply := self._connections[self.ports[service]].ask(request("POST", path, headers, body))).status == 503:
            pass
        assert reply.status == 201, (path, reply.status, reply.body.decode())
        return reply

    def _at(self, service: str, rest: str) -> str:
        return f"/{service}/competitions/{self.competition}{rest}"

    def _token(self, who: Identity) -> dict[str, str]:
        return {"Authorization": f"Bearer {mint(who, SECRET, self._now, DAY)}"}
