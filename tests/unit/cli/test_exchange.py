"""`pailu import trf` and `pailu export trf`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from shared.cli.main import pailu

FILE: dict[str, Any] = {
    "format": "pailu-competition/1",
    "regulation": "jimei-2018",
    "name": "cup",
    "seed": "",
    "teams": [{"id": team, "name": f"{team}队", "unit": "XM"} for team in "ABC"],
    "rounds": [
        {
            "number": 1,
            "matches": [{"table": 1, "teams": ["A", "B"], "points": [2, 0], "status": "played"}],
            "byes": ["C"],
            "absent": [],
        }
    ],
    "withdrawn": [],
    "absent": [],
    "fixed": [],
    "forbidden": [["B", "C"]],
    "lots": {},
}


def run(folder: Path, *words: str, stdin: str | bytes = "") -> Result:
    path = folder / "in"
    path.write_bytes(stdin if isinstance(stdin, bytes) else stdin.encode())
    return CliRunner().invoke(pailu, [str(path) if word == "FILE" else word for word in words])


def test_there_and_back_the_file_is_the_same(tmp_path: Path) -> None:
    report = run(tmp_path, "export", "trf", "FILE", stdin=json.dumps(FILE))
    assert report.exit_code == 0
    assert report.stderr == "not carried: table numbers\n"
    back = run(tmp_path, "import", "trf", "FILE", stdin=report.stdout_bytes)
    assert json.loads(back.stdout) == FILE
    assert back.stderr == ""


def test_a_report_in_another_encoding_is_read_when_it_is_named(tmp_path: Path) -> None:
    text = f"{'001    1':14}Müller".encode("latin-1")
    refused = run(tmp_path, "import", "trf", "FILE", stdin=text)
    assert refused.exit_code == 2
    assert "line 1, byte 16" in refused.output
    found = run(tmp_path, "import", "trf", "FILE", "--encoding", "latin-1", stdin=text)
    assert json.loads(found.stdout)["teams"] == [{"id": "1", "name": "Müller", "unit": ""}]
    assert run(tmp_path, "import", "trf", "FILE", "--encoding", "martian", stdin=text).exit_code == 2


def test_the_regulation_is_the_reports_or_the_one_named(tmp_path: Path) -> None:
    text = "092 Swiss (shandong-2023)\n001    1"
    assert json.loads(run(tmp_path, "import", "trf", "FILE", stdin=text).stdout)["regulation"] == "shandong-2023"
    named = run(tmp_path, "import", "trf", "FILE", "--regulation", "jimei-2018", stdin=text)
    assert json.loads(named.stdout)["regulation"] == "jimei-2018"
    assert json.loads(run(tmp_path, "import", "trf", "FILE", stdin="001    1").stdout)["regulation"] == "jimei-2018"


def test_a_malformed_report_ends_with_2_and_names_line_and_column(tmp_path: Path) -> None:
    result = run(tmp_path, "import", "trf", "FILE", stdin=f"012 cup\n{'001    1':91}   9 w 1")
    assert result.exit_code == 2
    assert "line 2, column 92" in result.output
    assert run(tmp_path, "--lang", "zh", "import", "trf", "FILE", stdin="x").output.count("第 1 行第 1 列") == 1


@pytest.mark.parametrize("change", [{"format": "x"}, {"teams": 1}, {"regulation": "nowhere"}])
def test_what_is_no_competition_file_ends_with_2(tmp_path: Path, change: dict[str, Any]) -> None:
    assert run(tmp_path, "export", "trf", "FILE", stdin=json.dumps(FILE | change)).exit_code == 2


def test_a_result_without_a_code_ends_with_2_and_names_its_place(tmp_path: Path) -> None:
    match = {"table": 1, "teams": ["A", "B"], "points": [3, 1], "status": "played"}
    result = run(
        tmp_path, "export", "trf", "FILE", stdin=json.dumps(FILE | {"rounds": [{"number": 1, "matches": [match]}]})
    )
    assert result.exit_code == 2
    assert "rounds[0].matches[0].points" in result.output


def test_a_file_that_is_not_there_ends_with_2() -> None:
    assert CliRunner().invoke(pailu, ["import", "trf", "/nowhere"]).exit_code == 2
