"""A hand record refereed for those who enter hands: what it says of the hand, and which breaches it shows.

A breach is told with its article and price and charged to nobody: in a match only what was claimed in time counts
(RULINGS, jimei-2018 4).
"""

from __future__ import annotations

import hashlib
from typing import Any

import msgspec
from msgspec import Struct

from shared.rules.basis import Basis
from shared.rules.errors import refused
from shared.rules.findings import Finding
from shared.rules.guandan import replay as guandan
from shared.rules.guandan.ask import replay_answer
from shared.rules.guandan.record import Given as GuandanGiven
from shared.rules.guandan.record import read_record as read_guandan
from shared.rules.guandan.sheet import FinishFacts, decided
from shared.rules.guandan.verdict import verdict as guandan_verdict
from shared.rules.records import convert, unread
from shared.rules.regulations.changes import values_told
from shared.rules.regulations.guandan import GuandanPreset
from shared.rules.regulations.preset import Preset
from shared.rules.regulations.schema import AnyPreset
from shared.rules.shengji.record import Given as ShengjiGiven
from shared.rules.shengji.replay import Replayed, replay
from shared.rules.shengji.sheet import HandFacts
from shared.rules.shengji.told import replayed_told
from shared.rules.shengji.verdict import verdict
from shared.rules.verdict import Verdict, verdict_told

Facts = HandFacts | FinishFacts
"""A hand as it is entered, of any game."""


class Adjudicated(Struct, frozen=True, kw_only=True):
    """A record refereed. facts: the entry that it makes, None when it does not go to the hand's end or does not tell
    what was buried; told: the answer of `replay`, with its basis, the verdict, and which values the regulation had."""

    facts: Facts | None
    findings: tuple[Finding, ...]
    told: dict[str, Any]


class Disagreement(Struct, frozen=True):
    """A field that was entered otherwise than the record has it."""

    field: str
    posted: Any
    adjudicated: Any


def adjudicate(preset: AnyPreset, record: object) -> Adjudicated:
    """Referee a record given as a JSON object. Raises RuleError for what is no record and for an impossible one, naming
    the place."""
    if isinstance(preset, Preset):
        hand = replay(preset, record)
        findings = tuple(breach.finding() for breach in hand.irregularities)
        told = _told(preset, replayed_told(hand), hand.basis, verdict(hand))
        return Adjudicated(facts=_points(hand), findings=findings, told=told)
    return _guandan(preset, record)


def adjudicate_entry(preset: AnyPreset, record: object) -> Adjudicated:
    """Referee a record that is to be kept with a hand of a competition under this regulation.

    Raises RuleError as `adjudicate` does, and for a record of another regulation, and one that does not tell how the
    hand ended. What no rule reads may not be in it: a log is for ever, and no place for what nobody reads.
    """
    given: ShengjiGiven | GuandanGiven
    given = convert(record, ShengjiGiven) if isinstance(preset, Preset) else convert(record, GuandanGiven)
    for name in not_read(preset, record):
        raise refused(name, "is no field of a hand record", "不是牌谱中的字段")
    if given.regulation != preset.name:
        problem = f"is {given.regulation!r}; the competition is under {preset.name!r}"
        raise refused("regulation", problem, f"为 {given.regulation}；本赛事的规程为 {preset.name}")
    found = adjudicate(preset, record)
    if found.facts is None:
        place = "kitty" if found.told["complete"] else "tricks" if isinstance(preset, Preset) else "plays"
        raise refused(place, "does not tell how the hand ended", "未记至该副牌结束")
    return found


def not_read(preset: AnyPreset, record: object) -> tuple[str, ...]:
    """The fields of a record that no rule reads."""
    return unread(record, ShengjiGiven if isinstance(preset, Preset) else GuandanGiven)


def disagreements(posted: Facts, adjudicated: Facts) -> tuple[Disagreement, ...]:
    """The fields that were entered and are otherwise in the record. Raises TypeError for facts of two games."""
    if type(posted) is not type(adjudicated):
        raise TypeError(f"{type(posted).__name__} and {type(adjudicated).__name__} are of two games")
    entered, found = (_comparable(facts) for facts in (posted, adjudicated))
    return tuple(
        Disagreement(name, value, found[name])
        for name, value in entered.items()
        if value is not None and value != found[name]
    )


def digest(record: dict[str, Any]) -> str:
    """sha256, in hex, of a record as JSON with sorted keys and no white space (RFC 8785: it holds no fractions)."""
    return hashlib.sha256(msgspec.json.encode(record, order="sorted")).hexdigest()


def _points(hand: Replayed) -> HandFacts | None:
    """Without penalties: those are events of their own (RULINGS, Corrections and later hands 1)."""
    if not hand.complete or hand.kitty is None:
        return None
    kitty = hand.kitty.points if hand.kitty.to == "attackers" else 0
    record = hand.record
    return HandFacts(
        dealer=record.dealer, points=hand.card_points + kitty, trump=record.trump, levels=dict(record.levels)
    )


def _guandan(preset: GuandanPreset, record: object) -> Adjudicated:
    read = read_guandan(preset, record)
    hand = guandan.replay_record(preset, read)
    facts = FinishFacts(finish=hand.finish, own=read.own, levels=read.levels) if hand.complete else None
    findings = tuple(breach.finding() for breach in hand.irregularities)
    told = _told(preset, replay_answer(hand), hand.basis, guandan_verdict(preset, read, hand))
    return Adjudicated(facts=facts, findings=findings, told=told)


def _told(preset: AnyPreset, answer: dict[str, Any], bases: tuple[Basis, ...], found: Verdict) -> dict[str, Any]:
    return answer | {
        "basis": [msgspec.to_builtins(basis) for basis in bases],
        "verdict": verdict_told(found),
        "regulation": values_told(preset),
    }


def _comparable(facts: Facts) -> dict[str, Any]:
    named = {name: getattr(facts, name) for name in facts.__struct_fields__}
    return named | {"finish": decided(facts.finish)} if isinstance(facts, FinishFacts) else named
