"""Match over HTTP: what a referee, an organiser and an auditor get, and what they are refused."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import msgspec
import pytest
from werkzeug.test import TestResponse

from shared.rules.adjudication import adjudicate
from shared.rules.ask import answer
from shared.rules.regulations import digest, load
from shared.rules.shengji.random_hands import random_hand
from tests.e2e.test_registration_http import check_problem
from tests.support.world import World

pytestmark = pytest.mark.over("memory", "kafka")

NOON = datetime(2018, 11, 12, 4, 0, tzinfo=UTC)
JIMEI = load("jimei-2018")
UNITS = ("集美街道", "侨英街道", "杏林街道", "杏滨街道")


class Hall:
    """A world with one competition, drawn and paired for its first round."""

    def __init__(self, world: World | None = None, units: tuple[str, ...] = UNITS) -> None:
        self.world = world or World()
        self.key = 0
        announced = self.done("/registration/competitions", {"regulation": "jimei-2018"})
        self.id = announced["stream"].partition("/")[2]
        self.base = f"/match/competitions/{self.id}"
        self.done(f"/registration/competitions/{self.id}/entry-openings")
        self.units = {self._enter(unit): unit for unit in units}

    def _enter(self, unit: str) -> str:
        members = [{"part": "player", "name": f"{unit}{n}", "born": "1980-01-01"} for n in (1, 2)]
        body = {"unit": unit, "name": f"{unit}队", "members": members}
        entered = self.done(f"/registration/competitions/{self.id}/entries", body)
        return str(entered["events"][0]["data"]["team"]["id"])

    def draw(self) -> None:
        if self.world.clock.now() <= NOON:
            self.world.clock.set(NOON + timedelta(days=12))
        self.done(f"/registration/competitions/{self.id}/entry-closings")
        self.done(f"{self.base}/draws")

    def pair(self) -> list[dict[str, Any]]:
        event = self.done(f"{self.base}/rounds")["events"][0]["data"]
        tables: list[dict[str, Any]] = event["matches"]
        return tables

    def done(self, path: str, body: Any = None, role: str = "organiser", **more: Any) -> Any:
        response = self.world.post(path, body, role=role, **more)
        assert response.status_code == 201, response.get_data(as_text=True)
        return response.get_json()

    def post(self, rest: str, body: Any = None, role: str = "referee", **more: Any) -> TestResponse:
        return self.world.post(self.base + rest, body, role=role, **more)

    def get(self, rest: str = "", **more: Any) -> Any:
        response = self.world.get(self.base + rest, **more)
        assert response.status_code == 200, response.get_data(as_text=True)
        return response.get_json()

    def hand(self, number: int, dealer: int = 1, points: Any = 40, match: str = "r1t1", **more: Any) -> TestResponse:
        body = {"hand": number, "dealer": dealer, "points": points} | more.pop("also", {})
        return self.post(f"/matches/{match}/hands", body, **more)

    def correct(self, hand: int, body: Any, match: str = "r1t1", **more: Any) -> TestResponse:
        """A hand put right by who has seen the match as it is."""
        seen = self.world.get(f"{self.base}/matches/{match}").headers["ETag"]
        return self.post(f"/matches/{match}/hands/{hand}/corrections", body, headers={"If-Match": seen}, **more)

    def play(self, number: int, tables: list[dict[str, Any]], points: list[int]) -> None:
        """One hand at each table, closed by time."""
        for table, held in zip(tables, points, strict=True):
            assert self.hand(1, points=held, match=table["match"]).status_code == 201
        self.done(f"{self.base}/rounds/{number}/time-calls", role="referee")
        for table in tables:
            self.done(f"{self.base}/matches/{table['match']}/closings", role="referee")
        self.done(f"{self.base}/rounds/{number}/closings", role="referee")


def _paired() -> Hall:
    made = Hall()
    made.draw()
    made.pair()
    return made


@pytest.fixture
def hall() -> Hall:
    """A hall of the test's own."""
    return _paired()


@pytest.fixture(scope="module")
def quiet_hall(event_log: None) -> Hall:
    """A hall for tests in which everything is refused or only read."""
    return _paired()


def test_a_hand_is_entered_once_however_often_it_is_sent(hall: Hall) -> None:
    first, again = hall.hand(1, key="k"), hall.hand(1, key="k")
    assert (first.status_code, again.status_code) == (201, 201)
    assert again.headers["Idempotent-Replayed"] == "true"
    assert again.get_json() == first.get_json()
    assert hall.get("/matches/r1t1")["levels"] == {"13": "5", "24": "2"}


def test_a_hand_with_another_body_under_the_same_key_is_422(hall: Hall) -> None:
    hall.hand(1, key="k")
    check_problem(hall.hand(1, points=45, key="k"), 422, "command-reused")


@pytest.mark.parametrize(
    ("entry", "status", "slug"),
    [
        ({"hand": 1, "dealer": 1, "points": 42}, 422, "hand-is-impossible"),
        ({"hand": 2, "dealer": 1, "points": 40}, 409, "hand-number-skips"),
        ({"hand": 1, "dealer": 1, "points": 40, "trump": "N"}, 422, "hand-is-impossible"),
        ({"hand": 1, "dealer": 1, "points": 40, "levels": {"13": "3", "24": "2"}}, 409, "levels-disagree"),
        ({"hand": 1, "dealer": 5, "points": 40}, 422, "invalid"),
        ({"hand": 1, "dealer": 1, "points": -5}, 422, "invalid"),
        ({"hand": 1, "dealer": 1, "points": 40.0}, 422, "invalid"),
        ({"hand": 1, "dealer": 1, "points": "40"}, 422, "invalid"),
        ({"hand": 1, "dealer": True, "points": 40}, 422, "invalid"),
        ({"hand": 10**30, "dealer": 1, "points": 40}, 422, "invalid"),
        ({"hand": 1, "dealer": 1, "points": 40, "levels": {"13": "2"}}, 422, "invalid"),
        ({"hand": 1, "dealer": 1, "points": 40, "winner": "A"}, 422, "invalid"),
    ],
)
def test_a_wrong_entry_gets_a_clear_answer_and_loses_nothing(
    hall: Hall, entry: dict[str, Any], status: int, slug: str
) -> None:
    check_problem(hall.post("/matches/r1t1/hands", entry), status, slug)
    assert hall.get("/matches/r1t1")["hands"] == []
    assert hall.hand(1).status_code == 201


def _record(breach: str | None = None) -> dict[str, Any]:
    """A card record of a first hand: both pairs at 2."""
    return random_hand(JIMEI, 3, breach, levels={"13": "2", "24": "2"}).record


def _entry(record: dict[str, Any]) -> dict[str, Any]:
    """The summary that a referee writes of it."""
    facts = msgspec.to_builtins(adjudicate(JIMEI, record).facts)
    return {"hand": 1, "dealer": facts["dealer"], "points": facts["points"], "record": record}


def test_a_hand_is_posted_with_its_record_which_anybody_may_read_refereed(hall: Hall) -> None:
    record = _record("revoke")
    entered = hall.post("/matches/r1t1/hands", _entry(record))
    assert entered.status_code == 201
    played, kept = (event["data"] for event in entered.get_json()["events"][-2:])
    (finding,) = kept["findings"]
    assert (finding["code"], finding["article"], finding["points"]) == ("revoke", "十一.8⑨", 80)
    assert finding["name"] == {"zh": "藏张", "en": "revoke"}
    shown = hall.get("/matches/r1t1/hands/1/record")
    assert (shown["hash"], shown["record"], shown["findings"]) == (played["record"], record, [finding])
    asked = answer({"ask": "replay", "regulation": "jimei-2018", "record": record})
    told = shown["adjudication"]
    used = {"name": "jimei-2018", "version": 1, "sha256": digest(load("jimei-2018"))}
    assert told == asked["answer"] | {"basis": asked["basis"], "regulation": used, "verdict": told["verdict"]}
    assert told["verdict"]["void"] is None
    assert hall.get("/matches/r1t1")["penalties"] == []


@pytest.mark.parametrize(
    ("language", "title", "says"), [("zh", "与牌谱不符", "得分录入"), ("en", "Entry and record disagree", "points")]
)
def test_a_summary_that_disagrees_with_its_record_is_shown_beside_it(
    hall: Hall, language: str, title: str, says: str
) -> None:
    entry = _entry(_record())
    wrong = entry | {"points": entry["points"] + 5}
    response = hall.post("/matches/r1t1/hands", wrong, headers={"Accept-Language": language})
    problem = check_problem(response, 422, "record-disagrees")
    assert (problem["posted"], problem["adjudicated"]) == ({"points": wrong["points"]}, {"points": entry["points"]})
    assert problem["errors"][0]["pointer"] == "/points"
    assert problem["title"] == title
    assert says in problem["detail"]
    assert hall.get("/matches/r1t1")["hands"] == []


def test_an_impossible_record_names_the_place(hall: Hall) -> None:
    entry = _entry(_record())
    entry["record"]["tricks"][4]["plays"][2] = "S1"
    problem = check_problem(hall.post("/matches/r1t1/hands", entry), 422, "record-invalid")
    assert problem["errors"][0]["pointer"] == "/record/tricks/4/plays/2"


def test_a_hand_without_a_record_shows_none(hall: Hall) -> None:
    hall.hand(1)
    for number, slug in ((1, "no-such-record"), (2, "no-such-hand")):
        response = hall.world.get(f"{hall.base}/matches/r1t1/hands/{number}/record")
        check_problem(response, 404, slug)


def test_a_hand_and_its_record_are_corrected_together(hall: Hall) -> None:
    entry = _entry(_record())
    hall.post("/matches/r1t1/hands", entry)
    fix = {"dealer": entry["dealer"], "points": entry["points"] + 5, "reason": "看错"}
    check_problem(hall.correct(1, fix), 422, "record-disagrees")
    taken_back = hall.correct(1, fix | {"record": None})
    assert taken_back.get_json()["events"][0]["data"]["record"] is None


def test_a_refusal_is_chinese_where_chinese_is_asked_for(quiet_hall: Hall) -> None:
    response = quiet_hall.hand(1, points=42, headers={"Accept-Language": "zh-CN,en;q=0.5"})
    problem = check_problem(response, 422, "hand-is-impossible")
    assert problem["detail"] == "第 1 副的录入不成立：分数 42 不是 5 的倍数"
    assert problem["article"] == "十一.5"
    assert problem["errors"][0]["pointer"] == "/points"
    assert response.headers["Content-Language"] == "zh"


def test_a_correction_leaves_what_it_does_not_name(hall: Hall) -> None:
    hall.hand(1, also={"trump": "S", "levels": {"13": "2", "24": "2"}})
    fix = {"dealer": 1, "points": 45, "reason": "记分表"}
    corrected = hall.correct(1, fix).get_json()["events"][0]["data"]["after"]
    assert corrected == {"dealer": 1, "points": 45, "trump": "S", "levels": {"13": "2", "24": "2"}}
    unnoted = hall.correct(1, fix | {"trump": None}).get_json()
    assert unnoted["events"][0]["data"]["after"]["trump"] is None


def test_a_dealer_who_was_not_due_can_be_seen(hall: Hall) -> None:
    """2:2, 40 points: the dealers at 1 and 3 keep the deal, and by RULINGS jimei-2018 13 the partner deals next."""
    hall.hand(1)
    hall.hand(2, dealer=2)
    score = hall.get("/matches/r1t1")["score"]
    assert [(hand["dealer"], hand["due_dealer"]) for hand in score] == [(1, None), (2, 3)]


def test_a_round_names_the_teams_at_its_tables(hall: Hall) -> None:
    names = [name for table in hall.get("/rounds/1")["tables"] for name in table["names"]]
    assert sorted(names) == sorted(f"{unit}队" for unit in UNITS)


def test_a_hand_for_a_closed_match_is_409(hall: Hall) -> None:
    hall.hand(1)
    hall.post("/rounds/1/time-calls")
    hall.post("/matches/r1t1/closings")
    check_problem(hall.hand(2, dealer=3), 409, "match-is-closed")


def test_an_unknown_penalty_code_names_those_there_are(hall: Hall) -> None:
    hall.hand(1)
    response = hall.post("/matches/r1t1/penalties", {"hand": 1, "pair": "13", "code": "coughing"})
    problem = check_problem(response, 422, "penalty-invalid")
    assert "revoke" in problem["detail"]
    assert problem["errors"][0]["pointer"] == "/code"


def test_a_round_with_open_matches_does_not_close(quiet_hall: Hall) -> None:
    problem = check_problem(quiet_hall.post("/rounds/1/closings"), 409, "open-matches")
    assert "1, 2" in problem["detail"]


def test_saying_again_that_a_team_is_absent_is_200_and_nothing_new(hall: Hall) -> None:
    body = {"team": next(iter(hall.units)), "reason": "病假"}
    first, again = hall.post("/absences", body), hall.post("/absences", body)
    assert (first.status_code, again.status_code) == (201, 200)
    assert again.get_json()["events"] == []
    assert again.get_json()["version"] == first.get_json()["version"]


def test_if_match_holds_a_referee_to_what_was_seen(hall: Hall) -> None:
    hall.hand(1)
    seen = hall.world.get(f"{hall.base}/matches/r1t1").headers["ETag"]
    hall.hand(2, dealer=3, points=80)
    body = {"dealer": 1, "points": 45, "reason": "看错"}
    stale = hall.post("/matches/r1t1/hands/1/corrections", body, headers={"If-Match": seen})
    check_problem(stale, 412, "version-mismatch")
    check_problem(hall.post("/matches/r1t1/hands/1/corrections", body), 428, "if-match-needed")


@pytest.mark.parametrize(
    ("rest", "body", "role"),
    [
        ("/matches/r1t1/hands", {"hand": 1, "dealer": 1, "points": 40}, "organiser"),
        ("/matches/r1t1/hands", {"hand": 1, "dealer": 1, "points": 40}, "leader"),
        ("/rounds", {}, "referee"),
        ("/place-declarations", {}, "referee"),
        ("/lots", {"teams": ["a", "b"]}, "committee"),
        ("/draws", {}, "auditor"),
    ],
)
def test_the_wrong_role_is_403(quiet_hall: Hall, rest: str, body: Any, role: str) -> None:
    check_problem(quiet_hall.post(rest, body, role=role), 403, "role-not-allowed")


def test_only_the_chief_referee_reopens_a_round(hall: Hall) -> None:
    for match in ("r1t1", "r1t2"):
        hall.hand(1, match=match)
    hall.post("/rounds/1/time-calls")
    for match in ("r1t1", "r1t2"):
        hall.post(f"/matches/{match}/closings")
    hall.post("/rounds/1/closings")
    body = {"matches": ["r1t1"], "reason": "记录有误"}
    check_problem(hall.post("/rounds/1/reopenings", body), 403, "chief-referee-only")
    assert hall.post("/rounds/1/reopenings", body, chief=True).status_code == 201
    assert hall.get("/rounds/1")["status"] == "reopened"


def test_a_leader_withdraws_the_own_team_alone(hall: Hall) -> None:
    (one, unit), (_, other) = list(hall.units.items())[:2]
    body = {"team": one, "reason": "退赛"}
    check_problem(hall.post("/withdrawals", body, role="leader", team=other), 403, "other-team")
    assert hall.post("/withdrawals", body, role="leader", team=unit).status_code == 201


def test_a_team_that_nobody_knows_is_404_for_the_organiser_and_403_for_a_leader(quiet_hall: Hall) -> None:
    body = {"team": "t-none", "reason": "退赛"}
    check_problem(quiet_hall.post("/withdrawals", body, role="organiser"), 404, "no-such-team")
    check_problem(quiet_hall.post("/withdrawals", body, role="leader", team="侨英街道"), 403, "other-team")


def test_two_competitions_side_by_side_never_mix() -> None:
    world = World()
    hall, other = Hall(world), Hall(world, UNITS[:2])
    for one in (hall, other):
        one.draw()
        one.pair()
    hall.hand(1, points=40)
    check_problem(other.hand(1, points=100, competitions=(hall.id,)), 403, "other-competition")
    assert other.hand(1, points=100, competitions=(other.id,)).status_code == 201
    check_problem(other.hand(1, match="r1t2"), 404, "no-such-match")
    assert hall.get("/matches/r1t1")["levels"] == {"13": "5", "24": "2"}
    assert other.get("/matches/r1t1")["levels"] == {"13": "2", "24": "3"}
    own = hall.get("/matches/r1t1/events")["items"]
    assert {event["data"]["competition"] for event in own} == {hall.id}


def test_what_is_not_there_is_404(quiet_hall: Hall) -> None:
    check_problem(quiet_hall.world.get("/match/competitions/none"), 404, "no-such-competition")
    check_problem(quiet_hall.world.get(f"{quiet_hall.base}/rounds/2"), 404, "no-such-round")
    check_problem(quiet_hall.world.get(f"{quiet_hall.base}/matches/r9t9"), 404, "no-such-match")
    check_problem(quiet_hall.world.get(f"{quiet_hall.base}/matches/r9t9/events"), 404, "no-such-match")
    check_problem(quiet_hall.post("/matches/r9t9/hands", {"hand": 1, "dealer": 1, "points": 0}), 404, "no-such-match")


def test_a_cursor_of_another_kind_is_422(quiet_hall: Hall) -> None:
    check_problem(quiet_hall.world.get(f"{quiet_hall.base}/rounds?cursor=WyJ4Il0"), 422, "bad-cursor")  # ["x"]


def test_a_paired_match_shows_who_plays_before_anything_is_entered(quiet_hall: Hall) -> None:
    match = quiet_hall.get("/matches/r1t1")
    assert (match["status"], match["hands"]) == ("paired", [])
    assert {team["unit"] for team in match["teams"]} <= set(UNITS)


def test_the_events_of_a_match_tell_it_from_the_pairing_to_the_round(hall: Hall) -> None:
    hall.hand(1)
    hall.hand(1, match="r1t2")
    hall.correct(1, {"dealer": 1, "points": 45, "reason": "看错"})
    hall.post("/rounds/1/time-calls")
    for match in ("r1t1", "r1t2"):
        hall.post(f"/matches/{match}/closings")
    hall.post("/rounds/1/closings")
    hall.post("/rounds/1/reopenings", {"matches": ["r1t1"], "reason": "再核"}, chief=True)
    events = hall.get("/matches/r1t1/events")["items"]
    assert [event["type"] for event in events] == [
        "RoundPaired",
        "MatchOpened",
        "HandPlayed",
        "HandCorrected",
        "MatchClosed",
        "RoundClosed",
        "RoundReopened",
    ]
    assert all(event["by"] and event["commit_hash"] for event in events)


def test_lots_by_hand_need_a_witness_and_every_team_once(quiet_hall: Hall) -> None:
    one, two = list(quiet_hall.units)[:2]
    for body, pointer in (
        ({"teams": [one, two], "by_hand": True}, "/witness"),
        ({"teams": [one, two], "by_hand": True, "witness": " "}, "/witness"),
        ({"teams": [one, one]}, "/teams"),
        ({"teams": [one]}, "/teams"),
    ):
        response = quiet_hall.post("/lots", body, role="organiser", headers={"Accept-Language": "zh"})
        problem = check_problem(response, 422, "invalid")
        assert [error["pointer"] for error in problem["errors"]] == [pointer]
        assert "‖" not in problem["errors"][0]["detail"]


def test_eight_teams_play_four_rounds_to_declared_places() -> None:
    hall = Hall(units=tuple(f"单位{n}" for n in range(8)))
    hall.draw()
    for number in range(1, 5):
        tables = hall.pair()
        assert len(tables) == 4
        hall.play(number, tables, [0, 100, 40, 80])
        hall.world.clock.advance(timedelta(hours=1))
    check_problem(hall.post("/rounds", role="organiser"), 409, "all-rounds-paired")
    met = [frozenset(table["teams"]) for current in hall.get("/rounds")["items"] for table in current["tables"]]
    assert len(set(met)) == len(met) == 16  # nobody meets twice

    proposal = hall.post("/place-proposals", role="organiser")
    while proposal.status_code == 409:
        groups = check_problem(proposal, 409, "lots-needed")["detail"].partition("first: ")[2].rstrip(".").split("; ")
        assert hall.post("/lots", {"teams": groups[0].split(", ")}, role="organiser").status_code == 201
        proposal = hall.post("/place-proposals", role="organiser")
    assert proposal.status_code == 201
    check_problem(hall.post("/place-declarations", role="organiser", sub="director"), 409, "appeal-window-open")
    hall.world.clock.advance(timedelta(hours=23))
    check_problem(hall.post("/place-declarations", role="organiser", sub="director"), 409, "appeal-window-open")
    hall.world.clock.advance(timedelta(microseconds=1))
    check_problem(hall.post("/place-declarations", role="organiser"), 409, "two-people-needed")
    declared = hall.done(f"{hall.base}/place-declarations", sub="director")["events"][0]["data"]

    places = declared["places"]
    assert [place["rank"] for place in places] == list(range(1, 9))
    assert [place["award"] for place in places] == [1, 2, 3, 4, 5, 6, 7, None]  # 十三: 不足九队减一录取
    assert sum(place["points"] for place in places) == 2 * 16
    assert declared["proposed_by"] == "organiser"
    standings = hall.world.get(f"/ranking/competitions/{hall.id}/standings").get_json()
    assert [row["team"] for row in standings["rows"]] == [place["team"] for place in places]
    check_problem(hall.hand(2, match="r4t1"), 409, "match-is-closed")
    check_problem(
        hall.post("/withdrawals", {"team": places[0]["team"], "reason": "x"}, role="organiser"),
        409,
        "places-are-declared",
    )
    assert all(service.engine.held() == [] for service in hall.world.services.values())


def test_no_personal_field_reaches_any_store_or_topic_in_the_clear(quiet_hall: Hall) -> None:
    services = quiet_hall.world.services.values()
    stores = [
        [service.engine.ports.commits._streams, service.engine.ports.documents._collections]  # type: ignore[attr-defined]
        for service in services
    ]
    events = [e.data.decode() for service in services for e in service.engine.ports.journal.read(0, 1_000_000)]
    everywhere = repr(stores) + "".join(events)
    assert UNITS[0] in everywhere
    for secret in (f"{UNITS[0]}1", f"{UNITS[0]}2", "1980-01-01"):
        assert secret not in everywhere
        assert secret.encode("unicode_escape").decode() not in everywhere
