"""Erasing a person takes two people. The keys go, and all that they sealed; hashes, entries, results, places stay."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import Struct

from services.registration import model
from services.registration import refusals as refuse
from services.registration.claiming import scope_of
from services.registration.claims import Claims
from services.registration.commands import Registration
from services.registration.forms import MemberForm, identity_number, tidy
from services.registration.persons import Persons
from services.registration.projections import persons as person_rows
from shared.contracts.registration import DocumentReceived, EntrySubmitted, Member, PlayerConsented
from shared.eventsourcing.engine import Engine
from shared.eventsourcing.handling import Command, Outcome
from shared.privacy.secrets import Secrets


class Found(Struct):
    """All that is known of a person: the ids, the forms that can be read, the files, and the scopes of claims."""

    persons: list[str]
    forms: list[MemberForm]
    files: list[str]
    scopes: list[str]


class Erasures:
    """Requests and confirms erasures."""

    def __init__(
        self, engine: Engine, registration: Registration, persons: Persons, claims: Claims, secrets: Secrets
    ) -> None:
        self._commands = engine.commands
        self._reader = engine.reader
        self._registration = registration
        self._persons = persons
        self._claims = claims
        self._secrets = secrets

    def request(self, command: Command, competition: str, person: str, reason: str) -> Outcome:
        """Enter that a person is to be erased. Raises NoSuchPerson."""
        self._entries(competition, person)

        def decide(state: model.Erasure) -> model.Events:
            at = self._registration.competition(competition)
            return model.request_erasure(state, at, person, reason, command.actor)

        return self._on(command, competition, person, decide)

    def confirm(self, command: Command, competition: str, person: str) -> Outcome:
        """Erase the person, another having asked for it. The event comes last: what it says is true when it is there,
        and whoever dies before it may confirm again."""
        entries = self._entries(competition, person)

        def decide(state: model.Erasure) -> model.Events:
            model.check_erasable(state, person, command.actor)
            found = self._found(person, entries)
            self._erase(found)
            at = self._registration.competition(competition)
            return model.erase(state, at, person, found.persons, command.actor)

        return self._on(command, competition, person, decide)

    def _entries(self, competition: str, person: str) -> list[list[str]]:
        row = self._reader.get(person_rows, person)
        if row is None or competition not in {entry[0] for entry in row.entries}:
            raise refuse.NoSuchPerson(competition=competition, person=person)
        return row.entries

    def _found(self, person: str, entries: Sequence[Sequence[str]]) -> Found:
        """In every entry that ever named the person, who else has the same number, or name and birth date there: an
        entry that was put right may have sealed one person under two ids."""
        history = {(c, t): self._history(c, t) for c, t in entries}
        members = [member for events in history.values() for member in _members(events)]
        read = list(zip(members, self._persons.read(members), strict=True))
        own = [form for member, form in read if member.person == person and form is not None]
        same = [(member.person, form) for member, form in read if form is not None and _is_one_of(form, own)]
        ids = list(dict.fromkeys([person, *(id for id, _ in same)]))
        received = [event for events in history.values() for event in events if isinstance(event, DocumentReceived)]
        files = [event.sha256 for event in received if event.sha256 and (event.person is None or event.person in ids)]
        return Found(ids, [*own, *(form for _, form in same)], files, [self._scope(c) for c, _ in entries])

    def _history(self, competition: str, team: str) -> list[object]:
        stream = model.entry_stream(competition, team)
        return [event for _, events in self._commands.history(stream) for event in events]

    def _scope(self, competition: str) -> str:
        state = self._registration.competition(competition)
        return scope_of(self._registration.preset_of(state), state)

    def _erase(self, found: Found) -> None:
        """Files first, then the index, the keys last: while a key is there, all can be found again."""
        for sha256 in found.files:
            self._secrets.files.erase(sha256)
        for scope in dict.fromkeys(found.scopes):
            for person in found.persons:
                self._claims.forget(scope, person)
        self._persons.erase(found.persons, found.forms)

    def _on(self, command: Command, competition: str, person: str, decide: model.DecideErasure) -> Outcome:
        return self._commands.execute(command, model.person_stream(person), competition, model.ERASURE, decide)


def _members(events: Iterable[object]) -> Iterable[Member]:
    for event in events:
        if isinstance(event, EntrySubmitted):
            yield from event.members
        elif isinstance(event, PlayerConsented):
            yield event.member


def _is_one_of(form: MemberForm, own: Sequence[MemberForm]) -> bool:
    number = identity_number(form)
    return any(
        (number is not None and number == identity_number(each))
        or (tidy(form.name) == tidy(each.name) and form.born == each.born)
        for each in own
    )
