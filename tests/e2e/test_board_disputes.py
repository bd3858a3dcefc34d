"""Disputes over 象棋 and 围棋 (zhongshan-2013 九): the regulation has no appeals and the chief referee rules on the
spot; an organiser who allows appeals has them at the boards too. A credential may be for one table of a board."""

from __future__ import annotations

from typing import Any

import pytest

from tests.e2e.stories.test_boards import DEPARTMENTS, form
from tests.e2e.stories.test_zhongshan import OCTOBER, SEPTEMBER
from tests.support.courses import CHAIR, Hall
from tests.support.world import World

APPEALS = {"appeals.allowed": True, "appeals.window_hours": 24, "appeals.window_from": "round_closed"}
REPLAY = {"kind": "replay_match"}


def hall_of(**changes: Any) -> Hall:
    """Four departments; five players of 围棋, of whom the first has two: everybody meets everybody."""
    return Hall(World(SEPTEMBER), "zhongshan-2013", [form(each) for each in DEPARTMENTS], OCTOBER, changes)


def first_round(hall: Hall) -> tuple[Hall, Any]:
    """The first round of 围棋, in which the player with the lower id wins; closed."""
    weiqi = hall.beside("weiqi")
    weiqi.draw()
    paired = weiqi.pair()
    for match in paired["matches"]:
        weiqi.game(match, min(match["teams"]))
        weiqi.close(match["match"])
    weiqi.close_round(paired)
    return weiqi, paired


def points(weiqi: Hall, **query: Any) -> dict[str, int]:
    return {row["team"]: row["points"] for row in weiqi.standings(**query)}


def unit_of(weiqi: Hall, team: str) -> str:
    return str(next(row["unit"] for row in weiqi.standings() if row["team"] == team))


# Without appeals


@pytest.fixture(scope="module")
def plain() -> tuple[Hall, Hall, Any]:
    hall = hall_of()
    return hall, *first_round(hall)


def test_an_appeal_over_a_board_is_refused_with_the_article(plain: tuple[Hall, Hall, Any]) -> None:
    _, weiqi, paired = plain
    (match, *_) = paired["matches"]
    loser = max(match["teams"])
    asked = {"match": match["match"], "grounds": "计子有误", "asks_for": REPLAY}
    token = {"role": "leader", "team": unit_of(weiqi, loser)}
    assert weiqi.refusal(f"/appeals/{weiqi.base}/appeals", asked, **token) == ("appeals-not-allowed", "九")
    shown = weiqi.see(f"/appeals/{weiqi.base}/deadlines")
    assert (shown["allowed"], shown["article"], shown["rounds"]) == (False, "九", [])


def test_there_is_no_desk_for_another_event(plain: tuple[Hall, Hall, Any]) -> None:
    hall, *_ = plain
    assert hall.world.get(f"/appeals/{hall.base}.bridge/deadlines").status_code == 404


def test_the_chief_referee_has_a_game_entered_wrongly_put_right_on_the_spot() -> None:
    weiqi, paired = first_round(hall_of())
    (match, *_) = paired["matches"]
    winner, loser = sorted(match["teams"])
    assert points(weiqi)[winner] == 2
    weiqi.reopen(1, match["match"])
    ruled = {"event": "weiqi", "first": match["teams"][0], "winner": loser, "how": "adjudication", "note": "裁判长判定"}
    weiqi.put_right(match["match"], "games/1", ruled)
    weiqi.close(match["match"])
    weiqi.close_round(paired)
    assert (points(weiqi)[winner], points(weiqi)[loser]) == (0, 2)


def test_a_board_has_no_hands_and_no_penalties(plain: tuple[Hall, Hall, Any]) -> None:
    _, weiqi, _ = plain
    (match, *_) = weiqi.pair()["matches"]
    at = f"/match/{weiqi.base}/matches/{match['match']}"
    claim = {"hand": 1, "pair": "13", "code": "failed_throw", "cards": 1, "reason": "甩牌"}
    assert weiqi.refused(f"{at}/penalties", claim, role="referee") == "no-card-match"
    assert weiqi.refused(f"{at}/hands", {"hand": 1, "dealer": 1, "points": 80}, role="referee") == "no-card-match"


# A table's credential


def enter(weiqi: Hall, token: str, match: Any, event: str = "") -> tuple[int, str]:
    """What a phone with this token is told of the game that it enters at a table."""
    one, two = match["teams"]
    body = {"game": 1, "event": event or "weiqi", "first": one, "winner": two, "how": "resignation"}
    headers = {"Authorization": f"Bearer {token}", "Idempotency-Key": f"{match['match']}-{weiqi.id}"}
    path = f"/{weiqi.base}/matches/{match['match']}/games"
    answer = weiqi.world.client("match").post(path, json=body, headers=headers)
    return answer.status_code, answer.get_json().get("type", "").rpartition("/")[2]


def test_a_link_is_for_one_table_of_one_round_at_one_board() -> None:
    hall = hall_of()
    weiqi, xiangqi = hall.beside("weiqi"), hall.beside("xiangqi")
    weiqi.draw()
    xiangqi.draw()
    (own, other), (beside, *_) = weiqi.pair()["matches"], xiangqi.pair()["matches"]
    hall.draw()
    cards = hall.pair()["matches"][0]
    table = {"round": 1, "table": own["table"], "event": "weiqi"}
    holder = {"account": "board-1", "role": "referee", "table": table}
    credentials = f"/registration/{hall.base}/credentials"
    issued = hall.done(credentials, {"holders": [holder]})["events"][0]["data"]
    assert issued["table"] == table
    asked = hall.world.get(f"{credentials}/{issued['credential']}/link", role="organiser")
    token = asked.get_json()["token"]
    assert beside["table"] == cards["table"] == own["table"], "the same numbers, at other events"
    assert enter(weiqi, token, other) == (403, "one-table-only")
    assert enter(xiangqi, token, beside, "xiangqi") == (403, "other-competition")
    assert enter(hall, token, cards) == (403, "other-competition")
    assert enter(weiqi, token, own) == (201, "")
    shown = hall.world.get(credentials, role="organiser").get_json()["items"]
    assert [one["table"] for one in shown] == [table]


def test_a_table_is_of_an_event_that_the_competition_has(plain: tuple[Hall, Hall, Any]) -> None:
    hall, *_ = plain
    holder = {"account": "x", "role": "referee", "table": {"round": 1, "table": 1, "event": "bridge"}}
    answer = hall.world.post(f"/registration/{hall.base}/credentials", {"holders": [holder]})
    assert answer.status_code == 422
    assert answer.get_json()["type"].endswith("no-such-event")


# Where the organiser allows appeals


class Appealed:
    """An appeal of the player who lost the first match of 围棋, from its draft to the hearing."""

    def __init__(self) -> None:
        self.weiqi, self.paired = first_round(hall_of(**APPEALS))
        (self.match, *_) = self.paired["matches"]
        self.winner, self.loser = sorted(self.match["teams"])
        self.token = {"role": "leader", "team": unit_of(self.weiqi, self.loser)}
        self.at = f"/appeals/{self.weiqi.base}/appeals"
        self.one = ""

    def draft(self, asks_for: Any) -> None:
        asked = {"match": self.match["match"], "grounds": "对方赛钟未按", "asks_for": asks_for, "team": self.loser}
        begun = self.weiqi.done(self.at, asked, **self.token)["events"][0]["data"]
        assert begun["team"] == self.loser
        self.one = f"{self.at}/{begun['appeal']}"
        self.weiqi.done(f"{self.one}/reports", {"reference": "申诉书1号", "bears_seal": True}, **self.token)
        self.weiqi.wait()

    def heard(self, asks_for: Any) -> None:
        self.draft(asks_for)
        self.weiqi.done(f"{self.one}/acceptances", role="committee")
        self.weiqi.done(f"{self.one}/hearings", {"members": [CHAIR]}, role="committee")

    def decide(self, remedy: Any, **later: Any) -> None:
        decision = {"outcome": "upheld", "reason": "查实", "members": [CHAIR], "remedy": remedy, **later}
        self.weiqi.done(f"{self.one}/decisions", decision, role="committee")
        self.weiqi.wait()


@pytest.fixture
def appealed() -> Appealed:
    return Appealed()


def award(appealed: Appealed) -> dict[str, str]:
    return {"kind": "award_match", "team": appealed.loser}


def test_a_match_awarded_on_appeal_changes_the_standings_as_the_preview_said(appealed: Appealed) -> None:
    weiqi = appealed.weiqi
    appealed.heard(award(appealed))
    shown = weiqi.see(f"{appealed.one}/effect", role="committee")
    before = points(weiqi)
    assert {row["team"]: row["before"]["points"] for row in shown["rows"]} == before
    said = {row["team"]: row["after"]["points"] for row in shown["rows"]}
    assert said == before | {appealed.winner: 0, appealed.loser: 2}  # a game is two points (assumed)
    appealed.decide(award(appealed))
    assert points(weiqi) == said
    applied = weiqi.see(f"{appealed.one}/effect", role="committee")
    assert (applied["status"], applied["result_after"]["how"]) == ("applied", "awarded")


def test_in_a_round_robin_no_later_round_rests_on_a_result(appealed: Appealed) -> None:
    """Everybody meets everybody whatever the results are: nothing is to be decided about round 2."""
    appealed.heard(award(appealed))
    appealed.weiqi.pair()
    assert appealed.weiqi.see(f"{appealed.one}/effect", role="committee")["concerned"] == []
    appealed.decide(award(appealed))
    assert points(appealed.weiqi)[appealed.loser] == 2


def test_a_match_that_is_to_be_played_again_is_open_again(appealed: Appealed) -> None:
    appealed.heard(REPLAY)
    appealed.decide(REPLAY)
    assert appealed.weiqi.see(f"/match/{appealed.weiqi.base}/rounds/1")["status"] != "closed"
    appealed.weiqi.game(appealed.match, appealed.loser)
    appealed.weiqi.close(appealed.match["match"])
    appealed.weiqi.close_round(appealed.paired)
    assert points(appealed.weiqi)[appealed.loser] == 2


@pytest.mark.parametrize(
    "asks_for",
    [
        {"kind": "impose_penalty", "hand": 1, "pair": "13", "code": "failed_throw", "cards": 1},
        {"kind": "annul_hand", "hand": 1},
        {"kind": "lift_penalty", "penalty": "p1"},
    ],
)
def test_what_speaks_of_hands_is_no_remedy_at_a_board(appealed: Appealed, asks_for: Any) -> None:
    asked = {"match": appealed.match["match"], "grounds": "不服", "asks_for": asks_for}
    answer = appealed.weiqi.world.post(appealed.at, asked, **appealed.token)
    assert (answer.status_code, answer.get_json()["type"].rpartition("/")[2]) == (422, "remedy-not-in-order")


def test_who_entered_the_game_decides_nothing_about_it(appealed: Appealed) -> None:
    appealed.draft(award(appealed))
    appealed.weiqi.done(f"{appealed.one}/acceptances", role="committee")
    referee = {"members": [{"account": "referee", "unit": "主办单位"}]}
    answer = appealed.weiqi.world.post(f"{appealed.one}/hearings", referee, role="committee")
    assert answer.get_json()["type"].endswith("referee-of-the-ruling")


def test_the_committee_reads_the_games_of_the_match(appealed: Appealed) -> None:
    appealed.draft(award(appealed))
    (game,) = appealed.weiqi.see(appealed.one, role="committee")["disputed"]["games"]
    assert (game["facts"]["winner"], game["accounts"]) == (appealed.winner, ["referee"])


def test_a_leader_follows_the_appeals_of_all_players_of_the_unit(appealed: Appealed) -> None:
    appealed.draft(award(appealed))
    docket = appealed.weiqi.see(f"/appeals/{appealed.weiqi.base}/docket", **appealed.token)["items"]
    assert [one["team"] for one in docket] == [appealed.loser]
    entry = appealed.loser.rpartition("-")[0]
    by_entry = appealed.weiqi.see(f"/appeals/{appealed.weiqi.base}/docket", role="leader", team=entry)["items"]
    assert by_entry == docket


def test_places_wait_for_the_windows_of_the_board_or_for_waivers_of_all_its_players(appealed: Appealed) -> None:
    weiqi = appealed.weiqi
    for _ in range(4):
        paired = weiqi.pair()
        for match in paired["matches"]:
            weiqi.game(match, min(match["teams"]))
            weiqi.close(match["match"])
        weiqi.close_round(paired)
    weiqi.done(f"/match/{weiqi.base}/place-proposals")
    declare = f"/match/{weiqi.base}/place-declarations"
    assert weiqi.refused(declare, sub="director") == "appeal-window-open"
    for unit in DEPARTMENTS:
        waiver = {"through_round": 5}
        given = weiqi.done(f"/appeals/{weiqi.base}/waivers", waiver, role="leader", team=unit)["events"]
        assert len(given) == (2 if unit == DEPARTMENTS[0] else 1), "of each player of the unit"
    weiqi.wait(minutes=1)
    weiqi.done(declare, sub="director")


def test_with_the_competition_its_appeals_at_boards_end_too(appealed: Appealed) -> None:
    appealed.draft(award(appealed))
    hall = appealed.weiqi.base.partition(".")[0]
    appealed.weiqi.done(f"/registration/{hall}/cancellations", {"reason": "台风"})
    appealed.weiqi.wait(minutes=1)
    assert appealed.weiqi.see(appealed.one, role="committee")["status"] == "refused"


def test_the_pairs_of_an_entry_appeal_by_the_leader_of_the_entry() -> None:
    """At the cards a department plays as two pairs; who speaks for it was said once, in its entry."""
    hall = hall_of(**APPEALS)
    hall.draw()
    (match, *_) = hall.pair()["matches"]
    pair = match["teams"][0]
    asked = {"match": match["match"], "grounds": "不服判罚", "asks_for": REPLAY}
    token = {"role": "leader", "team": pair.rpartition("-")[0]}
    begun = hall.done(f"/appeals/{hall.base}/appeals", asked, **token)["events"][0]["data"]
    assert (begun["team"], begun["appellant"]) == (pair, "leader")
