"""An independent reading of plays, slow and literal: every wild becomes every card, and each set of natural cards is
judged by looking at it. Nothing here is taken from the shipped tables."""

from __future__ import annotations

from collections import Counter
from itertools import combinations_with_replacement

RANKS = "23456789TJQKA"
SUITS = "SHCD"
ALL = [suit + rank for suit in SUITS for rank in RANKS]

Named = tuple[str, str, int]
"""Kind, deciding rank, cards."""


def readings(cards: list[str], level: str) -> set[Named]:
    """Every reading of the cards. Two wilds alone and one wild alone are the level's pair and single (ruling 5)."""
    wild = f"H{level}"
    natural = [card for card in cards if card != wild]
    wilds = len(cards) - len(natural)
    if not natural:
        return {("single" if wilds == 1 else "pair", level, wilds)} if 1 <= wilds <= 2 else set()
    found: set[Named] = set()
    for stand_ins in combinations_with_replacement(ALL, wilds):
        found |= _natural([*natural, *stand_ins], bool(wilds))
    return found


def _natural(cards: list[str], wild: bool) -> set[Named]:
    """What cards are, taken as printed."""
    ranks = Counter(card[1] if len(card) == 2 and card[0] in SUITS else card for card in cards)
    shape = sorted(ranks.values(), reverse=True)
    most = max(ranks, key=lambda rank: ranks[rank])
    found: set[Named] = set()
    if len(ranks) == 1 and not (most in ("LJ", "BJ") and len(cards) > 2):
        found |= {(_kind_of_one(len(cards)), most, len(cards))}
    if ranks == {"LJ": 2, "BJ": 2}:
        found.add(("joker_bomb", "BJ", 4))
    if shape == [3, 2] and most in RANKS:
        found.add(("full_house", most, 5))
    top = _run(set(ranks))
    if top is not None:
        if shape == [1] * 5:
            suited = len({card[0] for card in cards}) == 1
            if suited:
                found.add(("straight_flush", top, 5))
            if not suited or wild:
                found.add(("straight", top, 5))
        if shape == [2, 2, 2]:
            found.add(("tube", top, 6))
        if shape == [3, 3]:
            found.add(("plate", top, 6))
    return found


def _kind_of_one(count: int) -> str:
    return {1: "single", 2: "pair", 3: "triple"}.get(count, "bomb")


def _run(ranks: set[str]) -> str | None:
    """The highest rank of consecutive ranks, the ace above the king or below the two, None for no run."""
    if len(ranks) < 2 or not ranks <= set(RANKS):
        return None
    ladder = "A" + RANKS
    for start in range(len(ladder) - len(ranks) + 1):
        window = ladder[start : start + len(ranks)]
        if set(window) == ranks and len(set(window)) == len(window):
            return window[-1]
    return None


def order(level: str) -> list[str]:
    """All ranks from the lowest: the level above the ace, then the jokers (二.3)."""
    return [*(rank for rank in RANKS if rank != level), level, "LJ", "BJ"]


def power(name: Named) -> int:
    """How far above ordinary plays a reading stands (二.2): 四王, 六张和六张以上炸弹, 同花顺, 五张炸弹, 四张炸弹."""
    kind, _, size = name
    if kind == "bomb":
        return {4: 1, 5: 2}.get(size, size)
    return {"straight_flush": 3, "joker_bomb": 20}.get(kind, 0)


def place(name: Named, level: str) -> int:
    """The deciding rank's place among those of its kind."""
    kind, rank, _ = name
    runs = ("straight", "tube", "plate", "straight_flush")
    return (RANKS if kind in runs else order(level)).index(rank)


def wins(one: Named, two: Named, level: str) -> bool:
    """Whether the first beats the second."""
    if power(one) != power(two):
        return power(one) > power(two)
    return one[0] == two[0] and one[2] == two[2] and place(one, level) > place(two, level)
