"""A hand record replayed: who won what, which breaches there were and what they cost, and what the hand changes.

A record may break the rules, as real play does: what stood is played on, and a breach is taken down once. Only an
impossible record is an error (RECORDS). A trick of single cards without a breach, which most are, takes a short way.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from shared.rules.basis import Basis, gather
from shared.rules.cards import CODES
from shared.rules.errors import refused
from shared.rules.records import SEATS
from shared.rules.regulations.preset import Preset
from shared.rules.shengji.irregularities import Irregularity, priced
from shared.rules.shengji.kitty import KittyCredit, kitty_credit
from shared.rules.shengji.led import Led, lead
from shared.rules.shengji.levels import LevelChange
from shared.rules.shengji.moved_deal import moved_change, moves_deal
from shared.rules.shengji.order import TRUMPS, Order
from shared.rules.shengji.points import card_points, points_of
from shared.rules.shengji.record import Play, Record, Trick, cards_at, cards_of, read_record
from shared.rules.shengji.replay.acts import judge_time, judge_turn
from shared.rules.shengji.replay.follows import judge_follow
from shared.rules.shengji.replay.incidents import with_incidents
from shared.rules.shengji.replay.leads import judge_lead
from shared.rules.shengji.replay.table import Act, Table
from shared.rules.shengji.showings import showings
from shared.rules.shengji.trick import winner
from shared.rules.shengji.turns import FROM, seats_of
from shared.rules.verdict import Void


class PlayedTrick(Struct, frozen=True):
    """seats: in order of play; winner: None while the trick is not finished; attacker_points: with this trick, from
    cards alone."""

    seats: tuple[int, ...]
    winner: int | None
    points: int
    attacker_points: int


class Replayed(Struct, frozen=True, kw_only=True):
    """A hand replayed.

    kitty, level_change: None when the hand was not played to its end, or when the record does not tell what was buried;
    void: why the hand is dealt again (jimei-2018 十一.1), None for one that counts; a void hand changes no levels;
    attacker_points: with kitty and penalties.
    """

    record: Record
    order: Order
    complete: bool
    tricks: tuple[PlayedTrick, ...]
    kitty: KittyCredit | None
    kitty_cards: tuple[int, ...] | None
    irregularities: tuple[Irregularity, ...]
    card_points: int
    attacker_points: int
    level_change: LevelChange | None
    void: Void | None
    basis: tuple[Basis, ...]


def replay(preset: Preset, record: object) -> Replayed:
    """Replay a record given as a JSON object.

    Raises RuleError for what is no record and for an impossible one (a card beyond the pack, a card nobody holds, a
    play after the hand's end), naming the place.
    """
    return replay_record(preset, read_record(preset, record))


def replay_record(preset: Preset, record: Record) -> Replayed:
    """Replay a record that has been read; see `replay`."""
    return _Run(preset, record).result()


class _Run(Table):
    """The tricks of a record, played one after the other.

    last: of how many cards the hand is over, that is when at most one seat has any; due: who leads, None when play
    cannot tell; besides: who may lead as well, having won if a card too many or a strange one went back; attackers:
    their points from cards; led, won_by_trump: of the trick finished last.
    """

    def __init__(self, preset: Preset, record: Record):
        super().__init__(preset, record)
        self.breaches += showings(preset, record, self._played)
        self.points = card_points(preset)
        self.last = sorted(self.left[1:])[-2]
        self.due: int | None = record.dealer
        self.besides: frozenset[int] = frozenset()
        self.attackers = 0
        self.tricks: list[PlayedTrick] = []
        self.led: Led | None = None
        self.won_by_trump = False
        self._play()

    def _played(self, seat: int) -> list[int]:
        """What a seat plays in the whole hand, and buries."""
        return self.later(seat, -1).cards() + list(self.kitty or () if seat == self.record.dealer else ())

    def _play(self) -> None:
        """Every trick."""
        for index, trick in enumerate(self.record.tricks):
            if self.even >= self.last:
                raise refused(f"tricks[{index}].plays[0]", "comes after the hand's end", "在该副牌结束之后")
            if not self._singles(trick):
                self._trick(index, trick)

    def _singles(self, trick: Trick) -> bool:
        """A trick of four single cards in which nothing is wrong; False, with nothing changed, for any other."""
        plays = trick.plays
        leader: int = trick.leader
        if leader != self.due or len(plays) != 4:
            return False
        one, two, three, four = plays
        try:
            a, b, c, d = CODES[one], CODES[two], CODES[three], CODES[four]  # type: ignore[index]
        except (KeyError, TypeError):
            return False
        seats = FROM[leader]
        hands = self.hands
        first, second, third, fourth = hands[leader], hands[seats[1]], hands[seats[2]], hands[seats[3]]
        held, held2, held3, held4 = first.counts, second.counts, third.counts, fourth.counts
        if not (held[a] and held2[b] and held3[c] and held4[d]):
            return False
        suit = self.order.suit
        led, suit2, suit3, suit4 = suit[a], suit[b], suit[c], suit[d]
        if (
            (suit2 != led and second.suits[led])
            or (suit3 != led and third.suits[led])
            or (suit4 != led and fourth.suits[led])
        ):
            return False
        held[a] -= 1
        held2[b] -= 1
        held3[c] -= 1
        held4[d] -= 1
        first.suits[led] -= 1
        second.suits[suit2] -= 1
        third.suits[suit3] -= 1
        fourth.suits[suit4] -= 1
        self.even += 1
        power = self.order.power
        best, won = power[a], leader
        if power[b] > best and suit2 in (led, TRUMPS):
            best, won = power[b], seats[1]
        if power[c] > best and suit3 in (led, TRUMPS):
            best, won = power[c], seats[2]
        if power[d] > best and suit4 in (led, TRUMPS):
            best, won = power[d], seats[3]
        points = self.points
        scored = points[a] + points[b] + points[c] + points[d]
        if (won - self.record.dealer) % 2:
            self.attackers += scored
        self.tricks.append(PlayedTrick(seats, won, scored, self.attackers))
        self.due = won
        if self.even >= self.last:
            self.led, self.won_by_trump = lead(self.order, [a]), TRUMPS in (led, suit2, suit3, suit4)
        return True

    # One trick, with whatever may be wrong in it

    def _trick(self, index: int, trick: Trick) -> None:
        holding = [seat for seat in SEATS if self.left[seat] > self.even]
        seats, early = seats_of(trick, index, holding)
        cards = [_cards(play, f"tricks[{index}].plays[{number}]") for number, play in enumerate(trick.plays)]
        finished = len(cards) == 4 or len(cards) == len(holding)
        if not finished and index + 1 < len(self.record.tricks):
            problem = f"has {len(cards)} plays, and another trick follows"
            raise refused(f"tricks[{index}]", problem, f"只有 {len(cards)} 家出牌，其后却还有一圈")
        if self.due is not None and self.due not in holding:
            self.due = next(seat for seat in FROM[self.due] if seat in holding)
        led: Led | None = None
        kept: list[list[int]] = []
        for number, (seat, play) in enumerate(zip(seats, cards, strict=True)):
            given = trick.plays[number]
            act = Act(index, number, seat, play, given if isinstance(given, Play) else None)
            strange = self.strange(act)
            led_early = number == 0 and self.due is not None and seat != self.due and seat not in self.besides
            if led_early or number in early:
                judge_turn(self, act)
            if number == 0:
                led = judge_lead(self, act, strange)
            else:
                judge_follow(self, act, led, strange)
            judge_time(self, act)
            self.take(act, strange)
            kept.append([] if strange else play)
        self._finish(seats, cards, led, finished)
        self.besides = self._would_have_won(seats, cards, led, kept) if led is not None else frozenset()

    def _would_have_won(
        self, seats: tuple[int, ...], cards: list[list[int]], led: Led, kept: list[list[int]]
    ) -> frozenset[int]:
        """Seats to which the table may have given the trick when it put a play right: one that played cards too many or
        of another hand, and the winner without these. kept: the plays, empty for those of another hand."""
        plays = zip(seats, cards, kept, strict=True)
        found = {seat for seat, play, stayed in plays if len(play) > led.size or stayed != play}
        if kept != cards and kept[0]:
            found.add(seats[winner(self.order, led, kept)])
        return frozenset(found)

    def _finish(self, seats: tuple[int, ...], cards: list[list[int]], led: Led | None, finished: bool) -> None:
        """Who won: whoever led cards of several suits keeps the lead, since nothing can answer them."""
        at = winner(self.order, led, cards) if led is not None and finished else 0
        won = seats[at] if finished and seats else None
        scored = sum(points_of(self.points, play) for play in cards)
        if won is not None and (won - self.record.dealer) % 2:
            self.attackers += scored
        self.tricks.append(PlayedTrick(seats, won, scored, self.attackers))
        self.due = won if led is not None else None
        self.last = sorted(self.left[1:])[-2]
        self.led = led
        self.won_by_trump = led is not None and bool(cards[at]) and self.order.suit_of(cards[at]) == TRUMPS

    def result(self) -> Replayed:
        """The answer, once every trick is in."""
        preset, record = self.preset, self.record
        complete = bool(self.tricks) and self.even >= self.last and self.tricks[-1].winner is not None
        found = self._irregularities()
        kitty, points = None, self.attackers
        if complete and self.kitty is not None:
            kitty = self._kitty(self.tricks[-1].winner or 0, self.kitty)
            points += kitty.points if kitty.to == "attackers" else 0
        points += self._penalties(found)
        void = _void(found)
        change = self._change(points, found) if kitty is not None and void is None else None
        bases = [basis for part in (kitty, change) if part is not None for basis in part.basis]
        return Replayed(
            record=record,
            order=self.order,
            complete=complete,
            tricks=tuple(self.tricks),
            kitty=kitty,
            kitty_cards=None if self.kitty is None else tuple(self.kitty),
            irregularities=found,
            card_points=self.attackers,
            attacker_points=points,
            level_change=change,
            void=void,
            basis=gather([preset.cards.points.basis, *bases, *(breach.basis for breach in found)]),
        )

    def _kitty(self, won: int, kitty: Sequence[int]) -> KittyCredit:
        """A lead of several suits is no format; it counts as a single."""
        led = self.led or lead(self.order, [self.led_cards[0]])
        assert led is not None
        return kitty_credit(self.preset, points_of(self.points, kitty), led, self.won_by_trump, self.record.side(won))

    def _irregularities(self) -> tuple[Irregularity, ...]:
        if self.doubtful:
            self.breaches = [one for one in self.breaches if self.doubtful.isdisjoint(one.unproven)]
        breaches = with_incidents(self, len(self.tricks)) if self.record.incidents else self.breaches
        found = [priced(self.preset, breach, self.record.side(breach.seat)) for breach in breaches]
        return tuple(sorted(found, key=lambda breach: breach.trick))

    def _penalties(self, found: Sequence[Irregularity]) -> int:
        """What penalties add to the attackers' points, or take from them."""
        if self.preset.claims.penalty_sign.value != "against_offender":
            return 0
        return sum(
            -breach.penalty_points if (breach.seat - self.record.dealer) % 2 else breach.penalty_points
            for breach in found
        )

    def _change(self, points: int, found: Sequence[Irregularity]) -> LevelChange:
        offences = [
            (breach.penalty, self.record.side(breach.seat))
            for breach in found
            if breach.penalty is not None and moves_deal(breach.effects)
        ]
        record = self.record
        return moved_change(self.preset, points, record.dealer_level, record.attacker_level, offences)


def _void(found: Sequence[Irregularity]) -> Void | None:
    """The first penalty by which the cards are dealt again."""
    for breach in found:
        if breach.penalty is not None and "reshuffle" in breach.effects:
            return Void(penalty=breach.penalty, article=breach.article, mark=breach.mark)
    return None


def _cards(play: str | Play, place: str) -> list[int]:
    text = cards_of(play)
    return cards_at(text, place) if text else []
