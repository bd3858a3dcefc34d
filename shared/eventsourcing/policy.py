"""Policies: another event becomes a command of one's own, exactly once, and never by a rebuild."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from shared.eventsourcing.clock import Clock
from shared.eventsourcing.handling import Command
from shared.eventsourcing.ports import Codec
from shared.eventsourcing.records import Envelope

React = Callable[[Any, Envelope, Command], None]


class Policy:
    """What one service does about events. A reaction gets the event, its envelope, and a command whose id is derived
    from the event's id: issued again after a crash it is recognised, so it takes effect once."""

    def __init__(self, name: str, services: Sequence[str]) -> None:
        self.name = name
        self.services = tuple(services)
        self._reactions: dict[type, React] = {}

    def on(self, event: type, react: React) -> None:
        """Register the one reaction to a kind of event; it must issue at most one command under the given id."""
        if event in self._reactions:
            raise ValueError(f"policy {self.name} reacts to {event.__name__} already")
        self._reactions[event] = react

    def reaction(self, event: Any) -> React | None:
        return self._reactions.get(type(event))


class PolicyRunner:
    """Runs a policy; a `Handle` for a consumer. A reaction that is refused is held like any failing event."""

    def __init__(self, policy: Policy, codec: Codec, clock: Clock) -> None:
        self._policy = policy
        self._codec = codec
        self._clock = clock

    def __call__(self, _competition: str, events: Sequence[Envelope]) -> None:
        for at in events:
            event = self._codec.decode(at.type, at.type_version, at.data)
            if (react := self._policy.reaction(event)) is not None:
                react(event, at, self._command(at))

    def _command(self, at: Envelope) -> Command:
        return Command(
            id=f"{self._policy.name}:{at.service}:{at.id}",
            fingerprint=f"{at.service}:{at.id}",
            actor=f"policy:{self._policy.name}",
            role="policy",
            received_at=self._clock.now(),
            correlation=at.correlation,
            causation=f"{at.service}:{at.id}",
        )
