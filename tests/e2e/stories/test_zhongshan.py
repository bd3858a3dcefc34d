"""zhongshan-2013 over REST, from the entries to the awards: a player let in by the chief referee who turns out to be an
outsider, a pair that stays away without excuse, zones, placement, a withdrawal, a forfeit, a match decided by the deal,
a corrected result, and the money of the teams that are left. The lot that it needs parts nobody's place: equal levels
are won by the deal (七（一）2), places are played for and shared (五); it says who of an odd number goes on without a
match (七（一）1). All numbers are from its articles. In memory, on the embedded store, and on the store with Apache
Kafka."""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime
from fractions import Fraction
from itertools import groupby
from typing import Any

import pytest

from tests.support.courses import Hall
from tests.support.world import Means, World

DEPARTMENTS = ("内科", "外科", "儿科", "药学部", "检验科")
"""Five: of the five pairs of a zone one goes on by lot."""


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
    """Five departments with two pairs each."""
    return Hall(world, "zhongshan-2013", [_form(each) for each in DEPARTMENTS], OCTOBER)


def test_from_the_entries_to_the_awards(hall: Hall) -> None:
    assert hall.see(f"/ranking/{hall.base}/places")["status"] == "declared"


def test_on_a_store_and_over_a_log(means: Means) -> None:
    play(entered(World(SEPTEMBER, means, eager=False)))


def play(hall: Hall) -> None:
    """The competition, every step checked on the way."""
    let_in = not_on_the_form(hall)
    drawn = hall.draw()
    assert sorted(drawn["parts"]) == ["A", "B"]
    units = {one["team"]["id"]: one["team"]["unit"] for one in drawn["teams"]}
    for seats in drawn["parts"].values():
        assert sorted(units[team] for team in seats if team) == sorted(DEPARTMENTS)

    first = hall.pair()
    assert (first["stage"], len(first["matches"])) == ("zones", 4)
    assert set(first["byes"]) == {by_lot(drawn, zone) for zone in "AB"}
    forfeited = next(match for match in first["matches"] if units[match["teams"][0]] != DEPARTMENTS[0])
    by_deal, corrected, *others = (match for match in first["matches"] if match != forfeited)
    away = forfeited["teams"][0]
    hall.forfeit(forfeited["match"], away)
    hall.hand(by_deal["match"], 80)  # the dealer falls, nobody gains: the other side is to deal next, and wins
    hall.hands([corrected, *others])
    hall.finish(first)

    # a hand was entered wrongly: the attackers had 160, and gain two levels (七（一）3)
    hall.correct(1, corrected["match"], 160)
    unexcused(hall, away)
    survivors = {team for part in hall.bracket() for team in part["survivors"]}
    assert survivors == {
        *first["byes"],
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
    hall.hands(second["matches"])
    hall.finish(second)
    left = second["matches"][0]["teams"][0]
    hall.withdraw(left)
    third = hall.pair()
    assert left not in {team for match in third["matches"] for team in match["teams"]}
    hall.hands(third["matches"])
    hall.finish(third)
    fourth = hall.pair()
    hall.hands(fourth["matches"])
    hall.finish(fourth)
    assert hall.refused(f"/match/{hall.base}/rounds") == "all-rounds-paired"

    rows = hall.see(f"/ranking/{hall.base}/standings")["rows"]
    both = {team for team, unit in units.items() if unit == units[away]}  # 四: the team's results are cancelled
    assert not both & survivors
    assert [row["rank"] for row in rows] == [1, 2, 3, 4, 5, 6, 7, 7, None, None]
    assert {row["team"] for row in rows[-2:]} == both
    final = next(match for match in fourth["matches"] if match["game"] == "3.P1")
    assert [row["team"] for row in rows[:2]] == final["teams"]
    assert rows[3]["team"] == left, "who left before the semi-final has lost it, and the match for third"

    places = hall.declare()
    assert [place["award"] for place in places] == [1, 2, 3, 4, 5, 6, None, None]
    given = hall.see(f"/ranking/{hall.base}/awards")["awards"]  # 五（四）: 前六名礼品, 前三名奖牌
    assert [one["prizes"] for one in given] == [["gift", "medal"]] * 3 + [["gift"]] * 3
    an_outsider(hall, let_in)
    the_money(hall, [DEPARTMENTS[0], units[away]], places, units)


def by_lot(drawn: Any, zone: str) -> str:
    """七（一）1: of an odd number one goes on by lot, labelled `bye`, the zone and the round: the number in the list
    whose sha256 with seed and label is the least, as anybody can find out once the seed is revealed."""

    def ticket(number: int) -> bytes:
        return hashlib.sha256(bytes.fromhex(drawn["seed"]) + f"\nbye {zone} 1\n{number}".encode()).digest()

    seated = dict(enumerate((team for team in drawn["parts"][zone] if team), 1))
    return str(seated[min(seated, key=ticket)])


def unexcused(hall: Hall, away: str) -> None:
    """四: 如有无故弃权……则取消比赛成绩和奖金. That there was no reason is the chief referee's to find."""
    at, body = f"/match/{hall.base}/disqualifications", {"team": away, "reason": "无故弃权"}
    assert hall.world.post(at, body, role="referee").status_code == 403, "the chief referee's alone"
    hall.done(at, body, role="referee", chief=True)


def not_on_the_form(hall: Hall) -> str:
    """六（一）: 非报名名单内的选手需要通过裁判长同意才能上场."""
    entries = hall.see(f"/registration/{hall.base}/entries")["items"]
    entry: str = next(one["team"] for one in entries if one["unit"] == DEPARTMENTS[0])
    player = {"part": "player", "name": "替补牌手", "event": "tractor_pairs", "identity_number": "名单外"}
    asked = {"member": player, "reason": "原报名选手急诊值班"}
    consents = f"/registration/{hall.base}/entries/{entry}/consents"
    assert hall.world.post(consents, asked, role="referee").status_code == 403, "the chief referee's alone"
    hall.done(consents, asked, role="referee", chief=True)
    return entry


def an_outsider(hall: Hall, entry: str) -> None:
    """四: 请外单位人员……则取消比赛成绩和奖金. The desk finds that the player is none of the hospital's staff."""
    at = f"/registration/{hall.base}/entries/{entry}"
    found = {"rule": "bond", "member": 12, "holds": False, "reason": "非本院职工"}
    hall.done(f"{at}/confirmations", found, sub="desk-1")
    assert hall.see(f"{at}/checks", role="organiser")["broken"]


def the_money(hall: Hall, cancelled: list[str], places: list[Any], units: dict[str, str]) -> None:
    """Results and money of both teams are cancelled, and those below move up (四); the boards are not played, so the
    cards decide. A shared place has an equal part of the points that it covers."""
    points = dict.fromkeys((each for each in DEPARTMENTS if each not in cancelled), Fraction(0))
    standing = [place for place in places if units[place["team"]] in points]
    at, awarded = 0, [9, 7, 6, 5, 4, 3]
    for _, group in groupby(standing, key=lambda place: place["rank"]):
        sharing = [units[place["team"]] for place in group]
        for unit in sharing:
            points[unit] += Fraction(sum(awarded[at : at + len(sharing)]), len(sharing))
        at += len(sharing)
    assert sum(points.values()) == 9 + 7 + 6 + 5 + 4 + 3
    assert len(set(points.values())) == 3, "no two are equal"

    shown = hall.see(f"/ranking/{hall.base}/totals")["rows"]
    names = {row["team"]: row["name"].removesuffix("队") for row in shown}
    best = sorted(points, key=lambda unit: -points[unit])
    assert [names[row["team"]] for row in shown[:3]] == best
    assert [Fraction(row["points"]["all"]) for row in shown[:3]] == [points[unit] for unit in best]
    assert [row["money_yuan"] for row in shown[:3]] == [2000, 1600, 1400]
    assert {names[row["team"]]: (row["rank"], row["paid_fen"], row["prizes"]) for row in shown[3:]} == {
        unit: (None, 0, []) for unit in cancelled
    }


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
    standing = {row["team"] for row in rows if not row["cancelled"]}
    assert len(rows) - len(standing) == 4, "both pairs of the two teams whose results are cancelled (四)"
    left = len({team for part in hall.bracket() for team in part["survivors"]} & standing)
    assert [row["rank"] for row in rows] == [*[1] * left, *[left + 1] * (6 - left), *[None] * 4]
