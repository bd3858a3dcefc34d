"""What each game says of its hands. What is decided of a hand is the same in all of them (`hands`, `versions`)."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from typing import ClassVar, Generic, Protocol

from services.match.model.matches import F, Match, head_of, opened_of
from shared.contracts.fact import Fact, Pair
from shared.rules.regulations.preset import Level
from shared.rules.regulations.schema import AnyPreset


class Summary(Protocol):
    """A match as its hands and penalties make it."""

    @property
    def levels(self) -> Mapping[Pair, Level]: ...

    @property
    def won_by(self) -> Pair | None: ...

    @property
    def won_in(self) -> int | None: ...


class Scoring(ABC, Generic[F]):
    """The hands of a match under its regulation, at its seat. `entries` is where they are posted; `kept_as` and
    `corrected_as` are the events of another version and of a correction."""

    facts: type[F]
    entries: ClassVar[str]
    kept_as: ClassVar[Callable[..., Fact]]
    corrected_as: ClassVar[Callable[..., Fact]]
    preset: AnyPreset

    @abstractmethod
    def hands(self, state: Match) -> tuple[F, ...]:
        """The hands as they count."""

    @abstractmethod
    def with_hand(self, state: Match, hand: int, facts: F) -> Match:
        """The match with a hand as it was in truth."""

    @abstractmethod
    def summed(self, state: Match, hand: int | None = None) -> Summary:
        """The match as it stands; `hand` is the one that was entered or corrected, the last where it is left out.
        Raises HandIsImpossible, RemedyImpossible."""

    @abstractmethod
    def settled(self, facts: F) -> F:
        """The facts in the one form in which two entries of one hand are the same."""

    @abstractmethod
    def says_no_more(self, facts: F, known: F) -> bool:
        """Whether an entry is what is known, or less of it: what it leaves out it does not deny."""

    @abstractmethod
    def check_due(self, state: Match, hand: int) -> None:
        """Raises HandNotDue where the regulation has no such hand."""

    @abstractmethod
    def check_levels(self, facts: F, before: Summary) -> None:
        """Raises LevelsDisagree where what was played is not what the hands before give."""

    @abstractmethod
    def entered(self, state: Match, hand: int, facts: F, record: str | None, by: str) -> Fact:
        """The event of the next hand."""

    def kept(self, state: Match, hand: int, facts: F, record: str | None, by: str) -> Fact:
        """The event of another version of a hand."""
        opened = opened_of(state)
        return self.kept_as(
            **head_of(state, by),
            round=opened.round,
            table=opened.table,
            hand=hand,
            version=len(state.versions[hand]) + 1,
            facts=facts,
            record=record,
        )

    def corrected(self, state: Match, hand: int, after: F, record: str | None, reason: str, by: str) -> Fact:
        """The event of a hand that was put right."""
        return self.corrected_as(
            **head_of(state, by),
            hand=hand,
            before=self.hands(state)[hand - 1],
            after=after,
            reason=reason,
            record=record,
        )
