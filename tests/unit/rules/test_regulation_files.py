"""Loading a preset never guesses, and an error says where and what is allowed."""

from __future__ import annotations

import os
from collections.abc import Callable
from importlib import resources
from pathlib import Path

import pytest

from shared.rules.errors import BadRegulation, UnknownRegulation
from shared.rules.regulations import Preset, digest, load
from shared.rules.regulations.loader import LARGEST

Write = Callable[[str, str], Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """A copy of jimei-2018 with one text replaced."""
    text = resources.files("shared.rules.regulations").joinpath("jimei-2018.yaml").read_text(encoding="utf-8")

    def written(old: str, new: str) -> Path:
        assert old in text
        path = tmp_path / "own.yaml"
        path.write_text(text.replace(old, new, 1), encoding="utf-8")
        return path

    return written


def line_with(path: Path, words: str) -> int:
    return next(n for n, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1) if words in line)


def test_a_copied_preset_is_loaded_by_its_path(write: Write, jimei: Preset) -> None:
    own = load(str(write("minutes: {value: 60", "minutes: {value: 45")))
    assert own.match.minutes.value == 45
    assert digest(own) != digest(jimei)


def test_an_unknown_name_lists_the_names_there_are() -> None:
    with pytest.raises(UnknownRegulation, match="jimei-2018") as refused:
        load("jimei-2019")
    assert refused.value.code == "unknown_regulation"


def test_a_path_that_is_not_there_is_an_unknown_regulation(tmp_path: Path) -> None:
    with pytest.raises(UnknownRegulation):
        load(str(tmp_path / "none.yaml"))


@pytest.mark.parametrize("kind", ["device", "pipe", "folder"])
def test_what_may_be_read_without_an_end_is_an_unknown_regulation(tmp_path: Path, kind: str) -> None:
    """`pailu ask` answers the next line whatever this one names."""
    path = tmp_path / "own.yaml"
    if kind == "pipe":
        os.mkfifo(path)
    if kind == "folder":
        path.mkdir()
    with pytest.raises(UnknownRegulation):
        load("/dev/zero" if kind == "device" else str(path))


def test_a_file_far_larger_than_any_regulation_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "own.yaml"
    path.write_bytes(b"#" * (LARGEST + 1))
    with pytest.raises(UnknownRegulation):
        load(str(path))


@pytest.mark.parametrize(
    ("old", "new", "key", "allowed"),
    [
        ("minutes: {value: 60", "minutes: {value: sixty", "match.minutes", "an integer from 1 on"),
        ("past_top: {value: win", "past_top: {value: stop", "levels.past_top", "win, wrap"),
        ("  minutes: {", "  minuets: {", "match.minuets", "minutes"),
        ("{up_to: 20, gain: 4}", "{up_to: 20, gian: 4}", "levels.dealer_bands[1].gian", "up_to, gain"),
        (
            "points: 80}\n    article: 十一.8⑨",
            "points: -80}\n    article: 十一.8⑨",
            "penalties.revoke.points",
            "from 0 on",
        ),
        ("mark: assumed, zh: 时区", "mark: guessed, zh: 时区", "zone.mark", "assumed, read, stated"),
        ('value: "2018-11-24"', 'value: "24 November"', "dates.play_from", "a date YYYY-MM-DD"),
        ('value: "2018-11-24"', "value: 2018-11-31", "dates.play_from", "a date or a number that exists"),
        ("past_top: {value: win", "past_top: {value: &own [*own]", "levels.past_top[0]", "a value of its own"),
        ("past_top: {value: win", "past_top: {[value]: win", "levels.past_top", "a text"),
    ],
)
def test_a_wrong_value_is_named_with_file_line_key_and_what_is_allowed(
    write: Write, old: str, new: str, key: str, allowed: str
) -> None:
    path = write(old, new)
    with pytest.raises(BadRegulation) as refused:
        load(str(path))
    assert (refused.value.file, refused.value.key) == (str(path), key)
    assert allowed in refused.value.allowed
    assert refused.value.line == line_with(path, new.split("\n")[0])


def test_a_missing_value_is_refused(write: Write) -> None:
    with pytest.raises(BadRegulation, match=r"match\.minutes"):
        load(
            str(
                write(
                    "  minutes: {value: 60, article: 十.2, mark: stated, zh: 每轮时间（分钟）, en: minutes a round,"
                    " quote: 每轮时间为60分钟}\n",
                    "",
                )
            )
        )


def test_a_key_given_twice_is_refused(write: Write) -> None:
    path = write("version: 1\n", "version: 1\nversion: 2\n")
    with pytest.raises(BadRegulation, match="given twice") as refused:
        load(str(path))
    assert refused.value.line == line_with(path, "version: 2")


def test_a_file_that_is_no_yaml_is_refused_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "broken.yaml"
    path.write_text("name: x\nmatch: [1\n", encoding="utf-8")
    with pytest.raises(BadRegulation, match="is not YAML"):
        load(str(path))


@pytest.mark.parametrize("depth", [900, 100_000])
def test_a_file_nested_too_deep_is_refused(tmp_path: Path, depth: int) -> None:
    path = tmp_path / "deep.yaml"
    path.write_text("name: " + "[" * depth + "]" * depth, encoding="utf-8")
    with pytest.raises(BadRegulation):
        load(str(path))


@pytest.mark.parametrize("text", ["", "- 1\n", "just words\n"])
def test_a_file_without_an_object_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "empty.yaml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(BadRegulation):
        load(str(path))


def test_bands_that_leave_a_gap_are_refused(write: Write) -> None:
    with pytest.raises(BadRegulation, match="begin at 85") as refused:
        load(str(write("value: [{points: 80, gain: 0}]", "value: [{points: 85, gain: 0}]")))
    assert refused.value.key == "levels.attacker_bands"
