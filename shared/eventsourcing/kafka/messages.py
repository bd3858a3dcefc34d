"""An envelope as a Kafka message: the event's canonical bytes are the value, all else stands in headers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

import msgspec

from shared.cloudevents import HEADERS
from shared.eventsourcing.clock import to_micros
from shared.eventsourcing.errors import KernelError
from shared.eventsourcing.records import Envelope

Headers = list[tuple[str, bytes]]

_CONSTANTS: Headers = [(name, schema["const"].encode()) for name, (field, schema, _) in HEADERS.items() if not field]
_CARRIED = [(name, field) for name, (field, _, _) in HEADERS.items() if field]
_FIELDS = {name: field for name, field in _CARRIED if field != "id"}


class NotAnEvent(KernelError):
    """Somebody else has written into a topic: the message is no event of Pailu's, and nothing is read past it."""

    def __init__(self, place: str, why: str) -> None:
        super().__init__(f"the message at {place} is no event: {why}")
        self.place = place


@dataclass(frozen=True, slots=True)
class Message:
    """What is sent, the same at every publication. `key` decides the partition, and so keeps a competition in order;
    `stamp` is the message's own time, when the event was recorded, in milliseconds."""

    service: str
    key: bytes
    value: bytes
    headers: Headers
    stamp: int

    @classmethod
    def of(cls, envelope: Envelope) -> Message:
        carried = [(name, _text(getattr(envelope, field)).encode()) for name, field in _CARRIED]
        stamp = to_micros(envelope.recorded_at) // 1000
        return cls(envelope.service, envelope.competition.encode(), envelope.data, _CONSTANTS + carried, stamp)

    @property
    def size(self) -> int:
        """Bytes of key, value and headers."""
        return len(self.key) + len(self.value) + sum(len(name) + len(text) + 4 for name, text in self.headers)


def envelope(place: str, value: bytes | None, given: Sequence[tuple[str, bytes]]) -> Envelope:
    """The envelope that a message carries. Raises NotAnEvent."""
    try:
        fields = {_FIELDS[name]: text.decode() for name, text in given if name in _FIELDS}
        return msgspec.convert({**fields, "data": value}, Envelope, strict=False)
    except (msgspec.ValidationError, UnicodeDecodeError) as error:
        raise NotAnEvent(place, str(error)) from error


def _text(value: str | int | datetime) -> str:
    if isinstance(value, datetime):
        return str(msgspec.to_builtins(value))
    return value if isinstance(value, str) else str(value)
