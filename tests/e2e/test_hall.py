"""The hall over HTTP: what a referee has to look at, in one answer."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from tests.support.site import REASON, Site, hand
from tests.support.world import World


@pytest.fixture
def site() -> Site:
    return Site(World()).paired()


def hall(site: Site, query: str = "", sub: str = "li", **claims: Any) -> Any:
    answer = site.world.get(f"/match/competitions/{site.id}/hall{query}", role="referee", sub=sub, **claims)
    assert answer.status_code == 200, answer.get_data(as_text=True)
    return answer.get_json()


def at(site: Site, rest: str, body: Any = None, table: int = 0, sub: str = "li", **more: Any) -> Any:
    match = site.tables[table]["match"]
    return site.done(f"match/matches/{match}/{rest}", body, **{"role": "referee", "sub": sub, **more})


def test_one_answer_tells_what_is_open_in_conflict_and_not_confirmed(site: Site) -> None:
    one, two = (table["match"] for table in site.tables)
    at(site, "hands", hand(1))
    at(site, "hands", hand(1) | {"points": 45}, sub="wang")
    at(site, "hands", hand(1), table=1, sub="wang")
    site.done("match/rounds/1/time-calls", role="referee")
    at(site, "closings", table=1)
    shown = hall(site)
    assert (shown["open"], shown["in_conflict"], shown["unconfirmed"]) == ([one], [one], [two])
    for pair in ("13", "24"):
        at(site, "confirmations", {"pair": pair, "hands": 1, **REASON}, table=1)
    assert hall(site)["unconfirmed"] == []


def test_after_ten_minutes_the_list_shows_what_is_overdue(site: Site) -> None:
    at(site, "hands", hand(1))
    site.done("match/rounds/1/time-calls", role="referee")
    at(site, "closings")
    assert hall(site)["overdue"] == []
    site.world.clock.advance(timedelta(minutes=11))
    site.world.settle()
    assert hall(site)["overdue"] == [site.match]


def test_my_tables_are_those_i_have_claimed_or_entered_hands_at(site: Site) -> None:
    assert [table["mine"] for table in hall(site)["tables"]] == [False, False]
    at(site, "claims", {"device": "phone 1"}, table=1)
    at(site, "hands", hand(1), table=0, sub="wang")
    assert [table["match"] for table in hall(site, "?mine=true")["tables"]] == [site.tables[1]["match"]]
    assert [table["match"] for table in hall(site, "?mine=true", sub="wang")["tables"]] == [site.tables[0]["match"]]


def test_a_second_device_is_warned_and_may_enter(site: Site) -> None:
    at(site, "claims", {"device": "phone 1"})
    second = at(site, "claims", {"device": "phone 2"}, sub="wang")
    assert second["events"][0]["data"]["beside"] == ["phone 1"]
    assert [claim["device"] for claim in hall(site)["tables"][0]["claims"]] == ["phone 1", "phone 2"]
    at(site, "hands", hand(1), sub="wang")


def test_claims_and_check_ins_change_no_version_of_the_match(site: Site) -> None:
    at(site, "hands", hand(1))
    path = f"/match/competitions/{site.id}/matches/{site.match}"
    seen = site.world.get(path).headers["ETag"]
    at(site, "claims", {"device": "phone 1"})
    at(site, "check-ins", {"team": site.team})
    assert site.world.get(path).headers["ETag"] == seen


def test_who_has_not_come_is_missing_until_a_hand_was_played(site: Site) -> None:
    teams = site.tables[0]["teams"]
    at(site, "check-ins", {"team": teams[0]})
    assert hall(site)["tables"][0]["missing"] == [teams[1]]
    at(site, "hands", hand(1))
    assert hall(site)["tables"][0]["missing"] == []


def test_penalties_are_counted_by_pair_and_code_until_they_are_lifted(site: Site) -> None:
    at(site, "hands", hand(1))
    for code in ("signalling", "signalling", "revoke"):
        at(site, "penalties", {"hand": 1, "pair": "24", "code": code})
    assert hall(site)["tables"][0]["counters"] == {"13": {}, "24": {"signalling": 2, "revoke": 1}}
    at(site, "penalties/p1/liftings", REASON)
    assert hall(site)["tables"][0]["counters"]["24"] == {"signalling": 1, "revoke": 1}


def test_a_leader_confirms_for_the_own_team_alone(site: Site) -> None:
    at(site, "hands", hand(1))
    at(site, "confirmations", {"pair": "13", "hands": 1}, role="leader", team=site.unit, sub="leader")
    path = f"/match/competitions/{site.id}/matches/{site.match}/confirmations"
    refused = site.world.post(path, {"pair": "24", "hands": 1}, role="leader", team=site.unit)
    assert (refused.status_code, refused.get_json()["type"].rpartition("/")[2]) == (403, "other-team")
    shown = site.world.get(f"/match/competitions/{site.id}/matches/{site.match}").get_json()
    assert {pair: (one["by"], one["for_pair"]) for pair, one in shown["confirmed"].items()} == {"13": ("leader", False)}


def test_a_disqualified_team_has_no_rank(site: Site) -> None:
    out = {"team": site.team, "reason": "冒名顶替"}
    site.done("match/disqualifications", out, role="referee", chief=True)
    path = f"/match/competitions/{site.id}/disqualifications"
    again = site.world.post(path, out, role="referee", chief=True)
    assert (again.status_code, again.get_json()["type"].rpartition("/")[2]) == (409, "team-is-disqualified")
    rows = site.world.get(f"/ranking/competitions/{site.id}/standings").get_json()["rows"]
    assert [row["team"] for row in rows if row["disqualified"]] == [site.team]


def test_the_clock_is_shown_with_its_end_and_what_becomes_of_a_hand_in_play(site: Site) -> None:
    def shown() -> tuple[Any, ...]:
        current = site.world.get(f"/match/competitions/{site.id}/rounds/1").get_json()
        return current["minutes"], current["paused_at"] is not None, current["unfinished_hand"]

    assert shown() == (None, False, "")
    site.done("match/rounds/1/starts", role="referee")
    site.done("match/rounds/1/pauses", REASON, role="referee")
    assert shown() == (60, True, "")
    site.done("match/rounds/1/resumptions", role="referee")
    site.world.clock.advance(timedelta(minutes=61))
    site.done("match/rounds/1/time-calls", role="referee")
    assert shown() == (60, False, "discard")  # RULINGS, jimei-2018 6


def test_who_has_the_link_of_one_table_sees_that_table_of_its_round_alone(site: Site) -> None:
    number = site.tables[1]["table"]
    seen = hall(site, table=(1, number))
    assert [(table["match"], table["mine"]) for table in seen["tables"]] == [(site.tables[1]["match"], True)]
    assert seen["open"] == [site.tables[1]["match"]]
    assert hall(site, "?round=1&mine=true", table=(1, number))["tables"] == seen["tables"]
    path = f"/match/competitions/{site.id}/hall?round=2"
    refused = site.world.get(path, role="referee", table=(1, number))
    assert (refused.status_code, refused.get_json()["type"].rpartition("/")[2]) == (403, "one-table-only")


def test_after_time_was_called_the_list_shows_of_which_tables_nobody_has_said_how_far_the_hand_was(site: Site) -> None:
    one, two = (table["match"] for table in site.tables)
    at(site, "hands", hand(1))
    assert hall(site)["unsaid"] == []
    site.done("match/rounds/1/time-calls", role="referee")
    assert hall(site)["unsaid"] == [one, two]
    said = at(site, "unfinished-hands", {"hand": 2, "phase": "playing"})["events"][0]["data"]
    assert (said["counts"], said["article"]) == (False, "十.2")
    seen = hall(site)
    assert (seen["unsaid"], seen["tables"][0]["unfinished"]["phase"]) == ([two], "playing")
    shown = site.world.get(f"/match/competitions/{site.id}/rounds/1").get_json()
    assert (shown["unfinished_hand"], shown["hand_begun"]) == ("discard", "first_card_drawn")
    path = f"/match/competitions/{site.id}/matches/{site.match}/hands"
    late = site.world.post(path, hand(2), role="referee").get_json()
    assert (late["type"].rpartition("/")[2], late["article"]) == ("hand-out-of-time", "十.2")
    at(site, "closings", table=1)
    assert hall(site)["unsaid"] == []


def test_a_time_call_by_mistake_is_the_chief_referees_to_lift_and_nothing_of_it_is_left(site: Site) -> None:
    site.done("match/rounds/1/time-calls", role="referee")
    at(site, "unfinished-hands", {"hand": 1, "phase": "playing"})
    path = f"/match/competitions/{site.id}/rounds/1/time-calls/liftings"
    assert site.world.post(path, REASON, role="referee").status_code == 403
    site.done("match/rounds/1/time-calls/liftings", REASON, role="referee", chief=True)
    seen = hall(site)
    assert (seen["unsaid"], [table["unfinished"] for table in seen["tables"]]) == ([], [None, None])
    shown = site.world.get(f"/match/competitions/{site.id}/rounds/1").get_json()
    assert (shown["time_called_at"], shown["unfinished_hand"]) == (None, "")
    at(site, "hands", hand(1))


def test_a_phone_sends_after_time_what_it_held_and_how_far_the_hand_was_in_any_order(site: Site) -> None:
    site.done("match/rounds/1/time-calls", role="referee")
    entries = [("hands", hand(2)), ("hands", hand(1)), ("unfinished-hands", {"hand": 3, "phase": "drawing"})]
    items = [
        {"key": f"late-{n}", "to": f"matches/{site.match}/{kind}", "body": body | site.held()}
        for n, (kind, body) in enumerate(entries)
    ]
    answer = site.world.post(f"/match/competitions/{site.id}/batches", {"items": items}, role="referee").get_json()
    assert answer["counts"] == {"201": 3}, answer


def test_an_impostor_found_after_the_places_were_declared_costs_the_team_its_place() -> None:
    """七.7: 严禁……冒名顶替，如发现即取消其比赛资格和该代表队此项比赛成绩. Others keep what they won."""
    site = Site(World()).proposed()
    site.done("match/place-declarations", sub="director")
    before = _ranking(site, "places")
    first = before["places"][0]["team"]
    found = {"rule": "fraud", "member": 1, "holds": False, "reason": "与证件照片不符"}
    assert site.done(f"registration/entries/{first}/confirmations", found)["events"][0]["data"]["article"] == "七.7"
    out = {"team": first, "reason": "冒名顶替"}
    done = site.done("match/disqualifications", out, role="referee", chief=True)
    assert done["events"][0]["data"]["article"] == "七.7"
    assert _ranking(site, "places")["changed_since"]
    assert _ranking(site, "awards")["awards"] == []
    rows = {row["team"]: row for row in _ranking(site, "standings")["rows"]}
    assert (rows[first]["rank"], rows[first]["disqualified"]) == (None, True)
    points = {place["team"]: place["points"] for place in before["places"]}
    assert {team: row["points"] for team, row in rows.items() if team != first} == {
        team: won for team, won in points.items() if team != first
    }
    site.done("match/place-proposals")
    site.done("match/place-declarations", sub="director")
    after = _ranking(site, "places")
    assert (after["status"], after["changed_since"]) == ("declared", False)
    assert [place["team"] for place in after["places"]] == [place["team"] for place in before["places"][1:]]
    assert not _ranking(site, "standings")["provisional"]


def _ranking(site: Site, what: str) -> Any:
    return site.world.get(f"/ranking/competitions/{site.id}/{what}", role="organiser").get_json()
