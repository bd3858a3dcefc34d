"""Complete hands drawn from a seed, legal or with one breach of a kind; for tests, the demo and benchmarks.

The same seed gives the same hand under the same regulation. After a breach play goes on as the cards lie: an illegal
play stands, turns go on from who acted.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from msgspec import Struct

from shared.rules.dice import Dice
from shared.rules.errors import NoSuchHand, UnknownBreach
from shared.rules.guandan.cards import LEVELS, RANK_OF, written
from shared.rules.guandan.levels import PAIRS, Pair, partner_of
from shared.rules.guandan.moves import Move, Moves, by_rank
from shared.rules.guandan.readings import FIRST_BOMB, Readings, table, weakest_beating
from shared.rules.guandan.turns import FREE, Turn, after_pass, after_play
from shared.rules.records import FORMAT, SEATS
from shared.rules.regulations.guandan import GuandanPreset
from shared.rules.regulations.preset import Level

DECK: tuple[str, ...] = tuple(card for card in RANK_OF for _ in range(2))
_FOUND = ("illegal_play", "out_of_turn", "card_not_held", "hand_size", "not_announced", "slow_play")


class Breach(Struct, frozen=True):
    """The breach that a hand was drawn with."""

    code: str
    seat: int
    trick: int


class DrawnHand(Struct, frozen=True):
    """A hand record as JSON, and the breach in it, if one was asked for."""

    record: dict[str, Any]
    breach: Breach | None


def breaches(preset: GuandanPreset) -> tuple[str, ...]:
    """The breaches that a hand can be drawn with under a regulation: of its play, and those a referee enters."""
    return (*_FOUND, *(code for code in preset.penalties if code not in _FOUND))


def random_hand(
    preset: GuandanPreset,
    seed: int,
    breach: str | None = None,
    *,
    own: Pair | None = None,
    levels: Mapping[Pair, Level] | None = None,
) -> DrawnHand:
    """A complete hand with `dealt`. breach: one of `breaches`; raises UnknownBreach for another. own, levels: as the
    match has them, drawn too where left out."""
    if breach is not None and breach not in breaches(preset):
        raise UnknownBreach(breach, preset.name, breaches(preset))
    for attempt in range(100):
        drawn = _Table(preset, Dice(seed * 1_000_003 + attempt), breach, own, levels).play()
        if breach is None or drawn.breach is not None:
            return drawn
    raise NoSuchHand(seed, breach or "")


@lru_cache(maxsize=16)
def _moves(readings: Readings) -> Moves:
    return Moves(readings)


class _Table:
    """Four seats that play at random.

    due: the number of the act from which on the rules are broken, None when they are not; never the first, since the
    record itself says who leads.
    """

    def __init__(
        self,
        preset: GuandanPreset,
        dice: Dice,
        breach: str | None,
        own: Pair | None,
        levels: Mapping[Pair, Level] | None,
    ):
        self.preset, self.dice, self.wanted = preset, dice, breach
        drawn = {pair: dice.choice(LEVELS) for pair in PAIRS}
        self.levels = drawn if levels is None else dict(levels)
        pair = dice.choice(PAIRS)
        self.own = pair if own is None else own
        self.level = self.levels[self.own]
        self.readings = table(preset.plays, self.level)
        self.moves = _moves(self.readings)
        deck = dice.shuffled(DECK)
        size = preset.cards.hand.value
        self.hands = {seat: deck[size * (seat - 1) : size * seat] for seat in SEATS}
        self.done: Breach | None = None
        if breach == "hand_size":
            seat = dice.choice(SEATS)
            self.hands[seat].pop()
            self.done = Breach(breach, seat, 1)
        self.dealt = {str(seat): written(hand, self.level) for seat, hand in self.hands.items()}
        self.due = 1 + dice.below(60) if breach in _FOUND and not self.done else None
        self.out: list[int] = []
        self.plays: list[dict[str, Any]] = []
        self.incidents: list[dict[str, Any]] = []
        self.turn = Turn(dice.choice(SEATS), 1)

    def play(self) -> DrawnHand:
        """Play to the end."""
        while not self._over():
            broken = self.due is not None and self.done is None and len(self.plays) >= self.due
            if not (broken and self._break()):
                self._act()
        if self.wanted is not None and self.wanted not in _FOUND:
            self._enter(self.wanted)
        record = {
            "format": FORMAT,
            "regulation": self.preset.name,
            "levels": self.levels,
            "own": self.own,
            "dealt": self.dealt,
            "plays": self.plays,
            "incidents": self.incidents,
        }
        return DrawnHand(record, self.done)

    def _enter(self, code: str) -> None:
        """What a referee saw, in one of the rounds that were played."""
        seat, trick = self.dice.choice(SEATS), self.dice.below(self.turn.trick)
        self.incidents.append({"code": code, "seat": seat, "after_trick": trick})
        self.done = Breach(code, seat, trick + 1)

    def _over(self) -> bool:
        return len(self.out) == 3 or (len(self.out) == 2 and partner_of(self.out[0]) == self.out[1])

    def _act(self) -> None:
        turn = self.turn
        cards = self._choose(turn.seat, turn.standing)
        if cards is None:
            self.plays.append({"seat": turn.seat, "pass": True})
            self.turn = after_pass(turn, self.out, self.preset.table.wind.value)
        else:
            self._put(turn.seat, cards)

    def _choose(self, seat: int, standing: int | None) -> list[str] | None:
        """Cards that may be played, None to pass."""
        dice, hand = self.dice, self.hands[seat]
        if standing is not None and dice.happens(25):
            return None
        flushes = list(self.moves.flushes(hand)) if dice.happens(20) else []
        flushes = [cards for cards in flushes if self._stands(cards, standing) is not None]
        if flushes:
            return dice.choice(flushes)
        moves = self.moves.fitting(hand, None if standing == FREE else standing)
        small = [move for move in moves if move.strengths[0] < FIRST_BOMB]
        if small and dice.happens(85):
            moves = small
        if not moves:
            return None
        drawn = [dice.choice(moves) for _ in range(3)]
        return self._cards(hand, max(drawn, key=lambda move: move.size))

    def _cards(self, hand: Sequence[str], move: Move) -> list[str]:
        """Cards of a hand that make a move, suits at random."""
        wild = f"H{self.level}"
        held = by_rank(hand, wild)
        cards = [card for rank, count in move.ranks for card in self.dice.shuffled(held[rank])[:count]]
        return cards + [wild] * move.wilds

    def _stands(self, cards: Sequence[str], standing: int | None) -> int | None:
        strengths = self.readings.strengths(self.readings.encode(cards))
        if standing is None or standing == FREE:
            return strengths[0] if strengths else None
        return weakest_beating(strengths, standing)

    def _put(self, seat: int, cards: Sequence[str], **more: object) -> None:
        """Play cards that the hand holds, as the turn stands."""
        strength = self._stands(cards, self.turn.standing)
        if strength is None:
            strength = self._stands(cards, None) or FREE
        line: dict[str, Any] = {"seat": seat, "cards": " ".join(self.dice.shuffled(cards)), **more}
        if strength != FREE and self.dice.happens(20):
            line["reading"] = self._named(strength)
        for card in cards:
            self.hands[seat].remove(card)
        if 0 < len(self.hands[seat]) <= self.preset.table.announce_at.value and self.dice.happens(50):
            line.setdefault("announced", True)
        self.plays.append(line)
        if not self.hands[seat]:
            self.out.append(seat)
        if not self._over():
            self.turn = after_play(self.turn, seat, strength, self.out, self.preset.table.wind.value)

    def _named(self, strength: int) -> dict[str, str]:
        reading = self.readings.reading(strength)
        return {"kind": reading.kind, "rank": reading.rank}

    # Breaches

    def _break(self) -> bool:
        """Break the rules now; False when it cannot be done here."""
        breaks: dict[str, Callable[[], bool]] = {
            "illegal_play": self._illegal,
            "out_of_turn": self._early,
            "card_not_held": self._strange,
            "not_announced": self._silent,
            "slow_play": self._slow,
        }
        seat, trick = self.turn.seat, self.turn.trick
        if not breaks[self.wanted or ""]():
            return False
        self.done = self.done or Breach(self.wanted or "", seat, trick)
        return True

    def _illegal(self) -> bool:
        hand = self.hands[self.turn.seat]
        for _ in range(20):
            cards = self.dice.shuffled(hand)[: 1 + self.dice.below(min(6, len(hand)))]
            if self._stands(cards, self.turn.standing) is None:
                self._put(self.turn.seat, cards)
                return True
        return False

    def _early(self) -> bool:
        seats = [seat for seat in SEATS if seat != self.turn.seat and seat not in self.out and seat != self.turn.owner]
        seat = self.dice.choice(seats)
        cards = self._choose(seat, self.turn.standing)
        if cards is None:
            return False
        self.done = Breach("out_of_turn", seat, self.turn.trick)
        self._put(seat, cards)
        return True

    def _strange(self) -> bool:
        """A card of another hand is played in place of one's own, which then never appears."""
        seat, hand = self.turn.seat, self.hands[self.turn.seat]
        others = [card for other in SEATS for card in self.hands[other] if card not in hand]
        for card in self.dice.shuffled(others)[:30]:
            if self._stands([card], self.turn.standing) is not None:
                lost = self.dice.choice(hand)
                hand[hand.index(lost)] = card
                self._put(seat, [card])
                return True
        return False

    def _silent(self) -> bool:
        turn = self.turn
        cards = self._choose(turn.seat, turn.standing)
        left = len(self.hands[turn.seat]) - len(cards or ())
        if cards is None or not 0 < left <= self.preset.table.announce_at.value:
            return False
        said = any(line["seat"] == turn.seat and line.get("announced") for line in self.plays)
        if said:
            return False
        self._put(turn.seat, cards, announced=False)
        return True

    def _slow(self) -> bool:
        self._act()
        self.plays[-1]["seconds"] = self.preset.table.play_seconds.value + 1 + self.dice.below(60)
        return True
