"""The registration service alone, over memory ports, told by what its people do."""

from __future__ import annotations

import itertools
import random
from datetime import UTC, date, datetime, timedelta
from typing import Any

from services.registration.api import UseCases
from services.registration.app import create_service
from services.registration.commands import Registration
from services.registration.documents import Named
from services.registration.eligibility import Checked
from services.registration.forms import MemberForm, team_id
from services.registration.model import COMPETITION, ENTRY, Competition, Entry, competition_stream, entry_stream
from services.registration.projections import CompetitionRow, EntryRow, competitions, entries, entry_key
from shared.eventsourcing.clock import ManualClock
from shared.eventsourcing.handling import Command, Outcome
from shared.eventsourcing.memory import MemoryCommits, MemoryDocuments, MemoryJournal, MemoryLog
from shared.eventsourcing.ports import Ports
from shared.privacy.secrets import MemorySecrets

NOON = datetime(2018, 11, 12, 4, 0, tzinfo=UTC)
"""2018-11-12 12:00 in Asia/Shanghai (十二（报名）: 11月12日中午12：00前); the instant itself is in time (RULINGS)."""
OCTOBER = datetime(2018, 10, 1, tzinfo=UTC)
FORMATS = ("shengji/swiss", "shengji/knockout", "shengji/zones_then_bracket", "guandan/knockout")
MICROSECOND = timedelta(microseconds=1)
UNIT = "集美街道办事处"


def player(name: str = "陈一", born: date | None = date(1980, 5, 1), **more: Any) -> MemberForm:
    return MemberForm(part="player", name=name, born=born, **more)


PAIR = (player("陈一"), player("林二"))


class Desk:
    """A service with one announced competition, on a day in October."""

    def __init__(
        self, regulation: str = "jimei-2018", at: datetime = OCTOBER, formats: tuple[str, ...] = FORMATS, **details: Any
    ) -> None:
        self.clock = ManualClock(at)
        self.commits = MemoryCommits()
        self.journal = MemoryJournal()
        self.documents = MemoryDocuments()
        self.secrets = MemorySecrets()
        self.log = MemoryLog()
        ports = Ports(
            clock=self.clock,
            commits=self.commits,
            journal=self.journal,
            log=self.log,
            documents=self.documents,
            wait_until=lambda reached, _: reached(),
            holder="test",
        )
        self.service = create_service(ports, self.secrets, "secret", random.Random(0).randbytes, played=formats)
        assert isinstance(self.service.use_cases, UseCases)
        self.all: UseCases = self.service.use_cases
        self.use: Registration = self.all.commands
        self._keys = itertools.count(1)
        self.regulation = regulation
        self.id = self.announce(**details)

    # What people do

    def command(self, key: str = "", by: str = "bureau") -> Command:
        id = key or f"key-{next(self._keys)}"
        return Command(
            id=id, fingerprint=id, actor=by, role="organiser", received_at=self.clock.now(), correlation="test"
        )

    def announce(self, changes: dict[str, Any] | None = None, key: str = "", **details: Any) -> str:
        outcome = self._settled(self.use.announce(self.command(key), self.regulation, changes or {}, details))
        return outcome.stream.partition("/")[2]

    def amend(self, reason: str = "场馆检修", **changes: Any) -> Outcome:
        return self._settled(self.use.amend(self.command(), self.id, changes, reason))

    def cancel(self) -> Outcome:
        return self._settled(self.use.cancel(self.command(), self.id, "台风"))

    def open(self) -> Desk:
        self._settled(self.use.open_entries(self.command(), self.id))
        return self

    def close(self, reason: str = "") -> Outcome:
        return self._settled(self.use.close_entries(self.command(), self.id, reason))

    def submit(
        self,
        unit: str = UNIT,
        members: tuple[MemberForm, ...] = PAIR,
        name: str = "一队",
        key: str = "",
        **of_unit: Any,
    ) -> Outcome:
        return self._settled(self.use.submit(self.command(key), self.id, unit, name, members, **of_unit))

    def change(
        self,
        unit: str = UNIT,
        members: tuple[MemberForm, ...] = PAIR,
        name: str = "二队",
        key: str = "",
        **of_unit: Any,
    ) -> Outcome:
        return self._settled(self.use.change(self.command(key), self.id, team_id(unit), name, members, **of_unit))

    def withdraw(self, unit: str = UNIT, key: str = "") -> Outcome:
        return self._settled(self.use.withdraw(self.command(key), self.id, team_id(unit), "伤病"))

    def confirm(self, rule: str, member: int | None = None, holds: bool = True, reason: str = "已核对证件") -> Outcome:
        return self._settled(
            self.all.eligibility.confirm(self.command(), self.id, team_id(UNIT), rule, member, holds, reason)
        )

    def refuse(self, rule: str, reason: str = "不符合参赛资格") -> Outcome:
        return self._settled(self.all.eligibility.refuse(self.command(), self.id, team_id(UNIT), rule, reason))

    def grace(self, unit: str, until: datetime, reason: str = "台风停航") -> Outcome:
        return self._settled(self.use.grant_grace(self.command(), self.id, unit, until, reason))

    def attend(self, *units: str, attended: bool = True) -> Outcome:
        return self._settled(self.use.attend(self.command(), self.id, units, attended))

    def consent(self, member: MemberForm, unit: str = UNIT, reason: str = "队员受伤") -> Outcome:
        command = self.command(by="chief")
        return self._settled(self.use.consent(command, self.id, team_id(unit), member, reason))

    def reject(self, document: str) -> Outcome:
        named = Named(document=document)
        return self._settled(self.all.documents.reject(self.command(), self.id, team_id(UNIT), named, "看不清"))

    def _settled(self, outcome: Outcome) -> Outcome:
        while sum(step() for step in self.service.engine.steps().values()):
            pass
        return outcome

    # What there is

    def checks(self, unit: str = UNIT) -> list[Checked]:
        return self.all.eligibility.checks(self.id, team_id(unit))

    def still_open(self, unit: str = UNIT) -> set[tuple[str, int | None]]:
        return {(each.check.rule, each.member) for each in self.checks(unit) if each.open}

    @property
    def state(self) -> Competition:
        return self.service.engine.commands.load(competition_stream(self.id), COMPETITION).state

    def entry(self, unit: str = UNIT) -> Entry:
        return self.service.engine.commands.load(entry_stream(self.id, team_id(unit)), ENTRY).state

    def row(self) -> CompetitionRow:
        row = self.service.engine.reader.get(competitions, self.id)
        assert row is not None
        return row

    def entry_row(self, unit: str = UNIT) -> EntryRow:
        row = self.service.engine.reader.get(entries, entry_key(self.id, team_id(unit)))
        assert row is not None
        return row
