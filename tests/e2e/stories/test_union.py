"""The team totals of zhongshan-2013 over REST (五, 四): nine departments at the cards and at both boards, one of whose
pairs did not come, one with an incomplete form, one whose player was disqualified, one with an outsider. What ranking
says of them is what `pailu totals` makes of the same facts, which are written down here from the places declared."""

from __future__ import annotations

import json
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from shared.cli.main import pailu
from tests.e2e.stories.test_zhongshan import OCTOBER, SEPTEMBER, _form
from tests.support.courses import Hall
from tests.support.world import World

DEPARTMENTS = ("内科", "外科", "儿科", "药学部", "检验科", "急诊科", "放射科", "护理部", "后勤处")
ABSENT, INCOMPLETE, DISQUALIFIED, OUTSIDER = DEPARTMENTS[:4]
EVENTS = {"tractor": "", "xiangqi": ".xiangqi", "weiqi": ".weiqi"}


def form(department: str) -> dict[str, Any]:
    full = _form(department)
    if department == INCOMPLETE:
        full["members"] = [one for one in full["members"] if one["name"] != f"{department}weiqi2"]
    return full


def games(event: Hall, paired: Any) -> None:
    """At every board the player whose id is the lower wins."""
    for match in paired["matches"]:
        event.game(match, min(match["teams"]))
        event.close(match["match"])
    event.close_round(paired)


def cards(hall: Hall, paired: Any) -> None:
    """The pair named first wins, but that of `ABSENT` does not come to its first match."""
    for match in paired["matches"]:
        missing = [team for team in match["teams"] if paired["round"] == 1 and team == f"{entry(hall, ABSENT)}-1"]
        if missing:
            hall.forfeit(match["match"], *missing)
    hall.hands([match for match in paired["matches"] if match["match"] not in hall.forfeited])
    hall.finish(paired)


def entry(hall: Hall, department: str) -> str:
    items = hall.see(f"/registration/{hall.base.partition('.')[0]}/entries")["items"]
    return str(next(one["team"] for one in items if one["unit"] == department))


def to_the_end(event: Hall, play: Any, first: Any = None) -> None:
    """Every stage drawn, every round paired and played; `first` happens after the first of them."""
    event.draw()
    while True:
        response = event.world.post(f"/match/{event.base}/rounds")
        if response.status_code == 201:
            play(event, response.get_json()["events"][0]["data"])
            if first is not None:
                first = first()
        elif response.get_json()["type"].endswith("stage-not-drawn"):
            event.draw()
        else:
            assert response.get_json()["type"].endswith("all-rounds-paired")
            return


@pytest.fixture(scope="module")
def hall() -> Hall:
    hall = Hall(World(SEPTEMBER), "zhongshan-2013", [form(each) for each in DEPARTMENTS], OCTOBER)
    xiangqi, weiqi = hall.beside("xiangqi"), hall.beside("weiqi")

    def an_outsider_is_found_out() -> None:
        found = {"rule": "bond", "member": 4, "holds": False, "reason": "非本院职工"}
        hall.done(f"/registration/{hall.base}/entries/{entry(hall, OUTSIDER)}/confirmations", found, sub="desk-1")

    def one_is_disqualified() -> None:
        body = {"team": f"{entry(hall, DISQUALIFIED)}-1", "reason": "无故弃权"}
        hall.done(f"/match/{weiqi.base}/disqualifications", body, role="referee", chief=True)

    to_the_end(hall, cards)
    to_the_end(xiangqi, games, an_outsider_is_found_out)
    to_the_end(weiqi, games, one_is_disqualified)
    return hall


def totals(hall: Hall) -> Any:
    return hall.see(f"/ranking/{hall.base}/totals")


@pytest.fixture(scope="module")
def declared(hall: Hall) -> dict[str, list[Any]]:
    """The places of each event, once they are declared."""
    before = totals(hall)
    assert before["provisional"]
    assert before["events"] == [{"event": event, "decided": True, "provisional": True} for event in EVENTS]
    places = {event: (hall.beside(event) if at else hall).declare() for event, at in EVENTS.items()}
    assert not totals(hall)["provisional"]
    return places


def facts(hall: Hall, places: dict[str, list[Any]]) -> dict[str, Any]:
    """The same facts as a union file, from what was done here and from the places as declared."""
    teams = [
        {
            "id": entry(hall, each),
            "entered_in_full": each != INCOMPLETE,
            "played_everything": each not in (ABSENT, DISQUALIFIED),
            "cancelled": each in (DISQUALIFIED, OUTSIDER),
        }
        for each in DEPARTMENTS
    ]
    placings = {
        event: [
            [place["team"].rpartition("-")[0] for place in group]
            for _, group in groupby(declared, key=lambda place: place["rank"])
        ]
        for event, declared in places.items()
    }
    return {"format": "pailu-union/1", "regulation": "zhongshan-2013", "teams": teams, "placings": placings}


def by_file(folder: Path, file: object) -> Any:
    path = folder / "union.json"
    path.write_text(json.dumps(file), encoding="utf-8")
    return json.loads(CliRunner().invoke(pailu, ["totals", str(path), "--json"]).output)


FIELDS = ("rank", "team", "points", "firsts", "money_yuan", "decided_by")


def test_ranking_says_what_pailu_totals_makes_of_the_same_facts(
    hall: Hall, declared: dict[str, list[Any]], tmp_path: Path
) -> None:
    shown = [{name: row[name] for name in FIELDS} for row in totals(hall)["rows"]]
    assert shown == by_file(tmp_path, facts(hall, declared))


def test_the_answer_holds_the_file_that_gives_it(hall: Hall, declared: dict[str, list[Any]], tmp_path: Path) -> None:
    answer = totals(hall)
    assert [{name: row[name] for name in FIELDS} for row in answer["rows"]] == by_file(tmp_path, answer["union"])


def test_results_and_money_of_a_disqualified_and_of_a_broken_team_are_cancelled(
    hall: Hall, declared: dict[str, list[Any]]
) -> None:
    rows = {row["team"]: row for row in totals(hall)["rows"]}
    for department in (DISQUALIFIED, OUTSIDER):
        row = rows[entry(hall, department)]
        assert (row["rank"], row["points"]["all"], row["money_yuan"], row["prizes"]) == (None, 0, 0, [])


def test_800_yuan_go_to_who_entered_in_full_and_played_everything(hall: Hall, declared: dict[str, list[Any]]) -> None:
    """Seven of the nine are left: six at most have a place with money."""
    rows = {row["team"]: row for row in totals(hall)["rows"] if row["rank"] is not None}
    entitled = {entry(hall, each) for each in DEPARTMENTS} - {entry(hall, each) for each in (ABSENT, INCOMPLETE)}
    assert len(rows) == 7
    for team, row in rows.items():
        placed = row["rank"] <= 6 and row["points"]["all"] != 0
        assert (row["money_yuan"] == 0) == (not placed and team not in entitled)
        assert row["money_yuan"] == 0 or row["money_yuan"] == row["paid_fen"] / 100 or "/" in str(row["money_yuan"])
    assert next(row["prizes"] for row in rows.values()) == ["cup and plaque", "prize money"]


def test_a_rebuild_gives_the_same_totals(hall: Hall, declared: dict[str, list[Any]]) -> None:
    before = totals(hall)
    assert hall.world.post("/ranking/projection/rebuilds", role="operator").status_code == 202
    assert totals(hall) == before


def test_an_event_counts_once_its_places_are_decided() -> None:
    hall = Hall(World(SEPTEMBER), "zhongshan-2013", [form(each) for each in DEPARTMENTS[4:8]], OCTOBER)
    to_the_end(hall.beside("weiqi"), games)
    answer = totals(hall)
    assert [event["decided"] for event in answer["events"]] == [False, False, True]
    assert sum(row["points"]["all"] for row in answer["rows"]) == 7 + 5 + 4 + 3 + 2 + 1
    assert {row["points"]["tractor"] for row in answer["rows"]} == {0}


def test_a_board_has_no_totals_of_its_own(hall: Hall) -> None:
    assert hall.world.get(f"/ranking/{hall.base}.weiqi/totals").status_code == 404
