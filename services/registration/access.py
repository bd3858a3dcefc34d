"""Who was shown personal data: every access is an event before anything is answered."""

from __future__ import annotations

from typing import Literal

from services.registration import model
from services.registration.forms import digest
from services.registration.persons import RandomBytes
from shared.contracts.registration import PersonalDataRead
from shared.eventsourcing.engine import Engine
from shared.eventsourcing.handling import Command
from shared.eventsourcing.ports import Ports

What = Literal["entry", "checks", "file", "list", "programme"]


class Accesses:
    """Records accesses."""

    def __init__(self, engine: Engine, ports: Ports, random_bytes: RandomBytes) -> None:
        self._commands = engine.commands
        self._clock = ports.clock
        self._random = random_bytes

    def note(
        self,
        actor: str,
        role: str,
        correlation: str,
        competition: str,
        what: What,
        persons: int,
        *,
        team: str | None = None,
        document: str = "",
    ) -> None:
        """Record that an account is about to be shown personal data. Raises what the store raises: then nothing must
        be shown."""
        state = self._commands.load(model.competition_stream(competition), model.COMPETITION).state
        key = f"read-{self._random(16).hex()}"
        command = Command(
            id=key,
            fingerprint=key,
            actor=actor,
            role=role,
            received_at=self._clock.now(),
            correlation=correlation,
        )
        read = PersonalDataRead(
            regulation=state.regulation,
            by=actor,
            competition=competition,
            team=team,
            what=what,
            document=document,
            persons=persons,
        )
        stream = model.access_stream(competition, digest(actor))
        self._commands.execute(command, stream, competition, model.ACCESS, lambda _: [read])
