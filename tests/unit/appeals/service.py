"""The appeals service by itself over memory, with what registration and match published before: the cup of four teams
under jimei-2018, round 1 closed at CLOSED, round 2 paired."""

from __future__ import annotations

import itertools
from datetime import date, datetime, timedelta
from typing import Any

from services.appeals.api import UseCases
from services.appeals.app import create_service
from services.appeals.commands import Said
from services.appeals.model import Decision
from services.appeals.projections import AppealRow
from shared.contracts.appeals import CommitteeMember
from shared.contracts.fact import HandFacts, MatchResult, Remedy, Team
from shared.contracts.match import (
    DrawMade,
    Drawn,
    HandPlayed,
    MatchClosed,
    MatchOpened,
    Pairing,
    PenaltyIssued,
    RoundClosed,
    RoundPaired,
)
from shared.contracts.registration import CompetitionAnnounced, EntrySubmitted
from shared.eventsourcing.clock import ManualClock
from shared.eventsourcing.handling import Command, Outcome
from shared.eventsourcing.memory import MemoryCommits, MemoryDocuments, MemoryJournal
from shared.eventsourcing.ports import Ports
from shared.eventsourcing.records import Envelope
from shared.privacy.secrets import MemorySecrets
from tests.support.events import CODEC, Topics
from tests.support.logs import event_logs
from tests.unit.appeals.desk import CLOSED, EARLY, FEE

CUP = "cup"
NAMES = {"red": "红队", "blue": "蓝队", "x": "甲队", "y": "乙队"}
TEAMS = tuple(Team(id=id, name=name, unit=f"{name}单位") for id, name in NAMES.items())
LIFT = Remedy(kind="lift_penalty", penalty="p1")
CHAIR = CommitteeMember(account="chair", unit="体育局")


class Desk:
    """The service, a clock at EARLY, and commands as people give them."""

    def __init__(self, **changes: Any) -> None:
        self._changes = {key.replace("__", "."): value for key, value in changes.items()}
        self.clock = ManualClock(CLOSED - timedelta(hours=2))
        self.log = event_logs()("appeals")
        self.topics = Topics(self.log, self.clock)
        self.ports = Ports(
            clock=self.clock,
            commits=MemoryCommits(),
            journal=MemoryJournal(),
            log=self.log,
            documents=MemoryDocuments(),
            wait_until=lambda reached, _: reached(),
            holder="desk",
        )
        self.secrets = MemorySecrets()
        self.restart()
        self._keys = itertools.count(1)
        self._tell_the_round()
        self.clock.set(EARLY)

    def restart(self) -> None:
        """Another process over the same ports."""
        service = create_service(self.ports, self.secrets, "secret")
        assert isinstance(service.use_cases, UseCases)
        self.engine, self.use, self.exhibits = service.engine, service.use_cases.desk, service.use_cases.exhibits

    def settle(self) -> None:
        """Call every step until none has anything to do."""
        while sum(step() for step in self.engine.steps().values()):
            pass

    def by(self, actor: str, role: str = "organiser") -> Command:
        """A command received now."""
        key = f"key-{next(self._keys)}"
        return Command(
            id=key, fingerprint=key, actor=actor, role=role, received_at=self.clock.now(), correlation="test"
        )

    def published(self) -> list[Envelope]:
        """The events of this service, in order."""
        return self.ports.journal.read(0, 1000)

    def kinds(self) -> list[str]:
        """Their names."""
        return [event.type for event in self.published()]

    def said(self, kind: type[Any]) -> list[Any]:
        """Those of one kind."""
        found = [event for event in self.published() if event.type == kind.__name__]
        return [CODEC.decode(event.type, event.type_version, event.data) for event in found]

    def row(self, appeal: str) -> AppealRow:
        return self.use.records.appeal(CUP, appeal)

    # Acts. None of them lets a policy run: `settle` does

    def begin(self) -> str:
        """Red begins its appeal; the read model knows the match before."""
        self.settle()
        out = self.use.draft(self.by("leader", "leader"), CUP, "m1.1", ("red",), "判罚有误", LIFT, Said())
        return str(out.events[0].appeal)

    def report(self, appeal: str) -> Outcome:
        return self.use.report(self.by("leader", "leader"), CUP, appeal, "1号", True, Said())

    def pay(self, appeal: str) -> None:
        self.use.receive_deposit(self.by("desk-1"), CUP, appeal, FEE, Said())

    def confirm(self, appeal: str) -> None:
        self.use.confirm_deposit(self.by("desk-2"), CUP, appeal)

    def lodged(self) -> str:
        appeal = self.begin()
        self.pay(appeal)
        self.confirm(appeal)
        self.report(appeal)
        self.settle()
        return appeal

    def heard(self) -> str:
        appeal = self.lodged()
        self.use.accept(self.by("committee", "committee"), CUP, appeal)
        self.use.hear(self.by("committee", "committee"), CUP, appeal, (CHAIR,))
        return appeal

    def decide(self, appeal: str, outcome: str, **more: Any) -> None:
        decision = Decision(outcome=outcome, reason="理由", members=(CHAIR,), **more)  # type: ignore[arg-type]
        self.use.decide(self.by("committee", "committee"), CUP, appeal, decision)

    def withdraw(self, appeal: str) -> None:
        self.use.withdraw(self.by("leader", "leader"), CUP, appeal, "和解")

    # What the other services said

    def rounds(self, *events: Any) -> None:
        self.topics.say("match", f"rounds/{CUP}", *events)

    def fact(self, kind: type[Any], **fields: Any) -> Any:
        return kind(regulation="jimei-2018/1", competition=CUP, **{"by": "referee", **fields})

    def paired(self, number: int, *pairs: tuple[str, str], attempt: int = 1) -> Any:
        tag = "" if attempt == 1 else f".{attempt}"
        matches = tuple(
            Pairing(match=f"m{number}.{table}{tag}", table=table, teams=teams)
            for table, teams in enumerate(pairs, start=1)
        )
        empty: dict[str, Any] = dict.fromkeys(("absent", "withdrawn", "disqualified", "gave_up", "why"), ())
        return self.fact(
            RoundPaired,
            round=number,
            attempt=attempt,
            matches=matches,
            bye=None,
            rounds_planned=4,
            article="十.1",
            **empty,
        )

    def closed(self, number: int, at: datetime, closing: int = 1) -> Any:
        return self.fact(
            RoundClosed,
            round=number,
            closing=closing,
            closed_at=at,
            results=(),
            bye=None,
            bye_points=0,
            absent=(),
            last=False,
        )

    def _tell_the_round(self) -> None:
        announced = self.fact(
            CompetitionAnnounced,
            by="organiser",
            name="集美杯",
            regulation_digest="",
            changes=self._changes,
            place="集美",
            plays_from=date(2018, 11, 24),
            plays_to=date(2018, 11, 25),
            entries_close=datetime(2018, 11, 12, 4, tzinfo=CLOSED.tzinfo),
            zone="Asia/Shanghai",
        )
        self.topics.say("registration", f"competition/{CUP}", announced)
        for team in TEAMS:
            entry = self.fact(EntrySubmitted, by="leader", team=team, members=(), change=0, article="十二")
            self.topics.say("registration", f"entry/{CUP}/{team.id}", entry)
        drawn = tuple(Drawn(team=team, number=n) for n, team in enumerate(TEAMS, start=1))
        self.rounds(
            self.fact(DrawMade, by="organiser", seed="s", commitment="c", teams=drawn, article="十"),
            self.paired(1, ("red", "blue"), ("x", "y")),
        )
        table = {"match": "m1.1", "round": 1, "table": 1}
        seated = ("red", "blue")
        result = MatchResult(
            match="m1.1", table=1, teams=seated, points=(0, 2), levels=("2", "5"), how="levels", status="played"
        )
        self.topics.say(
            "match",
            f"match/{CUP}/m1.1",
            self.fact(MatchOpened, **table, teams=TEAMS[:2], changes={}),
            self.fact(HandPlayed, **table, teams=seated, hand=1, facts=HandFacts(dealer=1, points=85)),
            self.fact(
                PenaltyIssued,
                match="m1.1",
                round=1,
                penalty="p1",
                hand=1,
                pair="13",
                team="red",
                code="revoke",
                name="藏张",
                cards=None,
                occasions=1,
                claimed_during=1,
                points=80,
                effects=(),
                article="十一.8",
                mark="stated",
                reason="",
            ),
            self.fact(MatchClosed, match="m1.1", opening=0, ended="time", hands=1, result=result, article="十一.2"),
        )
        self.rounds(self.closed(1, CLOSED), self.paired(2, ("red", "x"), ("blue", "y")))
