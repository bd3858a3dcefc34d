"""`pailu standings` and `pailu pair` on a competition file."""

from __future__ import annotations

import json
from importlib import resources
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from shared.cli.main import pailu

PLAYED = {"table": 1, "teams": ["A", "B"], "points": [2, 0], "levels": ["7", "5"], "status": "played"}
OTHER = {"table": 2, "teams": ["C", "D"], "points": [1, 1], "levels": ["7", "7"], "status": "played"}
FILE: dict[str, Any] = {
    "format": "pailu-competition/1",
    "regulation": "jimei-2018",
    "name": "cup",
    "seed": "00" * 16,
    "teams": [{"id": team, "name": f"{team}队", "unit": team} for team in "ABCD"],
    "rounds": [{"number": 1, "byes": [], "absent": [], "matches": [PLAYED, OTHER]}],
}


def run(folder: Path, command: str, data: object, *options: str) -> Result:
    path = folder / "cup.json"
    path.write_text(json.dumps(data), encoding="utf-8")
    return CliRunner().invoke(pailu, [command, str(path), *options])


def test_standings_in_json_have_the_fields_of_the_contract(tmp_path: Path) -> None:
    rows = json.loads(run(tmp_path, "standings", FILE, "--json").output)
    assert [row["team"] for row in rows] == ["A", "C", "D", "B"]
    assert rows[0] | {"total": {}} == {
        "rank": 1,
        "team": "A",
        "points": 2,
        "total": {},
        "direct_win": 1,
        "cumulative": 2,
        "decided_by": None,
        "provisional": False,
    }
    assert rows[0]["total"]["fraction"] in ("1", "1/1")


def test_what_a_preset_of_ones_own_compares_is_named_in_the_json(tmp_path: Path) -> None:
    rows = json.loads(run(tmp_path, "standings", FILE | {"regulation": own(tmp_path)}, "--json").output)
    # the totals are equal; by the one opponent each: B met A (2), C and D each other (1), A met B (0)
    assert [(row["team"], row["buchholz"], row["buchholz_cut_1"], row["wins"]) for row in rows] == [
        ("B", 2, 0, 0),
        ("C", 1, 0, 0),
        ("D", 1, 0, 0),
        ("A", 0, 0, 1),
    ]


def test_what_the_terminal_has_no_room_for_is_said(tmp_path: Path) -> None:
    shown = run(tmp_path, "standings", FILE | {"regulation": own(tmp_path)}).output
    assert "Buchholz" in shown.splitlines()[0]
    assert "too wide to show, see --json: Sonneborn-Berger" in shown
    assert max(len(line) for line in shown.splitlines()) <= 80


def test_the_working_of_each_total_is_shown_when_asked_for(tmp_path: Path) -> None:
    # one round: M 2, so S is divided by 1; A met B, who has 0
    assert "2 + 0÷(2/2) − 1 = 1.000" in run(tmp_path, "standings", FILE, "--working").output


def own(folder: Path) -> str:
    """The path of a preset with tie-breaks of its own."""
    text = resources.files("shared.rules.regulations").joinpath("jimei-2018.yaml").read_text(encoding="utf-8")
    listed = "[buchholz, {code: buchholz, cut_lowest: 1}, wins, sonneborn_berger, fouls, level_difference, lot]"
    path = folder / "own.yaml"
    path.write_text(text.replace("value: [direct_win, cumulative, lot]", f"value: {listed}"), encoding="utf-8")
    return str(path)


def test_the_next_round_pairs_nobody_twice(tmp_path: Path) -> None:
    paired = json.loads(run(tmp_path, "pair", FILE, "--json").output)
    assert paired.keys() == {"round", "matches", "bye", "gave_up", "why"}
    assert paired["round"] == 2
    assert {frozenset(match["teams"]) for match in paired["matches"]}.isdisjoint({frozenset("AB"), frozenset("CD")})


@pytest.mark.parametrize("command", ["standings", "pair"])
def test_a_table_for_people(tmp_path: Path, command: str) -> None:
    result = run(tmp_path, command, FILE)
    assert result.exit_code == 0
    assert "A队" in result.output


@pytest.mark.parametrize("command", ["standings", "pair"])
@pytest.mark.parametrize(
    ("change", "place"),
    [
        ({"format": "x"}, "format"),
        ({"regulation": "nowhere"}, "nowhere"),
        ({"rounds": [{"number": 1, "matches": [PLAYED | {"points": None}]}]}, "rounds[0].matches[0].points"),
        ({"teams": [{"id": ""}]}, "teams"),
    ],
)
def test_a_malformed_file_ends_with_2_and_names_the_place(
    tmp_path: Path, command: str, change: dict[str, Any], place: str
) -> None:
    result = run(tmp_path, command, FILE | change)
    assert result.exit_code == 2
    assert place in result.output


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("{", "not JSON"),
        ('{"format": "a", "format": "b"}', "'format' is given twice"),
        ('{"name": "\\ud800"}', "surrogates"),
        ("[" * 100_000, "not JSON"),
    ],
)
def test_what_is_no_json_ends_with_2(tmp_path: Path, text: str, problem: str) -> None:
    path = tmp_path / "cup.json"
    path.write_text(text, encoding="utf-8")
    result = CliRunner().invoke(pailu, ["standings", str(path)])
    assert result.exit_code == 2
    assert problem in result.output


def test_a_round_that_there_is_not_ends_with_2(tmp_path: Path) -> None:
    assert run(tmp_path, "standings", FILE, "--round", "9").exit_code == 2


def test_open_matches_are_told(tmp_path: Path) -> None:
    rounds = [{"number": 1, "matches": [PLAYED | {"points": None, "status": "unfinished"}, OTHER]}]
    result = run(tmp_path, "pair", FILE | {"rounds": rounds})
    assert result.exit_code == 1
    assert "1/1" in result.output


@pytest.mark.parametrize("command", ["standings", "pair", "awards"])
def test_a_name_is_shown_as_it_is_written(tmp_path: Path, command: str) -> None:
    odd = [{"id": team, "name": "[/b] [red]:x:"} for team in "ABCD"]
    result = run(tmp_path, command, FILE | {"teams": odd, "lots": {"C": 1, "D": 2}})
    assert result.exit_code == 0
    assert "A [/b] [red]:x:" in result.output
