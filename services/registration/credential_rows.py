"""Registration's read model of credentials: what was issued, for whom, and what was revoked."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Literal

import msgspec

from shared.contracts.registration import CredentialIssued, CredentialRevoked, Table
from shared.eventsourcing.projector import View
from shared.eventsourcing.records import Envelope
from shared.web.identity import Role

State = Literal["live", "expired", "revoked"]
NEVER = datetime(1970, 1, 1, tzinfo=UTC)


class CredentialRow(msgspec.Struct, kw_only=True):
    """A credential. `number` counts those of a competition; `listed` and `found` are how it is listed: by whether it
    was revoked, and by account."""

    id: str
    competition: str = ""
    credential: str = ""
    number: int = 0
    account: str = ""
    role: Role = "auditor"
    team: str | None = None
    table: Table | None = None
    chief: bool = False
    issued_by: str = ""
    issued_at: datetime = NEVER
    expires_at: datetime = NEVER
    revoked_by: str | None = None
    revoked_because: str | None = None
    listed: str = ""
    found: str = ""

    def state(self, now: datetime) -> State:
        """Whether it holds: until the instant at which it expires."""
        if self.revoked_by is not None:
            return "revoked"
        return "live" if now < self.expires_at else "expired"


def credential_key(competition: str, credential: str) -> str:
    """The id of a credential's row."""
    return f"{competition}/{credential}"


def open_list(competition: str) -> str:
    """How credentials are found that were not revoked."""
    return f"open/{competition}"


def account_list(competition: str, account: str) -> str:
    """How an account's credentials are found that were not revoked."""
    return f"open/{competition}/{account}"


credentials: View[CredentialRow] = View(
    "credentials", CredentialRow, indexes=(("competition", "number"), ("listed", "number"), ("found", "number"))
)


@credentials.on(CredentialIssued, keys=lambda e, _: [credential_key(e.competition, e.credential)])
def issued(row: CredentialRow, event: CredentialIssued, at: Envelope) -> None:
    for name in ("competition", "credential", "account", "team", "table", "chief", "issued_at", "expires_at"):
        setattr(row, name, getattr(event, name))
    row.role = msgspec.convert(event.role, Role)
    row.issued_by, row.number = event.by, at.version
    row.listed, row.found = open_list(event.competition), account_list(event.competition, event.account)


@credentials.on(CredentialRevoked, keys=lambda e, _: [credential_key(e.competition, e.credential)])
def revoked(row: CredentialRow, event: CredentialRevoked, _at: Envelope) -> None:
    row.revoked_by, row.revoked_because = event.by, event.reason
    row.listed = row.found = ""
