"""What a refereed hand of 掼蛋 comes to: void, the match lost, or levels by pair and how they add up."""

from __future__ import annotations

from shared.rules.guandan.charges import LOSES, other
from shared.rules.guandan.levels import PAIRS, Pair, pair_of
from shared.rules.guandan.matches import raised
from shared.rules.guandan.record import Record
from shared.rules.guandan.replay import Irregularity, Replayed
from shared.rules.regulations.guandan import GuandanPreset
from shared.rules.regulations.preset import Level
from shared.rules.verdict import Term, Verdict


def verdict(preset: GuandanPreset, record: Record, hand: Replayed) -> Verdict:
    """The verdict on a replayed hand, every breach priced as the match prices it (ahut-2018 二.4, 二.6).

    A pair that loses the match loses it in this hand, which then changes no levels, nor does a void one. A level given
    to the opponents counts after the hand, and stops at A as every climb does.
    """
    lost = next((breach for breach in hand.irregularities if set(breach.also) & set(LOSES)), None)
    if lost is not None:
        winner = other(pair_of(lost.seat))
        return Verdict(void=hand.void, levels=record.levels, won_by=winner, lost_by=lost.code)
    if hand.void is not None:
        return Verdict(void=hand.void, levels=record.levels)
    change = hand.level_change
    if change is None:
        return Verdict()
    levels, terms = dict(change.levels), list(change.terms)
    for breach in hand.irregularities:
        for _ in range(breach.also.count("level_to_opponents")):
            _give(preset, levels, terms, other(pair_of(breach.seat)), breach)
    return Verdict(levels={pair: levels[pair] for pair in PAIRS}, won_by=change.won_by, terms=tuple(terms))


def _give(preset: GuandanPreset, levels: dict[Pair, Level], terms: list[Term], to: Pair, breach: Irregularity) -> None:
    """A level to the opponents of the seat that broke the rule."""
    terms.append(Term(who=to, levels=1, why="penalty", basis=breach.basis, penalty=breach.code))
    risen = raised(preset, levels[to], 1)
    if risen == levels[to]:
        terms.append(Term(who=to, levels=-1, why="stop", basis=preset.levels.stop.basis))
    levels[to] = risen
