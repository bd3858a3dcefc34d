"""One competition from its announcement to its places, as its people go through it. All that they enter follows from
its label, and nothing from when it is entered: played twice under one label it comes to the same."""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Sequence
from datetime import date, datetime, time, timedelta
from typing import Any

from deploy.demo.client import Answer
from deploy.demo.people import BUREAU, CHIEF, SECOND
from shared.web.identity import Identity
from tests.chaos.seasons.desks import Desk
from tests.chaos.seasons.phones import Phones, Sheet
from tests.support.phones import Item

NOTICE = timedelta(days=30)
PAPER = {"reason": "书面递交"}


class Course(ABC):
    """A competition. `events` are those it is played as: the cards, and what is played at boards beside them."""

    regulation: str
    boards: tuple[str, ...] = ()

    def __init__(self, desk: Desk, phones: Phones, label: str, today: date) -> None:
        self.desk, self.phones, self.label = desk, phones, label
        self.luck = random.Random(label)
        self.id = ""
        self.units: dict[str, str] = {}
        self.hands: dict[str, list[dict[str, Any]]] = {}
        self.finishes: dict[str, list[int]] = {}
        self.matches: dict[tuple[int, int], Any] = {}
        self._today = today
        self._keys = 0
        self._last: Answer | None = None

    # What every competition goes through

    def play(self) -> None:
        """From the first call to the last. Raises AssertionError where one is answered otherwise than it should be."""
        self._announce()
        for form in self.forms():
            entered = self.do(f"/registration/{self.base}/entries", BUREAU, form)
            self.units[entered.events[0]["team"]["id"]] = str(form["unit"])
        self.do(f"/registration/{self.base}/entry-closings", BUREAU, {"reason": "各队已到齐"})
        for event in self.events:
            self._play_event(event)
        self.appeal()
        for event in self.events:
            self._declare(event)

    @property
    def base(self) -> str:
        return f"competitions/{self.id}"

    @property
    def events(self) -> list[str]:
        """The ids under which it is played."""
        return [self.id, *(f"{self.id}.{board}" for board in self.boards)]

    @abstractmethod
    def forms(self) -> list[dict[str, Any]]:
        """Its entries; no person of them is in another competition."""

    @abstractmethod
    def sheet(self, event: str, match: Any, number: int) -> list[tuple[str, dict[str, Any]]]:
        """What is written down at a table of a round while it is played: addresses under the match, and bodies."""

    def late(self, event: str, match: Any) -> list[tuple[str, dict[str, Any]]]:
        """What of it is written down once time was called. Nothing, where no clock ends the match."""
        return []

    @abstractmethod
    def appeal(self) -> None:
        """The appeals over it; what is asked where its regulation has none."""

    # Its stages

    def _announce(self) -> None:
        day = self._today + NOTICE
        body = {
            "regulation": self.regulation,
            "name": self.label,
            "plays_from": day.isoformat(),
            "plays_to": (day + timedelta(days=1)).isoformat(),
            "entries_close": datetime.combine(day - timedelta(days=10), time(12)).isoformat(),
        }
        announced = self.do("/registration/competitions", BUREAU, body)
        self.id = str(announced.events[0]["competition"])
        self.do(f"/registration/{self.base}/entry-openings", BUREAU)
        for event in self.events:  # its seed is committed by a policy once entries are open
            self.desk.await_(f"/match/competitions/{event}", None, lambda seen: bool(seen["commitment"]))

    def _play_event(self, event: str) -> None:
        self.do(f"/match/competitions/{event}/draws", BUREAU)
        while True:
            paired = self.ask(f"/match/competitions/{event}/rounds", BUREAU)
            if paired.status == 201:
                self._round(event, paired.events[0])
            elif paired.slug == "stage-not-drawn":
                self.do(f"/match/competitions/{event}/draws", BUREAU)
            else:
                assert paired.slug == "all-rounds-paired", paired
                return

    def _round(self, event: str, paired: Any) -> None:
        number, at = paired["round"], f"/match/competitions/{event}"
        matches = self.absent(event, paired)
        timed = event == self.id and any(match["minutes"] or not match["game"] for match in matches)
        if timed:
            self.do(f"{at}/rounds/{number}/starts", CHIEF)
        self._send(event, number, [(match, self.sheet(event, match, number)) for match in matches])
        self.contested(event, paired)
        if timed:
            self.do(f"{at}/rounds/{number}/time-calls", CHIEF, {"reason": "各桌均已打完"})
        self._send(event, number, [(m, [*self.late(event, m), *self._signed(event, m)]) for m in matches])
        for match in matches:
            self.do(f"{at}/matches/{match['match']}/closings", CHIEF)
        self.do(f"{at}/rounds/{number}/closings", CHIEF)

    def absent(self, event: str, paired: Any) -> list[Any]:
        """The matches of a round that are played; who does not come has forfeited."""
        return list(paired["matches"])

    def _signed(self, event: str, match: Any) -> list[tuple[str, dict[str, Any]]]:
        """Both pairs confirm the sheet."""
        written = self.written(event, match)
        both = [{"pair": pair, "hands": written, "reason": "双方已签字"} for pair in ("13", "24")]
        return [("confirmations", body) for body in both]

    @abstractmethod
    def written(self, event: str, match: Any) -> int:
        """How many hands, or games, its sheet has in the end."""

    @abstractmethod
    def contested(self, event: str, paired: Any) -> None:
        """What two referees have entered otherwise."""

    def no_appeal(self, match: Any) -> None:
        """Where the hall's ruling is final, none is taken."""
        asked = {"match": match["match"], "grounds": "判罚有误", "asks_for": {"kind": "replay_match"}}
        team = match["teams"][0].rpartition("-")[0] if self.boards else match["teams"][0]
        refused = self.ask(f"/appeals/{self.base}/appeals", BUREAU, asked | {"team": self.units[team], **PAPER})
        assert refused.slug == "appeals-not-allowed", refused

    def choose(self, event: str, match: str, entries: str, rival: dict[str, Any], truth: dict[str, Any]) -> None:
        """Another referee, who had not seen it, enters a hand otherwise, and the chief referee chooses what was."""
        at = f"/match/competitions/{event}/matches/{match}"
        self.do(f"{at}/{entries}", Identity(sub=f"second referee of {self.label}", role="referee"), rival)
        shown = self.desk.await_(at, None, lambda seen: bool(seen["conflicts"]))
        (version,) = [one for one in shown["conflicts"][0]["versions"] if truth.items() <= one["facts"].items()]
        body = {"version": version["version"], "reason": "以记分表为准"}
        self.do(f"{at}/{entries}/{rival['hand']}/choices", CHIEF, body)

    def _declare(self, event: str) -> None:
        at = f"/match/competitions/{event}"
        for teams in self._tied(event):
            self.do(f"{at}/lots", BUREAU, {"teams": teams})
        self.do(f"{at}/place-proposals", BUREAU)
        self.do(f"{at}/place-declarations", SECOND)
        self.desk.await_(f"/ranking/competitions/{event}/places", None, lambda seen: bool(seen["status"] == "declared"))

    def _tied(self, event: str) -> list[list[str]]:
        """The ties that nothing but a lot parts, once the standings are those of the last round."""

        def done(seen: Any) -> bool:
            waiting = {"ruling_pending", "round_in_play", "rounds_to_play", "appeal_undecided"}
            return not waiting & {reason["code"] for reason in seen["reasons"]}

        seen = self.desk.await_(f"/ranking/competitions/{event}/standings", None, done)
        return [sorted(reason["teams"]) for reason in seen["reasons"] if reason["code"] == "lot_needed"]

    # Asking

    def ask(self, path: str, who: Identity, body: Any = None) -> Answer:
        """A command under the next key, which rests on the one before; whatever it is answered."""
        self._keys += 1
        answer = self.desk.ask(path, who, body, f"{self.label}-{self._keys}", self._last)
        if answer.status < 300:
            self._last = answer
        return answer

    def do(self, path: str, who: Identity, body: Any = None) -> Answer:
        """A command that succeeds."""
        answer = self.ask(path, who, body)
        assert answer.status in (200, 201), (path, body, answer.status, answer.body)
        return answer

    def _send(self, event: str, number: int, written: Sequence[tuple[Any, list[tuple[str, dict[str, Any]]]]]) -> None:
        """What is on the sheets of these tables, by the phones of their referees."""
        sheets: list[Sheet] = []
        for match, entries in written:
            who = Identity(sub=f"referee {match['table']} of {event}", role="referee")
            items = [self._item(event, number, match, n, *entry) for n, entry in enumerate(entries)]
            sheets.append((who, items))
        self.phones.send(event, [sheet for sheet in sheets if sheet[1]])

    def _item(self, event: str, number: int, match: Any, n: int, kind: str, body: dict[str, Any]) -> Item:
        where = {"competition": event, "round": number, "table": match["table"], "regulation": f"{self.regulation}/1"}
        told = body.get("hand", body.get("pair", n))
        return {
            "key": f"{event}-{match['match']}-{kind}-{told}",
            "to": f"matches/{match['match']}/{kind}",
            "body": body | {"held": where | {"device": f"phone {match['table']}"}},
        }

    def units_apart(self, count: int) -> list[str]:
        """Units that are in no other competition."""
        return [f"{self.label}单位{n}" for n in range(1, count + 1)]
