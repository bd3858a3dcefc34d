"""Whether an entry holds (zhongshan-2013 四: 请外单位人员), as registration tells it: to all who make places of it."""

from __future__ import annotations

from typing import TypeVar

import msgspec

from shared.contracts.registration import (
    EligibilityConfirmed,
    EntrySubmitted,
    EntryWithdrawn,
    PlayerConsented,
)


class Finding(msgspec.Struct, frozen=True, array_like=True):
    """What somebody looked at: a rule, and what was open of it, of a person or (None) of the team."""

    person: str | None
    rule: str
    code: str


class Soundness(msgspec.Struct, frozen=True, kw_only=True):
    """An entry, its persons by ids without meaning; `failed`: what was found not to hold; `refused`: by the
    organiser."""

    persons: tuple[str, ...] = ()
    failed: tuple[Finding, ...] = ()
    refused: bool = False

    @property
    def broken(self) -> bool:
        """Whether it was refused, or a rule does not hold of it or of somebody in it."""
        return self.refused or any(one.person is None or one.person in self.persons for one in self.failed)


S = TypeVar("S", bound=Soundness)
Told = EntrySubmitted | PlayerConsented | EntryWithdrawn | EligibilityConfirmed


def after(was: S, event: Told) -> S:
    """The entry after an event about it; what was found of somebody is of the entry while that person is in it."""
    change = msgspec.structs.replace
    match event:
        case EntrySubmitted():
            return change(was, persons=tuple(member.person for member in event.members), refused=False)
        case PlayerConsented():
            return change(was, persons=(*was.persons, event.member.person))
        case EntryWithdrawn():
            return change(was, refused=bool(event.refused_by_article))
        case EligibilityConfirmed():
            found = Finding(event.person, event.rule, event.code)
            others = tuple(one for one in was.failed if one != found)
            return change(was, failed=others if event.holds else (*others, found))
