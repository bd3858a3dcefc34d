"""A copied regulation with values of the organiser's own: an answer never puts the text's words behind them."""

from __future__ import annotations

from collections.abc import Callable
from importlib import resources
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from shared.cli.main import pailu
from shared.rules.ask import answer
from shared.rules.guandan.random_hands import random_hand as guandan_hand
from shared.rules.regulations import GuandanPreset, all_names, changed, digest, load, load_any
from shared.rules.regulations.changes import overrides
from shared.rules.shengji.random_hands import random_hand
from tests.unit.rules.replay.records import OWN

Copy = Callable[..., str]


@pytest.fixture
def copy(tmp_path: Path) -> Copy:
    """The path of a copied regulation with some texts replaced."""

    def copied(regulation: str, *replaced: tuple[str, str]) -> str:
        text = resources.files("shared.rules.regulations").joinpath(f"{regulation}.yaml").read_text(encoding="utf-8")
        for old, new in replaced:
            assert old in text
            text = text.replace(old, new, 1)
        path = tmp_path / "own.yaml"
        path.write_text(text, encoding="utf-8")
        return str(path)

    return copied


REVOKE = ("points: 80}\n    article: 十一.8⑨", "points: 60}\n    article: 十一.8⑨")
NAMED = ("name: jimei-2018", "name: our-own-2026")
SECONDS = ("play_seconds: {value: 10", "play_seconds: {value: 20")


@pytest.mark.parametrize("regulation", all_names())
def test_a_copy_that_changes_nothing_departs_in_nothing(copy: Copy, regulation: str) -> None:
    own = load_any(copy(regulation))
    assert overrides(own) == {}
    assert digest(own) == digest(load_any(regulation))


@pytest.mark.parametrize("more", [(), (NAMED,)])
def test_a_changed_value_is_flagged_whatever_the_copy_is_called(copy: Copy, more: tuple[Any, ...]) -> None:
    own = load(copy("jimei-2018", REVOKE, ("minutes: {value: 60", "minutes: {value: 45"), *more))
    assert list(overrides(own)) == ["match.minutes", "penalties.revoke"]
    assert own.penalties["revoke"].basis.changed
    assert not own.penalties["wrong_follow"].basis.changed


def test_a_copied_file_is_the_preset_that_the_services_make_of_the_same_change(copy: Copy) -> None:
    assert digest(load(copy("jimei-2018", REVOKE))) == digest(
        changed(load("jimei-2018"), {"penalties.revoke.points": 60})
    )


def test_words_of_the_organisers_own_stand_as_they_are(copy: Copy) -> None:
    """Who gives another article or other words for a value says where it comes from."""
    words = ("quote: 藏张一旦成立，即罚80分，比赛仍需继续", "quote: 本届改为罚60分")
    own = load(copy("jimei-2018", REVOKE, words))
    assert overrides(own) == {}
    assert overrides(load(OWN)) == {}  # a regulation of its own, from other published rules


def test_an_answer_and_its_breach_say_that_the_organiser_changed_the_price(copy: Copy) -> None:
    record = random_hand(load("jimei-2018"), 4, "revoke").record
    path = copy("jimei-2018", REVOKE)
    reply = answer({"ask": "replay", "regulation": path, "record": record})
    (breach,) = reply["answer"]["irregularities"]
    assert (breach["penalty_points"], breach["article"], breach["changed"]) == (60, "十一.8⑨", True)
    assert {"article": "十一.8⑨", "mark": "stated", "changed": True} in reply["basis"]
    plain = answer({"ask": "replay", "regulation": "jimei-2018", "record": record})
    assert "changed" not in plain["answer"]["irregularities"][0]
    assert not any("changed" in basis for basis in plain["basis"])


def test_an_answer_by_a_file_says_which_values_were_in_it(copy: Copy) -> None:
    path = copy("jimei-2018", REVOKE)
    question = {
        "ask": "level_change",
        "regulation": path,
        "attacker_points": 100,
        "dealer_level": "5",
        "attacker_level": "7",
    }
    said = answer(question)["regulation"]
    assert said == {
        "name": "jimei-2018",
        "version": 1,
        "sha256": digest(load(path)),
        "changed": ["penalties.revoke"],
    }
    assert "regulation" not in answer(question | {"regulation": "jimei-2018"})


def test_guandan_too(copy: Copy) -> None:
    path = copy("ahut-2018", SECONDS)
    own = load_any(path)
    assert isinstance(own, GuandanPreset)
    assert list(overrides(own)) == ["table.play_seconds"]
    steps = ("value: {steps: [[reminder], [level_to_opponents], [match_lost]]}", "value: {steps: [[match_lost]]}")
    strict = copy("ahut-2018", steps)
    record = guandan_hand(own, 3, "not_announced").record
    (breach,) = answer({"ask": "replay", "regulation": strict, "record": record})["answer"]["irregularities"]
    assert (breach["also"], breach["changed"]) == (["match_lost"], True)


@pytest.mark.parametrize(
    ("lang", "words"), [("en_GB.UTF-8", "changed by the organiser"), ("zh_CN.UTF-8", "主办方改定")]
)
def test_the_commands_say_so(copy: Copy, lang: str, words: str) -> None:
    path = copy("jimei-2018", REVOKE)
    check = CliRunner(env={"LC_ALL": lang}).invoke(pailu, ["regulations", "check", path])
    assert f"{words}{'：' if lang[:2] == 'zh' else ': '}penalties.revoke" in check.output
    shown = CliRunner(env={"LC_ALL": lang}).invoke(pailu, ["regulations", "show", path]).output.splitlines()
    at = next(number for number, line in enumerate(shown) if line.startswith("penalties.revoke = "))
    assert words in shown[at + 1]
    assert shown[at + 2].strip().startswith("条文原文" if lang[:2] == "zh" else "the text says")
