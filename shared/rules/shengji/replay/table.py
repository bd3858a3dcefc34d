"""The table during a replay: the hands as they are played out, and the breaches taken down."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from shared.rules.basis import Ruled
from shared.rules.cards import CARDS, write_cards
from shared.rules.errors import refused
from shared.rules.records import SEATS
from shared.rules.regulations.preset import Preset
from shared.rules.shengji.dealt import plays_of, start
from shared.rules.shengji.hand import Hand
from shared.rules.shengji.irregularities import Breach, Withheld
from shared.rules.shengji.order import Order, order
from shared.rules.shengji.record import Play, Record


class Act:
    """One play: where it stands in the record, whose it is, its cards, and what else the record says of it."""

    __slots__ = ("cards", "given", "index", "number", "seat")

    def __init__(self, index: int, number: int, seat: int, cards: list[int], given: Play | None) -> None:
        self.index, self.number, self.seat, self.cards, self.given = index, number, seat, cards, given

    @property
    def place(self) -> str:
        """Where the record has it."""
        return f"tricks[{self.index}].plays[{self.number}]"


class Table:
    """Hands and breaches. Lists by seat begin at index 1.

    whole: cards to be played from the first trick on; left: those less what was played, but for `even`, which every
    seat has played besides; sure: the hand is known from the deal; kitty: what was buried, None when it cannot be told;
    led_cards: of the trick in play; drawing: seats among which cards go over (`dealt`); robbed: seats from whose hand
    another one's strange play was taken, and `loose`: what never appeared of the hand that made it; doubtful: seats
    that may be left with a card which the record does not explain, so that what they kept back must show in their
    plays.
    """

    def __init__(self, preset: Preset, record: Record):
        self.preset, self.record = preset, record
        self.order: Order = order(preset, record.trump, record.dealer_level)
        begun = start(preset, self.order, record)
        self.hands, self.left, self.sure, self.kitty = begun.hands, begun.left, begun.sure, begun.kitty
        self.whole, self.breaches = tuple(begun.left), begun.breaches
        self.even = 0
        self.led_cards: list[int] = []
        self.drawing = begun.drawing
        self.robbed: set[int] = set(begun.robbed)
        self.doubtful: set[int] = set(begun.doubtful)
        self.loose = [0] * len(CARDS)
        if begun.robbed:
            self._loosen(record.dealer, self.later(record.dealer, -1))

    def is_late(self, act: Act) -> bool:
        """Whether a card of a later trick was played, so that nothing is put right any more."""
        return any(trick.plays for trick in self.record.tricks[act.index + 1 :])

    def later_plays(self, act: Act) -> list[tuple[int, list[int]]]:
        """What the seat plays in later tricks: each trick's number from 1, and the cards."""
        return plays_of(self.record, self.whole, act.seat, act.index)

    def later(self, seat: int, index: int) -> Hand:
        """What a seat plays in the tricks after the one at this index."""
        plays = plays_of(self.record, self.whole, seat, index)
        return Hand(self.order, [card for _, cards in plays for card in cards])

    def _loosen(self, seat: int, stays: Hand) -> None:
        """What a hand holds and never plays is with somebody else."""
        for card in range(len(CARDS)):
            self.loose[card] += max(self.hands[seat].counts[card] - stays.counts[card], 0)

    def others(self, seat: int) -> list[Hand]:
        """The other three hands."""
        return [self.hands[other] for other in SEATS if other != seat]

    def shown(self, act: Act) -> list[Hand]:
        """Of the other three hands what their seats play from this trick on."""
        return [self.later(other, act.index - 1) for other in SEATS if other != act.seat]

    def strange(self, act: Act) -> list[int]:
        """The cards of a play that its seat does not hold and another does.

        One that went over when the sizes were put right, or the other way after a strange play, is in order. Raises
        RuleError for a card that nobody holds.
        """
        hand, strange, seen = self.hands[act.seat], [], [0] * len(CARDS)
        if act.number == 0:
            self.led_cards = act.cards
        for card in act.cards:
            seen[card] += 1
            if hand.counts[card] >= seen[card]:
                continue
            if self._went_over(act.seat, card):
                hand.add(card)
            elif any(self.hands[seat].counts[card] for seat in SEATS if seat != act.seat):
                strange.append(card)
            else:
                name = CARDS[card]
                raise refused(act.place, f"has {name}, which nobody holds", f"中的 {name} 无人持有")
        return strange

    def _went_over(self, seat: int, card: int) -> bool:
        """Whether the card came to the seat in order, and from where it is then gone."""
        if seat in self.robbed and self.loose[card]:
            self.loose[card] -= 1
            return True
        givers = self.drawing if seat in self.drawing else ()
        giver = next((self.hands[other] for other in givers if other != seat and self.hands[other].counts[card]), None)
        if giver is not None:
            giver.remove((card,))
        return giver is not None

    def take(self, act: Act, strange: Sequence[int]) -> None:
        """Take a play out of its hand. After a strange one the hand is what its seat still plays: a card of it has gone
        where the record does not show."""
        hand = self.hands[act.seat]
        own = list(act.cards)
        for card in strange:
            own.remove(card)
        hand.remove(own)
        self.left[act.seat] -= len(act.cards)
        if self.left[act.seat] < self.even:
            raise refused(act.place, "is more than the hand has left", "超出手中余牌")
        if act.number and len(act.cards) < len(self.led_cards):
            self.doubtful.add(act.seat)
        if not strange:
            return
        self.robbed |= {seat for seat in SEATS if seat != act.seat and any(self.hands[seat].counts[c] for c in strange)}
        self.doubtful |= {act.seat, *self.robbed}
        stays = self.later(act.seat, act.index)
        self._loosen(act.seat, stays)
        self.hands[act.seat] = stays
        self.sure[act.seat] = False

    def breach(
        self,
        act: Act,
        code: str,
        cards: Sequence[int],
        rule: Ruled[Any],
        rows: tuple[str, ...],
        counted: tuple[int, ...],
        *,
        withheld: Withheld | None = None,
        seen: int | None = -1,
        free: bool = False,
        unproven: frozenset[int] = frozenset(),
    ) -> None:
        """Take down a breach of a rule. seen: the trick in which it can be seen, its own where not given."""
        trick = act.index + 1
        self.breaches.append(
            Breach(
                code=code,
                seat=act.seat,
                trick=trick,
                discovered_at=trick if seen == -1 else seen,
                cards=write_cards(self.order.sorted(cards)),
                rule=rule,
                rows=rows,
                counted=(counted[0], counted[1]),
                free=free,
                unproven=frozenset({act.seat}) if seen is None else unproven,
                withheld=withheld,
            )
        )
