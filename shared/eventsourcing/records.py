"""What is written: commits (by a service), envelopes (by its relay), and their canonical bytes."""

from __future__ import annotations

import hashlib
import re
from datetime import datetime
from typing import Any

import msgspec

GENESIS = "0" * 64
"""The hash link of a stream's first commit."""


def plain(value: Any) -> int:
    """A MongoDB driver's 64-bit integer as an int; for encoders, which know nothing of it."""
    if isinstance(value, int):
        return int(value)
    raise TypeError(f"{type(value).__name__} has no canonical form")


_encoder = msgspec.json.Encoder(order="sorted", enc_hook=plain)
_beyond_16_bits = re.compile(rb"[\xf0-\xf4]").search


def canonical(value: Any) -> bytes:
    """Canonical JSON (RFC 8785) of a value built from Pailu's types: str, bool, None, int below 2**53, dict with
    string keys, list, datetime and Struct. Floats are never used, so sorting keys is all that RFC 8785 adds; and it
    sorts by UTF-16 units, which is another order than that of code points where a key has one above U+FFFF."""
    encoded = _encoder.encode(value)
    return encoded if _beyond_16_bits(encoded) is None else _in_utf16_order(encoded)


def _in_utf16_order(encoded: bytes) -> bytes:
    def ordered(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: ordered(value[key]) for key in sorted(value, key=lambda key: key.encode("utf-16-be"))}
        return [ordered(item) for item in value] if isinstance(value, list) else value

    return msgspec.json.encode(ordered(msgspec.json.decode(encoded)))


class Recorded(msgspec.Struct, frozen=True):
    """One event as stored: contract name and version, and its canonical bytes, which never change."""

    type: str
    version: int
    data: bytes


class Commit(msgspec.Struct, frozen=True, kw_only=True):
    """One to n events of one stream, appended together or not at all.

    `first` is the stream version of the first event (versions count from 1). `command` is the idempotency key,
    unique per `actor`; `fingerprint` tells whether a repeated key came with the same body. `causation` names what
    led to the command (an event id, or the command itself), `received_at` is the server's time of receipt. `stamp` is
    logical time: greater than that of every commit its process had read, so that no commit sorts before one that it
    was decided upon. `previous_hash` links to the commit before in the same stream, GENESIS for the first.
    """

    service: str
    stream: str
    first: int
    events: tuple[Recorded, ...]
    competition: str
    command: str
    fingerprint: str
    actor: str
    role: str
    causation: str
    correlation: str
    received_at: datetime
    stamp: int
    previous_hash: str
    hash: str = ""

    @property
    def last(self) -> int:
        """Stream version of the last event."""
        return self.first + len(self.events) - 1

    @property
    def id(self) -> str:
        """`<stream>@<first version>`: two commits that claim the same place collide on it."""
        return event_id(self.stream, self.first)


class Envelope(msgspec.Struct, frozen=True, kw_only=True):
    """One event with its place in the log: what a consumer reads.

    `position` counts from 1 without a gap in its service; `previous` is the position before it of the same
    competition (0 for the first), so a consumer that has not seen it knows that something is missing.
    `recorded_at` never goes back as positions go on.
    """

    service: str
    stream: str
    version: int
    type: str
    type_version: int
    data: bytes
    competition: str
    command: str
    actor: str
    role: str
    causation: str
    correlation: str
    received_at: datetime
    position: int
    previous: int
    recorded_at: datetime

    @classmethod
    def of(cls, commit: Commit, offset: int, position: int, previous: int, recorded_at: datetime) -> Envelope:
        """The event of a commit that has `offset` others before it, with its place in the log."""
        event = commit.events[offset]
        return cls(
            service=commit.service,
            stream=commit.stream,
            version=commit.first + offset,
            type=event.type,
            type_version=event.version,
            data=event.data,
            competition=commit.competition,
            command=commit.command,
            actor=commit.actor,
            role=commit.role,
            causation=commit.causation,
            correlation=commit.correlation,
            received_at=commit.received_at,
            position=position,
            previous=previous,
            recorded_at=recorded_at,
        )

    @property
    def id(self) -> str:
        """`<stream>@<version>`, unique in its service and the same at every delivery."""
        return event_id(self.stream, self.version)


def event_id(stream: str, version: int) -> str:
    """The id of an event, and of the commit that begins with it."""
    return f"{stream}@{version}"


def sealed(commit: Commit) -> Commit:
    """The commit with its hash: SHA-256 over the canonical bytes of everything else in it."""
    return msgspec.structs.replace(commit, hash=commit_hash(commit))


def commit_hash(commit: Commit) -> str:
    """Hex SHA-256 of the commit's canonical bytes; event data enters as its own SHA-256, so a checker that holds
    ciphertext only can still follow the chain."""
    body = {name: getattr(commit, name) for name in commit.__struct_fields__ if name not in ("hash", "events")}
    body["events"] = [[e.type, e.version, hashlib.sha256(e.data).hexdigest()] for e in commit.events]
    return hashlib.sha256(canonical(body)).hexdigest()


def leaf(envelope: Envelope) -> bytes:
    """Canonical bytes of an event as it stands in the log: the leaf of the audit tree."""
    body = {name: getattr(envelope, name) for name in envelope.__struct_fields__ if name != "data"}
    body["data"] = msgspec.Raw(envelope.data)
    return canonical(body)
