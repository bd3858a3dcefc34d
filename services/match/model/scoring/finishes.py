"""Hands of 掼蛋, which are entered as the order of going out (ahut-2018 二.5)."""

from __future__ import annotations

from typing import cast

import msgspec

from services.match import refusals as refuse
from services.match.model import finish_sums
from services.match.model.matches import Match, head_of, ids_of, opened_of
from services.match.model.scoring.base import Scoring, Summary
from services.match.model.seated import Seat
from shared.contracts.fact import FinishFacts
from shared.contracts.match import FinishCorrected, FinishVersionKept, HandFinished
from shared.rules.guandan.matches import GuandanSummary
from shared.rules.guandan.sheet import decided
from shared.rules.regulations.guandan import GuandanPreset


class Finishes(Scoring[FinishFacts]):
    """Hands that say who went out when."""

    facts = FinishFacts
    entries = "finishes"
    kept_as = FinishVersionKept
    corrected_as = FinishCorrected
    preset: GuandanPreset

    def __init__(self, preset: GuandanPreset, seat: Seat) -> None:
        self.preset = preset
        self._seat = seat

    def hands(self, state: Match) -> tuple[FinishFacts, ...]:
        return state.finishes

    def with_hand(self, state: Match, hand: int, facts: FinishFacts) -> Match:
        finishes = tuple(facts if n == hand else one for n, one in enumerate(state.finishes, 1))
        return msgspec.structs.replace(state, finishes=finishes)

    def summed(self, state: Match, hand: int | None = None) -> Summary:
        stage = self._seat.level_stage
        return finish_sums.summary(self.preset, stage, state.finishes, state.sheet.penalties, hand)

    def settled(self, facts: FinishFacts) -> FinishFacts:
        return msgspec.structs.replace(facts, finish=decided(facts.finish))

    def says_no_more(self, facts: FinishFacts, known: FinishFacts) -> bool:
        return facts.finish == known.finish and facts.own in (None, known.own) and facts.levels in (None, known.levels)

    def check_due(self, state: Match, hand: int) -> None:
        """There is always another: what ends a match is passing A, or the clock."""

    def check_levels(self, facts: FinishFacts, before: Summary) -> None:
        """In the first hand nobody's level is played."""
        own_before = cast(GuandanSummary, before).own
        computed: dict[str, str] = dict(before.levels.items())
        given: dict[str, str] = dict((facts.levels or before.levels).items())
        own = facts.own if facts.own and own_before else own_before
        if given != computed or own != own_before:
            raise refuse.LevelsDisagree(given=_said(given, own), computed=_said(computed, own_before))

    def entered(self, state: Match, hand: int, facts: FinishFacts, record: str | None, by: str) -> HandFinished:
        opened = opened_of(state)
        return HandFinished(
            **head_of(state, by),
            round=opened.round,
            table=opened.table,
            teams=ids_of(opened),
            hand=hand,
            facts=facts,
            record=record,
            article=self.preset.levels.gains.article,
        )


def _said(levels: dict[str, str], own: str | None) -> str:
    said = [f"{pair}:{level}" for pair, level in sorted(levels.items())]
    return " ".join([*said, *([f"own {own}"] if own else [])])
