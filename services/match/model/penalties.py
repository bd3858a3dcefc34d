"""The penalties of a match: issuing one by its article, lifting one."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import msgspec

from services.match import refusals as refuse
from services.match.model.matches import Events, Match, Seat, evolve, ids_of, opened_of, summed
from services.match.model.seated import SIDES
from shared.contracts.fact import Pair
from shared.contracts.match import PenaltyIssued, PenaltyLifted
from shared.rules.basis import Text
from shared.rules.errors import RuleError
from shared.rules.regulations.preset import Preset
from shared.rules.shengji.claims import Charged, charge
from shared.rules.shengji.penalties import in_time


class Claim(msgspec.Struct, frozen=True, kw_only=True):
    """A breach as claimed: the hand it happened in, the hand that had begun when it was claimed, and what its price
    counts. Where the referee does not say when it was claimed, it was now. `points` is what the referee sets where the
    article leaves room, `lost` and `compensation` are match points where the referee prices."""

    hand: int
    claimed_during: int | None
    pair: Pair
    code: str
    cards: int | None
    occasions: int
    reason: str
    points: int | None = None
    lost: str = "0"
    compensation: str = "0"


def issue_penalty(state: Match, preset: Preset, seat: Seat, claim: Claim, by: str) -> Events:
    """A penalty, priced by its article. Raises PenaltyInvalid, ClaimTooLate."""
    opened = opened_of(state)
    charged = _charge(preset, claim)
    if not 1 <= claim.hand <= len(state.hands) + 1:
        entered = len(state.hands)
        zh, en = (
            f"第 {claim.hand} 副尚未打；已录入 {entered} 副",
            f"hand {claim.hand} was not played; {entered} are entered",
        )
        raise refuse.PenaltyInvalid("/hand", charged.article, reason=Text(zh, en))
    during = max(claim.hand, len(state.hands)) if claim.claimed_during is None else claim.claimed_during
    if during < claim.hand:
        zh, en = f"第 {claim.hand} 副的违规不可能在第 {during} 副提出", f"hand {during} was before hand {claim.hand}"
        raise refuse.PenaltyInvalid("/claimed_during", charged.article, reason=Text(zh, en))
    if not in_time(claim.hand, during):
        raise refuse.ClaimTooLate(preset.claims.until.article, hand=claim.hand, during=during)
    event = PenaltyIssued(
        regulation=opened.regulation,
        by=by,
        competition=opened.competition,
        match=opened.match,
        round=opened.round,
        penalty=f"p{len(state.sheet.penalties) + 1}",
        hand=claim.hand,
        claimed_during=during,
        pair=claim.pair,
        team=ids_of(opened)[SIDES.index(claim.pair)],
        code=charged.code,
        name=charged.name.zh,
        cards=claim.cards,
        occasions=claim.occasions,
        points=charged.points,
        effects=charged.effects,
        article=charged.article,
        mark=charged.mark,
        reason=claim.reason,
        tariff=charged.tariff,
        lost=charged.lost,
        compensation=charged.compensation,
    )
    with _as_penalty():
        summed(preset, seat, evolve(state, event).sheet)
    return [event]


def lift_penalty(state: Match, penalty: str, reason: str, by: str) -> Events:
    """A penalty no longer counts. Raises NoSuchPenalty, PenaltyAlreadyLifted."""
    opened = opened_of(state)
    found = next((p for p in state.sheet.penalties if p.id == penalty), None)
    if found is None:
        raise refuse.NoSuchPenalty(match=opened.match, penalty=penalty)
    if found.lifted:
        raise refuse.PenaltyAlreadyLifted(match=opened.match, penalty=penalty)
    return [
        PenaltyLifted(
            regulation=opened.regulation,
            by=by,
            competition=opened.competition,
            match=opened.match,
            penalty=penalty,
            reason=reason,
        )
    ]


def _charge(preset: Preset, claim: Claim) -> Charged:
    """What the breach costs. A referee who sets other points than the article's says why. Raises PenaltyInvalid."""
    try:
        charged = charge(
            preset,
            claim.code,
            cards=claim.cards,
            occasions=claim.occasions,
            points=claim.points,
            lost=claim.lost,
            compensation=claim.compensation,
        )
    except RuleError as error:
        raise refuse.PenaltyInvalid(f"/{error.field or 'code'}", error.article, reason=error.said) from error
    if charged.tariff is not None and not claim.reason.strip():
        said = Text("另定罚分须说明理由", "points other than the article's need a reason")
        raise refuse.PenaltyInvalid("/reason", charged.article, reason=said)
    return charged


@contextmanager
def _as_penalty() -> Iterator[None]:
    """What makes the sum impossible when a penalty is added is the penalty."""
    try:
        yield
    except refuse.HandIsImpossible as error:
        pointer = "/pair" if error.pointer == "/dealer" else "/code"
        raise refuse.PenaltyInvalid(pointer, error.article, reason=error.params["reason"]) from error
