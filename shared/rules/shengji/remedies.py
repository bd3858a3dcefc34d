"""What a decision does to the facts of a match (RULINGS, Appeals 5): the one way, for rulings and for every page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from shared.rules.errors import RuleError
from shared.rules.regulations.preset import Preset
from shared.rules.shengji.facts import HandFact, Pair, PenaltyFact
from shared.rules.shengji.penalties import price
from shared.rules.shengji.sheet import HandFacts, Sheet, hand_fact


class Remedy(Struct, frozen=True, kw_only=True):
    """What a decision does to a match. Which fields are set depends on `kind`: correct_hand (hand, facts), annul_hand
    (hand), impose_penalty (hand, pair, code, cards), lift_penalty (penalty), award_match (team), replay_match,
    disqualify_team (team), none."""

    kind: Literal[
        "correct_hand",
        "annul_hand",
        "impose_penalty",
        "lift_penalty",
        "award_match",
        "replay_match",
        "disqualify_team",
        "none",
    ]
    hand: int | None = None
    facts: HandFacts | None = None
    penalty: str | None = None
    pair: Pair | None = None
    code: str | None = None
    cards: int | None = None
    team: str | None = None


OF_PLAY = ("correct_hand", "annul_hand", "impose_penalty", "lift_penalty")
"""The remedies that speak of the hands of a match."""


def with_remedies(preset: Preset, sheet: Sheet, remedies: Sequence[Remedy]) -> Sheet:
    """The facts as the remedies leave them, one after the other; those that concern no hand and no penalty leave them
    as they are. Raises RuleError whose `field` is the remedy's, UnknownPenalty."""
    for number, remedy in enumerate(remedies, 1):
        sheet = _with_remedy(preset, sheet, remedy, f"ruling-{number}")
    return sheet


def award(remedies: Sequence[Remedy]) -> str | None:
    """The team that the last award gives the match to."""
    return next((remedy.team for remedy in reversed(remedies) if remedy.kind == "award_match"), None)


def leaves_result(remedy: Remedy, how: str) -> bool:
    """Whether a remedy leaves the result of a match that was decided so: none does, nor the disqualification of a
    team, whose matches stand; and what was not played has no facts to judge anew, so that only an award changes it."""
    if remedy.kind in ("none", "disqualify_team"):
        return True
    return how in ("forfeit", "double_absence") and remedy.kind not in ("award_match", "replay_match")


def _with_remedy(preset: Preset, sheet: Sheet, remedy: Remedy, name: str) -> Sheet:
    match remedy.kind:
        case "correct_hand":
            return _with_hand(sheet, _corrected(sheet, remedy))
        case "annul_hand":
            return _with_hand(sheet, replace(_hand(sheet, remedy), annulled=True))
        case "lift_penalty":
            return _lifted(sheet, remedy)
        case "impose_penalty":
            return replace(sheet, penalties=(*sheet.penalties, _imposed(preset, sheet, remedy, name)))
    return sheet


def _corrected(sheet: Sheet, remedy: Remedy) -> HandFact:
    number = _hand(sheet, remedy).number
    if remedy.facts is None:
        raise RuleError("the corrected hand is missing", "缺少更正后的内容", field="facts")
    return hand_fact(number, remedy.facts)


def _lifted(sheet: Sheet, remedy: Remedy) -> Sheet:
    if remedy.penalty not in {penalty.id for penalty in sheet.penalties}:
        raise RuleError(f"there is no penalty {remedy.penalty}", f"没有处罚 {remedy.penalty}", field="penalty")
    changed = (replace(one, lifted=True) if one.id == remedy.penalty else one for one in sheet.penalties)
    return replace(sheet, penalties=tuple(changed))


def _imposed(preset: Preset, sheet: Sheet, remedy: Remedy, name: str) -> PenaltyFact:
    """A penalty may also belong to the hand in play, the one after the last entered."""
    if remedy.hand is None or not 1 <= remedy.hand <= len(sheet.hands) + 1:
        raise _no_hand(remedy)
    if remedy.pair is None:
        raise RuleError("the pair is missing", "缺少受罚一方", field="pair")
    priced = price(preset, remedy.code or "", remedy.cards)
    return PenaltyFact(
        id=name, code=priced.code, hand=remedy.hand, pair=remedy.pair, points=priced.points, effects=priced.effects
    )


def _hand(sheet: Sheet, remedy: Remedy) -> HandFact:
    if remedy.hand is None or not 1 <= remedy.hand <= len(sheet.hands):
        raise _no_hand(remedy)
    return sheet.hands[remedy.hand - 1]


def _no_hand(remedy: Remedy) -> RuleError:
    return RuleError(f"there is no hand {remedy.hand}", f"没有第 {remedy.hand} 副", field="hand")


def _with_hand(sheet: Sheet, fact: HandFact) -> Sheet:
    return replace(sheet, hands=tuple(fact if hand.number == fact.number else hand for hand in sheet.hands))
