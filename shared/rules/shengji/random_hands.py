"""Complete hands drawn from a seed, legal or with one breach of a kind; for tests, the demo and benchmarks.

The same seed gives the same hand under the same regulation. After a breach play goes on as the cards lie: what stood
stands, and a card too many or too few is missing or left over at the end.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, get_args

from msgspec import Struct

from shared.rules.cards import CARDS, COPIES, RANKS, SUITS, write_cards
from shared.rules.dice import Dice
from shared.rules.errors import NoSuchHand, UnknownBreach
from shared.rules.records import FORMAT, SEATS
from shared.rules.regulations.preset import Level, Preset
from shared.rules.shengji.components import runs
from shared.rules.shengji.follow import follow
from shared.rules.shengji.hand import Hand
from shared.rules.shengji.led import Led, lead
from shared.rules.shengji.order import TRUMPS, order
from shared.rules.shengji.penalties import of_dealers
from shared.rules.shengji.throws import check_throw
from shared.rules.shengji.trick import winner
from shared.rules.shengji.turns import FROM

_PLAYS = (
    "revoke",
    "wrong_follow",
    "failed_throw",
    "illegal_throw",
    "illegal_lead",
    "out_of_turn",
    "wrong_count",
    "card_not_held",
)
_DEAL = ("kitty_size", "hand_size", "illegal_declaration")
_LATE = "late_claim"


class Breach(Struct, frozen=True):
    """The breach that a hand was drawn with."""

    code: str
    seat: int
    trick: int


class DrawnHand(Struct, frozen=True):
    """A hand record as JSON, and the breach in it, if one was asked for."""

    record: dict[str, Any]
    breach: Breach | None


def breaches(preset: Preset) -> tuple[str, ...]:
    """The breaches that a hand can be drawn with under a regulation: of its play, and those a referee enters."""
    throws = "illegal_throw" if preset.throws.allowed.value else "failed_throw"
    limit = preset.match.play_seconds
    slow = ("slow_play",) if limit is not None and limit.value is not None else ()
    found = [code for code in (*_PLAYS, *_DEAL, *slow) if code != throws]
    entered = _entered(preset)
    return (*found, *entered, *([_LATE] if entered else []))


def _entered(preset: Preset) -> list[str]:
    """The codes that only a referee enters."""
    return [code for code in preset.penalties if code not in (*_PLAYS, *_DEAL, "slow_play")]


def random_hand(
    preset: Preset,
    seed: int,
    breach: str | None = None,
    *,
    dealer: int | None = None,
    levels: Mapping[str, Level] | None = None,
) -> DrawnHand:
    """A complete hand with `dealt`. breach: one of `breaches`; raises UnknownBreach for another. dealer, levels: as the
    match has them, drawn too where left out."""
    if breach is not None and breach not in breaches(preset):
        raise UnknownBreach(breach, preset.name, breaches(preset))
    for attempt in range(100):
        drawn = _Table(preset, Dice(seed * 1_000_003 + attempt), breach, dealer, levels).play()
        if breach is None or drawn.breach is not None:
            return drawn
    raise NoSuchHand(seed, breach or "")


class _Table:
    """Four seats that play at random.

    due: the number of the trick from which on the rules are broken; left: cards that each seat can still play.
    """

    def __init__(
        self,
        preset: Preset,
        dice: Dice,
        wanted: str | None,
        dealer: int | None,
        levels: Mapping[str, Level] | None,
    ):
        self.preset, self.dice, self.wanted = preset, dice, wanted
        known: tuple[Level, ...] = get_args(Level)
        drawn = {"13": dice.choice(known), "24": dice.choice(known)}
        self.levels = drawn if levels is None else dict(levels)
        seat = dice.choice(SEATS)
        self.dealer = seat if dealer is None else dealer
        self.level = self.levels["13" if self.dealer % 2 else "24"]
        self.trump = dice.choice(SUITS + "N" if preset.deal.no_trump.value and dice.happens(20) else SUITS)
        self.order = order(preset, self.trump, self.level)
        self.done: Breach | None = None
        self.due = 1 + dice.below(15)
        self._deal()
        self.tricks: list[dict[str, Any]] = []
        self.incidents: list[dict[str, Any]] = []
        self.leader = self.dealer

    def _deal(self) -> None:
        dice, size = self.dice, self.preset.cards.hand.value
        deck = dice.shuffled([card for card in range(len(CARDS)) for _ in range(COPIES)])
        dealt = {seat: deck[size * (seat - 1) : size * seat] for seat in SEATS}
        kitty = deck[size * 4 :]
        if self.wanted == "hand_size":
            self.done = Breach("hand_size", dice.choice(SEATS), 1)
            dealt[self.done.seat].append(kitty.pop())
        self.declarations = self._declarations(dealt)
        if self.wanted == "illegal_declaration":
            self.declarations.append(self._shows_nothing(dealt))
        self.dealt = {str(seat): self._written(cards) for seat, cards in dealt.items()}
        self.kitty_dealt = self._written(kitty)
        bury = len(kitty)
        if self.wanted == "kitty_size":
            self.done = Breach("kitty_size", self.dealer, 1)
            bury += 1 if dice.happens(50) else -1
        taken = dice.shuffled([*dealt[self.dealer], *kitty])
        self.kitty = self._written(taken[:bury])
        dealt[self.dealer] = taken[bury:]
        self.hands = [Hand(self.order, ())] + [Hand(self.order, dealt[seat]) for seat in SEATS]

    def _declarations(self, dealt: dict[int, list[int]]) -> list[dict[str, Any]]:
        """Whoever holds the level card of the trump suit may have shown it."""
        if self.trump == "N":
            return []
        card = SUITS.index(self.trump) * len(RANKS) + RANKS.index(self.level)
        holders = [seat for seat in SEATS if card in dealt[seat]]
        return [{"seat": self.dice.choice(holders), "cards": CARDS[card]}] if holders else []

    def _shows_nothing(self, dealt: dict[int, list[int]]) -> dict[str, Any]:
        """A card that shows no trumps, nor takes the deal as an ace does in some regulations."""
        seat = self.dice.choice(SEATS)
        shows = ("LJ", "BJ", *(suit + rank for suit in SUITS for rank in ("A", self.level)))
        plain = [CARDS[card] for card in dealt[seat] if CARDS[card] not in shows]
        self.done = Breach("illegal_declaration", seat, 1)
        return {"seat": seat, "cards": self.dice.choice(plain)}

    def play(self) -> DrawnHand:
        """Play to the end."""
        while sum(1 for seat in SEATS if self._left(seat)) > 1:
            self._trick()
        if self.wanted is not None and self.wanted not in (*_PLAYS, *_DEAL, "slow_play"):
            self._enter(self.wanted)
        record = {
            "format": FORMAT,
            "regulation": self.preset.name,
            "dealer": self.dealer,
            "levels": self.levels,
            "trump": self.trump,
            "dealt": self.dealt,
            "kitty_dealt": self.kitty_dealt,
            "kitty": self.kitty,
            "declarations": self.declarations,
            "tricks": self.tricks,
            "incidents": self.incidents,
        }
        return DrawnHand(record, self.done)

    def _enter(self, code: str) -> None:
        """An incident; what only the dealer side can do is the dealer's."""
        late = code == _LATE
        code = self.dice.choice(_entered(self.preset)) if late else code
        charge = self.preset.penalties[code].value
        seat = self.dealer if of_dealers(charge) else self.dice.choice(SEATS)
        trick = self.dice.below(min(10, len(self.tricks)))
        entered: dict[str, Any] = {"code": code, "seat": seat, "after_trick": trick}
        if late:
            entered["claimed_late"] = True
        elif charge.halves is not None:
            entered["lost"] = f"{charge.halves.least}/2"
        self.incidents.append(entered)
        self.done = Breach(_LATE if late else code, seat, trick + 1)

    def _left(self, seat: int) -> int:
        return sum(self.hands[seat].suits)

    def _cards(self, seat: int, suit: int | None = None) -> list[int]:
        """The cards of a seat, of one suit where it is given, in random order."""
        hand = self.hands[seat]
        cards = [card for card, count in enumerate(hand.counts) for _ in range(count)]
        return self.dice.shuffled([card for card in cards if suit is None or self.order.suit[card] == suit])

    # A trick

    def _trick(self) -> None:
        number = len(self.tricks) + 1
        now = self.wanted if self.done is None and number >= self.due else None
        while not self._left(self.leader):
            self.leader = self.leader % 4 + 1
        if now == "out_of_turn" and self.dice.happens(40):
            self.leader = FROM[self.leader][1 + self.dice.below(3)]
            self.done = Breach(now, self.leader, number)
        first = self._leads(now, number)
        cards = self._shown(first)
        led = lead(self.order, cards)
        self._take(self.leader, cards)
        seats = [seat for seat in FROM[self.leader][1:] if self._left(seat)]
        if now == "out_of_turn" and self.done is None and len(seats) == 3:
            at = self.dice.below(2)
            seats[at], seats[at + 1] = seats[at + 1], seats[at]
            self.done = Breach(now, seats[at], number)
        plays: list[Any] = [first]
        shown = [cards]
        for seat in seats:
            play = self._follows(seat, led, len(cards), now, number)
            shown.append(self._shown(play))
            self._take(seat, shown[-1])
            out_of_turn = self.done == Breach("out_of_turn", seat, number)
            plays.append({"cards": play, "seat": seat} if out_of_turn else play)
        self.tricks.append({"leader": self.leader, "plays": plays})
        if led is not None:
            self.leader = (self.leader, *seats)[winner(self.order, led, shown)]

    def _shown(self, play: str | dict[str, Any]) -> list[int]:
        text = play if isinstance(play, str) else play["cards"]
        return [CARDS.index(card) for card in text.split(" ")]

    def _take(self, seat: int, cards: Sequence[int]) -> None:
        self.hands[seat].remove(cards)

    def _written(self, cards: Sequence[int]) -> str:
        return write_cards(self.dice.shuffled(cards))

    # Leads

    def _leads(self, now: str | None, number: int) -> Any:
        breaks: dict[str, Callable[[], Any]] = {
            "failed_throw": self._throws,
            "illegal_throw": self._throws,
            "illegal_lead": self._mixes,
            "slow_play": self._dawdles,
        }
        play = breaks[now]() if now in breaks else None
        if play is None:
            return self._written(self._lead())
        self.done = Breach(now or "", self.leader, number)
        return play

    def _lead(self) -> list[int]:
        """A legal lead, as large as chance allows."""
        cards = self._cards(self.leader)
        suit = self.order.suit[cards[0]]
        pairs = self.hands[self.leader].pairs(suit)
        rising = {self.order.step[card]: card for card in pairs}
        tractors = [run for run in runs(rising) if len(run) > 1]
        if tractors and self.dice.happens(70):
            return [rising[step] for step in self.dice.choice(tractors) for _ in (0, 1)]
        if self.preset.throws.allowed.value and self.dice.happens(15):
            led = lead(self.order, self._cards(self.leader, suit))
            if led is not None and check_throw(self.order, led, self._others()).stands:
                return [card for part in led.components for card in part.cards]
        if pairs and self.dice.happens(60):
            return [self.dice.choice(pairs)] * 2
        return cards[:1]

    def _others(self) -> list[Hand]:
        return [self.hands[seat] for seat in SEATS if seat != self.leader]

    def _throws(self) -> dict[str, Any] | None:
        """A throw that fails or is forbidden, and what must be led instead."""
        for suit in self.dice.shuffled(range(TRUMPS + 1)):
            cards = self._cards(self.leader, suit)[: 2 + self.dice.below(3)]
            led = lead(self.order, cards) if cards else None
            if led is None or led.kind != "throw":
                continue
            if not self.preset.throws.allowed.value:
                return {"cards": self._written(led.components[-1].cards), "attempted": self._written(cards)}
            throw = check_throw(self.order, led, self._others())
            if throw.must_play is not None:
                return {"cards": self._written(throw.must_play.cards), "attempted": self._written(cards)}
        return None

    def _mixes(self) -> Any:
        """Cards of two suits, which stand or are taken back."""
        cards = self._cards(self.leader)
        other = [card for card in cards if self.order.suit[card] != self.order.suit[cards[0]]]
        if not other or min(map(self._left, SEATS)) < 4:
            return None
        mixed = self._written([cards[0], other[0]])
        return {"cards": self._written(self._lead()), "corrected": mixed} if self.dice.happens(50) else mixed

    def _dawdles(self) -> dict[str, Any]:
        limit = self.preset.match.play_seconds
        seconds = 1 + (limit.value or 0 if limit is not None else 0)
        return {"cards": self._written(self._lead()), "seconds": seconds + self.dice.below(60)}

    # Following

    def _follows(self, seat: int, led: Led | None, size: int, now: str | None, number: int) -> Any:
        breaks: dict[str, Callable[[int, Led, list[int]], Any]] = {
            "revoke": self._revokes,
            "wrong_follow": self._corrects,
            "wrong_count": self._miscounts,
            "card_not_held": self._borrows,
        }
        size = min(size, self._left(seat))
        legal = self._cards(seat)[:size] if led is None or size < led.size else self._follow(seat, led)
        breaking = breaks.get(now or "") if self.done is None and led is not None and size == led.size else None
        play = breaking(seat, led, legal) if breaking is not None and led is not None else None
        if play is None:
            return self._written(legal)
        self.done = Breach(now or "", seat, number)
        return play

    def _follow(self, seat: int, led: Led) -> list[int]:
        """A legal answer: all of the suit and something else, or what duty asks, filled up with the suit."""
        hand, suit = self.hands[seat], led.suit
        if hand.suits[suit] <= led.size:
            own = self._cards(seat, suit)
            rest = [card for card in self._cards(seat) if self.order.suit[card] != suit]
            if not own and self.dice.happens(40):
                rest.sort(key=lambda card: self.order.suit[card] != TRUMPS)
            return own + rest[: led.size - len(own)]
        for _ in range(4):
            cards = self._cards(seat, suit)[: led.size]
            if follow(self.preset.follow, led, hand, cards) == "ok":
                return cards
        return self._dutiful(seat, led)

    def _dutiful(self, seat: int, led: Led) -> list[int]:
        """Tractors as the regulation asks, then pairs, then anything of the suit."""
        pairs = self.dice.shuffled(self.hands[seat].pairs(led.suit))
        chosen: list[int] = []
        for length in led.tractors if self.preset.follow.tractors.value == "led_or_longest" else ():
            due = length
            while due > 1:
                rising = {self.order.step[card]: card for card in pairs}
                longest = max(runs(rising), key=len, default=[])[:due]
                if len(longest) < 2:
                    break
                taken = [rising[step] for step in longest]
                chosen += taken
                pairs = [card for card in pairs if card not in taken]
                due -= len(taken)
        chosen += pairs[: max(led.pairs - len(chosen), 0)]
        cards = [card for card in chosen for _ in (0, 1)]
        rest = self._cards(seat, led.suit)
        for card in cards:
            rest.remove(card)
        return cards + rest[: led.size - len(cards)]

    def _wrong(self, seat: int, led: Led) -> list[int] | None:
        """A play of the right size that keeps back suit, pair or tractor."""
        hand = self.hands[seat]
        if not hand.suits[led.suit]:
            return None
        other = [card for card in self._cards(seat) if self.order.suit[card] != led.suit]
        for _ in range(4):
            cards = self._cards(seat, led.suit)[: led.size]
            if len(cards) < led.size or (other and self.dice.happens(50)):
                keep = min(self.dice.below(led.size), len(cards))
                cards = cards[:keep] + other[: led.size - keep]
            if len(cards) == led.size and follow(self.preset.follow, led, hand, cards) != "ok":
                return cards
        return None

    def _revokes(self, seat: int, led: Led, _legal: list[int]) -> str | None:
        cards = self._wrong(seat, led)
        return None if cards is None or self._left(seat) == led.size else self._written(cards)

    def _corrects(self, seat: int, led: Led, legal: list[int]) -> dict[str, Any] | None:
        cards = self._wrong(seat, led)
        return None if cards is None else {"cards": self._written(legal), "corrected": self._written(cards)}

    def _miscounts(self, seat: int, led: Led, legal: list[int]) -> str | None:
        """One card too many or, of several, one too few."""
        if self._left(seat) < led.size + 3:
            return None
        if led.size > 1 and self.dice.happens(50):
            return self._written(legal[1:])
        rest = self._cards(seat)
        for card in legal:
            rest.remove(card)
        return self._written([*legal, rest[0]])

    def _borrows(self, seat: int, led: Led, legal: list[int]) -> str | None:
        """A card of another hand in place of one's own, which then never appears."""
        hand = self.hands[seat]
        others = [card for other in SEATS if other != seat for card in self._cards(other)]
        strange = next((card for card in self.dice.shuffled(others) if not hand.counts[card]), None)
        if strange is None or led.size != 1:
            return None
        hand.remove(legal)
        hand.counts[strange] += 1
        hand.suits[self.order.suit[strange]] += 1
        return self._written([strange])
