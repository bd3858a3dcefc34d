"""The memory adapters pass the suites that the real ones pass, so a test upon them tells something."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from shared.eventsourcing.memory import MemoryCommits, MemoryDocuments, MemoryJournal, MemoryLog
from shared.eventsourcing.ports import EventLog
from shared.eventsourcing.records import Envelope
from tests.contract.commits import CommitStoreSuite
from tests.contract.documents import DocumentsSuite
from tests.contract.journals import JournalSuite
from tests.contract.logs import EventLogSuite


class TestMemoryCommits(CommitStoreSuite):
    @pytest.fixture
    def store(self) -> MemoryCommits:
        return MemoryCommits()


class TestMemoryJournal(JournalSuite):
    @pytest.fixture
    def journal(self) -> MemoryJournal:
        return MemoryJournal()


class TestMemoryLog(EventLogSuite):
    @pytest.fixture
    def log(self) -> MemoryLog:
        return MemoryLog()

    def put(self, log: EventLog, entries: Sequence[Envelope]) -> None:
        log.publish(entries)


class TestMemoryDocuments(DocumentsSuite):
    @pytest.fixture
    def documents(self) -> MemoryDocuments:
        return MemoryDocuments()
