"""Phones in a bad hall, over HTTP: what they hold back, what comes twice, what comes to the wrong table."""

from __future__ import annotations

from typing import Any

import pytest
from werkzeug.test import TestResponse

from tests.support.site import REASON, Site, hand
from tests.support.world import World


@pytest.fixture
def site() -> Site:
    return Site(World()).paired()


def enter(site: Site, number: int = 1, points: int = 40, sub: str = "li", **more: Any) -> TestResponse:
    path = f"/match/competitions/{site.id}/matches/{site.match}/hands"
    return site.world.post(path, hand(number) | {"points": points} | more, role="referee", sub=sub)


def slug(response: TestResponse) -> tuple[int, str]:
    return response.status_code, response.get_json()["type"].rpartition("/")[2]


def shown(site: Site) -> Any:
    return site.world.get(f"/match/competitions/{site.id}/matches/{site.match}").get_json()


def reasons(site: Site) -> list[str]:
    answer = site.world.get(f"/ranking/competitions/{site.id}/standings").get_json()
    return [reason["code"] for reason in answer["reasons"]]


def test_two_versions_of_a_hand_are_shown_and_the_standings_say_so_until_the_chief_chooses(site: Site) -> None:
    enter(site, points=40, sub="li")
    assert enter(site, points=45, sub="wang").status_code == 201
    (conflict,) = shown(site)["conflicts"]
    assert [(v["facts"]["points"], v["by"], v["counts"]) for v in conflict["versions"]] == [
        (40, "li", True),
        (45, "wang", False),
    ]
    assert "hand_in_conflict" in reasons(site)
    path = f"match/matches/{site.match}/hands/1/choices"
    site.done(path, {"version": 2, **REASON}, role="referee", chief=True)
    match = shown(site)
    assert match["conflicts"] == []
    assert match["hands"][0]["facts"]["points"] == 45
    assert "hand_in_conflict" not in reasons(site)


def test_a_table_in_play_says_which_of_its_hands_are_in_conflict(site: Site) -> None:
    enter(site, points=40, sub="li")
    enter(site, points=45, sub="wang")
    tables = site.world.get(f"/ranking/competitions/{site.id}/standings").get_json()["in_progress"]
    assert [table["conflicts"] for table in tables if table["match"] == site.match] == [[1]]


def test_the_same_hand_under_another_key_is_200_and_nothing_new(site: Site) -> None:
    enter(site, sub="li")
    again = enter(site, sub="wang")
    assert (again.status_code, again.get_json()["events"]) == (200, [])


def test_a_referee_with_the_whole_version_in_sight_corrects_it_and_needs_the_version_seen(site: Site) -> None:
    enter(site)
    path = f"/match/competitions/{site.id}/matches/{site.match}/hands/1/corrections"
    body = {"dealer": 1, "points": 45, **REASON}
    assert slug(site.world.post(path, body, role="referee")) == (428, "if-match-needed")
    seen = site.world.get(f"/match/competitions/{site.id}/matches/{site.match}").headers["ETag"]
    assert site.world.post(path, body, role="referee", headers={"If-Match": seen}).status_code == 201
    assert slug(site.world.post(path, body, role="referee", headers={"If-Match": seen})) == (412, "version-mismatch")


def test_a_hand_equal_to_another_is_questioned(site: Site) -> None:
    enter(site, 1)
    assert slug(enter(site, 2)) == (409, "hand-equals-another")
    assert enter(site, 2, equals_another=True).status_code == 201


def test_an_entry_for_the_wrong_table_is_refused_and_the_right_match_named(site: Site) -> None:
    refused = enter(site, **site.held(2))
    assert slug(refused) == (409, "entry-of-another-table")
    assert refused.get_json()["right"] == {"round": 1, "table": 2, "match": site.tables[1]["match"]}
    assert shown(site)["hands"] == []


def test_what_is_held_back_in_a_batch_says_where_it_belongs(site: Site) -> None:
    items = [{"key": "k", "to": f"matches/{site.match}/hands", "body": hand(1)}]
    (answer,) = site.world.post(f"/match/competitions/{site.id}/batches", {"items": items}, role="referee").get_json()[
        "items"
    ]
    assert (answer["status"], answer["body"]["errors"][0]["pointer"]) == (422, "/held")


def test_a_penalty_that_was_held_back_says_when_it_was_claimed_and_counts_in_whatever_order_it_comes(
    site: Site,
) -> None:
    """十一.8: 下一局开始后不再追究. Claimed in hand 1, and sent after hand 3."""
    for number in (1, 2, 3):
        assert enter(site, number, points=80 + 5 * number).status_code == 201
    path = f"/match/competitions/{site.id}/batches"
    foul = {"hand": 1, "pair": "13", "code": "revoke"} | site.held()
    answers = []
    for key, more in (("k1", {}), ("k2", {"claimed_during": 1})):
        items = [{"key": key, "to": f"matches/{site.match}/penalties", "body": foul | more}]
        answers += site.world.post(path, {"items": items}, role="referee").get_json()["items"]
    assert [answer["status"] for answer in answers] == [422, 201]
    assert answers[0]["body"]["errors"][0]["pointer"] == "/claimed_during"


@pytest.mark.parametrize("at", ["1970-01-01T00:00:00Z", "9999-12-31T23:59:59+14:00", "half past nine", ""])
def test_a_phones_clock_is_recorded_as_it_was_said_and_decides_nothing(site: Site, at: str) -> None:
    said = site.held()["held"] | {"at": at, "device": "phone 7"}
    assert enter(site, held=said).status_code == 201
    (entered,) = shown(site)["hands"]
    assert (entered["held"]["at"], entered["held"]["device"]) == (at, "phone 7")
    events = site.world.get(f"/match/competitions/{site.id}/matches/{site.match}/events").get_json()["items"]
    assert {event["received_at"][:10] for event in events} == {site.world.clock.now().date().isoformat()}


def test_an_unset_field_is_never_zero(site: Site) -> None:
    """A hand without its points is no hand of 0 points, and one whose trump was not noted is not one without trumps."""
    path = f"/match/competitions/{site.id}/matches/{site.match}/hands"
    for body in ({"hand": 1, "dealer": 1}, {"hand": 1, "points": 0}, {"dealer": 1, "points": 0}):
        assert slug(site.world.post(path, body, role="referee")) == (422, "invalid")
    for name in ("hand", "dealer", "points"):
        assert slug(site.world.post(path, hand(1) | {name: None}, role="referee")) == (422, "invalid")
    enter(site)
    facts = shown(site)["hands"][0]["facts"]
    assert (facts["trump"], facts["levels"]) == (None, None)


def test_a_time_call_submits_nothing_half_made(site: Site) -> None:
    path = f"/match/competitions/{site.id}/rounds/1/time-calls"
    assert slug(site.world.post(path, hand(1), role="referee")) == (422, "invalid")
    assert site.world.post(path, role="referee").status_code == 201
    assert shown(site)["hands"] == []


# 掼蛋


@pytest.fixture
def pairs() -> Site:
    return Site(World()).in_pairs()


def go_out(site: Site, *finish: int, number: int = 1, sub: str = "li", **more: Any) -> TestResponse:
    path = f"/match/competitions/{site.id}/matches/{site.match}/finishes"
    return site.world.post(path, {"hand": number, "finish": finish} | more, role="referee", sub=sub)


def test_two_orders_of_going_out_are_shown_and_the_standings_say_so_until_the_chief_chooses(pairs: Site) -> None:
    go_out(pairs, 1, 3)
    assert go_out(pairs, 2, 4, sub="wang").status_code == 201
    (conflict,) = shown(pairs)["conflicts"]
    assert [(v["facts"]["finish"], v["by"], v["counts"]) for v in conflict["versions"]] == [
        ([1, 3], "li", True),
        ([2, 4], "wang", False),
    ]
    assert "hand_in_conflict" in reasons(pairs)
    hall = pairs.world.get(f"/match/competitions/{pairs.id}/hall", role="referee").get_json()
    assert hall["in_conflict"] == [pairs.match]
    choices = f"/match/competitions/{pairs.id}/matches/{pairs.match}/finishes/1/choices"
    assert pairs.world.post(choices, {"version": 2, **REASON}, role="referee").status_code == 403, "the chief's alone"
    assert slug(
        pairs.world.post(choices.replace("finishes", "hands"), {"version": 2, **REASON}, role="referee", chief=True)
    ) == (409, "other-game")
    assert pairs.world.post(choices, {"version": 2, **REASON}, role="referee", chief=True).status_code == 201
    match = shown(pairs)
    assert (match["conflicts"], match["hands"][0]["facts"]["finish"]) == ([], [2, 4])
    assert match["levels"] == {"13": "2", "24": "5"}
    assert "hand_in_conflict" not in reasons(pairs)


def test_a_second_order_of_going_out_needs_the_version_seen_and_an_equal_one_is_questioned(pairs: Site) -> None:
    go_out(pairs, 1, 3)
    path = f"/match/competitions/{pairs.id}/matches/{pairs.match}/finishes/1/corrections"
    assert slug(pairs.world.post(path, {"finish": [2, 4], **REASON}, role="referee")) == (428, "if-match-needed")
    assert slug(go_out(pairs, 1, 3, number=2)) == (409, "hand-equals-another")
    assert go_out(pairs, 1, 3, number=2, equals_another=True).status_code == 201
