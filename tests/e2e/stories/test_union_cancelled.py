"""An outsider (请外单位人员) or an absence without reason (无故弃权) cancels the results of the team, zhongshan-2013
四, at every event and on every page: standings, places, prizes and totals. Four departments at the cards and both
boards; those below move up (assumed)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from shared.cli.main import pailu
from tests.e2e.stories.test_union import DEPARTMENTS, EVENTS, SEPTEMBER, entered, entry, totals
from tests.e2e.stories.test_zhongshan import OCTOBER, _form
from tests.support.courses import Hall
from tests.support.world import World

FOUR = DEPARTMENTS[4:8]
FOUND = {"rule": "bond", "member": 4, "reason": "非本院职工"}


def at(hall: Hall, event: str) -> Hall:
    return hall.beside(event) if EVENTS[event] else hall


def play(hall: Hall, *events: str) -> None:
    for event in events:
        one = at(hall, event)

        def round_(paired: Any, one: Hall = one, event: str = event) -> None:
            if event != "tractor":
                return one.games(paired)
            one.hands(paired["matches"])
            return one.finish(paired)

        one.to_the_end(round_)


def an_outsider(hall: Hall, department: str, holds: bool = False) -> None:
    body = FOUND | {"holds": holds}
    hall.done(f"/registration/{hall.base}/entries/{entry(hall, department)}/confirmations", body, sub="desk-1")


def first(hall: Hall) -> str:
    """The department whose pair won the cards."""
    won = next(row["team"] for row in hall.standings() if row["rank"] == 1).rpartition("-")[0]
    return next(each for each in FOUR if entry(hall, each) == won)


def of(team: str, rows: list[Any]) -> list[Any]:
    return [row for row in rows if row["team"].rpartition("-")[0] == team]


@pytest.fixture(scope="module")
def hall() -> Hall:
    """All was played when the winner of the cards was found to have an outsider, then all places were declared."""
    hall = entered(World(SEPTEMBER), *FOUR)
    play(hall, *EVENTS)
    an_outsider(hall, first(hall))
    for event in EVENTS:
        at(hall, event).declare()
    return hall


@pytest.fixture(scope="module")
def out(hall: Hall) -> str:
    return str(next(row["team"] for row in totals(hall)["rows"] if row["rank"] is None))


@pytest.mark.parametrize("event", EVENTS)
def test_its_pairs_and_players_take_no_place_at_any_event(hall: Hall, out: str, event: str) -> None:
    one = at(hall, event)
    rows, places = one.standings(), hall.see(f"/ranking/{one.base}/places")["places"]
    struck = of(out, rows)
    assert len(struck) == 2
    assert all((row["rank"], row["cancelled"], row["disqualified"]) == (None, True, False) for row in struck)
    assert of(out, places) == []
    assert [place["team"] for place in places] == [row["team"] for row in rows if row["rank"] is not None]
    assert [place["rank"] for place in places][:5] == [1, 2, 3, 4, 5], "those below move up"
    assert len(places) == 6


@pytest.mark.parametrize("event", EVENTS)
def test_the_prizes_of_an_event_are_those_of_the_totals_file(hall: Hall, out: str, event: str, tmp_path: Path) -> None:
    one = at(hall, event)
    shown = hall.see(f"/ranking/{one.base}/awards")["awards"]
    assert shown
    assert of(out, shown) == []
    path = tmp_path / "union.json"
    path.write_text(json.dumps(totals(hall)["union"]), encoding="utf-8")
    told = json.loads(CliRunner().invoke(pailu, ["awards", str(path), "--json"]).output)
    by_file = [(row["place"], row["team"]) for row in told if row["event"] == event]
    assert sorted((row["place"], row["team"].rpartition("-")[0]) for row in shown) == sorted(by_file)


def test_nothing_has_changed_since(hall: Hall) -> None:
    assert not hall.see(f"/ranking/{hall.base}/places")["changed_since"]
    assert not hall.see(f"/ranking/{hall.base}/standings")["provisional"]


def test_an_absence_without_reason_at_one_event_cancels_the_others() -> None:
    hall = entered(World(SEPTEMBER), *FOUR)
    play(hall, "tractor")
    team = entry(hall, first(hall))
    weiqi = hall.beside("weiqi")
    weiqi.draw()
    body = {"team": f"{team}-1", "reason": "无故弃权"}
    hall.done(f"/match/{weiqi.base}/disqualifications", body, role="referee", chief=True)
    assert of(team, hall.declare()) == []
    assert all(row["cancelled"] for row in of(team, hall.standings()))


@pytest.fixture
def late() -> tuple[Hall, str]:
    """The cards were declared before the outsider was found."""
    hall = entered(World(SEPTEMBER), *FOUR)
    play(hall, "tractor")
    department = first(hall)
    assert of(entry(hall, department), hall.declare())
    before = hall.see(f"/ranking/{hall.base}/places")["rests_on"]["match"]
    an_outsider(hall, department)
    hall.world.settle()
    assert not hall.see(f"/ranking/{hall.base}/places?as_of=match:{before}")["changed_since"], "as it was"
    return hall, department


def test_places_declared_before_it_was_known_say_that_they_have_changed(late: tuple[Hall, str]) -> None:
    hall, department = late
    places = hall.see(f"/ranking/{hall.base}/places")
    assert (places["status"], places["changed_since"]) == ("declared", True)
    assert [one["code"] for one in hall.see(f"/ranking/{hall.base}/standings")["reasons"]] == ["changed_since"]
    assert hall.see(f"/ranking/{hall.base}/awards")["awards"] == []
    then = hall.see(f"/ranking/{hall.base}/standings?as_of=registration:{places['rests_on']['registration']}")
    assert all(row["cancelled"] for row in of(entry(hall, department), then["rows"]))


def test_such_places_are_put_forward_and_declared_again(late: tuple[Hall, str]) -> None:
    hall, department = late
    assert of(entry(hall, department), hall.declare()) == []
    assert not hall.see(f"/ranking/{hall.base}/places")["changed_since"]
    assert hall.refused(f"/match/{hall.base}/place-proposals") == "places-are-declared"


def test_what_was_found_by_mistake_gives_the_places_back(late: tuple[Hall, str]) -> None:
    hall, department = late
    hall.declare()
    an_outsider(hall, department, holds=True)
    hall.world.settle()
    assert hall.see(f"/ranking/{hall.base}/places")["changed_since"]
    assert of(entry(hall, department), hall.declare())


def test_places_put_forward_before_it_was_known_are_not_declared() -> None:
    hall = entered(World(SEPTEMBER), *FOUR)
    play(hall, "tractor")
    hall.done(f"/match/{hall.base}/place-proposals")
    an_outsider(hall, first(hall))
    hall.world.settle()
    refused = hall.refused(f"/match/{hall.base}/place-declarations", sub="director")
    assert refused == "places-have-changed"


def test_an_entry_refused_after_the_draw_is_cancelled_too() -> None:
    hall = entered(World(SEPTEMBER), *FOUR)
    play(hall, "tractor")
    department = first(hall)
    team = entry(hall, department)
    an_outsider(hall, department)
    refusal = {"rule": "bond", "reason": "请外单位人员"}
    hall.done(f"/registration/{hall.base}/entries/{team}/refusals", refusal)
    hall.world.settle()
    assert all(row["cancelled"] for row in of(team, hall.standings()))
    assert of(team, hall.declare()) == []


# Who was not there


def one_player_of_weiqi(*departments: str) -> Hall:
    """围棋 of departments that entered one player each."""
    forms = [_form(each) for each in departments]
    for each in forms:
        each["members"] = [one for one in each["members"] if not one["name"].endswith("weiqi2")]
    return Hall(World(SEPTEMBER), "zhongshan-2013", forms, OCTOBER).beside("weiqi")


def nobody_has_anything(weiqi: Hall) -> None:
    assert [row["rank"] for row in weiqi.standings()] == [None] * len(weiqi.standings())
    assert weiqi.declare() == []
    assert weiqi.see(f"/ranking/{weiqi.base}/awards")["awards"] == []
    announced = weiqi.base.removesuffix(".weiqi")
    assert all(row["points"]["weiqi"] == 0 for row in weiqi.see(f"/ranking/{announced}/totals")["rows"])


def test_a_player_alone_who_left_has_no_place_no_prize_and_no_points() -> None:
    weiqi = one_player_of_weiqi(FOUR[0])
    weiqi.withdraw(weiqi.draw()["teams"][0]["team"]["id"])
    nobody_has_anything(weiqi)


def test_where_neither_came_to_the_only_match_nobody_has_a_place() -> None:
    weiqi = one_player_of_weiqi(*FOUR[:2])
    weiqi.draw()
    paired = weiqi.pair()
    weiqi.forfeit(paired["matches"][0]["match"], *paired["matches"][0]["teams"])
    weiqi.close_round(paired)
    nobody_has_anything(weiqi)
