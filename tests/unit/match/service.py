"""The match service alone, over memory ports: its commands as people give them, what the other topics say, and every
call of a port open to be stopped or made to fail."""

from __future__ import annotations

import itertools
import random
from datetime import datetime, timedelta
from typing import Any, cast

import msgspec

from services.match.api import UseCases
from services.match.app import create_service
from services.match.commands import Matches, match_stream, rounds_stream
from services.match.model.hands import HandEntry
from services.match.model.matches import MATCH, Match
from services.match.model.penalties import Claim
from services.match.model.rounds import ROUNDS, Rounds
from shared.contracts.appeals import AppealUpheld
from shared.contracts.fact import HandFacts, Remedy
from shared.contracts.registration import (
    CompetitionAmended,
    CompetitionAnnounced,
    CompetitionCancelled,
    EntriesClosed,
    EntrySubmitted,
    EntryWithdrawn,
)
from shared.eventsourcing.clock import ManualClock
from shared.eventsourcing.handling import Command, Outcome
from shared.eventsourcing.memory import MemoryCommits, MemoryDocuments, MemoryJournal
from shared.eventsourcing.ports import Ports
from shared.eventsourcing.records import Envelope
from shared.privacy.secrets import MemorySecrets
from shared.rules.adjudication import adjudicate
from shared.rules.regulations import digest, load
from shared.rules.shengji.random_hands import random_hand
from tests.support.events import Topics
from tests.support.faults import Intercepted, Interceptor
from tests.support.logs import event_logs
from tests.unit.match.hall import CUP, NOON, REGULATION, facts, team

EARLY = NOON - timedelta(days=10)


class MatchService:
    """The service with one competition, `cup`, of four teams; more may be announced."""

    def __init__(self, interceptor: Interceptor | None = None) -> None:
        self.clock = ManualClock(EARLY)
        self.log = event_logs()("match")
        self.commits = MemoryCommits()
        self.journal = MemoryJournal()
        self.documents = MemoryDocuments()
        self.secrets = MemorySecrets()
        self.topics = Topics(self.log, self.clock)
        self.interceptor: Interceptor = interceptor or (lambda call: call.proceed())
        self.said: dict[str, list[Envelope]] = {"registration": [], "appeals": []}
        self._keys = itertools.count(1)
        self.commits_seen = Intercepted("commits", self.commits, lambda call: self.interceptor(call))  # noqa: PLW0108
        ports = Ports(
            clock=self.clock,
            commits=self.commits_seen,
            journal=self.journal,
            log=self.log,
            documents=self.documents,
            wait_until=lambda reached, _: reached(),
            holder="test",
        )
        self.service = create_service(ports, self.secrets, "secret", random.Random(0).randbytes)
        self.engine = self.service.engine
        self.commands: Matches = self._use_cases().commands

    def _use_cases(self) -> UseCases:
        assert isinstance(self.service.use_cases, UseCases)
        return self.service.use_cases

    # The other topics

    def say(self, service: str, stream: str, event: Any) -> Envelope:
        (envelope,) = self.topics.say(service, stream, event)
        self.said[service].append(envelope)
        return envelope

    def announce(self, competition: str = CUP, teams: str = "ABCD", **changes: Any) -> MatchService:
        preset = load("jimei-2018")
        announced = CompetitionAnnounced(
            regulation=REGULATION,
            by="bureau",
            competition=competition,
            name=competition,
            regulation_digest=digest(preset),
            changes=changes,
            place="集美",
            plays_from=preset.dates.play_from.value,
            plays_to=preset.dates.play_to.value,
            entries_close=NOON,
            zone="Asia/Shanghai",
        )
        self.say("registration", f"competition/{competition}", announced)
        for name in teams:
            entered = EntrySubmitted(
                regulation=REGULATION,
                by="leader",
                competition=competition,
                team=team(name),
                members=(),
                change=0,
                article="",
            )
            self.say("registration", f"entry/{competition}/{name}", entered)
        self.settle()
        return self

    def amend_close(self, close: datetime, competition: str = CUP) -> None:
        event = CompetitionAmended(
            regulation=REGULATION,
            by="bureau",
            competition=competition,
            before={"entries_close": NOON.isoformat()},
            after={"entries_close": msgspec.to_builtins(close)},
            reason="延期",
        )
        self.say("registration", f"competition/{competition}", event)
        self.settle()

    def entry_withdrawn(self, name: str, competition: str = CUP) -> None:
        event = EntryWithdrawn(regulation=REGULATION, by="leader", competition=competition, team=name, reason="伤病")
        self.say("registration", f"entry/{competition}/{name}", event)
        self.settle()

    def close_entries(self, competition: str = CUP) -> None:
        self.clock.set(NOON + timedelta(days=1))
        now = self.clock.now()
        event = EntriesClosed(
            regulation=REGULATION, by="bureau", competition=competition, closed_at=now, reason="", article=""
        )
        self.say("registration", f"competition/{competition}", event)
        self.settle()

    def cancel(self, competition: str = CUP) -> None:
        event = CompetitionCancelled(regulation=REGULATION, by="bureau", competition=competition, reason="台风")
        self.say("registration", f"competition/{competition}", event)
        self.settle()

    def uphold(
        self, kind: str, name: str = "r1t1", *, appeal: str = "a1", competition: str = CUP, **remedy: Any
    ) -> Envelope:
        event = AppealUpheld(
            regulation=REGULATION,
            by="committee",
            competition=competition,
            appeal=appeal,
            match=name,
            round=1,
            team="A",
            reason="查实",
            article="十四.2",
            members=(),
            remedy=msgspec.convert({"kind": kind, **remedy}, Remedy),
            later=None,
        )
        return self.say("appeals", f"appeal/{competition}/{appeal}", event)

    # What people do

    def command(self, key: str = "", by: str = "bureau", **more: Any) -> Command:
        id = key or f"key-{next(self._keys)}"
        return Command(
            id=id,
            fingerprint=id,
            actor=by,
            role="organiser",
            received_at=self.clock.now(),
            correlation="test",
            **more,
        )

    def do(self, name: str, *args: Any, competition: str = CUP, key: str = "", by: str = "bureau") -> Outcome:
        """A use case by its name; the service's steps are called afterwards."""
        outcome: Outcome = getattr(self.commands, name)(self.command(key, by), competition, *args)
        self.settle()
        return outcome

    def drawn(self, competition: str = CUP) -> MatchService:
        self.do("commit_seed", competition=competition)
        self.close_entries(competition)
        self.do("draw", competition=competition)
        return self

    def paired(self, competition: str = CUP) -> MatchService:
        self.drawn(competition).do("pair_next", competition=competition)
        return self

    def hand(self, number: int, dealer: int = 1, points: int = 0, name: str = "r1t1", **more: Any) -> Outcome:
        return self.do("record_hand", name, HandEntry(hand=number, facts=facts(dealer, points)), **more)

    def hand_with_record(self, number: int, seed: int = 1, name: str = "r1t1") -> Outcome:
        """A hand entered with a card record, at whatever levels it was played."""
        preset = load("jimei-2018")
        record = random_hand(preset, seed, "revoke").record
        played = cast(HandFacts, adjudicate(preset, record).facts)
        return self.do("record_hand", name, HandEntry(hand=number, facts=played, as_played=True, record=record))

    def penalty(self, hand: int, pair: Any = "13", code: str = "revoke", name: str = "r1t1") -> Outcome:
        claim = Claim(hand=hand, claimed_during=None, pair=pair, code=code, cards=None, occasions=1, reason="")
        return self.do("issue_penalty", name, claim)

    def played(self) -> MatchService:
        """Round 1 played and closed: 13 won at both tables."""
        self.paired()
        for name in ("r1t1", "r1t2"):
            self.hand(1, name=name)
        self.do("call_time", 1)
        for name in ("r1t1", "r1t2"):
            self.do("close_match", name)
        self.do("close_round", 1)
        return self

    # What there is

    def settle(self) -> None:
        while sum(step() for step in self.engine.steps().values()):
            pass

    def rounds(self, competition: str = CUP) -> Rounds:
        return self.engine.commands.load(rounds_stream(competition), ROUNDS).state

    def match(self, name: str = "r1t1", competition: str = CUP) -> Match:
        return self.engine.commands.load(match_stream(competition, name), MATCH).state

    def events(self, stream: str) -> list[str]:
        return [type(event).__name__ for _, events in self.engine.commands.history(stream) for event in events]
