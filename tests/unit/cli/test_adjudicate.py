"""`pailu adjudicate` and `pailu record random`: what a referee reads, and the exit status a program reads."""

from __future__ import annotations

import json
from importlib import resources
from pathlib import Path
from typing import Any, get_args

import pytest
from click.testing import CliRunner, Result

from shared.cli import guandan_sheet
from shared.cli.main import pailu
from shared.cli.sheet import WIDTH, width, wrapped
from shared.rules.ask import answer
from shared.rules.guandan import random_hands as guandan
from shared.rules.regulations import Preset, digest, load, load_any
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


@pytest.mark.parametrize("regulation", ["jimei-2018", "ahut-2018"])
def test_json_is_the_answer_of_replay_with_the_verdict_and_which_values_were_used(
    tmp_path: Path, regulation: str
) -> None:
    record = drawn("--regulation", regulation, "--seed", "4", "--breach", "hand_size")
    told: dict[str, Any] = json.loads(run("adjudicate", saved(tmp_path, record), "--json").output)
    replayed = answer({"ask": "replay", "regulation": regulation, "record": json.loads(record)})
    assert told.pop("verdict").keys() == {"void", "levels", "won_by", "lost_by", "sum"}
    assert told.pop("regulation") == {"name": regulation, "version": 1, "sha256": digest(load_any(regulation))}
    assert told == replayed["answer"] | {"basis": replayed["basis"]}


def told_in(lang: str, path: str) -> str:
    """What the sheet says, lines joined, once it is seen to fit the terminal."""
    result = run("adjudicate", path, "--lang", lang)
    assert result.exit_code in (0, 3), result.output
    assert max(map(width, result.output.splitlines())) <= WIDTH
    return "".join(result.output.split())


def test_the_sheet_shows_how_the_levels_add_up(tmp_path: Path) -> None:
    """庄家方自动升一级 (zhongshan 七（一）7) comes to what the points give."""
    record = json.loads(drawn("--regulation", "zhongshan-2013", "--seed", "11", "--breach", "hand_size"))
    path = saved(tmp_path, json.dumps(record | {"levels": {"13": "9", "24": "4"}}))
    told = json.loads(run("adjudicate", path, "--json").output)["verdict"]
    (penalty,) = [term for term in told["sum"] if term["why"] == "penalty"]
    assert (penalty["levels"], penalty["article"]) == (1, "七（一）7")
    for lang, penalty_name, table in (
        ("zh", "手中多牌或少牌", "按升级表"),
        ("en", "handwithtoomanyortoofewcards", "bythetable"),
    ):
        said = told_in(lang, path)
        assert penalty_name in said
        assert table in said
        for term in told["sum"]:
            assert f"{term['levels']:+d}" in said


@pytest.mark.parametrize(("lang", "words"), [("zh", "作废，重新发牌"), ("en", "voidanddealtagain")])
def test_the_sheet_says_that_a_hand_is_void(tmp_path: Path, lang: str, words: str) -> None:
    path = saved(tmp_path, drawn("--regulation", "ahut-2018", "--seed", "11", "--breach", "hand_size"))
    said = told_in(lang, path)
    assert words in said
    assert "=" not in said.partition(words)[2].partition("sha256")[0]  # and no sum of levels behind it


@pytest.mark.parametrize(("lang", "words"), [("zh", "13方判负"), ("en", "Pair13losesthematch")])
def test_the_sheet_says_that_a_penalty_lost_the_match(tmp_path: Path, lang: str, words: str) -> None:
    record = json.loads(drawn("--regulation", "ahut-2018", "--seed", "7"))
    incidents = [{"code": "signalling", "seat": seat, "after_trick": 1} for seat in (1, 3)]
    assert words in told_in(lang, saved(tmp_path, json.dumps(record | {"incidents": incidents})))


def test_the_sheet_says_what_the_organiser_changed_and_which_values_were_used(tmp_path: Path) -> None:
    text = resources.files("shared.rules.regulations").joinpath("jimei-2018.yaml").read_text(encoding="utf-8")
    own = tmp_path / "own.yaml"
    own.write_text(text.replace("points: 80}\n    article: 十一.8⑨", "points: 60}\n    article: 十一.8⑨"), "utf-8")
    record = json.loads(drawn("--regulation", "jimei-2018", "--seed", "4", "--breach", "revoke"))
    path = saved(tmp_path, json.dumps(record | {"regulation": str(own)}))
    for lang, words in (("zh", "十一.8⑨（主办方改定）"), ("en", "十一.8⑨(changedbytheorganiser)")):
        said = told_in(lang, path)
        assert words in said
        assert digest(load(str(own))) in said


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("no json", "JSON"),
        ("[]", "is no JSON object"),
        ("null", "is no JSON object"),
        ('{"regulation": "nowhere-1900"}', "nowhere-1900"),
        ('{"regulation": "jimei-2018", "format": "pailu-hand/1"}', "dealer"),
    ],
)
def test_what_is_no_record_ends_with_2_and_names_the_place(tmp_path: Path, text: str, place: str) -> None:
    result = run("adjudicate", saved(tmp_path, text))
    assert result.exit_code == 2
    assert place in result.output
    assert "Traceback" not in result.output


@pytest.mark.parametrize("regulation", ["jimei-2018", "ahut-2018"])
@pytest.mark.parametrize("as_json", [True, False])
def test_what_no_rule_reads_is_named_beside_the_answer(tmp_path: Path, regulation: str, as_json: bool) -> None:
    """A field misspelt is not left out in silence."""
    record = json.loads(drawn("--regulation", regulation, "--seed", "11"))
    path = saved(tmp_path, json.dumps(record | {"incidnets": []}))
    result = run("adjudicate", path, *(["--json"] if as_json else []))
    assert result.exit_code == 0
    assert "incidnets" in result.stderr
    assert "incidnets" not in result.stdout


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
