"""What a pairing is: its matches, its bye, and the rules it gives up with their proofs."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from shared.rules.basis import Text

Rule = Literal["no_rematch", "one_bye", "lowest_bye", "least_floats"]
"""What a pairing may give up. The engine itself gives up only the first two; a pairing made by hand, any of them."""


class PairedMatch(Struct, frozen=True):
    """A match to be played; the first team sits as pair 13."""

    table: int
    teams: tuple[str, str]


class Barrier(Struct, frozen=True):
    """Why teams cannot all be paired within a rule, in a form that is checked by counting.

    Leave out the teams of `without`: the others then hold `groups`, each of an odd number, and the rule lets nobody of
    a group meet anybody outside it but teams of `without`. So of every group one must meet one of `without`, and there
    are more groups than those. None among them stands for the missing opponent of the bye. (W. T. Tutte, 1947;
    C. Berge, 1958.)
    """

    without: tuple[str | None, ...]
    groups: tuple[tuple[str | None, ...], ...]

    @property
    def short(self) -> int:
        """How many teams at least have nobody to meet within the rule."""
        return len(self.groups) - len(self.without)


class Pairing(Struct, frozen=True, kw_only=True):
    """A round to be played. gave_up: the rules that no pairing keeps; why: for each of them in the same order; proofs:
    likewise, None where the sentence is the whole proof."""

    round: int
    matches: tuple[PairedMatch, ...]
    bye: str | None
    gave_up: tuple[Rule, ...]
    why: tuple[Text, ...]
    proofs: tuple[Barrier | None, ...] = ()
