"""A person's erasure, which takes two people."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from services.registration import refusals as refuse
from services.registration.model.competitions import Competition, Events
from shared.contracts.registration import (
    ErasureRequested,
    PersonErased,
)
from shared.eventsourcing.handling import Model


class Erasure(msgspec.Struct, frozen=True, kw_only=True):
    """What was decided about erasing a person; nobody asked while requested_by is empty."""

    requested_by: str = ""
    reason: str = ""
    erased: bool = False


def evolve_erasure(state: Erasure, event: Any) -> Erasure:
    """Fold one event of a person's stream."""
    match event:
        case ErasureRequested():
            return Erasure(requested_by=event.by, reason=event.reason)
        case PersonErased():
            return msgspec.structs.replace(state, erased=True)
    raise TypeError(f"no fold for {type(event).__name__}")


DecideErasure = Callable[[Erasure], Events]
ERASURE: Model[Erasure] = Model(lambda _stream: Erasure(), evolve_erasure)


def person_stream(person: str) -> str:
    """The stream of what was decided about a person."""
    return f"person/{person}"


def request_erasure(state: Erasure, competition: Competition, person: str, reason: str, by: str) -> Events:
    """A person asks to be erased, and somebody enters it. Raises PersonIsErased, ErasureRequestedAlready."""
    if state.erased:
        raise refuse.PersonIsErased(person=person)
    if state.requested_by:
        raise refuse.ErasureRequestedAlready(by=state.requested_by)
    return [
        ErasureRequested(
            regulation=competition.regulation, by=by, competition=competition.id, person=person, reason=reason
        )
    ]


def check_erasable(state: Erasure, person: str, by: str) -> None:
    """Whether this account may confirm. Raises ErasureNotRequested, PersonIsErased, SecondPersonNeeded."""
    if state.erased:
        raise refuse.PersonIsErased(person=person)
    if not state.requested_by:
        raise refuse.ErasureNotRequested(person=person)
    if state.requested_by == by:
        raise refuse.SecondPersonNeeded(by=by)


def erase(state: Erasure, competition: Competition, person: str, persons: Sequence[str], by: str) -> Events:
    """Another person has confirmed it, and the keys are gone. Raises what `check_erasable` does."""
    check_erasable(state, person, by)
    return [
        PersonErased(
            regulation=competition.regulation,
            by=by,
            competition=competition.id,
            person=person,
            persons=tuple(persons),
            requested_by=state.requested_by,
            reason=state.reason,
        )
    ]
