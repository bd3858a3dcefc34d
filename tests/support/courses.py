"""A competition over REST, from its announcement on, told by what its people do."""

from __future__ import annotations

import copy
import re
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from tests.support.world import World

CHAIR = {"account": "chair", "unit": "主办单位"}
MOMENT = timedelta(milliseconds=200)
"""What a command takes: a competition is played in seconds, and only waiting moves the clock far."""
SEAT = re.compile(r"matches/r(\d+)(?:x\d+)?t(\d+)/(?:hands|finishes|games|penalties)\Z")
"""An entry at a table, from which a phone holds it back."""


class Hall:
    """A competition whose entries are closed. A match is the dictionary in which its pairing names it."""

    def __init__(
        self,
        world: World,
        regulation: str,
        forms: Sequence[dict[str, Any]],
        begins: datetime,
        changes: Mapping[str, Any] | None = None,
    ) -> None:
        self.world = world
        self.regulation = regulation
        self.forfeited: set[str] = set()
        announced = {"regulation": regulation, "changes": dict(changes or {})}
        self.id = self.done("/registration/competitions", announced)["stream"].partition("/")[2]
        self.base = f"competitions/{self.id}"
        self.done(f"/registration/{self.base}/entry-openings")
        world.settle()  # the seed of the draw is committed while entries are open
        for form in forms:
            self.done(f"/registration/{self.base}/entries", form)
        world.clock.set(begins)
        self.done(f"/registration/{self.base}/entry-closings")

    def beside(self, event: str) -> Hall:
        """The same hall at an event at a board."""
        other = copy.copy(self)
        other.id, other.forfeited = f"{self.id}.{event}", set()
        other.base = f"competitions/{other.id}"
        return other

    # Asking

    def done(self, path: str, body: Any = None, role: str = "organiser", **claims: Any) -> Any:
        """A command that succeeds."""
        response = self.world.post(path, body, role=role, **claims)
        assert response.status_code == 201, response.get_data(as_text=True)
        self.world.clock.advance(MOMENT)
        return response.get_json()

    def refusal(self, path: str, body: Any = None, role: str = "organiser", **claims: Any) -> tuple[str, str | None]:
        """A command that the rules refuse: by which rule, and by which article."""
        response = self.world.post(path, body, role=role, **claims)
        assert response.status_code == 409, response.get_data(as_text=True)
        problem = response.get_json()
        return problem["type"].rpartition("/")[2], problem.get("article")

    def refused(self, path: str, body: Any = None, role: str = "organiser", **claims: Any) -> str:
        return self.refusal(path, body, role, **claims)[0]

    def see(self, path: str, **query: Any) -> Any:
        response = self.world.get(path, **query)
        assert response.status_code == 200, response.get_data(as_text=True)
        return response.get_json()

    def together(self, *items: tuple[str, Any]) -> None:
        """What a referee's phone held back, sent at once: all of it succeeds."""
        sent = [
            {"key": f"held-{next(self.world.keys)}", "to": to, "body": (body or {}) | self._held(to)}
            for to, body in items
        ]
        response = self.world.post(f"/match/{self.base}/batches", {"items": sent}, role="referee")
        answers = response.get_json()
        assert answers["counts"] == {"201": len(items)}, answers
        self.world.clock.advance(MOMENT)

    def _held(self, to: str) -> dict[str, Any]:
        """What a phone says of an entry that it held: where it belongs."""
        found = SEAT.match(to)
        if found is None:
            return {}
        round_, table = map(int, found.groups())
        return {"held": {"competition": self.id, "round": round_, "table": table, "regulation": f"{self.regulation}/1"}}

    def wait(self, **time: float) -> None:
        """Time goes by, if only a moment, and what falls due meanwhile happens."""
        self.world.clock.advance(timedelta(**time))
        self.world.settle()

    # Draws and rounds

    def draw(self, body: Any = None) -> Any:
        return self.done(f"/match/{self.base}/draws", body)["events"][0]["data"]

    def pair(self) -> Any:
        return self.done(f"/match/{self.base}/rounds")["events"][0]["data"]

    def withdraw(self, team: str) -> None:
        self.done(f"/match/{self.base}/withdrawals", {"team": team, "reason": "单位有急事"})

    def call_time(self, paired: Any) -> None:
        self.done(f"/match/{self.base}/rounds/{paired['round']}/time-calls", role="referee")

    def unfinished(self, match: str, hand: int, phase: str) -> bool:
        """How far a hand was when time was called; whether it is finished."""
        said = self.done(
            f"/match/{self.base}/matches/{match}/unfinished-hands", {"hand": hand, "phase": phase}, "referee"
        )
        return bool(said["events"][0]["data"]["counts"])

    def close_round(self, paired: Any) -> None:
        self.done(f"/match/{self.base}/rounds/{paired['round']}/closings", role="referee")

    def finish(self, paired: Any) -> None:
        """Time is called; every match that is not forfeited, and the round, are closed."""
        self.call_time(paired)
        open_ = [match["match"] for match in paired["matches"] if match["match"] not in self.forfeited]
        self.together(*((f"matches/{match}/closings", None) for match in open_))
        self.close_round(paired)

    # At the table

    def hand(self, match: str, points: int = 0, number: int = 1, dealer: int = 1) -> None:
        """One hand; the first-named team wins by it where its dealer side holds all the points."""
        body = {"hand": number, "dealer": dealer, "points": points, "equals_another": True}
        self.done(f"/match/{self.base}/matches/{match}/hands", body, role="referee")

    def hands(self, matches: Sequence[Any], points: int = 0) -> None:
        """One hand at each of these tables."""
        body = {"hand": 1, "dealer": 1, "points": points}
        self.together(*((f"matches/{match['match']}/hands", body) for match in matches))

    def out(self, match: str, *finishes: Sequence[int], first: int = 1) -> None:
        """Hands of 掼蛋, from number `first` on, by who went out when."""
        bodies = (
            {"hand": number, "finish": list(finish), "equals_another": True}
            for number, finish in enumerate(finishes, first)
        )
        self.together(*((f"matches/{match}/finishes", body) for body in bodies))

    def penalty(self, match: str, hand: int, pair: str, code: str, **price: Any) -> Any:
        body = {"hand": hand, "pair": pair, "code": code, "reason": "裁判当场认定", **price}
        issued = self.done(f"/match/{self.base}/matches/{match}/penalties", body, role="referee")
        return issued["events"][-1]["data"]

    def game(self, match: Any, winner: str | None, number: int = 1) -> None:
        """A game at a board; the first-named team moves first. Nobody wins: they agree on a draw."""
        self.done(f"/match/{self.base}/matches/{match['match']}/games", self._game(match, winner, number), "referee")

    def games(self, paired: Any) -> None:
        """A round at the boards, from its first move to its closing: the player whose id is the lower wins."""
        matches = [match for match in paired["matches"] if match["match"] not in self.forfeited]
        if matches:
            self.together(
                *((f"matches/{match['match']}/games", self._game(match, min(match["teams"]))) for match in matches)
            )
            self.close(*(match["match"] for match in matches))
        self.close_round(paired)

    def _game(self, match: Any, winner: str | None, number: int = 1) -> dict[str, Any]:
        event = self.id.rpartition(".")[2]
        how = "agreement" if winner is None else "resignation"
        return {"game": number, "event": event, "first": match["teams"][0], "winner": winner, "how": how}

    def to_the_end(self, play: Callable[[Any], object]) -> None:
        """Every stage is drawn, every round paired and played."""
        self.draw()
        while True:
            response = self.world.post(f"/match/{self.base}/rounds")
            if response.status_code == 201:
                play(response.get_json()["events"][0]["data"])
                continue
            refused = response.get_json()["type"].rpartition("/")[2]
            if refused != "stage-not-drawn":
                assert refused == "all-rounds-paired", response.get_data(as_text=True)
                return
            self.draw()

    def close(self, *matches: str) -> None:
        self.together(*((f"matches/{match}/closings", None) for match in matches))

    def forfeit(self, match: str, *absent: str, late: Mapping[str, int] | None = None) -> None:
        body = {"absent": absent, "reason": "未到", "late": dict(late or {})}
        self.done(f"/match/{self.base}/matches/{match}/forfeits", body, role="referee")
        self.forfeited.add(match)

    def reopen(self, number: int, match: str) -> None:
        """The chief referee opens a closed round for a match that was entered wrongly."""
        body = {"matches": [match], "reason": "记分有误"}
        self.done(f"/match/{self.base}/rounds/{number}/reopenings", body, role="referee", chief=True)

    def correct(self, number: int, match: str, points: int) -> None:
        """The round is opened for a match whose first hand was entered wrongly, and it is put right."""
        self.reopen(number, match)
        self.put_right(match, "hands/1", {"dealer": 1, "points": points})
        self.close(match)
        self.close_round({"round": number})

    def put_right(self, match: str, what: str, truth: dict[str, Any]) -> None:
        """A referee who has the match before him corrects what was entered."""
        at = f"/match/{self.base}/matches/{match}"
        seen = {"If-Match": self.world.get(at).headers["ETag"]}
        self.done(f"{at}/{what}/corrections", truth | {"reason": "看错"}, role="referee", headers=seen)

    # Appeals

    def appeal_upheld(self, match: str, team: str, asks_for: dict[str, Any], later: dict[str, Any]) -> None:
        """From the leader's report and deposit to the decision, which gives what was asked for."""
        at, leader = f"/appeals/{self.base}/appeals", {"role": "leader", "team": team}
        asked = {"match": match, "grounds": "判罚有误", "asks_for": asks_for}
        one = f"{at}/{self.done(at, asked, **leader)['events'][0]['data']['appeal']}"
        self.done(f"{one}/reports", {"reference": "申诉书1号", "bears_seal": True}, **leader)
        fee = self.see(f"/appeals/{self.base}/deadlines")["deposit_fen"]
        self.done(f"{one}/deposits", {"amount_fen": fee}, sub="desk-1")
        self.done(f"{one}/deposits/confirmations", sub="desk-2")
        self.wait()  # the ledger's word reaches the appeal
        self.done(f"{one}/acceptances", role="committee")
        self.done(f"{one}/hearings", {"members": [CHAIR]}, role="committee")
        decision = {"outcome": "upheld", "reason": "查实", "members": [CHAIR], "remedy": asks_for}
        assert self.refused(f"{one}/decisions", decision, role="committee") == "later-rounds-rest-on-it"
        self.done(f"{one}/decisions", decision | {"later": later}, role="committee")

    # Looking

    def standings(self, **query: Any) -> list[Any]:
        asked = "&".join(f"{name}={value}" for name, value in query.items())
        rows: list[Any] = self.see(f"/ranking/{self.base}/standings?{asked}")["rows"]
        return rows

    def bracket(self) -> list[Any]:
        parts: list[Any] = self.see(f"/ranking/{self.base}/bracket")["brackets"]
        return parts

    # The end

    def lot(self, teams: Sequence[str], witness: str = "") -> list[str]:
        """A lot parts a tie: from the seed, or as it fell in the hall before a witness."""
        by_hand = {"by_hand": True, "witness": witness} if witness else {}
        drawn = self.done(f"/match/{self.base}/lots", {"teams": list(teams), **by_hand})
        order: list[str] = drawn["events"][0]["data"]["order"]
        return order

    def declare(self) -> list[Any]:
        """The final places, put forward by one person and declared by another."""
        self.done(f"/match/{self.base}/place-proposals")
        self.done(f"/match/{self.base}/place-declarations", sub="director")
        shown = self.see(f"/ranking/{self.base}/places")
        assert shown["status"] == "declared"
        places: list[Any] = shown["places"]
        return places
