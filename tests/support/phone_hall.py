"""Phones that enter a whole round from their queues, and what must then be in the log: every entry once, none twice."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tests.support.phones import Answer, Figures, Item, Phone, Queue, Stuck
from tests.support.site import REGULATION
from tests.support.world import World

TRIES = 2_000
"""Of each phone: with nine of ten requests and answers lost, one in a hundred comes through."""
UNITS = [f"单位{n}" for n in range(1, 13)]


class Round:
    """A round of a competition in a world, paired at six tables, and what its referees have written on paper."""

    def __init__(self, world: World, hands: int) -> None:
        self.world = world
        self.id = self._done("/registration/competitions", {"regulation": "jimei-2018"})["stream"].partition("/")[2]
        self._done(f"/registration/competitions/{self.id}/entry-openings")
        for unit in UNITS:
            members = [{"part": "player", "name": f"{unit}{n}", "born": "1980-01-01"} for n in "甲乙"]
            body = {"unit": unit, "name": unit, "members": members}
            self._done(f"/registration/competitions/{self.id}/entries", body)
        self._done(f"/registration/competitions/{self.id}/entry-closings", {"reason": "各队已到齐"})
        self._done(f"/match/competitions/{self.id}/draws")
        paired = self._done(f"/match/competitions/{self.id}/rounds")["events"][0]["data"]
        self.tables: list[dict[str, Any]] = paired["matches"]
        self.hands = hands

    def _done(self, path: str, body: Any = None) -> Any:
        response = self.world.post(path, body, sub="organiser of the round")
        assert response.status_code == 201, response.get_data(as_text=True)
        return response.get_json()

    def sheet(self, table: dict[str, Any]) -> list[Item]:
        """All that a referee enters at a table: every hand, a penalty in every fourth, and both confirmations. From 80
        on the dealers fall without a gain, 十一.7, so no match is ever won."""
        items = []
        for number in range(1, self.hands + 1):
            items.append(self._item(table, "hands", f"h{number}", hand_of(number)))
            if number % 4 == 0:
                items.append(self._item(table, "penalties", f"p{number}", penalty_of(number)))
        for pair in ("13", "24"):
            body = {"pair": pair, "hands": self.hands, "penalties": self.hands // 4, "reason": "双方已签字"}
            items.append(self._item(table, "confirmations", f"c{pair}", body))
        return items

    def _item(self, table: dict[str, Any], kind: str, key: str, body: dict[str, Any]) -> Item:
        where = {"competition": self.id, "round": 1, "table": table["table"], "regulation": REGULATION}
        held = where | {"device": f"phone {table['table']}", "at": "1970-01-01T00:00:00Z"}
        match = table["match"]
        return {"key": f"{self.id}-{match}-{key}", "to": f"matches/{match}/{kind}", "body": body | {"held": held}}

    def post(self, items: Sequence[Item]) -> Sequence[Answer]:
        response = self.world.post(f"/match/competitions/{self.id}/batches", {"items": list(items)}, role="referee")
        assert response.status_code == 207, response.get_data(as_text=True)
        answers: Sequence[Answer] = response.get_json()["items"]
        return answers

    def check(self) -> None:
        """Every entry is in the log of its own match once, in order. Raises AssertionError."""
        for table in self.tables:
            path = f"/match/competitions/{self.id}/matches/{table['match']}/events"
            events = self.world.get(path).get_json()["items"]
            told = [(event["type"], event["data"]) for event in events]
            hands = [(data["hand"], data["facts"]["points"]) for kind, data in told if kind == "HandPlayed"]
            assert hands == [(n, hand_of(n)["points"]) for n in range(1, self.hands + 1)], table["match"]
            penalties = Counter(data["hand"] for kind, data in told if kind == "PenaltyIssued")
            assert penalties == Counter(range(4, self.hands + 1, 4)), table["match"]
            assert not [kind for kind, _ in told if kind == "HandVersionKept"], "nobody entered anything otherwise"
            shown = self.world.get(path.removesuffix("/events")).get_json()
            assert sorted(shown["confirmed"]) == ["13", "24"], table["match"]


def hand_of(number: int) -> dict[str, Any]:
    """No two hands of a match are the same: 80 and 85 points in each of four trumps, from each of four seats."""
    return {
        "hand": number,
        "dealer": 1 + number % 4,
        "points": 80 + 5 * (number // 16 % 4),
        "trump": "SHCD"[number // 4 % 4],
        "equals_another": number >= 64,
    }


def penalty_of(number: int) -> dict[str, Any]:
    """Claimed in time, whatever has been entered since."""
    return {"hand": number, "claimed_during": number, "pair": "13", "code": "signalling"}


def enter_all(round_: Round, folder: Path, seed: int, loss: float, most: int = TRIES) -> Figures:
    """Six phones enter and send at the same time until nothing waits. Raises Lost, Stuck."""
    luck, figures = random.Random(seed), Figures()
    phones = [
        (Phone(Queue(folder / f"{seed}-{n}.db"), round_.post, luck, loss), round_.sheet(table))
        for n, table in enumerate(round_.tables)
    ]
    going, tries = True, 0
    while going:
        going, tries = False, tries + 1
        if tries > most:
            raise Stuck([item["key"] for phone, _ in phones for item in phone.queue.waiting()])
        for phone, sheet in phones:
            for _ in range(min(len(sheet), luck.randint(1, 40))):
                phone.enter(sheet.pop(0))
            going = phone.send() or bool(sheet) or going
    for phone, _ in phones:
        phone.queue.close()
        figures.add(phone.seen)
    return figures
