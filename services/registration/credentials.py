"""Issuing and revoking credentials, and making the token of one."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any

import msgspec

from services.registration import issuing, model
from services.registration import refusals as refuse
from services.registration.credential_rows import CredentialRow, credential_key, credentials
from shared.contracts.programme import boards_of, event_id
from shared.contracts.registration import CredentialRevoked, Table
from shared.eventsourcing.engine import Engine
from shared.eventsourcing.handling import Command, Outcome
from shared.rules.formats.stages import CARDS
from shared.rules.regulations.reference import resolve_any
from shared.web.credentials import Revocations
from shared.web.identity import Identity, mint


class Credentials:
    """The credentials of competitions. What is revoked here is refused at once by all services of this process."""

    def __init__(self, engine: Engine, token_secret: str, revocations: Revocations) -> None:
        self._commands = engine.commands
        self._reader = engine.reader
        self._clock = engine.ports.clock
        self._token_secret = token_secret
        self._revocations = revocations

    def issue(
        self, command: Command, competition: str, holders: Sequence[Mapping[str, Any]], lifetime: timedelta
    ) -> Outcome:
        """Give each of these a credential. Raises NoSuchCompetition, NoSuchEvent."""
        given = [_holder(command, number, holder) for number, holder in enumerate(holders)]
        until = command.received_at + lifetime

        def decide(state: issuing.Credentials) -> issuing.Events:
            known = self._announced(competition)
            events = (CARDS, *boards_of(resolve_any(known.regulation, known.changes)))
            return issuing.issue(state, known.regulation, events, given, command.received_at, until, command.actor)

        return self._execute(command, competition, decide)

    def revoke(self, command: Command, competition: str, credential: str, reason: str) -> Outcome:
        """Let a credential hold no more."""

        def decide(state: issuing.Credentials) -> issuing.Events:
            return issuing.revoke(state, self._regulation(competition), credential, reason, command.actor)

        return self._execute(command, competition, decide)

    def revoke_all(self, command: Command, competition: str, account: str, count: int | None, reason: str) -> Outcome:
        """Let all credentials of an account hold no more, once it is said how many they are."""

        def decide(state: issuing.Credentials) -> issuing.Events:
            regulation = self._regulation(competition)
            return issuing.revoke_all(state, regulation, account, count, reason, command.received_at, command.actor)

        return self._execute(command, competition, decide)

    def token(self, competition: str, credential: str, asks: str) -> str:
        """The token of a credential that holds, the same at each asking, for the account that issued it. Raises
        NoSuchCredential, NotTheIssuer, CredentialHoldsNoMore."""
        row = self._reader.get(credentials, credential_key(competition, credential))
        if row is None:
            raise refuse.NoSuchCredential(competition=competition, credential=credential)
        if row.issued_by != asks:
            raise refuse.NotTheIssuer(issuer=row.issued_by)
        if row.state(self._clock.now()) != "live":
            raise refuse.CredentialHoldsNoMore(credential=credential)
        return mint(_identity(row), self._token_secret, row.issued_at, row.expires_at - row.issued_at)

    def _regulation(self, competition: str) -> str:
        return self._announced(competition).regulation

    def _announced(self, competition: str) -> model.Competition:
        state = self._commands.load(model.competition_stream(competition), model.COMPETITION).state
        if not state.regulation:
            raise refuse.NoSuchCompetition(competition=competition)
        return state

    def _execute(self, command: Command, competition: str, decide: Any) -> Outcome:
        stream = issuing.credentials_stream(competition)
        outcome = self._commands.execute(command, stream, competition, issuing.CREDENTIALS, decide)
        self._revocations.add(event.credential for event in outcome.events if isinstance(event, CredentialRevoked))
        return outcome


def _holder(command: Command, number: int, given: Mapping[str, Any]) -> issuing.Holder:
    """The id follows from the command, so that one that is sent again names the same."""
    digest = hashlib.sha256(f"{command.actor}\n{command.id}\n{number}".encode()).hexdigest()
    table = given.get("table")
    return issuing.Holder(
        credential=f"k-{digest[:16]}",
        account=given["account"],
        role=given["role"],
        team=given.get("team"),
        table=msgspec.convert(table, Table) if table else None,
        chief=given["chief"],
    )


def _identity(row: CredentialRow) -> Identity:
    return Identity(
        sub=row.account,
        role=row.role,
        competitions=(event_id(row.competition, row.table.event if row.table else CARDS),),
        team=row.team,
        chief=row.chief,
        table=(row.table.round, row.table.table) if row.table else None,
        jti=row.credential,
        iss=row.issued_by,
    )
