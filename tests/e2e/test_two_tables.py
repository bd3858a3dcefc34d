"""shandong-2023 over REST, from the entries to the awards: twelve hands at each of two tables, points added, one more
hand where they are equal, a foul of half a point, a forfeit, a withdrawal, a corrected result. In memory, on the
embedded store, and on the store with Apache Kafka."""

from __future__ import annotations

from contextlib import closing
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from pymongo import MongoClient

from tests.support.courses import Hall
from tests.support.prompt import PromptLogs
from tests.support.world import Stored, World

UNITS = ("省财政厅", "省教育厅", "省交通厅", "省水利厅", "省文旅厅")
MAY, JUNE = datetime(2023, 5, 1, tzinfo=UTC), datetime(2023, 6, 13, 0, 30, tzinfo=UTC)
NOTHING, ONE = 100, 60
"""Points of the attackers at which nobody gains, and at which the dealer side gains one level (八.8)."""


def form(unit: str) -> dict[str, Any]:
    members = [
        {"part": "player", "name": f"{unit}{n}", "born": "1955-01-01", "sex": "male", "identity_number": f"{unit}{n}"}
        for n in range(4)
    ]
    return {"unit": unit, "name": f"{unit}队", "members": members}


def entered(world: World) -> Hall:
    return Hall(world, "shandong-2023", [form(unit) for unit in UNITS], JUNE)


@pytest.fixture(scope="module")
def hall() -> Hall:
    done = entered(World(MAY))
    play(done)
    return done


def test_from_the_entries_to_the_awards(hall: Hall) -> None:
    assert hall.see(f"/ranking/{hall.base}/places")["status"] == "declared"


def test_on_the_embedded_store(mongo: MongoClient[Any], database_prefix: str) -> None:
    play(entered(World(MAY, Stored(mongo, database_prefix))))


def test_over_kafka(mongo: MongoClient[Any], database_prefix: str, kafka_url: str) -> None:
    with closing(PromptLogs(kafka_url)) as logs:
        play(entered(World(MAY, Stored(mongo, database_prefix, logs))))


class Tables:
    """The two tables of a match."""

    def __init__(self, hall: Hall, paired: Any, game: int) -> None:
        self.hall, self.number = hall, paired["round"]
        self.boards = [match["match"] for match in paired["matches"][2 * game : 2 * game + 2]]
        self.teams = paired["matches"][2 * game]["teams"]

    def hand(self, board: int, number: int, dealer: int, points: int) -> None:
        body = {"hand": number, "dealer": dealer, "points": points}
        self.hall.done(f"/match/{self.hall.base}/matches/{self.boards[board]}/hands", body, role="referee")

    def twelve(self, *gained: int) -> Tables:
        """At each table the first side gains so many levels (below zero: the second side)."""
        for board, levels in enumerate(gained):
            for number in range(1, 13):
                dealer = 1 if levels >= 0 else 2
                self.hand(board, number, dealer, ONE if number <= abs(levels) else NOTHING)
        return self

    def close(self) -> None:
        for board in self.boards:
            self.hall.done(f"/match/{self.hall.base}/matches/{board}/closings", role="referee")


def play(hall: Hall) -> None:
    """The competition, every step checked on the way."""
    hall.draw()
    first = hall.pair()
    assert (len(first["matches"]), len(first["byes"])) == (2, 3)  # five teams have eight seats
    opening = Tables(hall, first, 0).twelve(1, -1)
    opening.close()
    assert hall.refused(f"/match/{hall.base}/rounds/1/closings", role="referee") == "extra-hand-due"
    hall.done(f"/match/{hall.base}/rounds/1/extra-hands", role="referee")
    opening.hand(0, 13, 1, NOTHING)
    opening.hand(1, 13, 1, NOTHING)
    hall.done(  # 偷看别人牌: 失 0.5 分
        f"/match/{hall.base}/matches/{opening.boards[0]}/penalties",
        {"hand": 13, "pair": "13", "code": "peeking", "lost": "0.5", "reason": "看邻座的牌"},
        role="referee",
    )
    opening.close()
    hall.done(f"/match/{hall.base}/rounds/1/closings", role="referee")

    second = hall.pair()
    assert len(second["matches"]) == 4
    assert opening.teams[1] in {team for match in second["matches"] for team in match["teams"]}
    given, corrected = Tables(hall, second, 0), Tables(hall, second, 1)
    for board in given.boards:
        hall.forfeit(board, given.teams[0])
    corrected.twelve(1, 0).close()
    hall.done(f"/match/{hall.base}/rounds/2/closings", role="referee")
    # the first hand of table 2 was entered wrongly: the attackers had 200, and gain three
    hall.correct(2, corrected.boards[1], 200)

    hall.done(f"/match/{hall.base}/withdrawals", {"team": given.teams[0], "reason": "身体不适"})
    third = hall.pair()
    assert len(third["matches"]) == 2, "no match for third: one of its teams has left"
    final = Tables(hall, third, 0)
    assert sorted(final.teams) == sorted([given.teams[1], corrected.teams[1]])
    final.twelve(0, 2).close()
    hall.done(f"/match/{hall.base}/rounds/3/closings", role="referee")
    assert hall.refused(f"/match/{hall.base}/rounds") == "all-rounds-paired"

    hall.world.clock.advance(timedelta(hours=24, seconds=1))
    places = hall.declare()
    assert [(place["rank"], place["team"]) for place in places] == [
        (1, final.teams[0]),
        (2, final.teams[1]),
        (3, corrected.teams[0]),
        (4, given.teams[0]),
        (5, opening.teams[0]),
    ]
    assert [place["award"] for place in places] == [1, 2, 3, 4, 5]  # 一等奖1、二等奖2、三等奖5


def test_the_bracket_shows_each_game_once(hall: Hall) -> None:
    (part,) = hall.bracket()
    assert [game["round"] for game in part["games"]] == [1, 1, 1, 1, 2, 2, 3, 3]
    assert [game["unplayed"] for game in part["games"]].count(False) == 4
