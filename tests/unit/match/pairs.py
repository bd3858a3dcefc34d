"""A competition of 掼蛋 told by what its people do (ahut-2018): hands are orders of going out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from services.match.model import hands
from services.match.model.hands import Correction, HandEntry
from services.match.model.matches import Match
from shared.contracts.fact import FinishFacts
from shared.rules.regulations import load_any
from shared.rules.regulations.reference import reference
from tests.unit.match.hall import Hall

AHUT = reference(load_any("ahut-2018"))
UP3, UP2, UP1 = (1, 3), (1, 2, 3, 4), (1, 2, 4, 3)
"""Pair 13 gains 3, 2, 1 (二.5)."""
DOWN3, DOWN2, DOWN1 = (2, 4), (2, 1, 4, 3), (2, 1, 3, 4)
"""Pair 24 gains 3, 2, 1."""
PASSED = (UP3, UP3, UP3, UP3, UP3)
"""2, 5, 8, J, A where it must stop, and the fifth passes it."""


class Pairs(Hall):
    """Pairs A, B, C … drawn into the groups A and B."""

    def __init__(self, pairs: int = 8, **changes: Any) -> None:
        super().__init__(pairs, regulation=AHUT, **changes)

    def out(
        self, number: int, finish: Sequence[int], *, name: str = "r1t1", by: str = "ref", **entry: Any
    ) -> list[Any]:
        """A hand, entered by who went out when; by a referee who has looked at one that equals another."""
        facts = {key: entry.pop(key) for key in ("own", "levels") if key in entry}
        given = HandEntry(
            hand=number, facts=FinishFacts(finish=tuple(finish), **facts), **{"equals_another": True, **entry}
        )
        again = number <= len(self.matches.get(name, Match()).finishes)
        return self._on_match(name, lambda m, s: hands.record_hand(m, self.preset, s, given, by), by, again)

    def outs(self, *played: Sequence[int], name: str = "r1t1") -> Pairs:
        entered = len(self.matches.get(name, Match()).finishes)
        for number, finish in enumerate(played, entered + 1):
            self.out(number, finish, name=name)
        return self

    def put_right(self, number: int, finish: Sequence[int], *, name: str = "r1t1", **more: Any) -> list[Any]:
        kept = {"kept": ("own", "levels", "record"), **more}
        what = Correction(hand=number, after=FinishFacts(finish=tuple(finish)), reason="看错", **kept)
        return self._on_match(name, lambda m, s: hands.correct_hand(m, self.preset, s, what, "ref"), "ref")

    def omits(self, hand: int, pair: str = "13", name: str = "r1t1", code: str = "not_announced") -> Any:
        """A player with seven cards left did not say so; or does what `code` names."""
        return self.penalty(hand, pair, code, name=name)

    def won(self) -> Pairs:
        """Every match of the last round is won by the pair named first, which passes A."""
        for pairing in self.state.rounds[-1].pairings:
            if pairing.match not in self.matches or self.matches[pairing.match].closed is None:
                self.outs(*PASSED, name=pairing.match)
                self.close(pairing.match)
        self.close_round(len(self.state.rounds))
        return self
