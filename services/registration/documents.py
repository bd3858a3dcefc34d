"""The papers of entries: which are due, what came, what is missing, and the files themselves."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Sequence
from datetime import datetime

import msgspec

from services.registration import model
from services.registration import refusals as refuse
from services.registration.eligibility import Eligibility
from services.registration.forms import TeamForm
from services.registration.persons import RandomBytes, key_name
from shared.contracts.registration import DocumentReceived
from shared.eventsourcing.engine import Engine
from shared.eventsourcing.handling import Command, Outcome
from shared.privacy.files import seal_file, unseal_file
from shared.privacy.sealing import KEY_BYTES
from shared.privacy.secrets import Secrets
from shared.rules.basis import Text
from shared.rules.deadlines import in_time, reporting
from shared.rules.entries import Due, due, looks_like
from shared.rules.entries.documents import KINDS

MEDIA = tuple(media for kind in KINDS.values() for media in kind)
LARGEST = 4 << 20
"""Bytes of a file, at most: a photograph of a page, or a short scan."""


class Document(msgspec.Struct, frozen=True, kw_only=True):
    """A paper of an entry as it stands. member: which one of the form it is about, None for the team's own; due_at: the
    last instant at which it is in time; paper: its last receipt, None where it never came."""

    due: Due
    member: int | None
    person: str | None
    due_at: datetime
    paper: model.Paper | None

    @property
    def missing(self) -> str:
        """Why it is still due: `not_received`, `rejected` or `no_seal`; empty where it is there."""
        if self.paper is None:
            return "not_received"
        if self.paper.rejected is not None:
            return "rejected"
        return "no_seal" if self.due.seal and not self.paper.received.seal else ""

    @property
    def late(self) -> bool:
        """Whether what came, came after it was due."""
        return self.paper is not None and not in_time(self.paper.received.received_at, self.due_at)


class Named(msgspec.Struct, frozen=True, kw_only=True):
    """A paper as a caller names it."""

    document: str
    member: int | None = None


class Documents:
    """Receives, rejects and shows papers."""

    def __init__(
        self, engine: Engine, eligibility: Eligibility, secrets: Secrets, random_bytes: RandomBytes = os.urandom
    ) -> None:
        self._commands = engine.commands
        self._eligibility = eligibility
        self._secrets = secrets
        self._random = random_bytes

    def of(self, competition: str, team: str, as_of: datetime | None = None) -> list[Document]:
        """The papers of an entry now, or as they were at a moment. Raises NoSuchCompetition, NoSuchEntry,
        EntryIsWithdrawn."""
        state = self._eligibility.competition(competition)
        return self._of(state, self._entry(competition, team, as_of), team)

    def receive(
        self,
        command: Command,
        competition: str,
        team: str,
        named: Named,
        *,
        seal: bool = False,
        received_at: datetime | None = None,
        reason: str = "",
    ) -> Outcome:
        """A paper was handed over at the desk."""

        def decide(entry: model.Entry) -> model.Events:
            state = self._eligibility.competition(competition)
            found = self._named(self._of(state, entry, team), named)
            receipt = model.Receipt(
                kept=model.Kept(named.document, found.person),
                how="paper",
                seal=seal,
                article=found.due.article,
                received_at=received_at or command.received_at,
                reason=reason,
            )
            return model.receive(entry, state, receipt, command.received_at, command.actor)

        return self._on(command, competition, team, decide)

    def send(
        self, command: Command, competition: str, team: str, named: Named, media: str, content: bytes, seal: bool
    ) -> Outcome:
        """A paper was sent as a file; what it is said to be, it must be."""

        def decide(entry: model.Entry) -> model.Events:
            state = self._eligibility.competition(competition)
            found = self._named(self._of(state, entry, team), named)
            _check_kind(found, media, content)
            about, key = self._about(competition, team, named.document, found.person)
            sealed = seal_file(content, about, key)
            sha256 = hashlib.sha256(sealed).hexdigest()
            self._secrets.files.keep(sha256, sealed)
            receipt = model.Receipt(
                kept=model.Kept(named.document, found.person),
                how="file",
                seal=seal,
                article=found.due.article,
                received_at=command.received_at,
                media=media,
                size=len(content),
                sha256=sha256,
            )
            return model.receive(entry, state, receipt, command.received_at, command.actor)

        return self._on(command, competition, team, decide)

    def reject(self, command: Command, competition: str, team: str, named: Named, reason: str) -> Outcome:
        """A paper that was received does not do."""

        def decide(entry: model.Entry) -> model.Events:
            state = self._eligibility.competition(competition)
            found = self._named(self._of(state, entry, team), named)
            return model.reject(entry, state, model.Kept(named.document, found.person), reason, command.actor)

        return self._on(command, competition, team, decide)

    def file(self, competition: str, team: str, named: Named) -> tuple[DocumentReceived, bytes]:
        """The file of a paper. Raises NoSuchFile, and what `of` does."""
        found = self._named(self.of(competition, team), named)
        received = found.paper.received if found.paper else None
        sealed = self._secrets.files.get(received.sha256) if received and received.sha256 else None
        key = self._secrets.get(self._key_name(competition, team, found.person))
        if received is None or sealed is None or key is None:
            raise refuse.NoSuchFile(document=named.document)
        return received, unseal_file(sealed, _about(competition, team, named.document, found.person), key)

    def _of(self, competition: model.Competition, entry: model.Entry, team: str) -> list[Document]:
        """An erased person has no papers any more, and needs none."""
        form, sent, members = self._eligibility.sent(competition, entry, team)
        preset = self._eligibility.preset_of(competition)
        assert competition.closes_at is not None
        assert competition.plays_from is not None
        due_at = {"entries_close": competition.closes_at, "report": reporting(preset, competition.plays_from)}
        players = _players(form)
        found = []
        for each in due(preset, sent):
            member = None if each.player is None else players[each.player]
            if member is not None and members[member] is None:
                continue
            person = None if member is None else entry.members[member].person
            paper = entry.papers.get(model.Kept(each.document, person))
            found.append(Document(due=each, member=member, person=person, due_at=due_at[each.due], paper=paper))
        return found

    @staticmethod
    def _named(documents: Sequence[Document], named: Named) -> Document:
        for each in documents:
            if (each.due.document, each.member) == (named.document, named.member):
                return each
        known = sorted({each.due.document for each in documents})
        member = "-" if named.member is None else str(named.member)
        listed = Text("、".join(known), ", ".join(known))
        raise refuse.NoSuchDocument("/document", document=named.document, member=member, due=listed)

    def _entry(self, competition: str, team: str, as_of: datetime | None) -> model.Entry:
        stream = model.entry_stream(competition, team)
        if as_of is None:
            return self._commands.load(stream, model.ENTRY).state
        entry = model.ENTRY.initial(stream)
        for commit, events in self._commands.history(stream):
            for event in events if commit.received_at <= as_of else ():
                entry = model.ENTRY.evolve(entry, event)
        return entry

    def _about(self, competition: str, team: str, document: str, person: str | None) -> tuple[str, bytes]:
        key = self._secrets.keep(self._key_name(competition, team, person), self._random(KEY_BYTES))
        return _about(competition, team, document, person), key

    @staticmethod
    def _key_name(competition: str, team: str, person: str | None) -> str:
        return key_name(person) if person else team_key_name(competition, team)

    def _on(self, command: Command, competition: str, team: str, decide: model.DecideEntry) -> Outcome:
        stream = model.entry_stream(competition, team)
        return self._commands.execute(command, stream, competition, model.ENTRY, decide)


def team_key_name(competition: str, team: str) -> str:
    """The name under which the key of a team's own papers is kept."""
    return f"team/{competition}/{team}"


def _about(competition: str, team: str, document: str, person: str | None) -> str:
    return f"{person}/{document}" if person else f"{competition}/{team}/{document}"


def _players(form: TeamForm) -> list[int]:
    """Which member each of the players is."""
    return [n for n, member in enumerate(form.members) if member.part == "player"]


def _check_kind(document: Document, media: str, content: bytes) -> None:
    allowed = [each for kind in document.due.media for each in KINDS[kind]]
    found = looks_like(content)
    if found != media or media not in allowed:
        raise refuse.NotThatKindOfFile(
            "", document=document.due.document, allowed=", ".join(allowed) or "-", found=found or "-"
        )
