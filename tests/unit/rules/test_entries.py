"""Entries: jimei-2018 七, 八, 九."""

from __future__ import annotations

import datetime as dt

import msgspec
import pytest

from shared.rules.entries import Person, TeamEntry, findings
from shared.rules.regulations import Preset, changed

ANN = Person(key="1", name="甲", born=dt.date(1980, 5, 1))
BEN = Person(key="2", name="乙", born=dt.date(1990, 5, 1))
CAI = Person(key="3", name="丙", born=dt.date(1985, 5, 1))
DAN = Person(key="4", name="丁", born=dt.date(1930, 5, 1))
ENTRY = TeamEntry(id="e1", unit="杏林街道", players=(ANN, BEN), leaders=(CAI,), coaches=(DAN,))


def entry_with(**more: object) -> TeamEntry:
    return msgspec.structs.replace(ENTRY, **more)


def found(preset: Preset, entry: TeamEntry, *others: TeamEntry) -> list[tuple[str, str, str]]:
    return [(each.code, each.field, each.article) for each in findings(preset, entry, others)]


def test_two_players_a_leader_and_a_coach_are_a_team(jimei: Preset) -> None:  # 领队、教练员各 1 人，运动员2 人
    assert findings(jimei, ENTRY) == []


def test_leader_and_coach_are_optional(jimei: Preset) -> None:
    assert findings(jimei, entry_with(leaders=(), coaches=())) == []


def test_a_player_may_lead_the_team(jimei: Preset) -> None:
    assert findings(jimei, entry_with(leaders=(ANN,))) == []


def test_one_player_is_too_few_and_three_too_many(jimei: Preset) -> None:
    assert found(jimei, entry_with(players=(ANN,))) == [("too_few_players", "players", "九")]
    assert found(jimei, entry_with(players=(ANN, BEN, CAI))) == [("too_many_players", "players", "九")]


def test_a_second_leader_or_coach_is_too_many(jimei: Preset) -> None:
    assert found(jimei, entry_with(leaders=(CAI, DAN))) == [("too_many_leaders", "leaders", "九")]
    assert found(jimei, entry_with(coaches=(CAI, DAN))) == [("too_many_coaches", "coaches", "九")]


@pytest.mark.parametrize(
    ("born", "code"),
    [
        (dt.date(1957, 12, 31), "born_too_early"),  # 1958年1月1日-1999年12月31日出生
        (dt.date(1958, 1, 1), None),
        (dt.date(1999, 12, 31), None),
        (dt.date(2000, 1, 1), "born_too_late"),
        (None, "birth_missing"),
    ],
)
def test_both_ends_of_the_birth_range_are_inside(jimei: Preset, born: dt.date | None, code: str | None) -> None:
    entry = entry_with(players=(ANN, Person(key="2", born=born)))
    assert found(jimei, entry) == ([(code, "players[1].born", "八")] if code else [])


def test_leaders_and_coaches_may_be_of_any_age(jimei: Preset) -> None:
    assert findings(jimei, entry_with(leaders=(DAN,))) == []


def test_the_same_person_is_not_two_players(jimei: Preset) -> None:
    assert found(jimei, entry_with(players=(ANN, ANN))) == [("same_person_twice", "players[1]", "九")]


def test_a_unit_enters_one_team(jimei: Preset) -> None:  # 各代表队限报一队
    other = TeamEntry(id="e2", unit="杏林街道 ", players=(CAI, DAN))
    assert found(jimei, ENTRY, other) == [("too_many_teams_of_unit", "unit", "九")]


def test_the_entry_itself_among_the_others_is_passed_over(jimei: Preset) -> None:
    assert findings(jimei, ENTRY, [ENTRY]) == []


def test_a_player_plays_for_one_unit(jimei: Preset) -> None:  # 一名运动员只能代表一个单位参赛
    other = TeamEntry(id="e2", unit="灌口镇", players=(BEN, CAI))
    assert found(jimei, ENTRY, other) == [("person_in_other_unit", "players[1]", "七.5")]


@pytest.mark.parametrize("unit", ["", "  "])
def test_a_team_has_a_unit(jimei: Preset, unit: str) -> None:
    assert found(jimei, entry_with(unit=unit)) == [("unit_missing", "unit", "九")]


def test_everything_wrong_is_said_at_once_in_both_languages(jimei: Preset) -> None:
    entry = TeamEntry(id="e3", unit="", players=(Person(key="9"),), leaders=(CAI, DAN))
    rows = findings(jimei, entry)
    assert [row.code for row in rows] == ["unit_missing", "too_few_players", "too_many_leaders", "birth_missing"]
    assert all(row.zh and row.en and row.mark in ("stated", "read") for row in rows)


def test_the_range_is_the_organisers_when_he_changed_it(jimei: Preset) -> None:
    own = changed(jimei, {"entry.born_to": "2008-12-31"})
    entry = entry_with(players=(ANN, Person(key="2", born=dt.date(2008, 12, 31))))
    assert findings(own, entry) == []
