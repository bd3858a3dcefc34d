"""The file `pailu-competition/1`, and the place an error names."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from shared.rules.errors import BadCompetition
from shared.rules.formats.competition import from_file

FILE: dict[str, Any] = {
    "format": "pailu-competition/1",
    "regulation": "jimei-2018",
    "name": "example",
    "seed": "00ff",
    "teams": [{"id": "T01", "name": "One", "unit": "U1"}, {"id": "T02"}, {"id": "T03"}, {"id": "T04"}, {"id": "T05"}],
    "rounds": [
        {
            "number": 1,
            "byes": ["T05"],
            "absent": [],
            "matches": [
                {"table": 1, "teams": ["T01", "T02"], "points": [2, 0], "levels": ["7", "5"], "status": "played"},
                {"table": 2, "teams": ["T03", "T04"], "status": "unfinished"},
            ],
        }
    ],
    "withdrawn": [],
    "absent": ["T02"],
    "fixed": [["T01", "T04"]],
    "forbidden": [["T01", "T03"]],
    "lots": {"T01": 1},
}


def broken(path: str, value: Any) -> dict[str, Any]:
    """The file with one value replaced; `rounds.0.number` is a path."""
    data = copy.deepcopy(FILE)
    *way, last = [int(step) if step.isdigit() else step for step in path.split(".")]
    node: Any = data
    for step in way:
        node = node[step]
    node[last] = value
    return data


def test_a_file_is_read_as_it_stands() -> None:
    competition = from_file(FILE)
    assert competition.ids == ("T01", "T02", "T03", "T04", "T05")
    first, second = competition.rounds[0].matches
    assert (first.points, first.levels, first.status) == ((2, 0), ("7", "5"), "played")
    assert (second.points, second.levels, second.status) == (None, None, "unfinished")
    assert competition.fixed == (("T01", "T04"),)
    assert competition.lots == {"T01": 1}


def test_what_is_not_needed_may_be_left_out() -> None:
    data = {key: FILE[key] for key in ("format", "regulation", "teams", "rounds")}
    assert from_file(data).withdrawn == ()


@pytest.mark.parametrize(
    ("path", "value", "place"),
    [
        ("format", "pailu-hand/1", "format"),
        ("teams.1.id", "T01", "teams[1].id"),
        ("teams.1.id", "", "teams[1].id"),
        ("teams.0.colour", "red", "teams[0]"),
        ("rounds.0.number", 2, "rounds[0].number"),
        ("rounds.0.byes", ["T09"], "rounds[0].byes[0]"),
        ("rounds.0.byes", ["T01"], "rounds[0].byes[0]"),
        ("rounds.0.matches.0.teams", ["T01", "T01"], "rounds[0].matches[0].teams[1]"),
        ("rounds.0.matches.0.teams", ["T01"], "rounds[0].matches[0].teams"),
        ("rounds.0.matches.0.points", [2, -1], "rounds[0].matches[0].points[1]"),
        ("rounds.0.matches.0.points", [2.5, 0], "rounds[0].matches[0].points[0]"),
        ("rounds.0.matches.0.points", None, "rounds[0].matches[0].points"),
        ("rounds.0.matches.0.levels", ["7", "1"], "rounds[0].matches[0].levels[1]"),
        ("rounds.0.matches.0.status", "lost", "rounds[0].matches[0].status"),
        ("rounds.0.matches.1.table", 1, "rounds[0].matches[1].table"),
        ("withdrawn", ["T09"], "withdrawn[0]"),
        ("fixed", [["T01", "T01"]], "fixed[0]"),
        ("forbidden", [["T01", "T09"]], "forbidden[0][1]"),
        ("lots", {"T09": 1}, "lots.T09"),
        ("lots", {"T01": 1, "T02": 0}, "lots.T02"),
        ("lots", {"T01": 1, "T02": None}, "lots.T02"),
        ("lots", {"": 1}, "lots"),
        ("seed", "xyz", "seed"),
    ],
)
def test_an_error_names_its_place(path: str, value: Any, place: str) -> None:
    with pytest.raises(BadCompetition) as refused:
        from_file(broken(path, value))
    assert refused.value.place == place


@pytest.mark.parametrize("data", [None, [], "x"])
def test_a_file_without_an_object_is_refused(data: object) -> None:
    with pytest.raises(BadCompetition):
        from_file(data)


@pytest.mark.parametrize("key", ["regulation", "teams", "rounds"])
def test_what_is_needed_must_be_there(key: str) -> None:
    with pytest.raises(BadCompetition) as refused:
        from_file({name: value for name, value in FILE.items() if name != key})
    assert refused.value.place == key
