"""A hand record replayed: who won what, which breaches there were and what they cost, and what the hand changes.

A record may break the rules, as real play does: what stood is played on, and a breach is taken down once. Only an
impossible record is an error (RECORDS). A trick of single cards without a breach, which most are, takes a short way.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from shared.rules.basis import Basis, gather
from shared.rules.cards import CARDS, CODES, write_cards
from shared.rules.errors import RuleError
from shared.rules.regulations.preset import Preset
from shared.rules.shengji.dealt import plays_of, start
from shared.rules.shengji.follow import follow
from shared.rules.shengji.hand import Hand
from shared.rules.shengji.irregularities import Breach, Irregularity, Withheld, priced
from shared.rules.shengji.kitty import KittyCredit, kitty_credit
from shared.rules.shengji.led import Led, lead
from shared.rules.shengji.levels import LevelChange, Side
from shared.rules.shengji.moved_deal import moved_change, moves_deal
from shared.rules.shengji.order import TRUMPS, Order, order
from shared.rules.shengji.points import card_points, points_of
from shared.rules.shengji.record import SEATS, Incident, Play, Record, Trick, cards_at, cards_of, read_record, refused
from shared.rules.shengji.showings import showings
from shared.rules.shengji.throws import Throw, check_throw
from shared.rules.shengji.trick import winner
from shared.rules.shengji.turns import FROM, seats_of
from shared.rules.shengji.withheld import WITHHELD, seen_at, wrong_cards


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
    basis: tuple[Basis, ...]


def replay(preset: Preset, record: object) -> Replayed:
    """Replay a record given as a JSON object.

    Raises RuleError for what is no record and for an impossible one (a card beyond the pack, a card nobody holds, a
    play after the hand's end), naming the place.
    """
    return replay_record(preset, read_record(preset, record))


def replay_record(preset: Preset, record: Record) -> Replayed:
    """Replay a record that has been read; see `replay`."""
    return _Replay(preset, record).result()


class _Replay:
    """The table during a replay. Lists by seat begin at index 1.

    left: cards to be played, less `even`, which every seat has played; last: of how many cards the hand is over, that
    is when at most one seat has any; due: who leads, None when play cannot tell; others: hands that a seat's strange
    play was taken from, and `loose`: what never appeared of the hand that made it.
    """

    def __init__(self, preset: Preset, record: Record):
        self.preset, self.record = preset, record
        self.order = order(preset, record.trump, record.dealer_level)
        self.points = card_points(preset)
        begun = start(preset, self.order, record)
        self.hands, self.left, self.sure, self.kitty = begun.hands, begun.left, begun.sure, begun.kitty
        self.breaches = begun.breaches
        self.breaches += showings(preset, record)
        self.even, self.last = 0, sorted(self.left[1:])[-2]
        self.due: int | None = record.dealer
        self.robbed: set[int] = set()
        self.loose = [0] * len(CARDS)
        self.attackers = 0
        self.tricks: list[PlayedTrick] = []
        self.led: Led | None = None
        self.led_cards: list[int] = []
        self.won_by_trump = False
        self._play()

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
        cards = [self._cards(play, f"tricks[{index}].plays[{number}]") for number, play in enumerate(trick.plays)]
        finished = len(cards) == 4 or len(cards) == len(holding)
        if not finished and index + 1 < len(self.record.tricks):
            problem = f"has {len(cards)} plays, and another trick follows"
            raise refused(f"tricks[{index}]", problem, f"只有 {len(cards)} 家出牌，其后却还有一圈")
        if self.due is not None and self.due not in holding:
            self.due = next(seat for seat in FROM[self.due] if seat in holding)
        led: Led | None = None
        for number, (seat, play) in enumerate(zip(seats, cards, strict=True)):
            given = trick.plays[number]
            act = _Act(index, number, seat, play, given if isinstance(given, Play) else None)
            strange = self._strange(act)
            if (number == 0 and self.due is not None and seat != self.due) or number in early:
                self._early(act)
            if number == 0:
                led = self._lead(act, strange)
            else:
                self._follow(act, led, strange)
            self._slow(act)
            self._take(act, strange)
        self._finish(seats, cards, led, finished)

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

    def _cards(self, play: str | Play, place: str) -> list[int]:
        text = cards_of(play)
        return cards_at(text, place) if text else []

    def _late(self, act: _Act) -> bool:
        """Whether a card of a later trick was played, so that nothing is put right any more."""
        return any(trick.plays for trick in self.record.tricks[act.index + 1 :])

    # Leads

    def _lead(self, act: _Act, strange: Sequence[int]) -> Led | None:
        if not act.cards:
            raise refused(act.place, "leads no card", "首家没有出牌")
        led = lead(self.order, act.cards)
        if strange:
            self._not_held(act, strange)
            return led
        attempted = None if act.given is None else act.given.attempted
        corrected = None if act.given is None else act.given.corrected
        tried = attempted or corrected
        if tried:
            self._tried(act, tried)
        if led is None and not attempted:
            self._mixed(act, act.cards, self._late(act))
        if led is not None and led.kind == "throw" and not attempted:
            self._throw(act, led)
        return led

    def _mixed(self, act: _Act, cards: Sequence[int], late: bool) -> None:
        """A lead of several suits; wrong are the cards beside the suit that most of them have."""
        suits = [self.order.suit[card] for card in cards]
        wrong = len(cards) - max(map(suits.count, suits))
        rows = ("illegal_lead", "wrong_card_late" if late else "wrong_card")
        self._breach(act, "illegal_lead", cards, rows, (len(cards), wrong))

    def _not_held(self, act: _Act, strange: Sequence[int]) -> None:
        """Cards that another seat holds, in a play that stood."""
        rows = _NOT_HELD_LATE if self._late(act) else _NOT_HELD
        self._breach(act, "card_not_held", strange, rows, (len(strange),) * 2)

    def _throw(self, act: _Act, led: Led) -> None:
        """A throw that was led and stood."""
        if not self.preset.throws.allowed.value:
            self._breach(act, "illegal_throw", act.cards, ("illegal_throw",), (len(act.cards),) * 2)
            return
        throw = check_throw(self.order, led, self._others(act.seat))
        if not throw.stands:
            self._beaten_throw(act, led, throw)

    def _tried(self, act: _Act, text: str) -> None:
        """A lead that was taken back: a throw that failed or is forbidden, or cards of several suits."""
        cards = cards_at(text, act.place)
        hand = self.hands[act.seat]
        if self.sure[act.seat] and not hand.holds(cards):
            strange = [card for card in set(cards) if cards.count(card) > hand.counts[card]]
            self._breach(act, "card_not_held", strange, _NOT_HELD, (len(strange),) * 2)
            return
        led = lead(self.order, cards)
        if led is None:
            self._mixed(act, cards, late=False)
        elif led.kind == "throw" and not self.preset.throws.allowed.value:
            self._breach(act, "illegal_throw", cards, ("illegal_throw",), (len(cards),) * 2)
        elif led.kind == "throw":
            self._failed_throw(act, led)

    def _failed_throw(self, act: _Act, led: Led) -> None:
        """A throw taken back: charged for what the other hands beat, and the lowest of it must stand."""
        throw = check_throw(self.order, led, self._others(act.seat))
        stood = sorted(act.cards)
        if throw.must_play is None:
            if all(self.sure[1:]):
                return
            counted = self._counted(led.size, len(stood), len(stood))
        else:
            counted = self._counted(led.size, sum(len(part.cards) for part in throw.beaten), len(throw.must_play.cards))
        cards = [card for part in led.components for card in part.cards]
        self._breach(act, "failed_throw", cards, ("failed_throw",), (counted, counted))
        if throw.must_play is not None and all(self.sure[1:]) and sorted(throw.must_play.cards) != stood:
            self._breach(act, "illegal_lead", act.cards, ("illegal_lead",), (len(act.cards),) * 2)

    def _counted(self, size: int, beaten: int, played: int) -> int:
        return beaten if self.preset.throws.counted.value == "beaten" else max(size - played, 1)

    def _beaten_throw(self, act: _Act, led: Led, throw: Throw) -> None:
        """A throw that did not stand and was let stand: in the last trick it can still be put right; later, where the
        regulation has a row for it, it costs only when the partner hid the beating card (zhongshan-2013 七（一）8)."""
        beaten = sum(len(part.cards) for part in throw.beaten)
        played = len(throw.must_play.cards) if throw.must_play else 0
        counted = self._counted(led.size, beaten, played)
        if not self._late(act) or "failed_throw_late" not in self.preset.penalties:
            self._breach(act, "failed_throw", act.cards, ("failed_throw",), (counted, counted))
            return
        partner = self.hands[(act.seat + 1) % 4 + 1]
        hidden = not check_throw(self.order, led, [partner]).stands
        self._breach(act, "failed_throw", act.cards, ("failed_throw_late",), (counted, counted), free=not hidden)

    def _others(self, seat: int) -> list[Hand]:
        return [self.hands[other] for other in SEATS if other != seat]

    # Following

    def _follow(self, act: _Act, led: Led | None, strange: Sequence[int]) -> None:
        if act.given is not None and act.given.corrected is not None:
            self._corrected(act, led, cards_at(act.given.corrected, act.place))
        if strange:
            self._not_held(act, strange)
            return
        size = len(self.led_cards) if led is None else led.size
        has = self.left[act.seat] - self.even
        if len(act.cards) != min(size, has):
            wrong = (len(act.cards) or 1, abs(len(act.cards) - size))
            rows = _COUNT_LATE if self._late(act) else _COUNT_IN_TIME
            self._breach(act, "wrong_count", act.cards, rows, wrong)
            return
        if led is None or len(act.cards) < size:
            return
        because = follow(self.preset.follow, led, self.hands[act.seat], act.cards)
        withheld = WITHHELD.get(because)
        if withheld is None:
            return
        hand = self.hands[act.seat]
        counted = (len(act.cards), wrong_cards(led, hand, act.cards, because))
        if not self._late(act):
            self._breach(act, "wrong_follow", act.cards, self._follow_rows(withheld), counted, withheld=withheld)
            return
        later = plays_of(self.record, act.seat, act.index)
        seen = seen_at(self.preset.follow, led, hand, act.cards, later)
        ruffed = led.suit != TRUMPS and any(self.order.suit[card] == TRUMPS for card in act.cards)
        rows = _RUFFED if ruffed and withheld == "suit" else ("revoke",)
        self._breach(act, "revoke", act.cards, rows, counted, withheld=withheld, seen=seen)

    def _follow_rows(self, withheld: Withheld) -> tuple[str, ...]:
        """What prices a wrong follow in time; a foul that the referee prices is the same in time and later."""
        rows = ("wrong_follow",) if withheld == "suit" else ("pair_not_followed", "wrong_follow")
        foul = self.preset.penalties.get("revoke")
        return (*rows, "revoke") if foul is not None and foul.value.formula == "referee" else rows

    def _corrected(self, act: _Act, led: Led | None, cards: list[int]) -> None:
        """A wrong play taken back in time. A hand that the deal does not tell is taken to have held it."""
        hand, sure = self.hands[act.seat], self.sure[act.seat]
        if not hand.holds(cards):
            if sure:
                strange = [card for card in set(cards) if cards.count(card) > hand.counts[card]]
                self._breach(act, "card_not_held", strange, _NOT_HELD, (len(strange),) * 2)
                return
            hand = Hand(self.order, [*cards, *_held(hand)])
        size = len(self.led_cards) if led is None else led.size
        if len(cards) != size:
            wrong = (len(cards), abs(len(cards) - size))
            self._breach(act, "wrong_count", cards, _COUNT_IN_TIME, wrong)
            return
        because = "ok" if led is None else follow(self.preset.follow, led, hand, cards)
        withheld = WITHHELD.get(because)
        if led is None or (withheld is None and sure):
            return
        counted = (len(cards), wrong_cards(led, hand, cards, because) if withheld else len(cards))
        rows = self._follow_rows(withheld or "suit")
        self._breach(act, "wrong_follow", cards, rows, counted, withheld=withheld)

    # Any play

    def _early(self, act: _Act) -> None:
        rows = ("out_of_turn",) if act.number else ("lead_out_of_turn", "out_of_turn")
        self._breach(act, "out_of_turn", act.cards, rows, (max(len(act.cards), 1),) * 2)

    def _slow(self, act: _Act) -> None:
        limit = self.preset.match.play_seconds
        seconds = None if act.given is None else act.given.seconds
        if limit is not None and limit.value is not None and seconds is not None and seconds > limit.value:
            self._breach(act, "slow_play", act.cards, ("slow_play",), (max(len(act.cards), 1),) * 2)

    def _strange(self, act: _Act) -> list[int]:
        """The cards of a play that its seat does not hold and another does.

        One that went the other way after a strange play is in order. Raises RuleError for a card that nobody holds.
        """
        hand, strange, seen = self.hands[act.seat], [], [0] * len(CARDS)
        if act.number == 0:
            self.led_cards = act.cards
        for card in act.cards:
            seen[card] += 1
            if hand.counts[card] >= seen[card]:
                continue
            if any(self.hands[seat].counts[card] for seat in SEATS if seat != act.seat):
                strange.append(card)
            elif act.seat in self.robbed and self.loose[card]:
                self.loose[card] -= 1
                hand.counts[card] += 1
                hand.suits[self.order.suit[card]] += 1
            else:
                name = CARDS[card]
                raise refused(act.place, f"has {name}, which nobody holds", f"中的 {name} 无人持有")
        return strange

    def _take(self, act: _Act, strange: Sequence[int]) -> None:
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
        if not strange:
            return
        self.robbed |= {seat for seat in SEATS if seat != act.seat and any(self.hands[seat].counts[c] for c in strange)}
        stays = Hand(self.order, [card for _, cards in plays_of(self.record, act.seat, act.index) for card in cards])
        for card in range(len(CARDS)):
            self.loose[card] += max(hand.counts[card] - stays.counts[card], 0)
        self.hands[act.seat] = Hand(
            self.order, [card for card in _held(stays) if hand.counts[card] or stays.counts[card]]
        )
        self.sure[act.seat] = False

    def _breach(
        self,
        act: _Act,
        code: str,
        cards: Sequence[int],
        rows: tuple[str, ...],
        counted: tuple[int, ...],
        *,
        withheld: Withheld | None = None,
        seen: int | None = -1,
        free: bool = False,
    ) -> None:
        """Take down a breach. seen: the trick in which it can be seen, its own where not given."""
        trick = act.index + 1
        self.breaches.append(
            Breach(
                code=code,
                seat=act.seat,
                trick=trick,
                discovered_at=trick if seen == -1 else seen,
                cards=write_cards(self.order.sorted(cards)),
                rows=rows,
                counted=(counted[0], counted[1]),
                free=free,
                withheld=withheld,
            )
        )

    # The end

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
        change = self._change(points, found) if kitty is not None else None
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
            basis=gather([preset.cards.points.basis, *bases, *(breach.basis for breach in found)]),
        )

    def _kitty(self, won: int, kitty: Sequence[int]) -> KittyCredit:
        """A lead of several suits is no format; it counts as a single."""
        led = self.led or lead(self.order, [self.led_cards[0]])
        assert led is not None
        return kitty_credit(self.preset, points_of(self.points, kitty), led, self.won_by_trump, self._side(won))

    def _side(self, seat: int) -> Side:
        return "attackers" if (seat - self.record.dealer) % 2 else "dealers"

    def _irregularities(self) -> tuple[Irregularity, ...]:
        breaches = self._with_incidents() if self.record.incidents else self.breaches
        found = [priced(self.preset, breach, self._side(breach.seat)) for breach in breaches]
        return tuple(sorted(found, key=lambda breach: breach.trick))

    def _with_incidents(self) -> list[Breach]:
        """What the engine found and what the referee entered. An entry of a breach that was found too is that breach,
        with the referee's price; the choice to play on after a miscount of the kitty stands in its place."""
        found = list(self.breaches)
        for index, incident in enumerate(self.record.incidents):
            same = next((at for at, breach in enumerate(found) if _is_same(incident, breach)), None)
            entered = self._entered(index, incident, found.pop(same) if same is not None else None)
            found.append(entered)
        return found

    def _entered(self, index: int, incident: Incident, found: Breach | None) -> Breach:
        trick = found.trick if found else max(min(incident.after_trick + 1, len(self.tricks)), 1)
        given = incident.cards
        cards = cards_at(given, f"incidents[{index}].cards") if isinstance(given, str) and given else []
        number = given if isinstance(given, int) else max(len(cards), 1)
        code = "late_claim" if incident.claimed_late else incident.code
        breach = Breach(
            code=code if found is None or incident.claimed_late else found.code,
            seat=incident.seat,
            trick=trick,
            discovered_at=found.discovered_at if found else trick,
            cards=found.cards if found else write_cards(self.order.sorted(cards)),
            rows=() if incident.claimed_late else (incident.code, *(found.rows if found else ())),
            counted=found.counted if found else (number, number),
            occasions=incident.occasions,
            withheld=found.withheld if found else None,
            lost=incident.lost,
            compensation=incident.compensation,
        )
        try:
            priced(self.preset, breach, self._side(breach.seat))
        except RuleError as error:
            place = f"incidents[{index}]" + (f".{error.field}" if error.field else "")
            raise refused(place, error.detail, error.said.zh) from error
        return breach

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
            (breach.penalty, self._side(breach.seat))
            for breach in found
            if breach.penalty is not None and moves_deal(breach.effects)
        ]
        record = self.record
        return moved_change(self.preset, points, record.dealer_level, record.attacker_level, offences)


_COUNT_IN_TIME: tuple[str, ...] = ("wrong_count", "wrong_follow")
_COUNT_LATE: tuple[str, ...] = ("hand_size", "wrong_count")
_NOT_HELD: tuple[str, ...] = ("card_not_held", "wrong_card")
_NOT_HELD_LATE: tuple[str, ...] = ("card_not_held", "wrong_card_late")
_RUFFED: tuple[str, ...] = ("revoke_ruff", "revoke")
"""Rows that may price a breach, for the first of them that the regulation has."""


class _Act:
    """One play: where it stands in the record, whose it is, its cards, and what else the record says of it."""

    __slots__ = ("cards", "given", "index", "number", "seat")

    def __init__(self, index: int, number: int, seat: int, cards: list[int], given: Play | None) -> None:
        self.index, self.number, self.seat, self.cards, self.given = index, number, seat, cards, given

    @property
    def place(self) -> str:
        """Where the record has it."""
        return f"tricks[{self.index}].plays[{self.number}]"


def _held(hand: Hand) -> list[int]:
    return [card for card, count in enumerate(hand.counts) for _ in range(count)]


def _is_same(incident: Incident, breach: Breach) -> bool:
    """Whether the referee entered what the engine found: the same kind of breach of the same seat, not later."""
    kinds = {breach.code, *breach.rows}
    played_on = incident.code == "kitty_size_played_on" and breach.code == "kitty_size"
    known = incident.code in kinds or played_on
    return known and incident.seat == breach.seat and breach.trick <= max(incident.after_trick, 1)
