"""The team totals of zhongshan-2013 over REST (五, 四): nine departments at the cards and at both boards, one of whose
pairs did not come, one with an incomplete form, one whose player was disqualified, one with an outsider. What ranking
says of them is what `pailu totals` makes of the same facts, which are written down here from the places declared. In
memory, on the embedded store, and on the store with Apache Kafka."""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from services.ranking.projections import stretches, stretches_of
from shared.cli.main import pailu
from tests.e2e.stories.test_zhongshan import OCTOBER, SEPTEMBER, _form
from tests.support.courses import Hall
from tests.support.world import Means, World

DEPARTMENTS = ("内科", "外科", "儿科", "药学部", "检验科", "急诊科", "放射科", "护理部", "后勤处")
ABSENT, INCOMPLETE, DISQUALIFIED, OUTSIDER = DEPARTMENTS[:4]
EVENTS = {"tractor": "", "xiangqi": ".xiangqi", "weiqi": ".weiqi"}


def form(department: str) -> dict[str, Any]:
    full = _form(department)
    if department == INCOMPLETE:
        full["members"] = [one for one in full["members"] if one["name"] != f"{department}weiqi2"]
    return full


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


def entered(world: World, *departments: str) -> Hall:
    return Hall(world, "zhongshan-2013", [form(each) for each in departments], OCTOBER)


def an_outsider_is_found_out(hall: Hall) -> None:
    """四: 请外单位人员, after the first round of 象棋."""
    found = {"rule": "bond", "member": 4, "holds": False, "reason": "非本院职工"}
    hall.done(f"/registration/{hall.base}/entries/{entry(hall, OUTSIDER)}/confirmations", found, sub="desk-1")


def one_is_disqualified(hall: Hall) -> None:
    """四: 无故弃权, after the first round of 围棋: that there was no reason is the chief referee's to find."""
    body = {"team": f"{entry(hall, DISQUALIFIED)}-1", "reason": "无故弃权"}
    hall.done(f"/match/{hall.beside('weiqi').base}/disqualifications", body, role="referee", chief=True)


def play(hall: Hall) -> None:
    """The cards, then 象棋, then 围棋."""
    hall.to_the_end(lambda paired: cards(hall, paired))
    for event, trouble in (("xiangqi", an_outsider_is_found_out), ("weiqi", one_is_disqualified)):
        board = hall.beside(event)

        def round_(paired: Any, board: Hall = board, trouble: Any = trouble) -> None:
            board.games(paired)
            if paired["round"] == 1:
                trouble(hall)

        board.to_the_end(round_)


@pytest.fixture(scope="module")
def hall() -> Hall:
    hall = entered(World(SEPTEMBER), *DEPARTMENTS)
    play(hall)
    return hall


def test_on_a_store_and_over_a_log(means: Means, tmp_path: Path) -> None:
    """Four departments, each with its trouble: of the absent and the incomplete the results count."""
    few = DEPARTMENTS[:4]
    hall = entered(World(SEPTEMBER, means, eager=False), *few)
    play(hall)
    places = declare(hall)
    shown = [{name: row[name] for name in FIELDS} for row in totals(hall)["rows"]]
    assert shown == by_file(tmp_path, facts(hall, places, few))
    assert [row["rank"] for row in shown] == [1, 2, None, None]


def totals(hall: Hall, as_of: str = "") -> Any:
    return hall.see(f"/ranking/{hall.base}/totals" + (f"?as_of={as_of}" if as_of else ""))


@pytest.fixture(scope="module")
def declared(hall: Hall) -> dict[str, list[Any]]:
    """The places of each event, once they are declared."""
    before = totals(hall)
    assert before["provisional"]
    assert before["events"] == [{"event": event, "decided": True, "provisional": True} for event in EVENTS]
    places = declare(hall)
    assert not totals(hall)["provisional"]
    return places


def declare(hall: Hall) -> dict[str, list[Any]]:
    """The places of each event, declared."""
    return {event: (hall.beside(event) if at else hall).declare() for event, at in EVENTS.items()}


def facts(hall: Hall, places: dict[str, list[Any]], departments: Sequence[str] = DEPARTMENTS) -> dict[str, Any]:
    """The same facts as a union file, from what was done here and from the places as declared."""
    teams = [
        {
            "id": entry(hall, each),
            "entered_in_full": each != INCOMPLETE,
            "played_everything": each not in (ABSENT, DISQUALIFIED),
            "cancelled": each in (DISQUALIFIED, OUTSIDER),
        }
        for each in departments
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
    hall = entered(World(SEPTEMBER), *DEPARTMENTS[4:8])
    weiqi = hall.beside("weiqi")
    weiqi.to_the_end(weiqi.games)
    answer = totals(hall)
    assert [event["decided"] for event in answer["events"]] == [False, False, True]
    assert sum(row["points"]["all"] for row in answer["rows"]) == 7 + 5 + 4 + 3 + 2 + 1
    assert {row["points"]["tractor"] for row in answer["rows"]} == {0}


def test_a_board_has_no_totals_of_its_own(hall: Hall) -> None:
    assert hall.world.get(f"/ranking/{hall.base}.weiqi/totals").status_code == 404


# As of an earlier moment


def when(hall: Hall, event: str, kind: str) -> Any:
    """The last event of this kind that happened at one of the three events, as listeners are told: its position."""
    reader = hall.world.services["ranking"].engine.reader
    id = hall.id + EVENTS.get(event, "")
    topic = "registration" if event == "registration" else "match"
    happened = [one for row in reader.find(stretches, {"of": stretches_of(id, topic)}, "_id") for one in row.events]
    return f"{topic}:{[one.position for one in happened if one.type == kind][-1]}"


def test_totals_as_of_a_position_of_any_event_stay_as_they_were(hall: Hall, declared: dict[str, list[Any]]) -> None:
    now = totals(hall)
    cards_over = totals(hall, when(hall, "tractor", "RoundClosed"))
    assert [event["decided"] for event in cards_over["events"]] == [True, False, False]
    assert sum(row["points"]["all"] for row in cards_over["rows"]) == 9 + 7 + 6 + 5 + 4 + 3
    assert all(row["rank"] is not None for row in cards_over["rows"]), "nobody had been found out"
    boards_over = totals(hall, when(hall, "weiqi", "RoundClosed"))
    assert [event["decided"] for event in boards_over["events"]] == [True, True, True]
    assert (boards_over["rows"], boards_over["provisional"]) == (now["rows"], True)  # places were declared later


def test_an_entry_is_broken_from_the_moment_on_in_which_that_was_found(hall: Hall) -> None:
    found = when(hall, "registration", "EligibilityConfirmed")
    before = f"registration:{int(found.partition(':')[2]) - 1}"
    for as_of, cancelled in ((before, False), (found, True)):
        rows = {row["team"]: row for row in totals(hall, as_of)["rows"]}
        assert (rows[entry(hall, OUTSIDER)]["rank"] is None) == cancelled


def test_totals_as_of_what_they_rest_on_are_these(hall: Hall, declared: dict[str, list[Any]]) -> None:
    now = totals(hall)
    then = totals(hall, f"match:{now['rests_on']['match']}")
    assert (then["rows"], then["union"], then["events"]) == (now["rows"], now["union"], now["events"])
    assert then["as_of"] == f"match:{now['rests_on']['match']}"


def test_before_the_entries_there_is_nobody(hall: Hall) -> None:
    announced = when(hall, "registration", "CompetitionAnnounced")
    answer = totals(hall, announced)
    assert (answer["rows"], [event["decided"] for event in answer["events"]]) == ([], [False] * 3)
    assert hall.world.get(f"/ranking/{hall.base}/totals?as_of=match:999999").status_code == 404
    assert hall.world.get(f"/ranking/{hall.base}/totals?as_of=yesterday").status_code == 422


def test_the_command_prints_an_answer_of_the_service(hall: Hall, tmp_path: Path) -> None:
    answer = totals(hall, when(hall, "tractor", "RoundClosed"))
    assert by_file(tmp_path, answer) == by_file(tmp_path, answer["union"])
