"""Breaches of a hand and their price.

A breach has the code of RECORDS and is priced by the first of its `rows` that the regulation has; where it has none the
breach costs nothing and is named with the article of the `rule` that was broken.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from msgspec import Struct

from shared.rules.basis import Basis, Mark, Ruled, Text
from shared.rules.findings import Finding
from shared.rules.regulations.preset import Effect, Preset
from shared.rules.shengji.levels import Side
from shared.rules.shengji.moved_deal import also as moved_also
from shared.rules.shengji.moved_deal import moves_deal
from shared.rules.shengji.penalties import price
from shared.rules.shengji.referee import price_by_referee

Withheld = Literal["suit", "pair", "tractor"]

REFEREE = "warning_or_match_points"
"""Stands in `also` where the referee decides and has not entered what."""


class Irregularity(Struct, frozen=True, kw_only=True):
    """One breach.

    trick: from 1; discovered_at: the trick in which it can be seen, None when the record never shows it; cards: highest
    first; penalty: the row of the preset that prices it, None where no row does; withheld: of a revoke or wrong follow;
    counted: the cards that a price per card counts; also: what else it costs; lost, compensation: half match points as
    the referee entered them.
    """

    code: str
    seat: int
    trick: int
    discovered_at: int | None
    cards: str
    article: str
    mark: Mark
    changed: bool
    penalty: str | None
    name: Text
    penalty_points: int
    also: tuple[str, ...]
    counted: int | None = None
    effects: tuple[Effect, ...] = ()
    withheld: Withheld | None = None
    lost: int = 0
    compensation: int = 0

    @property
    def basis(self) -> Basis:
        """The article and mark."""
        return Basis(self.article, self.mark, self.changed)

    def finding(self) -> Finding:
        """As it is told to a referee."""
        return Finding(
            code=self.code,
            name=self.name,
            seat=self.seat,
            trick=self.trick,
            discovered_at=self.discovered_at,
            cards=self.cards,
            article=self.article,
            mark=self.mark,
            penalty=self.penalty,
            counted=self.counted,
            points=self.penalty_points,
            also=self.also,
        )


class Breach(Struct, frozen=True, kw_only=True):
    """A breach as it was found.

    rule: the value of the regulation that was broken; rows: penalties that may price it, the first that the regulation
    has does; counted: cards for a price per card, of the whole play and of those wrong or missing; free: found too late
    or too harmless to cost anything; unproven: seats on whose hands it rests as they were dealt, though their plays
    never show it; lost: match points, None until the referee has decided; claimed: the penalty that was claimed, of a
    claim after its deadline.
    """

    code: str
    seat: int
    trick: int
    discovered_at: int | None
    cards: str
    rule: Ruled[Any]
    rows: tuple[str, ...]
    counted: tuple[int, int] = (1, 1)
    occasions: int = 1
    free: bool = False
    unproven: frozenset[int] = frozenset()
    withheld: Withheld | None = None
    lost: int | str | None = None
    compensation: int | str = 0
    claimed: str | None = None


NAMES: dict[str, Text] = {
    "revoke": Text("藏张", "revoke"),
    "wrong_follow": Text("跟错牌", "wrong follow"),
    "failed_throw": Text("甩错牌", "failed throw"),
    "illegal_throw": Text("不准甩牌而甩牌", "throw where throws are forbidden"),
    "illegal_lead": Text("首家出牌不成立", "illegal lead"),
    "out_of_turn": Text("越序出牌", "played out of turn"),
    "wrong_count": Text("出牌张数不符", "wrong number of cards"),
    "card_not_held": Text("出了手中没有的牌", "card not in hand"),
    "kitty_size": Text("底牌张数不符", "kitty of a wrong size"),
    "hand_size": Text("手牌张数不符", "hand of a wrong size"),
    "slow_play": Text("出牌超时", "slow play"),
    "late_claim": Text("逾时追究", "claimed after the deadline"),
    "illegal_declaration": Text("亮主、反主不成立", "showing of trumps that is not allowed"),
}
"""What every breach is called that the engine finds."""


def priced(preset: Preset, breach: Breach, offender: Side) -> Irregularity:
    """The breach with its price. Raises RuleError where the referee's entry is out of the article's range."""
    code = next((row for row in breach.rows if row in preset.penalties), None)
    if code is None:
        return _unpriced(preset, breach)
    row = preset.penalties[code]
    lost = compensation = points = 0
    counts: int | None = None
    also: tuple[str, ...] = ()
    effects: tuple[Effect, ...] = ()
    if row.value.formula == "referee":
        entered = price_by_referee(preset, code, 0 if breach.lost is None else breach.lost, breach.compensation)
        lost, compensation = entered.lost, entered.compensation
        also = (REFEREE,) if breach.lost is None else ("match_points",) if lost else ("warning",)
    elif not breach.free:
        counts = breach.counted[row.value.counts == "wrong"] if row.value.formula == "per_card" else None
        found = price(preset, code, counts, breach.occasions)
        points, effects = found.points, found.effects
        also = _also(effects, offender)
    return Irregularity(
        code=breach.code,
        seat=breach.seat,
        trick=breach.trick,
        discovered_at=breach.discovered_at,
        cards=breach.cards,
        article=row.article,
        mark=row.mark,
        changed=row.changed,
        penalty=code,
        name=NAMES.get(breach.code, Text(row.zh, row.en)),
        penalty_points=points,
        also=also,
        counted=counts,
        effects=effects,
        withheld=breach.withheld,
        lost=lost,
        compensation=compensation,
    )


def _also(effects: Sequence[Effect], offender: Side) -> tuple[str, ...]:
    """What a penalty costs besides points; that a card goes back is no cost."""
    moved = moved_also(effects, offender)
    rest = [effect for effect in effects if effect != "put_right" and not moves_deal((effect,))]
    return (*([moved] if moved else []), *rest)


def _unpriced(preset: Preset, breach: Breach) -> Irregularity:
    rule = breach.rule
    return Irregularity(
        code=breach.code,
        seat=breach.seat,
        trick=breach.trick,
        discovered_at=breach.discovered_at,
        cards=breach.cards,
        article=rule.article,
        mark=rule.mark,
        changed=rule.changed,
        penalty=None,
        name=_name(preset, breach),
        penalty_points=0,
        also=(),
        withheld=breach.withheld,
    )


def _name(preset: Preset, breach: Breach) -> Text:
    """What it is called; of a late claim also what was claimed."""
    name = NAMES[breach.code]
    row = None if breach.claimed is None else preset.penalties.get(breach.claimed)
    return name if row is None else Text(f"{name.zh}：{row.zh}", f"{name.en}: {row.en}")


def pace(preset: Preset) -> Ruled[Any]:
    """The rule that a play took too long by: the seconds that it may take, or that it is not drawn out."""
    limit = preset.match.play_seconds
    return preset.conduct.pace if limit is None or limit.value is None else limit
