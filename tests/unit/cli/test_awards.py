"""`pailu awards` on a competition file and on a union file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from shared.cli.main import pailu
from tests.unit.cli.test_standings import FILE as CUP
from tests.unit.cli.test_totals import FILE as UNION


def run(folder: Path, data: object, *options: str) -> Result:
    path = folder / "file.json"
    path.write_text(json.dumps(data), encoding="utf-8")
    return CliRunner().invoke(pailu, ["awards", str(path), *options])


def test_awards_in_json(tmp_path: Path) -> None:
    # A beat B, C and D drew: three of four places are awarded, once lots have parted C and D
    given = json.loads(run(tmp_path, CUP | {"lots": {"C": 2, "D": 1}}, "--json").output)
    assert [(row["place"], row["team"]) for row in given] == [(1, "A"), (2, "D"), (3, "C")]
    assert given[0] == {
        "event": None,
        "part": None,
        "place": 1,
        "to_place": 1,
        "team": "A",
        "prizes": [],
        "money_yuan": 0,
        "paid_fen": 0,
    }


def test_money_is_exact_and_paid_in_fen(tmp_path: Path) -> None:
    placings = {"weiqi": [["U1", "U2", "U3"]]}  # 2000 + 1600 + 1400 yuan among three
    given = json.loads(run(tmp_path, UNION | {"placings": placings}, "--json").output)
    money = [(row["team"], row["money_yuan"], row["paid_fen"]) for row in given if row["event"] == "teams"]
    assert money == [("U1", "5000/3", 166667), ("U2", "5000/3", 166667), ("U3", "5000/3", 166666)]
    assert given[0]["prizes"] == [{"zh": "奖杯牌匾", "en": "cup and plaque"}, {"zh": "奖金", "en": "prize money"}]


def test_a_table_for_people_in_80_columns(tmp_path: Path) -> None:
    shown = run(tmp_path, UNION).output
    assert "cup and plaque" in shown
    assert "1666.67" not in shown
    assert max(len(line) for line in shown.splitlines()) <= 80


def test_a_lot_that_is_needed_ends_with_1_and_names_the_teams(tmp_path: Path) -> None:
    result = run(tmp_path, CUP)
    assert result.exit_code == 1
    assert "C, D" in result.output


def test_an_open_match_ends_with_1(tmp_path: Path) -> None:
    match = {"table": 1, "teams": ["A", "B"], "status": "unfinished"}
    assert run(tmp_path, CUP | {"rounds": [{"number": 1, "matches": [match]}]}).exit_code == 1


@pytest.mark.parametrize(
    ("data", "place"),
    [
        (CUP | {"format": "x"}, "format"),
        (CUP | {"teams": [{"id": ""}]}, "teams[0].id"),
        (CUP | {"regulation": "nowhere"}, "nowhere"),
        (UNION | {"placings": {"bridge": []}}, "placings.bridge"),
        (UNION | {"regulation": "jimei-2018"}, "regulation"),
        ([], "file"),
    ],
)
def test_a_malformed_file_ends_with_2_and_names_the_place(tmp_path: Path, data: Any, place: str) -> None:
    result = run(tmp_path, data)
    assert result.exit_code == 2
    assert place in result.output
