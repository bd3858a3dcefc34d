"""A match of 掼蛋 re-summed from its hands and penalties (ahut-2018 二.4, 二.5)."""

from __future__ import annotations

from collections.abc import Sequence

from services.match import refusals as refuse
from shared.contracts.fact import FinishFacts
from shared.rules.errors import RuleError
from shared.rules.guandan.charges import Charge, summed
from shared.rules.guandan.levels import read_stage
from shared.rules.guandan.matches import GuandanHand, GuandanSummary
from shared.rules.regulations.guandan import GuandanPreset
from shared.rules.shengji.facts import PenaltyFact


def summary(
    preset: GuandanPreset,
    stage: str | None,
    finishes: Sequence[FinishFacts],
    penalties: Sequence[PenaltyFact],
    hand: int | None = None,
) -> GuandanSummary:
    """The match re-summed; `hand` is the one that was entered or corrected, the last where it is left out. Raises
    HandIsImpossible."""
    try:
        return summed(preset, read_stage(stage), hands_of(finishes), charges_of(penalties))
    except RuleError as error:
        pointer = "/" + (error.field or "hand").replace(".", "/")
        raise refuse.HandIsImpossible(pointer, error.article, hand=hand or len(finishes), reason=error.said) from error


def hands_of(finishes: Sequence[FinishFacts]) -> list[GuandanHand]:
    """The hands as the sum takes them."""
    return [GuandanHand(number=number, finish=one.finish) for number, one in enumerate(finishes, 1)]


def charges_of(penalties: Sequence[PenaltyFact]) -> list[Charge]:
    """The penalties as the sum takes them."""
    return [
        Charge(code=one.code, hand=one.hand, pair=one.pair, effects=one.effects, lifted=one.lifted) for one in penalties
    ]
