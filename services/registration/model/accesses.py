"""Who was shown personal data."""

from __future__ import annotations

from typing import Any

import msgspec

from shared.contracts.registration import (
    PersonalDataRead,
)
from shared.eventsourcing.handling import Model


class Access(msgspec.Struct, frozen=True):
    """How often one account read personal data of a competition."""

    times: int = 0


def evolve_access(state: Access, event: Any) -> Access:
    """Fold one event of an account's accesses."""
    match event:
        case PersonalDataRead():
            return Access(state.times + 1)
    raise TypeError(f"no fold for {type(event).__name__}")


ACCESS: Model[Access] = Model(lambda _stream: Access(), evolve_access)


def access_stream(competition: str, who: str) -> str:
    """The stream of one account's accesses in a competition; `who` names the account without saying it."""
    return f"access/{competition}/{who}"
