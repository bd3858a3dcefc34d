"""jimei-2018 over REST, from the entries to the awards: four Swiss rounds with a bye, an absence, a withdrawal, a
forfeit, a corrected result, and a tie that only a lot parts. The same in memory, on the embedded store, and on the
store with Apache Kafka."""

from __future__ import annotations

from contextlib import closing
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from pymongo import MongoClient

from shared.rules.formats.competition import Competition, PlayedMatch, Round, Team
from shared.rules.formats.standings import standings
from shared.rules.formats.swiss import pair
from shared.rules.regulations import load
from tests.support.courses import Hall
from tests.support.prompt import PromptLogs
from tests.support.world import START, Stored, World

UNITS = ("集美街道", "侨英街道", "杏林街道", "杏滨街道", "灌口镇", "后溪镇", "教育局")
NOVEMBER = datetime(2018, 11, 24, 1, 0, tzinfo=UTC)
EQUAL = 80
"""The dealer falls, nobody gains: a draw (十一.7, 十.2)."""
JIMEI = load("jimei-2018")


def form(unit: str) -> dict[str, Any]:
    members = [{"part": "player", "name": f"{unit}{n}", "born": "1980-01-01"} for n in (1, 2)]
    return {"unit": unit, "name": f"{unit}队", "members": members}


def entered(world: World) -> Hall:
    return Hall(world, "jimei-2018", [form(unit) for unit in UNITS], NOVEMBER)


@pytest.fixture(scope="module")
def hall() -> Hall:
    done = entered(World())
    play(done)
    return done


def test_from_the_entries_to_the_awards(hall: Hall) -> None:
    assert hall.see(f"/ranking/{hall.base}/places")["status"] == "declared"


def test_on_the_embedded_store(mongo: MongoClient[Any], database_prefix: str) -> None:
    play(entered(World(START, Stored(mongo, database_prefix))))


def test_over_kafka(mongo: MongoClient[Any], database_prefix: str, kafka_url: str) -> None:
    with closing(PromptLogs(kafka_url)) as logs:
        play(entered(World(START, Stored(mongo, database_prefix, logs))))


def play(hall: Hall) -> None:
    """The competition, every step checked on the way."""
    hall.draw()
    first = hall.pair()
    assert (len(first["matches"]), first["bye"] is not None, first["rounds_planned"]) == (3, True, 4)
    forfeited, corrected, drawn = first["matches"]
    hall.forfeit(forfeited["match"], forfeited["teams"][0])
    hall.hand(corrected["match"])
    hall.hand(drawn["match"], EQUAL)
    hall.finish(first)
    hall.correct(1, corrected["match"], EQUAL)

    hall.done(f"/match/{hall.base}/absences", {"team": first["bye"], "reason": "病假"})
    second = hall.pair()
    assert (second["absent"], second["bye"], len(second["matches"])) == ([first["bye"]], None, 3)
    for match in second["matches"]:
        hall.hand(match["match"], EQUAL)
    hall.finish(second)

    left = forfeited["teams"][0]
    hall.done(f"/match/{hall.base}/withdrawals", {"team": left, "reason": "单位有任务"})
    for _ in range(2):
        paired = hall.pair()
        assert left not in {team for match in paired["matches"] for team in match["teams"]}
        for match in paired["matches"]:
            hall.hand(match["match"], EQUAL)
        hall.finish(paired)
    assert hall.refused(f"/match/{hall.base}/rounds") == "all-rounds-paired"

    shown = hall.see(f"/ranking/{hall.base}/standings")
    assert [(row["rank"], row["team"]) for row in shown["rows"]] == expected(hall, {})
    tied = [reason["teams"] for reason in shown["reasons"] if reason["code"] == "lot_needed"]
    assert tied, "some teams are equal in everything"
    hall.world.clock.advance(timedelta(hours=24, seconds=1))
    assert hall.refused(f"/match/{hall.base}/place-proposals") == "lots-needed"
    lots: dict[str, int] = {}
    for teams in tied:
        order = hall.done(f"/match/{hall.base}/lots", {"teams": teams})["events"][0]["data"]["order"]
        lots |= {team: number for number, team in enumerate(order, 1)}
    places = hall.declare()
    assert [(place["rank"], place["team"]) for place in places] == expected(hall, lots)
    assert [place["award"] for place in places] == [1, 2, 3, 4, 5, 6, None]  # 不足九队减一录取


def expected(hall: Hall, lots: dict[str, int]) -> list[tuple[int | None, str]]:
    """The standings of the results that match shows, by the one function; with each round paired again on the way."""
    known = hall.see(f"/match/{hall.base}")
    teams = tuple(Team(one["team"]["id"], one["team"]["name"], one["team"]["unit"]) for one in known["drawn"])
    competition = Competition(teams=teams, seed=known["seed"], lots=lots)
    for shown in hall.see(f"/match/{hall.base}/rounds")["items"]:
        competition = after(competition, shown, known["withdrawn"])
    return [(row.rank, row.team) for row in standings(JIMEI, competition)]


def after(competition: Competition, shown: dict[str, Any], withdrawn: dict[str, int]) -> Competition:
    """The competition with one more round, which an auditor finds again from what is published."""
    fields = {name: getattr(competition, name) for name in ("teams", "rounds", "seed", "lots")}
    gone = tuple(team for team, first in withdrawn.items() if first <= shown["number"])
    again = pair(
        JIMEI,
        Competition(**fields, absent=tuple(shown["absent"]), withdrawn=gone),
        bytes.fromhex(competition.seed),
    )
    assert [list(match.teams) for match in again.matches] == [table["teams"] for table in shown["tables"]]
    assert again.bye == shown["bye"]
    matches = tuple(
        PlayedMatch(
            table=table["table"],
            teams=tuple(table["teams"]),
            points=tuple(table["result"]["points"]),
            status=table["result"]["status"],
        )
        for table in shown["tables"]
    )
    done = Round(number=shown["number"], matches=matches, byes=tuple(shown["byes"]), absent=tuple(shown["absent"]))
    return Competition(**(fields | {"rounds": (*competition.rounds, done)}))
