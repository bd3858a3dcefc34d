"""What a refereed hand of 升级 comes to: void, or levels by pair and how they add up."""

from __future__ import annotations

from msgspec.structs import replace

from shared.rules.shengji.facts import PAIRS, Pair, other, pair_of
from shared.rules.shengji.replay import Replayed
from shared.rules.verdict import Verdict


def verdict(hand: Replayed) -> Verdict:
    """The verdict on a replayed hand, every breach priced (RULINGS, jimei-2018 4)."""
    record, change = hand.record, hand.level_change
    if hand.void is not None or change is None:
        levels = {pair: record.levels[pair] for pair in PAIRS} if hand.void is not None else None
        return Verdict(void=hand.void, levels=levels)
    dealers = pair_of(record.dealer)
    pairs: dict[str, Pair] = {"dealers": dealers, "attackers": other(dealers)}
    after = {dealers: change.dealer_level, other(dealers): change.attacker_level}
    return Verdict(
        levels={pair: after[pair] for pair in PAIRS},
        won_by=None if change.won_by is None else pairs[change.won_by],
        terms=tuple(replace(term, who=pairs[term.who]) for term in change.terms),
    )
