"""A stream as simple as a fold can be, for what the kernel alone costs: hands of a table, and their running sum."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

import msgspec

from shared.eventsourcing.codec import Codec
from shared.eventsourcing.handling import Command, Model
from shared.eventsourcing.records import GENESIS, Commit, sealed

AT = datetime(2018, 11, 24, 9, tzinfo=UTC)


class Played(msgspec.Struct, frozen=True, kw_only=True):
    """As long as a hand that a referee enters."""

    regulation: str
    by: str
    competition: str
    match: str
    round: int
    table: int
    teams: tuple[str, str]
    hand: int
    dealer: int
    points: int
    trump: str


class Sum(msgspec.Struct, frozen=True):
    """What the fold keeps."""

    hands: int = 0
    points: int = 0


CODEC = Codec([Played])
SUM = Model(lambda _stream: Sum(), lambda state, event: Sum(state.hands + 1, state.points + event.points))


def fields(number: int) -> dict[str, Any]:
    """The fields of hand number so-and-so."""
    return {
        "regulation": "jimei-2018/1",
        "by": "referee-7",
        "competition": "jimei-2018-a1b2c3",
        "match": "r3t7",
        "round": 3,
        "table": 7,
        "teams": ("t-4f1c9a0b", "t-9e7d2c11"),
        "hand": number,
        "dealer": 1 + number % 4,
        "points": 5 * (number % 40),
        "trump": "SHCD"[number % 4],
    }


def played(number: int) -> Played:
    """Hand number so-and-so."""
    return Played(**fields(number))


def command(name: str) -> Command:
    """A referee's command."""
    return Command(id=name, fingerprint=name, actor="referee-7", role="referee", received_at=AT, correlation=name)


def commit(stream: str, first: int, events: Sequence[Played], previous: Commit | None = None) -> Commit:
    """A sealed commit of these events, as a handler makes it."""
    name = f"{stream}-{first}"
    return sealed(
        Commit(
            service="bench",
            stream=stream,
            first=first,
            events=tuple(CODEC.encode(event) for event in events),
            competition="jimei-2018-a1b2c3",
            command=name,
            fingerprint="0" * 64,
            actor="referee-7",
            role="referee",
            causation=f"command:{name}",
            correlation=name,
            received_at=AT,
            stamp=first,
            previous_hash=previous.hash if previous else GENESIS,
        )
    )
