"""From recorded facts to a match's result: the one way, at closing, at a ruling and on every page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, cast

import msgspec

from services.match import refusals as refuse
from shared.contracts.fact import HandFacts, MatchResult, Remedy
from shared.rules.basis import Text
from shared.rules.errors import RuleError
from shared.rules.regulations.preset import Preset
from shared.rules.shengji import results
from shared.rules.shengji.facts import HandFact, Pair, PenaltyFact
from shared.rules.shengji.match import MatchSummary, resum
from shared.rules.shengji.penalties import Priced, price

SIDES: tuple[Pair, Pair] = ("13", "24")
"""The pairs as the two teams of a match sit."""


class Sheet(msgspec.Struct, frozen=True, kw_only=True):
    """All facts of a match: its hands and penalties in order of entry."""

    hands: tuple[HandFact, ...] = ()
    penalties: tuple[PenaltyFact, ...] = ()


class Seated(msgspec.Struct, frozen=True, kw_only=True):
    """A match as the pairing seats it: the first team as pair 13."""

    match: str
    table: int
    teams: tuple[str, str]


def hand_fact(number: int, facts: HandFacts) -> HandFact:
    """A recorded hand as the rules take it."""
    return HandFact(
        number=number, dealer_seat=facts.dealer, points=facts.points, trump=facts.trump, levels=facts.levels
    )


def summary(preset: Preset, sheet: Sheet, hand: int | None = None) -> MatchSummary:
    """The match re-summed; `hand` is the one that was entered or corrected, the last where it is left out. Raises
    HandIsImpossible."""
    try:
        return resum(preset, sheet.hands, sheet.penalties)
    except RuleError as error:
        raise refuse.HandIsImpossible(
            _pointer(error.field), error.article, hand=hand or len(sheet.hands), reason=error.said
        ) from error


def _pointer(field: str | None) -> str:
    """The place in a hand's entry of a field of the rules. A penalty on a pair that cannot have it is the dealer's
    fault there: the rest of the hand does not name pairs."""
    names = {"number": "hand", "dealer_seat": "dealer", "pair": "dealer"}
    return "/" + names.get(field or "hand", field or "hand").replace(".", "/")


def priced(preset: Preset, code: str, cards: int | None, occasions: int) -> Priced:
    """The price of a penalty. Raises PenaltyInvalid."""
    try:
        return price(preset, code, cards, occasions)
    except RuleError as error:
        raise refuse.PenaltyInvalid(f"/{error.field or 'code'}", error.article, reason=error.said) from error


def outcome(preset: Preset, seated: Seated, sheet: Sheet, rulings: Sequence[Remedy]) -> MatchResult:
    """The result of a match that is over, from its facts and the rulings on it, the last award deciding."""
    winner = award(rulings)
    if winner is not None:
        return awarded(preset, seated, winner)
    summed = summary(preset, with_rulings(preset, seated, sheet, rulings))
    ended: Literal["played", "time"] = "played" if summed.won_by else "time"
    found = results.result(preset, summed, ended)
    return _result(seated, found, "played")


def award(rulings: Sequence[Remedy]) -> str | None:
    """The team that the last award gives the match to."""
    return next((remedy.team for remedy in reversed(rulings) if remedy.kind == "award_match"), None)


def awarded(preset: Preset, seated: Seated, winner: str) -> MatchResult:
    """A match given to one of its teams by decision."""
    loser: Literal[1, 2] = 2 if seated.teams[0] == winner else 1
    found = results.forfeit(preset, loser)
    return msgspec.structs.replace(_result(seated, found, "forfeit"), how="awarded")


def forfeited(preset: Preset, seated: Seated, absent: Sequence[str]) -> MatchResult:
    """A match that one or both teams did not play."""
    if set(absent) >= set(seated.teams):
        return _result(seated, results.double_absence(preset), "forfeit")
    side: Literal[1, 2] = 1 if absent[0] == seated.teams[0] else 2
    return _result(seated, results.forfeit(preset, side), "forfeit")


def with_rulings(preset: Preset, seated: Seated, sheet: Sheet, rulings: Sequence[Remedy]) -> Sheet:
    """The facts as the rulings leave them. Raises RemedyImpossible."""
    for number, remedy in enumerate(rulings, 1):
        sheet = _with_ruling(preset, seated, sheet, remedy, number)
    return sheet


def _with_ruling(preset: Preset, seated: Seated, sheet: Sheet, remedy: Remedy, number: int) -> Sheet:
    match remedy.kind:
        case "correct_hand":
            if remedy.facts is None:
                raise _impossible(seated, "facts", "缺少更正后的内容", "the corrected hand is missing")
            return _replaced(seated, sheet, remedy, hand_fact(remedy.hand or 0, remedy.facts))
        case "annul_hand":
            hand = _hand(seated, sheet, remedy)
            return _replaced(seated, sheet, remedy, msgspec.structs.replace(hand, annulled=True))
        case "lift_penalty":
            return lifted(seated, sheet, remedy.penalty or "")
        case "impose_penalty":
            if not 1 <= (remedy.hand or 0) <= len(sheet.hands) + 1:
                raise _no_hand(seated, remedy)
            charge = priced(preset, remedy.code or "", remedy.cards, 1)
            fact = PenaltyFact(
                id=f"ruling-{number}",
                code=charge.code,
                hand=remedy.hand or 0,
                pair=remedy.pair or "13",
                points=charge.points,
                effects=charge.effects,
            )
            return msgspec.structs.replace(sheet, penalties=(*sheet.penalties, fact))
        case _:
            return sheet


def lifted(seated: Seated, sheet: Sheet, penalty: str) -> Sheet:
    """The facts with one penalty lifted. Raises RemedyImpossible."""
    if penalty not in {p.id for p in sheet.penalties}:
        raise _impossible(seated, "penalty", f"没有处罚 {penalty}", f"there is no penalty {penalty}")
    changed = (msgspec.structs.replace(p, lifted=True) if p.id == penalty else p for p in sheet.penalties)
    return msgspec.structs.replace(sheet, penalties=tuple(changed))


def _hand(seated: Seated, sheet: Sheet, remedy: Remedy) -> HandFact:
    if remedy.hand is None or not 1 <= remedy.hand <= len(sheet.hands):
        raise _no_hand(seated, remedy)
    return sheet.hands[remedy.hand - 1]


def _no_hand(seated: Seated, remedy: Remedy) -> refuse.RemedyImpossible:
    return _impossible(seated, "hand", f"没有第 {remedy.hand} 副", f"there is no hand {remedy.hand}")


def _impossible(seated: Seated, field: str, zh: str, en: str) -> refuse.RemedyImpossible:
    return refuse.RemedyImpossible(f"/remedy/{field}", match=seated.match, reason=Text(zh, en))


def _replaced(seated: Seated, sheet: Sheet, remedy: Remedy, fact: HandFact) -> Sheet:
    _hand(seated, sheet, remedy)
    hands = (fact if h.number == fact.number else h for h in sheet.hands)
    return msgspec.structs.replace(sheet, hands=tuple(hands))


def _result(seated: Seated, found: results.MatchResult, status: Literal["played", "forfeit"]) -> MatchResult:
    return MatchResult(
        match=seated.match,
        table=seated.table,
        teams=seated.teams,
        points=found.points,
        levels=cast(Any, found.levels),
        how=found.how,
        status=status,
    )
