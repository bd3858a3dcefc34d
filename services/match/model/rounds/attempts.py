"""Every pairing of a round, those that were undone too: who doubts one pairs it again from what it was made from."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from services.match import refusals as refuse
from services.match.model.rounds.pairing import inputs_of
from services.match.model.rounds.state import Rounds, evolve
from shared.contracts.fact import Fact
from shared.contracts.match import RoundPaired, RoundUnpaired, RulingApplied
from shared.rules.formats.pairing_file import to_file
from shared.rules.regulations.reference import resolve_any


class Attempt(msgspec.Struct, frozen=True, kw_only=True):
    """A pairing of a round, and what became of it: `undone` is the event that did away with it, None while it
    stands; `before` is the competition that it was made from."""

    made: RoundPaired
    before: Rounds
    undone: RoundUnpaired | RulingApplied | None = None


def attempts(competition: str, events: Iterable[Fact], number: int) -> list[Attempt]:
    """Every pairing of a round among the events of a competition's rounds stream, in order. Raises NoSuchRound where
    there is none."""
    state = Rounds(competition=competition)
    found: list[Attempt] = []
    for event in events:
        before, state = state, evolve(state, event)
        if isinstance(event, RoundPaired) and event.round == number:
            found.append(Attempt(made=event, before=before))
        stands = any(current.number == number for current in state.rounds)
        if isinstance(event, RoundUnpaired | RulingApplied) and found and found[-1].undone is None and not stands:
            found[-1] = msgspec.structs.replace(found[-1], undone=event)
    if not found:
        raise refuse.NoSuchRound(competition=competition, round=number)
    return found


def pairing_file(competition: str, events: Iterable[Fact], number: int, attempt: int | None = None) -> dict[str, Any]:
    """A pairing of a round among the events of a competition's rounds stream, the last or that of an attempt, with all
    that it rested on, as the file `pailu-pairing/1`. Raises NoSuchRound, NoSuchAttempt."""
    found = attempts(competition, events, number)
    chosen = found[-1] if attempt is None else next((one for one in found if one.made.attempt == attempt), None)
    if chosen is None:
        raise refuse.NoSuchAttempt(round=number, attempt=attempt, attempts=len(found))
    before, made = chosen.before, chosen.made
    inputs = inputs_of(before, resolve_any(before.regulation, before.changes), made.absent)
    return to_file(before.regulation, before.changes, inputs, msgspec.to_builtins(made))
