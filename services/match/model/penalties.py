"""The penalties of a match: issuing one by its article, lifting one."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import msgspec

from services.match import refusals as refuse
from services.match.model import finish_sums
from services.match.model.matches import Events, Match, check_begun, evolve, head_of, ids_of, opened_of, summed
from services.match.model.seated import SIDES, Seat
from shared.contracts.fact import Pair
from shared.contracts.match import PenaltyIssued, PenaltyLifted
from shared.rules.basis import Text
from shared.rules.errors import RuleError
from shared.rules.formats.stages import CARDS
from shared.rules.guandan.penalties import price as guandan_price
from shared.rules.regulations.guandan import GuandanPreset
from shared.rules.regulations.preset import Preset
from shared.rules.regulations.schema import AnyPreset
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


def issue_penalty(state: Match, preset: AnyPreset, seat: Seat, claim: Claim, by: str) -> Events:
    """A penalty, priced by its article. Raises NoCardMatch, PenaltyInvalid, HandNotThereYet, ClaimTooLate."""
    opened = opened_of(state)
    if seat.event != CARDS:
        raise refuse.NoCardMatch(match=opened.match, event=seat.event)
    charged = _charge(preset, state, claim)
    check_begun(state, claim.hand)
    during = max(claim.hand, state.entered) if claim.claimed_during is None else claim.claimed_during
    if during < claim.hand:
        zh, en = f"第 {claim.hand} 副的违规不可能在第 {during} 副提出", f"hand {during} was before hand {claim.hand}"
        raise refuse.PenaltyInvalid("/claimed_during", charged.article, reason=Text(zh, en))
    if isinstance(preset, Preset) and not in_time(claim.hand, during):
        raise refuse.ClaimTooLate(preset.claims.until.article, hand=claim.hand, during=during)
    event = PenaltyIssued(
        **head_of(state, by),
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
    after = evolve(state, event)
    with _as_penalty():
        if isinstance(preset, Preset):
            summed(preset, seat, after.sheet)
        else:
            finish_sums.summary(preset, seat.level_stage, after.finishes, after.sheet.penalties)
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
            **head_of(state, by),
            penalty=penalty,
            reason=reason,
        )
    ]


class Price(msgspec.Struct, frozen=True, kw_only=True):
    """What a breach costs, in any game; the fields are those of `PenaltyIssued`."""

    code: str
    name: Text
    article: str
    mark: str
    effects: tuple[str, ...]
    points: int = 0
    tariff: int | None = None
    lost: int = 0
    compensation: int = 0


def _charge(preset: AnyPreset, state: Match, claim: Claim) -> Charged | Price:
    """What the breach costs. A referee who sets other points than the article's says why. Raises PenaltyInvalid."""
    if not isinstance(preset, Preset):
        return _by_steps(preset, state, claim)
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


def _by_steps(preset: GuandanPreset, state: Match, claim: Claim) -> Price:
    """By how often the pair has done it in this match (二.4, 二.6). Raises PenaltyInvalid."""
    before = [
        one for one in state.sheet.penalties if (one.code, one.pair, one.lifted) == (claim.code, claim.pair, False)
    ]
    try:
        priced = guandan_price(preset, claim.code, len(before) + 1)
    except RuleError as error:
        raise refuse.PenaltyInvalid("/code", error.article, reason=error.said) from error
    counted = {"cards": claim.cards, "points": claim.points}
    extra = [name for name, value in counted.items() if value is not None]
    extra += [name for name, value in (("lost", claim.lost), ("compensation", claim.compensation)) if value != "0"]
    extra += ["occasions"] * (claim.occasions != 1)
    if extra:
        zh = f"“{priced.name.zh}”按第几次论处，不计 {extra[0]}"
        en = f"{claim.code} costs by how often it was done, and takes no {extra[0]}"
        raise refuse.PenaltyInvalid(f"/{extra[0]}", priced.article, reason=Text(zh, en))
    return Price(code=priced.code, name=priced.name, article=priced.article, mark=priced.mark, effects=priced.effects)


@contextmanager
def _as_penalty() -> Iterator[None]:
    """What makes the sum impossible when a penalty is added is the penalty."""
    try:
        yield
    except refuse.HandIsImpossible as error:
        pointer = "/pair" if error.pointer == "/dealer" else "/code"
        raise refuse.PenaltyInvalid(pointer, error.article, reason=error.params["reason"]) from error
