"""`pailu totals` on a union file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from shared.cli.main import pailu


def team(id_: str, **fields: Any) -> dict[str, Any]:
    return {"id": id_, "name": f"{id_}工会", "entered_in_full": False, "played_everything": True, **fields}


FILE: dict[str, Any] = {
    "format": "pailu-union/1",
    "regulation": "zhongshan-2013",
    "teams": [team("U1"), team("U2"), team("U3"), team("U4", cancelled=True)],
    "placings": {"tractor": [["U1"], ["U3"], ["U4"], ["U2"]], "xiangqi": [["U2", "U3"], ["U1"]], "weiqi": []},
}


def run(folder: Path, data: object, *options: str) -> Result:
    path = folder / "union.json"
    path.write_text(json.dumps(data), encoding="utf-8")
    return CliRunner().invoke(pailu, ["totals", str(path), *options])


def test_totals_in_json_have_the_fields_of_the_contract(tmp_path: Path) -> None:
    # tractor U1 9, U3 7, U2 6, since U4 is out; xiangqi U2 and U3 (7+5)/2 = 6, U1 4: U1 13, U3 13, U2 12; a first each
    # of U1 and U3, and U3 has a second
    rows = json.loads(run(tmp_path, FILE, "--json").output)
    assert rows == [
        {
            "rank": 1,
            "team": "U3",
            "points": {"tractor": 7, "xiangqi": 6, "weiqi": 0, "all": 13},
            "firsts": 1,
            "money_yuan": 2000,
            "decided_by": None,
        },
        {
            "rank": 2,
            "team": "U1",
            "points": {"tractor": 9, "xiangqi": 4, "weiqi": 0, "all": 13},
            "firsts": 1,
            "money_yuan": 1600,
            "decided_by": "seconds",
        },
        {
            "rank": 3,
            "team": "U2",
            "points": {"tractor": 6, "xiangqi": 6, "weiqi": 0, "all": 12},
            "firsts": 1,
            "money_yuan": 1400,
            "decided_by": "points",
        },
        {
            "rank": None,
            "team": "U4",
            "points": {"tractor": 0, "xiangqi": 0, "weiqi": 0, "all": 0},
            "firsts": 0,
            "money_yuan": 0,
            "decided_by": None,
        },
    ]


def test_a_fraction_is_a_string(tmp_path: Path) -> None:
    placings = {"weiqi": [["U1", "U2", "U3"]]}  # 7 + 5 + 4 among three; 5000 yuan among three
    row = json.loads(run(tmp_path, FILE | {"placings": placings}, "--json").output)[1]
    assert (row["points"]["all"], row["money_yuan"], row["decided_by"]) == ("16/3", "5000/3", "shared")


def test_a_table_for_people_in_80_columns(tmp_path: Path) -> None:
    result = run(tmp_path, FILE)
    assert result.exit_code == 0
    assert "U1 U1工会" in result.output
    assert "more seconds" in result.output
    assert max(len(line) for line in result.output.splitlines()) <= 80


@pytest.mark.parametrize(
    ("change", "place"),
    [
        ({"format": "pailu-competition/1"}, "format"),
        ({"regulation": "nowhere"}, "nowhere"),
        ({"regulation": "jimei-2018"}, "regulation"),
        ({"regulation": "ahut-2018"}, "ahut-2018"),
        ({"teams": [team("U1"), team("U1")]}, "teams[1].id"),
        ({"placings": {"weiqi": [["U9"]]}}, "placings.weiqi[0][0]"),
        ({"placings": {"bridge": []}}, "placings.bridge"),
    ],
)
def test_a_malformed_file_ends_with_2_and_names_the_place(tmp_path: Path, change: dict[str, Any], place: str) -> None:
    result = run(tmp_path, FILE | change)
    assert result.exit_code == 2
    assert place in result.output
