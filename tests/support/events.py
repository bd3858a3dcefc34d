"""Events on the topics of the log as another service's relay would publish them, for the tests of one service alone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from shared.contracts.catalogue import EVENTS, UPCASTERS
from shared.eventsourcing.clock import Clock
from shared.eventsourcing.codec import Codec
from shared.eventsourcing.ports import EventLog
from shared.eventsourcing.records import Envelope

CODEC = Codec(EVENTS, UPCASTERS)


class Topics:
    """Publishes events with the versions, positions and links that a relay gives them. Not together with the real
    relay of the same service: both would count from one."""

    def __init__(self, log: EventLog, clock: Clock) -> None:
        self._log = log
        self._clock = clock
        self._positions: dict[str, int] = {}
        self._versions: dict[tuple[str, str], int] = {}
        self._previous: dict[tuple[str, str], int] = {}

    def say(self, service: str, stream: str, *events: Any) -> list[Envelope]:
        """Publish these events of one stream."""
        envelopes = [self._envelope(service, stream, event) for event in events]
        self._log.publish(envelopes)
        return envelopes

    def _envelope(self, service: str, stream: str, event: Any) -> Envelope:
        position = self._positions[service] = self._positions.get(service, 0) + 1
        version = self._versions[service, stream] = self._versions.get((service, stream), 0) + 1
        previous = self._previous.get((service, event.competition), 0)
        self._previous[service, event.competition] = position
        recorded, now = CODEC.encode(event), self._clock.now()
        return Envelope(
            service=service,
            stream=stream,
            version=version,
            type=recorded.type,
            type_version=recorded.version,
            data=recorded.data,
            competition=event.competition,
            command=f"{service}-{position}",
            actor=event.by,
            role="organiser",
            causation=f"command:{service}-{position}",
            correlation="test",
            received_at=now,
            position=position,
            previous=previous,
            recorded_at=now,
        )


def interleaved(topics: Sequence[Sequence[Envelope]], choices: Sequence[int]) -> list[Envelope]:
    """All events of the topics, each topic in its order; at every step `choices` says (modulo) which goes next."""
    left = [list(topic) for topic in topics]
    merged = []
    for choice in choices:
        open_topics = [topic for topic in left if topic]
        if not open_topics:
            break
        merged.append(open_topics[choice % len(open_topics)].pop(0))
    return merged + [event for topic in left for event in topic]
