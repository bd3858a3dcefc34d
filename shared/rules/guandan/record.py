"""A guandan hand record `pailu-hand/1` as typed data, and where it is wrong (RECORDS).

A pass of a seat that has gone out may stand in the record and says nothing. Beyond what RECORDS shows a record may hold
these fields, all optional; plays and incidents no others, and what else it says of itself at its top is not read:

| where    | field         | meaning                                                                             |
|----------|---------------|-------------------------------------------------------------------------------------|
| record   | `leader`      | the seat that was due to lead; not given: whoever acts first                            |
| record   | `stage`       | `group` (the default), `last8` or `final`, for the level change                       |
| record   | `a_failures`  | by pair, failures at A before this hand; 0 where not given                            |
| record   | `earlier`     | by code and pair, breaches earlier in the match, for penalties that rise by step       |
| a play   | `corrected`   | cards put down wrongly and taken back before the act that stood                       |
| a play   | `announced`   | whether the player said how many cards are left; not given: the record does not show it |
| a play   | `seconds`     | whole seconds the act took; not given: the record does not show it                    |
"""

from __future__ import annotations

from collections import Counter
from typing import Literal

from msgspec import Struct, field

from shared.rules.cards import CODES, COPIES, check_copies
from shared.rules.errors import refused
from shared.rules.guandan.cards import read_cards
from shared.rules.guandan.levels import (
    PAIRS,
    Pair,
    by_pair,
    read_failures,
    read_levels,
    read_pair,
    read_stage,
)
from shared.rules.records import Count, Seat, check_format, check_incidents, convert, read_dealt
from shared.rules.regulations.guandan import GuandanPreset, PlayKind, Stage
from shared.rules.regulations.preset import Level


class Declared(Struct, frozen=True, forbid_unknown_fields=True):
    """The reading a player declared."""

    kind: PlayKind
    rank: Literal["2", "3", "4", "5", "6", "7", "8", "9", "T", "J", "Q", "K", "A", "LJ", "BJ"]
    size: int | None = None


class Act(Struct, frozen=True, forbid_unknown_fields=True):
    """One play or pass. cards: None for a pass."""

    seat: Seat
    cards: str | None = None
    passed: bool = field(name="pass", default=False)
    reading: Declared | None = None
    corrected: str | None = None
    announced: bool | None = None
    seconds: Count | None = None


class Incident(Struct, frozen=True, forbid_unknown_fields=True):
    """What a referee entered. after_trick: the last round of play begun before it, 0 before the first lead."""

    code: str
    seat: Seat
    after_trick: Count = 0
    cards: str = ""


class Given(Struct, frozen=True):
    """The record as written; the values by pair are read afterwards."""

    format: str
    regulation: str
    levels: object
    own: object
    plays: list[Act]
    dealt: dict[str, str] | None = None
    incidents: list[Incident] = []
    leader: Seat | None = None
    stage: object = "group"
    a_failures: object = None
    earlier: dict[str, object] = {}


class Record(Struct, frozen=True, kw_only=True):
    """A record that can be replayed. dealt: by seat, None when not given; earlier: breaches by code and pair."""

    levels: dict[Pair, Level]
    own: Pair
    plays: list[Act]
    dealt: dict[int, list[str]] | None
    incidents: list[Incident]
    leader: int | None
    stage: Stage
    a_failures: dict[Pair, int]
    earlier: dict[tuple[str, Pair], int]


def read_record(preset: GuandanPreset, tree: object) -> Record:
    """The record that a JSON object holds.

    Raises RuleError `missing_field`, `bad_value`, `bad_card` or `duplicate_card`, each naming the place as in
    `plays[7].seat`.
    """
    given = convert(tree, Given)
    check_format(given.format)
    stage = read_stage(given.stage)
    failures = dict.fromkeys(PAIRS, 0) if given.a_failures is None else given.a_failures
    for index, act in enumerate(given.plays):
        if (act.cards is None) != act.passed:
            raise refused(f"plays[{index}]", "needs either cards or a pass", "应有出牌或不出之一")
    check_incidents((incident.code for incident in given.incidents), preset.penalties)
    for index, incident in enumerate(given.incidents):
        if incident.cards:
            read_cards(incident.cards, f"incidents[{index}].cards")
    return Record(
        levels=read_levels(given.levels),
        own=read_pair(given.own, "own"),
        plays=given.plays,
        dealt=None if given.dealt is None else _read_dealt(given.dealt),
        incidents=given.incidents,
        leader=given.leader,
        stage=stage,
        a_failures=read_failures(preset.levels, failures, stage),
        earlier=_read_earlier(preset, given.earlier),
    )


def _read_dealt(dealt: dict[str, str]) -> dict[int, list[str]]:
    seen: list[int] = []

    def read(text: str, place: str) -> list[str]:
        cards = read_cards(text, place)
        seen.extend(CODES[card] for card in cards)
        check_copies(seen, place)
        return cards

    return read_dealt(dealt, read)


def check_played(plays: list[Act]) -> None:
    """Of a record without `dealt`: that the plays fit the decks. Raises RuleError `duplicate_card` with the place."""
    seen: Counter[str] = Counter()
    for index, act in enumerate(plays):
        for card in act.cards.split(" ") if act.cards else ():
            seen[card] += 1
            if seen[card] > COPIES:
                problem = f"has one {card} more than the {COPIES} of two decks"
                zh = f"出现第 {seen[card]} 张 {card}，而两副牌只有 {COPIES} 张"
                raise refused(f"plays[{index}]", problem, zh, "duplicate_card")


def _read_earlier(preset: GuandanPreset, given: dict[str, object]) -> dict[tuple[str, Pair], int]:
    counts: dict[tuple[str, Pair], int] = {}
    for code, counted in given.items():
        if code not in preset.penalties:
            raise refused(f"earlier.{code}", "is no penalty of the regulation", "不是规程中的处罚")
        values = by_pair(counted, f"earlier.{code}")
        for pair in PAIRS:
            value = values[pair]
            if not isinstance(value, int) or isinstance(value, bool) or value < 0:
                raise refused(f"earlier.{code}.{pair}", f"is {value!r}, not a count", f"为 {value}，不是次数")
            counts[code, pair] = value
    return counts
