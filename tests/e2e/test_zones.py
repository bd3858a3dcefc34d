"""zhongshan-2013 over REST, from the entries to the awards: zones, placement, a withdrawal, a forfeit, a match decided
by the deal, and a corrected result. All numbers are from its articles. The same in memory, on the embedded store, and
on the store with Apache Kafka."""

from __future__ import annotations

from contextlib import closing
from datetime import UTC, datetime
from typing import Any

import pytest
from pymongo import MongoClient

from tests.support.courses import Hall
from tests.support.prompt import PromptLogs
from tests.support.world import Stored, World

DEPARTMENTS = ("内科", "外科", "儿科", "药学部", "检验科", "急诊科")


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


SEPTEMBER, OCTOBER = datetime(2013, 9, 1, tzinfo=UTC), datetime(2013, 10, 29, 10, 30, tzinfo=UTC)


@pytest.fixture(scope="module")
def hall() -> Hall:
    done = entered(World(SEPTEMBER))
    play(done)
    return done


def entered(world: World) -> Hall:
    """Six departments with two pairs each."""
    return Hall(world, "zhongshan-2013", [_form(each) for each in DEPARTMENTS], OCTOBER)


def test_from_the_entries_to_the_awards(hall: Hall) -> None:
    assert hall.see(f"/ranking/{hall.base}/places")["status"] == "declared"


def test_from_the_entries_to_the_awards_on_the_embedded_store(mongo: MongoClient[Any], database_prefix: str) -> None:
    play(entered(World(SEPTEMBER, Stored(mongo, database_prefix))))


def test_from_the_entries_to_the_awards_over_kafka(
    mongo: MongoClient[Any], database_prefix: str, kafka_url: str
) -> None:
    with closing(PromptLogs(kafka_url)) as logs:
        play(entered(World(SEPTEMBER, Stored(mongo, database_prefix, logs))))


def play(hall: Hall) -> None:
    """The competition, every step checked on the way."""
    drawn = hall.draw()
    assert sorted(drawn["parts"]) == ["A", "B"]
    units = {one["team"]["id"]: one["team"]["unit"] for one in drawn["teams"]}
    for seats in drawn["parts"].values():
        assert sorted(units[team] for team in seats if team) == sorted(DEPARTMENTS)

    first = hall.pair()
    assert (first["stage"], len(first["matches"])) == ("zones", 6)
    forfeited, by_deal, corrected, *others = first["matches"]
    hall.forfeit(forfeited["match"], forfeited["teams"][0])
    hall.hand(by_deal["match"], 80)  # the dealer falls, nobody gains: the other side is to deal next, and wins
    for match in (corrected, *others):
        hall.hand(match["match"])
    hall.finish(first)

    # a hand was entered wrongly: the attackers had 160, and gain two levels (七（一）3)
    hall.correct(1, corrected["match"], 160)
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

    assert [place["award"] for place in hall.declare()] == [1, 2, 3, 4, 5, 6, *[None] * 6]


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
