"""What `pailu regulations check` lets pass can be used: one value of a preset is changed at a time, and either the
check refuses it with the place and what is allowed, or questions, replays, matches and competitions go on."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from importlib import resources
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import event, given, settings
from hypothesis import strategies as st

from shared.cli.main import pailu
from shared.rules.errors import BadRegulation
from shared.rules.formats.simulation import ended, simulate
from shared.rules.formats.standings import standings
from shared.rules.guandan import random_hands as guandan
from shared.rules.guandan.ask import HANDLERS as GUANDAN
from shared.rules.guandan.replay import replay as replay_guandan
from shared.rules.regulations import Preset, all_names, changed, describe, load, load_any
from shared.rules.regulations.schema import AnyPreset
from shared.rules.shengji import random_hands as shengji
from shared.rules.shengji.ask import HANDLERS as SHENGJI
from shared.rules.shengji.facts import HandFact, PenaltyFact
from shared.rules.shengji.levels import level_change
from shared.rules.shengji.match import resum
from shared.rules.shengji.replay import replay
from tests.unit.ask.questions import FOLLOW, KITTY, LEAD, TRICK
from tests.unit.rules.guandan.test_ask import QUESTIONS

PLAYED = ("cards", "conduct", "follow", "throws", "kitty", "levels", "deal", "claims", "penalties", "plays", "table")
COMPETED = ("standings", "awards", "draws", "stages", "knockout")
NUMBERS = (0, 1, 2, 3, 5, 7, 10, 40, 83, 100, -5)


def leaves(value: object, way: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...], object]]:
    """Every part of a value, and the way to it."""
    yield way, value
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, part in inside:
        yield from leaves(part, (*way, name))


def put(value: Any, way: tuple[Any, ...], new: object) -> Any:
    """The value with another part."""
    if not way:
        return new
    found = copy.deepcopy(value)
    node = found
    for name in way[:-1]:
        node = node[name]
    node[way[-1]] = new
    return found


def others(preset: AnyPreset, key: str, value: object, way: tuple[Any, ...], part: object) -> list[object]:
    """Other parts that may stand there: numbers, and what the schema itself names."""
    if isinstance(part, bool):
        return [not part]
    if isinstance(part, int):
        return [number for number in NUMBERS if number != part] + [None]
    if isinstance(part, list):
        return [[], part[::-1], part[1:], [*part, *part[-1:]]]
    if isinstance(part, dict):
        return [{}, *({name: one for name, one in part.items() if name != left} for left in part)]
    try:
        changed(preset, {key: put(value, way, "?")})
    except BadRegulation as error:
        named = [word for word in error.allowed.replace(" or ", ", ").split(", ") if word and " " not in word]
        return [None if word == "null" else word for word in named if word != part]
    return []


@st.composite
def changes(draw: st.DrawFn, regulation: str, sections: tuple[str, ...]) -> tuple[str, object]:
    """A key and another value."""
    preset = load_any(regulation)
    rows = [row for row in describe(preset) if row.key.split(".")[0] in sections]
    row = draw(st.sampled_from(rows))
    way, part = draw(st.sampled_from(list(leaves(row.value))))
    return row.key, put(row.value, way, draw(st.sampled_from(others(preset, row.key, row.value, way, part) or [part])))


def try_out(preset: AnyPreset, seed: int) -> None:
    """Questions, every breach in a replay, and a match."""
    if not isinstance(preset, Preset):
        for what, fields in QUESTIONS.items():
            GUANDAN[what](preset, fields)
        for code in (None, *guandan.breaches(preset)):
            replay_guandan(preset, guandan.random_hand(preset, seed, code).record)
        return
    least = preset.levels.points_from.value
    for points in range(-60 if least is None else least, 400, 5):
        level_change(preset, points, "5", "A")
    size = preset.cards.kitty.value
    cards = ["C5", "CK", "D3", "D4", "C6", "C7", "DT", "D6", "D7", "D8", "D9", "DJ", "C8", "C9", "CT", "CJ"]
    questions = [LEAD, FOLLOW, TRICK, *([KITTY | {"kitty": " ".join(cards[:size])}] if 0 < size <= len(cards) else [])]
    for question in questions:
        SHENGJI[question["ask"]](preset, question)
    for breach in (None, *shengji.breaches(preset)):
        replay(preset, shengji.random_hand(preset, seed, breach).record)
    charged = [
        PenaltyFact(id=code, code=code, hand=1, pair="13", points=row.value.points, effects=row.value.effects)
        for code, row in preset.penalties.items()
    ]
    resum(preset, [HandFact(number=1, dealer_seat=1, points=0)], charged)


@pytest.mark.parametrize("regulation", all_names())
@given(data=st.data(), seed=st.integers(0, 1000))
@settings(max_examples=12, deadline=None)
def test_what_the_check_lets_pass_can_be_played(regulation: str, data: st.DataObject, seed: int) -> None:
    key, value = data.draw(changes(regulation, PLAYED))
    try:
        own = changed(load_any(regulation), {key: value})
    except BadRegulation:
        event("refused")
        return
    event("used")
    try_out(own, seed)


@pytest.mark.parametrize("regulation", all_names())
@given(data=st.data(), teams=st.integers(3, 18))
@settings(max_examples=6, deadline=None)
def test_what_the_check_lets_pass_can_be_competed_in(regulation: str, data: st.DataObject, teams: int) -> None:
    key, value = data.draw(changes(regulation, COMPETED))
    try:
        own = changed(load_any(regulation), {key: value})
    except BadRegulation:
        return
    done = simulate(own, teams, bytes(16))
    ended(own, done)
    standings(own, done.competition)


REVOKE, FOLLOW_ROW = "    article: 十一.8⑨", "    article: 十一.8②\n    mark: stated"
TENS, FIVES, POINTS = "multiples of 10", "multiples of 5", '{"5": 5, "T": 10, "K": 10}'
ROUNDS = "[{up_to: 16, rounds: 4}, {up_to: 32, rounds: 5}, {up_to: null, rounds: 6}]"
WRONG = [
    # every penalty a multiple of 10, every card value of 5 (RULINGS)
    (f"points: 80}}\n{REVOKE}", f"points: 83}}\n{REVOKE}", "penalties.revoke.points", TENS),
    (f"points: 10}}\n{FOLLOW_ROW}", f"points: 5}}\n{FOLLOW_ROW}", "penalties.wrong_follow.points", TENS),
    (POINTS, '{"5": 7, "T": 10, "K": 10}', "cards.points.5", FIVES),
    (POINTS, "{}", "cards.points", "an object"),
    ("point_step: {value: 5", "point_step: {value: 3", "levels.point_step", "1, 2, 5, 10"),
    ("points_from: {value: null", "points_from: {value: 0", "levels.points_from", "null"),
    ("{up_to: 75, gain: 1}", "{up_to: 77, gain: 1}", "levels.dealer_bands[4].up_to", FIVES),
    ("win: {value: 2", "win: {value: 0", "match.points.win", "an integer from 1 on"),
    (f"  rounds:\n    value: {ROUNDS}", "  rounds:\n    value: null", "match.rounds", "up_to rising, the last null"),
]


@pytest.mark.parametrize(("old", "new", "key", "allowed"), WRONG)
def test_the_check_names_file_line_key_and_what_is_allowed(
    tmp_path: Path, old: str, new: str, key: str, allowed: str
) -> None:
    text = resources.files("shared.rules.regulations").joinpath("jimei-2018.yaml").read_text(encoding="utf-8")
    assert old in text
    path = tmp_path / "own.yaml"
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    line = text[: text.index(old)].count("\n") + 1
    with pytest.raises(BadRegulation) as refused:
        load(str(path))
    assert (refused.value.file, refused.value.key, refused.value.allowed) == (str(path), key, allowed)
    assert refused.value.line == line
    said = CliRunner(env={"LC_ALL": "en_GB.UTF-8"}).invoke(pailu, ["regulations", "check", str(path)])
    assert said.exit_code == 1
    for part in (f"{path}:{line}", key, allowed):
        assert part in said.output


@pytest.mark.parametrize(("formula", "points"), [("fixed", 20), ("referee", 0)])
def test_a_failed_throw_may_be_priced_at_once_or_by_the_referee(formula: str, points: int) -> None:
    """`penalty_points` of a lead are then the price of the occasion, or none of the hand's."""
    price = {"penalties.failed_throw.formula": formula, "penalties.failed_throw.points": points}
    more = {"penalties.failed_throw.halves": {"least": 1, "most": 8}} if formula == "referee" else {}
    own = changed(load("jimei-2018"), more | price)
    answer, _ = SHENGJI["lead"](own, LEAD)
    assert (answer["stands"], answer["penalty_points"]) == (False, points)
