"""Registration over HTTP: the conventions that every command and read keeps (DESIGN, REST), shown where they begin."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from werkzeug.test import TestResponse

from tests.support.world import World

pytestmark = pytest.mark.over("memory", "kafka")

NOON = datetime(2018, 11, 12, 4, 0, tzinfo=UTC)
ANNOUNCE = {"regulation": "jimei-2018"}
PLAYERS = [{"part": "player", "name": f"张{n}", "born": "1985-03-01"} for n in "甲乙"]
ENTRY = {"unit": "集美街道", "name": "一队", "members": PLAYERS}


class Bureau:
    """A world with one competition whose entries are open."""

    def __init__(self) -> None:
        self.world = World()
        announced = self.world.post("/registration/competitions", ANNOUNCE)
        self.id = announced.get_json()["stream"].partition("/")[2]
        self.base = f"/registration/competitions/{self.id}"
        assert self.world.post(f"{self.base}/entry-openings").status_code == 201

    def enter(self, body: Any = None, **more: Any) -> TestResponse:
        return self.world.post(f"{self.base}/entries", ENTRY if body is None else body, **more)

    def raw(self, data: bytes | str, path: str = "", **headers: str) -> TestResponse:
        """A request put together by hand, as the organiser."""
        given = {
            "Authorization": f"Bearer {self.world.token('organiser')}",
            "Idempotency-Key": "by-hand",
            "Content-Type": "application/json",
            "Accept-Language": "en",
        }
        given |= {name.replace("_", "-"): value for name, value in headers.items()}
        given = {name: value for name, value in given.items() if value}
        target = path or f"/competitions/{self.id}/entries"
        return self.world.client("registration").post(target, data=data, headers=given)


@pytest.fixture
def bureau() -> Bureau:
    """A bureau of the test's own."""
    return Bureau()


@pytest.fixture(scope="module")
def quiet(event_log: None) -> Bureau:
    """A bureau for tests in which everything is refused or only read."""
    return Bureau()


def check_problem(response: TestResponse, status: int, slug: str) -> Any:
    """A problem as RFC 9457 has it, and what it says."""
    assert (response.status_code, response.mimetype) == (status, "application/problem+json"), response.data
    body = response.get_json()
    assert body["type"].rpartition("/")[2] == slug
    assert body["status"] == status
    assert body["title"]
    assert body["detail"]
    return body


# Repeating


def test_an_accepted_command_answers_what_it_did_and_where(bureau: Bureau) -> None:
    response = bureau.enter()
    assert response.status_code == 201
    assert response.headers["ETag"] == '"1"'
    assert response.headers["Pailu-Position"]
    assert "Idempotent-Replayed" not in response.headers
    assert [event["type"] for event in response.get_json()["events"]] == ["EntrySubmitted"]


def test_the_same_key_and_body_answer_as_the_first_time(bureau: Bureau) -> None:
    first, again = bureau.enter(key="k"), bureau.enter(key="k")
    assert (again.status_code, again.headers["Idempotent-Replayed"]) == (201, "true")
    assert again.get_json() == first.get_json()
    assert again.headers["ETag"] == first.headers["ETag"]


def test_a_key_with_another_body_is_refused(bureau: Bureau) -> None:
    bureau.enter(key="k")
    check_problem(bureau.enter(ENTRY | {"name": "二队"}, key="k"), 422, "command-reused")


def test_a_key_with_another_path_is_refused(bureau: Bureau) -> None:
    bureau.enter(key="k")
    check_problem(bureau.world.post(f"{bureau.base}/entry-closings", {"reason": "满"}, key="k"), 422, "command-reused")


def test_the_same_key_of_another_person_is_another_key(bureau: Bureau) -> None:
    bureau.enter(key="k")
    body = ENTRY | {"unit": "侨英街道"}
    assert bureau.enter(body, key="k", sub="another").status_code == 201


def test_a_refused_command_is_decided_again(bureau: Bureau) -> None:
    other = {"unit": "杏林街道", "name": "队", "members": PLAYERS}
    bureau.world.clock.set(NOON + timedelta(microseconds=1))
    check_problem(bureau.enter(other, key="k"), 409, "entry-closed")
    bureau.world.clock.set(NOON)
    assert bureau.enter(other, key="k").status_code == 201


def test_a_command_accepted_in_time_is_answered_after_the_deadline(bureau: Bureau) -> None:
    bureau.world.clock.set(NOON)
    first = bureau.enter(key="k")
    bureau.world.clock.advance(timedelta(hours=1))
    again = bureau.enter(key="k")
    assert (again.status_code, again.get_json()) == (201, first.get_json())


def test_a_replay_is_checked_against_the_rights_of_today(bureau: Bureau) -> None:
    bureau.enter(key="k", role="leader", team="集美街道", sub="leader")
    check_problem(bureau.enter(key="k", role="leader", team="侨英街道", sub="leader"), 403, "other-team")


def test_a_command_needs_a_key(quiet: Bureau) -> None:
    check_problem(quiet.raw(json.dumps(ENTRY), Idempotency_Key=""), 400, "idempotency-key-missing")
    check_problem(quiet.raw(json.dumps(ENTRY), Idempotency_Key="k" * 201), 400, "idempotency-key-missing")


@pytest.mark.parametrize("key", ["two words", "é", "报名".encode().decode("latin-1")])
def test_a_key_that_is_not_plain_ascii_is_refused_with_an_example(quiet: Bureau, key: str) -> None:
    problem = check_problem(quiet.raw(json.dumps(ENTRY), Idempotency_Key=key), 400, "idempotency-key-missing")
    assert "such as hand-r1t1-1" in problem["detail"]


# Versions


def test_a_version_that_holds_no_longer_is_412(bureau: Bureau) -> None:
    body = {"name": "新名", "reason": "更名"}
    stale = bureau.world.post(f"{bureau.base}/amendments", body, headers={"If-Match": '"1"'})
    check_problem(stale, 412, "version-mismatch")
    assert bureau.world.post(f"{bureau.base}/amendments", body, headers={"If-Match": '"2"'}).status_code == 201


@pytest.mark.parametrize("version", ["abc", '"-1"', "9" * 5000, "٣"])
def test_a_version_that_is_none_is_422(quiet: Bureau, version: str) -> None:
    response = quiet.world.post(f"{quiet.base}/entry-closings", {"reason": "满"}, headers={"If-Match": version})
    check_problem(response, 422, "bad-if-match")


def test_a_read_carries_the_version_to_insist_on(bureau: Bureau) -> None:
    etag = bureau.world.get(bureau.base).headers["ETag"]
    assert bureau.world.get(bureau.base, headers={"If-None-Match": etag}).status_code == 304
    body = {"name": "新名", "reason": "更名"}
    assert bureau.world.post(f"{bureau.base}/amendments", body, headers={"If-Match": etag}).status_code == 201
    assert bureau.world.get(bureau.base, headers={"If-None-Match": etag}).status_code == 200


# Bodies


def test_broken_json_is_400(quiet: Bureau) -> None:
    check_problem(quiet.raw('{"unit": '), 400, "bad-request")
    check_problem(quiet.raw(b'{"unit": "\xff"}'), 400, "bad-request")


def test_a_body_over_a_mebibyte_is_413(quiet: Bureau) -> None:
    body = json.dumps(ENTRY | {"name": "x" * (1 << 20)})
    check_problem(quiet.raw(body), 413, "body-too-large")


def test_a_body_of_another_kind_is_415(quiet: Bureau) -> None:
    check_problem(quiet.raw("unit=x", Content_Type="application/x-www-form-urlencoded"), 415, "json-needed")
    check_problem(quiet.raw(json.dumps(ENTRY), Content_Type="text/plain"), 415, "json-needed")


def test_a_body_nested_without_end_is_400(quiet: Bureau) -> None:
    check_problem(quiet.raw("[" * 100_000), 400, "bad-request")
    changes = '{"a":' * 40 + "1" + "}" * 40
    path = "/competitions"
    check_problem(quiet.raw(f'{{"regulation": "jimei-2018", "changes": {changes}}}', path), 400, "bad-request")


def test_brackets_inside_a_text_are_no_nesting(bureau: Bureau) -> None:
    assert bureau.enter(ENTRY | {"name": "[" * 60}).status_code == 201


def test_half_a_surrogate_pair_is_422(quiet: Bureau) -> None:
    body = json.dumps(ENTRY | {"name": "\ud800x"})
    check_problem(quiet.raw(body), 422, "not-storable")


@pytest.mark.parametrize(
    ("body", "pointers"),
    [
        ({}, {"/unit", "/name", "/members"}),
        ([], {""}),
        ("text", {""}),
        (ENTRY | {"colour": "red"}, {"/colour"}),
        (ENTRY | {"unit": 5}, {"/unit"}),
        (ENTRY | {"unit": None}, {"/unit"}),
        (ENTRY | {"unit": ""}, {"/unit"}),
        (ENTRY | {"unit": " \u3000"}, {"/unit"}),
        (ENTRY | {"name": "x" * 101}, {"/name"}),
        (ENTRY | {"members": {}}, {"/members"}),
        (ENTRY | {"members": [*PLAYERS, {"part": "judge", "name": "x"}]}, {"/members/2/part"}),
        (ENTRY | {"members": [PLAYERS[0], PLAYERS[1] | {"born": "1985-02-30"}]}, {"/members/1/born"}),
        (ENTRY | {"members": [PLAYERS[0], PLAYERS[1] | {"born": "1800-01-01"}]}, {"/members/1/born"}),
        (ENTRY | {"members": [PLAYERS[0], PLAYERS[1] | {"a~b/c": 1}]}, {"/members/1/a~0b~1c"}),
    ],
)
def test_a_wrong_field_is_pointed_at(quiet: Bureau, body: Any, pointers: set[str]) -> None:
    problem = check_problem(quiet.raw(json.dumps(body)), 422, "invalid")
    assert {error["pointer"] for error in problem["errors"]} == pointers


def test_every_finding_of_a_form_has_its_pointer_and_article(quiet: Bureau) -> None:
    members = [PLAYERS[0] | {"born": "1950-01-01"}, {"part": "player", "name": "乙"}]
    problem = check_problem(quiet.enter(ENTRY | {"members": members}), 422, "entry-not-in-order")
    assert [error["pointer"] for error in problem["errors"]] == ["/members/0/born", "/members/1/born"]
    assert problem["article"] == "八"


def test_a_faulty_field_is_told_in_the_asked_language(quiet: Bureau) -> None:
    body = json.dumps(ENTRY | {"unit": None, "name": "x" * 101, "colour": 1})
    problem = check_problem(quiet.raw(body, Accept_Language="zh-CN"), 422, "invalid")
    assert {error["detail"] for error in problem["errors"]} == {"不得为 null。", "长度应为 1 至 100。", "没有这一项。"}


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ('{"unit": "甲",}', "不是正确的 JSON；常见的有：多余的逗号、全角引号或冒号、缺少括号。"),
        ("[]", "应为对象 {…}。"),
        ('{"unit": 1, "name": "队", "members": []}', "应为文字（加英文引号）。"),
        ('{"unit": "甲", "name": "队", "members": "张三"}', "应为列表 […]。"),
        ('{"unit": " ", "name": "队", "members": []}', "不得只有空白。"),
    ],
)
def test_a_mistake_in_the_body_is_told_once_in_chinese(quiet: Bureau, body: str, said: str) -> None:
    answer = quiet.raw(body, Accept_Language="zh").get_json()
    assert [error["detail"] for error in answer["errors"]] == [said]


def test_a_finding_names_the_member_it_speaks_of(quiet: Bureau) -> None:
    members = [PLAYERS[0], {"part": "player", "name": "李四"}]
    problem = check_problem(quiet.enter(ENTRY | {"members": members}), 422, "entry-not-in-order")
    assert problem["detail"] == "member 2: the date of birth is missing"


def test_entries_that_are_closed_are_not_said_to_be_open(bureau: Bureau) -> None:
    bureau.world.post(f"{bureau.base}/entry-closings", {"reason": "满"})
    check_problem(bureau.world.post(f"{bureau.base}/entry-openings"), 409, "entry-closed")


def test_a_misspelt_query_is_refused_and_not_passed_over(quiet: Bureau) -> None:
    problem = check_problem(quiet.world.get(f"{quiet.base}/entries?limt=1"), 422, "invalid")
    assert [error["pointer"] for error in problem["errors"]] == ["/query/limt"]


def test_a_role_is_named_in_words_and_as_tokens_have_it(quiet: Bureau) -> None:
    problem = quiet.enter(role="auditor", headers={"Accept-Language": "zh"}).get_json()
    assert problem["detail"] == "此操作限于：主办方 organiser、领队 leader；令牌的角色是 审计 auditor。"


def test_a_regulation_change_is_refused_in_chinese_without_english(quiet: Bureau) -> None:
    body = json.dumps({"regulation": "jimei-2018", "changes": {"match.minutes": "long"}})
    problem = check_problem(quiet.raw(body, "/competitions", Accept_Language="zh"), 422, "regulation-change-invalid")
    assert problem["detail"].startswith("改动“match.minutes”不成立：jimei-2018：match.minutes：应为 int")
    assert "；可取：不小于 1 的整数" in problem["detail"]


@pytest.mark.parametrize(
    "changes",
    [
        {"dates.entries_close": "0001-01-01T00:00:00"},
        {"match.minutes": 10**40},
        {"": 1},
        {"a..b": 1},
        {"zone": "../../etc/passwd"},
        {"penalties": {}},
        {"levels.dealer_bands": []},
        {"title.zh": 5},
        {"match.points.win": -(10**25)},
    ],
)
def test_a_regulation_change_that_cannot_be_is_422(quiet: Bureau, changes: dict[str, Any]) -> None:
    response = quiet.raw(json.dumps({"regulation": "jimei-2018", "changes": changes}), "/competitions")
    assert response.status_code == 422, response.data


# Who


def test_no_token_is_401_and_says_how(quiet: Bureau) -> None:
    response = quiet.raw(json.dumps(ENTRY), Authorization="")
    check_problem(response, 401, "token-needed")
    assert response.headers["WWW-Authenticate"] == "Bearer"
    check_problem(quiet.raw(json.dumps(ENTRY), Authorization="Bearer forged.token.here"), 401, "token-needed")


def test_an_expired_token_is_401(bureau: Bureau) -> None:
    token = bureau.world.token("organiser")
    bureau.world.clock.advance(timedelta(hours=1))
    check_problem(bureau.raw(json.dumps(ENTRY), Authorization=f"Bearer {token}"), 401, "token-needed")


@pytest.mark.parametrize("role", ["referee", "committee", "auditor", "operator"])
def test_a_role_that_may_not_is_403(quiet: Bureau, role: str) -> None:
    check_problem(quiet.enter(role=role), 403, "role-not-allowed")


def test_a_token_of_another_competition_is_403(bureau: Bureau) -> None:
    check_problem(bureau.enter(competitions=("jimei-2018-other",)), 403, "other-competition")
    assert bureau.enter(competitions=(bureau.id,)).status_code == 201


def test_a_leader_enters_the_own_unit_however_it_is_spaced(bureau: Bureau) -> None:
    check_problem(bureau.enter(role="leader", team="侨英街道"), 403, "other-team")
    check_problem(bureau.enter(role="leader"), 403, "other-team")
    assert bureau.enter(ENTRY | {"unit": " 集美街道"}, role="leader", team="集美街道").status_code == 201


def test_members_are_read_by_the_organiser_and_the_own_leader_alone(bureau: Bureau) -> None:
    team = bureau.enter().get_json()["events"][0]["data"]["team"]["id"]
    path = f"{bureau.base}/entries/{team}"
    assert bureau.world.get(path).status_code == 401
    assert bureau.world.get(path, role="leader", team="侨英街道").status_code == 403
    for who in ({"role": "organiser"}, {"role": "leader", "team": "集美街道"}, {"role": "leader", "team": team}):
        assert bureau.world.get(path, **who).get_json()["members"][0]["name"] == "张甲"
    assert "张甲" not in bureau.world.get(f"{bureau.base}/entries").get_data(as_text=True)


# Reads


def test_what_is_not_there_is_404(quiet: Bureau) -> None:
    check_problem(quiet.world.get("/registration/competitions/none"), 404, "no-such-competition")
    check_problem(quiet.world.get("/registration/nothing/here"), 404, "not-found")
    check_problem(quiet.world.get(f"{quiet.base}/entries/t-0", role="organiser"), 404, "no-such-entry")
    response = quiet.world.client("registration").delete("/competitions")
    check_problem(response, 405, "method-not-allowed")
    assert "GET" in response.headers["Allow"]


def test_lists_page_by_cursor_without_loss_or_repeat(bureau: Bureau) -> None:
    units = [f"单位{n}" for n in range(7)]
    for unit in units:
        bureau.enter(ENTRY | {"unit": unit})
    seen: list[str] = []
    cursor = ""
    while True:
        page = bureau.world.get(f"{bureau.base}/entries?limit=3{cursor}").get_json()
        seen += [item["unit"] for item in page["items"]]
        if page["next"] is None:
            break
        cursor = f"&cursor={page['next']}"
    assert sorted(seen) == sorted(units)


@pytest.mark.parametrize("cursor", ["zzz", "WzVd", "e30", "W10"])  # no base64, [5], {}, []
def test_a_cursor_that_is_none_is_422(quiet: Bureau, cursor: str) -> None:
    check_problem(quiet.world.get(f"{quiet.base}/entries?cursor={cursor}"), 422, "bad-cursor")


def test_a_limit_beyond_the_bounds_is_422(quiet: Bureau) -> None:
    for limit in ("0", "501", "many"):
        problem = check_problem(quiet.world.get(f"{quiet.base}/entries?limit={limit}"), 422, "invalid")
        assert problem["errors"][0]["pointer"] == "/query/limit"


def test_a_written_position_is_waited_for(bureau: Bureau) -> None:
    position = bureau.enter().headers["Pailu-Position"]
    assert bureau.world.get(f"{bureau.base}/entries", headers={"Pailu-Position": position}).status_code == 200
    check_problem(bureau.world.get(bureau.base, headers={"Pailu-Position": "nonsense"}), 422, "bad-position")


def test_a_regulation_shows_every_value_with_its_article_and_mark(quiet: Bureau) -> None:
    body = quiet.world.get("/registration/regulations/jimei-2018").get_json()
    revoke = next(value for value in body["values"] if value["key"] == "penalties.revoke")
    assert (revoke["article"], revoke["mark"]) == ("十一.8⑨", "stated")


def test_an_amended_deadline_is_the_one_that_holds(bureau: Bureau) -> None:
    body = {"entries_close": "2018-11-13T12:00:00", "reason": "延期"}
    assert bureau.world.post(f"{bureau.base}/amendments", body).status_code == 201
    bureau.world.clock.set(NOON + timedelta(days=1))
    assert bureau.enter().status_code == 201
    assert bureau.world.get(bureau.base).get_json()["entries_close"] == "2018-11-13T04:00:00Z"
