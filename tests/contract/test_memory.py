"""The memory adapters pass the suites that the real ones pass, so a test upon them tells something."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import pytest

from shared.eventsourcing.committed import CommittedLog
from shared.eventsourcing.errors import StreamDamaged
from shared.eventsourcing.memory import MemoryCommits, MemoryDocuments, MemoryJournal, MemoryLog
from shared.eventsourcing.ports import EventLog
from shared.eventsourcing.records import Envelope, Recorded
from shared.privacy.secrets import MemorySecrets
from tests.contract.commits import CommitStoreSuite
from tests.contract.documents import DocumentsSuite
from tests.contract.journals import JournalSuite
from tests.contract.logs import EventLogSuite
from tests.contract.secrets import SecretsSuite
from tests.contract.sharing import UnsharedSuite
from tests.support.toys import commit, envelope


class TestMemoryCommits(CommitStoreSuite):
    @pytest.fixture
    def store(self) -> MemoryCommits:
        return MemoryCommits()


class TestMemoryJournal(JournalSuite):
    @pytest.fixture
    def journal(self) -> MemoryJournal:
        return MemoryJournal()


class TestMemoryLog(EventLogSuite, UnsharedSuite):
    @pytest.fixture
    def log(self) -> MemoryLog:
        return MemoryLog()

    def put(self, log: EventLog, entries: Sequence[Envelope]) -> None:
        log.publish(entries)


class Committed(CommittedLog):
    """The commits of three services, into which entries come with the commits that they are of."""

    def __init__(self) -> None:
        names = ("entry", "table", "purse")
        self.journals = {name: MemoryJournal() for name in names}
        self.commits = {name: MemoryCommits() for name in names}
        super().__init__(self.journals.__getitem__, self.commits.__getitem__)


class TestCommittedLog(EventLogSuite, UnsharedSuite):
    @pytest.fixture
    def log(self) -> Committed:
        return Committed()

    def put(self, log: EventLog, entries: Sequence[Envelope]) -> None:
        """One commit an entry; the journal's own copy of what it says is never looked at."""
        assert isinstance(log, Committed)
        for at in entries:
            fields = {f: getattr(at, f) for f in ("service", "stream", "competition", "command", "actor", "role")}
            fields |= {f: getattr(at, f) for f in ("causation", "correlation", "received_at")}
            of = msgspec.structs.replace(commit(first=at.version), **fields)
            log.commits[at.service].append(
                msgspec.structs.replace(of, events=(Recorded(at.type, at.type_version, at.data),))
            )
        log.journals[entries[0].service].insert([msgspec.structs.replace(at, data=b"null") for at in entries])


def test_an_entry_that_no_commit_stands_behind_is_found() -> None:
    log = Committed()
    log.journals["entry"].insert([envelope(1)])
    with pytest.raises(StreamDamaged):
        log.subscribe("g", ["entry"]).poll(1)


class TestMemoryDocuments(DocumentsSuite):
    @pytest.fixture
    def documents(self) -> MemoryDocuments:
        return MemoryDocuments()


class TestMemorySecrets(SecretsSuite):
    @pytest.fixture
    def secrets(self) -> MemorySecrets:
        return MemorySecrets()
