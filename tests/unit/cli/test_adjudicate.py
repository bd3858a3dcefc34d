"""`pailu adjudicate` and `pailu record random`: what a referee reads, and the exit status a program reads."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, get_args

import pytest
from click.testing import CliRunner, Result

from shared.cli import guandan_sheet
from shared.cli.main import pailu
from shared.cli.sheet import WIDTH, width, wrapped
from shared.rules.guandan import random_hands as guandan
from shared.rules.regulations import Preset, load, load_any
from shared.rules.regulations.guandan import GuandanEffect
from shared.rules.shengji import random_hands as shengji
from tests.unit.rules.replay.records import OWN

REGULATIONS = ("jimei-2018", "zhongshan-2013", "shandong-2023", "ahut-2018", OWN)


def run(*arguments: str) -> Result:
    return CliRunner().invoke(pailu, arguments)


def drawn(*arguments: str) -> str:
    result = run("record", "random", *arguments)
    assert result.exit_code == 0, result.output
    return result.output


def saved(folder: Path, text: str) -> str:
    path = folder / "record.json"
    path.write_text(text, encoding="utf-8")
    return str(path)


@pytest.mark.parametrize("regulation", REGULATIONS)
@pytest.mark.parametrize("lang", ["zh", "en"])
def test_a_legal_hand_ends_with_0_and_fits_the_terminal(tmp_path: Path, regulation: str, lang: str) -> None:
    path = saved(tmp_path, drawn("--regulation", regulation, "--seed", "11"))
    result = run("adjudicate", path, "--lang", lang)
    assert result.exit_code == 0, result.output
    assert max(map(width, result.output.splitlines())) <= WIDTH
    assert "\x1b" not in result.output


@pytest.mark.parametrize("regulation", REGULATIONS)
def test_every_breach_stands_under_the_trick_where_it_happened(tmp_path: Path, regulation: str) -> None:
    preset = load_any(regulation)
    for code in shengji.breaches(preset) if isinstance(preset, Preset) else guandan.breaches(preset):
        path = saved(tmp_path, drawn("--regulation", regulation, "--seed", "2", "--breach", code))
        (breach,) = json.loads(run("adjudicate", path, "--json").output)["irregularities"]
        result = run("adjudicate", path, "--lang", "zh")
        assert result.exit_code == 3
        lines = result.output.splitlines()
        assert max(map(width, lines)) <= WIDTH
        at = next(number for number, line in enumerate(lines) if line.startswith("    ! "))
        above = [line for line in lines[:at] if line[:2].strip().isdigit()]
        assert int(above[-1][:2]) == breach["trick"]
        assert breach["article"] in result.output


def test_what_a_breach_of_guandan_costs_is_said_in_both_languages() -> None:
    assert set(guandan_sheet.ALSO) == set(get_args(GuandanEffect))


def test_a_late_claim_says_what_was_claimed(tmp_path: Path) -> None:
    path = saved(tmp_path, drawn("--regulation", "jimei-2018", "--seed", "2", "--breach", "late_claim"))
    (incident,) = json.loads(Path(path).read_text(encoding="utf-8"))["incidents"]
    claimed = load("jimei-2018").penalties[incident["code"]]
    for lang, name in (("zh", claimed.zh), ("en", claimed.en)):
        told = " ".join(run("adjudicate", path, "--lang", lang).output.split())
        assert name in told


def test_json_is_the_answer_of_replay(tmp_path: Path) -> None:
    path = saved(tmp_path, drawn("--regulation", "jimei-2018", "--seed", "4", "--breach", "revoke"))
    told: dict[str, Any] = json.loads(run("adjudicate", path, "--json").output)
    assert {"complete", "tricks", "kitty", "irregularities", "attacker_points", "level_change", "basis"} == told.keys()


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("no json", "JSON"),
        ("[]", "regulation"),
        ('{"regulation": "nowhere-1900"}', "nowhere-1900"),
        ('{"regulation": "jimei-2018", "format": "pailu-hand/1"}', "dealer"),
    ],
)
def test_what_is_no_record_ends_with_2_and_names_the_place(tmp_path: Path, text: str, place: str) -> None:
    result = run("adjudicate", saved(tmp_path, text))
    assert result.exit_code == 2
    assert place in result.output
    assert "Traceback" not in result.output


def test_a_file_that_is_not_there_ends_with_2(tmp_path: Path) -> None:
    assert run("adjudicate", str(tmp_path / "none.json")).exit_code == 2


def test_several_hands_are_one_a_line_of_the_seeds_from_the_first_on() -> None:
    lines = drawn("--regulation", "ahut-2018", "--seed", "5", "--count", "3").splitlines()
    assert len(lines) == 3
    assert json.loads(lines[1]) == json.loads(drawn("--regulation", "ahut-2018", "--seed", "6"))


def test_an_unknown_breach_is_told_with_those_there_are() -> None:
    result = run("record", "random", "--regulation", "jimei-2018", "--seed", "1", "--breach", "sneezing")
    assert result.exit_code == 1
    assert "revoke" in result.output


def test_a_word_longer_than_the_line_is_broken() -> None:
    assert wrapped(["abcdefgh", "牌谱牌谱"], 5) == ["abcde", "fgh", "牌谱", "牌谱"]
