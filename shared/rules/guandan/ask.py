"""The questions about 掼蛋 (RECORDS, `pailu ask`): a question's fields in, the answer and what it rests on out.

Each handler takes the preset and the question as a JSON object, and raises RuleError with a code of RECORDS
(`missing_field`, `bad_value`, `bad_card`, `duplicate_card`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from shared.rules.basis import Basis
from shared.rules.errors import refused
from shared.rules.guandan import plays
from shared.rules.guandan.cards import read_cards, read_level
from shared.rules.guandan.levels import GuandanChange, level_change
from shared.rules.guandan.readings import Reading
from shared.rules.guandan.replay import Irregularity, Replayed, replay
from shared.rules.regulations.guandan import GuandanPreset
from shared.rules.regulations.preset import Level

Question = Mapping[str, Any]
Answer = tuple[dict[str, Any], tuple[Basis, ...]]
Handler = Callable[[GuandanPreset, Question], Answer]


def ask_classify(preset: GuandanPreset, question: Question) -> Answer:
    """`classify`: every reading of `cards` under `level`, strongest first."""
    level, cards = _level(question), _cards(question, "cards")
    found = plays.classify(preset, level, cards)
    return {"readings": [_reading(reading) for reading in found]}, plays.plays_basis(preset.plays, level, cards)


def ask_compare(preset: GuandanPreset, question: Question) -> Answer:
    """`compare`: which of `first` and `second` wins under `level`; optional `first_reading`, `second_reading`."""
    level, first, second = _level(question), _cards(question, "first"), _cards(question, "second")
    readings = (question.get("first_reading"), question.get("second_reading"))
    winner = plays.compare(preset, level, first, second, *readings)
    return {"winner": winner}, plays.plays_basis(preset.plays, level, first, second)


def ask_beats(preset: GuandanPreset, question: Question) -> Answer:
    """`beats`: whether `play` beats `led` under `level`, and by which reading; optional `led_reading`."""
    level, led, play = _level(question), _cards(question, "led"), _cards(question, "play")
    found = plays.beats_led(preset, level, led, play, question.get("led_reading"))
    reading = None if found.reading is None else _reading(found.reading)
    return {"beats": found.beats, "reading": reading}, plays.plays_basis(preset.plays, level, led, play)


def ask_level_change(preset: GuandanPreset, question: Question) -> Answer:
    """`level_change`: what a hand changes, from `finish`, `levels`, `own`, `stage` and `a_failures`."""
    fields = [_given(question, name) for name in ("finish", "levels", "own", "stage", "a_failures")]
    change = level_change(preset, *fields)
    return _change(change), change.basis


def ask_replay(preset: GuandanPreset, question: Question) -> Answer:
    """`replay`: the `record` of a hand."""
    replayed = replay(preset, _given(question, "record"))
    return replay_answer(replayed), replayed.basis


HANDLERS: dict[str, Handler] = {
    "classify": ask_classify,
    "compare": ask_compare,
    "beats": ask_beats,
    "level_change": ask_level_change,
    "replay": ask_replay,
}
"""Every question that a 掼蛋 regulation answers, by its name."""


def replay_answer(replayed: Replayed) -> dict[str, Any]:
    """A replayed hand as RECORDS shows it."""
    change = replayed.level_change
    return {
        "complete": replayed.complete,
        "finish": list(replayed.finish),
        "level_change": None if change is None else _change(change),
        "irregularities": [_irregularity(breach) for breach in replayed.irregularities],
    }


def _irregularity(breach: Irregularity) -> dict[str, Any]:
    changed = {"changed": True} if breach.changed else {}
    return {
        "code": breach.code,
        "seat": breach.seat,
        "trick": breach.trick,
        "discovered_at": breach.discovered_at,
        "cards": breach.cards,
        "article": breach.article,
        "mark": breach.mark,
        "penalty_points": breach.penalty_points,
        "also": list(breach.also),
        **changed,
    }


def _change(change: GuandanChange) -> dict[str, Any]:
    return {
        "gain": change.gain,
        "levels": change.levels,
        "own": change.own,
        "a_failures": change.a_failures,
        "won_by": change.won_by,
    }


def _reading(reading: Reading) -> dict[str, Any]:
    return {"kind": reading.kind, "rank": reading.rank, "size": reading.size}


def _given(question: Question, name: str) -> Any:
    if name not in question:
        raise refused(name, "is missing", "缺失", "missing_field")
    return question[name]


def _level(question: Question) -> Level:
    return read_level(_given(question, "level"), "level")


def _cards(question: Question, name: str) -> list[str]:
    return read_cards(_given(question, name), name)
