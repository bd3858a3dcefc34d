"""Credentials, pure: who was given one, for what and until when, and which hold no more."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

import msgspec

from services.registration import refusals as refuse
from shared.contracts.fact import Fact
from shared.contracts.registration import CredentialIssued, CredentialRevoked, Table
from shared.eventsourcing.handling import Model

Events = Sequence[Fact]


class Holder(msgspec.Struct, frozen=True, kw_only=True):
    """For whom or what a credential is, and its id."""

    credential: str
    account: str
    role: str
    team: str | None = None
    table: Table | None = None
    chief: bool = False


class Held(msgspec.Struct, frozen=True, kw_only=True):
    """A credential that was issued."""

    account: str
    expires_at: datetime
    revoked: bool = False


class Credentials(msgspec.Struct, frozen=True, kw_only=True):
    """A competition's credentials by id."""

    competition: str
    issued: Mapping[str, Held] = {}


def evolve(state: Credentials, event: Any) -> Credentials:
    """Fold one event of a competition's credentials."""
    match event:
        case CredentialIssued():
            held = Held(account=event.account, expires_at=event.expires_at)
        case CredentialRevoked():
            held = msgspec.structs.replace(state.issued[event.credential], revoked=True)
        case _:
            raise TypeError(f"no fold for {type(event).__name__}")
    return msgspec.structs.replace(state, issued={**state.issued, event.credential: held})


def credentials_stream(competition: str) -> str:
    """The stream of a competition's credentials."""
    return f"credentials/{competition}"


def _none_yet(stream: str) -> Credentials:
    return Credentials(competition=stream.removeprefix("credentials/"))


CREDENTIALS: Model[Credentials] = Model(_none_yet, evolve)


def issue(
    state: Credentials,
    regulation: str,
    events: Sequence[str],
    holders: Sequence[Holder],
    now: datetime,
    until: datetime,
    by: str,
) -> Events:
    """Each holder gets a credential from now `until` then; `events` are those that the competition is played as.
    Raises NoSuchEvent for a table of another."""
    for number, holder in enumerate(holders):
        if holder.table is not None and holder.table.event not in events:
            pointer = f"/holders/{number}/table/event"
            raise refuse.NoSuchEvent(pointer, event=holder.table.event, events=", ".join(events))
    return [
        CredentialIssued(
            regulation=regulation,
            by=by,
            competition=state.competition,
            credential=holder.credential,
            account=holder.account,
            role=holder.role,
            team=holder.team,
            table=holder.table,
            chief=holder.chief,
            issued_at=now,
            expires_at=until,
        )
        for holder in holders
    ]


def revoke(state: Credentials, regulation: str, credential: str, reason: str, by: str) -> Events:
    """One credential holds no more; nothing happens where it holds no more already. Raises NoSuchCredential."""
    held = state.issued.get(credential)
    if held is None:
        raise refuse.NoSuchCredential(competition=state.competition, credential=credential)
    return [] if held.revoked else [_revoked(state, regulation, credential, held, reason, by)]


def revoke_all(
    state: Credentials, regulation: str, account: str, count: int | None, reason: str, now: datetime, by: str
) -> Events:
    """All credentials of an account that hold now hold no more. `count` is how many the person who asks means them to
    be. Raises NoLiveCredential, CountDiffers."""
    live = {
        id: held
        for id, held in state.issued.items()
        if held.account == account and not held.revoked and now < held.expires_at
    }
    if not live:
        raise refuse.NoLiveCredential(account=account)
    if count != len(live):
        raise refuse.CountDiffers(account=account, count=len(live))
    return [_revoked(state, regulation, id, held, reason, by) for id, held in live.items()]


def _revoked(
    state: Credentials, regulation: str, credential: str, held: Held, reason: str, by: str
) -> CredentialRevoked:
    return CredentialRevoked(
        regulation=regulation,
        by=by,
        competition=state.competition,
        credential=credential,
        account=held.account,
        reason=reason,
    )
