"""Following, winning and throwing a second time, by trying everything (RULINGS, Common 5 to 7)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from tests.unit.rules.cards.naive import Cards, Rules, without


def lengths_of(rules: Rules, cards: Cards) -> list[int]:
    """The pairs of each component of a lead, 0 for a single: the longest tractors that can be laid, then the rest."""
    left, lengths = cards, []
    used = False
    while left:
        for pairs in range(len(left) // 2, -1, -1):
            part = next(
                (p for p in rules.parts(left, pairs) if pairs < 2 or not (used and _takes_level(rules, p))), None
            )
            if part is not None:
                used |= pairs > 1 and _takes_level(rules, part)
                lengths.append(pairs)
                left = without(left, part)
                break
    return lengths


def _takes_level(rules: Rules, part: Cards) -> bool:
    return any(len(rules.step_mates(card)) > 1 for card in part)


def legal_plays(rules: Rules, led: Cards, hand: Cards, tractors: bool) -> set[tuple[str, ...]]:
    """Every play that answers the lead, as sorted cards.

    Component by component, longest first: a tractor of its length, else the longest shorter one, again while cards are
    due (where the regulation asks for tractors), then pairs, then singles of the suit, then anything.
    """
    suit, size = rules.suit(led[0]), len(led)
    own = tuple(card for card in hand if rules.suit(card) == suit)
    rest = tuple(card for card in hand if rules.suit(card) != suit)
    if len(own) <= size:
        return {_sorted((*own, *others)) for others in combinations(rest, size - len(own))}
    plays: set[tuple[str, ...]] = set()
    for given, left in _answers(rules, lengths_of(rules, led), own, tractors, used=False):
        plays |= {_sorted((*given, *others)) for others in combinations(left, size - len(given))}
    return plays


def _answers(
    rules: Rules, lengths: Sequence[int], own: Cards, tractors: bool, used: bool
) -> Iterator[tuple[Cards, Cards]]:
    """What may be given to the components in order, and what is left of the suit; singles come last of all."""
    due = next((pairs for pairs in lengths if pairs), 0)
    if not due:
        yield (), own
        return
    rest = list(lengths[1:])
    for pairs in range(due if tractors else 1, 0, -1):
        parts = [p for p in rules.tractors(own, pairs) if pairs < 2 or not (used and _takes_level(rules, p))]
        if parts:
            for part in parts:
                now = used or (pairs > 1 and _takes_level(rules, part))
                left = [due - pairs, *rest] if due - pairs else rest
                for given, remaining in _answers(rules, left, without(own, part), tractors, now):
                    yield (*part, *given), remaining
            return
    yield from _answers(rules, rest, own, tractors, used)


def _sorted(cards: Sequence[str]) -> tuple[str, ...]:
    return tuple(sorted(cards))


def trick_winner(rules: Rules, plays: Sequence[Cards]) -> int:
    """The index of the winning play, from every division of every play."""
    led_suit = rules.suit(plays[0][0])
    lengths = lengths_of(rules, plays[0])
    best, at = (-1, -1), 0
    for index, play in enumerate(plays):
        suits = {rules.suit(card) for card in play}
        if len(suits) > 1 or not suits <= {led_suit, "N"}:
            continue
        tops = [
            rules.top(max(_longest(division, lengths), key=rules.top)) for division in rules.divisions(play, lengths)
        ]
        if tops and (int(suits == {"N"}), max(tops)) > best:
            best, at = (int(suits == {"N"}), max(tops)), index
    return at


def _longest(division: Sequence[Cards], lengths: Sequence[int]) -> list[Cards]:
    return [part for part, pairs in zip(division, lengths, strict=True) if pairs == lengths[0]]


def is_beaten(rules: Rules, part: Cards, other: Cards) -> bool:
    """Whether another hand has a higher component of the same kind and length, of the same suit."""
    same = tuple(card for card in other if rules.suit(card) == rules.suit(part[0]))
    pairs = 0 if len(part) == 1 else len(part) // 2
    return any(rules.top(candidate) > rules.top(part) for candidate in rules.parts(same, pairs))
