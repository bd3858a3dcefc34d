"""The card record of a hand: refereed when it is handed in, kept beside the hand, never in disagreement with it."""

from __future__ import annotations

import re
from typing import Any, Generic

import msgspec

from services.match import refusals as refuse
from services.match.model.matches import F, head_of, opened_of
from services.match.model.matches import Match as State
from shared.contracts.match import HandRecordKept
from shared.eventsourcing.records import canonical
from shared.rules.adjudication import Disagreement, adjudicate_entry, digest, disagreements
from shared.rules.basis import Text
from shared.rules.errors import RuleError
from shared.rules.findings import Finding
from shared.rules.regulations.schema import AnyPreset

LARGEST = 64 * 1024
"""Bytes of a record as it is kept. A whole hand has about 3,000."""


class Judged(msgspec.Struct, Generic[F], frozen=True, kw_only=True):
    """A record refereed: the hand that it shows, its hash, the breaches that it shows."""

    facts: F
    record: dict[str, Any]
    hash: str
    findings: tuple[Finding, ...]


def judge(preset: AnyPreset, state: State, hand: int, posted: F, record: dict[str, Any]) -> Judged[F]:
    """The record, which gives what was posted for the hand, and what was left out there. Raises RecordInvalid,
    RecordDisagrees."""
    try:
        found = adjudicate_entry(preset, record)
    except RuleError as error:
        raise refuse.RecordInvalid(pointer(error.field), error.article, hand=hand, reason=error.said) from error
    size = len(canonical(record))
    if size > LARGEST:
        said = Text(f"有 {size} 字节，至多 {LARGEST} 字节", f"it has {size} bytes; a record has {LARGEST} at most")
        raise refuse.RecordInvalid("/record", hand=hand, reason=said)
    facts = found.facts
    assert isinstance(facts, type(posted)), "they are of one regulation"
    differing = disagreements(posted, facts)
    if differing:
        raise disagrees(hand, differing)
    hash = digest(record)
    if other := next((n for n, held in enumerate(state.records, 1) if held == hash and n != hand), None):
        said = Text(f"与第 {other} 副的牌谱完全相同", f"it is the record of hand {other}, card by card")
        raise refuse.RecordInvalid("/record", hand=hand, reason=said)
    return Judged(facts=facts, record=record, hash=hash, findings=found.findings)


def disagrees(hand: int, differing: tuple[Disagreement, ...]) -> refuse.RecordDisagrees:
    """The refusal of a hand that is otherwise in its record, with both values of each field."""
    names = {
        "dealer": "庄家",
        "points": "得分",
        "trump": "将牌",
        "levels": "级数",
        "finish": "出完顺序",
        "own": "所打的级",
    }
    zh = "；".join(f"{names[one.field]}录入 {_said(one.posted)}，牌谱为 {_said(one.adjudicated)}" for one in differing)
    en = "; ".join(f"{one.field} {_said(one.posted)}, the record {_said(one.adjudicated)}" for one in differing)
    refusal = refuse.RecordDisagrees(f"/{differing[0].field}", hand=hand, both=Text(zh, en))
    refusal.members = {
        "posted": {one.field: one.posted for one in differing},
        "adjudicated": {one.field: one.adjudicated for one in differing},
    }
    wrong = [(f"/{one.field}", f"牌谱为 {_said(one.adjudicated)}", _said(one.adjudicated)) for one in differing]
    return refusal.each((at, Text(said, f"the record gives {value}")) for at, said, value in wrong)


def kept(state: State, hand: int, judged: Judged[Any], by: str) -> HandRecordKept:
    """The event that keeps a record."""
    opened = opened_of(state)
    return HandRecordKept(
        **head_of(state, by),
        round=opened.round,
        hand=hand,
        hash=judged.hash,
        record=judged.record,
        findings=judged.findings,
    )


def pointer(place: str | None) -> str:
    """The place in a body of a place in a record, such as `tricks[4].plays[2]`."""
    steps = re.sub(r"\[(\d+)\]", r".\1", place or "").split(".")
    return "/".join(["/record", *(step for step in steps if step and step != "record")])


def _said(value: Any) -> str:
    if isinstance(value, dict):
        return " ".join(f"{pair}:{level}" for pair, level in sorted(value.items()))
    return str(value)
