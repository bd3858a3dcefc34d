"""zhongshan-2013 over REST, from the entries to the awards: zones, placement, a withdrawal, a forfeit, a match decided
by the deal, and a corrected result. All numbers are from its articles."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from tests.support.world import World

DEPARTMENTS = ("内科", "外科", "儿科", "药学部", "检验科", "急诊科")
ONLY_ONE = 0
"""Points at which the dealer side gains three levels (七（一）3, 大光)."""


class Hall:
    """Six departments with two pairs each; at a table the first-named team wins unless it is told otherwise."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.id = self.done("/registration/competitions", {"regulation": "zhongshan-2013"})["stream"].partition("/")[2]
        self.base = f"competitions/{self.id}"
        self.done(f"/registration/{self.base}/entry-openings")
        for department in DEPARTMENTS:
            self.done(f"/registration/{self.base}/entries", _form(department))
        world.clock.set(datetime(2013, 10, 29, 10, 30, tzinfo=UTC))
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

    def hand(self, match: str, points: int = ONLY_ONE) -> None:
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


def _form(department: str) -> dict[str, Any]:
    """Two pairs, two players of each board, three substitutes, a leader."""
    members: list[dict[str, Any]] = [
        {"part": "player", "name": f"{department}牌手{pair}{n}", "event": "tractor_pairs", "pair": pair}
        for pair in (1, 2)
        for n in (1, 2)
    ]
    members += [
        {"part": "player", "name": f"{department}{event}{n}", "event": event}
        for event in ("xiangqi", "weiqi")
        for n in (1, 2)
    ]
    members += [{"part": "player", "name": f"{department}候补{n}", "substitute": True} for n in (1, 2, 3)]
    members.append({"part": "leader", "name": f"{department}领队"})
    for number, member in enumerate(members):
        member["identity_number"] = f"{department}{number}"
    return {"unit": department, "name": f"{department}队", "members": members}


@pytest.fixture(scope="module")
def hall() -> Hall:
    return Hall(World(datetime(2013, 9, 1, tzinfo=UTC)))


def test_from_the_entries_to_the_awards(hall: Hall) -> None:
    drawn = hall.draw()
    assert sorted(drawn["parts"]) == ["A", "B"]
    units = {one["team"]["id"]: one["team"]["unit"] for one in drawn["teams"]}
    for seats in drawn["parts"].values():
        assert sorted(units[team] for team in seats if team) == sorted(DEPARTMENTS)

    first = hall.pair()
    assert (first["stage"], len(first["matches"])) == ("zones", 6)
    forfeited, by_deal, corrected, *others = first["matches"]
    hall.done(
        f"/match/{hall.base}/matches/{forfeited['match']}/forfeits",
        {"absent": [forfeited["teams"][0]], "reason": "未到"},
        role="referee",
    )
    hall.hand(by_deal["match"], 80)  # the dealer falls, nobody gains: the other side is to deal next, and wins
    for match in (corrected, *others):
        hall.hand(match["match"])
    hall.finish(first)

    # a hand was entered wrongly: the attackers had 160, and gain two levels (七（一）3)
    name = corrected["match"]
    hall.done(
        f"/match/{hall.base}/rounds/1/reopenings", {"matches": [name], "reason": "记分有误"}, role="referee", chief=True
    )
    hall.done(
        f"/match/{hall.base}/matches/{name}/hands/1/corrections",
        {"dealer": 1, "points": 160, "reason": "看错"},
        role="referee",
    )
    hall.done(f"/match/{hall.base}/matches/{name}/closings", role="referee")
    hall.done(f"/match/{hall.base}/rounds/1/closings", role="referee")
    survivors = {team for part in hall.bracket() for team in part["survivors"]}
    assert survivors == {
        forfeited["teams"][1],
        by_deal["teams"][1],
        corrected["teams"][1],
        *(match["teams"][0] for match in others),
    }

    assert hall.refused(f"/match/{hall.base}/rounds") == "stage-not-drawn"
    placement = hall.draw()  # 第二阶段现场抽签
    assert {team for seats in placement["parts"].values() for team in seats if team} == survivors

    second = hall.pair()
    assert (second["stage"], len(second["matches"]), len(second["byes"])) == ("placement", 2, 2)
    for match in second["matches"]:
        hall.hand(match["match"])
    hall.finish(second)
    left = second["matches"][0]["teams"][0]
    hall.done(f"/match/{hall.base}/withdrawals", {"team": left, "reason": "急诊值班"})
    third = hall.pair()
    assert left not in {team for match in third["matches"] for team in match["teams"]}
    for match in third["matches"]:
        hall.hand(match["match"])
    hall.finish(third)
    fourth = hall.pair()
    for match in fourth["matches"]:
        hall.hand(match["match"])
    hall.finish(fourth)
    assert hall.refused(f"/match/{hall.base}/rounds") == "all-rounds-paired"

    rows = hall.see(f"/ranking/{hall.base}/standings")["rows"]
    assert [row["rank"] for row in rows] == [1, 2, 3, 4, 5, 6, 7, 7, 7, 7, 7, 7]
    final = next(match for match in fourth["matches"] if match["game"] == "3.P1")
    assert [row["team"] for row in rows[:2]] == final["teams"]
    assert rows[3]["team"] == left, "who left before the semi-final has lost it, and the match for third"

    hall.done(f"/match/{hall.base}/place-proposals")
    hall.done(f"/match/{hall.base}/place-declarations", sub="director")
    places = hall.see(f"/ranking/{hall.base}/places")
    assert places["status"] == "declared"
    assert [place["award"] for place in places["places"]] == [1, 2, 3, 4, 5, 6, *[None] * 6]


def test_every_game_of_the_bracket_says_where_it_was_played(hall: Hall) -> None:
    for part in hall.bracket():
        for game in part["games"]:
            assert bool(game["match"]) != game["unplayed"]
            assert game["winner"] in game["sides"]


def test_a_rebuild_gives_the_same_brackets(hall: Hall) -> None:
    before = hall.bracket()
    assert hall.world.post("/ranking/projection/rebuilds", role="operator").status_code == 202
    assert hall.bracket() == before


def test_the_standings_as_of_the_end_of_the_zones_stay_as_they_were(hall: Hall) -> None:
    rows = hall.see(f"/ranking/{hall.base}/standings?round=1")["rows"]
    assert [row["rank"] for row in rows] == [*[1] * 6, *[7] * 6]
