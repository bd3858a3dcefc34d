"""ahut-2018 over REST, from the entries to the awards: eighteen pairs in two groups, lots that their leaders drew, an
hour and the last eight without a clock, the final's rule about A; a pair that came too late, a third missed
announcement, an hour that ended equal, a withdrawal, a corrected hand, and an appeal that the regulation does not know.
The lots are the leaders' (四.1): of nine pairs of a group seven have a bye by them. No tie is left to a lot: of equal
levels the one reached first wins (二.5), and who lost in one round share a place and its award (三). All numbers are
from its articles."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from tests.support.courses import Hall
from tests.support.world import Means, World

BRANCHES = ("机关", "文学院", "数理学院", "机械学院", "电气学院", "化工学院", "建工学院", "商学院", "图书馆")
APRIL, MAY = datetime(2018, 4, 20, tzinfo=UTC), datetime(2018, 5, 6, 0, 0, tzinfo=UTC)
UP3, UP1, DOWN3, DOWN1 = (1, 3), (1, 2, 4, 3), (2, 4), (2, 1, 3, 4)
"""双下 gains three, a winner whose partner is last one; for the pair named first, and for the other (二.5)."""
PASSED = (UP3,) * 5
"""2, 5, 8, J, A where it must stop (A必打), and the fifth passes it with the partner second."""


def form(branch: str, pair: int) -> dict[str, Any]:
    members = [
        {"part": "player", "name": f"{branch}{pair}{n}", "identity_number": f"{branch}{pair}{n}"} for n in (1, 2)
    ]
    return {"unit": branch, "number": pair, "name": f"{branch}{pair}队", "members": members}


def entered(world: World) -> Hall:
    """Nine branches with two pairs each."""
    return Hall(world, "ahut-2018", [form(branch, pair) for branch in BRANCHES for pair in (1, 2)], MAY)


@pytest.fixture(scope="module")
def hall() -> Hall:
    done = entered(World(APRIL))
    play(done)
    return done


def test_from_the_entries_to_the_awards(hall: Hall) -> None:
    assert hall.see(f"/ranking/{hall.base}/places")["status"] == "declared"


def test_on_a_store_and_over_a_log(means: Means) -> None:
    play(entered(World(APRIL, means, eager=False)))


def play(hall: Hall) -> None:
    """The competition, every step checked on the way."""
    a, b = drawn_by_the_leaders(hall)
    the_hour(hall, a, b)
    last_eight(hall, a, b)
    last_four(hall, a, b)
    finals(hall, a, b)
    awards(hall, a, b)


Group = dict[int, str]
"""The nine pairs of a group by the lot they drew."""


def drawn_by_the_leaders(hall: Hall) -> tuple[Group, Group]:
    """四.1: 各参赛选手由领队抽签，决定比赛对手. Nine pairs have sixteen seats: 1 to 7 have a bye, 8 meets 9."""
    entries = hall.see(f"/registration/{hall.base}/entries?limit=50")["items"]
    teams = sorted(one["team"] for one in entries)
    groups = (dict(enumerate(teams[:9], 1)), dict(enumerate(teams[9:], 1)))
    lots = {"parts": [{"part": part, "seats": seats(group)} for part, group in zip("AB", groups, strict=True)]}
    assert hall.refused(f"/match/{hall.base}/draws", lots) == "draw-impossible", "nobody has seen them fall"
    drawn = hall.draw(lots | {"witness": "校工会副主席"})
    assert (drawn["method"], drawn["witness"]) == ("hand", "校工会副主席")
    return groups


def seats(group: Group) -> list[str | None]:
    with_bye = [seat for lot in range(1, 8) for seat in (group[lot], None)]
    return [*with_bye, group[8], group[9]]


def the_hour(hall: Hall, a: Group, b: Group) -> None:
    """第一轮（32进16）、第二轮（16进8）各以1小时为计. Group A: time ends it with equal levels; group B: one pair comes
    too late."""
    paired = hall.pair()
    equal, late = paired["matches"]
    assert (equal["teams"], late["teams"]) == ([a[8], a[9]], [b[8], b[9]])
    assert [match["minutes"] for match in paired["matches"]] == [60, 60]

    forfeit = f"/match/{hall.base}/matches/{late['match']}/forfeits"
    just_in_time = {"absent": [b[9]], "late": {b[9]: 14}, "reason": "迟到"}
    assert hall.refusal(forfeit, just_in_time, role="referee") == ("not-late-enough", "四.1")
    hall.forfeit(late["match"], b[9], late={b[9]: 15})  # 15分钟以上, with the number

    hall.out(equal["match"], UP1)  # 3 : 2
    hall.call_time(paired)
    assert hall.unfinished(equal["match"], 2, "drawing"), "只要开始摸牌，就要将该牌打完"
    hall.out(equal["match"], DOWN1, first=2)  # 3 : 3
    hall.close(equal["match"])
    hall.close_round(paired)
    assert goes_on(hall, equal) == a[8], "以先到达该分数的队伍为胜利方"

    # the second hand was entered wrongly: pair 24 went out first and second, 3 : 5
    hall.reopen(1, equal["match"])
    hall.put_right(equal["match"], "finishes/2", {"finish": list(DOWN3)})
    hall.close(equal["match"])
    hall.close_round(paired)
    assert goes_on(hall, equal) == a[9]


def goes_on(hall: Hall, match: Any) -> str | None:
    """Who has won a game of the bracket."""
    games = {game["match"]: game["winner"] for part in hall.bracket() for game in part["games"] if game["match"]}
    winner: str | None = games[match["match"]]
    return winner


def last_eight(hall: Hall, a: Group, b: Group) -> None:
    """八强不计时间. A pair has left before; one omits for the third time to say that it has seven cards; of two that
    meet neither comes."""
    hall.withdraw(a[4])
    paired = hall.pair()
    omitting, *others = paired["matches"]
    assert omitting["teams"] == [a[1], a[2]]
    assert [match["teams"] for match in others[:2]] == [[a[5], a[6]], [a[7], a[9]]], "who was to meet 4 goes on"
    assert hall.refusal(f"/match/{hall.base}/rounds/2/time-calls", role="referee") == ("round-is-untimed", "二.5")

    hall.out(omitting["match"], UP3)
    costs = [hall.penalty(omitting["match"], hand, "13", "not_announced")["effects"] for hand in (1, 1)]
    assert costs == [["reminder"], ["level_to_opponents"]]  # 可由裁判或对手进行提醒，2次违规将给对手升一级
    assert hall.see(f"/match/{hall.base}/matches/{omitting['match']}")["levels"] == {"13": "5", "24": "3"}
    assert hall.penalty(omitting["match"], 2, "13", "not_announced")["effects"] == ["match_lost"]  # 3次及以上判负
    hall.close(omitting["match"])
    assert appeal(hall, omitting, a[1]) == ("appeals-not-allowed", "二.6")  # 一经裁决……继续比赛

    neither = next(match for match in others if match["teams"] == [b[1], b[2]])
    hall.forfeit(neither["match"], b[1], b[2], late={b[1]: 20, b[2]: 30})
    for match in others:
        if match is not neither:
            pass_a(hall, match)
    hall.close_round(paired)


def appeal(hall: Hall, match: Any, team: str) -> tuple[str, str | None]:
    """The leader of a team in the match appeals against its loss."""
    asked = {"match": match["match"], "grounds": "已报牌", "asks_for": {"kind": "lift_penalty", "penalty": "p3"}}
    return hall.refusal(f"/appeals/{hall.base}/appeals", asked, role="leader", team=team)


def pass_a(hall: Hall, match: Any) -> None:
    hall.out(match["match"], *PASSED)
    hall.close(match["match"])


def last_four(hall: Hall, a: Group, b: Group) -> None:
    """Nobody came out of the match of 1 and 2 in group B: its next opponent advances."""
    paired = hall.pair()
    assert [match["teams"] for match in paired["matches"]] == [[a[2], a[3]], [a[5], a[7]], [b[5], b[7]]]
    assert paired["byes"] == [b[3]]
    for match in paired["matches"]:
        pass_a(hall, match)
    hall.close_round(paired)


def finals(hall: Hall, a: Group, b: Group) -> None:
    """A三牌不过返回2继续比赛, in the final only."""
    paired = hall.pair()
    one, two = paired["matches"]
    assert [one["teams"], two["teams"]] == [[a[2], a[5]], [b[3], b[5]]]
    hall.out(one["match"], *PASSED[:4], UP1, UP1, UP1)  # at A; then first with last, three times
    levels = hall.see(f"/match/{hall.base}/matches/{one['match']}")["levels"]
    assert levels == {"13": "2", "24": "2"}
    closing = f"/match/{hall.base}/matches/{one['match']}/closings"
    assert hall.refusal(closing, role="referee") == ("top-not-passed", "二.5")
    hall.out(one["match"], *PASSED, first=8)
    hall.close(one["match"])
    pass_a(hall, two)
    hall.close_round(paired)
    assert hall.refused(f"/match/{hall.base}/rounds") == "all-rounds-paired"


def awards(hall: Hall, a: Group, b: Group) -> None:
    """三: A、B两组各取前八名给予奖励. Who lost in one round shares a place; nothing is left for a lot."""
    assert not [reason for reason in hall.see(f"/ranking/{hall.base}/standings")["reasons"] if reason["teams"]]
    places = hall.declare()
    ranked = {(place["part"], place["team"]): (place["rank"], place["award"]) for place in places}
    of_a = {1: [2], 2: [5], 3: [3, 7], 5: [1, 4, 6, 9], 9: [8]}
    of_b = {1: [3], 2: [5], 3: [7], 5: [1, 2, 4, 6, 8], 9: [9]}  # nobody lost to 3 for the fourth place
    assert ranked == {
        (part, group[lot]): (rank, rank if rank <= 8 else None)
        for part, group, ranks in (("A", a, of_a), ("B", b, of_b))
        for rank, lots in ranks.items()
        for lot in lots
    }
    given = hall.see(f"/ranking/{hall.base}/awards")["awards"]
    assert sum(one["place"] is not None for one in given) == 8 + 8
    encouraged = [one for one in given if one["place"] is None]  # 未能进入前八名的选手获参赛鼓励奖
    assert [(one["team"], one["prizes"]) for one in encouraged] == [
        (a[8], ["encouragement prize"]),
        (b[9], ["encouragement prize"]),
    ]
