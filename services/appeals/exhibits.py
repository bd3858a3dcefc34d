"""The evidence of appeals: files kept sealed outside the log, references to its events, and who was given what."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable

from services.appeals import evidence as model
from services.appeals import refusals as refuse
from services.appeals.commands import DESK, Appeals
from services.appeals.model import Appeal, Events
from shared.contracts.appeals import EvidenceFiled, EvidenceRead, EvidenceSide
from shared.eventsourcing.engine import Engine
from shared.eventsourcing.handling import Command, Model, Outcome
from shared.privacy.files import seal_file, unseal_file
from shared.privacy.sealing import KEY_BYTES
from shared.privacy.secrets import Secrets

RandomBytes = Callable[[int], bytes]

READS: Model[None] = Model(lambda _: None, lambda state, _: state)
"""Who was given evidence: nothing is ever decided on it."""


class Exhibits:
    """Takes evidence, strikes it, gives it out."""

    def __init__(self, engine: Engine, desk: Appeals, secrets: Secrets, random_bytes: RandomBytes = os.urandom) -> None:
        self._engine = engine
        self._desk = desk
        self._secrets = secrets
        self._random = random_bytes

    def side(self, competition: str, appeal: str, role: str, own: str | None) -> EvidenceSide:
        """For which side a role speaks; of leaders by the unit or team of the token."""
        if role != "leader":
            sides: dict[str, EvidenceSide] = {DESK: "desk", "referee": "referee"}
            return sides.get(role, "committee")
        return "appellant" if own in self._desk.names_of(competition, appeal) else "opponent"

    def send(
        self, command: Command, competition: str, appeal: str, brought: model.Brought, media: str, content: bytes
    ) -> Outcome:
        """File a picture or a scan; what it is said to be, it must be."""
        model.check_kind(media, content)
        about = f"{competition}/{appeal}"
        sealed = seal_file(content, about, self._key(about))
        kept = model.Kept(media=media, size=len(content), sha256=hashlib.sha256(sealed).hexdigest())

        def decide(state: Appeal) -> Events:
            events = model.file(state, brought, kept)
            self._secrets.files.keep(kept.sha256, sealed)
            return events

        return self._desk.on_appeal(command, competition, appeal, decide)

    def refer(self, command: Command, competition: str, appeal: str, brought: model.Brought, event: str) -> Outcome:
        """File a reference to an event of match's log. Raises NoSuchEvent."""
        named = model.event_named(competition, event)
        if self._engine.reader.version("match", named.stream) < named.version:
            raise refuse.NoSuchEvent("/event", event=event)
        return self._desk.on_appeal(command, competition, appeal, lambda s: model.file(s, brought, event))

    def strike(
        self, command: Command, competition: str, appeal: str, evidence: str, reason: str, side: EvidenceSide
    ) -> Outcome:
        """Strike evidence; its file is gone for good."""

        def decide(state: Appeal) -> Events:
            filed = model.found(state, evidence)
            events = model.strike(state, evidence, reason, command.actor, side)
            if filed.sha256 and not any(one.sha256 == filed.sha256 for one in model.standing(state) if one != filed):
                self._secrets.files.erase(filed.sha256)
            return events

        return self._desk.on_appeal(command, competition, appeal, decide)

    def given(self, command: Command, competition: str, appeal: str, evidence: str) -> tuple[EvidenceFiled, bytes]:
        """The file of a piece of evidence, once it is recorded who was given it. Raises NoSuchAppeal, NoSuchEvidence,
        NoSuchFile."""
        self._desk.names_of(competition, appeal)
        state = self._desk.load_appeal(competition, appeal)
        filed = model.found(state, evidence)
        about = f"{competition}/{appeal}"
        sealed = self._secrets.files.get(filed.sha256) if filed.sha256 else None
        if sealed is None:
            raise refuse.NoSuchFile(evidence=evidence)
        read = EvidenceRead(
            regulation=state.regulation,
            by=command.actor,
            competition=competition,
            appeal=appeal,
            evidence=evidence,
            role=command.role,
        )
        stream = f"evidence/{competition}/{appeal}"
        self._engine.commands.execute(command, stream, competition, READS, lambda _: [read])
        return filed, unseal_file(sealed, about, self._key(about))

    def read_key(self) -> str:
        """The id of a command that nobody sent: each reading is one of its own."""
        return f"read-{self._random(16).hex()}"

    def _key(self, about: str) -> bytes:
        return self._secrets.keep(f"appeal/{about}", self._random(KEY_BYTES))
