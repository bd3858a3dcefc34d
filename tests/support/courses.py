"""A competition over REST, from its announcement on, told by what its people do."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from tests.support.world import World


class Hall:
    """A competition whose entries are closed. At a table one hand is played, by which the first-named team wins where
    its dealer side holds all the points."""

    def __init__(self, world: World, regulation: str, forms: Sequence[dict[str, Any]], begins: datetime) -> None:
        self.world = world
        self.id = self.done("/registration/competitions", {"regulation": regulation})["stream"].partition("/")[2]
        self.base = f"competitions/{self.id}"
        self.done(f"/registration/{self.base}/entry-openings")
        for form in forms:
            self.done(f"/registration/{self.base}/entries", form)
        world.clock.set(begins)
        self.done(f"/registration/{self.base}/entry-closings")

    def done(self, path: str, body: Any = None, role: str = "organiser", **claims: Any) -> Any:
        response = self.world.post(path, body, role=role, **claims)
        assert response.status_code == 201, response.get_data(as_text=True)
        self.world.clock.advance(timedelta(seconds=20))
        return response.get_json()

    def refused(self, path: str, body: Any = None, role: str = "organiser") -> str:
        response = self.world.post(path, body, role=role)
        assert response.status_code == 409, response.get_data(as_text=True)
        slug: str = response.get_json()["type"].rpartition("/")[2]
        return slug

    def see(self, path: str) -> Any:
        response = self.world.get(path)
        assert response.status_code == 200, response.get_data(as_text=True)
        return response.get_json()

    def draw(self, body: Any = None) -> Any:
        return self.done(f"/match/{self.base}/draws", body)["events"][0]["data"]

    def pair(self) -> Any:
        return self.done(f"/match/{self.base}/rounds")["events"][0]["data"]

    def hand(self, match: str, points: int = 0) -> None:
        self.done(
            f"/match/{self.base}/matches/{match}/hands", {"hand": 1, "dealer": 1, "points": points}, role="referee"
        )

    def finish(self, paired: Any) -> None:
        """Time is called; every match that is open, and the round, are closed."""
        number = paired["round"]
        self.done(f"/match/{self.base}/rounds/{number}/time-calls", role="referee")
        for match in paired["matches"]:
            if self.see(f"/match/{self.base}/matches/{match['match']}")["result"] is None:
                self.done(f"/match/{self.base}/matches/{match['match']}/closings", role="referee")
        self.done(f"/match/{self.base}/rounds/{number}/closings", role="referee")

    def bracket(self) -> list[Any]:
        parts: list[Any] = self.see(f"/ranking/{self.base}/bracket")["brackets"]
        return parts

    def forfeit(self, match: str, *absent: str) -> None:
        self.done(f"/match/{self.base}/matches/{match}/forfeits", {"absent": absent, "reason": "未到"}, role="referee")

    def correct(self, number: int, match: str, points: int) -> None:
        """The chief referee opens the round for a match whose hand was entered wrongly, and it is put right."""
        self.done(
            f"/match/{self.base}/rounds/{number}/reopenings",
            {"matches": [match], "reason": "记分有误"},
            role="referee",
            chief=True,
        )
        self.done(
            f"/match/{self.base}/matches/{match}/hands/1/corrections",
            {"dealer": 1, "points": points, "reason": "看错"},
            role="referee",
            headers={"If-Match": self.world.get(f"/match/{self.base}/matches/{match}").headers["ETag"]},
        )
        self.done(f"/match/{self.base}/matches/{match}/closings", role="referee")
        self.done(f"/match/{self.base}/rounds/{number}/closings", role="referee")

    def declare(self) -> list[Any]:
        """The final places, put forward by one person and declared by another."""
        self.done(f"/match/{self.base}/place-proposals")
        self.done(f"/match/{self.base}/place-declarations", sub="director")
        shown = self.see(f"/ranking/{self.base}/places")
        assert shown["status"] == "declared"
        places: list[Any] = shown["places"]
        return places
