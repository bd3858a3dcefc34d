"""A log that listeners hear, in memory."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable
from typing import Any

from shared.web.listening import Positions, Shown

SERVICES = ("registration", "match", "appeals")


class Told:
    """A source of streams; `tell` adds an event, of which nothing is said where it is not public. `reads` counts how
    often it was asked for events, and `fails` makes every question fail."""

    services = SERVICES

    def __init__(self) -> None:
        self.log: list[tuple[str, Shown]] = []
        self.reads = 0
        self.fails = False

    def tell(self, service: str, competition: str = "c", *, public: bool = True) -> None:
        position = 1 + sum(event.service == service for _, event in self.log)
        fields = {"n": len(self.log)} if public else None
        event = Shown(service=service, position=position, recorded_at=len(self.log) // 2, type="Said", fields=fields)
        self.log.append((competition, event))

    def public(self, competition: str = "c") -> list[tuple[str, int]]:
        """Service and position of all that is public."""
        return [(e.service, e.position) for c, e in self.log if c == competition and e.fields is not None]

    def positions(self, competitions: Collection[str]) -> dict[str, Positions]:
        if self.fails:
            raise OSError("the store is away")
        return {
            name: {
                s: max((e.position for c, e in self.log if c == name and e.service == s), default=0) for s in SERVICES
            }
            for name in competitions
        }

    def shown(self, competition: str, after: Positions, upto: Positions, limit: int) -> list[Shown]:
        self.reads += 1
        found: list[Shown] = []
        for service in SERVICES:
            own = [e for c, e in self.log if c == competition and e.service == service]
            found += [e for e in own if after.get(service, 0) < e.position <= upto.get(service, 0)][:limit]
        return found


def messages(sent: bytes) -> list[dict[str, Any]]:
    """The events of a stream's bytes, each with its `id`."""
    found = re.findall(r"^id: (.*)\ndata: (.*)\n\n", sent.decode(), re.MULTILINE)
    return [json.loads(data) | {"id": id} for id, data in found]


def places(heard: Iterable[dict[str, Any]]) -> list[tuple[str, int]]:
    """Service and position of each event."""
    return [(event["service"], event["position"]) for event in heard]
