"""The four hands before the first lead, as far as a record tells them.

With `dealt` they are known, the dealer's after burying. Without it a hand is what its seat plays (RECORDS), and only
breaches that the plays show are found. The dealer's buried cards, where the record does not give them, are what is left
when everything was played; in a record that stops early the dealer then holds what the record shows.

Hands of a wrong size are put right by drawing (jimei-2018 十一.8⑤), so cards may go over among the seats concerned, and
none of them can be shown to have kept back a card that it never plays; nor can a dealer who buried a wrong number or a
card of another hand, nor the seat that this one was dealt to. Such a miscount is one breach, whatever follows from it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any

from msgspec import Struct

from shared.rules.basis import Ruled
from shared.rules.cards import CARDS, COPIES
from shared.rules.errors import refused
from shared.rules.records import SEATS
from shared.rules.regulations.preset import Preset
from shared.rules.shengji.hand import Hand
from shared.rules.shengji.irregularities import Breach
from shared.rules.shengji.order import Order
from shared.rules.shengji.record import Record, cards_at, cards_of
from shared.rules.shengji.turns import FROM, seats_of

SHORT = ("hand_size_short", "hand_size")
"""Rows that may price a single hand with too few cards, which is played until it has none (jimei-2018 十一.8⑤)."""


class Start(Struct):
    """hands, left, sure: by seat, from index 1; left: cards still to be played; sure: the hand is known from the deal;
    kitty: what was buried, None when it cannot be told; breaches: of the deal and of the burying; drawing: seats among
    which cards go over to put the sizes right; robbed: seats whose card was buried; doubtful: these, and the dealer
    where what was buried is wrong."""

    hands: list[Hand]
    left: list[int]
    sure: list[bool]
    kitty: list[int] | None
    breaches: list[Breach]
    drawing: frozenset[int] = frozenset()
    robbed: frozenset[int] = frozenset()
    doubtful: frozenset[int] = frozenset()


def start(preset: Preset, order: Order, record: Record) -> Start:
    """The hands at the first lead. Raises RuleError for an impossible record, naming the place."""
    if record.dealt is None:
        return _from_plays(preset, order, record)
    return _from_deal(preset, order, record, record.dealt)


def plays_of(record: Record, left: Sequence[int], seat: int, after: int = -1) -> list[tuple[int, list[int]]]:
    """The plays of a seat in the tricks after the one at this index: the trick's number from 1, and the cards.

    left: by seat, the cards to be played from the first trick on.
    """
    found: list[tuple[int, list[int]]] = []
    for index, seats in enumerate(_seatings(record, left)):
        if index > after and seat in seats:
            number = seats.index(seat)
            text = cards_of(record.tricks[index].plays[number])
            if text:
                found.append((index + 1, cards_at(text, f"tricks[{index}].plays[{number}]")))
    return found


def _seatings(record: Record, left: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """The seats of each trick in order of play; who has no card left is passed over."""
    rest = list(left)
    for index, trick in enumerate(record.tricks):
        seats, _ = seats_of(trick, index, _holding(rest))
        yield seats
        for seat, play in zip(seats, trick.plays, strict=True):
            text = cards_of(play)
            rest[seat] -= text.count(" ") + 1 if text else 0


def _holding(rest: Sequence[int]) -> Sequence[int]:
    """The seats with cards left; all of them after the hand's end, so that the trick too many is named as such."""
    return [seat for seat in SEATS if rest[seat] > 0] or SEATS


def _from_deal(preset: Preset, order: Order, record: Record, dealt: dict[int, list[int]]) -> Start:
    dealer, size = record.dealer, preset.cards.hand.value
    kitty, sure = record.kitty, [True] * 5
    hands = [Hand(order, ())] * 5
    for seat, cards in dealt.items():
        hands[seat] = Hand(order, cards)
    breaches = _dealt_sizes(preset, record, dealt)
    taken_up = record.kitty_dealt
    if taken_up is None:
        taken_up = _rest(card for hand in dealt.values() for card in hand)
    for card in taken_up:
        hands[dealer].counts[card] += 1
        hands[dealer].suits[order.suit[card]] += 1
    drawing = _drawing(preset, record, dealt)
    left = [0, *(len(dealt[seat]) for seat in SEATS)]
    left[dealer] += len(taken_up) - (len(kitty) if kitty is not None else preset.cards.kitty.value)
    if drawing:
        left = _put_right(preset, record, left, drawing)
    robbed: frozenset[int] = frozenset()
    doubtful = drawing
    if kitty is not None:
        strange = _bury(record, hands, kitty, drawing)
        if strange:
            robbed = frozenset(seat for seat in SEATS if any(hands[seat].counts[card] for card in strange))
            doubtful |= robbed | {dealer}
            rows, wrong = ("card_not_held", "wrong_card"), (len(strange), len(strange))
            breaches.append(_before_play("card_not_held", dealer, preset.conduct.held, rows, order, strange, wrong))
        if len(kitty) != preset.cards.kitty.value:
            doubtful |= {dealer}
            counted = record.kitty_dealt
            if counted is None or len(kitty) != len(counted):
                breaches.append(_kitty_size(preset, order, record, kitty))
    else:
        played = [card for _, cards in plays_of(record, left, dealer) for card in cards]
        if len(played) >= size:
            kitty = _without([*dealt[dealer], *taken_up], played)
            hands[dealer].remove(card for card in kitty)
        else:
            hands[dealer] = Hand(order, played)
            sure[dealer] = False
    return Start(hands, left, sure, kitty, breaches, drawing, robbed, doubtful)


def _drawing(preset: Preset, record: Record, dealt: dict[int, list[int]]) -> frozenset[int]:
    """The seats among which cards go over when hands of a wrong size are put right; the kitty's are the dealer's."""
    size, kitty = preset.cards.hand.value, record.kitty_dealt
    seats = {seat for seat in SEATS if len(dealt[seat]) != size}
    if seats and kitty is not None and len(kitty) != preset.cards.kitty.value:
        seats.add(record.dealer)
    return frozenset(seats)


def _put_right(preset: Preset, record: Record, left: list[int], drawing: Collection[int]) -> list[int]:
    """The cards that each seat has to play, where hands of a wrong size may have been put right: what it plays, once
    every seat has played as many as the regulation deals."""
    if any(len(trick.plays) != len(SEATS) for trick in record.tricks):
        return left
    played = [0] + [sum(len(cards) for _, cards in plays_of(record, [0, *SEATS], seat)) for seat in SEATS]
    whole = min(played[1:]) >= preset.cards.hand.value
    return [
        (played[seat] if whole else max(left[seat], played[seat])) if seat in drawing else left[seat]
        for seat in range(len(left))
    ]


def _from_plays(preset: Preset, order: Order, record: Record) -> Start:
    left = [0] + [preset.cards.hand.value] * 4
    kitty, breaches = record.kitty, []
    if kitty is not None and len(kitty) != preset.cards.kitty.value:
        left[record.dealer] += preset.cards.kitty.value - len(kitty)
        breaches.append(_kitty_size(preset, order, record, kitty))
    plays: list[list[int]] = [[], [], [], [], []]
    counts = [0] * len(CARDS)
    for card in record.kitty or ():
        counts[card] += 1
    for index, trick in enumerate(record.tricks):
        seats = FROM[trick.leader]
        if len(trick.plays) != len(seats) or not all(type(play) is str for play in trick.plays):
            seats, _ = seats_of(
                trick, index, _holding([total - len(gone) for total, gone in zip(left, plays, strict=True)])
            )
        for number, play in enumerate(trick.plays):
            text = cards_of(play)
            for card in cards_at(text, f"tricks[{index}].plays[{number}]") if text else ():
                counts[card] += 1
                if counts[card] > COPIES:
                    place, name = f"tricks[{index}].plays[{number}]", CARDS[card]
                    problem = f"has one {name} more than the {COPIES} of two decks"
                    zh = f"出现第 {counts[card]} 张 {name}，而两副牌只有 {COPIES} 张"
                    raise refused(place, problem, zh, "duplicate_card")
                plays[seats[number]].append(card)
    if kitty is None and all(len(plays[seat]) == left[seat] for seat in SEATS):
        kitty = _rest(card for cards in plays for card in cards)
    hands = [Hand(order, cards) for cards in plays]
    return Start(hands=hands, left=left, sure=[False] * 5, kitty=kitty, breaches=breaches)


def _rest(cards: Iterable[int]) -> list[int]:
    """The pack without these cards."""
    counts = [COPIES] * len(CARDS)
    for card in cards:
        counts[card] -= 1
    return [card for card, count in enumerate(counts) for _ in range(count)]


def _without(cards: Sequence[int], gone: Sequence[int]) -> list[int]:
    rest = list(cards)
    for card in gone:
        if card in rest:
            rest.remove(card)
    return rest


def _bury(record: Record, hands: list[Hand], kitty: Sequence[int], drawing: Collection[int]) -> list[int]:
    """Take the buried cards out of the dealer's hand, or of one of which the dealer has drawn; those that another seat
    holds. Raises RuleError for one that nobody holds."""
    dealer, strange = hands[record.dealer], []
    for card in kitty:
        drawn = next((hands[seat] for seat in drawing if hands[seat].counts[card]), None)
        if dealer.counts[card]:
            dealer.remove((card,))
        elif drawn is not None and record.dealer in drawing:
            drawn.remove((card,))
        elif any(hands[seat].counts[card] for seat in SEATS):
            strange.append(card)
        else:
            raise refused("kitty", f"has {CARDS[card]}, which nobody holds", f"中的 {CARDS[card]} 无人持有")
    return strange


def _kitty_size(preset: Preset, order: Order, record: Record, kitty: Sequence[int]) -> Breach:
    """Seen before the dealer leads it is put right, later it has its price."""
    begun = any(trick.plays for trick in record.tricks)
    rows = ("kitty_size",) if begun else ("kitty_size_before_lead", "kitty_size")
    return _before_play("kitty_size", record.dealer, preset.cards.kitty, rows, order, kitty)


def _dealt_sizes(preset: Preset, record: Record, dealt: dict[int, list[int]]) -> list[Breach]:
    """Hands of a wrong size: too many and too few together are one breach, whoever draws of whom; what nobody balances
    is of a single hand (jimei-2018 十一.8⑤). A wrong kitty beside right hands is another breach."""
    size = preset.cards.hand.value
    over = [seat for seat in SEATS if len(dealt[seat]) > size]
    missing = {seat: size - len(dealt[seat]) for seat in SEATS if len(dealt[seat]) < size}
    under, rows = list(missing), list[tuple[int, tuple[str, ...]]]()
    for seat in over:
        left, drawers = len(dealt[seat]) - size, [other for other in under if missing[other]]
        drawers.sort(key=lambda other: (other - seat) % 2)
        for short in drawers:
            if not left:
                break
            drawn = min(left, missing[short])
            left, missing[short] = left - drawn, missing[short] - drawn
            rows.append((seat, ("hand_size_opponents" if (short - seat) % 2 else "hand_size_partners", "hand_size")))
        if not drawers:
            rows.append((seat, ("hand_size",)))
    alone = [seat for seat in under if missing[seat] == size - len(dealt[seat])]
    rows += [(seat, SHORT) for seat in alone]
    found = [_before_play("hand_size", seat, preset.cards.hand, names) for seat, names in rows]
    kitty = record.kitty_dealt
    if not found and kitty is not None and len(kitty) != preset.cards.kitty.value:
        found.append(_before_play("kitty_size", record.dealer, preset.cards.kitty, ("kitty_count", "kitty_size")))
    return found


def _before_play(
    code: str,
    seat: int,
    rule: Ruled[Any],
    rows: tuple[str, ...],
    order: Order | None = None,
    cards: Sequence[int] = (),
    counted: tuple[int, int] = (1, 1),
) -> Breach:
    written = " ".join(CARDS[card] for card in order.sorted(cards)) if order else ""
    return Breach(code=code, seat=seat, trick=1, discovered_at=1, cards=written, rule=rule, rows=rows, counted=counted)
