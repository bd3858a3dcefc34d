"""Hands as two pairs could have played them: made up from a seed, and legal under the regulation.

Who deals follows from the hand before (轮庄法), levels from the level table after every penalty, points are multiples
of what the cards are worth. The rules decide all of that here as they do in the server; only points, trumps and
breaches are made up."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from msgspec import Struct
from msgspec.structs import replace

from shared.rules.basis import Text
from shared.rules.regulations.preset import Level, Preset
from shared.rules.shengji.facts import PAIRS, SUITS, HandFact, Pair, PenaltyFact, other, pair_of
from shared.rules.shengji.match import MatchSummary, resum
from shared.rules.shengji.penalties import price
from shared.rules.shengji.results import MatchResult, result

FEWEST, MOST = 5, 7
"""Hands that a table plays in the hour of a round."""
ALL_CARDS = 200
MIDDLE, SPREAD, TILT = 72, 36, 34
"""The attackers' points: what is usual, how far they vary, and how far a stronger pair moves them."""


class Breach(Struct, frozen=True, kw_only=True):
    """A breach that the referee charges, by its code."""

    hand: int
    pair: Pair
    code: str
    cards: int | None = None
    reason: Text = Text("", "")


class Hand(Struct, frozen=True, kw_only=True):
    """A hand as played. misread: the points that the referee entered first, and corrected by the score sheet."""

    number: int
    dealer: int
    points: int
    trump: str
    levels: dict[Pair, Level]
    breaches: tuple[Breach, ...] = ()
    misread: int | None = None


class Played(Struct, frozen=True, kw_only=True):
    """A match as played: its hands, the sum of them, and the result for the two teams."""

    hands: tuple[Hand, ...]
    summary: MatchSummary
    result: MatchResult

    @property
    def breaches(self) -> list[Breach]:
        """All breaches in the order in which they were charged."""
        return [breach for hand in self.hands for breach in hand.breaches]


BREACHES: tuple[tuple[str, int | None, Text], ...] = (
    ("failed_throw", 2, Text("甩 AKK，对 K 被卡", "threw A K K, the pair of kings was beaten")),
    ("failed_throw", 1, Text("甩牌，单张被卡", "a throw with one beaten card")),
    ("out_of_turn", 1, Text("越序跟牌一张", "followed before the turn")),
    ("early_draw_seen", None, Text("越序抓牌，牌已看到", "drew out of turn and saw the card")),
    ("wrong_follow", 2, Text("有对不跟对", "held a pair and did not follow with it")),
    ("hand_size", None, Text("起牌后多一张", "had one card too many after the deal")),
    ("signalling", None, Text("出牌时言语提示同伴", "spoke to the partner while playing")),
)
"""What happens at tables: code, cards counted, and what the referee writes."""
BREACH_RATE = 0.07


def play(preset: Preset, random: Random, edge: float) -> Played:
    """A match between two pairs. edge: how much stronger pair 13 is than pair 24, about -1 to 1. A match is played
    again from the start when it would have fewer hands than an hour has."""
    while True:
        hands = _play(preset, random, edge, random.randint(FEWEST, MOST))
        if len(hands) >= FEWEST:
            return over(preset, hands)


def over(preset: Preset, hands: Sequence[Hand]) -> Played:
    """The match that these hands make when it is over: a pair has passed A, or time was called."""
    summary = resummed(preset, hands)
    return Played(
        hands=tuple(hands),
        summary=summary,
        result=result(preset, summary, "played" if summary.won_by else "time"),
    )


def resummed(preset: Preset, hands: Sequence[Hand]) -> MatchSummary:
    """The sum of these hands and their penalties."""
    facts = [HandFact(number=h.number, dealer_seat=h.dealer, points=h.points, trump=h.trump) for h in hands]
    breaches = [breach for hand in hands for breach in hand.breaches]
    return resum(preset, facts, [_charged(preset, n, breach) for n, breach in enumerate(breaches, 1)])


def without(preset: Preset, played: Played, wrong: Breach) -> Played:
    """The match as it is when one breach is not charged."""
    kept = [replace(h, breaches=tuple(b for b in h.breaches if b is not wrong)) for h in played.hands]
    return over(preset, kept)


def _play(preset: Preset, random: Random, edge: float, most: int) -> list[Hand]:
    hands: list[Hand] = []
    summary = resummed(preset, hands)
    while len(hands) < most and summary.won_by is None:
        dealer = summary.next_dealer or random.choice((1, 2, 3, 4))
        hand = Hand(
            number=len(hands) + 1,
            dealer=dealer,
            points=_points(random, edge if pair_of(dealer) == "13" else -edge),
            trump=random.choice(SUITS),
            levels=dict(summary.levels),
        )
        hands.append(replace(hand, breaches=_breaches(random, hand)))
        summary = resummed(preset, hands)
    return hands


def _points(random: Random, dealers_edge: float) -> int:
    """The attackers' points with the kitty: few against strong dealers, and more than all cards hold where the last
    trick brings a kitty."""
    trick_points = random.gauss(MIDDLE - TILT * dealers_edge, SPREAD)
    points = min(max(round(trick_points / 5) * 5, 0), ALL_CARDS)
    if 0 < points < ALL_CARDS - 40 and random.random() < 0.15:
        points += random.choice((2, 4)) * random.choice((5, 10))
    return points


def _breaches(random: Random, hand: Hand) -> tuple[Breach, ...]:
    if random.random() >= BREACH_RATE:
        return ()
    code, cards, reason = random.choice(BREACHES)
    return (Breach(hand=hand.number, pair=random.choice(PAIRS), code=code, cards=cards, reason=reason),)


def _charged(preset: Preset, number: int, breach: Breach) -> PenaltyFact:
    priced = price(preset, breach.code, breach.cards)
    return PenaltyFact(
        id=f"p{number}",
        code=breach.code,
        hand=breach.hand,
        pair=breach.pair,
        points=priced.points,
        effects=priced.effects,
    )


# The match that is appealed over


class Disputed(Struct, frozen=True, kw_only=True):
    """A match that a penalty wrongly decided. card: what was taken for a card of this
    suit withheld, and was a trump."""

    charged: Played
    rightly: Played
    wrong: Breach
    suit: str
    card: str

    @property
    def hand(self) -> Hand:
        return self.charged.hands[self.wrong.hand - 1]


def play_disputed(preset: Preset, random: Random, edge: float) -> Disputed:
    """A match in whose last hand a revoke (藏张) is charged that was none: the dealers win without it and lose with
    it. What looked like a card of a suit withheld was the level card, which is a trump."""
    while True:
        played = play(preset, random, edge)
        found = _disputed(preset, random, played)
        if found is not None:
            return found


def _disputed(preset: Preset, random: Random, rightly: Played) -> Disputed | None:
    last = rightly.hands[-1]
    dealers = pair_of(last.dealer)
    if last.breaches or rightly.summary.won_by or _winner(rightly) != dealers:
        return None
    suit = random.choice([suit for suit in SUITS if suit != last.trump])
    mark = MARKS[suit]
    card = f"{mark}{shown(last.levels[dealers])}"
    reason = Text(f"{mark} 垫牌后又出 {card}，判藏张", f"discarded on {mark}, then played {card}: revoke")
    wrong = Breach(hand=last.number, pair=dealers, code="revoke", reason=reason)
    charged = over(preset, [*rightly.hands[:-1], replace(last, breaches=(wrong,))])
    if _winner(charged) != other(dealers):
        return None
    return Disputed(charged=charged, rightly=rightly, wrong=wrong, suit=mark, card=card)


def _winner(played: Played) -> Pair | None:
    one, two = played.result.points
    return None if one == two else "13" if one > two else "24"


MARKS = {"S": "♠", "H": "♥", "C": "♣", "D": "♦"}


def shown(level: str) -> str:
    """A level as people write it."""
    return "10" if level == "T" else level
