"""The showings of trumps that a record holds, judged (jimei-2018 十一.2, zhongshan-2013 七（一）4, shandong-2023 八.2).

A record says in which order trumps were shown and not when, so what came too late cannot be seen. A showing that is not
allowed is taken down and does not hold; whether the hand's trumps are those shown last is not judged, since the kitty
may have made them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from shared.rules.cards import RANK_OF, RANKS, write_cards
from shared.rules.errors import RuleError
from shared.rules.regulations.preset import Preset
from shared.rules.shengji.irregularities import Breach
from shared.rules.shengji.record import Record, cards_at
from shared.rules.shengji.trumps import Shown, show


def showings(preset: Preset, record: Record, played: Callable[[int], Sequence[int]]) -> list[Breach]:
    """The showings that break the rules: of cards that show nothing, that overturn nothing, or that the seat has not.

    Aces that take the first deal are no showing of trumps; the same card shown again is the twin added (加固). played:
    what a seat plays in the whole hand and buries. Raises RuleError for what are no cards, naming the place.
    """
    shown: list[Shown] = []
    found: list[Breach] = []
    last: tuple[int, list[int]] = (0, [])
    refused: Breach | None = None
    for index, declared in enumerate(record.declarations):
        cards = cards_at(declared.cards, f"declarations[{index}].cards")
        if _takes_the_deal(preset, record, cards):
            continue
        if last == (declared.seat, cards) and len(cards) == 1:
            cards = cards * 2
            found = [one for one in found if one is not refused]
        last, refused = (declared.seat, cards), None
        try:
            new = show(preset, record.dealer_level, shown, declared.seat, cards)
        except RuleError:
            refused = _refused(preset, declared.seat, cards)
        else:
            if record.dealt is None or _has(record.dealt[declared.seat], cards):
                shown.append(new)
                continue
            unproven = _has(played(declared.seat), cards)
            refused = _refused(preset, declared.seat, cards, frozenset({declared.seat} if unproven else ()))
        found.append(refused)
    return found


def _has(hand: Sequence[int], cards: Sequence[int]) -> bool:
    return all(hand.count(card) >= cards.count(card) for card in cards)


def _refused(preset: Preset, seat: int, cards: Sequence[int], unproven: frozenset[int] = frozenset()) -> Breach:
    """A showing that is not allowed. unproven: the seat, where it plays the cards that it was not dealt."""
    return Breach(
        code="illegal_declaration",
        seat=seat,
        trick=1,
        discovered_at=1,
        cards=write_cards(cards),
        rule=preset.trump.order,
        rows=("illegal_declaration",),
        unproven=unproven,
    )


def _takes_the_deal(preset: Preset, record: Record, cards: list[int]) -> bool:
    aces = all(card < len(RANKS) * 4 and RANKS[RANK_OF[card]] == "A" for card in cards)
    return preset.deal.first.value == "first_to_show_ace" and aces and record.dealer_level != "A"
