"""Events to canonical bytes and back; older versions are lifted when they are read."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import msgspec

from shared.eventsourcing.records import Recorded, canonical

Upcaster = Callable[[dict[str, Any]], dict[str, Any]]
"""From the fields of version n of an event to those of version n + 1; pure."""


class UnknownEvent(ValueError):
    """A stored event whose contract this code does not know: it is older than the log it reads."""

    def __init__(self, type: str, version: int) -> None:
        super().__init__(f"no contract for event {type} version {version}; is this Pailu older than the log?")
        self.type = type
        self.version = version


class Codec:
    """The contracts of some services. An event's version is one more than its upcasters."""

    def __init__(
        self, events: Iterable[type[msgspec.Struct]], upcasters: Mapping[str, tuple[Upcaster, ...]] | None = None
    ):
        self.events = {event.__name__: event for event in events}
        self._upcasters = dict(upcasters or {})
        if unknown := self._upcasters.keys() - self.events.keys():
            raise ValueError(f"upcasters for unknown events: {sorted(unknown)}")
        self._versions = {name: len(self._upcasters.get(name, ())) + 1 for name in self.events}
        self._decode = {
            (name, self._versions[name]): msgspec.json.Decoder(event).decode for name, event in self.events.items()
        }

    def version(self, type: str) -> int:
        """The version in which an event is written today. Raises KeyError for what is no contract."""
        return self._versions[type]

    def encode(self, event: Any) -> Recorded:
        """The stored form. Raises KeyError for what is no contract."""
        name = type(event).__name__
        if self.events[name] is not type(event):
            raise KeyError(name)
        return Recorded(name, self.version(name), canonical(event))

    def decode(self, type: str, version: int, data: bytes) -> Any:
        """The event in today's version. Raises UnknownEvent, and msgspec.ValidationError for data that does not fit."""
        if (decode := self._decode.get((type, version))) is not None:
            return decode(data)
        if type not in self.events or not 1 <= version < self.version(type):
            raise UnknownEvent(type, version)
        fields = msgspec.json.decode(data)
        for upcast in self._upcasters[type][version - 1 :]:
            fields = upcast(fields)
        return msgspec.convert(fields, self.events[type])
