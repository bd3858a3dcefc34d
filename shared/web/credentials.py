"""Which credentials hold no more. That a credential was revoked is an event of registration; every service folds it
into a view of its own and looks there at each request that is made with one. Between the event and the view lies what
the projection lags; within one process the services share `Revocations`, and nothing lies between."""

from __future__ import annotations

import threading
from collections.abc import Iterable

import msgspec

from shared.contracts.registration import CredentialRevoked
from shared.eventsourcing.generations import Reader
from shared.eventsourcing.projector import View
from shared.eventsourcing.records import Envelope


class Revoked(msgspec.Struct, kw_only=True):
    """A credential that holds no more, by its id."""

    id: str
    competition: str = ""


revoked: View[Revoked] = View("revoked", Revoked)
"""Part of every service's projection."""


@revoked.on(CredentialRevoked, keys=lambda event, _: [event.credential])
def _revoked(row: Revoked, event: CredentialRevoked, _at: Envelope) -> None:
    row.competition = event.competition


class Revocations:
    """What was revoked by this process, for all its services."""

    def __init__(self) -> None:
        self._known: set[str] = set()
        self._lock = threading.Lock()

    def add(self, credentials: Iterable[str]) -> None:
        """From here on they hold no more."""
        with self._lock:
            self._known |= set(credentials)

    def __contains__(self, credential: str) -> bool:
        return credential in self._known


def is_revoked(credential: str, revocations: Revocations, reader: Reader) -> bool:
    """Whether a credential holds no more, as far as this service knows."""
    return credential in revocations or reader.get(revoked, credential) is not None
