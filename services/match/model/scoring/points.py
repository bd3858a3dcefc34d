"""Hands of 升级: who dealt, and the attackers' points."""

from __future__ import annotations

from typing import cast

from services.match import refusals as refuse
from services.match.model.matches import Match, hands_due, head_of, ids_of, opened_of, summed, with_hand
from services.match.model.scoring.base import Scoring, Summary
from services.match.model.seated import Seat
from shared.contracts.fact import HandFacts
from shared.contracts.match import HandCorrected, HandPlayed, HandVersionKept
from shared.rules.regulations.preset import Preset


class Points(Scoring[HandFacts]):
    """Hands whose points are counted."""

    facts = HandFacts
    entries = "hands"
    kept_as = HandVersionKept
    corrected_as = HandCorrected
    preset: Preset

    def __init__(self, preset: Preset, seat: Seat) -> None:
        self.preset = preset
        self._seat = seat

    def hands(self, state: Match) -> tuple[HandFacts, ...]:
        return state.hands

    def with_hand(self, state: Match, hand: int, facts: HandFacts) -> Match:
        return with_hand(state, hand, facts)

    def summed(self, state: Match, hand: int | None = None) -> Summary:
        return summed(self.preset, self._seat, state.sheet, hand)

    def settled(self, facts: HandFacts) -> HandFacts:
        return facts

    def says_no_more(self, facts: HandFacts, known: HandFacts) -> bool:
        return (
            (facts.dealer, facts.points) == (known.dealer, known.points)
            and facts.trump in (None, known.trump)
            and facts.levels in (None, known.levels)
        )

    def check_due(self, state: Match, hand: int) -> None:
        last = hands_due(self.preset, self._seat)
        if last is not None and hand > last:
            article = self.preset.match.hands.article
            raise refuse.HandNotDue(article, match=opened_of(state).match, hand=hand, last=last)

    def check_levels(self, facts: HandFacts, before: Summary) -> None:
        computed = cast("dict[str, str]", before.levels)
        if facts.levels is not None and facts.levels != computed:
            raise refuse.LevelsDisagree(given=_said(facts.levels), computed=_said(computed))

    def entered(self, state: Match, hand: int, facts: HandFacts, record: str | None, by: str) -> HandPlayed:
        opened = opened_of(state)
        return HandPlayed(
            **head_of(state, by),
            round=opened.round,
            table=opened.table,
            teams=ids_of(opened),
            hand=hand,
            facts=facts,
            record=record,
        )


def _said(levels: dict[str, str]) -> str:
    return " ".join(f"{pair}:{level}" for pair, level in sorted(levels.items()))
