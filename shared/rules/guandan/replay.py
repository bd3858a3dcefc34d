"""A hand record replayed: what was a breach, who went out when, and what the hand changes.

A breach is reported once, and the replay goes on with whatever the table did next: after one it keeps every way in
which play can have gone on (the play stood, or it counted as a pass, or turns went on as if …) and drops those that a
later act contradicts. So one breach is one irregularity, and a second is found as soon as no way explains it.
Several faults of one act are named by the first of card_not_held, out_of_turn, illegal_play.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from shared.rules.basis import Basis, Mark, Text, gather
from shared.rules.errors import refused
from shared.rules.findings import Finding
from shared.rules.guandan.cards import RANK_OF, read_cards, written
from shared.rules.guandan.levels import GuandanChange, Pair, level_change, pair_of, partner_of
from shared.rules.guandan.penalties import price
from shared.rules.guandan.readings import Reading, Strengths, beats, table, weakest_beating
from shared.rules.guandan.record import Act, Declared, Record, check_played, read_record
from shared.rules.guandan.turns import FREE, Turn, after_pass, after_play
from shared.rules.records import SEATS, check_after
from shared.rules.regulations.guandan import GuandanEffect, GuandanPreset
from shared.rules.verdict import Void


class Irregularity(Struct, frozen=True, kw_only=True):
    """One breach.

    name: of its row in the regulation; trick: the round of play, from 1; discovered_at: the round in which it can be
    seen; cards: highest first; penalty_points: none in this game; also: what it costs; changed: by the organiser.
    """

    code: str
    name: Text
    seat: int
    trick: int
    discovered_at: int | None
    cards: str
    article: str
    mark: Mark
    penalty_points: int
    also: tuple[GuandanEffect, ...]
    changed: bool = False

    @property
    def basis(self) -> Basis:
        """The article and mark."""
        return Basis(self.article, self.mark, self.changed)

    def finding(self) -> Finding:
        """As it is told to a referee."""
        return Finding(
            code=self.code,
            name=self.name,
            seat=self.seat,
            trick=self.trick,
            discovered_at=self.discovered_at,
            cards=self.cards,
            article=self.article,
            mark=self.mark,
            penalty=self.code,
            counted=None,
            points=self.penalty_points,
            also=self.also,
        )


class Played(Struct, frozen=True):
    """How an act of the record stood. trick: from 1; reading: None for a pass or for cards that are no play."""

    trick: int
    reading: Reading | None


class Replayed(Struct, frozen=True, kw_only=True):
    """A hand replayed.

    finish: seats in order of going out, the last one added, or the first two when they are partners; complete: the hand
    was played to its end; level_change: by the order of going out alone, None when not complete and of a void hand;
    void: why the hand is dealt again, None for one that counts; acts: one for each of the record's plays.
    """

    complete: bool
    finish: tuple[int, ...]
    level_change: GuandanChange | None
    void: Void | None
    irregularities: tuple[Irregularity, ...]
    acts: tuple[Played, ...]
    basis: tuple[Basis, ...]


def replay(preset: GuandanPreset, record: object) -> Replayed:
    """Replay a record given as a JSON object.

    Without `dealt` a seat holds what it plays, and is out when that is a whole hand. Raises RuleError for what is no
    record and for an impossible one (a card beyond the decks, a card nobody holds, an act after the hand's end), naming
    the place.
    """
    return replay_record(preset, read_record(preset, record))


def replay_record(preset: GuandanPreset, record: Record) -> Replayed:
    """Replay a record that has been read; see `replay`."""
    run = _Replay(preset, record)
    for index, act in enumerate(record.plays):
        run.act(index, act)
    return run.result()


class _Replay:
    """The table during a replay. worlds: the ways in which play can have gone on, the most literal first."""

    def __init__(self, preset: GuandanPreset, record: Record):
        self.preset, self.record = preset, record
        self.level = record.levels[record.own]
        self.readings = table(preset.plays, self.level)
        self.wind = preset.table.wind.value
        self.announce_at = preset.table.announce_at.value
        self.out: list[int] = []
        self.over = False
        self.acts: list[Played] = []
        self.found: list[Irregularity] = []
        self.bases: list[Basis] = []
        self.announced: set[int] = set()
        self.worlds = [Turn(record.leader or record.plays[0].seat, 1)] if record.plays else []
        self.held: dict[int, Counter[str]] | None = None
        self.left: dict[int, int] = {}
        self.drawing: frozenset[int] = frozenset()
        self._deal()

    def _deal(self) -> None:
        """Hands as dealt, or as long as what their seats play. Where some are of a wrong size a card may go over among
        these seats, and who plays a whole hand had one: the miscount is the breach."""
        full = self.preset.cards.hand.value
        if self.record.dealt is None:
            check_played(self.record.plays)
            self.left = {seat: max(full, self._plays_of(seat)) for seat in SEATS}
        else:
            self.held = {seat: Counter(cards) for seat, cards in self.record.dealt.items()}
            self.left = {seat: len(cards) for seat, cards in self.record.dealt.items()}
        wrong = [seat for seat, size in self.left.items() if size != full]
        for seat in wrong:
            self.breach("hand_size", seat, 1, ())
        if self.held is not None:
            self.drawing = frozenset(wrong)
            self.left |= {seat: full for seat in wrong if self._plays_of(seat) == full}

    def _plays_of(self, seat: int) -> int:
        return sum(len(act.cards.split(" ")) for act in self.record.plays if act.cards and act.seat == seat)

    def breach(self, code: str, seat: int, trick: int, cards: Iterable[str]) -> None:
        """Take down a breach of a seat; what it costs is known once all are in."""
        first = price(self.preset, code)
        self.bases.append(self.preset.penalties[code].basis)
        if len(self.preset.penalties[code].value.steps) > 1:
            self.bases.append(self.preset.table.announce_counted.basis)
        self.found.append(
            Irregularity(
                code=code,
                name=first.name,
                seat=seat,
                trick=trick,
                discovered_at=trick,
                cards=written(cards, self.level),
                article=first.article,
                mark=first.mark,
                penalty_points=0,
                also=first.effects,
                changed=first.changed,
            )
        )

    def _priced(self) -> Iterator[Irregularity]:
        """The breaches in the order of play, whatever the order in which the referee entered his: the first time a
        pair does it costs a warning, and so on (二.4, 二.6)."""
        times = defaultdict[tuple[str, Pair], int](int, self.record.earlier)
        for breach in sorted(self.found, key=lambda breach: breach.trick):
            kind = (breach.code, pair_of(breach.seat))
            times[kind] += 1
            yield replace(breach, also=price(self.preset, breach.code, times[kind]).effects)

    def act(self, index: int, act: Act) -> None:
        """One play or pass. Raises RuleError for an impossible one."""
        if self.over:
            raise refused(f"plays[{index}]", "comes after the hand's end", "在该副牌结束之后")
        trick = self.worlds[0].trick
        if act.corrected is not None:
            self._corrected(index, act, trick)
        cards = () if act.cards is None else self._cards(act.cards, index)
        if act.seconds is not None and act.seconds > self.preset.table.play_seconds.value:
            self.breach("slow_play", act.seat, trick, cards)
        if cards:
            self._play(index, act, cards)
        else:
            self._pass(act)

    def _cards(self, text: str, index: int) -> list[str]:
        cards = text.split(" ")
        return cards if all(map(RANK_OF.__contains__, cards)) else read_cards(text, f"plays[{index}]")

    # Passes

    def _pass(self, act: Act) -> None:
        """A pass; of a seat that has gone out it says nothing."""
        seat = act.seat
        now = self.worlds[0]
        fitting = [world for world in self.worlds if world.seat == seat and world.standing is not None]
        if seat in self.out:
            fitting = self.worlds
        elif fitting:
            self._continue([after_pass(world, self.out, self.wind) for world in fitting])
        elif now.seat == seat:
            self.breach("illegal_play", seat, now.trick, ())
            self._continue([after_pass(now, self.out, self.wind), now])
        else:
            self.breach("out_of_turn", seat, now.trick, ())
            self._continue(self._after_early_pass(now, seat))
        self.acts.append(Played(now.trick if not fitting else fitting[0].trick, None))

    def _after_early_pass(self, now: Turn, seat: int) -> list[Turn]:
        """The pass stood and the turn went on from there; it counted for nothing; it was taken for the pass of the
        seat whose turn it was; it held when that seat's turn came."""
        ways = [now]
        if now.standing is not None:
            ways.insert(0, after_pass(now, self.out, self.wind, acted=seat))
            ways.append(after_pass(now, self.out, self.wind))
            ways.append(Turn(now.seat, now.trick, now.standing, now.owner, skip=seat))
        return ways

    # Plays

    def _play(self, index: int, act: Act, cards: Sequence[str]) -> None:
        seat = act.seat
        strengths = self.readings.strengths(self.readings.encode(cards))
        strange = self._take(index, seat, cards)
        now = self.worlds[0]
        fitting = [
            (world, strength)
            for world in self.worlds
            if world.seat == seat and (strength := self._answer(strengths, act.reading, world.standing)) is not None
        ]
        self._go_out(seat)
        stood = fitting[0][1] if fitting else self._answer(strengths, act.reading, FREE) or FREE
        if strange:
            self.breach("card_not_held", seat, now.trick, strange)
        elif not fitting:
            self.breach("out_of_turn" if now.seat != seat else "illegal_play", seat, now.trick, cards)
        if fitting:
            ways = [after_play(world, seat, strength, self.out, self.wind) for world, strength in fitting]
        elif now.seat == seat:
            ways = self._after_illegal(now, seat, stood)
        else:
            ways = self._after_early_play(now, seat, stood)
        trick = fitting[0][0].trick if fitting else now.trick
        self.acts.append(Played(trick, None if stood == FREE else self.readings.reading(stood)))
        self._continue(ways)
        self._announce(act, trick, cards)

    def _answer(self, strengths: Strengths, declared: Declared | None, standing: int | None) -> int | None:
        """The strength in which cards stand against what is on the table, None when they may not be played."""
        if declared is not None:
            strengths = tuple(strength for strength in strengths if self._is(strength, declared))
        if standing is None or standing == FREE:
            return strengths[0] if strengths else None
        if len(strengths) == 1:
            return strengths[0] if beats(strengths[0], standing) else None
        return weakest_beating(strengths, standing)

    def _is(self, strength: int, declared: Declared) -> bool:
        reading = self.readings.reading(strength)
        fits = reading.kind == declared.kind and reading.rank == declared.rank
        return fits and declared.size in (None, reading.size)

    def _after_illegal(self, now: Turn, seat: int, stood: int) -> list[Turn]:
        """The play stood; it counted as a pass; the seat had its turn again."""
        ways = [after_play(now, seat, stood, self.out, self.wind)]
        if now.standing is not None:
            ways.append(after_pass(now, self.out, self.wind))
        return [*ways, now]

    def _after_early_play(self, now: Turn, seat: int, stood: int) -> list[Turn]:
        """The play stood and the turn went on from the seat, or from whose turn it was, who may act on it or has lost
        the turn; or the play counted for nothing."""
        return [
            after_play(now, seat, stood, self.out, self.wind),
            Turn(now.seat, now.trick, stood, seat, skip=seat, closes=now.seat),
            Turn(now.seat, now.trick, stood, seat),
            after_play(now, seat, stood, self.out, self.wind, acted=now.seat),
            now,
            Turn(now.seat, now.trick, now.standing, now.owner, skip=seat),
        ]

    def _take(self, index: int, seat: int, cards: Sequence[str]) -> list[str]:
        """Take the cards from the hand; those it does not hold. Raises RuleError for a card that nobody holds."""
        self.left[seat] -= len(cards)
        if self.held is None:
            return []
        hand, strange = self.held[seat], []
        for card in cards:
            giver = next((self.held[other] for other in self.drawing if self.held[other][card] > 0), None)
            if hand[card] > 0:
                hand[card] -= 1
            elif giver is not None and seat in self.drawing:
                giver[card] -= 1
            elif any(other[card] > 0 for other in self.held.values()):
                strange.append(card)
            else:
                raise refused(f"plays[{index}]", f"has {card}, which nobody holds", f"中的 {card} 无人持有")
        return strange

    def _go_out(self, seat: int) -> None:
        if self.left[seat] > 0 or seat in self.out:
            return
        self.out.append(seat)
        self.over = len(self.out) == 3 or (len(self.out) == 2 and partner_of(self.out[0]) == seat)

    def _announce(self, act: Act, trick: int, cards: Sequence[str]) -> None:
        """Announcing at seven cards or fewer (二.4), where the record shows it; an omission counts once a hand."""
        seat = act.seat
        if act.announced is None or not 0 < self.left[seat] <= self.announce_at or seat in self.announced:
            return
        self.announced.add(seat)
        if not act.announced:
            self.breach("not_announced", seat, trick, cards)

    # Before and after

    def _corrected(self, index: int, act: Act, trick: int) -> None:
        """A wrong play taken back: the breach that it was."""
        cards = self._cards(act.corrected or "", index)
        strengths = self.readings.strengths(self.readings.encode(cards))
        at_turn = [world for world in self.worlds if world.seat == act.seat]
        if self.held is not None and Counter(cards) - self.held[act.seat]:
            self.breach("card_not_held", act.seat, trick, Counter(cards) - self.held[act.seat])
        elif not at_turn:
            self.breach("out_of_turn", act.seat, trick, cards)
        elif all(self._answer(strengths, None, world.standing) is None for world in at_turn):
            self.breach("illegal_play", act.seat, trick, cards)

    def _continue(self, ways: list[Turn]) -> None:
        """Go on with these ways, each once, in which the seat to act has cards."""
        if len(ways) == 1 or self.over:
            self.worlds = ways
        else:
            self.worlds = [way for way in dict.fromkeys(ways) if way.seat not in self.out]

    def result(self) -> Replayed:
        """The answer, once every act is in."""
        last = self.acts[-1].trick if self.acts else 0
        for index, incident in enumerate(self.record.incidents):
            check_after(index, incident.after_trick, last)
            cards = incident.cards.split(" ") if incident.cards else ()
            self.breach(incident.code, incident.seat, max(min(incident.after_trick + 1, last), 1), cards)
        finish = tuple(self.out)
        if len(finish) == 3:
            finish += tuple(seat for seat in SEATS if seat not in finish)
        found = tuple(self._priced())
        void = _void(found)
        change = self._level_change(finish) if self.over and void is None else None
        plays = self.preset.plays
        bases = [plays.straight.basis, plays.straight_flush_over.basis, *self.bases, *(change.basis if change else ())]
        return Replayed(
            complete=self.over,
            finish=finish,
            level_change=change,
            void=void,
            irregularities=found,
            acts=tuple(self.acts),
            basis=gather(bases),
        )

    def _level_change(self, finish: tuple[int, ...]) -> GuandanChange:
        record = self.record
        return level_change(self.preset, finish, record.levels, record.own, record.stage, record.a_failures)


def _void(found: Iterable[Irregularity]) -> Void | None:
    """The first breach by which the cards are dealt again (ahut-2018 二.4, assumed)."""
    for breach in found:
        if "redeal" in breach.also:
            return Void(penalty=breach.code, article=breach.article, mark=breach.mark)
    return None
