"""Levels of a hand in which a penalty moved the deal.

`nobody_gains`: the dealer falls and the hand gives no levels (jimei-2018 十一.8④). `points_decide`: the hand is played
out and its corrected points give levels to either side; the deal goes over, or the side that has it gains one more
(zhongshan-2013 七（一）3, 7 and 8, read).
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

import msgspec

from shared.rules.basis import Ruled, gather
from shared.rules.regulations.preset import Charge, Effect, Level, LevelsPer, Preset
from shared.rules.shengji.levels import LevelChange, Side, climb, deal_lost, level_change, stopped
from shared.rules.verdict import Term

MOVES: frozenset[Effect] = frozenset({"deal_lost", "deal_or_level"})
"""The effects that move the deal."""


def moves_deal(effects: Collection[str]) -> bool:
    """Whether a penalty with these effects moves the deal, or gives the side that has it a level."""
    return not MOVES.isdisjoint(effects)


def also(effects: Sequence[Effect], offender: Side) -> str | None:
    """What such a penalty costs in the words of a hand record: `deal_lost`, `level_to_opponents`, None for neither."""
    if not moves_deal(effects):
        return None
    return "deal_lost" if offender == "dealers" else "level_to_opponents"


def moved_change(
    preset: Preset, points: int, dealer_level: Level, attacker_level: Level, offences: Sequence[tuple[str, Side]]
) -> LevelChange:
    """What the hand changes.

    points: the attackers' with kitty and penalties; offences: the code of each penalty that moves the deal, and the
    side that offended, in order. Raises RuleError as `level_change` does.
    """
    by_dealers = [(code, preset.penalties[code]) for code, side in offences if side == "dealers"]
    if preset.claims.moved_deal.value == "nobody_gains" and by_dealers:
        code, row = by_dealers[0]
        return deal_lost(dealer_level, attacker_level, code, row.basis)
    change = level_change(preset, points, dealer_level, attacker_level)
    if by_dealers:
        with_levels = ((row, row[1].value.levels_per) for row in by_dealers if row[1].value.levels_per is not None)
        first = next(with_levels, None)
        if first is None:
            change = _fallen(preset, change, by_dealers)
        else:
            change = _with_levels(preset, *first, points, dealer_level, attacker_level)
    by_attackers = [(code, preset.penalties[code]) for code, side in offences if side == "attackers"]
    return _with_more(preset, change, dealer_level, by_attackers) if by_attackers else change


Row = tuple[str, Ruled[Charge]]
"""A penalty that was charged: its code, and what it costs."""


def _fallen(preset: Preset, change: LevelChange, rows: Sequence[Row]) -> LevelChange:
    """The deal goes to the attackers; the points decide over the levels."""
    bases = gather([*change.basis, *(row.basis for _, row in rows), preset.claims.moved_deal.basis])
    terms = (*change.terms, *_terms("dealers", 0, rows))
    return msgspec.structs.replace(change, deal="attackers", basis=bases, terms=terms)


def _terms(side: Side, levels: int, rows: Sequence[Row]) -> tuple[Term, ...]:
    return tuple(Term(who=side, levels=levels, why="penalty", basis=row.basis, penalty=code) for code, row in rows)


def _with_levels(
    preset: Preset, charged: Row, per: LevelsPer, points: int, dealer_level: Level, attacker_level: Level
) -> LevelChange:
    """The deal goes to the attackers, with a level for each full so many of their points and nothing else."""
    code, row = charged
    gain = min(max(points, 0) // per.points, per.most)
    risen = climb(preset.levels, attacker_level, gain, dealing=False)
    return msgspec.structs.replace(
        deal_lost(dealer_level, attacker_level, code, row.basis),
        attacker_gain=gain,
        attacker_level=risen.level,
        basis=gather([row.basis, *risen.bases]),
        terms=(*_terms("dealers", 0, [charged]), *_terms("attackers", gain, [charged]), *stopped("attackers", risen)),
    )


def _with_more(preset: Preset, change: LevelChange, dealer_level: Level, rows: Sequence[Row]) -> LevelChange:
    """The dealer side gains a level besides for each (庄家方自动升一级), in one climb from the level that was played: a
    side that comes to the top with it has not passed it."""
    gain = change.dealer_gain + len(rows)
    risen = climb(preset.levels, dealer_level, gain, dealing=True)
    before = tuple(term for term in change.terms if (term.who, term.why) != ("dealers", "stop"))
    return msgspec.structs.replace(
        change,
        dealer_gain=gain,
        dealer_level=risen.level,
        won_by="dealers" if risen.passed else change.won_by,
        basis=gather([*change.basis, *(row.basis for _, row in rows), *risen.bases]),
        terms=(*before, *_terms("dealers", 1, rows), *stopped("dealers", risen)),
    )
