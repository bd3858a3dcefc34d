"""A competition told by what its people do, over the pure model: no store, no clock. Each verb decides as the use case
of the same name does, and the hall then is as the events say."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import msgspec

from services.match.model import hands, matches, penalties, places, rounds, rulings, signing, unfinished, versions
from services.match.model.hands import Correction, HandEntry
from services.match.model.matches import ON_TIME, Match
from services.match.model.penalties import Claim
from services.match.model.places import Appealed, DrawnByHand
from services.match.model.rounds import Entered, Rounds
from services.match.model.seated import Seat, Seated
from services.match.model.versions import Choice
from shared.contracts.fact import FinishFacts, HandFacts, LaterRounds, MatchResult, Remedy, Team
from shared.contracts.match import Pairing, Place
from shared.rules.regulations import load
from shared.rules.regulations.preset import Preset
from shared.rules.regulations.reference import reference, resolve_any
from shared.rules.unfinished import Phase

CUP = "cup"
REGULATION = reference(load("jimei-2018"))
NOON = datetime(2018, 11, 12, 4, 0, tzinfo=UTC)
"""2018-11-12 12:00 in Asia/Shanghai, when entries close (十二（报名））."""
PLAY = datetime(2018, 11, 24, 1, 0, tzinfo=UTC)
MICROSECOND = timedelta(microseconds=1)
SEED = bytes(range(32))

NO_APPEALS = Appealed()
NAMES = "ABCDEFGHIJKLMNOPQRSTUVWX"

WON = ((1, 0), (3, 0), (1, 0), (3, 0))
"""(dealer, points): pair 13 deals four hands to 0 points and gains five levels each time (十一.7): 2, 7, Q, A where it
must stop, and in the fourth it passes A."""


def team(name: str) -> Team:
    return Team(id=name, name=f"{name}队", unit=f"{name}单位")


def facts(dealer: int = 1, points: int = 0, **more: Any) -> HandFacts:
    return HandFacts(dealer=dealer, points=points, **more)


def correction(number: int = 1, dealer: int = 1, points: int = 0, **more: Any) -> Correction[HandFacts]:
    """What a hand was in truth; `record` and `kept` as Correction has them, the rest are the hand's."""
    ways = {key: more.pop(key) for key in ("record", "kept") if key in more}
    return Correction(hand=number, after=facts(dealer, points, **more), reason="看错", **ways)


class Hall:
    """Teams A, B, C … of a competition whose entries are closed; `now` is when the next thing is done."""

    def __init__(self, teams: int = 4, *, regulation: str = REGULATION, each: int = 1, **changes: Any) -> None:
        """each: so many teams are of one unit."""
        self.changes = {key.replace("__", "."): value for key, value in changes.items()}
        self.preset = resolve_any(regulation, self.changes)
        self.entered = Entered(
            regulation=regulation,
            changes=self.changes,
            closes_at=NOON,
            zone="Asia/Shanghai",
            entries_closed=True,
            cancelled=False,
            teams=tuple(
                msgspec.structs.replace(team(name), unit=f"{NAMES[n // each * each]}单位")
                for n, name in enumerate(NAMES[:teams])
            ),
        )
        self.state = Rounds(competition=CUP)
        self.told: list[Any] = []
        self.matches: dict[str, Match] = {}
        self.now = PLAY

    # What becomes of a decision

    def _on_rounds(self, decide: Callable[[Rounds], Sequence[Any]]) -> list[Any]:
        events = list(decide(self.state))
        for event in events:
            self.state = rounds.evolve(self.state, event)
        self.told += events
        return events

    def _on_match(
        self, name: str, decide: Callable[[Match, Seat], Sequence[Any]], by: str, as_it_is: bool = False
    ) -> list[Any]:
        seat = rounds.seat_of(self.state, name)
        ready, events = matches.open_(self.matches.get(name, Match()), seat, by, as_it_is)
        events = [*events, *decide(ready, seat)]
        for event in events:
            self.matches[name] = matches.evolve(self.matches.get(name, Match()), event)
        return list(events)

    # The competition

    def commit(self, at: datetime = NOON, **entered: Any) -> list[Any]:
        given = msgspec.structs.replace(self.entered, **{"entries_closed": False, **entered})
        return self._on_rounds(lambda s: rounds.commit_seed(s, given, SEED, at, "bureau"))

    def draw(self, seed: bytes | None = SEED, lots: rounds.Lots = rounds.BY_SEED, **entered: Any) -> list[Any]:
        given = msgspec.structs.replace(self.entered, **entered)
        return self._on_rounds(lambda s: rounds.draw(s, given, self.preset, seed, "bureau", lots))

    def drawn(self) -> Hall:
        self.commit()
        self.draw()
        return self

    def pair(self) -> Any:
        return self._on_rounds(lambda s: rounds.pair_next(s, self.preset, "bureau"))[0]

    def pair_by_hand(self, *pairs: str, bye: str | None = None) -> Any:
        made = tuple((one, two) for one, two in pairs)
        by_hand = rounds.ByHand(pairs=made, bye=bye, reason="场地所限")
        return self._on_rounds(lambda s: rounds.pair_next(s, self.preset, "bureau", by_hand))[0]

    def unpair(self, number: int = 1) -> Any:
        begun = {name: played.opened is not None for name, played in self.matches.items()}
        return self._on_rounds(lambda s: rounds.unpair(s, number, begun, "编排有误", "bureau"))[0]

    def order(self, kind: str, one: str, two: str) -> Any:
        order = msgspec.convert({"kind": kind, "teams": [one, two], "reason": "电视转播"}, rounds.PairOrder)
        return self._on_rounds(lambda s: rounds.order_pair(s, order, "bureau"))[0]

    def lift_order(self, one: str, two: str) -> Any:
        return self._on_rounds(lambda s: rounds.lift_order(s, (one, two), "改期", "bureau"))[0]

    def paired(self) -> Hall:
        self.drawn().pair()
        return self

    def absent(self, name: str) -> list[Any]:
        return self._on_rounds(lambda s: rounds.announce_absence(s, name, "病假", "bureau"))

    def lift_absence(self, name: str) -> list[Any]:
        return self._on_rounds(lambda s: rounds.lift_absence(s, name, "登记有误", "bureau"))

    def withdraw(self, name: str) -> list[Any]:
        return self._on_rounds(lambda s: rounds.withdraw_team(s, name, "退赛", "bureau"))

    def disqualify(self, name: str) -> Any:
        return self._on_rounds(lambda s: rounds.disqualify_team(s, self.preset, name, "冒名顶替", "chief"))[0]

    def start(self, number: int = 1) -> Any:
        return self._on_rounds(lambda s: rounds.start(s, self.preset, number, self.now, "chief"))[0]

    def pause(self, number: int = 1) -> Any:
        return self._on_rounds(lambda s: rounds.pause(s, number, self.now, "停电", "chief"))[0]

    def resume(self, number: int = 1) -> Any:
        return self._on_rounds(lambda s: rounds.resume(s, number, self.now, "chief"))[0]

    def call_time(self, number: int = 1, reason: str = "") -> list[Any]:
        return self._on_rounds(lambda s: rounds.call_time(s, self.preset, number, self.now, "chief", reason))

    def lift_time_call(self, number: int = 1) -> list[Any]:
        return self._on_rounds(lambda s: rounds.lift_time_call(s, number, self.matches, "叫错轮次", "chief"))

    def close_round(self, number: int = 1) -> Any:
        closed = self._on_rounds(lambda s: rounds.close_round(s, self.preset, number, self.matches, self.now, "chief"))
        return closed[0]

    def extra_hands(self, number: int = 1) -> list[Any]:
        return self._on_rounds(lambda s: rounds.order_extra_hands(s, self.preset, number, self.matches, "chief"))

    def post(self, number: int = 1) -> Any:
        return self._on_rounds(lambda s: rounds.post_results(s, self.preset, number, self.now, "bureau"))[0]

    def reopen(self, *names: str, number: int = 1) -> list[Any]:
        return self._on_rounds(lambda s: rounds.reopen_round(s, number, names, "记录有误", "chief"))

    def lot(self, *teams: str, by_hand: bool = False) -> Any:
        hand = DrawnByHand(order=teams, witness="张") if by_hand else None
        return self._on_rounds(lambda s: places.draw_lot(s, self.preset, teams, hand, "bureau"))[0]

    def propose(self, by: str = "bureau") -> Any:
        return self._on_rounds(lambda s: places.propose(s, self.preset, by))[0]

    def declare(self, by: str = "director", appealed: Appealed = NO_APPEALS, recorded: bool = True) -> Any:
        """With `recorded` the desk has said of each round, as it is closed, that its window has closed."""
        if recorded:
            windows = {current.number: current.closed_at for current in self.state.rounds if current.closed_at}
            appealed = msgspec.structs.replace(appealed, windows=windows)
        return self._on_rounds(lambda s: places.declare(s, self.preset, appealed, self.now, by))[0]

    def rule(
        self,
        kind: str,
        name: str = "r1t1",
        *,
        appeal: str = "a1",
        replay_from: int | None = None,
        let_stand: bool = False,
        **remedy: Any,
    ) -> Any:
        later = LaterRounds(choice="let_stand") if let_stand else None
        if replay_from is not None:
            later = LaterRounds(choice="replay_from", round=replay_from)
        decision = rulings.Decision(
            match=name,
            remedy=msgspec.convert({"kind": kind, **msgspec.to_builtins(remedy)}, Remedy),
            later=later,
            appeal=appeal,
            reason="查实",
            article="十四.2",
        )
        played = self.matches.get(name, Match())
        return self._on_rounds(lambda s: rulings.apply(s, self.preset, played, decision, "policy"))[0]

    # A match

    def hand(
        self,
        number: int,
        dealer: int = 1,
        points: int = 0,
        *,
        name: str = "r1t1",
        as_played: bool = False,
        record: dict[str, Any] | None = None,
        by: str = "ref",
        equals_another: bool = True,
        device: str = "",
        seen: bool = False,
        **more: Any,
    ) -> list[Any]:
        """Entered by a referee who has looked at a hand that equals another one."""
        entry = HandEntry(
            hand=number,
            facts=facts(dealer, points, **more),
            as_played=as_played,
            record=record,
            equals_another=equals_another,
            device=device,
            seen=seen,
        )
        again = number <= len(self.matches.get(name, Match()).hands)
        return self._on_match(name, lambda m, s: hands.record_hand(m, self.preset, s, entry, by), by, again)

    def choose(
        self, hand: int, version: int, *, name: str = "r1t1", of: type[HandFacts | FinishFacts] = HandFacts
    ) -> list[Any]:
        choice = Choice(hand=hand, version=version, reason="以记分表为准", facts=of)
        return self._on_match(
            name,
            lambda m, s: versions.choose_version(m, self.preset, s, choice, "chief"),
            "chief",
            as_it_is=True,
        )

    def hands(self, *played: tuple[int, int], name: str = "r1t1") -> Hall:
        entered = len(self.matches.get(name, Match()).hands)
        for number, (dealer, points) in enumerate(played, entered + 1):
            self.hand(number, dealer, points, name=name)
        return self

    def correct(self, number: int, dealer: int = 1, points: int = 0, *, name: str = "r1t1", **more: Any) -> list[Any]:
        what = correction(number, dealer, points, **more)
        return self._on_match(name, lambda m, s: hands.correct_hand(m, self.preset, s, what, "ref"), "ref")

    def penalty(
        self,
        hand: int,
        pair: str = "13",
        code: str = "revoke",
        *,
        cards: int | None = None,
        occasions: int = 1,
        during: int | None = None,
        name: str = "r1t1",
        reason: str = "",
        **price: Any,
    ) -> Any:
        claim = msgspec.convert(
            {
                "hand": hand,
                "claimed_during": during,
                "pair": pair,
                "code": code,
                "cards": cards,
                "occasions": occasions,
                "reason": reason,
                **price,
            },
            Claim,
        )
        return self._on_match(name, lambda m, s: penalties.issue_penalty(m, self.preset, s, claim, "ref"), "ref")[-1]

    def lift(self, penalty: str = "p1", *, name: str = "r1t1") -> list[Any]:
        return self._on_match(name, lambda m, _: penalties.lift_penalty(m, penalty, "误判", "ref"), "ref")

    def forfeit(self, *absent: str, name: str = "r1t1", late: Mapping[str, int] = ON_TIME) -> Any:
        return self._on_match(
            name, lambda m, s: matches.forfeit(m, self.preset, s, absent, "未到", self.now, "ref", late), "ref"
        )[-1]

    def confirm(
        self,
        pair: str,
        hands: int = 1,
        levels: dict[str, str] | None = None,
        *,
        penalties: int | None = None,
        name: str = "r1t1",
        for_pair: bool = False,
        reason: str = "",
    ) -> list[Any]:
        said = {"pair": pair, "hands": hands, "levels": levels, "penalties": penalties}
        said |= {"for_pair": for_pair, "reason": reason}
        signed = msgspec.convert(said, signing.Signed)
        return self._on_match(
            name, lambda m, s: signing.confirm(m, self.preset, s, signed, "leader"), "leader", as_it_is=True
        )

    def unfinished(self, hand: int, phase: Phase = "playing", *, name: str = "r1t1", reason: str = "") -> list[Any]:
        """When time was called this hand was so far."""
        return self._on_match(
            name, lambda m, s: unfinished.note_unfinished(m, self.preset, s, hand, phase, reason, "ref"), "ref"
        )

    def incident(self, what: str = "观众离桌过近", hand: int | None = None, name: str = "r1t1") -> Any:
        return self._on_match(
            name, lambda m, _: signing.note_incident(m, hand, None, what, "ref"), "ref", as_it_is=True
        )[-1]

    def close(self, name: str = "r1t1") -> Any:
        return self._on_match(name, lambda m, s: matches.close(m, self.preset, s, self.now, "ref"), "ref")[-1]

    # Longer stretches

    def table(self, number: int = 1, round: int | None = None) -> Pairing:
        """A pairing of the last round, or of another one."""
        current = self.state.rounds[-1 if round is None else round - 1]
        return current.pairings[number - 1]

    def play(self, *results: str) -> Hall:
        """Pair a round, play one hand at each table, and close it by time. For each table: `>` the first team wins,
        `<` the second does, `=` nobody."""
        self.now += timedelta(hours=1)
        number = self.pair().round
        points = {">": 0, "<": 100, "=": 80}  # +5 for the dealers; +1 for the attackers; the dealer falls, +0
        for pairing, result in zip(self.state.rounds[-1].pairings, results, strict=True):
            self.hand(1, 1, points[result], name=pairing.match)
        self.call_time(number)
        return self.finish(number)

    def finish(self, number: int = 1) -> Hall:
        """Close every open match of a round whose time was called, and the round."""
        for pairing in self.state.rounds[number - 1].pairings:
            played = self.matches.get(pairing.match, Match())
            seat = rounds.seat_of(self.state, pairing.match)
            if played.closed is None or played.opening < seat.opening:
                self.close(pairing.match)
        self.close_round(number)
        return self

    def finished(self) -> Hall:
        """Four teams after four rounds in which the first team of each table won: nothing is tied."""
        self.drawn()
        for _ in range(4):
            self.play(">", ">")
        self.now += timedelta(hours=24) + MICROSECOND
        return self

    # What people see

    def levels(self, name: str = "r1t1") -> tuple[str, str]:
        """The levels of both pairs with the rulings on the match."""
        seat = rounds.seat_of(self.state, name)
        assert isinstance(self.preset, Preset)
        summed = matches.summed(self.preset, seat, self.matches[name].sheet)
        return summed.levels["13"], summed.levels["24"]

    def result(self, number: int = 1, table: int = 1) -> MatchResult:
        """What a closed round says of a table."""
        current = self.state.rounds[number - 1]
        return current.results[current.pairings[table - 1].match]

    def seated(self, name: str = "r1t1") -> Seated:
        return rounds.seat_of(self.state, name).seated


def ranks(given: Sequence[Place]) -> dict[str, int]:
    return {place.team: place.rank for place in given}
