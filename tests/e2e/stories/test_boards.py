"""象棋 and 围棋 of zhongshan-2013 over REST: competitions beside the cards, drawn from the one entry form and played to
their places. 八名象棋选手: knock-out until six are left, who play for their places; 五名围棋选手: everybody against
everybody (七（二）1, 七（三）1: 视报名人数再定). A game is two points, one, or none; equal points share a
place, and no lot parts them (五, assumed). In memory, on the
embedded store, and on the store with Apache Kafka."""

from __future__ import annotations

from typing import Any

import pytest

from tests.e2e.stories.test_zhongshan import OCTOBER, SEPTEMBER, _form
from tests.support.courses import Hall
from tests.support.world import Means, World

DEPARTMENTS = ("内科", "外科", "儿科", "药学部")


def form(department: str) -> dict[str, Any]:
    """As the department of the cards' story, with two players of 象棋, and one of 围棋 but for 内科."""
    full = _form(department)
    if department != DEPARTMENTS[0]:
        full["members"] = [one for one in full["members"] if one["name"] != f"{department}weiqi2"]
    return full


def entered(world: World) -> Hall:
    return Hall(world, "zhongshan-2013", [form(each) for each in DEPARTMENTS], OCTOBER)


@pytest.fixture(scope="module")
def hall() -> Hall:
    return entered(World(SEPTEMBER))


def played(hall: Hall, event: str) -> Hall:
    """An event from its draw to its last round."""
    board = hall.beside(event)
    board.to_the_end(board.games)
    return board


@pytest.fixture(scope="module")
def weiqi(hall: Hall) -> Hall:
    return played(hall, "weiqi")


@pytest.fixture(scope="module")
def xiangqi(hall: Hall) -> Hall:
    return played(hall, "xiangqi")


def test_on_a_store_and_over_a_log(means: Means) -> None:
    hall = entered(World(SEPTEMBER, means, eager=False))
    everybody_met(played(hall, "weiqi"))
    declared(played(hall, "xiangqi"))


def test_a_competition_says_which_events_it_is_played_as(hall: Hall) -> None:
    seen = hall.see(f"/match/{hall.base}")
    assert (seen["event"], seen["events"]) == ("cards", [hall.id, f"{hall.id}.xiangqi", f"{hall.id}.weiqi"])
    beside = hall.see(f"/match/{hall.base}.xiangqi")
    assert (beside["event"], beside["name"], beside["events"]) == ("xiangqi", seen["name"], seen["events"])


def test_each_event_has_a_seed_of_its_own_committed_while_entries_were_open(hall: Hall) -> None:
    seeds = {
        hall.see(f"/match/competitions/{event}")["commitment"] for event in hall.see(f"/match/{hall.base}")["events"]
    }
    assert len(seeds) == 3
    assert all(seeds)


def test_there_is_no_other_event(hall: Hall) -> None:
    assert hall.world.get(f"/match/{hall.base}.bridge").status_code == 404
    assert hall.world.post(f"/match/{hall.base}.bridge/draws").status_code == 404


def test_of_five_players_each_meets_each_and_points_decide(weiqi: Hall) -> None:
    everybody_met(weiqi)


def everybody_met(weiqi: Hall) -> None:
    """The round robin of five in the standings and in the rounds."""
    rows = weiqi.standings()
    assert [row["points"] for row in rows] == [8, 6, 4, 2, 0]  # who rests, once each, gains nothing
    assert [row["team"] for row in rows] == sorted(row["team"] for row in rows)
    rounds = weiqi.see(f"/match/{weiqi.base}/rounds")["items"]
    assert [len(one["tables"]) for one in rounds] == [2] * 5
    met = [frozenset(table["teams"]) for one in rounds for table in one["tables"]]
    assert len(set(met)) == len(met) == 10
    assert {table["minutes"] for one in rounds for table in one["tables"]} == {None}, "a board has its own clocks"


def test_eight_players_are_knocked_out_to_six_who_play_for_their_places(xiangqi: Hall) -> None:
    stages = [one["stage"] for one in xiangqi.see(f"/match/{xiangqi.base}/rounds")["items"]]
    assert list(dict.fromkeys(stages)) == ["ladder", "placement"]
    rows = xiangqi.standings()
    assert [row["rank"] for row in rows] == [1, 2, 3, 4, 5, 6, 7, 7]
    assert rows[0]["team"] == min(row["team"] for row in rows)


def test_places_are_declared_and_bring_gifts_and_medals(xiangqi: Hall) -> None:
    declared(xiangqi)


def declared(xiangqi: Hall) -> None:
    """The places of the eight, and what they bring."""
    places = xiangqi.declare()
    assert [place["award"] for place in places] == [1, 2, 3, 4, 5, 6, None, None]
    given = xiangqi.see(f"/ranking/{xiangqi.base}/awards")["awards"]  # 五（三）, 五（四）
    assert [one["prizes"] for one in given] == [["gift", "medal"]] * 3 + [["gift"]] * 3


def test_a_rebuild_gives_the_same_standings(weiqi: Hall, xiangqi: Hall) -> None:
    before = weiqi.standings(), xiangqi.standings(), xiangqi.bracket()
    assert weiqi.world.post("/ranking/projection/rebuilds", role="operator").status_code == 202
    assert (weiqi.standings(), xiangqi.standings(), xiangqi.bracket()) == before


def test_standings_as_of_an_earlier_position_stay_as_they_were(weiqi: Hall) -> None:
    first = weiqi.see(f"/ranking/{weiqi.base}/standings?round=1")
    events = weiqi.see(f"/match/{weiqi.base}/matches/r1t1/events")["items"]
    closed = next(one for one in events if one["type"] == "RoundClosed")
    asked = closed["data"]["closed_at"].replace("+", "%2B")
    assert [row["points"] for row in weiqi.standings(as_of=asked)] == [row["points"] for row in first["rows"]]


@pytest.mark.parametrize(("event", "own"), [("xiangqi", "七（二）"), ("weiqi", "七（三）")])
def test_a_board_quotes_its_own_articles(request: pytest.FixtureRequest, event: str, own: str) -> None:
    """七（二） is of 象棋, 七（三） of 围棋, 七（一） of the tractor: 1 the format (视报名人数再定), 2 the clocks."""
    board: Hall = request.getfixturevalue(event)
    told = board.see(f"/match/{board.base}/matches/r1t1/events")["items"]
    cited = {one["type"]: one["data"]["article"] for one in told if "article" in one["data"]}
    assert (cited["RoundPaired"], cited["GamePlayed"], cited["MatchClosed"]) == (f"{own}1", own, own)
    assert [article for article in cited.values() if article.startswith("七（一）")] == []
    basis = board.see(f"/ranking/{board.base}/standings")["basis"]
    assert {one["article"] for one in basis} == {own, f"{own}1"}


def test_the_list_names_the_events_with_the_name_of_their_competition(hall: Hall, weiqi: Hall) -> None:
    listed = {row["id"]: row for row in hall.see("/ranking/competitions")["items"]}
    assert {row["event"] for id, row in listed.items() if id.startswith(hall.id)} == {"cards", "xiangqi", "weiqi"}
    assert listed[weiqi.id]["name"] == listed[hall.id]["name"] != ""


@pytest.fixture
def paired() -> tuple[Hall, list[Any]]:
    """象棋 drawn and paired."""
    hall = Hall(World(SEPTEMBER), "zhongshan-2013", [form(each) for each in DEPARTMENTS], OCTOBER).beside("xiangqi")
    hall.draw()
    return hall, hall.pair()["matches"]


def test_where_somebody_must_win_a_second_game_follows_a_draw(paired: tuple[Hall, list[Any]]) -> None:
    hall, (match, *_) = paired
    at = f"/match/{hall.base}/matches/{match['match']}"
    assert hall.refusal(f"{at}/closings", role="referee") == ("no-game-entered", "七（二）")
    hall.game(match, None)
    assert hall.refusal(f"{at}/closings", role="referee") == ("winner-needed", "七（二）1")
    hall.game(match, match["teams"][1], number=2)
    hall.close(match["match"])
    assert hall.see(at)["result"]["points"] == [0, 2]


def test_who_does_not_come_loses_the_points_of_a_board(paired: tuple[Hall, list[Any]]) -> None:
    hall, (one, two, *_) = paired
    hall.forfeit(one["match"], one["teams"][0])
    hall.forfeit(two["match"], *two["teams"])
    results = [hall.see(f"/match/{hall.base}/matches/{match['match']}")["result"] for match in (one, two)]
    assert [(result["points"], result["how"]) for result in results] == [
        ([0, 2], "forfeit"),
        ([0, 0], "double_absence"),
    ]


def test_no_hand_is_entered_at_a_board_and_no_time_is_called(paired: tuple[Hall, list[Any]]) -> None:
    hall, (match, *_) = paired
    hand = {"hand": 1, "dealer": 1, "points": 0}
    assert hall.refused(f"/match/{hall.base}/matches/{match['match']}/hands", hand, role="referee") == "no-card-match"
    assert hall.refusal(f"/match/{hall.base}/rounds/1/time-calls", role="referee") == ("round-is-untimed", "七（二）2")


def test_a_player_sits_alone_and_only_he_or_a_substitute(paired: tuple[Hall, list[Any]]) -> None:
    hall, (match, *_) = paired
    team = match["teams"][0]
    at = f"/match/{hall.base}/matches/{match['match']}/line-ups"
    own = 3 + int(team.rpartition("-")[2])  # on the form the players of 象棋 stand after four of the cards
    assert hall.world.post(at, {"team": team, "seats": {"1": 0}}, role="referee").status_code == 422, "of the cards"
    assert hall.world.post(at, {"team": team, "seats": {"1": own, "3": 8}}, role="referee").status_code == 422
    hall.done(at, {"team": team, "seats": {"1": own}}, role="referee")


@pytest.mark.parametrize(("claims", "status"), [({}, 201), ({"table": [1, 1]}, 403)])
def test_a_token_for_the_competition_holds_for_its_boards_one_for_a_table_does_not(
    paired: tuple[Hall, list[Any]], claims: dict[str, Any], status: int
) -> None:
    hall, (match, *_) = paired
    announced = hall.id.rpartition(".")[0]
    body = {"absent": [match["teams"][0]], "reason": "未到", "late": {}}
    at = f"/match/{hall.base}/matches/{match['match']}/forfeits"
    assert hall.world.post(at, body, role="referee", competitions=[announced], **claims).status_code == status
    other = hall.world.post(at, body, role="referee", competitions=["another"], **claims)
    assert other.status_code == 403
