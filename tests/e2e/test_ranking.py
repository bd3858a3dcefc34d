"""A competition over REST with the real services beside ranking: every number it shows is checked against the standings
function over the results that match itself answers."""

from __future__ import annotations

import random
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from shared.rules.formats.competition import Competition, PlayedMatch, Round, Team
from shared.rules.formats.standings import standings
from shared.rules.regulations import load
from tests.support.world import World

pytestmark = pytest.mark.over("memory", "kafka")

UNITS = ("集美街道", "侨英街道", "杏林街道", "杏滨街道", "灌口镇", "后溪镇")
ROUNDS = 4


class Hall:
    """The people of a competition: they enter, play, appeal and look at the standings."""

    def __init__(self, world: World, seed: int = 1) -> None:
        self.world = world
        self.chance = random.Random(seed)
        self.competition = self.done("/registration/competitions", {"regulation": "jimei-2018"})["stream"].partition(
            "/"
        )[2]
        self.base = f"competitions/{self.competition}"
        self.done(f"/registration/{self.base}/entry-openings")
        self.teams = {unit: self.enter(unit) for unit in UNITS}
        world.clock.set(datetime(2018, 11, 24, 0, 30, tzinfo=UTC))
        self.done(f"/registration/{self.base}/entry-closings")
        self.done(f"/match/{self.base}/draws")

    def enter(self, unit: str) -> str:
        members = [{"part": "player", "name": f"{unit}{n}", "born": "1980-01-01"} for n in (1, 2)]
        body = {"unit": unit, "name": f"{unit}队", "members": members}
        answer = self.done(f"/registration/{self.base}/entries", body)
        team: str = answer["events"][0]["data"]["team"]["id"]
        return team

    def done(self, path: str, body: Any = None, role: str = "organiser", **claims: Any) -> Any:
        """A command that succeeds."""
        response = self.world.post(path, body, role=role, **claims)
        assert response.status_code == 201, response.get_data(as_text=True)
        self.world.clock.advance(timedelta(seconds=20))
        return response.get_json()

    def see(self, what: str, **query: Any) -> Any:
        """What ranking answers now."""
        asked = "&".join(f"{name}={value}" for name, value in query.items())
        response = self.world.get(f"/ranking/{self.base}/{what}?{asked}")
        assert response.status_code == 200, response.get_data(as_text=True)
        return response.get_json()

    def rounds(self) -> list[Any]:
        items: list[Any] = self.world.get(f"/match/{self.base}/rounds").get_json()["items"]
        return items

    def pair(self) -> list[Any]:
        self.done(f"/match/{self.base}/rounds")
        tables: list[Any] = self.rounds()[-1]["tables"]
        return tables

    def hand(self, match: str, number: int, points: int, dealer: int = 1) -> None:
        body = {"hand": number, "dealer": dealer, "points": points, "equals_another": True}
        self.done(f"/match/{self.base}/matches/{match}/hands", body, role="referee")

    def close(self, number: int, tables: list[Any]) -> None:
        self.done(f"/match/{self.base}/rounds/{number}/time-calls", role="referee")
        for table in tables:
            self.done(f"/match/{self.base}/matches/{table['match']}/closings", role="referee")
        self.done(f"/match/{self.base}/rounds/{number}/closings", role="referee")

    def play(self, number: int) -> None:
        """A round of three hands a table."""
        tables = self.pair()
        for table in tables:
            for hand in (1, 2, 3):
                self.hand(table["match"], hand, 5 * self.chance.randint(0, 32), self.chance.randint(1, 4))
        self.close(number, tables)

    def expected(self) -> list[tuple[int | None, str, int, str]]:
        """The standings of the results that match answers."""
        rounds = tuple(
            Round(
                number=one["number"],
                matches=tuple(
                    PlayedMatch(
                        table=table["table"],
                        teams=tuple(table["teams"]),
                        points=tuple(table["result"]["points"]),
                        status=table["result"]["status"],
                    )
                    for table in one["tables"]
                ),
            )
            for one in self.rounds()
            if one["closed_at"]
        )
        competition = Competition(teams=tuple(Team(id) for id in self.teams.values()), rounds=rounds)
        rows = standings(load("jimei-2018"), competition)
        return [(row.rank, row.team, row.points, row.total.working) for row in rows]

    def shown(self, **query: Any) -> list[tuple[int | None, str, int, str]]:
        rows = self.see("standings", **query)["rows"]
        return [(row["rank"], row["team"], row["points"], row["total"]["working"]) for row in rows]


@pytest.fixture(scope="module")
def hall(event_log: None) -> Hall:
    return Hall(World())


def test_a_competition_from_the_draw_to_its_places(hall: Hall) -> None:
    world = hall.world
    assert hall.see("standings")["reasons"][0]["code"] == "places_not_declared"
    for number in range(1, ROUNDS):
        hall.play(number)
        assert hall.shown() == hall.expected()
        assert hall.see("standings")["after_round"] == number

    tables = hall.pair()
    before = hall.shown()
    first = tables[0]["match"]
    hall.hand(first, 1, 65)
    assert hall.see("standings")["in_progress"][0]["hands"] == 1
    assert hall.shown() == before
    hall.done(  # a revoke that was none: 80 against the pair 13
        f"/match/{hall.base}/matches/{first}/penalties",
        {"hand": 1, "pair": "13", "code": "revoke", "claimed_during": 1},
        role="referee",
    )
    for table in tables[1:]:
        hall.hand(table["match"], 1, 65)
    hall.close(ROUNDS, tables)
    assert hall.shown() == hall.expected()
    charged, closed_position = hall.shown(), hall.see("standings")["rests_on"]["match"]

    appeal = hall_appeals(hall, first, tables[0]["teams"][0])
    answer = hall.see("standings")
    assert hall.shown() == hall.expected()
    points = {team: points for _, team, points, _ in hall.shown()}
    assert {team: points[team] - was for _, team, was, _ in charged if points[team] != was} == {
        tables[0]["teams"][0]: 2,
        tables[0]["teams"][1]: -2,
    }
    assert hall.shown(as_of=f"match:{closed_position}") == charged
    assert appeal not in [reason["appeal"] for reason in answer["reasons"]]
    assert {reason["code"] for reason in answer["reasons"]} >= {"appeal_window_open", "places_not_declared"}

    for reason in answer["reasons"]:
        if reason["code"] == "lot_needed":
            hall.done(f"/match/{hall.base}/lots", {"teams": reason["teams"]})
    world.clock.advance(timedelta(hours=24))
    assert [reason["code"] for reason in hall.see("standings")["reasons"]] == ["places_not_declared"]
    hall.done(f"/match/{hall.base}/place-proposals", sub="first")
    hall.done(f"/match/{hall.base}/place-declarations", sub="second")
    final = hall.see("standings")
    assert (final["provisional"], final["reasons"]) == (False, [])
    places = hall.see("places")
    assert (places["status"], places["proposed_by"], places["declared_by"]) == ("declared", "first", "second")
    assert [(p["rank"], p["team"]) for p in places["places"]] == [(r["rank"], r["team"]) for r in final["rows"]]
    assert sum(place["award"] is not None for place in places["places"]) == places["places_awarded"] == 5
    assert [row["name"] for row in final["rows"]] == [place["name"] for place in places["places"]]


def hall_appeals(hall: Hall, match: str, team: str) -> str:
    """The charged team appeals, pays, and is right; the ruling lifts the penalty."""
    base = f"/appeals/{hall.base}/appeals"
    unit = next(unit for unit, id in hall.teams.items() if id == team)
    body = {"match": match, "grounds": "没有藏张", "asks_for": {"kind": "lift_penalty", "penalty": "p1"}}
    stream: str = hall.done(base, body, role="leader", team=unit)["stream"]
    appeal = stream.rpartition("/")[2]
    hall.done(f"{base}/{appeal}/reports", {"reference": "1", "bears_seal": True}, role="leader", team=unit)
    hall.done(f"{base}/{appeal}/deposits", {"amount_fen": 50000}, sub="desk")
    hall.done(f"{base}/{appeal}/deposits/confirmations", sub="cashier")
    assert appeal in [reason["appeal"] for reason in hall.see("standings")["reasons"]]
    hall.done(f"{base}/{appeal}/acceptances", role="committee")
    members = [{"account": "c1", "unit": "区体育局"}]
    hall.done(f"{base}/{appeal}/hearings", {"members": members}, role="committee")
    decision = {
        "outcome": "upheld",
        "remedy": {"kind": "lift_penalty", "penalty": "p1"},
        "reason": "牌谱无误",
        "members": members,
    }
    hall.done(f"{base}/{appeal}/decisions", decision, role="committee")
    return appeal


def test_a_rebuild_is_the_same_to_the_last_byte(hall: Hall) -> None:
    world = hall.world
    before = [hall.see(what) for what in ("standings", "crosstable", "places")]

    def generations() -> list[Any]:
        answer = world.get("/ranking/projection", role="operator").get_json()
        return [one for one in answer["generations"] if one["state"] in ("live", "retired")]

    [live] = generations()
    response = world.client("ranking").post(
        "/projection/rebuilds", headers={"Authorization": f"Bearer {world.token('operator')}"}
    )
    assert response.status_code == 202
    world.settle()
    rebuilt, retired = generations()
    assert (
        (rebuilt["digest"], rebuilt["rows"]) == (retired["digest"], retired["rows"]) == (live["digest"], live["rows"])
    )
    assert rebuilt["generation"] > live["generation"]
    assert [hall.see(what) for what in ("standings", "crosstable", "places")] == before


def test_an_unchanged_answer_is_not_sent_again(hall: Hall) -> None:
    path = f"/ranking/{hall.base}/standings"
    first = hall.world.get(path)
    again = hall.world.get(path, headers={"If-None-Match": first.headers["ETag"]})
    assert (again.status_code, again.data) == (304, b"")
    assert "Accept-Language" in first.headers["Vary"]


def test_a_reader_may_wait_for_what_it_wrote() -> None:
    world = World()
    response = world.client("registration").post(
        "/competitions",
        json={"regulation": "jimei-2018"},
        headers={"Authorization": f"Bearer {world.token('organiser')}", "Idempotency-Key": "k"},
    )
    competition = response.get_json()["stream"].partition("/")[2]
    path = f"/ranking/competitions/{competition}/standings"
    assert world.get(path).status_code == 404
    assert world.get(path, headers={"Pailu-Position": response.headers["Pailu-Position"]}).status_code == 200


def test_the_list_is_paged(hall: Hall) -> None:
    world = World()
    for number in range(3):
        world.post("/registration/competitions", {"regulation": "jimei-2018", "name": f"第{number}届"})
    first = world.get("/ranking/competitions?limit=2").get_json()
    rest = world.get(f"/ranking/competitions?limit=2&cursor={first['next']}").get_json()
    listed = [item["id"] for item in (*first["items"], *rest["items"])]
    assert listed == sorted(listed)
    assert (len(listed), rest["next"]) == (3, None)
    assert {item["status"] for item in first["items"]} == {"announced"}


def test_nothing_is_written_by_ranking(hall: Hall) -> None:
    assert hall.world.services["ranking"].engine.ports.journal.head() == 0
    document = hall.world.get("/ranking/openapi.json").get_json()
    commands = {path for path, methods in document["paths"].items() if "post" in methods}
    assert commands == {"/projection/rebuilds", "/held/{competition}/retries"}
