"""The appeals desk over REST beside the real registration, match and ranking: jimei-2018 十四, RULINGS “Appeals”.

Four units play; in round 1, table 1, a revoke of 80 is charged wrongly and costs the team its match."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from werkzeug.test import TestResponse

from tests.support.world import World

pytestmark = pytest.mark.over("memory", "kafka")

UNITS = ("集美街道", "侨英街道", "杏林街道", "杏滨街道")
FEE = 50_000
MICROSECOND = timedelta(microseconds=1)
CHAIR = {"account": "committee-chen", "unit": "集美区体育局"}


class Hall:
    """The people of a competition, and what each may ask for. A request is answered as the person would see it."""

    def __init__(self, changes: dict[str, Any] | None = None) -> None:
        self.world = World()
        announced = self.done("/registration/competitions", {"regulation": "jimei-2018", "changes": changes or {}})
        self.competition = announced["stream"].partition("/")[2]
        self.base = f"competitions/{self.competition}"
        self.done(f"/registration/{self.base}/entry-openings")
        self.units = {self._enter(unit): unit for unit in UNITS}
        self.world.clock.set(datetime(2018, 11, 24, 0, 30, tzinfo=UTC))
        self.done(f"/registration/{self.base}/entry-closings")
        self.done(f"/match/{self.base}/draws")
        self.match, self.own, self.other = self._play_round_1()

    def _enter(self, unit: str) -> str:
        members = [{"part": "player", "name": f"{unit}{n}", "born": "1980-01-01"} for n in (1, 2)]
        entered = self.done(
            f"/registration/{self.base}/entries", {"unit": unit, "name": f"{unit}队", "members": members}
        )
        return str(entered["events"][0]["data"]["team"]["id"])

    def pair(self) -> list[Any]:
        self.done(f"/match/{self.base}/rounds")
        tables: list[Any] = self.world.get(f"/match/{self.base}/rounds").get_json()["items"][-1]["tables"]
        return tables

    def _play_round_1(self) -> tuple[str, str, str]:
        """Hand 1: the second pair holds 75 as attackers; 80 for a revoke make it 155, two levels instead of none."""
        tables = self.pair()
        path = f"/match/{self.base}/matches/{tables[0]['match']}"
        self.done(f"{path}/hands", {"hand": 1, "dealer": 1, "points": 75}, role="referee", sub="referee-1")
        penalty = {"hand": 1, "pair": "13", "code": "revoke", "reason": "看似藏张"}
        issued = self.done(f"{path}/penalties", penalty, role="referee", sub="referee-1")
        self.penalty = issued["events"][-1]["data"]["penalty"]
        hand = {"hand": 1, "dealer": 1, "points": 0}
        self.done(f"/match/{self.base}/matches/{tables[1]['match']}/hands", hand, role="referee", sub="referee-2")
        self.close_round(1, tables)
        own, other = tables[0]["teams"]
        return tables[0]["match"], own, other

    def close_round(self, number: int, tables: list[Any]) -> None:
        self.done(f"/match/{self.base}/rounds/{number}/time-calls", role="referee")
        for table in tables:
            self.done(f"/match/{self.base}/matches/{table['match']}/closings", role="referee", sub="referee-2")
        closed = self.done(f"/match/{self.base}/rounds/{number}/closings", role="referee")
        self.closed_at = datetime.fromisoformat(closed["events"][0]["data"]["closed_at"])
        self.deadline = self.closed_at + timedelta(hours=24)

    # Asking

    def done(self, path: str, body: Any = None, role: str = "organiser", **more: Any) -> Any:
        """A command that succeeds."""
        response = self.world.post(path, body, role=role, **more)
        assert response.status_code == 201, response.get_data(as_text=True)
        self.world.clock.advance(timedelta(seconds=20))
        return response.get_json()

    def post(self, rest: str, body: Any = None, *, role: str = "leader", **more: Any) -> TestResponse:
        """A command to the desk."""
        if role == "leader":
            more = {"team": self.own, "sub": "leader", **more}
        return self.world.post(f"/appeals/{self.base}/{rest}", body, role=role, **more)

    def ask(self, rest: str, role: str | None = None, **more: Any) -> TestResponse:
        return self.world.get(f"/appeals/{self.base}/{rest}", role=role, **more)

    def see(self, rest: str, role: str | None = None, **more: Any) -> Any:
        response = self.ask(rest, role, **more)
        assert response.status_code == 200, response.get_data(as_text=True)
        return response.get_json()

    # The stages of an appeal

    def draft_body(self, **changes: Any) -> dict[str, Any]:
        asks_for = {"kind": "lift_penalty", "penalty": self.penalty}
        return {"match": self.match, "grounds": "该牌为级牌，不是藏张", "asks_for": asks_for, **changes}

    def drafted(self) -> str:
        return str(_ok(self.post("appeals", self.draft_body()))["events"][0]["data"]["appeal"])

    def paid(self, appeal: str) -> None:
        _ok(self.post(f"appeals/{appeal}/deposits", {"amount_fen": FEE}, role="organiser", sub="desk-1"))

    def lodged(self) -> str:
        appeal = self.drafted()
        _ok(self.post(f"appeals/{appeal}/reports", {"reference": "申诉书1号", "bears_seal": True}))
        self.paid(appeal)
        _ok(self.post(f"appeals/{appeal}/deposits/confirmations", role="organiser", sub="desk-2"))
        return appeal

    def heard(self) -> str:
        appeal = self.lodged()
        _ok(self.post(f"appeals/{appeal}/acceptances", role="committee"))
        _ok(self.post(f"appeals/{appeal}/hearings", {"members": [CHAIR]}, role="committee"))
        return appeal

    def decide(self, appeal: str, outcome: str = "upheld", **more: Any) -> TestResponse:
        body = {"outcome": outcome, "reason": "经查非藏张", "members": [CHAIR], **more}
        if outcome != "dismissed":
            body.setdefault("remedy", {"kind": "lift_penalty", "penalty": self.penalty})
        return self.post(f"appeals/{appeal}/decisions", body, role="committee")


def _ok(response: TestResponse) -> Any:
    assert response.status_code == 201, response.get_data(as_text=True)
    return response.get_json()


def refused(response: TestResponse, status: int, slug: str, article: str | None = None) -> Any:
    body = response.get_json()
    assert (response.status_code, body["type"].rpartition("/")[2]) == (status, slug), body
    assert body.get("article") == article
    assert response.content_type == "application/problem+json"
    return body


@pytest.fixture
def hall() -> Hall:
    return Hall()


# The whole way


def test_an_upheld_appeal_changes_the_match_and_brings_the_money_back(hall: Hall) -> None:
    before = hall.world.get(f"/match/{hall.base}/matches/{hall.match}").get_json()
    appeal = hall.heard()
    assert hall.see(f"appeals/{appeal}", "committee")["next_step"]["code"] == "decide"
    _ok(hall.decide(appeal))
    after = hall.world.get(f"/match/{hall.base}/matches/{hall.match}").get_json()
    assert len(after["rulings"]) == 1
    assert before["result"]["points"] != after["result"]["points"]
    shown = hall.see(f"appeals/{appeal}", "committee")
    assert (shown["status"], shown["deposit"]["status"]) == ("upheld", "refunded")
    assert shown["ended"]["remedy"]["kind"] == "lift_penalty"
    assert shown["disputed"]["rulings"][0]["appeal"] == appeal
    assert shown["disputed"]["penalties"][0]["lifted_because"] == "经查非藏张"
    ledger = hall.see("ledger", "auditor")
    assert [entry["kind"] for entry in ledger["entries"]] == ["received", "confirmed", "refunded"]
    assert all(sum(posting["fen"] for posting in entry["postings"]) == 0 for entry in ledger["entries"])
    assert {account["account"]: account["fen"] for account in ledger["accounts"]} == {
        "cash": 0,
        f"received:{appeal}": 0,
        f"held:{appeal}": 0,
    }
    assert ledger["sum"] == 0


def test_a_dismissed_appeal_lets_the_result_stand_and_keeps_the_money(hall: Hall) -> None:
    appeal = hall.heard()
    before = hall.world.get(f"/match/{hall.base}/matches/{hall.match}").get_json()
    _ok(hall.decide(appeal, "dismissed"))
    assert hall.world.get(f"/match/{hall.base}/matches/{hall.match}").get_json() == before
    ledger = hall.see("ledger", "committee")
    assert ledger["entries"][-1]["kind"] == "forfeited"
    assert ledger["entries"][-1]["article"] == "十四.2"
    assert {"account": "forfeited", "fen": -FEE} in ledger["accounts"]
    assert ledger["sum"] == 0
    refused(hall.decide(appeal), 409, "already-decided")


def test_a_decision_with_a_later_round_resting_on_it_says_what_becomes_of_it(hall: Hall) -> None:
    appeal = hall.heard()
    later = [table["match"] for table in hall.pair()]
    told = refused(hall.decide(appeal), 409, "later-rounds-rest-on-it", "十.1")
    assert all(match in told["detail"] for match in later)
    assert hall.see(f"appeals/{appeal}", "referee")["disputed"]["later"] == {"2": later}
    refused(hall.decide(appeal, later={"choice": "replay_from", "round": 3}), 422, "later-not-in-order")
    _ok(hall.decide(appeal, later={"choice": "replay_from", "round": 2}))
    assert [entry["round"] for entry in hall.see("deadlines")["rounds"]] == [1]


# The standings before and after


def lines(standings: Any) -> dict[str, tuple[Any, ...]]:
    """By team what the standings of ranking say."""
    return {row["team"]: (row["rank"], row["points"], row["total"]) for row in standings["rows"]}


def side(effect: Any, name: str) -> dict[str, tuple[Any, ...]]:
    """By team one side of an effect."""
    sides = {row["team"]: row[name] for row in effect["rows"]}
    return {team: (line["rank"], line["points"], line["total"]) for team, line in sides.items()}


def test_the_committee_sees_before_it_decides_what_the_standings_then_are(hall: Hall) -> None:
    appeal = hall.heard()
    standings = f"/ranking/{hall.base}/standings"
    now = lines(hall.world.get(standings).get_json())
    preview = hall.see(f"appeals/{appeal}/effect", "committee")
    assert (preview["status"], preview["remedy"]["kind"]) == ("preview", "lift_penalty")
    assert (preview["result_before"]["points"], preview["result_after"]["points"]) == ([0, 2], [2, 0])
    assert {row["team"] for row in preview["rows"] if row["changed"]} >= {hall.own, hall.other}
    assert side(preview, "before") == now

    _ok(hall.decide(appeal))
    then = lines(hall.world.get(standings).get_json())
    applied = hall.see(f"appeals/{appeal}/effect", "committee")
    assert applied["status"] == "applied"
    assert side(applied, "before") == now
    assert side(applied, "after") == side(preview, "after") == then != now


def test_what_was_applied_is_shown_as_it_was_then_whatever_came_later(hall: Hall) -> None:
    appeal = hall.heard()
    _ok(hall.decide(appeal))
    applied = hall.see(f"appeals/{appeal}/effect", "auditor")
    tables = hall.pair()
    hall.close_round(2, tables)
    assert hall.see(f"appeals/{appeal}/effect", "auditor") == applied
    assert hall.see(f"appeals/{appeal}/effect?remedy=none", "auditor")["status"] == "preview"


def test_another_remedy_is_tried_out_with_what_becomes_of_later_rounds(hall: Hall) -> None:
    appeal = hall.lodged()
    later = [table["match"] for table in hall.pair()]
    query = f"appeals/{appeal}/effect?remedy=award_match&team={hall.own}&later=replay_from&round=2"
    effect = hall.see(query, "organiser")
    assert (effect["remedy"]["team"], effect["later"]) == (hall.own, {"choice": "replay_from", "round": 2})
    assert effect["result_after"]["how"] == "awarded"
    assert effect["concerned"] == later
    corrected = hall.see(f"appeals/{appeal}/effect?remedy=correct_hand&hand=1&dealer=1&points=0", "organiser")
    assert corrected["remedy"]["facts"] == {"dealer": 1, "points": 0, "trump": None, "levels": None}


def test_a_remedy_that_match_could_not_apply_is_not_even_tried(hall: Hall) -> None:
    effect = f"appeals/{hall.lodged()}/effect"
    told = refused(hall.ask(effect + "?remedy=annul_hand&hand=9", "committee"), 422, "remedy-not-in-order")
    assert told["errors"][0]["pointer"] == "/query/hand"
    refused(hall.ask(effect + "?hand=1", "committee"), 422, "remedy-not-named")
    assert hall.ask(effect + "?remedy=apology", "committee").status_code == 422


@pytest.mark.parametrize("outcome", ["dismissed", "withdrawn"])
def test_what_ended_without_a_remedy_changes_nothing(hall: Hall, outcome: str) -> None:
    appeal = hall.heard()
    if outcome == "dismissed":
        _ok(hall.decide(appeal, "dismissed"))
    else:
        _ok(hall.post(f"appeals/{appeal}/withdrawals", {"reason": "和解"}))
    effect = hall.see(f"appeals/{appeal}/effect", "committee")
    assert (effect["status"], effect["result_after"]) == ("unchanged", None)
    assert side(effect, "before") == side(effect, "after")
    assert not any(row["changed"] for row in effect["rows"])


def test_written_waivers_of_all_teams_close_the_window_so_that_places_can_be_declared() -> None:
    hall = Hall({"match.rounds": [{"up_to": None, "rounds": 1}]})
    results = hall.world.get(f"/match/{hall.base}/rounds").get_json()["items"][0]["tables"]
    scores = {team: points for t in results for team, points in zip(t["teams"], t["result"]["points"], strict=True)}
    for points in (2, 0):
        hall.done(f"/match/{hall.base}/lots", {"teams": [team for team in scores if scores[team] == points]})
    hall.done(f"/match/{hall.base}/place-proposals", sub="bureau-1")
    declare = f"/match/{hall.base}/place-declarations"
    refused(hall.world.post(declare, sub="bureau-2"), 409, "appeal-window-open", "十四.1")
    for team in hall.units:
        assert hall.see("deadlines")["rounds"][0]["state"] == "open"
        _ok(hall.post("waivers", {"through_round": 1}, team=team, sub=team))
    [window] = hall.see("deadlines")["rounds"]
    assert (window["state"], window["can_appeal"], window["waived_by"]) == ("waived", [], sorted(hall.units))
    refused(hall.post("appeals", hall.draft_body()), 409, "appeals-waived", "十四.1")
    hall.done(declare, sub="bureau-2")


def test_the_read_model_rebuilt_from_the_log_is_the_same_to_the_byte(hall: Hall) -> None:
    _ok(hall.decide(hall.heard()))
    runner = hall.world.services["appeals"].engine.projection
    before = runner.digest(runner.pointer().live)
    assert hall.world.post("/appeals/projection/rebuilds", role="operator").status_code == 202
    assert runner.pointer().live == 2
    assert runner.digest(2) == before


# Who, and until when


def test_exactly_24_hours_after_the_close_is_in_time_and_one_microsecond_later_is_not(hall: Hall) -> None:
    hall.world.clock.set(hall.deadline)
    appeal = hall.drafted()
    _ok(hall.post(f"appeals/{appeal}/reports", {"reference": "1号", "bears_seal": True}))
    hall.world.clock.advance(MICROSECOND)
    told = refused(hall.post("appeals", hall.draft_body()), 409, "appeal-late", "十四.1")
    assert "no money is taken" in told["detail"]
    payment = {"amount_fen": FEE}
    refused(hall.post(f"appeals/{appeal}/deposits", payment, role="organiser"), 409, "appeal-late", "十四.1")


def test_a_paper_handed_over_in_time_is_entered_later_with_time_and_reason(hall: Hall) -> None:
    hall.world.clock.set(hall.deadline + timedelta(minutes=10))
    said = {"received_at": hall.deadline.isoformat(), "officer": "officer-lin", "reason": "柜台收件，停电后补登"}
    begun = _ok(hall.post("appeals", hall.draft_body(team=hall.own, **said), role="organiser", sub="desk-1"))
    appeal = begun["events"][0]["data"]["appeal"]
    report = {"reference": "纸质1号", "bears_seal": True, **said}
    _ok(hall.post(f"appeals/{appeal}/reports", report, role="organiser", sub="desk-1"))
    _ok(hall.post(f"appeals/{appeal}/deposits", {"amount_fen": FEE, **said}, role="organiser", sub="desk-1"))
    _ok(hall.post(f"appeals/{appeal}/deposits/confirmations", role="committee", sub="desk-2"))
    shown = hall.see(f"appeals/{appeal}", "committee")
    assert shown["status"] == "lodged"
    assert shown["reports"][0]["on_paper"]
    assert [shown["officer"], shown["reports"][0]["officer"], shown["deposit"]["officer"]] == ["officer-lin"] * 3
    [received, _] = hall.see("ledger", "auditor")["entries"]
    assert (received["by"], received["officer"]) == ("desk-1", "officer-lin")
    assert datetime.fromisoformat(shown["filed"]["deadline"]) == hall.deadline


def test_local_time_without_a_zone_is_the_regulations(hall: Hall) -> None:
    appeal = hall.drafted()
    local = (hall.deadline - timedelta(hours=23)).astimezone(UTC) + timedelta(hours=8)
    hall.world.clock.advance(timedelta(hours=3))
    said = {"received_at": local.replace(tzinfo=None).isoformat(), "reason": "柜台收件"}
    answer = _ok(
        hall.post(f"appeals/{appeal}/reports", {"reference": "1", "bears_seal": True, **said}, role="organiser")
    )
    at = datetime.fromisoformat(answer["events"][0]["data"]["received_at"])
    assert at == hall.closed_at + timedelta(hours=1)


@pytest.mark.parametrize("at", ["0001-01-01T00:00:00+08:00", "9999-12-31T23:59:59-08:00", "0001-01-01T00:00:00"])
def test_a_time_that_no_calendar_holds_is_refused(hall: Hall, at: str) -> None:
    appeal = hall.drafted()
    body = {"reference": "1号", "bears_seal": True, "received_at": at, "reason": "补登"}
    told = refused(hall.post(f"appeals/{appeal}/reports", body, role="organiser"), 422, "time-out-of-range")
    assert told["errors"][0]["pointer"] == "/received_at"


def test_another_teams_leader_is_refused_with_the_article(hall: Hall) -> None:
    stranger = next(team for team in hall.units if team not in (hall.own, hall.other))
    refused(hall.post("appeals", hall.draft_body(), team=stranger), 403, "not-your-match", "十四.2")


def test_either_team_may_appeal_and_a_token_for_its_unit_will_do(hall: Hall) -> None:
    answer = _ok(hall.post("appeals", hall.draft_body(), team=hall.units[hall.other]))
    assert answer["events"][0]["data"]["team"] == hall.other


def test_a_coach_appeals_only_for_a_team_without_a_leader(hall: Hall) -> None:
    told = hall.post("appeals", hall.draft_body(appellant="coach"))
    assert refused(told, 422, "not-entered", "十四.2")["errors"][0]["pointer"] == "/appellant"
    appeal = hall.drafted()
    assert hall.see(f"appeals/{appeal}", "committee")["appellant"] == "player"


def test_the_desk_enters_a_withdrawal_from_a_paper_and_names_it(hall: Hall) -> None:
    appeal = hall.lodged()
    withdrawal = f"appeals/{appeal}/withdrawals"
    refused(hall.post(withdrawal, {"reason": "和解"}, role="organiser"), 422, "reference-needed")
    _ok(hall.post(withdrawal, {"reason": "和解", "reference": "撤诉书1号"}, role="organiser"))


def test_a_leader_does_nothing_to_another_teams_appeal(hall: Hall) -> None:
    appeal = hall.lodged()
    report = {"reference": "1号", "bears_seal": True}
    refused(hall.post(f"appeals/{appeal}/reports", report, team=hall.other), 403, "other-team")
    refused(hall.post(f"appeals/{appeal}/withdrawals", {"reason": "和解"}, team=hall.other), 403, "other-team")
    _ok(hall.post(f"appeals/{appeal}/withdrawals", {"reason": "和解"}, team=hall.units[hall.own]))


def test_a_regulation_without_appeals_refuses_with_its_article() -> None:
    hall = Hall({"appeals.allowed": False})
    told = refused(hall.post("appeals", hall.draft_body()), 409, "appeals-not-allowed", "十四.1")
    assert "no money is taken" in told["detail"]
    deadlines = hall.see("deadlines")
    assert (deadlines["allowed"], deadlines["article"], deadlines["rounds"]) == (False, "十四.1", [])


# Commands as people send them


def test_a_repeated_command_answers_as_the_first_time_even_when_it_would_be_late(hall: Hall) -> None:
    first = hall.post("appeals", hall.draft_body(), key="draft-1")
    hall.world.clock.set(hall.deadline + timedelta(days=1))
    again = hall.post("appeals", hall.draft_body(), key="draft-1")
    assert again.get_json() == first.get_json()
    assert again.headers["Idempotent-Replayed"] == "true"
    refused(hall.post("appeals", hall.draft_body(grounds="别的理由"), key="draft-1"), 422, "command-reused")


def test_the_deposit_takes_two_people(hall: Hall) -> None:
    appeal = hall.drafted()
    hall.paid(appeal)
    confirmation = f"appeals/{appeal}/deposits/confirmations"
    refused(hall.post(confirmation, role="organiser", sub="desk-1"), 403, "second-person-needed")
    _ok(hall.post(confirmation, role="organiser", sub="desk-2"))
    refused(hall.post(confirmation, role="organiser", sub="desk-3"), 409, "deposit-already-confirmed")


def test_if_match_guards_ledger_and_appeal(hall: Hall) -> None:
    appeal = hall.drafted()
    hall.paid(appeal)
    etag = hall.ask("ledger", "organiser").headers["ETag"]
    assert etag == '"1"'
    confirmation = f"appeals/{appeal}/deposits/confirmations"
    stale = hall.post(confirmation, role="organiser", sub="desk-2", headers={"If-Match": '"0"'})
    refused(stale, 412, "version-mismatch")
    _ok(hall.post(confirmation, role="organiser", sub="desk-2", headers={"If-Match": etag}))
    seen = hall.ask(f"appeals/{appeal}", "committee")
    assert seen.headers["ETag"] == f'"{seen.get_json()["version"]}"'
    report = {"reference": "1号", "bears_seal": True}
    _ok(hall.post(f"appeals/{appeal}/reports", report, headers={"If-Match": seen.headers["ETag"]}))


def test_an_appeals_page_is_never_stale_for_what_other_streams_say(hall: Hall) -> None:
    appeal = hall.drafted()
    etag = hall.ask(f"appeals/{appeal}", "committee").headers["ETag"]
    hall.paid(appeal)
    again = hall.ask(f"appeals/{appeal}", "committee", headers={"If-None-Match": etag})
    assert again.status_code == 200
    assert again.get_json()["missing"] == ["report", "confirmation"]


BAD_BODIES: list[tuple[str, dict[str, Any], str]] = [
    ("match", {"match": ""}, "/match"),
    ("unknown field", {"deposit_paid": True}, "/deposit_paid"),
    ("unknown kind", {"asks_for": {"kind": "apology"}}, "/asks_for/kind"),
    ("no hand", {"asks_for": {"kind": "annul_hand"}}, "/asks_for/hand"),
    ("odd points", {"asks_for": {"kind": "correct_hand", "hand": 1, "facts": {"dealer": 1, "points": 7}}}, "/asks_for"),
    ("no such penalty", {"asks_for": {"kind": "lift_penalty", "penalty": "p99"}}, "/asks_for/penalty"),
    ("own clock", {"received_at": "2018-11-24T09:00:00+08:00"}, "/received_at"),
]


@pytest.mark.parametrize(("changes", "pointer"), [row[1:] for row in BAD_BODIES], ids=[row[0] for row in BAD_BODIES])
def test_a_bad_draft_is_refused_at_its_field(hall: Hall, changes: dict[str, Any], pointer: str) -> None:
    response = hall.post("appeals", hall.draft_body(**changes))
    assert response.status_code == 422
    assert response.get_json()["errors"][0]["pointer"].startswith(pointer)


def test_what_does_not_exist_is_not_found(hall: Hall) -> None:
    refused(hall.post("appeals", hall.draft_body(match="m9")), 404, "no-such-match")
    refused(hall.post("appeals/a-0/acceptances", role="committee"), 404, "no-such-appeal")
    refused(hall.post("appeals/a-0/reports", {"reference": "1", "bears_seal": True}), 404, "no-such-appeal")
    refused(hall.ask("appeals/a-0", "auditor"), 404, "no-such-appeal")
    for rest in ("appeals", "deadlines"):
        refused(hall.world.get(f"/appeals/competitions/none/{rest}"), 404, "no-such-competition")
    refused(hall.post("waivers", {"through_round": 1}, team="t-0"), 404, "no-such-team")


def test_the_desk_names_team_and_paper_for_a_waiver(hall: Hall) -> None:
    refused(hall.post("waivers", {"through_round": 1}, role="organiser"), 422, "team-needed")
    body = {"through_round": 1, "team": hall.own}
    refused(hall.post("waivers", body, role="organiser"), 422, "reference-needed")
    _ok(hall.post("waivers", body | {"reference": "弃权书1号"}, role="organiser"))
    refused(hall.post("waivers", {"through_round": 2}), 409, "round-not-closed", "十四.1")


# Rights

COMMANDS = {
    "appeals": {"leader", "organiser"},
    "appeals/{a}/reports": {"leader", "organiser"},
    "appeals/{a}/deposits": {"organiser"},
    "appeals/{a}/deposits/confirmations": {"organiser", "committee"},
    "appeals/{a}/withdrawals": {"leader", "organiser"},
    "appeals/{a}/acceptances": {"committee"},
    "appeals/{a}/refusals": {"committee"},
    "appeals/{a}/hearings": {"committee"},
    "appeals/{a}/decisions": {"committee"},
    "waivers": {"leader", "organiser"},
}
READS = {
    "docket": {"leader", "organiser", "committee", "referee", "auditor"},
    "appeals/{a}": {"leader", "organiser", "committee", "referee", "auditor"},
    "appeals/{a}/effect": {"organiser", "committee", "auditor"},
    "ledger": {"organiser", "committee", "auditor"},
}
ROLES = ("organiser", "leader", "referee", "committee", "auditor", "operator")


def test_each_command_and_read_is_for_its_roles_only(hall: Hall) -> None:
    appeal = hall.drafted()
    for path, allowed in COMMANDS.items():
        for role in ROLES:
            response = hall.post(path.format(a=appeal), {"forged": 1}, role=role)
            assert response.status_code == (422 if role in allowed else 403), (path, role)
    for path, allowed in READS.items():
        for role in ROLES:
            response = hall.ask(path.format(a=appeal), role, **({"team": hall.own} if role == "leader" else {}))
            assert response.status_code == (200 if role in allowed else 403), (path, role)
        refused(hall.ask(path.format(a=appeal)), 401, "token-needed")
        other = hall.ask(path.format(a=appeal), "organiser", competitions=("another",))
        refused(other, 403, "role-not-allowed" if "organiser" not in allowed else "other-competition")


def test_everyone_sees_what_is_lodged_and_decided_but_neither_drafts_nor_grounds(hall: Hall) -> None:
    appeal = hall.lodged()
    hall.drafted()
    [shown] = hall.see("appeals")["items"]
    assert (shown["appeal"], shown["team"], shown["status"]) == (appeal, hall.own, "lodged")
    assert not {"grounds", "reports", "deposit", "asks_for"} & shown.keys()
    assert "该牌为级牌" not in str(hall.see("deadlines"))
    assert hall.see("deadlines")["rounds"][0]["undecided"] == [appeal]


def test_the_desk_sees_drafts_and_a_leader_its_own_teams(hall: Hall) -> None:
    appeal = hall.drafted()
    [mine] = hall.see("docket", "leader", team=hall.units[hall.own])["items"]
    assert (mine["appeal"], mine["missing"], mine["next_step"]["code"]) == (appeal, ["report", "deposit"], "report")
    assert hall.see("docket", "leader", team=hall.other)["items"] == []
    assert len(hall.see("docket", "committee")["items"]) == 1


def test_the_other_team_follows_an_appeal_once_it_is_lodged_and_strangers_never(hall: Hall) -> None:
    draft = hall.drafted()
    refused(hall.ask(f"appeals/{draft}", "leader", team=hall.other), 403, "other-team")
    appeal = hall.lodged()
    assert hall.see(f"appeals/{appeal}", "leader", team=hall.other)["grounds"] == "该牌为级牌，不是藏张"
    stranger = next(team for team in hall.units if team not in (hall.own, hall.other))
    refused(hall.ask(f"appeals/{appeal}", "leader", team=stranger), 403, "other-team")


def test_the_committee_reads_the_disputed_hands_and_penalties(hall: Hall) -> None:
    disputed = hall.see(f"appeals/{hall.lodged()}", "committee")["disputed"]
    [penalty] = disputed["penalties"]
    assert penalty["disputed"]
    assert (penalty["by"], penalty["points"], penalty["article"]) == ("referee-1", 80, "十一.8⑨")
    assert disputed["hands"][0]["facts"]["points"] == 75
    assert disputed["closings"][0]["result"]["match"] == hall.match


def test_the_list_is_paged_in_the_order_of_beginning(hall: Hall) -> None:
    lodged = []
    for _ in range(3):
        lodged.append(hall.lodged())
        hall.world.clock.advance(timedelta(minutes=1))
    first = hall.see("appeals?limit=2")
    second = hall.see(f"appeals?limit=2&cursor={first['next']}")
    assert [row["appeal"] for row in first["items"] + second["items"]] == lodged
    assert second["next"] is None


def test_refusals_speak_chinese_too(hall: Hall) -> None:
    hall.world.clock.set(hall.deadline + MICROSECOND)
    told = refused(
        hall.post("appeals", hall.draft_body(), headers={"Accept-Language": "zh-CN"}), 409, "appeal-late", "十四.1"
    )
    assert told["title"] == "申诉已逾期"
    assert "(Asia/Shanghai)" in told["detail"]
