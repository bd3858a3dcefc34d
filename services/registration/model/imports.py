"""A sheet of entries that was imported at once, and can be taken back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from services.registration import refusals as refuse
from services.registration.model.competitions import Competition, Events
from services.registration.model.entries import Form
from shared.contracts.registration import (
    EntriesImported,
    ImportReversed,
)
from shared.eventsourcing.handling import Model


def import_stream(competition: str, id: str) -> str:
    """The stream of one import."""
    return f"import/{competition}/{id}"


class Import(msgspec.Struct, frozen=True, kw_only=True):
    """An import as its stream tells it; no teams while it was never made."""

    teams: tuple[str, ...] = ()
    reversed: bool = False


def evolve_import(state: Import, event: Any) -> Import:
    """Fold one event of an import's stream."""
    match event:
        case EntriesImported():
            return Import(teams=event.teams)
        case ImportReversed():
            return msgspec.structs.replace(state, reversed=True)
    raise TypeError(f"no fold for {type(event).__name__}")


IMPORT: Model[Import] = Model(lambda _stream: Import(), evolve_import)


def imported(competition: Competition, id: str, forms: Sequence[Form], article: str, by: str) -> Events:
    """Entries were read from a sheet."""
    return [
        EntriesImported(
            regulation=competition.regulation,
            by=by,
            competition=competition.id,
            id=id,
            teams=tuple(form.team.id for form in forms),
            persons=sum(len(form.members) for form in forms),
            article=article,
        )
    ]


def check_reversible(state: Import, competition: str, id: str) -> None:
    """Whether an import can be taken back. Raises NoSuchImport, ImportReversedAlready."""
    if not state.teams:
        raise refuse.NoSuchImport(competition=competition, id=id)
    if state.reversed:
        raise refuse.ImportReversedAlready(id=id)


def reverse(state: Import, competition: Competition, id: str, kept: Sequence[str], reason: str, by: str) -> Events:
    """An import is taken back, but for entries that were changed since. Raises what `check_reversible` does."""
    check_reversible(state, competition.id, id)
    return [
        ImportReversed(
            regulation=competition.regulation,
            by=by,
            competition=competition.id,
            id=id,
            teams=tuple(team for team in state.teams if team not in kept),
            kept=tuple(kept),
            reason=reason,
        )
    ]
