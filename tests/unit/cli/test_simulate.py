"""`pailu simulate` and the files it makes: each regulation from its draw to its places."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from shared.cli.main import pailu


def simulated(*words: str) -> dict[str, Any]:
    result = CliRunner().invoke(pailu, ["simulate", *words, "--json"])
    assert result.exit_code == 0, result.output
    answer: dict[str, Any] = json.loads(result.output)
    return answer


@pytest.mark.parametrize("regulation", ["jimei-2018", "zhongshan-2013", "shandong-2023", "ahut-2018"])
def test_the_same_seed_plays_the_same_competition(regulation: str) -> None:
    words = (regulation, "--teams", "9", "--seed", "4", "--forfeits", "5")
    assert simulated(*words) == simulated(*words)
    assert simulated(*words) != simulated(regulation, "--teams", "9", "--seed", "5", "--forfeits", "5")


@pytest.mark.parametrize("regulation", ["jimei-2018", "zhongshan-2013", "shandong-2023", "ahut-2018"])
def test_pair_makes_every_round_again_from_the_file(tmp_path: Path, regulation: str) -> None:
    answer = simulated(regulation, "--teams", "11", "--seed", "2")
    path = tmp_path / "cup.json"
    for number, expected in enumerate(answer["rounds"]):
        rounds = answer["competition"]["rounds"][:number]
        path.write_text(json.dumps(answer["competition"] | {"rounds": rounds}), encoding="utf-8")
        assert json.loads(CliRunner().invoke(pailu, ["pair", str(path), "--json"]).output) == expected


def test_a_round_of_a_bracket_says_what_is_played_for_and_how_long(tmp_path: Path) -> None:
    answer = simulated("ahut-2018", "--teams", "64", "--seed", "1")
    first, final = answer["rounds"][0]["matches"][0], answer["rounds"][-1]["matches"][0]
    assert first["minutes"] == 60
    assert (final["minutes"], final["name"]["zh"]) == (None, "决赛")
    assert {match["part"] for match in answer["rounds"][-1]["matches"]} == {"A", "B"}


def test_when_all_is_played_there_is_no_round_to_pair(tmp_path: Path) -> None:
    path = tmp_path / "cup.json"
    path.write_text(json.dumps(simulated("shandong-2023", "--teams", "4", "--seed", "1")["competition"]))
    result = CliRunner().invoke(pailu, ["pair", str(path)])
    assert result.exit_code == 1
    assert "every round has been played" in result.output


@pytest.mark.parametrize(
    ("regulation", "teams", "awarded"),
    [
        ("jimei-2018", 9, 8),  # 录取前八名
        ("jimei-2018", 6, 5),  # 不足九队减一录取
        ("zhongshan-2013", 14, 6),  # 前六名
        ("shandong-2023", 12, 8),  # 一等奖1、二等奖2、三等奖5
        ("ahut-2018", 40, 16),  # A、B 两组各取前八名
    ],
)
def test_as_many_are_awarded_as_the_regulation_says(regulation: str, teams: int, awarded: int) -> None:
    answer = simulated(regulation, "--teams", str(teams), "--seed", "3")
    assert len(answer["awards"]) == awarded
    assert len(answer["standings"]) == teams


def test_a_table_for_people() -> None:
    result = CliRunner().invoke(pailu, ["simulate", "zhongshan-2013", "--teams", "12", "--seed", "1"])
    assert "match for place 5" in result.output
    assert "Final places" in result.output


def test_a_regulation_that_is_not_there_is_said() -> None:
    result = CliRunner().invoke(pailu, ["simulate", "nowhere", "--teams", "4", "--seed", "1"])
    assert result.exit_code == 1
    assert "nowhere" in result.output
